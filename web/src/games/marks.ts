// The last turn: what the boards mark, and what is told of it, until something else happens.
import type { Message, ReplayStep, TableEvent } from "../messages";
import type { Game } from "./game";

type Made = Extract<TableEvent, { key: "moved" | "drawn" }>;

/** The moves of the last turn among the events, with the chance in between and the replies of others. */
export function lastTurn({ isReply }: Game, events: readonly TableEvent[]): readonly Made[] {
  const turn: Made[] = [];
  let drawn: Made[] = []; // after a move that is still to be found: it may be another player's
  let seat: number | null = null;
  for (const event of events.toReversed()) {
    if (event.key === "taken-back" || event.key === "started") break;
    if (event.key === "drawn") drawn.unshift(event);
    if (event.key !== "moved") continue;
    if (!isReply || !event.told.some(isReply)) {
      seat ??= event.seat;
      if (event.seat !== seat) break;
    }
    turn.unshift(event, ...drawn);
    drawn = [];
  }
  return turn;
}

/** The effects of the last turn of a finished game. */
export function lastTurnOf(steps: readonly ReplayStep[]): readonly Message[] {
  const seat = steps.findLast((step) => step.seat !== null)?.seat;
  const before = steps.findLastIndex((step) => step.seat !== null && step.seat !== seat);
  return steps.slice(before + 1).flatMap((step) => step.told);
}

/** The last effect with one of these names. */
export function lastOf(told: readonly Message[], ...keys: string[]): Message | undefined {
  return told.findLast((effect) => keys.includes(effect.key));
}
