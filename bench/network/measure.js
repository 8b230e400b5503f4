// What the loads have in common: tables of two players who move in turn, each move timed until the other player is told of it.
// Every load is called with TABLES SECONDS PAUSE last, and prints one line of JSON.
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const [tables, seconds, pause] = process.argv.slice(-3).map(Number);
const AT_ONCE = 25; // tables that are made together

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
  measuring = true;
  await sleep(seconds * 1000);
  measuring = false;
  const took = performance.now() - began, used = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  console.log(JSON.stringify({
    tables, moves: times.length, moves_a_second: (times.length / took) * 1000, p50: at(0.5), p99: at(0.99), refused,
    load: (used.user + used.system) / 1000 / took, // how much of a core the load itself took
  }));
  process.exit(0);
}

exports.run = (open) => run(open).catch((error) => { console.error(error); process.exit(1); });
