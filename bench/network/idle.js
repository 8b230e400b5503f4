// Idle sockets at some tables. node idle.js ADDRESS TABLE,TABLE,... SOCKETS MILLISECONDS
// Prints how many are open once all were opened, and again when it is asked to, after a time in which nothing happened.
const WebSocket = require("ws");
const [address, tables, count] = [process.argv[2], process.argv[3].split(","), Number(process.argv[4])];
const wait = Number(process.argv[5]);
let open = 0, closed = 0;

function sit(number) {
  return new Promise((resolve) => {
    const table = tables[number % tables.length];
    const socket = new WebSocket(`ws://${address}/api/tables/${table}/live`, { perMessageDeflate: false });
    socket.on("message", (data) => {
      const message = JSON.parse(data);
      if (message.type === "news" && !socket.seen) { socket.seen = true; open++; resolve(); }
      if (message.type === "ping") socket.send(JSON.stringify({ type: "pong", at: message.at }));
    });
    socket.on("close", () => { if (socket.seen) open--; closed++; resolve(); });
    socket.on("error", () => {});
  });
}

async function main() {
  for (let made = 0; made < count; made += 100) await Promise.all(Array.from({ length: 100 }, (_, index) => sit(made + index)));
  console.log(JSON.stringify({ open, closed }));
  process.stdin.once("data", () => setTimeout(() => { console.log(JSON.stringify({ open, closed })); process.exit(0); }, wait));
}
main();
