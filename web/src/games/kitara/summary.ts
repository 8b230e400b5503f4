// What is told of a turn when it is over. What happens to the row of cards can be seen there.
import type { Message } from "../../messages";

const OUTCOMES = ["attacked", "scored", "token-kept", "discarded", "last-round"];
const STEPS = ["started-on", "drafted", "rival-card", "recruited", "crossed", "token-drawn", "retreated", "removed"];

/** The outcome of a turn, then its steps. */
export function summary(effects: readonly Message[]): readonly Message[] {
  return [OUTCOMES, STEPS].flatMap((keys) => effects.filter(({ key }) => keys.includes(key)));
}
