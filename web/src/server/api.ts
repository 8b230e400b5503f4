// Requests to the server over HTTP. A cookie identifies the guest.
import { STATIC } from "../local/folder";
import { localTable } from "../local/ids";
import type { Me, Refused } from "../messages";
import { settings } from "../settings.svelte";
import { language, t } from "../words.svelte";
import { server } from "./reachable.svelte";

/** The server refused a request; the message is in the user's language. */
export class ApiError extends Error {
  constructor(readonly refused: Refused) {
    super(refused.words);
  }
}

/** What to show for an error of a request. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? error.message : t("app.failed");
}

// What this device can answer without a connection (mchezo.local.api).
const ANSWERED_HERE = /^(GET|POST) \/api\/(games|packs|puzzles|rules|lessons)|^POST \/api\/(tables|records)$/;

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { "Accept-Language": language(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    server.reachable = false;
    throw error;
  });
  server.reachable = true;
  const answer: unknown = response.status === 204 ? null : await response.json();
  if (response.ok) return answer as T;
  throw new ApiError(answer as Refused);
}

// The first request sets the cookie; without it nothing can be changed.
let identified: Promise<Me> | undefined;
export async function ensureIdentity(): Promise<Me> {
  identified ??= request<Me>("GET", "/api/me");
  try {
    return await identified;
  } catch (error) {
    identified = undefined; // try again next time
    throw error;
  }
}

/** Forget the guest of this browser, after signing out: the next request makes a new one. */
export function forgetIdentity(): void {
  identified = undefined;
}

/** Ask the server, or this device: always on a static site and about local tables, else if there is no connection. */
async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answerHere = async () => (await import("../local")).answer<T>(method, path, body);
  if (STATIC || localTable(path)) return answerHere();
  try {
    await ensureIdentity();
    return await request<T>(method, path, body);
  } catch (error) {
    if (server.reachable || !settings.offline || !ANSWERED_HERE.test(`${method} ${path}`)) throw error;
    return answerHere();
  }
}

export const get = <T>(path: string) => ask<T>("GET", path);
export const post = <T>(path: string, body: unknown) => ask<T>("POST", path, body);
export const remove = (path: string) => ask<null>("DELETE", path);

/** Text such as a record, from the server or this device. */
export async function getText(path: string): Promise<string> {
  if (localTable(path)) return ask<string>("GET", path);
  await ensureIdentity();
  const response = await fetch(path, { headers: { "Accept-Language": language() } });
  if (!response.ok) throw new ApiError((await response.json()) as Refused);
  return response.text();
}

/** A unique id for a command: the server carries out each id once. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
