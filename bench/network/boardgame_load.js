// The same load for boardgame.io: what its own client sends over socket.io, without the client's copy of the game, so that the
// load takes as little as it can. A move is told when the update with its state comes to the other player.
// node boardgame_load.js ADDRESS TABLES SECONDS PAUSE
const { io } = require("socket.io-client");
const game = require("./boardgame_game");
const { run } = require("./measure");
const address = process.argv[2];
const MOVES = 200; // of a match: as many as random moves make of a game of Katarenga's Congress
let matches = 0;

async function open(number, course) {
  const match = `match-${process.pid}-${matches++}`; // made by the server when the first player asks for it
  const sent = {};
  for (const player of ["0", "1"]) await sit(match, player, sent, course, () => open(number, course));
}

function sit(match, player, sent, course, again) {
  return new Promise((resolve, reject) => {
    const socket = io(`http://${address}/${game.name}`, { transports: ["websocket"], forceNew: true });
    let answered = -1;
    socket.on("connect_error", reject);
    socket.on("connect", () => socket.emit("sync", match, player, undefined, 2));
    socket.on("sync", (_, { state }) => { resolve(); look(state); });
    socket.on("update", (_, state) => look(state));

    async function look({ G, ctx, _stateID: number }) {
      if (sent.player !== undefined && sent.player !== player && number > sent.number) {
        course.told(sent.at);
        sent.player = undefined;
      }
      if (number >= MOVES) {
        socket.close();
        if (player === "0") await again(); // the players go on in a new match
        return;
      }
      if (ctx.currentPlayer !== player || number <= answered) return;
      answered = number;
      await course.think();
      const payload = { type: "go", args: anyMove(G.cells, player), playerID: player };
      Object.assign(sent, { player, number, at: performance.now() });
      socket.emit("update", { type: "MAKE_MOVE", payload }, number, match, player);
    }
  });
}

function anyMove(cells, player) {
  const moves = [];
  cells.forEach((owner, from) => {
    if (owner === player) cells.forEach((other, to) => { if (other === null && game.near(from, to)) moves.push([from, to]); });
  });
  return moves[Math.floor(Math.random() * moves.length)];
}

run(open);
