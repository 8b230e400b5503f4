// A card's text, such as D1W1M1: parsed, and in words.
import { formatList, t } from "../../words.svelte";

export const KINDS = ["W", "A", "H"] as const;
export type Kind = (typeof KINDS)[number];
export const KIND_NAMES = { W: "warrior", A: "animal", H: "hero" } as const satisfies Record<Kind, string>;
export const SYMBOLS = { D: "draft", M: "move", V: "prosperity" } as const;

/** How often each symbol is on a card. */
export function symbols(card: string): Record<string, number> {
  return Object.fromEntries(
    [...card.matchAll(/([DWAHMVN])(\d*)/g)].map(([, letter, count]) => [letter, Number(count || 1)]),
  );
}

/** The pawns of a card or a group, one letter per pawn. */
export function pawnsOf(counts: Record<string, number>): Kind[] {
  return KINDS.flatMap((kind) => Array<Kind>(counts[kind] ?? 0).fill(kind));
}

/** "One warrior and two heroes" */
export function pawnWords(counts: Record<string, number>): string {
  const words = (kind: Kind, count: number) =>
    t(`kitara.${count === 1 ? "one" : "count"}-${KIND_NAMES[kind]}`, { count });
  return formatList(KINDS.filter((kind) => counts[kind]).map((kind) => words(kind, counts[kind]!)));
}

/** Everything on a card, symbol by symbol. */
export function cardLines(card: string): string[] {
  const counts = symbols(card);
  const { D, M, V } = SYMBOLS;
  return Object.entries({ D, ...KIND_NAMES, M, V, N: "unfed" } as const)
    .filter(([letter]) => counts[letter])
    .map(([letter, symbol]) => t(`kitara.symbol-${symbol}`, { count: counts[letter]! }));
}

/** Everything on a card, in one line. */
export function cardWords(card: string): string {
  return cardLines(card).join(", ");
}
