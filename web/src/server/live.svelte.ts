// A table as it lives: the socket, what the board shows now, the steps of a turn that are not sent yet.
import type { Command, FromServer, Hinted, Preview, Table, TableEvent, Tried, View } from "../messages";
import { play as sound } from "../sound";
import { pace, settings } from "../settings.svelte";
import { newId } from "./api";

type Step = { view: View; move: string; seat: number | null };
type Unnamed<T> = T extends unknown ? Omit<T, "id"> : never;

// The answer to what was asked while there was no line; the notice about the line says enough.
const CUT_OFF: FromServer = { type: "refused", code: "not-ready", told: { key: "", arguments: {} }, words: "", id: null };

export class Live {
  table = $state.raw<Table | null>(null); // the truth
  shown = $state.raw<View | null>(null); // what the board shows: it may still be on its way there
  events = $state.raw<readonly TableEvent[]>([]);
  unsent = $state.raw<readonly string[]>([]); // steps of this turn that nobody else has seen
  tried = $state.raw<Tried | null>(null); // where they lead
  ready = $state(false); // the turn is complete and waits for a word
  online = $state(true);
  gone = $state(false); // there is no such table
  here = $state.raw<readonly boolean[]>([]);
  watching = $state(0);
  compiling = $state.raw<{ what: "rules" | "players"; done: number; total: number } | null>(null);
  thinking = $state(false); // about a hint
  hint = $state<string | null>(null);
  refusal = $state("");
  clockAt = $state(0); // when the present clocks arrived, by this device's own clock

  #id: string;
  #socket: WebSocket | undefined;
  #retry = 0;
  #timer = 0;
  #closed = false;
  #number = -1;
  #waiting = new Map<string, (answer: FromServer) => void>();
  #outbox = new Map<string, Command>(); // sent, not yet answered: sent again after a cut, under the same id
  #queue: Step[] = [];
  #steps = 0;
  #sent: string[] = []; // own moves that are already seen on the board
  #busy = $state(false); // a step is being tried
  #touch = matchMedia("(pointer: coarse)").matches;

  constructor(id: string) {
    this.#id = id;
    if (/^[0-9A-Za-z]{12}$/.test(id)) this.#connect();
    else this.gone = true;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#steps);
    this.#socket?.close();
  }

  /** Whether something is still moving on the board. */
  get moving(): boolean {
    return this.shown !== (this.tried?.view ?? this.table?.view ?? null);
  }

  /** What this person may play now. */
  get legal(): readonly string[] {
    if (this.moving || this.ready || this.#busy) return [];
    return this.tried ? this.tried.legal : (this.table?.legal ?? []);
  }

  previews = $state.raw<Record<string, Preview> | null>(null);

  get lastUnsent(): Preview | null {
    const tried = this.tried;
    if (!tried) return null;
    return this.#foreseen.get(tried.moves.join(" ")) ?? null;
  }
  #foreseen = new Map<string, Preview>();

  get confirms(): boolean {
    return settings.confirm === "always" || (settings.confirm === "touch" && this.#touch);
  }

  /** A step of the turn; once the turn is complete it is sent, or waits to be confirmed. */
  async play(move: string): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    await this.#step(move);
    const complete = this.tried?.turn_over || this.tried?.chance;
    if (complete && this.confirms) this.ready = true;
    if (complete && !this.confirms) this.send();
    else this.#busy = false;
  }

  async #step(move: string): Promise<void> {
    const before = this.tried?.moves ?? [];
    const preview = this.previews?.[move];
    const moves = [...before, move];
    if (preview) this.#foreseen.set(moves.join(" "), preview);
    this.hint = null;
    await this.#try(moves);
    while (this.tried && !this.tried.turn_over && !this.tried.chance && this.tried.legal.length === 1) {
      // a decision with one answer is no question
      await new Promise((resolve) => setTimeout(resolve, pace(350)));
      await this.#try([...this.tried.moves, this.tried.legal[0]!]);
    }
  }

