// A finished game under study: the moment and the perspective shown, variations, and the computer's analysis.
import type {
  Analysed,
  AnalysedMove,
  Explored,
  Hinted,
  Preview,
  Replay,
  ReplayStep,
  ReplayViews,
  Varied,
  View,
} from "../messages";
import { localTable } from "../local/ids";
import { currentAddress, replaceAddress } from "../router.svelte";
import { errorText, get, getText, post } from "../server/api";
import { settings } from "../settings.svelte";

export type Line = { at: number; moves: readonly string[] };
const CHUNK = 20; // views per request
const STORAGE = "mchezo-lines";

export class Study {
  replay = $state.raw<Replay | null>(null);
  at = $state(0); // number of moves played; with a variation, where it branches off
  perspective = $state("all"); // "all", "none" or a seat: whose knowledge is shown
  shown = $state.raw<View | null>(null);
  glimpse = $state.raw<{ at: number; view: View } | null>(null); // another moment, while the pointer is over it
  variation = $state.raw<Varied | null>(null);
  line = $state.raw<Varied | null>(null); // a whole line that is stepped through; the variation is its beginning
  analysis = $state.raw<Analysed | null>(null);
  here = $state(false); // the analysis is made on this device, not kept on the server
  evaluation = $state.raw<Hinted | null>(null); // of the variation's position
  bestStep = $state.raw<ReplayStep | undefined>(); // its best move
  evaluating = $state(false);
  savedLines = $state.raw<readonly Line[]>([]);
  address = $state(location.href); // of what is shown
  error = $state("");
  loadError = $state("");

  #id: string;
  #views = new Map<string, Promise<ReplayViews>>();
  #from = 0; // the moment shown when a line was opened
  #peeked: number | null = null;
  #timer = 0;
  #closed = false;
  #busy = false;

  constructor(id: string) {
    this.#id = id;
    this.here = localTable(id) !== null;
    this.savedLines = storedLines()[id] ?? [];
    void this.#load();
  }

