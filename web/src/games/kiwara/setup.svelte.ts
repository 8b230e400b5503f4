import { StartPosition } from "../../setup/startPosition.svelte";
import { defineSetup, type GameSetup } from "../game";
import Canvas from "./Canvas.svelte";
import Options from "./Options.svelte";
import Position from "./Position.svelte";

export const BOARDS = ["classic", "president", "free", "own"] as const;
export const REINFORCEMENTS = ["okapi", "pile"] as const;
export const RHINOCEROS = ["edge", "neighbour"] as const;
export const HYENA = ["move", "place"] as const;

export class KiwaraSetup implements GameSetup {
  board = $state<(typeof BOARDS)[number]>("classic");
  drawn = $state<string | null>(null); // the player's own board, once it is complete
  start = new StartPosition();
  reinforcement = $state<(typeof REINFORCEMENTS)[number]>("okapi");
  handicap = $state("none"); // or SEAT,CARDS
  rhinoceros = $state<(typeof RHINOCEROS)[number]>("edge");
  hyena = $state<(typeof HYENA)[number]>("move");
  players = $state(2);
  readonly playerCounts = [];

  /** Whether reinforcements other than the Okapi are in play. */
  get hasCards(): boolean {
    return this.reinforcement === "pile" || this.handicap !== "none";
  }

  get options(): Record<string, unknown> | null {
    if (this.drawing && !this.drawn) return null;
    return {
      board: this.drawing ? this.drawn : this.board,
      reinforcement: this.reinforcement,
      ...this.start.option,
      ...(this.handicap === "none" ? {} : { handicap: this.handicap.split(",").map(Number) }),
      ...(this.hasCards ? { rhinoceros: this.rhinoceros, hyena: this.hyena } : {}),
    };
  }

  get random(): boolean {
    return this.board === "free";
  }

  get drawing(): boolean {
    return this.board === "own";
  }
}

export default defineSetup<KiwaraSetup>({ create: () => new KiwaraSetup(), Options, Position, Canvas });
