// `node replay_in_node.ts FOLDER GAME TRACE [exhaust|measure]`: prints the number of calls that gave the same, or what
// differs. `measure` prints the processor seconds of each kernel, natively and here.

import { readFileSync } from "node:fs";

import { exhaust, replay } from "./replay.ts";

const [, , folder, game, trace, what] = process.argv as string[];
const read = (name: string) =>
  new WebAssembly.Module(readFileSync(`${folder}/${name}-browser-wasm32.wasm`) as BufferSource);
const recorded = JSON.parse(readFileSync(trace!, "utf8"));
const modules = { [game!]: read(game!), common: read("common") };
if (what === "exhaust") {
  console.log(exhaust(modules[game!]!, recorded));
} else if (what === "measure") {
  const spent: Record<string, [native: number, here: number]> = {};
  replay(modules, recorded, (kernel, seconds, run) => {
    const before = process.threadCpuUsage();
    const result = run();
    const used = process.threadCpuUsage(before);
    const sums = (spent[kernel] ??= [0, 0]);
    sums[0] += seconds;
    sums[1] += (used.user + used.system) / 1e6;
    return result;
  });
  console.log(JSON.stringify(spent));
} else {
  console.log(replay(modules, recorded));
}
