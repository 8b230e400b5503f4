// Pawns that share a square, as in Central Park: moved aside, and smaller.
import type { Piece } from "../pieces";

/** To the right, down, and the scale. */
type Offset = readonly [number, number, number];

// By the number of pawns on the square.
const STACKS: readonly (readonly Offset[])[] = [
  [[0, 0, 1]],
  [
    [-10, -5, 0.72],
    [10, 7, 0.72],
  ],
  [
    [-11, -8, 0.6],
    [11, -8, 0.6],
    [0, 10, 0.6],
  ],
  [
    [-11, -9, 0.55],
    [11, -9, 0.55],
    [-11, 11, 0.55],
    [11, 11, 0.55],
  ],
];

/** Where each pawn stands on its square, by its id. */
export function stackPawns(pawns: readonly Piece[]): Map<number, Offset> {
  const together = new Map<string, Piece[]>();
  for (const pawn of pawns) together.set(pawn.place, [...(together.get(pawn.place) ?? []), pawn]);
  return new Map(
    [...together.values()].flatMap((sharing) =>
      sharing.map((pawn, index) => [pawn.id, STACKS[sharing.length - 1]?.[index] ?? [0, 0, 1]] as const),
    ),
  );
}
