// The tables of this browser: one worker with Python in it, started when it is first needed, and a second one in which
// computer players think. Everything a worker knows is in stored facts: one that failed is replaced by the next call.
import type { Refused } from "../messages";
import { newId } from "../server/api";
import type { Answers, Call, Results, Task } from "./calls";
import { RUNTIME } from "./folder";
import { python } from "./started";
import type { Sent, Start } from "./worker";

/** How far a worker is: nothing was asked of it yet, it is being loaded (from 0 to 1), it answers, or it failed. */
export type Loading =
  { stage: "cold" } | { stage: "loading"; done: number } | { stage: "ready" } | { stage: "failed"; why: string };

/** Why there is no answer: the worker could not be started, or broke. The next call starts another one. */
export class WorkerFailed extends Error {}

/** Nobody waits for the result any more. */
export class Stopped extends Error {}

/** What was asked for is refused, in the user's words. */
export class CallRefused extends Error {
  constructor(readonly refused: Refused) {
    super(refused.words);
  }
}

const PATIENCE = 20_000; // milliseconds for an answer of the tables: a worker that the browser ended says nothing

interface Waiting {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** A worker: texts in, texts out, in the same order. */
class PythonWorker {
  loading: Loading = { stage: "loading", done: 0 };
  started = false; // it was ready once
  #lock = `mchezo-worker-${newId()}`;
  #watched = false;
  #ended = false;
  #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  #waiting: Waiting[] = [];
  #onchange: (loading: Loading) => void;

  constructor(what: Start["what"], language: string, onchange: (loading: Loading) => void) {
    this.#onchange = onchange;
    this.#worker.onmessage = ({ data }: MessageEvent<Sent>) => this.#receive(data);
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker's script could not be loaded");
    this.#worker.postMessage({ folder: RUNTIME, what, language, name: null, lock: this.#lock } satisfies Start);
    onchange(this.loading);
  }

  get busy(): boolean {
    return this.#waiting.length > 0;
  }

  ask(text: string): Promise<string> {
    if (this.loading.stage === "failed") return Promise.reject(new WorkerFailed(this.loading.why));
    this.#worker.postMessage(text);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Fail if an answer does not come in time, once the worker is ready. */
  expect(answer: Promise<unknown>, milliseconds: number): void {
    if (this.loading.stage !== "ready") return;
    const timer = setTimeout(() => this.#fail("the worker does not answer"), milliseconds);
    const came = () => clearTimeout(timer);
    answer.then(came, came);
  }

  end(error: Error): void {
    this.#ended = true;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #receive(sent: Sent): void {
    this.#watch();
    if ("ready" in sent) this.started = true;
    if ("answer" in sent) this.#waiting.shift()?.resolve(sent.answer);
    else if ("failed" in sent) this.#fail(sent.failed);
    else this.#change("loading" in sent ? { stage: "loading", done: sent.loading } : { stage: "ready" });
  }

  /** Fail when the worker ends by itself: the browser says nothing, but its lock is free then. */
  #watch(): void {
    if (this.#watched || !("locks" in navigator)) return;
    this.#watched = true;
    void navigator.locks.request(this.#lock, () => this.#fail("the worker has ended"));
  }

  #fail(why: string): void {
    if (this.#ended) return;
    console.warn(why);
    this.#change({ stage: "failed", why });
    this.end(new WorkerFailed(why));
  }

  #change(loading: Loading): void {
    this.loading = loading;
    this.#onchange(loading);
  }
}

export class Desk {
  #tables: PythonWorker | undefined;
  #thinking: PythonWorker | undefined;
  #listeners = new Set<(loading: Loading) => void>();
  #thinkingListeners = new Set<(loading: Loading) => void>();
  #language = "en";

  /** How far the worker of the tables is. */
  get loading(): Loading {
    return this.#tables?.loading ?? { stage: "cold" };
  }

  /** Be told how far the worker of the tables is, now and whenever it changes; the result ends it. */
  watch(listener: (loading: Loading) => void): () => void {
    this.#listeners.add(listener);
    listener(this.loading);
    return () => this.#listeners.delete(listener);
  }

  /** The same for the worker in which is thought. */
  watchThinking(listener: (loading: Loading) => void): () => void {
    this.#thinkingListeners.add(listener);
    listener(this.#thinking?.loading ?? { stage: "cold" });
    return () => this.#thinkingListeners.delete(listener);
  }

  /** Start the worker of the tables, or another one in place of one that failed. */
  start(): void {
    if (!this.#tables || this.#tables.loading.stage === "failed") {
      python.started = true;
      this.#tables = new PythonWorker("tables", this.#language, (loading) => {
        for (const listener of this.#listeners) listener(loading);
      });
    }
  }

  /** The language of refusals. */
  speak(language: string): void {
    if (language === this.#language) return;
    this.#language = language;
    if (this.#tables) this.call({ call: "speak", language }).catch(() => undefined); // the next worker starts with it
  }

  /** Call the tables; rejects with CallRefused or WorkerFailed. */
  async call<C extends Call>(call: C): Promise<Answers[C["call"]]> {
    this.start();
    const worker = this.#tables!;
    const text = worker.ask(JSON.stringify(call));
    worker.expect(text, PATIENCE);
    const answer = JSON.parse(await text) as Answers[C["call"]] | Refused;
    if (isRefused(answer)) throw new CallRefused(answer);
    return answer;
  }

  /** Have the second worker ready before there is something to think about. */
  prepareThinking(): void {
    if (!this.#thinking || this.#thinking.loading.stage === "failed")
      this.#thinking = new PythonWorker("thinking", this.#language, (loading) => {
        for (const listener of this.#thinkingListeners) listener(loading);
      });
  }

  /** Think about something, again if the worker breaks in the meantime; rejects with Stopped or WorkerFailed. */
  async think<T extends Task>(task: T): Promise<Results[T["think"]]> {
    const asked = JSON.stringify(task);
    this.prepareThinking();
    const worker = this.#thinking!;
    const answer = await worker.ask(asked).catch((error: unknown) => {
      if (!(error instanceof WorkerFailed) || !worker.started) throw error;
      this.prepareThinking();
      return this.#thinking!.ask(asked);
    });
    return JSON.parse(answer) as Results[T["think"]];
  }

  /** Stop whatever is being thought about, at once; say whether there was something. */
  stopThinking(): boolean {
    if (!this.#thinking?.busy) return false;
    this.#thinking.end(new Stopped());
    this.#thinking = undefined;
    return true;
  }

  /** End both workers. */
  end(): void {
    for (const worker of [this.#tables, this.#thinking]) worker?.end(new Stopped());
    this.#tables = this.#thinking = undefined;
  }
}

function isRefused(answer: unknown): answer is Refused {
  return (answer as Refused | null)?.type === "refused";
}

let only: Desk | undefined;

/** The desk of this page. */
export function desk(): Desk {
  return (only ??= new Desk());
}
