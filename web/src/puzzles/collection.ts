// The puzzles of each game, from files beside Python's (mchezo.local.runtime), and the puzzle of the day.
import { gameNames, gameOf } from "../games";
import { readIndex, readJson } from "../local/download";
import { RUNTIME } from "../local/folder";
import type { Puzzle } from "../messages";

const DEFAULTS = { themes: [], rating: 0, moves: [], points: 0, proved: false, id: "" };
const DAY = 86_400_000; // milliseconds
const loaded = new Map<string, Promise<readonly Puzzle[]>>();

/** The bounds of the ratings that are called easy, medium and hard. */
export const DIFFICULTIES = {
  any: [0, Infinity],
  easy: [0, 1200],
  medium: [1200, 1700],
  hard: [1700, Infinity],
} as const;
export type Difficulty = keyof typeof DIFFICULTIES;

/** The puzzles of a game. */
export function puzzlesOf(game: string): Promise<readonly Puzzle[]> {
  let found = loaded.get(game);
  if (!found) {
    found = load(game);
    loaded.set(game, found);
    found.catch(() => loaded.delete(game)); // try again next time
  }
  return found;
}

async function load(game: string): Promise<readonly Puzzle[]> {
  const { version } = await readIndex(RUNTIME);
  const found = await readJson<Partial<Puzzle>[]>(`${RUNTIME}${version}/puzzles-${game}.bin`);
  return found.map((puzzle) => ({ ...DEFAULTS, ...puzzle }) as Puzzle);
}

/** The number of a day in local time: it grows by one every midnight. */
export function dayNumber(now: Date): number {
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY);
}

/** The game of a day's puzzle; the games that have puzzles take turns. */
export function gameOfDay(day: number): string {
  const turn = day % gameNames.length;
  return [...gameNames.slice(turn), ...gameNames].find((name) => gameOf(name).puzzles)!;
}

/** The puzzle of a day. */
export function puzzleOfDay(day: number, puzzles: readonly Puzzle[]): Puzzle | undefined {
  return puzzles[(Math.imul(day, 0x9e3779b1) >>> 0) % puzzles.length];
}
