import picture from "../../../../docs/pictures/kitara.svg?url";
import type { KitaraView } from "../../messages";
import { t, withWords } from "../../words.svelte";
import { loadArt } from "../art";
import { defineGame } from "../game";
import { cardWords, pawnWords, symbols, type Kind } from "./cards";
import art from "./art.svg?no-inline";
import moreGames from "./MoreGames.svelte";
import { SIDES } from "./sides";
import { summary } from "./summary";
import "./theme.css";

const atTable = () => import("./atTable");

export default defineGame<KitaraView>({
  title: "Kitara",
  sides: SIDES,
  picture,
  scored: true,
  about: "home.about-kitara",
  facts: "home.meta-kitara",
  sideHelp: "seats.side-about-kitara",
  board: () => (void loadArt(art), atTable().then(({ Board }) => ({ default: Board }))),
  setup: () => import("./setup.svelte"),

  puzzles: true,
  holdings: () => atTable().then(({ Holdings }) => ({ default: Holdings })),
  holdingsInExamples: true,
  holdingsBelow: true,
  points: (view, seat) => view.points[seat] ?? 0,
  notes: () => atTable().then(({ Notes }) => ({ default: Notes })),
  sounds: {
    attacked: "clash",
    retreated: "grass",
    drafted: "card",
    "rival-card": "card",
    "card-revealed": "card",
    "token-drawn": "card",
    "started-on": "place",
    recruited: "place",
    discarded: "card",
    removed: "take",
    "moves-ended": null,
  },
  notLogged: ({ key }) => key === "border-chosen", // the crossing that follows repeats it
  isReply: ({ key }) => key === "retreated",
  summary,
  realTable: [
    {
      path: "score-kitara",
      title: "realtable.score-kitara",
      about: "realtable.score-kitara-short",
      icon: "M14 6h36v52H14zM14 20h36M28 20v38M20 30h2M36 30h8M20 40h2M36 40h8M20 50h2M36 50h8",
      load: () => import("./ScorePad.svelte"),
    },
  ],
  pages: { packs: () => withWords("packs", import("./Packs.svelte")), alone: () => import("./Alone.svelte") },
  moreGames,
  prize: () => import("./Prize.svelte"),
  promptValues: (view) => ({ count: view.moves_left ?? 0, pawns: pawnWords(view.to_recruit ?? view.to_remove ?? {}) }),
  argumentWords(name, value) {
    if (name === "pawns") return pawnWords(symbols(String(value)));
    if (name === "symbols" && typeof value === "string") return cardWords(value);
    if (name === "pawn") return t(`table.pawn-${value as Kind}`);
    return undefined;
  },
  withoutSecrets: (view) => ({ ...view, own_tokens: null }),
  entersOpponent(view, move, seat) {
    const space = view.spaces[move.split("-")[1] ?? ""];
    return space !== undefined && space["seat"] !== seat;
  },
});
