// Load for mchezo: a game between bots, live; of several servers each has its share of the tables.
// node load.js ADDRESS,ADDRESS,...[+CROWD] GAME WANT TABLES SECONDS PAUSE
// CROWD is a number of spectators at the first table.
// WANT is view, or a file with whole games on one board: then the players ask for facts, know these games by heart, and
// need no legal moves.
const fs = require("fs");
const WebSocket = require("ws");
const { run } = require("./measure");
const [places, crowd] = process.argv[2].split("+");
const addresses = places.split(",");
const OPTIONS = { katarenga: { variant: "congress" }, kiwara: {}, kitara: {} };
const [game, want] = process.argv.slice(3, 5);
const known = want === "view" ? null : JSON.parse(fs.readFileSync(want, "utf8")); // { options, games }
const options = known ? known.options : OPTIONS[game];
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
  const made = { game, options, seats, lot: false, public: true };
  const { id } = await post(address, "/api/tables", made, tokens[0]);
  await post(address, `/api/tables/${id}/commands`, { type: "join", id: "join" }, tokens[1]);
  const sent = { game: known && known.games[Math.floor(Math.random() * known.games.length)] };
  // and the last move of the table: by which seat, when, after which number
  for (const seat of [0, 1]) await sit(address, id, seat, sent, course, () => open(number, course));
  if (crowd && number === 0) for (let one = 0; one < Number(crowd); one++) await watch(address, id);
}

function watch(address, id) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${address}/api/tables/${id}/live?want=facts`, { perMessageDeflate: false });
    socket.on("error", reject);
    socket.on("message", (data) => {
      resolve();
      const text = data.toString();
      if (text.startsWith('{"type":"ping"')) socket.send(JSON.stringify({ type: "pong", at: JSON.parse(text).at }));
      if (text.includes('"key":"ended"')) socket.close();
    });
  });
}

function sit(address, id, seat, sent, course, again) {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${tokens[seat]}` };
    const url = `ws://${address}/api/tables/${id}/live${known ? "?want=facts" : ""}`;
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    let answered = -1, number = -1, made = 0;
    socket.on("error", reject);
    socket.on("message", async (data) => {
      const message = JSON.parse(data);
      if (message.type === "ping") socket.send(JSON.stringify({ type: "pong", at: message.at }));
      if (message.type === "refused") course.refuse();
      const news = message.type === "news";
      if (!news && message.type !== "facts") return;
      resolve();
      const { decision, to_move } = news ? message.table : message;
      const last = message.events[message.events.length - 1];
      number = news ? message.table.number : last.number;
      made = news ? message.table.made : made + message.events.filter((event) => event.key === "moved").length;
      if (sent.seat === 1 - seat && number > sent.number) {
        course.told(sent.at);
        sent.seat = undefined;
      }
      if (news ? message.table.status === "over" : last.key === "ended") {
        socket.close();
        if (seat === 0) await again(); // the players go on at a new table
        return;
      }
      if (to_move !== seat || decision === answered) return;
      answered = decision;
      const choices = known ? [sent.game[made]] : message.table.legal;
      await course.think();
      Object.assign(sent, { seat, number, at: performance.now() });
      const moves = [choices[Math.floor(Math.random() * choices.length)]];
      socket.send(JSON.stringify({ type: "move", id: `${decision}`, decision, moves }));
    });
  });
}

async function main() {
  for (const name of ["one", "two"]) tokens.push((await post(addresses[0], "/api/tokens", { name })).token);
  await run(open);
}
main();
