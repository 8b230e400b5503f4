// Load for mchezo: so many tables, two sockets each, a move every `pause` milliseconds at each. Prints one line of JSON.
// node load.js ADDRESS TABLES SECONDS PAUSE
const WebSocket = require("ws");
const { summary, sleep } = require("./measure");
const [address, tables, seconds, pause] = [process.argv[2], ...process.argv.slice(3).map(Number)];

async function post(path, body, token) {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(`http://${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function main() {
  const tokens = [];
  for (const name of ["one", "two"]) tokens.push((await post("/api/tokens", { name })).token);
  const seats = [{ kind: "you" }, { kind: "open" }];
  const sent = new Map();
  const latencies = [];
  let measuring = false, moves = 0, refused = 0;

  async function table() {
    const options = { variant: "congress" };
    const { id } = await post("/api/tables", { game: "katarenga", options, seats, lot: false, public: true }, tokens[0]);
    await post(`/api/tables/${id}/commands`, { type: "join", id: "join" }, tokens[1]);
    for (const seat of [0, 1]) await sit(id, seat);
  }

  function sit(id, seat) {
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${tokens[seat]}` };
      const socket = new WebSocket(`ws://${address}/api/tables/${id}/live`, { headers, perMessageDeflate: false });
      let answered = -1;
      socket.on("error", reject);
      socket.on("message", async (data) => {
        const at = performance.now();
        const message = JSON.parse(data);
        if (message.type === "ping") socket.send(JSON.stringify({ type: "pong", at: message.at }));
        if (message.type === "refused") refused++;
        if (message.type !== "news") return;
        resolve();
        const began = sent.get(id);
        if (began !== undefined && began.seat !== seat && message.table.number > began.number) {
          sent.delete(id);
          if (measuring) { latencies.push(at - began.at); moves++; }
        }
        const { legal, decision, number } = message.table;
        if (!legal.length || decision === answered) return;
        answered = decision;
        if (pause) await sleep(pause * (0.5 + Math.random()));
        const moves_ = [legal[Math.floor(Math.random() * legal.length)]];
        sent.set(id, { at: performance.now(), seat, number });
        socket.send(JSON.stringify({ type: "move", id: `${decision}`, decision, moves: moves_ }));
      });
    });
  }

  for (let made = 0; made < tables; made += 25) await Promise.all(Array.from({ length: Math.min(25, tables - made) }, table));
  await sleep(1000);
  measuring = true;
  const began = performance.now();
  await sleep(seconds * 1000);
  measuring = false;
  console.log(JSON.stringify({ ...summary(latencies, moves, performance.now() - began), tables, refused }));
  process.exit(0);
}
main().catch((error) => { console.error(error); process.exit(1); });
