// Moves of Kiwara in its notation, taken apart for the board.
import { type Animal } from "./animals";
import { STONES } from "./layout";

/** Gc3 or baboon:Gc3: an animal is placed. */
export function placementOf(move: string): { animal: Animal; space: string } | null {
  const found = /^(?:baboon:)?([GZCEL])([a-f][1-5])$/.exec(move);
  return found ? { animal: found[1] as Animal, space: found[2]! } : null;
}

/** The card that a move uses. */
export function cardOf(move: string): string | null {
  if (/^-\d+$/.test(move)) return "wildebeest";
  return /^(boa|baboon|vulture|rhinoceros|porcupine|hyena|warthog|giraffe)\b/.exec(move)?.[1] ?? null;
}

/** hyena:c3-d4: an animal moves within the board. */
export function hyenaMoveOf(move: string): { from: string; to: string } | null {
  const found = /^hyena:(..)-(..)$/.exec(move);
  return found ? { from: found[1]!, to: found[2]! } : null;
}

/** ~c3: the crocodile swaps places with a gazelle. */
export function isSwap(move: string): boolean {
  return move[0] === "~";
}

/** The space (by name) or the stone of the path (by number) at which a move ends, or which it names. */
export function targetOf(move: string, totem: number | null): string | null {
  const placement = placementOf(move);
  if (placement) return placement.space;
  if (move[0] === "T" || isSwap(move)) return move.slice(1);
  if (/^[+-]\d+$/.test(move)) return String(((totem ?? 0) + Number(move) + STONES) % STONES);
  return hyenaMoveOf(move)?.to ?? /^(?:boa|porcupine|vulture|rhinoceros):([a-f][1-5])$/.exec(move)?.[1] ?? null;
}

/** The same for a move of the totem or of an animal from the hand or the board; other moves are not pointed at. */
export function hintTargetOf(move: string, totem: number | null): string | null {
  return /^([GZCEL~][a-f]?[a-f]\d|T\d+|[+-]\d+)$/.test(move) ? targetOf(move, totem) : null;
}

export function isSpace(target: string): boolean {
  return /^[a-f]/.test(target);
}
