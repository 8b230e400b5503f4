// A table while it is played: connects its source of messages, the state machine, pauses and sounds, and offers
// everything to the pages as reactive values.
import { gameOf } from "../games";
import { lastTurn } from "../games/marks";
import type {
  Command,
  FromServer,
  Hinted,
  Message,
  Phrase,
  Preview,
  Table,
  TableEvent,
  Tried,
  View,
} from "../messages";
import { playSound } from "../sound";
import { pace, settings } from "../settings.svelte";
import {
  INITIAL,
  currentPreviews,
  isForced,
  lastUnsent,
  legalMoves,
  othersMoves,
  seenNumber,
  shownView,
  transition,
  unsentMoves,
  type Input,
  type Phase,
  type State,
  type Task,
} from "../table/machine";
import { soundsBetween } from "../table/sounds";
import { pauseAfter, stepsOf, type News } from "../table/steps";
import { newId } from "./api";
import type { Obstacle, TableListener, TableSource } from "./tableSocket";
import { openTable } from "./tableSource";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

const SAID_FOR = 6000; // how long a phrase is shown
const FORCED_PAUSE = 1000; // before a step that is no choice

/** An earlier position, looked at while the game goes on. */
export interface Past {
  made: number; // the number of moves made so far
  view: View;
}

export class LiveTable {
  events = $state.raw<readonly TableEvent[]>([]);
  online = $state(true);
  notFound = $state(false);
  setAside = $state<string | null>(null); // why the table cannot be opened, in words
  loading = $state<number | null>(null); // how much of a local table's program is loaded, from 0 to 1
  obstacle = $state.raw<Obstacle | null>(null); // what keeps the game from going on
  present = $state.raw<readonly boolean[]>([]); // by seat
  watching = $state(0);
  compiling = $state.raw<{ what: "rules" | "players"; done: number; total: number } | null>(null);
  thinking = $state(false); // about a hint
  advice = $state.raw<Hinted | null>(null); // a hint, for the decision on the board
  error = $state("");
  whyNot = $state(""); // why the last click was no legal move
  past = $state.raw<Past | null>(null);
  said = $state.raw<Readonly<Record<number, Phrase>>>({}); // by seat, while it is shown
  lastSaid = $state.raw<{ seat: number; phrase: Phrase } | null>(null);
  chatted = $state(0); // the number of the last line of chat
  clockAt = $state(0); // when the clocks of `table` arrived, by performance.now()
  endedHere = $state(false); // the game ended while it was watched

  #state = $state.raw<State>(INITIAL);
  #source: TableSource | undefined;
  #pauseTimer = 0;
  #forcedTimer = 0;
  #saidTimers: Record<number, number> = {}; // by seat
  #number = -1; // of the last event received
  #previewsOf: number | null = null; // the decision whose previews have been asked for and have not come
  #touch = matchMedia("(pointer: coarse)").matches;
  #closed = false;

