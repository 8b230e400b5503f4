// Requests to the server over HTTP. A cookie identifies the guest.
import type { Me, Refused } from "../messages";
import { language, t } from "../words.svelte";

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

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { "Accept-Language": language(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
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

export const get = <T>(path: string) => ensureIdentity().then(() => request<T>("GET", path));
export const post = <T>(path: string, body: unknown) => ensureIdentity().then(() => request<T>("POST", path, body));
export const remove = (path: string) => ensureIdentity().then(() => request<null>("DELETE", path));

/** A unique id for a command: the server carries out each id once. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
