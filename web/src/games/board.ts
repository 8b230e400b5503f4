// What the boards of all games are given, and what they give back. No board knows rules: it shows a view, offers the legal
// moves, and hands back the one that was chosen.
import type { Preview } from "../messages";

export interface BoardProps<View> {
  view: View;
  legal: readonly string[]; // everything that may be played now; empty if it is not this person's turn
  previews?: Record<string, Preview> | null; // what each of them would do
  unsent?: Preview | null; // what the last step does that was made but not yet sent
  flip?: boolean; // seen from the other side
  hint?: string | null; // a move to point at
  onmove?: (move: string) => void;
  onmiss?: (move: string) => void; // a move that was tried and is not among the legal ones
  onpick?: (thing: string) => void; // what was picked up: the colour under a pawn, an animal's letter, a card
}

/** Draw a shape of the game's art; used in SVG. */
export function at(x: number, y: number, scale = 1): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)${scale === 1 ? "" : ` scale(${scale})`}`;
}
