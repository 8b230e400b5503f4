// `node replay_in_node.ts FOLDER GAME TRACE [exhaust]`: prints the number of calls that gave the same, or what differs.

import { readFileSync } from "node:fs";

import { exhaust, replay } from "./replay.ts";

const [, , folder, game, trace, what] = process.argv as string[];
const read = (name: string) =>
  new WebAssembly.Module(readFileSync(`${folder}/${name}-browser-wasm32.wasm`) as BufferSource);
const recorded = JSON.parse(readFileSync(trace!, "utf8"));
console.log(
  what ? exhaust(read(game!), recorded) : replay({ [game!]: read(game!), common: read("common") }, recorded),
);
