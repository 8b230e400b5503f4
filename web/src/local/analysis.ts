// Analyses of finished games on this device, decision by decision in the second worker. Progress is kept in IndexedDB.
import type { Analysed } from "../messages";
import { desk, Stopped } from "./desk";
import { keepAnalysis, readAnalysis } from "./store";

const NONE: Analysed = { status: "none", done: 0, total: 0, moves: [], accuracy: [], points_lost: [] };
const SAVE_EVERY = 10; // decisions

const analyses = new Map<string, Analysed>();
const running = new Set<string>();

/** How far the analysis of a game is on this device, with its moves after the first `after`. */
export async function analysisHere(id: string, after = 0): Promise<Analysed> {
  const found = analyses.get(id) ?? (await readAnalysis(id)) ?? NONE;
  return { ...found, moves: found.moves.slice(after) };
}

/** Begin or continue the analysis of a game. */
export async function analyseHere(id: string, record: string): Promise<Analysed> {
  const found = await analysisHere(id);
  if (found.status !== "done" && !running.has(id)) {
    analyses.set(id, { ...found, status: "waiting" });
    void run(id, record);
  }
  return analysisHere(id);
}

/** Pause the analysis of a game: after the decision that is being analysed, or at once. */
export function pauseHere(id: string): void {
  running.delete(id);
}

async function run(id: string, record: string): Promise<void> {
  running.add(id);
  try {
    while (running.has(id)) {
      const found = await desk().think({ think: "analysis", record, found: [...(analyses.get(id) ?? NONE).moves] });
      analyses.set(id, found);
      const done = found.status === "done";
      if (done || found.done % SAVE_EVERY === 0) await keepAnalysis(id, found);
      if (done) break;
    }
  } catch (error) {
    if (!(error instanceof Stopped)) analyses.set(id, { ...(analyses.get(id) ?? NONE), status: "failed" });
  }
  running.delete(id);
}
