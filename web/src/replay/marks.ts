import type { AnalysedMove } from "../messages";
import { language } from "../words.svelte";

/** The sign of a mistake, as chess writes it. */
export const SIGNS: Record<AnalysedMove["mark"], string> = {
  "": "",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
  "missed win": "??",
};

/** By how many points a move leaves its seat with a smaller lead; 0 in a game without points. */
export function pointsLost(points: readonly number[], after: readonly number[], seat: number): number {
  const lead = (all: readonly number[]) => (all[seat] ?? 0) - Math.max(...all.filter((_, other) => other !== seat));
  return points.length ? Math.max(0, lead(points) - lead(after)) : 0;
}

export function formatShare(share: number | undefined): string {
  return new Intl.NumberFormat(language(), { style: "percent" }).format(share ?? 0);
}
