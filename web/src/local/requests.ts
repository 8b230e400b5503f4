// Requests that this device answers itself, as the server would (mchezo.local.api).
import type { CreatedTable, CreateTable, Me } from "../messages";
import { ApiError } from "../server/api";
import { settings } from "../settings.svelte";
import { language, t } from "../words.svelte";
import { kept } from "./content";
import { CallRefused, desk, WorkerFailed } from "./desk";
import { localTable } from "./ids";
import { refusal } from "./refusal";
import { append, read } from "./store";

// Without a server nobody has an account, and there is nobody to tell a name to.
const ME: Me = { name: null, id: "", bot: false, avatar: null, account: false };

/** The answer to a request; a refusal is an error as if the server had sent it. */
export async function answer<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (method === "POST" && path === "/api/tables") return (await create(body as CreateTable)) as T;
  if (path === "/api/me") return ME as T;
  return inWords(async () => {
    const found = method === "GET" ? await kept(path) : undefined;
    if (found !== undefined) return found as T;
    desk().speak(language());
    const table = localTable(path);
    if (table) await desk().call({ call: "open", table, facts: (await read(table)).facts });
    return (await desk().call({ call: "request", method, path, body: body ?? null })) as T;
  });
}

/** Create a table on this device. */
export async function create(request: CreateTable): Promise<Pick<CreatedTable, "id">> {
  return inWords(async () => {
    desk().speak(language());
    const { table, facts, listed } = await desk().call({ call: "create", request });
    await append([{ id: table, count: 0, facts: facts![table]!, listed: listed![table]! }]);
    settings.offline = true;
    void navigator.storage?.persist?.(); // the browser may ask, or decide by itself
    return { id: table };
  });
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CallRefused) throw new ApiError(error.refused);
    const words = t(error instanceof WorkerFailed ? "local.failed" : "local.not-stored");
    throw new ApiError(refusal("unavailable", words));
  }
}