  constructor(id: string) {
    const listener: TableListener = {
      receive: (message, answered) => this.#receive(message, answered),
      connection: (online) => (this.online = online),
      lastNumber: () => this.#number,
      loading: (done) => (this.loading = done),
      blocked: (obstacle) => (this.obstacle = obstacle),
    };
    void openTable(id, listener).then((source) => {
      if (this.#closed) source?.close();
      else if (source) this.#source = source;
      else this.notFound = true;
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#pauseTimer);
    clearTimeout(this.#forcedTimer);
    Object.values(this.#saidTimers).forEach(clearTimeout);
    this.#source?.close();
  }

  get phase(): Phase {
    return this.#state.phase;
  }

  /** The server's state; the board may still show what led to it. */
  get table(): Table | null {
    return this.#state.table;
  }

  /** What the board shows. */
  get shown(): View | null {
    return this.past?.view ?? shownView(this.#state);
  }

  /** What this person may play now. */
  get legal(): readonly string[] {
    return this.past ? [] : legalMoves(this.#state);
  }

  get previews(): Record<string, Preview> | null {
    return currentPreviews(this.#state);
  }

  /** Where the others' pawns could go if it were their turn. */
  get others(): Tried["others"] {
    return this.past ? {} : othersMoves(this.#state);
  }

  /** The move of the hint. */
  get hint(): string | null {
    return this.advice?.moves[0] ?? null;
  }

  /** The steps of this turn that only this browser knows. */
  get unsent(): readonly string[] {
    return unsentMoves(this.#state);
  }

  /** What the last unsent step does. */
  get lastUnsent(): Preview | null {
    return this.past ? null : lastUnsent(this.#state);
  }

  /** The effects of the last turn, as far as the board shows it. */
  get told(): readonly Message[] {
    if (this.past) return [];
    const { table, trail } = this.#state;
    const made = () => (table ? lastTurn(gameOf(table.game), this.seenEvents).flatMap(({ told }) => told) : []);
    return trail.at(-1)?.told.flat() ?? made();
  }

  /** Whether the board still shows what happened. */
  get moving(): boolean {
    return this.phase === "showing";
  }

  /** Whether the turn, or its part before a chance outcome, waits for confirmation. */
  get ready(): boolean {
    return this.phase === "confirming";
  }

  /** Whether the turn goes on after the steps that wait for confirmation. */
  get turnGoesOn(): boolean {
    return this.#state.trail.at(-1)?.chance === true;
  }

  /** Whether the next step is no choice, and about to be made. */
  get forced(): boolean {
    return isForced(this.#state);
  }

  /** The events that have been shown. */
  get seenEvents(): readonly TableEvent[] {
    const seen = seenNumber(this.#state);
    return this.moving ? this.events.filter(({ number }) => number <= seen) : this.events;
  }

  /** The seat to move in the position on the board, or whose move chance completes; null if there is none. */
  get toMove(): number | null {
    const seat = (this.moving ? this.shown : this.table)?.to_move ?? -1;
    if (seat >= 0) return seat;
    return this.moving ? (this.seenEvents.findLast((event) => event.key === "moved")?.seat ?? null) : null;
  }

  get confirms(): boolean {
    const careful = this.#touch || this.table?.settings.days != null; // there is time, and nothing to take back a slip
    return settings.confirm === "always" || (settings.confirm === "touch" && careful);
  }

  /** Play a step of the turn. */
  play(move: string): void {
    this.advice = null;
    const previewsCome = this.#previewsOf !== null && this.#previewsOf === this.table?.decision;
    this.#apply({ type: "play", move, confirm: this.confirms, previewsCome });
  }

  /** Take back the last unsent step. */
  back(): void {
    clearTimeout(this.#forcedTimer);
    this.whyNot = "";
    this.advice = null;
    this.#apply({ type: "back" });
  }

  /** Send the complete turn. */
  send(): void {
    this.#apply({ type: "confirm" });
  }

  /** Finish all animations at once. */
  skip(): void {
    this.#apply({ type: "skip" });
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
    }
  }

  command(command: WithoutId<Command>): void {
    this.#source?.command({ ...command, id: newId() } as Command);
  }

  say(phrase: Phrase): void {
    this.#source?.say(phrase);
  }

  async requestHint(): Promise<void> {
    const decision = this.table?.decision;
    if (decision == null || !this.#source || this.thinking) return;
    const { trail } = this.#state;
    this.thinking = true;
    const answer = await this.#source.request({ type: "hint", id: newId(), decision, moves: [...this.unsent] });
    this.thinking = false;
    if (answer.type !== "hinted") this.#showError(answer);
    else if (decision === this.table?.decision && trail === this.#state.trail) this.advice = answer;
  }

  /** Say why a move is not legal. */
  async explain(move: string): Promise<void> {
    const decision = this.table?.decision;
    if (decision == null || !this.#source || this.phase !== "choosing") return;
    const { attempt } = this.#state;
    const moves = [...this.unsent, move];
    const answer = await this.#source.request({ type: "try", id: newId(), decision, moves });
    const same = decision === this.table?.decision && attempt === this.#state.attempt;
    if (same && answer.type === "refused" && answer.code === "illegal") this.whyNot = answer.words;
  }

  /** Show the position after a number of moves; after the last one it is the game itself. */
  async lookAt(made: number): Promise<void> {
    const now = this.table?.made ?? 0;
    if (made < 0) return;
    if (made >= now) {
      this.past = null;
      return;
    }
    if (!this.#source) return;
    const view = await this.#source.earlier(made, this.table?.seat ?? null);
    if (this.table?.made === now) this.past = { made, view };
  }

  /** Look one move further back. */
  lookBack(): Promise<void> {
    return this.lookAt((this.past?.made ?? this.table?.made ?? 0) - 1);
  }

  /** Look one move further ahead. */
  lookForward(): Promise<void> {
    return this.lookAt((this.past?.made ?? this.table?.made ?? 0) + 1);
  }

  // The machine

  #apply(input: Input): void {
    const before = this.#state;
    const [state, task] = transition(before, input);
    this.#state = state;
    if (task?.type === "pause" || state.phase !== "showing") clearTimeout(this.#pauseTimer);
    if (task) this.#do(task);
    if (state.asked !== before.asked) this.whyNot = "";
    if (state.table?.decision !== before.table?.decision) this.#onDecision();
    this.#playSounds(before, state);
  }

  #do(task: Task): void {
    switch (task.type) {
      case "pause": {
        const length = pace(pauseAfter(this.#state));
        this.#pauseTimer = window.setTimeout(() => this.#apply({ type: "pause-over" }), length);
        return;
      }
      case "try":
        return void this.#try(task);
      case "tell":
        this.#forcedTimer = window.setTimeout(() => this.#apply({ ...task, type: "told" }), pace(FORCED_PAUSE));
        return;
      case "move":
        return this.command({ type: "move", decision: task.decision, moves: [...task.moves], seat: task.seat });
    }
  }

  async #try({ attempt, decision, moves }: Extract<Task, { type: "try" }>): Promise<void> {
    const answer = await this.#source!.request({
      type: "try",
      id: newId(),
      decision,
      moves: [...moves],
      previews: true,
    });
    if (answer.type === "tried") return this.#apply({ type: "tried", attempt, answer, confirm: this.confirms });
    this.#showError(answer);
    const stale = answer.type === "refused" && answer.code !== "illegal";
    this.#apply({ type: "try-refused", attempt, stale });
  }

  /** Another decision is due: fetch what every legal move would do, so that neither hovering nor playing needs it. */
  #onDecision(): void {
    const { table } = this.#state;
    this.advice = null;
    this.past = null;
    if (!table?.legal.length || table.decision === null || !this.#source) return;
    const { decision } = table;
    this.#previewsOf = decision;
    void this.#source.request({ type: "try", id: newId(), decision, moves: [], previews: true }).then((answer) => {
      if (this.#previewsOf === decision) this.#previewsOf = null;
      const { previews, others } = answer.type === "tried" ? answer : { previews: null, others: {} };
      this.#apply({ type: "previews", decision, previews, others });
    });
  }

  #playSounds(before: State, state: State): void {
    if (state.phase === "over" && before.table && before.phase !== "over") this.endedHere = true;
    soundsBetween(before, state).forEach(playSound);
  }

  #showError(answer: FromServer): void {
    if (answer.type !== "refused") return;
    this.error = answer.words;
    if (answer.words) playSound("refuse");
  }

  // Messages

  #receive(message: FromServer, answered?: Command): void {
    switch (message.type) {
      case "news":
        if (this.compiling?.what === "rules") this.compiling = null;
        return this.#applyNews(message);
      case "presence":
        this.present = message.here;
        this.watching = message.watching;
        return;
      case "said":
        return this.#showSaid(message.seat, message.phrase);
      case "chatted":
        this.chatted = message.number;
        return;
      case "compiling": {
        // a table is shown once its rules are compiled: from then on only the computer players can be missing
        const what = this.table ? "players" : "rules";
        const pending = this.table ? message.players : Object.values(message.games).find((game) => !game.ready);
        this.compiling = pending && !pending.ready ? { what, done: pending.done, total: pending.total } : null;
        return;
      }
      case "refused":
        if (message.code === "unknown-table") this.notFound = true;
        if (message.code === "set-aside") this.setAside = message.words;
        this.#showError(message);
        if (answered?.type === "move") this.#apply({ type: "move-refused" });
    }
  }

  #showSaid(seat: number, phrase: Phrase): void {
    if (settings.mutePhrases) return;
    this.said = { ...this.said, [seat]: phrase };
    this.lastSaid = { seat, phrase };
    clearTimeout(this.#saidTimers[seat]);
    this.#saidTimers[seat] = window.setTimeout(() => {
      const { [seat]: _, ...others } = this.said;
      this.said = others;
    }, SAID_FOR);
  }

  #applyNews(news: News): void {
    const { table, fresh } = news;
    const events = fresh ? news.events : news.events.filter((event) => event.number > this.#number);
    const known = this.table !== null;
    this.events = fresh ? events : [...this.events, ...events];
    this.#number = table.number;
    this.clockAt = performance.now();
    const jump = !known || fresh || !settings.speed || events.some((event) => event.key === "taken-back");
    this.#apply({ type: "news", table, steps: fresh ? [] : stepsOf(news, events), jump });
  }
}
