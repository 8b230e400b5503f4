// A game for boardgame.io about as small as Katarenga: eight pawns each on 64 cells, a pawn goes to a neighbouring empty cell.
const near = (from, to) => Math.max(Math.abs((from % 8) - (to % 8)), Math.abs((from >> 3) - (to >> 3))) === 1;

module.exports = {
  name: "pawns",
  setup: () => ({ cells: Array.from({ length: 64 }, (_, cell) => (cell < 8 ? "0" : cell >= 56 ? "1" : null)) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    go({ G, playerID }, from, to) {
      if (G.cells[from] !== playerID || G.cells[to] !== null || !near(from, to)) return "INVALID_MOVE";
      G.cells[to] = playerID;
      G.cells[from] = null;
    },
  },
  near,
};
