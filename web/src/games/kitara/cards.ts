// A card's text, such as D1W1M1, taken apart.
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
