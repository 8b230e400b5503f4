// A table in a list, in words.
import type { ListedTable } from "../messages";
import { formatDay } from "../ui/time";
import { formatList, language, t } from "../words.svelte";
import { computerName, isAlone, personName, sideName } from "./describe";

/** Who plays. */
export function players(table: ListedTable): string {
  return table.seats
    .map((seat) => {
      if (!seat.player) return t("home.free-seat");
      if (seat.yours) return t("app.you");
      if (seat.player.kind === "computer") {
        const level = seat.player.level ?? 0;
        return table.seats.length > 2 ? computerName(table.game, seat, level) : t("app.computer", { level });
      }
      return personName(seat.player.name) || sideName(table.game, seat);
    })
    .join(" – ");
}

/** How a game stands, or how it ended. */
export function statusText(table: ListedTable): string {
  if (table.status === "open") return t("home.waiting");
  if (table.status === "running") {
    const status = t(table.your_move ? "home.your-move" : "home.in-progress");
    return table.deadline && table.your_move
      ? `${status}, ${t("correspondence.until", { time: formatDay(table.deadline, language()) })}`
      : status;
  }
  if (isAlone(table)) return t("table.alone-over");
  if (!table.winners?.length) return t("home.drawn");
  return t("home.won-by", {
    players: formatList(table.winners.map((seat) => sideName(table.game, table.seats[seat]!))),
  });
}

/** Date and time, as the user's country writes them. */
export const formatTime = (time: number) =>
  new Intl.DateTimeFormat(
    navigator.languages.find((one) => one.startsWith(language()) && /^[\w-]+$/.test(one)) ?? language(),
    {
      dateStyle: "medium",
      timeStyle: "short",
    },
  ).format(time);
