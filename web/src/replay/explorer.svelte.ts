// What was played in the position that is studied, asked for as it is shown.
import type { Explored } from "../messages";
import { errorText } from "../server/api";
import type { Study } from "./study.svelte";

export class Explorer {
  found = $state.raw<Explored | null>(null);
  error = $state("");

  #study: Study;
  #asked = 0;

  constructor(study: Study) {
    this.#study = study;
  }

  async look(): Promise<void> {
    const number = ++this.#asked;
    try {
      const found = await this.#study.explored();
      if (number !== this.#asked) return; // another position is shown by now
      this.found = found;
      this.error = "";
    } catch (error) {
      if (number === this.#asked) this.error = errorText(error);
    }
  }
}
