// How players and moves are called in words.
import type { Seat, Table, TableEvent, Told } from "../messages";
import { known, list, t, type Values } from "../words.svelte";
import { cardWords, pawnWords, symbols } from "./kitara/cards";
import { ANIMAL_NAMES } from "./kiwara/layout";

export const TITLES: Record<string, string> = { katarenga: "Katarenga", kiwara: "Kiwara", kitara: "Kitara" };

/** The seat in the game's words: White, Yellow, Player 1. */
export function sideName(game: string, seat: { side: string }): string {
  return t(`${game}.seat-${seat.side}`);
}

export function playerName(table: Table, number: number): string {
  const seat = table.seats[number] as Seat;
  if (!seat.player) return sideName(table.game, seat);
  if (seat.yours && table.you.length === 1) return t("app.you");
  if (seat.player.kind === "computer" && seat.player.level !== null)
    return t("app.computer-named", { name: t(`search.level-${seat.player.level}`), level: seat.player.level });
  return seat.player.name || sideName(table.game, seat);
}

/** What a move did, in words. */
export function tell(table: Table, told: Told): string {
  const key = `${table.game}.told-${told.key}`;
  return known(key) ? t(key, worded(table, told.arguments)) : "";
}

/** Seats, animals, cards and pawns by their names. */
function worded(table: Table, given: Record<string, unknown>): Values {
  const values: Values = {};
  for (const [name, value] of Object.entries(given)) {
    if ((name === "seat" || name === "other") && typeof value === "number")
      values[name] = sideName(table.game, table.seats[value] as Seat);
    else if (name === "animal") values[name] = t(`kiwara.animal-${ANIMAL_NAMES[String(value)]}`);
    else if (name === "card" && known(`${table.game}.name-${String(value)}`)) values[name] = t(`${table.game}.name-${String(value)}`);
    else if (name === "pawns") values[name] = pawnWords(symbols(String(value)));
    else if (name === "symbols" && typeof value === "string") values[name] = cardWords(value);
    else if (name === "pawn") values[name] = t(`table.pawn-${String(value)}`);
    else values[name] = typeof value === "number" ? value : String(value);
  }
  return values;
}

/** Why a move was bad: in the game's words, else in those of the players. */
export function why(table: Table, told: Told): string {
  const own = `${table.game}.why-${told.key}`;
  const common = `search.why-${told.key}`;
  // what an older server stored may have no words any more
  return t(known(own) ? own : known(common) ? common : "search.why-less", worded(table, told.arguments));
}

/** An event of the table as a line of the log; empty if it is not worth one. */
export function line(table: Table, event: TableEvent): string {
  switch (event.key) {
    case "moved":
    case "drawn":
      return event.told.filter((told) => told.key !== "border-chosen").map((told) => tell(table, told)).filter(Boolean).join(" ");
    case "joined":
      return t("table.event-joined", { player: event.player.name });
    case "left":
      return t("table.event-left", { seat: sideName(table.game, table.seats[event.seat] as Seat) });
    case "started":
      return t("table.event-started");
    case "taken-back":
      return t("table.event-taken-back");
    case "out":
      return t("table.event-out", { player: sideName(table.game, table.seats[event.seat] as Seat) });
    case "asked":
      return t(`table.asked-${event.what}`, { player: sideName(table.game, table.seats[event.seat] as Seat) });
    case "answered":
      return event.yes ? "" : t("table.event-declined", { player: sideName(table.game, table.seats[event.seat] as Seat) });
    case "ended":
      return ending(table, event);
    default:
      return "";
  }
}

/** How the game ended. */
export function ending(table: Table, result: { winners: number[]; reason: string }): string {
  const winner = list(result.winners.map((seat) => sideName(table.game, table.seats[seat] as Seat)));
  const own = `${table.game}.reason-${result.reason}`;
  return t(known(own) ? own : `table.reason-${result.reason}`, { winner });
}

/** A score line. */
export function scoreLine(table: Table, told: Told): string {
  const key = `${table.game}.score-${told.key}`;
  return known(key) ? t(key, worded(table, told.arguments)) : told.key;
}
