// The score pad's count. It works without a connection and without a board, which the server's scoring needs; the values
// come from the Python sources (art.ts), and tests/web/test_realtable.py compares the result with the rules.
import { OKAPI_POINTS, VALUES } from "./art";

/** An animal in a territory: its seat and its letter, small if it is hidden. */
export type Token = string;

export interface TerritoryScore {
  counts: [number, number]; // tokens by seat, hidden ones included
  points: number; // the values of the animals that are not hidden
  leader: number | null; // the seat with more tokens
}

export function scoreTerritory(tokens: readonly Token[]): TerritoryScore {
  const count = (seat: string) => tokens.filter((token) => token[0] === seat).length;
  const counts: [number, number] = [count("0"), count("1")];
  const points = tokens.reduce((sum, token) => sum + ((VALUES as Record<string, number>)[token[1]!] ?? 0), 0);
  return { counts, points, leader: counts[0] === counts[1] ? null : counts[0] > counts[1] ? 0 : 1 };
}

/** A seat's points: the territories it leads, and the Okapi. */
export function scoreSeat(seat: number, territories: readonly TerritoryScore[], okapi: number | null): number {
  const led = territories.filter((territory) => territory.leader === seat);
  return led.reduce((sum, territory) => sum + territory.points, okapi === seat ? OKAPI_POINTS : 0);
}
