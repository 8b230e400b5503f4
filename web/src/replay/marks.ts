import type { AnalysedMove } from "../messages";

/** The sign of a mistake, as chess writes it. */
export const SIGNS: Record<AnalysedMove["mark"], string> = {
  "": "",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
  "missed win": "??",
};

export function formatShare(share: number | undefined): string {
  return `${Math.round(100 * (share ?? 0))}\u00a0%`;
}
