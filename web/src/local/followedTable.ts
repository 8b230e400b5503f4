// A server's table in a page in which Python runs already: what moves would do, and earlier positions, are computed
// here, so that choosing a move waits for no line. The server stays the judge: what it sends is shown, and every move is
// sent to it. It also answers whatever the worker does not.
import type { Command, FromClient, FromServer, Moment, Phrase, View } from "../messages";
import { getText } from "../server/api";
import { TableSocket, type TableListener, type TableSource } from "../server/tableSocket";
import { language } from "../words.svelte";
import { desk } from "./desk";

type News = Extract<FromServer, { type: "news" }>;

const PATIENCE = 1000; // milliseconds for an answer of the worker, before the server is asked, too
const ATTEMPTS = 3; // to know a table that turns out differently, such as one with a pack of its own

export class FollowedTable implements TableSource {
  #id: string;
  #desk = desk();
  #socket: TableSocket;
  #news: News | undefined; // the last
  #known = false; // the worker knows the table as of the last news
  #beginning = false;
  #attempts = 0;

  constructor(id: string, listener: TableListener) {
    this.#id = id;
    this.#socket = new TableSocket(id, {
      ...listener,
      receive: (message, answered) => {
        if (message.type === "news") this.#follow(message); // before anybody asks about it
        listener.receive(message, answered);
      },
    });
  }

  close(): void {
    this.#socket.close();
    this.#forget();
  }

  async request(message: Extract<FromClient, { type: "try" | "hint" }>): Promise<FromServer> {
    const ask = () => this.#socket.request(message);
    if (message.type !== "try" || !this.#answersHere) return ask();
    const here = this.#desk.call({ call: "send", table: this.#id, message }).then(({ messages }) => {
      const answer = messages?.[0];
      return answer?.type === "tried" || (answer?.type === "refused" && answer.code === "illegal") ? answer : null;
    });
    return this.#first<FromServer>(here, ask);
  }

  async earlier(made: number, seat: number | null): Promise<View> {
    const ask = () => this.#socket.earlier(made, seat);
    if (!this.#answersHere) return ask();
    const path = `/api/tables/${this.#id}/moves/${made}?seat=${seat ?? "none"}`;
    const here = this.#desk.call({ call: "request", method: "GET", path, body: null });
    return this.#first(
      here.then((moment) => (moment as Moment).view),
      ask,
    );
  }

  command(command: Command): void {
    this.#socket.command(command);
  }

  say(phrase: Phrase): void {
    this.#socket.say(phrase);
  }

  get #answersHere(): boolean {
    return this.#known && this.#desk.loading.stage === "ready"; // a call would start another worker
  }

  /** The worker's answer. If it is null, fails or takes long, the server is asked, and the first answer counts. */
  async #first<T>(here: Promise<T | null>, ask: () => Promise<T>): Promise<T> {
    let timer = 0;
    const late = new Promise<null>((resolve) => (timer = window.setTimeout(() => resolve(null), PATIENCE)));
    const answer = here.catch(() => null);
    const soon = await Promise.race([answer, late]);
    clearTimeout(timer);
    if (soon !== null) return soon;
    this.#known = false; // the next news starts it anew
    const never = new Promise<never>(() => undefined);
    return Promise.race([ask(), answer.then((found) => found ?? never)]);
  }

  #follow(news: News): void {
    const { status, seat } = news.table;
    this.#news = news;
    if (status !== "running" || seat === null) return this.#forget();
    if (this.#desk.loading.stage !== "ready") this.#known = false;
    else if (!this.#known) void this.#begin();
    else
      this.#desk.call({ call: "follow", table: this.#id, news }).catch(() => {
        this.#known = false;
        void this.#begin();
      });
  }

  /** Have the worker build the table from what the server lets this player know. */
  async #begin(): Promise<void> {
    if (this.#beginning || this.#attempts >= ATTEMPTS) return;
    this.#beginning = true;
    this.#attempts++;
    try {
      this.#desk.speak(language());
      for (let told: News | undefined; told !== this.#news;) {
        told = this.#news!;
        const record = await getText(`/api/tables/${this.#id}/record?seat=${told.table.seat}`);
        await this.#desk.call({ call: "follow", table: this.#id, news: told, record });
      }
      this.#known = true;
      this.#attempts = 0;
    } catch {
      // the next news is another attempt
    }
    this.#beginning = false;
  }

  #forget(): void {
    if (this.#answersHere) this.#desk.call({ call: "close", table: this.#id }).catch(() => undefined); // forgotten with its worker
    this.#known = false;
  }
}
