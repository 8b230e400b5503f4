import { currentAddress } from "../../router.svelte";
import { StartPosition } from "../../setup/startPosition.svelte";
import { defineSetup, type GameSetup } from "../game";
import About from "./About.svelte";
import Options from "./Options.svelte";
import Position from "./Position.svelte";
import { today, VARIANTS, variantTitle, type Variant } from "./variants";

export const QUARTERS = ["a8", "h8", "a1", "h1"] as const;
export const SQUARE_COLOURS = ["red", "green", "blue", "yellow"] as const;

/** The variant that the address asks for, as in /new/katarenga?variant=troika. */
function askedFor(): Variant {
  const asked = currentAddress().searchParams.get("variant");
  return VARIANTS.find((variant) => variant === asked) ?? "katarenga";
}

export class KatarengaSetup implements GameSetup {
  variant = $state<Variant>(askedFor());
  chosenBoard = $state<"random" | "daily" | "build">("daily");
  code = $state("b0d3a0c3"); // of the board that is built
  squares = $state(""); // 64 letters, for a given position
  start = new StartPosition();
  noFirstCapture = $state(false);
  chooseBaseline = $state(true);
  opposite = $state(false);
  straight = $state(false);
  goesOn = $state(false);
  quarter = $state<(typeof QUARTERS)[number]>("a1");
  wipeoutLoses = $state(false);
  startColour = $state<(typeof SQUARE_COLOURS)[number]>("yellow");
  goalColour = $state<(typeof SQUARE_COLOURS)[number]>("yellow");
  swap = $state(true);
  wantsTouchMove = $state(false);
  readonly playerCounts = [];

  get title(): string {
    return variantTitle(this.variant);
  }

  /** Whether the game is for one person. */
  get single(): boolean {
    return this.variant === "isolation-alone";
  }

  get players(): number {
    return this.single ? 1 : 2;
  }

  /** The board of the day belongs to the game that is played alone. */
  get board(): "random" | "daily" | "build" {
    return this.chosenBoard === "daily" && !this.single ? "random" : this.chosenBoard;
  }

  set board(chosen: "random" | "daily" | "build") {
    this.chosenBoard = chosen;
  }

  /** Whether Black can choose the baseline: in Katarenga and Colorado, from the start array. */
  get hasBaseline(): boolean {
    return (this.variant === "katarenga" || this.variant === "colorado") && !this.start.option.position;
  }

  /** Whether the game begins as the rules of the variant Katarenga say. */
  get printedStart(): boolean {
    return this.variant === "katarenga" && this.hasBaseline;
  }

  /** Whether with best play the first player wins, so that a swap makes it fair. */
  get hasSwap(): boolean {
    return this.variant === "troika" || this.variant === "cornered" || this.variant === "quartermaster";
  }

  private get variantOptions(): Record<string, unknown> {
    switch (this.variant) {
      case "isolation":
        return { isolation: this.opposite ? "opposite" : "any" };
      case "troika":
        return { line: this.straight ? "straight" : "any", after_all: this.goesOn ? "move" : "draw" };
      case "cornered":
        return { quarter: this.quarter };
      case "colorado":
        return { wipeout: this.wipeoutLoses ? "loss" : "draw" };
      case "chameleon":
        return { start_colour: this.startColour, goal_colour: this.goalColour };
      default:
        return {};
    }
  }

  get options(): Record<string, unknown> {
    const squares = this.start.given ? this.squares.trim() : "";
    const drawn = { random: "", daily: today(), build: this.code };
    const board = squares || drawn[this.board];
    return {
      variant: this.variant,
      ...(board ? { board } : {}),
      ...this.start.option,
      ...(this.hasBaseline ? { choose_baseline: this.chooseBaseline } : {}),
      ...(this.printedStart ? { first_capture: this.noFirstCapture ? "never" : "printed" } : {}),
      ...(this.hasSwap ? { swap: this.swap } : {}),
      ...this.variantOptions,
    };
  }

  /** Whether pawns move from the start: only then can one be touched. */
  get movesPawns(): boolean {
    return !this.hasSwap && !this.single && this.variant !== "isolation" && this.variant !== "battle-stations";
  }

  get touchMove(): boolean {
    return this.wantsTouchMove && this.movesPawns;
  }

  get random(): boolean {
    return this.board === "random" && !this.squares;
  }
}

export default defineSetup<KatarengaSetup>({ create: () => new KatarengaSetup(), About, Options, Position });
