// Requests that this device answers itself, as the server would (mchezo.local.api).
import type { CreatedTable, CreateTable, Me, Uploaded, Vary } from "../messages";
import { ApiError } from "../server/api";
import { settings } from "../settings.svelte";
import { language, t } from "../words.svelte";
import { analyseHere, analysisHere } from "./analysis";
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
  if (method === "POST" && path === "/api/records") return (await importRecord(body as { record: string })) as T;
  const table = localTable(path);
  const study = table && /\/(analysis|replay\/judge)\b/.exec(path);
  if (study) return inWords(() => answerStudy<T>(table, study[1]!, method, path, body));
  return inWords(async () => {
    const found = method === "GET" ? await kept(path) : undefined;
    if (found !== undefined) return found as T;
    desk().speak(language());
    if (table) {
      const { facts } = await read(table);
      if (!facts.length) throw new ApiError(refusal("unknown-table", t("local.unknown")));
      await desk().call({ call: "open", table, facts });
    }
    return (await desk().call({ call: "request", method, path, body: body ?? null })) as T;
  });
}

/** The answer to a request that has to be thought about: the analysis of a game, or of a variation. */
async function answerStudy<T>(table: string, what: string, method: string, path: string, body: unknown): Promise<T> {
  if (what === "analysis" && method === "GET")
    return (await analysisHere(table, Number(new URL(path, location.href).searchParams.get("after")))) as T;
  const record = await answer<string>("GET", `/api/tables/${table}/record`);
  if (what === "analysis") return (await analyseHere(table, record)) as T;
  const { at, moves = [] } = body as Vary;
  const [best] = await desk().think({ think: "lines", record, at, moves: [...moves], count: 1, effort: 16 });
  if (!best) throw new ApiError(refusal("not-possible", t("engine.nothing")));
  return best as T;
}

/** Create a finished table on this device from a record. */
async function importRecord({ record }: { record: string }): Promise<Uploaded> {
  return inWords(async () => {
    desk().speak(language());
    const { table, facts, listed } = await desk().call({ call: "import", record });
    await append([{ id: table, count: 0, facts: facts![table]!, listed: listed![table]! }]);
    return { id: table };
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
    if (error instanceof ApiError) throw error;
    if (error instanceof CallRefused) throw new ApiError(error.refused);
    const words = t(error instanceof WorkerFailed ? "local.failed" : "local.not-stored");
    throw new ApiError(refusal("unavailable", words));
  }
}
