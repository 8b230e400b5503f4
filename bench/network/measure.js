// What the loads have in common: tables of two players who move in turn, each move timed until the other player is told of it.
// Every load is called with TABLES SECONDS PAUSE last, and prints one line of JSON.
const fs = require("fs");
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const [tables, seconds, pause] = process.argv.slice(-3).map(Number);
const AT_ONCE = 10; // tables that are made together
const ids = (text) => (text || "").split(",").filter(Boolean);
const servers = ids(process.env.SERVERS), databases = ids(process.env.DATABASES); // the ids of their processes
const TICK = 10; // milliseconds, the unit in which Linux counts processor time

// The processor time that processes and their children have used, in milliseconds.
function processorTime(pids) {
  const children = (pid) => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  const used = (pid) => fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const own = (pid) => (Number(used(pid)[11]) + Number(used(pid)[12])) * TICK;
  return pids.reduce((sum, pid) => sum + own(pid) + processorTime(children(pid)), 0);
}

// `open` makes a table and seats its players; they tell the course what they send and what they are told.
async function run(open) {
  const times = [];
  let measuring = false, refused = 0;
  const course = {
    think: () => (pause ? sleep(pause * (0.5 + Math.random())) : undefined),
    told(began) { if (measuring) times.push(performance.now() - began); },
    refuse() { refused++; },
  };
  for (let made = 0; made < tables; made += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, tables - made) }, (_, index) => open(made + index, course)));
  }
  await sleep(1000 + pause);
  const began = performance.now(), before = process.cpuUsage();
  const served = processorTime(servers), stored = processorTime(databases);
  measuring = true;
  await sleep(seconds * 1000);
  measuring = false;
  const took = performance.now() - began, used = process.cpuUsage(before);
  const server = processorTime(servers) - served, database = processorTime(databases) - stored;
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  console.log(JSON.stringify({
    tables, moves: times.length, moves_a_second: (times.length / took) * 1000, p50: at(0.5), p99: at(0.99), refused,
    microseconds: (server * 1000) / times.length, // of processor time that the servers took for a move
    database: (database * 1000) / times.length, // and a database server
    load: (used.user + used.system) / 1000 / took, // how much of a core the load itself took
  }));
  process.exit(0);
}

exports.run = (open) => run(open).catch((error) => { console.error(error); process.exit(1); });