  async #try(moves: readonly string[]): Promise<void> {
    const decision = this.table?.decision;
    if (decision == null) return;
    this.previews = null;
    const answer = await this.#ask({ type: "try", id: newId(), decision, moves: [...moves], previews: true });
    if (answer.type === "tried") {
      if (!moves.length) {
        // the position itself, for its previews
        if (!this.tried && answer.decision === this.table?.decision) this.previews = answer.previews;
        return;
      }
      this.tried = answer;
      this.unsent = answer.moves;
      this.shown = answer.view;
      this.previews = answer.previews;
      this.#noise(answer.moves.at(-1) ?? "");
    } else if (moves.length) {
      this.#refuse(answer);
      this.#forget();
    }
  }

  /** Take back the last unsent step. */
  async back(): Promise<void> {
    const left = this.unsent.slice(0, -1);
    this.ready = false;
    if (left.length) await this.#try(left);
    else this.#forget();
  }

  send(): void {
    const tried = this.tried;
    if (!tried) return;
    this.ready = false;
    this.#busy = true; // until the server has answered
    this.#sent = [...tried.moves];
    this.command({ type: "move", decision: tried.decision, moves: [...tried.moves], seat: this.table?.to_move ?? null });
  }

  command(command: Unnamed<Command>): void {
    const named = { ...command, id: newId() } as Command;
    this.#outbox.set(named.id, named);
    this.#say(named);
  }

  async askHint(): Promise<void> {
    const decision = this.table?.decision;
    if (decision == null) return;
    this.thinking = true;
    const answer = await this.#ask({ type: "hint", id: newId(), decision });
    this.thinking = false;
    if (answer.type === "hinted") this.hint = (answer as Hinted).moves[0] ?? null;
    else this.#refuse(answer);
  }

  /** Let everything that still moves arrive at once. */
  skip(): void {
    clearTimeout(this.#steps);
    this.#queue = [];
    if (!this.tried) this.shown = this.table?.view ?? null;
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
    }
  }

  #forget(): void {
    this.tried = null;
    this.unsent = [];
    this.ready = false;
    this.#sent = [];
    this.#busy = false;
    this.#foreseen.clear();
    this.shown = this.table?.view ?? null;
    this.#foresee();
  }

  #refuse(answer: FromServer): void {
    if (answer.type !== "refused") return;
    this.refusal = answer.words;
    if (answer.words) sound("refuse");
  }

  /** What every legal move would do: asked for beforehand, so that hovering costs nothing. */
  #foresee(): void {
    this.previews = null;
    if (this.table?.legal.length) void this.#try([]);
  }

  // The socket

  #connect(): void {
    const address = new URL(`/api/tables/${this.#id}/live`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", String(this.#number));
    const socket = (this.#socket = new WebSocket(address));
    socket.onmessage = (event: MessageEvent<string>) => this.#hear(JSON.parse(event.data) as FromServer);
    socket.onopen = () => {
      for (const command of this.#outbox.values()) this.#say(command);
    };
    socket.onclose = () => {
      if (this.#closed || this.gone) return;
      this.online = false;
      for (const answer of this.#waiting.values()) answer(CUT_OFF);
      this.#waiting.clear();
      this.#timer = window.setTimeout(() => this.#connect(), Math.min(8000, 300 * 2 ** this.#retry++));
    };
  }

  #say(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #ask(question: { type: "try" | "hint"; id: string; decision: number; moves?: string[]; previews?: boolean }): Promise<FromServer> {
    return new Promise((resolve) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return resolve(CUT_OFF);
      this.#waiting.set(question.id, resolve);
      this.#say(question);
    });
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case "news":
        this.online = true;
        this.#retry = 0;
        if (this.compiling?.what === "rules") this.compiling = null;
        return this.#learn(message);
      case "ping":
        return this.#say({ type: "pong", at: message.at });
      case "presence":
        this.here = message.here;
        this.watching = message.watching;
        return;
      case "compiling": {
        // a table is only shown once its rules are there: then what is waited for are the computer players
        const what = this.table ? "players" : "rules";
        const late = this.table ? message.players : Object.values(message.games).find((game) => !game.ready);
        this.compiling = late && !late.ready ? { what, done: late.done, total: late.total } : null;
        return;
      }
      default: {
        const answer = message.id === null ? undefined : this.#waiting.get(message.id);
        const command = message.id === null ? undefined : this.#outbox.get(message.id);
        if (message.id !== null) {
          this.#waiting.delete(message.id);
          this.#outbox.delete(message.id);
        }
        if (message.type === "refused" && message.code === "unknown-table") this.gone = true;
        if (answer) answer(message);
        else this.#refuse(message);
        if (message.type === "refused" && command?.type === "move") this.#forget();
      }
    }
  }

  #learn(news: Extract<FromServer, { type: "news" }>): void {
    const { table, fresh } = news;
    const first = this.table === null;
    const events = fresh ? news.events : news.events.filter((event) => event.number > this.#number);
    const views = news.views.length ? news.views : news.events.map(() => table.view); // at most one step: the view is the table's
    const before = this.table;
    this.events = fresh ? events : [...this.events, ...events];
    this.#number = table.number;
    this.table = table;
    this.clockAt = performance.now();
    if (this.tried && this.tried.decision !== table.decision) {
      this.tried = null;
      this.unsent = [];
      this.ready = false;
    }
    const steps: Step[] = [];
    for (const event of events) {
      if (event.key !== "moved" && event.key !== "drawn") continue;
      if (event.key === "moved" && this.#sent[0] === event.move) {
        this.#sent.shift(); // already seen on the board
        continue;
      }
      const view = views[news.events.indexOf(event)];
      if (view) steps.push({ view, move: event.move, seat: event.key === "moved" ? event.seat : null });
    }
    if (before?.decision !== table.decision) {
      this.#sent = [];
      this.#busy = false;
      this.hint = null;
    }
    if (first || fresh || !settings.speed) this.#queue = [];
    else this.#queue.push(...steps);
    if (!this.tried) this.#walk();
    if (!this.tried && before?.decision !== table.decision) this.#foresee();
    if (!first && events.some((event) => event.key === "ended")) {
      const mine = table.you.some((seat) => table.result?.winners.includes(seat));
      if (table.you.length) sound(mine ? "win" : "lose");
    }
  }

  /** Show the steps that happened, one after the other. */
  #walk(): void {
    clearTimeout(this.#steps);
    const step = this.#queue.shift();
    if (!step) {
      const arrived = this.shown !== null && this.shown !== this.table?.view;
      this.shown = this.table?.view ?? null;
      if (arrived && this.table?.legal.length) sound("turn");
      return;
    }
    this.shown = step.view;
    this.#noise(step.move);
    this.#steps = window.setTimeout(() => this.#walk(), pace(this.#queue.length > 12 ? 300 : 650));
  }

  #noise(move: string): void {
    if (move.includes("x") && /\dx/.test(move)) sound("take");
    else if (move[0] === "~") sound("splash");
    else if (/^(\+\d+\.|=|keep)/.test(move)) sound("card");
    else if (/^([GZCEL][a-f]|@|[WAH]@)/.test(move)) sound("place");
    else if (move !== ".") sound("move");
  }
}
