// Pieces keep who they are from one view to the next, so that they can be seen to move. A view only says what stands
// where: what stands still is the same piece, what is missed here and new there has moved.
export interface Piece {
  id: number;
  kind: string;
  place: string;
}

let born = 0;

export function match(before: readonly Piece[], now: readonly { kind: string; place: string }[]): Piece[] {
  const left = [...before];
  const take = (fits: (piece: Piece) => boolean): Piece | undefined => {
    const index = left.findIndex(fits);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const known = now.map((thing) => take((piece) => piece.kind === thing.kind && piece.place === thing.place));
  const pieces = now.map((thing, index) => {
    const same = known[index] ?? take((piece) => piece.kind === thing.kind);
    return { ...thing, id: same ? same.id : ++born };
  });
  return pieces.sort((one, other) => one.id - other.id); // an element that keeps its place in the page can glide
}
