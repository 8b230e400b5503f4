// A server's table in a page in which Python runs already: what moves would do, and earlier positions, are computed
// here, so that choosing a move waits for no line. The server sends facts, and the news that follow from them are made
// here; it sends them itself where something other than a move happens. It stays the judge: every move is sent to it. It
// also answers whatever the worker does not. A game against the computer continues at a local table without a connection.
import type { Command, FromClient, FromServer, Moment, Phrase, Table, View } from "../messages";
import { goInstead } from "../router.svelte";
import { getText } from "../server/api";
import { takenOver } from "../server/reachable.svelte";
import { TableSocket, type TableListener, type TableSource } from "../server/tableSocket";
import { settings } from "../settings.svelte";
import { language } from "../words.svelte";
import type { Heard } from "./calls";
import { desk } from "./desk";
import { isAvailable } from "./folder";
import { append } from "./store";

type News = Extract<FromServer, { type: "news" }>;
type Facts = Extract<FromServer, { type: "facts" }>;
type Move = Extract<Command, { type: "move" }>;

const PATIENCE = 1000; // milliseconds for an answer of the worker, before the server is asked, too
const ATTEMPTS = 3; // to know a table that turns out differently, such as one with a pack of its own
const AWAY = 5000; // milliseconds without a connection, before a game continues here

export class FollowedTable implements TableSource {
  #id: string;
  #desk = desk();
  #socket: TableSocket;
  #listener: TableListener;
  #news: News | undefined; // the last
  #facts: Facts[] = []; // that are still to be told
  #wantsFacts = true; // from the next connection on
  #known = false; // the worker knows the table as of the last news
  #beginning = false;
  #attempts = 0;
  #unwatch: () => void;
  #closed = false;
  #away = false; // there has been no connection for a while
  #awayTimer = 0;
  #move: Move | null = null; // sent and not answered
  #goingOn = false;

  constructor(id: string, listener: TableListener) {
    this.#id = id;
    this.#listener = listener;
    const receive: TableListener["receive"] = (message, answered) => {
      if (message.type === "facts") return this.#hear(message);
      if (message.type === "news") this.#follow(message); // before anybody asks about it
      if (answered && answered === this.#move) this.#move = null;
      listener.receive(message, answered);
    };
    const connection: TableListener["connection"] = (online) => {
      if (online) {
        clearTimeout(this.#awayTimer);
        this.#awayTimer = 0;
        this.#away = false;
      } else
        this.#awayTimer ||= window.setTimeout(() => {
          this.#away = true;
          void this.#goOn();
        }, AWAY);
      listener.connection(online);
    };
    const wantsFacts = () => this.#wantsFacts && this.#attempts < ATTEMPTS && this.#desk.loading.stage === "ready";
    this.#socket = new TableSocket(id, { ...listener, receive, connection }, wantsFacts);
    this.#unwatch = this.#desk.watch(({ stage }) => {
      if (stage === "ready" && this.#news && !this.#known) void this.#begin();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#awayTimer);
    this.#unwatch();
    this.#facts = [];
    this.#socket.close();
    this.#forget();
  }

  request(message: Extract<FromClient, { type: "try" | "hint" }>): Promise<FromServer> {
    const there = () => this.#socket.request(message);
    if (message.type !== "try" || !this.#answersHere) return there();
    const here = this.#desk.call({ call: "send", table: this.#id, message }).then(({ messages: [answer] = [] }) => {
      const counts = answer?.type === "tried" || (answer?.type === "refused" && answer.code === "illegal");
      return counts ? answer : null;
    });
    return this.#first(here, there);
  }

  earlier(made: number, seat: number | null): Promise<View> {
    const there = () => this.#socket.earlier(made, seat);
    if (!this.#answersHere) return there();
    const path = `/api/tables/${this.#id}/moves/${made}?seat=${seat ?? "none"}`;
    const here = this.#desk.call({ call: "request", method: "GET", path, body: null });
    return this.#first(
      here.then((moment) => (moment as Moment).view),
      there,
    );
  }

  command(command: Command): void {
    if (command.type === "move") this.#move = command;
    this.#socket.command(command);
    void this.#goOn();
  }

  say(phrase: Phrase): void {
    this.#socket.say(phrase);
  }

