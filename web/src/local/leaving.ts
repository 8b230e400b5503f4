// The server's tables whose games went on here, once there is a connection again.
import type { FromServer } from "../messages";
import { ApiError, get, remove } from "../server/api";
import { settings } from "../settings.svelte";
import { list, note, type LeftTable } from "./store";

type News = Extract<FromServer, { type: "news" }>;

/** End them without a result: their games are here. One that the person went on with, on another device, is listed again. */
export async function endAtServer(): Promise<void> {
  for (const { id, left } of await list()) {
    if (!left) continue;
    try {
      if (await goesOnThere(left)) listAgain(left);
      else await remove(`/api/tables/${left.table}`);
    } catch (error) {
      if (!(error instanceof ApiError)) return; // there is no connection
    }
    await note(id, { left: null });
  }
}

/** Show a server's table among the own games: no game here stands for it. */
export function listAgain({ table }: LeftTable): void {
  settings.removed = settings.removed.filter((id) => id !== table);
}

async function goesOnThere({ table, seat, number, sent }: LeftTable): Promise<boolean> {
  const { events } = await get<News>(`/api/tables/${table}/news?after=${number}`);
  const own = events.filter((event) => event.number > number && event.key === "moved" && event.seat === seat);
  return own.some((event, index) => event.key === "moved" && event.move !== sent[index]);
}
