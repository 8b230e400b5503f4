import type { Message } from "../messages";
import type { Sound } from "../sound";
import { gameOf } from "./index";

/** The sound of a move: that of its most important effect. */
export function soundOf(game: string, effects: readonly Message[]): Sound | null {
  const { sounds = {} } = gameOf(game);
  const key = Object.keys(sounds).find((name) => effects.some((effect) => effect.key === name));
  return key === undefined ? "move" : (sounds[key] ?? null);
}
