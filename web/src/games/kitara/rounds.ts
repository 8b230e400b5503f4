// The round of a game, and how many there are.
import type { KitaraView } from "../../messages";
import { t } from "../../words.svelte";

export function isReconstruction(view: KitaraView): boolean {
  return view.pack_id.startsWith("reconstruction") && !view.pack_id.includes("#");
}

/** "Round 2 of 7", or "Round 2" while nobody knows which will be the last. */
export function roundWords(view: KitaraView): string {
  const { round } = view;
  // The cards of the reconstruction make its games equally long; in other packs the last age tells the end.
  const last = isReconstruction(view) ? Number(view.turns.split("/")[view.players === 3 ? 1 : 0]) : view.last_round;
  return last ? t("kitara.round-of", { round, last }) : t("kitara.round", { round });
}