  get #answersHere(): boolean {
    return this.#known && this.#desk.loading.stage === "ready"; // a call would start another worker
  }

  /** The worker's answer. If it has none, or is slow, the server is asked too, and the first answer counts. */
  async #first<T>(here: Promise<T | null>, there: () => Promise<T>): Promise<T> {
    let timer = 0;
    const late = new Promise<undefined>((resolve) => (timer = window.setTimeout(resolve, PATIENCE)));
    const answer = here.catch(() => {
      this.#known = false; // it starts anew with the next news
      return null;
    });
    const found = await Promise.race([answer, late]);
    clearTimeout(timer);
    if (found) return found;
    const server = there();
    return found === null ? server : Promise.race([server, answer.then((found) => found ?? server)]);
  }

  #hear(facts: Facts): void {
    this.#facts.push(facts);
    if (this.#facts.length === 1) void this.#tellNext();
  }

  /** Tell the news that follow from the next facts; the server does if the worker does not. */
  async #tellNext(): Promise<void> {
    const [facts] = this.#facts;
    const before = this.#news;
    if (!facts || !before) return;
    const known = this.#answersHere;
    const heard = known ? await this.#soon(facts, [...before.table.may]) : null;
    if (facts !== this.#facts[0]) return; // the server has told it meanwhile
    if (!heard) {
      const moves = facts.events.every(({ key }) => key === "moved" || key === "drawn");
      if (known && moves) this.#wantsFacts = false; // it would be the same with the next ones
      this.#known = false;
      return this.#socket.renew();
    }
    const { events, views, table } = heard;
    this.#news = {
      type: "news",
      events,
      views,
      table: { ...before.table, ...table, clock: facts.clock ?? null },
      fresh: false,
    };
    this.#facts.shift();
    this.#listener.receive(this.#news);
    void this.#tellNext();
  }

  /** What follows from facts; null if it is not known, or not soon. */
  async #soon(facts: Facts, may: string[]): Promise<Heard | null> {
    let timer = 0;
    const late = new Promise<null>((resolve) => (timer = window.setTimeout(() => resolve(null), PATIENCE)));
    const heard = this.#desk.call({ call: "hear", table: this.#id, facts, may }).catch(() => null);
    const found = await Promise.race([heard, late]);
    clearTimeout(timer);
    return found;
  }

  #follow(news: News): void {
    const { status, seat } = news.table;
    this.#news = news;
    this.#facts = [];
    if (news.table.you.length !== 1) this.#wantsFacts = false; // several seats, or none: not every view is known here
    if (status !== "running" || seat === null) return this.#forget();
    if (this.#desk.loading.stage === "cold" && isAgainstComputers(news.table)) this.#desk.start();
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
    const { status, seat } = this.#news!.table;
    if (status !== "running" || seat === null || this.#beginning || this.#attempts >= ATTEMPTS) return;
    this.#beginning = true;
    this.#attempts++;
    let told: News | null = null;
    try {
      this.#desk.speak(language());
      while (told !== this.#news) {
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
    if (!this.#known && told !== this.#news) void this.#begin(); // it came meanwhile
  }

  /** Go on at a local table, if the connection is lost and somebody waits for it: a computer, or the person's move. */
  async #goOn(): Promise<void> {
    const table = this.#news?.table;
    if (!this.#away || this.#goingOn || !this.#answersHere || !table || !isAgainstComputers(table)) return;
    if (!this.#move && table.to_move === table.seat) return;
    this.#goingOn = true;
    try {
      const moves = [...(this.#move?.moves ?? [])];
      const call = { call: "continue", table: this.#id, clock: table.clock, moves } as const;
      const { table: id, facts, listed } = await this.#desk.call(call);
      if (!this.#away || this.#closed || !(await isAvailable())) return; // computers will need files to think
      const left = { table: this.#id, seat: table.seat!, number: table.number, sent: moves };
      await append([{ id, count: 0, facts: facts![id]!, listed: listed![id]!, left }]);
      settings.removed.push(this.#id); // else the game would be listed twice
      takenOver.table = id;
      if (!this.#closed) goInstead(`/t/${id}`);
    } catch {
      // it waits for the server
    } finally {
      this.#goingOn = false;
    }
  }

  #forget(): void {
    if (this.#answersHere) this.#desk.call({ call: "close", table: this.#id }).catch(() => undefined); // forgotten with its worker
    this.#known = false;
  }
}

/** Whether the person is the only one at a table, and nothing but the game depends on it. */
function isAgainstComputers({ seats, you, settings: { days, rated }, series, tournament }: Table): boolean {
  const alone = seats.every(({ player, yours }) => yours || player?.kind === "computer" || player?.kind === "rival");
  return alone && you.length === 1 && days === null && !rated && !series && !tournament;
}
