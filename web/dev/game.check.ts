// A game needs no more than this: what it leaves out must be optional (checked by `npm run check`).
import { defineGame, defineSetup, type GameSetup } from "../src/games/game";
import type { View } from "../src/messages";

class NoOptions implements GameSetup {
  readonly options = {};
  readonly playerCounts = [];
  players = 2;
}

export default defineGame<View>({
  title: "Minimal",
  sides: ["first", "second"],
  picture: "",
  scored: false,
  about: "app.home",
  facts: "app.home",
  sideHelp: "app.home",
  board: () => import("../src/games/GameBoard.svelte"),
  setup: () => Promise.resolve({ default: defineSetup({ create: () => new NoOptions() }) }),
});
