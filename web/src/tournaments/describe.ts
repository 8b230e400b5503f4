// Tournaments in words.
import { levelName, personName } from "../games/describe";
import { titleOf } from "../games";
import { daysPerMove } from "../lobby/lobby.svelte";
import type { ClockRules, ListedTournament, TournamentPlan, TournamentPlayer } from "../messages";
import { formatDay } from "../ui/time";
import { language, t } from "../words.svelte";

/** A player's name without further words. Computers of the same level are numbered. */
export function shortName(player: TournamentPlayer, players: readonly TournamentPlayer[]): string {
  if (player.kind !== "computer" || player.level === null) return personName(player.name);
  const alike = players.filter(({ kind, level }) => kind === "computer" && level === player.level);
  const name = levelName(player.level);
  return alike.length > 1 ? `${name} ${alike.indexOf(player) + 1}` : name;
}

export function entrantName(player: TournamentPlayer, players: readonly TournamentPlayer[]): string {
  const name = shortName(player, players);
  return player.level === null ? name : t("app.computer-named", { name, level: player.level });
}

/** 10+5: minutes and seconds added; or the days for a turn. */
function paceText(clock: ClockRules | null, days: number | null): string {
  if (clock) return `${clock.milliseconds / 60_000}+${(clock.increment ?? 0) / 1000}`;
  return daysPerMove(days ?? 0);
}

/** What is played: the game, the format, the clock. */
export function planText(plan: TournamentPlan | ListedTournament): string {
  const seats = plan.seats ?? 2;
  return [
    titleOf(plan.game),
    t(`tournaments.format-${plan.format}`),
    paceText(plan.clock ?? null, plan.days ?? null),
    ...(seats > 2 ? [t("tournaments.at-table", { seats })] : []),
    t(plan.rated ? "tournaments.rated" : "tournaments.casual"),
  ].join(" · ");
}

export function startText(starts: number | null | undefined): string {
  return starts ? t("tournaments.starts-at", { time: formatDay(starts, language()) }) : t("tournaments.starts-manual");
}

/** 1, 1½ and so on; other fractions with their digits. */
export function pointsText(points: number): string {
  const [whole, rest] = [Math.floor(points), points % 1];
  if (rest === 0.5) return `${whole || ""}½`;
  return rest ? points.toLocaleString(language(), { maximumFractionDigits: 2 }) : `${whole}`;
}
