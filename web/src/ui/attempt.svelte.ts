// One request at a time: whether it is under way, and why it failed.
import { errorText } from "../server/api";

export class Attempt {
  busy = $state(false);
  error = $state("");

  async run(action: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.error = "";
    try {
      await action();
    } catch (reason) {
      this.error = errorText(reason);
    }
    this.busy = false;
  }
}
