// The lobby: who waits for opponents, and what concerns this guest. One WebSocket for all parts of the app that need it.
import type { AnswerChallenge, CorrespondenceSeek, Lobby, NewChallenge, Refused, Seek } from "../messages";
import { ensureIdentity, post, remove } from "../server/api";
import { nameField } from "../settings.svelte";
import { t } from "../words.svelte";

const MAX_RETRY_DELAY = 8000;
export const lobby = $state<{ now: Lobby | null }>({ now: null }); // null: not connected
/** The challenges that were sent from this page: it goes to their games by itself. */
export const sent = new Set<string>();

let users = 0;
let socket: WebSocket | undefined;
let retries = 0;
let timer = 0;

/** Stay connected until the function that is returned is called. */
export function stayInLobby(): () => void {
  if (++users === 1) void connect();
  return () => {
    if (--users) return;
    clearTimeout(timer);
    socket?.close();
    socket = undefined;
    lobby.now = null;
  };
}

async function connect(): Promise<void> {
  try {
    await ensureIdentity();
  } catch {
    return again();
  }
  if (!users || socket) return;
  const address = new URL("/api/lobby/live", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const opened = (socket = new WebSocket(address));
  opened.onmessage = (event: MessageEvent<string>) => {
    const message = JSON.parse(event.data) as Lobby | Refused;
    if (message.type !== "lobby" || opened !== socket) return;
    retries = 0;
    lobby.now = message;
  };
  opened.onclose = () => {
    if (opened !== socket) return;
    socket = undefined;
    again();
  };
}

function again(): void {
  timer = window.setTimeout(() => void connect(), Math.min(MAX_RETRY_DELAY, 300 * 2 ** retries++));
}

function show(now: Lobby): Lobby {
  if (lobby.now) lobby.now = now;
  return now;
}

export const seek = async (asked: Seek) => show(await post<Lobby>("/api/seek", { ...asked, ...nameField() }));
export const stopSeeking = async (found?: string) =>
  show((await remove(`/api/seek${found ? `?table=${found}` : ""}`)) as unknown as Lobby);
export const seekCorrespondence = async (asked: CorrespondenceSeek) =>
  show(await post<Lobby>("/api/seeks", { ...asked, ...nameField() }));
export const withdrawCorrespondence = async (id: string) =>
  show((await remove(`/api/seeks/${id}`)) as unknown as Lobby);
export const daysPerMove = (days: number) =>
  days === 1 ? t("lobby.one-day-per-move") : t("lobby.days-per-move", { days });
export async function challenge(asked: NewChallenge): Promise<void> {
  const now = show(await post<Lobby>("/api/challenges", { ...asked, ...nameField() }));
  for (const one of now.challenges) if (one.yours && one.status === "waiting") sent.add(one.id);
}
export const answer = async (id: string, { accept }: AnswerChallenge) =>
  show(await post<Lobby>(`/api/challenges/${id}`, { accept, ...nameField() }));
export const withdraw = async (id: string) => show((await remove(`/api/challenges/${id}`)) as unknown as Lobby);
