// One tab at a time plays at a local table. Without Web Locks (a page that is not secure), the store alone keeps two
// tabs from mixing their moves.

interface Holder {
  /** The table is this tab's. */
  taken(): void;
  /** Another tab has it; it becomes this tab's when that one is closed. */
  elsewhere(): void;
}

export class TableLock {
  #name: string;
  #holder: Holder;
  #waiting = new AbortController();
  #let: () => void = () => undefined;
  #released = false;

  constructor(id: string, holder: Holder) {
    this.#name = `mchezo-${id}`;
    this.#holder = holder;
    if ("locks" in navigator) this.#request({ ifAvailable: true });
    else queueMicrotask(() => holder.taken());
  }

  /** Take the table from the other tab. */
  steal(): void {
    this.#waiting.abort();
    this.#waiting = new AbortController();
    this.#request({ steal: true });
  }

  release(): void {
    this.#released = true;
    this.#waiting.abort();
    this.#let();
  }

  #request(options: LockOptions): void {
    const { signal } = this.#waiting;
    navigator.locks
      .request(this.#name, options, (lock) => {
        if (this.#released) return;
        if (!lock) return this.#wait();
        this.#holder.taken();
        return new Promise<void>((resolve) => (this.#let = resolve));
      })
      .catch(() => {
        if (!this.#released && !signal.aborted) this.#wait(); // another tab took it
      });
  }

  #wait(): void {
    this.#holder.elsewhere();
    this.#request({ signal: this.#waiting.signal });
  }
}
