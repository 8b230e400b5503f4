// Questions to the server over HTTP. The cookie says who asks.
import type { Refused } from "../messages";
import { language } from "../words.svelte";

/** The server's refusal, in the person's words. */
export class Refusal extends Error {
  constructor(readonly refused: Refused) {
    super(refused.words);
  }
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(path, {
    method,
    headers: { "Accept-Language": language(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const said: unknown = await answer.json();
  if (answer.ok) return said as T;
  throw new Refusal(said as Refused);
}

// The first call gives the cookie; whoever changes something must have it.
let introduction: Promise<unknown> | undefined;
export async function introduced(): Promise<void> {
  introduction ??= call("GET", "/api/me");
  try {
    await introduction;
  } catch (error) {
    introduction = undefined; // next time again
    throw error;
  }
}

export const get = <T>(path: string) => introduced().then(() => call<T>("GET", path));
export const post = <T>(path: string, body: unknown) => introduced().then(() => call<T>("POST", path, body));

/** A name that no other command has. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
