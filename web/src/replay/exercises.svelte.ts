// The mistakes of a game as exercises: the position before each, a try, the answer.
import type { AnalysedMove } from "../messages";
import { pointsLost } from "./marks";
import type { Study } from "./study.svelte";

// What a move may give away and still count as an answer: less than what is marked as inaccurate.
const AS_GOOD = 0.05; // of the chances
const POINTS_AS_GOOD = 2;

type State = "asking" | "judging" | "solved" | "as-good" | "not-yet" | "same" | "shown";

/** The mistakes of a seat, as far as the game is analysed. */
export function mistakesOf(study: Study, seat: number): readonly AnalysedMove[] {
  return study.analysis?.moves.filter((move) => move.seat === seat && move.mark) ?? [];
}

export class Exercises {
  index = $state(0);
  state = $state<State>("asking");

  #study: Study;
  #seat: number;

  constructor(study: Study, seat: number) {
    this.#study = study;
    this.#seat = seat;
    void this.#ask();
  }

  /** The mistakes found so far. */
  get mistakes(): readonly AnalysedMove[] {
    return mistakesOf(this.#study, this.#seat);
  }

  /** Whether the analysis is still looking for mistakes. */
  get looking(): boolean {
    return this.#study.analysis?.status === "waiting";
  }

  get current(): AnalysedMove | undefined {
    return this.mistakes[this.index];
  }

  /** Whether a move can be tried now. */
  get open(): boolean {
    return this.state === "asking" || this.state === "not-yet" || this.state === "same";
  }

  async #ask(): Promise<void> {
    if (!this.current) return;
    await this.#study.go(this.current.number);
    await this.#study.vary([]);
  }

  async play(move: string): Promise<void> {
    const mistake = this.current;
    if (!mistake || !this.open) return;
    if (move === mistake.move) this.state = "same";
    else if (move === mistake.best[0]) await this.#show("solved", move);
    else {
      this.state = "judging";
      await this.#study.vary([move]);
      if (await this.#isAsGood(mistake)) this.state = "as-good";
      else {
        this.state = "not-yet";
        await this.#study.vary([]);
      }
    }
  }

  async #isAsGood({ seat, chances, points }: AnalysedMove): Promise<boolean> {
    const outcome = this.#study.variation?.view.outcome;
    if (outcome && !points.length) return outcome.winners.includes(seat);
    if (outcome) return pointsLost(points, outcome.scores, seat) < POINTS_AS_GOOD;
    await this.#study.evaluate();
    const after = this.#study.evaluation;
    if (!after) return false;
    return chances[seat]! - after.chances[seat]! < AS_GOOD && pointsLost(points, after.points, seat) < POINTS_AS_GOOD;
  }

  /** Show the answer. */
  async reveal(): Promise<void> {
    if (this.current) await this.#show("shown", this.current.best[0]!);
  }

  async #show(state: State, move: string): Promise<void> {
    this.state = state;
    await this.#study.vary([move]);
  }

  async next(): Promise<void> {
    this.index++;
    this.state = "asking";
    await this.#ask();
  }
}
