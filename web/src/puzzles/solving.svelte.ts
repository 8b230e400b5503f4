// A puzzle on the board: moves are tried, judged and explained, and the solution can be shown.
import { settings, pace } from "../settings.svelte";
import type { Message, Puzzle, TriedPuzzle } from "../messages";
import { STATIC } from "../local/folder";
import { errorText, post } from "../server/api";
import { playSound } from "../sound";

type State = "waiting" | "asking" | "right" | "solved" | "missed" | "showing" | "shown";
const STEP = 900; // milliseconds between the moves of a solution

export class Solving {
  readonly game: string;
  readonly puzzle: Puzzle;
  state = $state<State>("waiting");
  tried = $state.raw<TriedPuzzle | null>(null);
  wrong = $state(""); // the move that was not the solution's
  reason = $state.raw<Message | null>(null);
  explaining = $state(false);
  error = $state("");
  failed = false; // something wrong was tried, or the solution was shown

  #good: readonly string[] = []; // the moves before the wrong one
  #closed = false;
  #onsolved: (solving: Solving) => void;

  constructor(game: string, puzzle: Puzzle, onsolved: (solving: Solving) => void) {
    this.game = game;
    this.puzzle = puzzle;
    this.#onsolved = onsolved;
    void this.#ask([]);
  }

  close(): void {
    this.#closed = true;
  }

  get open(): boolean {
    return this.state === "asking" || this.state === "right";
  }

  get over(): boolean {
    return this.state === "solved" || this.state === "shown";
  }

  async #try(moves: readonly string[]): Promise<TriedPuzzle | null> {
    try {
      const tried = await post<TriedPuzzle>(`/api/puzzles/${this.game}/try`, { puzzle: this.puzzle, moves });
      this.error = "";
      if (this.#closed) return null;
      this.tried = tried;
      return tried;
    } catch (error) {
      this.error = errorText(error);
      return null;
    }
  }

  async #ask(moves: readonly string[]): Promise<void> {
    this.wrong = "";
    this.reason = null;
    this.state = "waiting";
    if (await this.#try(moves)) this.state = moves.length ? "right" : "asking";
  }

  async play(move: string): Promise<void> {
    if (!this.open || !this.tried) return;
    const before = this.tried.moves;
    const state = this.state;
    this.state = "waiting";
    const tried = await this.#try([...before, move]);
    if (!tried) this.state = state;
    else if (tried.verdict === "open") {
      playSound("move");
      this.state = this.puzzle.points ? "asking" : "right";
    } else if (tried.verdict === "solved") {
      playSound("win");
      this.state = "solved";
      this.#onsolved(this);
    } else {
      playSound("refuse");
      this.failed = true;
      this.state = "missed";
      this.wrong = move;
      this.#good = this.puzzle.points ? [] : before;
      if (STATIC || settings.offline) void this.explain();
    }
  }

  /** Whether there is more to be said about the wrong move, once it is asked for. */
  get explicable(): boolean {
    return this.state === "missed" && !this.puzzle.points && !this.reason && !this.explaining;
  }

  /** Find out why the last move was wrong, on this device. */
  async explain(): Promise<void> {
    const { tried, puzzle, game } = this;
    if (!tried || puzzle.points) return;
    this.explaining = true;
    try {
      const { desk } = await import("../local/desk");
      desk().prepareThinking();
      const moves = [...tried.moves];
      const found = await desk().think({ think: "mistake", game, puzzle, moves });
      settings.offline = true; // Python is here now
      if (this.tried === tried) this.reason = found.why;
    } catch {
      // nothing is lost: the move is wrong all the same
    }
    this.explaining = false;
  }

  /** Go back to where the wrong move was played. */
  retry(): Promise<void> {
    return this.#ask(this.#good);
  }

  /** Show the solution, move by move. */
  async reveal(): Promise<void> {
    this.failed = true;
    this.wrong = "";
    this.reason = null;
    const { line } = this.puzzle;
    const onTheWay =
      this.state !== "missed" && !this.puzzle.points ? (this.tried?.moves.length ?? 0) : this.#good.length;
    this.state = "showing";
    for (let made = onTheWay + 1; made <= line.length; made++) {
      const tried = await this.#try(line.slice(0, made));
      if (!tried) break;
      made = tried.moves.length;
      if (made < line.length) await new Promise((resolve) => setTimeout(resolve, pace(STEP)));
      if (this.#closed) return;
    }
    this.state = "shown";
  }
}
