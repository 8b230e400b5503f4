import picture from "../../../../docs/pictures/katarenga.svg?url";
import type { KatarengaView } from "../../messages";
import { loadArt } from "../art";
import { defineGame } from "../game";
import art from "./art.svg?no-inline";
import moreGames from "./MoreGames.svelte";
import "./theme.css";

const atTable = () => import("./atTable");

const FIRST_MOVES = 6; // of both sides, while how a pawn moves is explained

export default defineGame<KatarengaView>({
  title: "Katarenga",
  sides: ["white", "black"],
  picture,
  scored: false,
  about: "home.about-katarenga",
  facts: "home.meta-katarenga",
  sideHelp: "seats.side-about-katarenga",
  board: () => (void loadArt(art), atTable().then(({ Board }) => ({ default: Board }))),
  setup: () => import("./setup.svelte"),

  // nothing to decide before the first move, and nothing is lost by it
  quick: {
    options: { board: "balanced", choose_baseline: false, first_capture: "never" },
    about: "lists.quick-katarenga",
  },
  puzzles: true,
  moreGames,
  flippable: true,
  allIsKnown: true,
  notLogged: ({ key, arguments: { to } }) => key === "moved" && /[09]$/.test(String(to)), // the camp is entered
  holdings: () => atTable().then(({ Holdings }) => ({ default: Holdings })),
  notes: () => atTable().then(({ Notes }) => ({ default: Notes })),
  promptName: ({ decision }, made) => (decision === "move" && made < FIRST_MOVES ? "move-first" : undefined),
  sounds: { captured: "take", placed: "place" },
  realTable: [
    {
      path: "katarenga",
      title: "realtable.katarenga",
      about: "realtable.katarenga-short",
      icon: "M8 8h22v22H8zM34 8h22v22H34zM8 34h22v22H8zM36 40l20-5 5 20-20 5z",
      load: () => import("./LayTiles.svelte"),
    },
  ],
});
