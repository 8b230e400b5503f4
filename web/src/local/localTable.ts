// A table of this browser as a source of messages: commands go to the worker, its facts are stored, and only then are
// its messages shown. Computer players think in the second worker; the clocks of a closed page stand still.
import type { Command, FromClient, FromServer, Moment, View } from "../messages";
import { get } from "../server/api";
import type { TableListener, TableSource } from "../server/tableSocket";
import { language, t } from "../words.svelte";
import type { Changed, Played, Send, Tick, Turn } from "./calls";
import { CallRefused, desk, Stopped, WorkerFailed } from "./desk";
import { TableLock } from "./lock";
import { refusal } from "./refusal";
import { append, note, read } from "./store";

const HEARTBEAT = 5000; // how often a page with a running clock notes that it is open, in milliseconds
const SOON = 50; // after a deadline, in milliseconds
const LONGEST = 2 ** 31 - 1; // of a timer

export class LocalTable implements TableSource {
  #id: string;
  #listener: TableListener;
  #lock: TableLock;
  #desk = desk();
  #unwatch: () => void;
  #held = false; // this tab has the table
  #count = 0; // of stored facts
  #queue: Promise<void> = Promise.resolve();
  #thinkingAbout: number | null = null; // a decision
  #deadlineTimer = 0;
  #heartbeat = 0;
  #closed = false;

  constructor(id: string, listener: TableListener) {
    this.#id = id;
    this.#listener = listener;
    this.#unwatch = this.#desk.watch((loading) =>
      listener.loading(loading.stage === "loading" ? loading.done : loading.stage === "cold" ? 0 : null),
    );
    this.#lock = new TableLock(id, {
      taken: () => this.#start(),
      elsewhere: () => {
        this.#held = false;
        this.#rest();
        listener.blocked({ words: t("local.elsewhere"), button: t("local.play-here"), act: () => this.#lock.steal() });
      },
    });
    addEventListener("pagehide", this.#stamp);
  }

  close(): void {
    this.#stamp();
    this.#closed = true;
    removeEventListener("pagehide", this.#stamp);
    this.#unwatch();
    this.#rest();
    this.#lock.release();
    if (this.#desk.loading.stage === "ready")
      this.#desk.call({ call: "close", table: this.#id }).catch(() => undefined); // forgotten with its worker
  }

  request(message: Extract<FromClient, { type: "try" | "hint" }>): Promise<FromServer> {
    return new Promise((resolve) => {
      this.#do(
        async () => {
          const changed = await this.#call({ call: "send", table: this.#id, message });
          for (const answer of changed.messages ?? []) resolve(answer);
          if (!changed.hint) return;
          // while it is thought about, other messages are answered
          this.#desk.think(changed.hint).then(resolve, (error: unknown) => {
            resolve(refusal("not-possible", error instanceof Stopped ? "" : t("local.failed")));
          });
        },
        () => resolve(refusal("not-possible", "")),
      );
    });
  }

  async earlier(made: number, seat: number | null): Promise<View> {
    return (await get<Moment>(`/api/tables/${this.#id}/moves/${made}?seat=${seat ?? "none"}`)).view;
  }

  command(command: Command): void {
    this.#do(
      async () => {
        const changed = await this.#call({ call: "send", table: this.#id, message: command });
        await this.#show(changed, command);
      },
      () => this.#listener.receive(refusal("not-possible", ""), command),
    );
  }

  say(): void {
    // nobody else is here
  }

  /** Do one thing after another. What fails is tried again from the stored facts, and then given up. */
  #do(work: () => Promise<void>, givenUp: () => void = () => undefined): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#closed || !this.#held) return givenUp();
      try {
        await work().catch(async () => {
          await this.#open();
          await work();
        });
      } catch (error) {
        if (!this.#closed) this.#fail(error);
        givenUp();
      }
    });
  }

  #start(): void {
    this.#held = true;
    this.#desk.speak(language());
    this.#do(() => this.#open());
  }

  /** Open the table in the worker, from what is stored; what was not stored is forgotten. */
  async #open(): Promise<void> {
    const { facts, table } = await read(this.#id);
    if (!table) return this.#listener.receive(refusal("set-aside", t("local.unknown")));
    this.#rest();
    this.#count = facts.length;
    await this.#desk.call({ call: "close", table: this.#id });
    const known = this.#listener.lastNumber();
    const changed = await this.#desk.call({ call: "open", table: this.#id, facts, known, alive: table.alive });
    this.#listener.blocked(null);
    await this.#show(changed);
    if (table.listed.seats.some(({ player }) => player?.kind === "computer")) this.#desk.prepareThinking();
  }

  async #call(call: Send | Played | Tick): Promise<Changed> {
    const changed = await this.#desk.call(call);
    const forgotten = changed.messages?.some((one) => one.type === "refused" && one.code === "unknown-table");
    if (forgotten) throw new WorkerFailed("another worker answers, which has not opened the table yet");
    return changed;
  }

  /** Store what has changed, then show it, then go on. */
  async #show(changed: Changed, command?: Command): Promise<void> {
    const additions = Object.entries(changed.facts ?? {}).map(([id, facts]) => {
      return { id, count: id === this.#id ? this.#count : 0, facts, listed: changed.listed![id]! };
    });
    if (additions.length) await append(additions);
    this.#count += changed.facts?.[this.#id]?.length ?? 0;
    if (this.#closed) return;
    for (const message of changed.messages ?? [])
      if (message.type === "news") this.#listener.receive(message);
      else this.#listener.receive(message, command);
    this.#watchClock(changed.deadline ?? null);
    this.#letThink(changed.turn ?? null);
  }

  /** Stop everything that runs by itself. */
  #rest(): void {
    this.#watchClock(null);
    this.#letThink(null);
  }

  #fail(error: unknown): void {
    this.#rest();
    if (error instanceof CallRefused) return this.#listener.receive(error.refused); // it cannot be read
    const words = t(error instanceof WorkerFailed || error instanceof Stopped ? "local.failed" : "local.not-stored");
    this.#listener.blocked({ words, button: t("local.again"), act: () => this.#start() });
  }

  // Computer players

  #letThink(turn: Turn | null): void {
    if (this.#thinkingAbout === (turn?.decision ?? null)) return;
    if (this.#desk.stopThinking() && !this.#closed) this.#desk.prepareThinking();
    this.#thinkingAbout = turn?.decision ?? null;
    if (!turn) return;
    this.#desk.think(turn).then(
      (moves) => this.#play(turn, moves),
      (error: unknown) => {
        if (error instanceof Stopped || this.#thinkingAbout !== turn.decision) return;
        this.#fail(error);
      },
    );
  }

  #play({ decision, seat }: Turn, moves: string[]): void {
    this.#do(async () => {
      if (this.#thinkingAbout !== decision) return; // taken back, or played elsewhere
      await this.#show(await this.#call({ call: "played", table: this.#id, decision, seat, moves }));
    });
  }

  // Clocks

  #watchClock(deadline: number | null): void {
    clearTimeout(this.#deadlineTimer);
    clearInterval(this.#heartbeat);
    if (deadline === null) return;
    const wait = Math.min(LONGEST, Math.max(0, deadline - Date.now()) + SOON);
    this.#deadlineTimer = window.setTimeout(() => {
      this.#do(async () => this.#show(await this.#call({ call: "tick", table: this.#id })));
    }, wait);
    this.#heartbeat = window.setInterval(this.#stamp, HEARTBEAT);
  }

  #stamp = (): void => {
    if (this.#count && !this.#closed) note(this.#id, { alive: Date.now() }).catch(() => undefined); // until the next one
  };
}
