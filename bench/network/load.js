// Load for mchezo: a game between bots, live; of several servers each has its share of the tables.
// node load.js ADDRESS,ADDRESS,... GAME TABLES SECONDS PAUSE
const WebSocket = require("ws");
const { run } = require("./measure");
const addresses = process.argv[2].split(",");
const OPTIONS = { katarenga: { variant: "congress" }, kiwara: {}, kitara: {} };
const game = process.argv[3];
const tokens = [];

async function post(address, path, body, token) {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(`http://${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function open(number, course) {
  const address = addresses[number % addresses.length];
  const seats = [{ kind: "you" }, { kind: "open" }];
  const made = { game, options: OPTIONS[game], seats, lot: false, public: true };
  const { id } = await post(address, "/api/tables", made, tokens[0]);
  await post(address, `/api/tables/${id}/commands`, { type: "join", id: "join" }, tokens[1]);
  const sent = {}; // the last move of the table: by which seat, when, after which number
  for (const seat of [0, 1]) await sit(address, id, seat, sent, course, () => open(number, course));
}

function sit(address, id, seat, sent, course, again) {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${tokens[seat]}` };
    const socket = new WebSocket(`ws://${address}/api/tables/${id}/live`, { headers, perMessageDeflate: false });
    let answered = -1;
    socket.on("error", reject);
    socket.on("message", async (data) => {
      const message = JSON.parse(data);
      if (message.type === "ping") socket.send(JSON.stringify({ type: "pong", at: message.at }));
      if (message.type === "refused") course.refuse();
      if (message.type !== "news") return;
      resolve();
      const { legal, decision, number, status } = message.table;
      if (sent.seat === 1 - seat && number > sent.number) {
        course.told(sent.at);
        sent.seat = undefined;
      }
      if (status === "over") {
        socket.close();
        if (seat === 0) await again(); // the players go on at a new table
      }
      if (!legal.length || decision === answered) return;
      answered = decision;
      await course.think();
      Object.assign(sent, { seat, number, at: performance.now() });
      const moves = [legal[Math.floor(Math.random() * legal.length)]];
      socket.send(JSON.stringify({ type: "move", id: `${decision}`, decision, moves }));
    });
  });
}

async function main() {
  for (const name of ["one", "two"]) tokens.push((await post(addresses[0], "/api/tokens", { name })).token);
  await run(open);
}
main();
