// Players, effects, events and results in words.
import type { Message, Seat, Table, TableEvent } from "../messages";
import { formatDay } from "../ui/time";
import { formatList, language, t, tDynamic, type Values } from "../words.svelte";
import { gameOf } from "./index";

/** The side of a seat: White, Yellow, Red. */
export function sideName(game: string, seat: { side: string }): string {
  return tDynamic(`${game}.seat-${seat.side}`) ?? seat.side;
}

/** Whether one person plays: there is a score, but nobody to win against. */
export function isAlone(table: { seats: readonly unknown[] }): boolean {
  return table.seats.length === 1;
}

export function levelName(level: number | string): string {
  return tDynamic(`search.level-${level}`) ?? String(level);
}

export function playerName(table: Table, number: number): string {
  const seat = table.seats[number] as Seat;
  if (!seat.player) return sideName(table.game, seat);
  if (seat.yours && table.you.length === 1) return t("app.you");
  if (seat.player.kind === "computer" && seat.player.level !== null)
    return t("app.computer-named", { name: levelName(seat.player.level), level: seat.player.level });
  return personName(seat.player.name) || sideName(table.game, seat);
}

/** A player's name that nobody else at the table has: computers of one level are told apart by their sides. */
export function distinctName(table: Table, number: number): string {
  const { player } = table.seats[number] as Seat;
  return table.seats.length > 2 && player?.kind === "computer" && player.level !== null
    ? computerName(table.game, table.seats[number]!, player.level)
    : playerName(table, number);
}

/** A computer player by its side and level. */
export function computerName(game: string, seat: { side: string }, level: number): string {
  return t("app.computer-side", { name: sideName(game, seat), level });
}

/** A person's name; the server calls those who chose none Guest. */
export function personName(name: string): string {
  return name === "Guest" ? t("people.guest") : name;
}

/** The effects of a move in words. */
export function describeEffects(table: Table, effects: readonly Message[]): string {
  return effects
    .map((effect) => tDynamic(`${table.game}.told-${effect.key}`, argumentWords(table, effect.arguments)))
    .filter(Boolean)
    .join(" ");
}

/** What to do to bring an effect about; undefined if the game has no words for it. */
export function describeHint(table: Table, effect: Message): string | undefined {
  return tDynamic(`${table.game}.hint-${effect.key}`, argumentWords(table, effect.arguments));
}

/** The effects of a move as a line of the game log. */
export function logLine(table: Table, effects: readonly Message[]): string {
  const game = gameOf(table.game);
  return describeEffects(
    table,
    effects.filter((effect) => !game.notLogged?.(effect)),
  );
}

/** Arguments with names in place of seat numbers, cards and the game's own codes. */
function argumentWords(table: Table, given: Message["arguments"]): Values {
  const { argumentWords } = gameOf(table.game);
  const words = (name: string, value: unknown): string | number => {
    if ((name === "seat" || name === "other") && typeof value === "number")
      return sideName(table.game, table.seats[value] as Seat);
    const own = argumentWords?.(name, value);
    if (own !== undefined) return own;
    if (name === "card") return tDynamic(`${table.game}.name-${String(value)}`) ?? String(value);
    return typeof value === "number" ? value : String(value);
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, words(name, value)]));
}

/** Why a move was a mistake: in the game's words, or in those of the search. */
export function describeMistake(table: Table, reason: Message): string {
  const values = argumentWords(table, reason.arguments);
  const words =
    tDynamic(`${table.game}.why-${reason.key}`, values) ??
    tDynamic(`search.why-${reason.key}`, values) ??
    t("search.why-less"); // an analysis stored by an older server may name a reason that no longer exists
  return tDynamic(`search.when-${reason.arguments.when}`, { reason: words }) ?? words;
}

/** An event of the table as a line of the log; empty if it has none. */
export function describeEvent(table: Table, event: TableEvent): string {
  const side = (seat: number) => sideName(table.game, table.seats[seat] as Seat);
  switch (event.key) {
    case "moved":
    case "drawn":
      return logLine(table, event.told);
    case "joined":
      return t("table.event-joined", { player: personName(event.player.name) });
    case "left":
      return t("table.event-left", { seat: side(event.seat) });
    case "started":
      return t("table.event-started");
    case "taken-back":
      return t("table.event-taken-back");
    case "out":
      return table.seats.length > 2 ? t("table.event-out", { player: side(event.seat) }) : ""; // for two, the end says it
    case "asked":
      return t(`table.asked-${event.what}`, { player: side(event.seat) });
    case "answered":
      return event.yes ? "" : t("table.event-declined", { player: side(event.seat) });
    case "vacation":
      return event.until > event.at
        ? t("correspondence.event-vacation", { player: side(event.seat), time: formatDay(event.until, language()) })
        : "";
    case "ended":
      return describeEnding(table, event);
    default:
      return "";
  }
}

/** How the game ended. */
export function describeEnding(table: Table, result: { winners: number[]; reason: string }): string {
  if (isAlone(table)) {
    const reached = table.result?.lines.map((line) => describeScore(table, line.told)).join(" ");
    return reached || (tDynamic(`table.alone-${result.reason}`) ?? t("table.alone-over"));
  }
  const winner = formatList(result.winners.map((seat) => sideName(table.game, table.seats[seat] as Seat)));
  return (
    tDynamic(`${table.game}.reason-${result.reason}`, { winner }) ??
    tDynamic(`table.reason-${result.reason}`, { winner }) ??
    result.reason
  );
}

export function describeScore(table: Table, source: Message): string {
  return tDynamic(`${table.game}.score-${source.key}`, argumentWords(table, source.arguments)) ?? source.key;
}

/** What the seat to move has to decide; empty if there are no words for it. */
export function describeDecision(view: NonNullable<Table["view"]>, made = Infinity): string {
  const game = gameOf(view.game);
  const name = game.promptName?.(view, made) ?? view.decision;
  return tDynamic(`${view.game}.do-${name}`, game.promptValues?.(view)) ?? "";
}
