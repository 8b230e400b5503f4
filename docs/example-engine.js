// An engine that plays every game at random; with `setoption greedy true` it prefers moves that take something.
// It knows no rules: `needs legal` asks for the legal moves. Try it: mchezo engine-check "node example-engine.js"
const say = (line) => process.stdout.write(line + "\n");
const limits = ["nodes", "movetime", "clock", "increment", "seed"];
let greedy = false;
let position = false; // is there one?
let legal = [];
let held = null; // the answer to `go infinite`, until `stop`

function choose(seed) {
  if (!position || legal.length === 0) return "none";
  const taking = greedy ? legal.filter((move) => move.includes("x")) : [];
  const moves = taking.length > 0 ? taking : legal;
  return moves[Math.floor(((seed * 2654435761) % 4294967296) / 4294967296 * moves.length)];
}

function go(words) {
  const asked = { seed: Math.floor(Math.random() * 1e6) };
  for (let at = 0; at < words.length; at++) {
    if (words[at] === "infinite") asked.infinite = true;
    else if (limits.includes(words[at]) && /^[0-9,-]+$/.test(words[at + 1])) asked[words[at]] = Number(words[++at]);
    else say(`error arguments ${words[at]}`);
  }
  const move = choose(asked.seed);
  if (move === "none") say("error no-position Send newgame, position and legal first.");
  if (asked.infinite && move !== "none") held = move;
  else say(`bestmove ${move}`);
}

const commands = {
  protocol: () => say("id name Example\ngame * 0\nneeds legal\noption greedy choice false true false\nprotocolok 1"),
  isready: () => say("readyok"),
  setoption: ([name, value]) => {
    if (name === "greedy" && ["true", "false"].includes(value)) greedy = value === "true";
    else say(`error unknown-option ${name} ${value}`);
  },
  newgame: ([game]) => ((position = false), game || say("error arguments newgame")),
  position: ([seat, number]) => ((position = seat === "seat" && Number(number) < 4), (legal = [])),
  legal: (moves) => (legal = moves),
  view: () => {},
  go,
  stop: () => (held !== null && say(`bestmove ${held}`), (held = null)),
  quit: () => process.exit(0),
};

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [name, ...words] = line.split(/\s+/).filter((word) => word !== "");
  if (held !== null && ["setoption", "newgame", "position", "legal", "go"].includes(name)) say(`error busy ${name}`);
  else if (Object.hasOwn(commands, name)) commands[name](words);
  else if (name !== undefined) say(`error unknown-command ${name.slice(0, 40)}`);
}).on("close", () => process.exit(0));
