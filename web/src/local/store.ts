// Local tables in IndexedDB: their facts, and what lists show of them. An append is one transaction, and refused if
// somebody else (another tab) has appended since.
import type { Analysed, ListedTable } from "../messages";

const DATABASE = "mchezo";
const VERSION = 1;

/** A stored table. */
export interface StoredTable {
  id: string;
  count: number; // of its facts
  listed: ListedTable;
  alive: number; // when its page was last seen open, in milliseconds since 1970
  replay: string | null; // its replay on the server, if it was uploaded
  left?: LeftTable | null; // the server's table whose game goes on here, until that one was ended
}

/** A server's table as it was when its game went on here. */
export interface LeftTable {
  table: string;
  seat: number; // the person's
  number: number; // of the last event
  sent: readonly string[]; // moves that may have reached the server
}

/** New facts of a table, after the first `count` of them. */
export interface Addition {
  id: string;
  count: number;
  facts: readonly string[];
  listed: ListedTable;
  left?: LeftTable;
}

/** Facts were added in another tab since the table was read. */
export class Outdated extends Error {}

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("tables", { keyPath: "id" });
      request.result.createObjectStore("facts"); // by [table, number]
      request.result.createObjectStore("analyses"); // by table, of this device or of a server
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const found = request.result;
      found.onclose = found.onversionchange = () => {
        found.close(); // a newer version of the app may wait for it in another tab
        opened = undefined;
      };
      resolve(found);
    };
  }).catch((error: unknown) => {
    opened = undefined; // try again next time
    throw error;
  });
  return opened;
}

const result = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Do something in one transaction; what it did is on disk when this resolves, or nothing was done. */
async function transact<T>(
  mode: IDBTransactionMode,
  work: (tables: IDBObjectStore, facts: IDBObjectStore, analyses: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const transaction = (await database()).transaction(["tables", "facts", "analyses"], mode, { durability: "strict" });
  const finished = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was aborted"));
  });
  try {
    const [found] = await Promise.all([
      work(
        transaction.objectStore("tables"),
        transaction.objectStore("facts"),
        transaction.objectStore("analyses"),
      ).catch((error: unknown) => {
        transaction.abort();
        throw error;
      }),
      finished,
    ]);
    return found;
  } finally {
    finished.catch(() => undefined); // reported by the work
  }
}

const range = (id: string) => IDBKeyRange.bound([id, 0], [id, Infinity]);

/** Add facts to tables, all or none; a table with no facts so far is new. */
export function append(additions: readonly Addition[]): Promise<void> {
  return transact("readwrite", async (tables, facts) => {
    for (const { id, count, facts: added, listed, left } of additions) {
      const before = (await result(tables.get(id))) as StoredTable | undefined;
      if ((before?.count ?? 0) !== count) throw new Outdated(id);
      added.forEach((fact, index) => facts.add(fact, [id, count + index]));
      tables.put({
        id,
        count: count + added.length,
        listed,
        alive: Date.now(),
        replay: before?.replay ?? null,
        left: before?.left ?? left ?? null,
      } satisfies StoredTable);
    }
  });
}

/** The facts of a table in order; none if there is no such table. */
export function read(id: string): Promise<{ facts: string[]; table: StoredTable | undefined }> {
  return transact("readonly", async (tables, facts) => ({
    table: (await result(tables.get(id))) as StoredTable | undefined,
    facts: (await result(facts.getAll(range(id)))) as string[],
  }));
}

/** All tables, the last changed first. */
export function list(): Promise<StoredTable[]> {
  return transact("readonly", async (tables) => {
    const found = (await result(tables.getAll())) as StoredTable[];
    return found.sort((one, other) => other.listed.changed - one.listed.changed);
  });
}

/** Delete a table, its facts and its analysis. */
export function remove(id: string): Promise<void> {
  return transact("readwrite", async (tables, facts, analyses) => {
    await result(analyses.delete(id));
    await result(tables.delete(id));
    await result(facts.delete(range(id)));
  });
}

/** Change what is stored beside the facts of a table, if it still exists. */
export function note(id: string, change: Partial<Pick<StoredTable, "alive" | "replay" | "left">>): Promise<void> {
  return transact("readwrite", async (tables) => {
    const before = (await result(tables.get(id))) as StoredTable | undefined;
    if (before) await result(tables.put({ ...before, ...change }));
  });
}

/** The analysis of a finished game, as far as it was made on this device. */
export function readAnalysis(id: string): Promise<Analysed | undefined> {
  return transact("readonly", (_tables, _facts, analyses) => result<Analysed | undefined>(analyses.get(id)));
}

/** Keep the analysis of a finished game. */
export function keepAnalysis(id: string, analysis: Analysed): Promise<void> {
  return transact("readwrite", async (_tables, _facts, analyses) => {
    await result(analyses.put(analysis, id));
  });
}
