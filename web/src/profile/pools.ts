// Pools of ratings: a kind of game and a speed. A kind is a game, one with a number of players, or a variant.
import { titleOf } from "../games";
import { t } from "../words.svelte";

/** The name of a kind of game, such as "battle-stations". */
export function kindName(kind: string): string {
  const counted = /^(\w+)-(\d)$/.exec(kind);
  if (counted) return t("lobby.kind-players", { game: titleOf(counted[1]!), players: counted[2]! });
  const name = titleOf(kind); // variants are no games: their names are the same in all languages
  if (name !== kind) return name;
  return kind.replace(/(^|-)(.)/g, (_, gap: string, letter: string) => (gap && " ") + letter.toUpperCase());
}

/** The name of a pool, such as "battle-stations rapid". */
export function poolName(pool: string): string {
  const [kind = "", speed = ""] = pool.split(" ");
  return t("profile.at-speed", {
    game: kindName(kind),
    speed: t(`profile.${speed as "blitz" | "rapid" | "unlimited"}`),
  });
}
