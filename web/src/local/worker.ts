// A worker with Python in it. The first message says what it is for; every later one is a text, answered with a text in
// the same order. A worker that thinks is ended to stop it.
import { startPython } from "./python";

export interface Start {
  /** The folder of Pyodide's files and of the archives. */
  folder: string;
  what: "tables" | "thinking";
  language: string;
  /** Of the person, at new tables. */
  name: string | null;
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

async function start({ folder, what, language, name }: Start): Promise<(text: string) => string> {
  const { loadPyodide } = await import(/* @vite-ignore */ `${folder}pyodide.mjs`);
  send({ loading: 0.1 });
  const python = await startPython(loadPyodide, {
    indexURL: folder,
    read: async (archive) => {
      const response = await fetch(folder + archive);
      if (!response.ok) throw new Error(`${archive}: ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
  });
  send({ loading: 0.7 });
  return python.pyimport("mchezo.local.worker").start(what, language, name) as (text: string) => string;
}

function attempt(make: () => Sent): Sent {
  try {
    return make();
  } catch (error) {
    return { failed: String(error) };
  }
}
