// The score pad's count. It works without a connection; the values come from the Python sources (art.ts).
import { CARD_POINTS, TOKEN_VALUES } from "./art";

export interface Column {
  name: string;
  track: number;
  tokens: number[]; // how many of each value
  cards: number;
}

export const SEATS = ["first", "second", "third", "fourth"] as const;

export function emptyColumns(): Column[] {
  return SEATS.map(() => ({ name: "", track: 0, tokens: TOKEN_VALUES.map(() => 0), cards: 0 }));
}

/** What was typed as a number that can be counted. */
const natural = (number: number) => (Number.isFinite(number) ? Math.max(0, Math.round(number)) : 0);

const tokenCount = (column: Column) => column.tokens.reduce((sum, count) => sum + natural(count), 0);

export function total(column: Column): number {
  const tokens = TOKEN_VALUES.reduce((sum, value, index) => sum + value * natural(column.tokens[index]!), 0);
  return natural(column.track) + tokens + CARD_POINTS * natural(column.cards);
}

/** Most points win, then most hero tokens; those who are still level share the victory. */
export function winners(columns: readonly Column[]): { seats: number[]; points: number; tied: boolean } {
  const points = Math.max(...columns.map(total));
  const level = columns.map((_, seat) => seat).filter((seat) => total(columns[seat]!) === points);
  const tokens = Math.max(...level.map((seat) => tokenCount(columns[seat]!)));
  return { seats: level.filter((seat) => tokenCount(columns[seat]!) === tokens), points, tied: level.length > 1 };
}
