// Where things lie in the picture of the board.
export const SQUARE = 48;
export const FRAME = 52;
export const SIZE = 8 * SQUARE + 2 * FRAME;
export const MIDDLE = SIZE / 2;
export const FILES = "abcdefgh";
export const RANKS = "12345678";
export const CAMPS = ["a9", "h9", "a0", "h0"] as const;
export const SQUARES = [...RANKS].reverse().flatMap((rank) => [...FILES].map((file) => file + rank));
export const COLOURS: Record<string, string> = { R: "red", Y: "yellow", G: "green", B: "blue" };

export function isCamp(place: string): boolean {
  return place[1] === "9" || place[1] === "0";
}

/** The middle of a square or a camp, seen from White's side or, flipped, from Black's. */
export function middle(place: string, flip: boolean): [number, number] {
  let right: number, up: number;
  if (isCamp(place)) {
    const corner = MIDDLE - FRAME / 2;
    [right, up] = [place[0] === "h" ? corner : -corner, place[1] === "9" ? corner : -corner];
  } else {
    right = (2 * FILES.indexOf(place[0] ?? "") - 7) * (SQUARE / 2);
    up = (2 * RANKS.indexOf(place[1] ?? "") - 7) * (SQUARE / 2);
  }
  return flip ? [MIDDLE - right, MIDDLE + up] : [MIDDLE + right, MIDDLE - up];
}

/** The letter of a square's colour on a board written as eight ranks, rank 8 first. */
export function colourOf(rows: readonly string[], square: string): string {
  return rows[8 - Number(square[1])]?.[FILES.indexOf(square[0] ?? "")] ?? "R";
}
