// What a game brings to the browser. General code reaches a game only through this interface (see games/index.ts).
import type { Component } from "svelte";
import type { Message, Result, Table, View } from "../messages";
import type { Sound } from "../sound";
import type { PlainKey, Values } from "../words.svelte";
import type { BoardProps } from "./board";

export interface HoldingsProps<V> {
  view: V;
  seat: number;
  brief?: boolean; // there is little room: only what is needed most, the rest on demand
}
export interface NotesProps<V> {
  view: V;
  over: boolean; // the game has ended
}

export interface PrizeProps {
  table: Table;
  result: Result;
}

type Lazy<Props extends Record<string, any>> = () => Promise<{ default: Component<Props> }>; // in a chunk of its own

/** Something for people who play with the box: /real-table/PATH. */
export interface RealTableTool {
  path: string;
  title: PlainKey;
  about: PlainKey;
  icon: string; // SVG path in a box of 64 by 64
  load: Lazy<Record<string, never>>;
}

/** The options of a table while they are being chosen: a class with reactive fields. */
export interface GameSetup {
  readonly options: Record<string, unknown> | null; // null while something is missing
  readonly playerCounts: readonly number[]; // empty: there is no choice
  players: number; // 1: nobody else takes part
  readonly title?: string; // of the variant that is chosen; otherwise the game's
  readonly touchMove?: boolean;
  readonly random?: boolean; // the preview shows one of many starts: chance decides when the game begins
  readonly drawing?: boolean; // the board is being drawn: the Canvas takes the place of the preview
  alone?: boolean; // one player against a rival that the rules play
}

export interface SetupModule<S extends GameSetup = GameSetup> {
  create: () => S;
  About?: Component<{ setup: S }>; // what is chosen, in a sentence or two
  Options?: Component<{ setup: S }>;
  Position?: Component<{ setup: S }>; // to begin from a given position
  Canvas?: Component<{ setup: S }>; // to draw a board; shown beside the form where there is room
  Alone?: Component<{ setup: S }>; // the rival of a player who plays alone; without it, nobody can
}

export interface Game<V extends View = View> {
  title: string;
  sides: readonly string[]; // the sides of the seats, in their order
  picture: string; // address of a picture of the board
  scored: boolean; // points are counted, not only victories
  about: PlainKey;
  facts: PlainKey; // players, age, duration
  sideHelp: PlainKey;
  board: Lazy<BoardProps<V>>;
  setup: () => Promise<{ default: SetupModule }>;

  // Everything below is optional.
  quick?: { options: Record<string, unknown>; about: PlainKey }; // start options of Play on the home page
  puzzles?: true; // it comes with puzzles
  moreGames?: Component; // for the home page: further games for the same box
  flippable?: boolean; // the board is turned for the second seat, and by a button
  holdings?: Lazy<HoldingsProps<V>>; // what a player owns
  holdingsInExamples?: boolean; // examples of the rules show them, too
  holdingsBelow?: boolean; // they are large: on a phone those of the others are below everything else
  points?: (view: V, seat: number) => number; // shown where the holdings are not
  notes?: Lazy<NotesProps<V>>; // remarks below the players
  prize?: Lazy<PrizeProps>; // what a player may have won, beside the result
  sounds?: Record<string, Sound | null>; // by effect, the most important first; null is silence
  allIsKnown?: boolean; // nothing is hidden from anybody
  realTable?: readonly RealTableTool[];
  pages?: Record<string, Lazy<Record<string, never>>>; // by the first part of their path
  /** Whether an effect needs no line in the log, because another effect of the move says the same. */
  notLogged?(effect: Message): boolean;
  /** Whether an effect answers another player's move, whose turn goes on. */
  isReply?(effect: Message): boolean;
  /** What the line about a whole turn tells of it, the most important first. */
  summary?(effects: readonly Message[]): readonly Message[];
  /** Another name for a decision in the sentence that says what to decide, by the number of moves made so far. */
  promptName?(view: V, made: number): string | undefined;
  /** The values in the sentence that says what to decide. */
  promptValues?(view: V): Values;
  /** An argument of an effect in words; undefined if it speaks for itself. */
  argumentWords?(name: string, value: unknown): string | undefined;
  /** The view without what only its seat may know: for several players on one screen. */
  withoutSecrets?(view: V): V;
  /** Whether a move enters a space that another seat holds. */
  entersOpponent?(view: V, move: string, seat: number): boolean;
}

/** A game whose components and functions take the game's own view; general code only passes it that view. */
export function defineGame<V extends View>(game: Game<V>): Game {
  return game as unknown as Game;
}

/** The same for the options of a table. */
export function defineSetup<S extends GameSetup>(module: SetupModule<S>): SetupModule {
  return module as unknown as SetupModule;
}
