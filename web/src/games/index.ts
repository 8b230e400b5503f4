// The registered games, in the order in which they are offered.
import type { Game } from "./game";
import katarenga from "./katarenga";
import kitara from "./kitara";
import kiwara from "./kiwara";

const GAMES: Record<string, Game> = { katarenga, kiwara, kitara };

export const gameNames: readonly string[] = Object.keys(GAMES);

export function isGame(name: string | undefined): name is string {
  return name !== undefined && Object.hasOwn(GAMES, name);
}

export function gameOf(name: string): Game {
  const game = GAMES[name];
  if (!game) throw new Error(`no game ${name}`);
  return game;
}

/** The title of a game; its name if this version of the app does not know it. */
export function titleOf(name: string): string {
  return GAMES[name]?.title ?? name;
}
