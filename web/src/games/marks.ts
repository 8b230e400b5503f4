// What the boards mark until something else happens: the effects of the last turn.
import type { Message, TableEvent } from "../messages";

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

/** The last effect with one of these names. */
export function lastOf(told: readonly Message[], ...keys: string[]): Message | undefined {
  return told.findLast((effect) => keys.includes(effect.key));
}
