// The engine on this device: the best moves of the position shown, deeper and deeper while it is on. Where something is
// drawn first, they are those of the next decision of the game.
import type { Hinted } from "../messages";
import { settings } from "../settings.svelte";
import type { Study } from "./study.svelte";

const LONGEST = 1500; // milliseconds of a search after which none is begun that is twice as deep

export class LiveEngine {
  on = $state(false);
  count = $state(3); // lines
  lines = $state.raw<readonly Hinted[]>([]); // of the position shown, best first
  working = $state(false);
  loading = $state<number | null>(null); // from 0 to 1, while the engine is being downloaded or started
  failed = $state(false);

  #study: Study;
  #effort = 1;
  #number = 0; // of the search that is wanted; earlier ones are forgotten

  constructor(study: Study) {
    this.#study = study;
  }

  /** Search the position shown from the beginning. */
  restart(): void {
    this.lines = [];
    this.#effort = 1;
    void this.#search(LONGEST);
  }

  /** Search twice as long as before. */
  deepen(): void {
    void this.#search(0);
  }

  stop(): void {
    this.#number++;
    this.working = false;
    this.lines = [];
  }

  async #search(longest: number): Promise<void> {
    const number = ++this.#number;
    const { decision: at, variation } = this.#study;
    const { count } = this;
    this.working = true;
    this.failed = false;
    try {
      const { desk } = await import("../local/desk");
      desk().prepareThinking();
      const unwatch = desk().watchThinking((loading) => {
        this.loading = loading.stage === "loading" ? loading.done : null;
      });
      try {
        const record = await this.#study.record();
        const moves = [...(variation?.moves ?? [])];
        for (let took = 0; number === this.#number;) {
          const starting = this.loading !== null; // what that takes does not count
          const began = performance.now();
          const lines = await desk().think({ think: "lines", record, at, moves, count, effort: this.#effort });
          took = performance.now() - began;
          if (number !== this.#number) return;
          this.lines = lines;
          settings.offline = true; // Python is here now
          if (lines.every(({ solved }) => solved)) break;
          this.#effort *= 2;
          if (took >= longest && !starting) break;
        }
      } finally {
        unwatch();
      }
    } catch {
      if (number === this.#number) this.failed = true;
    }
    if (number === this.#number) this.working = false;
  }
}