  close(): void {
    this.#closed = true;
    if (this.here && this.analysis?.status === "waiting")
      void import("../local/analysis").then(({ pauseHere }) => pauseHere(this.#id));
    clearTimeout(this.#timer);
  }

  get steps(): readonly ReplayStep[] {
    return this.replay?.steps ?? [];
  }

  get last(): number {
    return this.steps.length;
  }

  /** The number of moves played when somebody decides next: what is drawn before is passed over. */
  get decision(): number {
    let at = this.at;
    while (!this.variation && this.steps[at]?.seat === null) at++;
    return at;
  }

  /** The analysis of the next decision. */
  get next(): AnalysedMove | undefined {
    return this.variation ? undefined : this.analysis?.moves.find((move) => move.number === this.at);
  }

  /** The analysis of the decision that led here. */
  get before(): AnalysedMove | undefined {
    return this.variation ? undefined : this.analysis?.moves.find((move) => move.number === this.at - 1);
  }

  /** The steps of the line that are still to come. */
  get ahead(): readonly ReplayStep[] {
    const { line, variation } = this;
    const begun = line && variation?.moves.every((move, number) => move === line.moves[number]);
    return begun ? line.steps.slice(variation!.moves.length) : [];
  }

  get legal(): readonly string[] {
    return this.variation?.legal ?? [];
  }

  get previews(): Record<string, Preview> | null {
    return this.variation?.previews ?? null;
  }

  async #load(): Promise<void> {
    const query = currentAddress().searchParams;
    const perspective = query.get("whose");
    if (perspective && /^([0-3]|none|all)$/.test(perspective)) this.perspective = perspective;
    try {
      this.replay = await get<Replay>(`/api/tables/${this.#id}/replay?whose=${this.perspective}`);
    } catch (error) {
      this.loadError = errorText(error);
      return;
    }
    this.at = Math.min(this.last, Math.max(0, Number(query.get("at") ?? this.last) || 0));
    await this.#show();
    const line = query.get("line");
    if (line !== null) await this.vary(line.split(" ").filter(Boolean));
    await this.#pollAnalysis();
  }

  /** Go to a moment of the game and leave the variation. */
  async go(to: number): Promise<void> {
    this.variation = this.evaluation = this.line = null;
    this.at = Math.min(this.last, Math.max(0, to));
    await this.#show();
  }

  /** Leave the variation for the moment from which it was opened. */
  leave(): Promise<void> {
    return this.go(this.line ? this.#from : this.at);
  }

  /** Go a step back or on, in the variation if there is one. */
  async step(by: number): Promise<void> {
    const variation = this.variation;
    if (!variation) return this.go(this.at + by);
    if (by > 0) {
      const ahead = this.ahead[0];
      return ahead && this.vary([...variation.moves, ahead.move]);
    }
    let length = variation.moves.length - 1;
    while (length > 0 && variation.steps[length]?.seat === null) length--; // go back to a decision, not to chance
    if (length < 0) await this.go(this.at);
    else await this.vary(variation.moves.slice(0, length));
  }

  async setPerspective(perspective: string): Promise<void> {
    this.perspective = perspective;
    try {
      this.replay = await get<Replay>(`/api/tables/${this.#id}/replay?whose=${perspective}`);
    } catch (error) {
      this.error = errorText(error);
    }
    if (this.variation) await this.vary(this.variation.moves);
    else await this.#show();
  }

  async #show(): Promise<void> {
    const { at, perspective } = this;
    this.#peeked = null;
    try {
      const view = await this.#viewAt(at);
      if (this.at === at && this.perspective === perspective && !this.variation) this.shown = view ?? this.shown;
      this.#updateAddress();
    } catch (error) {
      this.error = errorText(error);
    }
  }

  /** Show another moment while the pointer is over it; null: none any more. */
  async peek(at: number | null): Promise<void> {
    this.#peeked = at;
    this.glimpse = null;
    if (at === null || at === this.at) return;
    const view = await this.#viewAt(at).catch(() => null); // nothing is lost: the board stays as it is
    if (this.#peeked === at && view) this.glimpse = { at, view };
  }

  async #viewAt(at: number): Promise<View | undefined> {
    const first = at - (at % CHUNK);
    const key = `${this.perspective}:${first}`;
    const path = `/api/tables/${this.#id}/replay/views?whose=${this.perspective}&first=${first}&count=${CHUNK}`;
    if (!this.#views.has(key)) this.#views.set(key, get<ReplayViews>(path));
    try {
      return (await this.#views.get(key)!).views[at - first];
    } catch (error) {
      this.#views.delete(key);
      throw error;
    }
  }

  // Variations

  /** Play other moves from here; without any, only show what could be played. */
  async vary(moves: readonly string[]): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      let varied = await this.#try(moves);
      // a decision with a single answer is not asked
      while (varied.moves.length > moves.length && varied.legal.length === 1 && varied.moves.length < 400)
        varied = await this.#try([...varied.moves, varied.legal[0]!]);
      if (this.#closed) return;
      this.variation = varied;
      this.evaluation = null;
      this.shown = varied.view;
      this.error = "";
      this.#updateAddress();
    } catch (error) {
      this.error = errorText(error);
    } finally {
      this.#busy = false;
    }
  }

  #try(moves: readonly string[]): Promise<Varied> {
    return post<Varied>(`/api/tables/${this.#id}/replay/try`, { at: this.at, moves, whose: this.perspective });
  }

  play(move: string): void {
    if (this.variation) void this.vary([...this.variation.moves, move]);
  }

  /** What was played in the position that is shown; after what is drawn by chance, in the next one to decide. */
  explored(): Promise<Explored> {
    const { decision, variation } = this;
    return post<Explored>(`/api/tables/${this.#id}/replay/explore`, { at: decision, moves: variation?.moves ?? [] });
  }

  /** Let the computer evaluate the position of the variation. */
  async evaluate(): Promise<void> {
    const variation = this.variation;
    if (!variation) return;
    this.evaluating = true;
    try {
      const evaluation = await post<Hinted>(`/api/tables/${this.#id}/replay/judge`, {
        at: variation.at,
        moves: variation.moves,
      });
      const { steps } = await this.#try([...variation.moves, evaluation.moves[0]!]);
      if (this.variation === variation) [this.evaluation, this.bestStep] = [evaluation, steps[variation.moves.length]];
      this.error = "";
    } catch (error) {
      this.error = errorText(error);
    }
    this.evaluating = false;
  }

  saveLine(): void {
    if (!this.variation?.moves.length) return;
    const line = { at: this.at, moves: this.variation.moves };
    this.#store([...this.savedLines.filter((one) => !sameLine(one, line)), line]);
  }

  deleteLine(line: Line): void {
    this.#store(this.savedLines.filter((one) => !sameLine(one, line)));
  }

  /** Open a line after its first `shown` moves, to be stepped through. */
  async openLine(line: Line, shown = line.moves.length): Promise<void> {
    if (!this.line) this.#from = this.at;
    this.at = line.at;
    await this.vary(line.moves);
    this.line = this.variation;
    if (shown < line.moves.length) await this.vary(line.moves.slice(0, shown));
  }

  get isSaved(): boolean {
    const variation = this.variation;
    return variation !== null && this.savedLines.some((one) => sameLine(one, variation));
  }

  #store(lines: readonly Line[]): void {
    this.savedLines = lines;
    try {
      localStorage.setItem(STORAGE, JSON.stringify({ ...storedLines(), [this.#id]: lines }));
    } catch {
      // without storage the line is still in the address
    }
  }

  /** Keep the address in step, so that it can be shared and survives a reload. */
  #updateAddress(): void {
    const query = new URLSearchParams();
    if (this.at < this.last || this.variation) query.set("at", String(this.at));
    if (this.perspective !== "all") query.set("whose", this.perspective);
    if (this.variation) query.set("line", this.variation.moves.join(" "));
    const text = String(query);
    if (this.#closed) return;
    replaceAddress(currentAddress().pathname + (text ? `?${text}` : ""));
    this.address = location.href;
  }

  // The analysis

  /** The record of the game, for what is computed on this device. */
  record(): Promise<string> {
    return getText(`/api/tables/${this.#id}/record`);
  }

  /** Have the game analysed, on this device or by the server, which keeps the analysis for everybody. */
  async analyse(here: boolean): Promise<void> {
    try {
      this.analysis = here ? await this.#analyseHere() : await post<Analysed>(`/api/tables/${this.#id}/analysis`, {});
      this.here = here;
      this.error = "";
    } catch (error) {
      this.error = errorText(error);
    }
    this.#schedulePoll();
  }

  async #analyseHere(): Promise<Analysed> {
    const { analyseHere } = await import("../local/analysis");
    return analyseHere(this.#id, await this.record());
  }

  async #pollAnalysis(): Promise<void> {
    try {
      const known = this.analysis?.moves ?? [];
      const update = await this.#progress(known.length);
      this.analysis = { ...update, moves: [...known, ...update.moves] };
    } catch {
      // tried again below, if the analysis is under way
    }
    this.#schedulePoll();
  }

  async #progress(after: number): Promise<Analysed> {
    const analysisHere = async () => (await import("../local/analysis")).analysisHere(this.#id, after);
    if (this.here) return analysisHere();
    const update = await get<Analysed>(`/api/tables/${this.#id}/analysis?after=${after}`);
    if (update.status !== "none" || !settings.offline) return update;
    const kept = await analysisHere();
    if (kept.status === "none") return update;
    this.here = true;
    return kept.status === "done" ? kept : this.#analyseHere(); // goes on where it was left
  }

  #schedulePoll(): void {
    clearTimeout(this.#timer);
    if (!this.#closed && this.analysis?.status === "waiting")
      this.#timer = window.setTimeout(() => void this.#pollAnalysis(), 700);
  }
}

function sameLine(one: Line, other: Line): boolean {
  return one.at === other.at && one.moves.join(" ") === other.moves.join(" ");
}

function storedLines(): Record<string, Line[]> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE) ?? "{}") as Record<string, Line[]>;
  } catch {
    return {};
  }
}
