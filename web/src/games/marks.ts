// What the boards mark until something else happens: the effects of the last turn.
import type { Message, ReplayStep, TableEvent } from "../messages";

/** The effects of the last turn among the events: of the last seat that moved, and of the chance in between. */
export function lastTurn(events: readonly TableEvent[]): readonly Message[] {
  const effects: Message[] = [];
  let seat: number | null = null;
  for (const event of events.toReversed()) {
    if (event.key === "taken-back") break;
    if (event.key !== "moved" && event.key !== "drawn") continue;
    if (event.key === "moved") {
      seat ??= event.seat;
      if (event.seat !== seat) break;
    }
    effects.unshift(...event.told);
  }
  return effects;
}

/** The same of a finished game. */
export function lastTurnOf(steps: readonly ReplayStep[]): readonly Message[] {
  const seat = steps.findLast((step) => step.seat !== null)?.seat;
  const before = steps.findLastIndex((step) => step.seat !== null && step.seat !== seat);
  return steps.slice(before + 1).flatMap((step) => step.told);
}

/** The last effect with one of these names. */
export function lastOf(told: readonly Message[], ...keys: string[]): Message | undefined {
  return told.findLast((effect) => keys.includes(effect.key));
}
