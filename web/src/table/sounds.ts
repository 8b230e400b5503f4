// What is heard when the state of a table changes.
import { soundOf } from "../games/sounds";
import type { Message } from "../messages";
import type { Sound } from "../sound";
import type { State } from "./machine";

/** The sounds of a step, of one's own turn, and of the end. */
export function soundsBetween(before: State, { phase, last, trail, table }: State): readonly Sound[] {
  if (!table) return [];
  const heard: Sound[] = [];
  let step: readonly Message[] | undefined;
  if (last !== before.last) step = last?.told;
  else if (trail.length > before.trail.length) step = trail.at(-1)!.told.at(-1) ?? [];
  const sound = step && soundOf(table.game, step);
  if (sound) heard.push(sound);
  if (phase === before.phase || !before.table) return heard;
  if (phase === "choosing" && (before.phase === "waiting" || before.phase === "showing")) heard.push("turn");
  if (phase === "over" && table.you.length) {
    const won = table.you.some((seat) => table.result?.winners.includes(seat));
    heard.push(won ? "win" : "lose");
  }
  return heard;
}
