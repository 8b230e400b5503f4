// So many idle sockets at one table. node idle.js ADDRESS TABLE SOCKETS; prints how many are open, and waits for its end.
const WebSocket = require("ws");
const [address, table, count] = [process.argv[2], process.argv[3], Number(process.argv[4])];
let open = 0, closed = 0;
async function main() {
  for (let made = 0; made < count; made += 100) {
    await Promise.all(Array.from({ length: 100 }, () => new Promise((resolve) => {
      const socket = new WebSocket(`ws://${address}/api/tables/${table}/live`, { perMessageDeflate: false });
      socket.on("message", (data) => {
        const message = JSON.parse(data);
        if (message.type === "news" && !socket.seen) { socket.seen = true; open++; resolve(); }
        if (message.type === "ping") socket.send(JSON.stringify({ type: "pong", at: message.at }));
      });
      socket.on("close", () => { open--; closed++; });
      socket.on("error", resolve);
    })));
  }
  console.log(JSON.stringify({ open, closed }));
  process.stdin.on("data", () => { console.log(JSON.stringify({ open, closed })); process.exit(0); });
}
main();
