// The same load for boardgame.io, with its own client. node boardgame_load.js PORT TABLES SECONDS PAUSE
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const game = require("./boardgame_game");
const { summary, sleep } = require("./measure");
const [port, tables, seconds, pause] = process.argv.slice(2).map(Number);
const server = `http://localhost:${port}`;

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(server + path, { method: "POST", headers, body: JSON.stringify(body) });
  return answer.json();
}

async function main() {
  const latencies = [];
  const sent = new Map();
  let measuring = false, moves = 0;
  async function table() {
    const { matchID } = await post("/games/small/create", { numPlayers: 2 });
    for (const playerID of ["0", "1"]) {
      const { playerCredentials } = await post(`/games/small/${matchID}/join`, { playerID, playerName: playerID });
      const client = Client({ game, matchID, playerID, credentials: playerCredentials, multiplayer: SocketIO({ server }), debug: false });
      let seen = -1;
      client.subscribe(async (state) => {
        if (!state || !state.isConnected || state._stateID === seen) return;
        seen = state._stateID;
        const began = sent.get(matchID);
        if (began && began.playerID !== playerID && state._stateID > began.state) {
          sent.delete(matchID);
          if (measuring) { latencies.push(performance.now() - began.at); moves++; }
        }
        if (state.ctx.currentPlayer !== playerID) return;
        if (pause) await sleep(pause * (0.5 + Math.random())); else await sleep(0);
        sent.set(matchID, { at: performance.now(), playerID, state: state._stateID });
        client.moves.place(Math.floor(Math.random() * 64));
      });
      client.start();
    }
  }
  for (let made = 0; made < tables; made += 25) await Promise.all(Array.from({ length: Math.min(25, tables - made) }, table));
  await sleep(1000);
  measuring = true;
  const began = performance.now();
  await sleep(seconds * 1000);
  measuring = false;
  console.log(JSON.stringify({ ...summary(latencies, moves, performance.now() - began), tables }));
  process.exit(0);
}
main().catch((error) => { console.error(error); process.exit(1); });
