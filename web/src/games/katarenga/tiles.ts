// Boards made of the four tiles: turning them and putting them together.
import { TILES } from "./art";

export type Rows = readonly string[];

/** Rows of letters, turned clockwise. */
export function turn(rows: Rows, quarters: number): Rows {
  for (let quarter = 0; quarter < quarters % 4; quarter++)
    rows = [...(rows[0] ?? "")].map((_, column) => [...rows].reverse().map((row) => row[column]).join(""));
  return rows;
}

/** A side of a tile (a capital is its front) with its quarter turns. */
export interface Laid {
  side: string;
  turns: number;
}

export function rowsOf(tile: Laid): Rows {
  return turn(TILES[tile.side as keyof typeof TILES], tile.turns);
}

/** The tiles of a code such as A0c1B2d3, in the corners a8, h8, a1, h1. */
export function laid(code: string): Laid[] {
  return [0, 2, 4, 6].map((at) => ({ side: code[at] ?? "A", turns: Number(code[at + 1]) }));
}

export function codeOf(tiles: readonly Laid[]): string {
  return tiles.map((tile) => `${tile.side}${tile.turns}`).join("");
}

export function flipped(tile: Laid): Laid {
  const front = tile.side.toUpperCase();
  return { side: tile.side === front ? front.toLowerCase() : front, turns: tile.turns };
}
