import type { Code, Refused } from "../messages";

/** A refusal as a server would send it. */
export function refusal(code: Code, words: string): Refused {
  return { type: "refused", code, words, told: { key: code, arguments: {} }, id: null };
}
