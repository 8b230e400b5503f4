// A worker with Python in it. The first message says what it is for; every later one is a text, answered with a text in
// the same order. A worker that thinks is ended to stop it.
import { readIndex, unpackingFetch } from "./download";
import { startPython } from "./python";

export interface Start {
  /** The folder of Python's files. */
  folder: string;
  what: "tables" | "thinking";
  language: string;
  /** Of the person, at new tables. */
  name: string | null;
  /** The name of a lock that the worker holds as long as it lives, however it ends. */
  lock: string;
}

/** What the worker sends: how much is loaded (from 0 to 1), an answer, or why there will be none. */
export type Sent = { loading: number } | { ready: true } | { answer: string } | { failed: string };

const send = (sent: Sent) => postMessage(sent);

addEventListener(
  "message",
  (event: MessageEvent<Start>) => {
    const early: string[] = []; // what was asked before Python was ready
    const keep = ({ data }: MessageEvent<string>) => early.push(data);
    addEventListener("message", keep);
    void start(event.data).then(
      (answer) => {
        const reply = (asked: string) => send(attempt(() => ({ answer: answer(asked) })));
        removeEventListener("message", keep);
        addEventListener("message", ({ data }: MessageEvent<string>) => reply(data));
        send({ ready: true });
        early.forEach(reply);
      },
      (error: unknown) => send({ failed: String(error) }),
    );
  },
  { once: true },
);

async function start({ folder, what, language, name, lock }: Start): Promise<(text: string) => string> {
  await hold(lock);
  send({ loading: 0 });
  const index = await readIndex(folder);
  const files = `${folder}${index.version}/`;
  let reported = 0;
  globalThis.fetch = unpackingFetch(files, index, (loaded) => {
    if (loaded - reported > 0.01) send({ loading: 0.8 * (reported = loaded) }); // the rest is Python's start
  });
  const packages = fetch(`${files}mchezo.tar`).then(async (response) => new Uint8Array(await response.arrayBuffer()));
  packages.catch(() => undefined); // reported by startPython
  const { loadPyodide } = await import(/* @vite-ignore */ `${files}pyodide.mjs`);
  const python = await startPython(loadPyodide, files, packages);
  send({ loading: 0.9 });
  return python.pyimport("mchezo.local.worker").start(what, language, name) as (text: string) => string;
}

/** Hold a lock for good; without Web Locks (plain HTTP) nothing happens. */
function hold(lock: string): Promise<void> {
  return new Promise((resolve) => {
    if (!("locks" in navigator)) return resolve();
    void navigator.locks.request(lock, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
}

function attempt(make: () => Sent): Sent {
  try {
    return make();
  } catch (error) {
    return { failed: String(error) };
  }
}
