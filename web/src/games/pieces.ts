// Identities of pieces, so that moves can be animated. A view only says what stands where: a piece that stands still
// keeps its id; one that is missing here and new there has moved.
export interface Piece {
  id: number;
  kind: string;
  place: string;
}

let lastId = 0;

/** The pieces of a new view with the ids of those before. */
export function match(before: readonly Piece[], now: readonly { kind: string; place: string }[]): Piece[] {
  const left = [...before];
  const take = (fits: (piece: Piece) => boolean): Piece | undefined => {
    const index = left.findIndex(fits);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const known = now.map((thing) => take((piece) => piece.kind === thing.kind && piece.place === thing.place));
  const pieces = now.map((thing, index) => {
    const same = known[index] ?? take((piece) => piece.kind === thing.kind);
    return { ...thing, id: same ? same.id : ++lastId };
  });
  return pieces.sort((one, other) => one.id - other.id); // elements that keep their order in the page can be animated
}
