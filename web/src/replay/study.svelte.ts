// A finished game being looked at: which moment, through whose eyes, and what else could have been played.
import type { Analysed, AnalysedMove, Hinted, Preview, Replay, ReplayStep, ReplayViews, Varied, View } from "../messages";
import { Refusal, get, post } from "../server/api";
import { t } from "../words.svelte";

export type Line = { at: number; moves: readonly string[] };
const CHUNK = 20; // views asked for at once
const KEPT = "mchezo-lines";

export class Study {
  replay = $state.raw<Replay | null>(null);
  at = $state(0); // moves of the game made; with a variation, where it branches off
  whose = $state("all");
  shown = $state.raw<View | null>(null);
  varied = $state.raw<Varied | null>(null); // the variation, and what could be played next
  analysed = $state.raw<Analysed | null>(null);
  judged = $state.raw<Hinted | null>(null); // what the computer thinks of the variation's position
  judging = $state(false);
  kept = $state.raw<readonly Line[]>([]);
  trouble = $state("");
  gone = $state("");

  #id: string;
  #views = new Map<string, Promise<ReplayViews>>();
  #timer = 0;
  #closed = false;
  #busy = false;

  constructor(id: string) {
    this.#id = id;
    this.kept = lines()[id] ?? [];
    void this.#begin();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  get steps(): readonly ReplayStep[] {
    return this.replay?.steps ?? [];
  }

  get last(): number {
    return this.steps.length;
  }

  /** What is thought of the next decision from the moment shown, and of the one that led here. */
  get next(): AnalysedMove | undefined {
    return this.varied ? undefined : this.analysed?.moves.find((move) => move.number === this.at);
  }

  get before(): AnalysedMove | undefined {
    return this.varied ? undefined : this.analysed?.moves.find((move) => move.number === this.at - 1);
  }

  get legal(): readonly string[] {
    return this.varied?.legal ?? [];
  }

  get previews(): Record<string, Preview> | null {
    return this.varied?.previews ?? null;
  }

