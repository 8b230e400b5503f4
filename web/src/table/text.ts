// What the table says: the prompt, the outcome, the log, the remarks beside a player's name.
import { gameOf } from "../games";
import {
  describeDecision,
  describeEnding,
  describeEvent,
  describeHint,
  describeMistake,
  distinctName,
  isAlone,
  logLine,
  playerName,
  sideName,
} from "../games/describe";
import { lastTurn } from "../games/marks";
import type { Message, Result, Table, TableEvent, View } from "../messages";
import type { LiveTable } from "../server/liveTable.svelte";
import { formatList, t, tDynamic } from "../words.svelte";

/** Who won; empty while the game goes on. */
export function outcomeText(table: Table): string {
  if (!table.result) return "";
  if (isAlone(table)) return aloneText(table);
  const { winners } = table.result;
  if (!winners.length) return t("table.drawn");
  if (table.you.length === 1) return t(winners.includes(table.you[0]!) ? "table.you-won" : "table.you-lost");
  return t("table.won-by", { players: winners.map((seat) => distinctName(table, seat)).join(", ") });
}

/** What a person reached alone, in a few words. */
function aloneText(table: Table): string {
  return tDynamic(`${table.game}.alone-score`, { points: table.result?.scores[0] ?? 0 }) ?? t("table.alone-over");
}

/** Who won, in the third person. */
export function replayOutcomeText(table: Table): string {
  if (!table.result || table.result.reason === "unfinished") return "";
  if (isAlone(table)) return aloneText(table);
  const { winners } = table.result;
  if (!winners.length) return t("table.drawn");
  return t("table.won-by", { players: formatList(winners.map((seat) => distinctName(table, seat))) });
}

/** Whether the score of a finished game is one of points: who resigns or runs out of time loses without counting. */
export function countsPoints(table: Table, result: Result): boolean {
  return gameOf(table.game).scored && tDynamic(`${table.game}.reason-${result.reason}`) !== undefined;
}

/** Whether everybody's side is known: random sides only once the game has started. */
export function sidesAreKnown(table: Table): boolean {
  return table.status !== "open" || !table.settings.lot;
}

/** The line above the board: what to do, or whom the game waits for. */
export function promptText(live: LiveTable): string {
  const { table, shown } = live;
  if (!table) return t("table.loading");
  if (table.status === "open") return t("table.waiting-start");
  if (live.past) return t("play.past", { made: live.past.made, total: table.made });
  switch (live.phase) {
    case "over": {
      const ending = table.result ? describeEnding(table, table.result) : "";
      return table.you.length === 1 && !isAlone(table) ? `${outcomeText(table)} · ${ending}` : ending;
    }
    case "choosing":
      return reasonText(live.whyNot) || hintText(live) || (shown ? decisionText(table, shown) : "");
    case "confirming":
      return t(live.turnGoesOn ? "play.confirm-step" : "table.confirm-turn");
    case "trying":
      if (live.forced) return tDynamic(`${table.game}.only-${shown?.decision}`) ?? t("play.only-choice");
      return t("play.sending");
    case "sending":
      return t("play.sending");
    default:
      return live.toMove === null ? "" : waitText(live, table, live.toMove);
  }
}

/** Why a move is not legal, without the move: the player has just tried it. */
function reasonText(words: string): string {
  const reason = words.replace(/^\S+?\s?: /, "");
  return reason.replace(/^\p{Ll}(?!\d)/u, (letter) => letter.toUpperCase()); // f1 is a space
}

function waitText(live: LiveTable, table: Table, number: number): string {
  const seat = table.seats[number];
  const computer = seat?.player?.kind === "computer" || seat?.out;
  const thinks = computer && live.phase === "waiting";
  const waitingFor = !thinks ? "person" : live.compiling ? "ready" : "computer";
  const named = seat?.yours ? sideName(table.game, seat) : distinctName(table, number);
  return t(`table.wait-${waitingFor}`, { player: named });
}

/** What happened last on the board, and who did it: the step being shown, or afterwards the turn. */
export function narration(live: LiveTable): { seat: number | null; text: string } {
  const { table, seenEvents } = live;
  if (!table) return { seat: null, text: "" };
  const sentences = (effects: readonly Message[]) => effects.map((effect) => logLine(table, [effect])).filter(Boolean);
  if (live.moving || isAlone(table)) {
    const begun = seenEvents.findLastIndex(({ key }) => key === "started" || key === "taken-back");
    for (const event of seenEvents.slice(begun + 1).toReversed()) {
      const text = event.key === "moved" || event.key === "drawn" ? sentences(event.told).join(" ") : "";
      if (text) return { seat: event.key === "moved" ? event.seat : null, text };
    }
    return { seat: null, text: "" };
  }
  const turn = lastTurn(gameOf(table.game), seenEvents);
  const effects = turn.flatMap(({ told }) => told);
  const [first] = turn;
  return {
    seat: first?.key === "moved" ? first.seat : null,
    text: sentences(gameOf(table.game).summary?.(effects) ?? effects).join(" "),
  };
}

/** What to decide; on a shared screen also who decides. */
function decisionText(table: Table, view: View): string {
  const what = view.decision ? describeDecision(view, table.made) : "";
  return what && table.you.length > 1
    ? t("table.todo-of", { seat: sideName(table.game, table.seats[table.to_move!]!), what })
    : what;
}

/** Beside a player's name: the side, and whether they are away. */
export function seatRemarks(live: LiveTable, number: number): string {
  const { table } = live;
  if (!table) return "";
  const seat = table.seats[number]!;
  const side = sideName(table.game, seat);
  const away = seat.player?.kind === "person" && !seat.yours && !(live.present[number] ?? seat.here);
  return [
    !sidesAreKnown(table) ? t("play.random-side") : seat.player && playerName(table, number) === side ? "" : side,
    away ? t("table.away") : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

export interface LogLine {
  number: number; // of the event
  text: string;
}

/** The events that have a line in the log. */
export function logLines(table: Table, events: readonly TableEvent[]): LogLine[] {
  const firstMove = events.find((event) => event.key === "moved")?.number ?? Infinity;
  return events
    .filter((event) => event.key !== "drawn" || event.number > firstMove) // the start can be seen on the board
    .map((event) => ({ number: event.number, text: describeEvent(table, event) }))
    .filter(({ text }) => text);
}

/** The hint as a request. */
function hintText(live: LiveTable): string {
  return live.hint === null ? "" : t("table.hint-is", { move: requested(live, live.hint) });
}

/** What speaks for the hint: the next best move, and why it is weaker. */
export function hintReason(live: LiveTable): string {
  const { table, advice } = live;
  if (!table || !advice?.instead) return "";
  if (!advice.why) return t("table.hint-close");
  const why = describeMistake(table, advice.why);
  return t("table.hint-instead", { move: requested(live, advice.instead), why });
}

/** A move as a request: the game's own words for the last effect that has any, or what the move does. */
function requested(live: LiveTable, move: string): string {
  const { table } = live;
  const effects = live.previews?.[move]?.told ?? [];
  const asked = effects.map((effect) => describeHint(table!, effect)).findLast(Boolean);
  return asked ?? effects.map((effect) => logLine(table!, [effect])).find(Boolean) ?? move;
}
