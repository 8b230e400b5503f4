// Boards made of the four tiles.
import { TILES } from "./art";

export type Rows = readonly string[];

/** Rows of letters, turned clockwise. */
export function turn(rows: Rows, quarters: number): Rows {
  for (let quarter = 0; quarter < quarters % 4; quarter++)
    rows = [...(rows[0] ?? "")].map((_, column) =>
      [...rows]
        .reverse()
        .map((row) => row[column])
        .join(""),
    );
  return rows;
}

/** A side of a tile (capital: its front) and its quarter turns clockwise. */
export interface PlacedTile {
  side: string;
  turns: number;
}

export function rowsOf(tile: PlacedTile): Rows {
  return turn(TILES[tile.side as keyof typeof TILES], tile.turns);
}

/** The tiles of a code such as A0c1B2d3, in the corners a8, h8, a1, h1. */
export function tilesOf(code: string): PlacedTile[] {
  return [0, 2, 4, 6].map((at) => ({ side: code[at] ?? "A", turns: Number(code[at + 1]) }));
}

export function codeOf(tiles: readonly PlacedTile[]): string {
  return tiles.map((tile) => `${tile.side}${tile.turns}`).join("");
}

export function flipped(tile: PlacedTile): PlacedTile {
  const front = tile.side.toUpperCase();
  return { side: tile.side === front ? front.toLowerCase() : front, turns: tile.turns };
}