  async #begin(): Promise<void> {
    const asked = new URLSearchParams(location.search);
    const whose = asked.get("whose");
    if (whose && /^([0-3]|none|all)$/.test(whose)) this.whose = whose;
    try {
      this.replay = await get<Replay>(`/api/tables/${this.#id}/replay?whose=${this.whose}`);
    } catch (error) {
      this.gone = said(error);
      return;
    }
    this.at = Math.min(this.last, Math.max(0, Number(asked.get("at") ?? this.last) || 0));
    await this.#show();
    const line = asked.get("line");
    if (line !== null) await this.vary(line.split(" ").filter(Boolean));
    await this.#hear();
  }

  /** Another moment of the game; a variation is left. */
  async go(to: number): Promise<void> {
    this.varied = this.judged = null;
    this.at = Math.min(this.last, Math.max(0, to));
    await this.#show();
  }

  /** A step back or on, in the variation if there is one. */
  async step(by: number): Promise<void> {
    const varied = this.varied;
    if (!varied) return this.go(this.at + by);
    if (by > 0) return;
    let left = varied.moves.length - 1;
    while (left > 0 && varied.steps[left]?.seat === null) left--; // chance is not drawn again
    if (left < 0) await this.go(this.at);
    else await this.vary(varied.moves.slice(0, left));
  }

  async look(whose: string): Promise<void> {
    this.whose = whose;
    try {
      this.replay = await get<Replay>(`/api/tables/${this.#id}/replay?whose=${whose}`);
    } catch (error) {
      this.trouble = said(error);
    }
    if (this.varied) await this.vary(this.varied.moves);
    else await this.#show();
  }

  async #show(): Promise<void> {
    const [at, whose] = [this.at, this.whose];
    const first = at - (at % CHUNK);
    const key = `${whose}:${first}`;
    if (!this.#views.has(key))
      this.#views.set(key, get<ReplayViews>(`/api/tables/${this.#id}/replay/views?whose=${whose}&first=${first}&count=${CHUNK}`));
    try {
      const { views } = await this.#views.get(key)!;
      if (this.at === at && this.whose === whose && !this.varied) this.shown = views[at - first] ?? this.shown;
      this.#note();
    } catch (error) {
      this.#views.delete(key);
      this.trouble = said(error);
    }
  }

  // Variations

  /** Other moves from here; with none, only what could be played. */
  async vary(moves: readonly string[]): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      let found = await this.#try(moves);
      // a decision with one answer is no question
      while (found.moves.length > moves.length && found.legal.length === 1 && found.moves.length < 400)
        found = await this.#try([...found.moves, found.legal[0]!]);
      if (this.#closed) return;
      this.varied = found;
      this.judged = null;
      this.shown = found.view;
      this.trouble = "";
      this.#note();
    } catch (error) {
      this.trouble = said(error);
    } finally {
      this.#busy = false;
    }
  }

  #try(moves: readonly string[]): Promise<Varied> {
    return post<Varied>(`/api/tables/${this.#id}/replay/try`, { at: this.at, moves, whose: this.whose });
  }

  play(move: string): void {
    if (this.varied) void this.vary([...this.varied.moves, move]);
  }

  /** Let the computer judge the position that is shown. */
  async judge(): Promise<void> {
    const varied = this.varied;
    if (!varied) return;
    this.judging = true;
    try {
      const judged = await post<Hinted>(`/api/tables/${this.#id}/replay/judge`, { at: varied.at, moves: varied.moves });
      if (this.varied === varied) this.judged = judged;
      this.trouble = "";
    } catch (error) {
      this.trouble = said(error);
    }
    this.judging = false;
  }

  keep(): void {
    if (!this.varied?.moves.length) return;
    const line = { at: this.at, moves: this.varied.moves };
    this.#remember([...this.kept.filter((one) => !same(one, line)), line]);
  }

  drop(line: Line): void {
    this.#remember(this.kept.filter((one) => !same(one, line)));
  }

  async open(line: Line): Promise<void> {
    this.at = line.at;
    await this.vary(line.moves);
  }

  get isKept(): boolean {
    const varied = this.varied;
    return varied !== null && this.kept.some((one) => same(one, varied));
  }

  #remember(kept: readonly Line[]): void {
    this.kept = kept;
    try {
      localStorage.setItem(KEPT, JSON.stringify({ ...lines(), [this.#id]: kept }));
    } catch {
      // a browser without storage: the link still has the line
    }
  }

  /** The address says where we are: it can be sent to somebody, and survives a reload. */
  #note(): void {
    const query = new URLSearchParams();
    if (this.at < this.last || this.varied) query.set("at", String(this.at));
    if (this.whose !== "all") query.set("whose", this.whose);
    if (this.varied) query.set("line", this.varied.moves.join(" "));
    const text = String(query);
    if (!this.#closed) history.replaceState(null, "", location.pathname + (text ? `?${text}` : ""));
  }

  // The analysis

  async analyse(): Promise<void> {
    try {
      this.analysed = await post<Analysed>(`/api/tables/${this.#id}/analysis`, {});
      this.trouble = "";
    } catch (error) {
      this.trouble = said(error);
    }
    this.#wait();
  }

  async #hear(): Promise<void> {
    try {
      const known = this.analysed?.moves ?? [];
      const news = await get<Analysed>(`/api/tables/${this.#id}/analysis?after=${known.length}`);
      this.analysed = { ...news, moves: [...known, ...news.moves] };
    } catch {
      // asked again below, if it was under way
    }
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (!this.#closed && this.analysed?.status === "waiting") this.#timer = window.setTimeout(() => void this.#hear(), 700);
  }
}

function same(one: Line, other: Line): boolean {
  return one.at === other.at && one.moves.join(" ") === other.moves.join(" ");
}

function lines(): Record<string, Line[]> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Record<string, Line[]>;
  } catch {
    return {};
  }
}

export function said(error: unknown): string {
  return error instanceof Refusal ? error.message : t("app.failed");
}
