// The WebSocket of a table: it reconnects by itself, resumes after the last event received, and repeats what was not
// answered. Every request is answered in the end.
import type { Command, FromClient, FromServer, Moment, Phrase, View } from "../messages";
import { get } from "./api";

/** Where messages about a table come from. */
export interface TableSource {
  /** Ask for something that changes nothing. */
  request(message: Extract<FromClient, { type: "try" | "hint" }>): Promise<FromServer>;
  /** The view of a seat, or of a spectator, after a number of moves. */
  earlier(made: number, seat: number | null): Promise<View>;
  /** Do something; the answer is received like any other message, together with the command. */
  command(command: Command): void;
  /** Say something, if there is a connection. */
  say(phrase: Phrase): void;
  close(): void;
}

/** What is done with messages that are not answers to requests. */
export interface TableListener {
  receive(message: FromServer, answered?: Command): void;
  connection(online: boolean): void;
  /** The number of the last event received. */
  lastNumber(): number;
  /** How much of a local table's program is loaded, from 0 to 1; null: all of it. */
  loading(done: number | null): void;
  /** Something keeps the table from going on, and a button can change that; null: no more. */
  blocked(obstacle: Obstacle | null): void;
}

export interface Obstacle {
  words: string;
  button: string;
  act(): void;
}

const UNRECOVERABLE = new Set(["unknown-table", "set-aside"]);
const MAX_RETRY_DELAY = 8000;

interface Unanswered {
  message: { id?: string };
  resolve(answer: FromServer): void;
}

export class TableSocket implements TableSource {
  #id: string;
  #listener: TableListener;
  #wantsFacts: () => boolean;
  #socket: WebSocket | undefined;
  #retries = 0;
  #retryTimer = 0;
  #closed = false;
  #unanswered = new Map<string, Unanswered>(); // sent again under the same id after a reconnect

  /** With `wantsFacts`, asked at every connection, `facts` come in place of `news`, after the first. */
  constructor(id: string, listener: TableListener, wantsFacts = () => false) {
    this.#id = id;
    this.#listener = listener;
    this.#wantsFacts = wantsFacts;
    this.#connect();
    document.addEventListener("visibilitychange", this.#look);
  }

  close(): void {
    this.#closed = true;
    document.removeEventListener("visibilitychange", this.#look);
    clearTimeout(this.#retryTimer);
    this.#socket?.close();
  }

  /** Connect anew: the first message is the news since the last event. Nobody sees the player leave. */
  renew(): void {
    const before = this.#socket;
    if (!before || before.readyState !== WebSocket.OPEN) return; // it is on its way
    before.onclose = before.onmessage = null;
    this.#connect();
    this.#socket!.addEventListener("open", () => before.close());
    this.#socket!.addEventListener("close", () => before.close());
  }

  request(message: Extract<FromClient, { type: "try" | "hint" }>): Promise<FromServer> {
    return new Promise((resolve) => this.#ask(message.id!, { message, resolve }));
  }

  async earlier(made: number, seat: number | null): Promise<View> {
    return (await get<Moment>(`/api/tables/${this.#id}/moves/${made}?seat=${seat ?? "none"}`)).view;
  }

  command(command: Command): void {
    this.#ask(command.id, { message: command, resolve: (answer) => this.#listener.receive(answer, command) });
  }

  say(phrase: Phrase): void {
    this.#send({ type: "say", phrase });
  }

  /** Say whether the player is looking at the table; if so, no notice of the turn is sent. */
  #look = (): void => this.#send({ type: "look", looking: !document.hidden });

  #ask(id: string, unanswered: Unanswered): void {
    this.#unanswered.set(id, unanswered);
    this.#send(unanswered.message);
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    const address = new URL(`/api/tables/${this.#id}/live`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", String(this.#listener.lastNumber()));
    if (this.#wantsFacts()) address.searchParams.set("want", "facts");
    const socket = (this.#socket = new WebSocket(address));
    socket.onmessage = (event: MessageEvent<string>) => this.#receive(JSON.parse(event.data) as FromServer);
    socket.onopen = () => {
      if (document.hidden) this.#look();
      for (const { message } of this.#unanswered.values()) this.#send(message);
    };
    socket.onclose = () => {
      if (this.#closed) return;
      this.#listener.connection(false);
      const delay = Math.min(MAX_RETRY_DELAY, 300 * 2 ** this.#retries++);
      this.#retryTimer = window.setTimeout(() => this.#connect(), delay);
    };
  }

  #receive(message: FromServer): void {
    if (message.type === "ping") return this.#send({ type: "pong", at: message.at });
    if (message.type === "news") {
      this.#retries = 0;
      this.#listener.connection(true);
    }
    const id = "id" in message ? message.id : null;
    const unanswered = id === null ? undefined : this.#unanswered.get(id);
    const seconds = waitBeforeRetry(message);
    if (unanswered && seconds) {
      window.setTimeout(() => this.#unanswered.has(id!) && this.#send(unanswered.message), seconds * 1000);
      return;
    }
    if (message.type === "refused" && UNRECOVERABLE.has(message.code)) this.close();
    if (id !== null) this.#unanswered.delete(id);
    if (unanswered) unanswered.resolve(message);
    else this.#listener.receive(message);
  }
}

/** How many seconds to wait before a request that exceeded a rate limit is sent again; 0 for any other answer. */
function waitBeforeRetry(answer: FromServer): number {
  if (answer.type !== "refused" || answer.code !== "too-often") return 0;
  return Math.min(10, Number(answer.told.arguments.seconds) || 1);
}
