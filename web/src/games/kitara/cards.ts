// A card's text, such as D1W1M1, taken apart, and in words.
import { list, t } from "../../words.svelte";

export const KINDS = ["W", "A", "H"] as const;
export type Kind = (typeof KINDS)[number];
export const KIND_NAMES: Record<Kind, string> = { W: "warrior", A: "animal", H: "hero" };
export const SYMBOLS = { D: "draft", M: "move", V: "prosperity" } as const;

export function symbols(card: string): Record<string, number> {
  return Object.fromEntries([...card.matchAll(/([DWAHMVN])(\d*)/g)].map(([, letter, count]) => [letter, Number(count || 1)]));
}

/** The pawns of a card or a group, one letter each. */
export function pawnsOf(counts: Record<string, number>): Kind[] {
  return KINDS.flatMap((kind) => Array<Kind>(counts[kind] ?? 0).fill(kind));
}

/** One warrior and two heroes. */
export function pawnWords(counts: Record<string, number>): string {
  const few = (kind: Kind, count: number) => t(`kitara.${count === 1 ? "one" : "count"}-${KIND_NAMES[kind]}`, { count });
  return list(KINDS.filter((kind) => counts[kind]).map((kind) => few(kind, counts[kind]!)));
}

/** All that is on a card. */
export function cardWords(card: string): string {
  const counts = symbols(card);
  return Object.entries({ D: "draft", W: "warrior", A: "animal", H: "hero", M: "move", V: "prosperity", N: "unfed" })
    .filter(([letter]) => counts[letter])
    .map(([letter, symbol]) => t(`kitara.symbol-${symbol}`, { count: counts[letter]! }))
    .join(", ");
}
