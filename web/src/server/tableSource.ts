import { isAvailable } from "../local/folder";
import { localTable } from "../local/ids";
import { python } from "../local/started";
import { TableSocket, type TableListener, type TableSource } from "./tableSocket";

/** The source of a table's messages: its server or, by its id, this device; null if there is no such table. */
export async function openTable(id: string, listener: TableListener): Promise<TableSource | null> {
  if (localTable(id) === id) return new (await import("../local")).LocalTable(id, listener);
  if (!/^[0-9A-Za-z]{12}$/.test(id)) return null;
  return python.started || (await isAvailable())
    ? new (await import("../local")).FollowedTable(id, listener)
    : new TableSocket(id, listener);
}
