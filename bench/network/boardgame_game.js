// A small game: two players place and overwrite stones on 64 cells.
module.exports = {
  name: "small",
  setup: () => ({ cells: Array(64).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { place: ({ G, playerID }, cell) => { G.cells[cell] = playerID; } },
};
