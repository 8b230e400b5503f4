// A server's table in a page in which Python runs already: what moves would do, and earlier positions, are computed
// here, so that choosing a move waits for no line. The server stays the judge: what it sends is shown, and every move is
// sent to it. It also answers whatever the worker does not.
import type { Command, FromClient, FromServer, Moment, Phrase, View } from "../messages";
import { getText } from "../server/api";
import { TableSocket, type TableListener, type TableSource } from "../server/tableSocket";
import { language } from "../words.svelte";
import { desk } from "./desk";

type News = Extract<FromServer, { type: "news" }>;

const PATIENCE = 1000; // milliseconds for an answer of the worker, before the server is asked
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
    if (message.type === "try" && this.#answersHere) {
      const changed = await this.#soon(this.#desk.call({ call: "send", table: this.#id, message }));
      const answer = changed?.messages?.[0];
      if (answer?.type === "tried" || (answer?.type === "refused" && answer.code === "illegal")) return answer;
    }
    return this.#socket.request(message);
  }

  async earlier(made: number, seat: number | null): Promise<View> {
    if (this.#answersHere) {
      const path = `/api/tables/${this.#id}/moves/${made}?seat=${seat ?? "none"}`;
      const moment = await this.#soon(this.#desk.call({ call: "request", method: "GET", path, body: null }));
      if (moment) return (moment as Moment).view;
    }
    return this.#socket.earlier(made, seat);
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

  /** What the worker answers; null if it refuses, breaks, or takes too long. Then it starts anew with the next news. */
  async #soon<T>(answer: Promise<T>): Promise<T | null> {
    let timer = 0;
    const late = new Promise<null>((resolve) => (timer = window.setTimeout(() => resolve(null), PATIENCE)));
    const found = await Promise.race([answer.catch(() => null), late]);
    clearTimeout(timer);
    if (found === null) this.#known = false;
    return found;
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
