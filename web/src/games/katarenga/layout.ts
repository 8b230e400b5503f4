// Coordinates in the picture of the board, and its drawings.
import { settings } from "../../settings.svelte";

const SQUARE = 48;
export const EDGE = 8; // of the frame, left and right of the board
export const RAIL = 36; // of the frame, above and below it, with the camps at its ends
export const WIDTH = 8 * SQUARE + 2 * EDGE;
export const HEIGHT = 8 * SQUARE + 2 * RAIL;
export const CAMP_SCALE = 0.72; // of a pawn in a camp
export const FILES = "abcdefgh";
export const RANKS = "12345678";
export const CAMPS = ["a9", "h9", "a0", "h0"] as const;
export const SQUARES = [...RANKS].reverse().flatMap((rank) => [...FILES].map((file) => file + rank));
export const COLOURS = { R: "red", Y: "yellow", G: "green", B: "blue" } as const;
export type ColourLetter = keyof typeof COLOURS;

export function isCamp(place: string): boolean {
  return place[1] === "9" || place[1] === "0";
}

/** The middle of a square or a camp, seen from White's side or, flipped, from Black's. */
export function middle(place: string, flip: boolean): [number, number] {
  const right = (2 * FILES.indexOf(place[0] ?? "") - 7) * (SQUARE / 2);
  const rail = (HEIGHT - RAIL) / 2;
  const up = isCamp(place) ? (place[1] === "9" ? rail : -rail) : (2 * RANKS.indexOf(place[1] ?? "") - 7) * (SQUARE / 2);
  return flip ? [WIDTH / 2 - right, HEIGHT / 2 + up] : [WIDTH / 2 + right, HEIGHT / 2 - up];
}

/** The letter of a square's colour on a board written as eight ranks, rank 8 first. */
export function colourOf(rows: readonly string[], square: string): ColourLetter {
  return (rows[8 - Number(square[1])]?.[FILES.indexOf(square[0] ?? "")] ?? "R") as ColourLetter;
}

/** The id of the drawing of a tile. */
export function tileDrawing(letter: ColourLetter): string {
  return `katarenga-${settings.patterns ? "patterned-" : ""}${COLOURS[letter]}`;
}

/** The same for a small tile beside words. */
export function signDrawing(letter: ColourLetter): string {
  return settings.patterns ? tileDrawing(letter) : `katarenga-${COLOURS[letter]}-sign`;
}
