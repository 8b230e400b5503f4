import picture from "../../../../docs/pictures/kiwara.svg?url";
import type { KiwaraView } from "../../messages";
import { loadArt } from "../art";
import { defineGame } from "../game";
import { animalName, territoryName } from "./animals";
import art from "./art.svg?no-inline";
import "./theme.css";

const atTable = () => import("./atTable");

export default defineGame<KiwaraView>({
  title: "Kiwara",
  sides: ["yellow", "red"],
  picture,
  scored: true,
  about: "home.about-kiwara",
  facts: "home.meta-kiwara",
  sideHelp: "seats.side-about-kiwara",
  board: () => (void loadArt(art), atTable().then(({ Board }) => ({ default: Board }))),
  setup: () => import("./setup.svelte"),

  puzzles: true,
  holdings: () => atTable().then(({ Holdings }) => ({ default: Holdings })),
  notes: () => atTable().then(({ Notes }) => ({ default: Notes })),
  sounds: {
    swapped: "splash",
    "went-home": "grass",
    hid: "grass",
    "card-kept": "card",
    "card-gained": "card",
    "card-drawn": "card",
    "card-used": "card",
    placed: "place",
    stopped: null,
  },
  realTable: [
    {
      path: "kiwara",
      title: "realtable.kiwara",
      about: "realtable.kiwara-short",
      icon: "M6 10h52v44H6zM6 26c12-6 14 8 24 2s12-14 28-8M24 54c0-10 8-12 6-26",
      load: () => import("./LayRivers.svelte"),
    },
    {
      path: "score-kiwara",
      title: "realtable.score-kiwara",
      about: "realtable.score-kiwara-short",
      icon: "M14 6h36v52H14zM22 18h20M22 28h20M22 38h12M38 46l4 4 8-10",
      load: () => import("./ScorePad.svelte"),
    },
  ],
  argumentWords(name, value) {
    if (name === "animal") return animalName(String(value));
    if (name === "territory") return territoryName(String(value));
    return undefined;
  },
});
