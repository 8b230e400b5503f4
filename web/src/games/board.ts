// What the boards of all games are given and give back. A board knows no rules: it shows a view, offers the legal moves,
// and hands back the move that was chosen.
import type { CheckedSetup, Message, Preview, Tried } from "../messages";

export interface BoardProps<View> {
  view: View;
  legal: readonly string[]; // everything that may be played now; empty if it is not this person's turn
  table?: string; // the table whose board it is: its map may be known to that table only
  map?: CheckedSetup["map"]; // if it is known already
  previews?: Record<string, Preview> | null; // what each legal move would do
  unsent?: Preview | null; // what the last step does that was played but not yet sent
  told?: readonly Message[]; // the effects of the last turn, to be marked
  others?: Tried["others"]; // the others' pawns, and where they could go if it were their turn
  flip?: boolean; // seen from the other side
  hint?: string | null; // a move to point at
  onmove?: (move: string) => void;
  onmiss?: (move: string) => void; // a move that was tried and is not legal
  onpick?: (thing: string) => void; // what was picked up: the colour under a pawn, an animal's letter, a card, a group
  ontouch?: (place: string) => void; // a pawn was picked up, at a table with touch-move
}

/** A CSS transform to a point of an SVG. */
export function at(x: number, y: number, scale = 1): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)${scale === 1 ? "" : ` scale(${scale})`}`;
}

/** The path of an arc between two points, beside the straight line: it begins and ends `aside` of them. */
export function arc([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], aside: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [offX, offY] = [aside * uy, -aside * ux];
  const [topX, topY] = [(x1 + x2) / 2 + 2 * offX, (y1 + y2) / 2 + 2 * offY];
  const ahead = 8; // so that the ends point at the middles
  return `M${x1 + offX + ahead * ux} ${y1 + offY + ahead * uy}Q${topX} ${topY} ${x2 + offX - ahead * ux} ${y2 + offY - ahead * uy}`;
}

/** The path of an arrow between two points: it keeps `start` and `end` away from them; the head is `head` long. */
export function arrow(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  { start, end, shaft, head, half }: { start: number; end: number; shaft: number; head: number; half: number },
): string {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [tipX, tipY] = [x2 - end * ux, y2 - end * uy];
  const barbs = [half, -half]
    .map((side) => `L${tipX - head * ux - side * uy} ${tipY - head * uy + side * ux}`)
    .join("");
  return `M${x1 + start * ux} ${y1 + start * uy}L${tipX - shaft * ux} ${tipY - shaft * uy}M${tipX} ${tipY}${barbs}Z`;
}
