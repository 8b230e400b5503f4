// The sides of the seats, in their order.
import type { KitaraView } from "../../messages";
import { t } from "../../words.svelte";

export const SIDES = ["first", "second", "third", "fourth"] as const;

/** Red, Blue, Black, White, or the rival of a player who plays alone. */
export function ownerName(view: KitaraView, seat: number): string {
  return t(view.rival && seat === 1 ? "kitara.seat-rival" : `kitara.seat-${SIDES[seat]!}`);
}
