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

/** What the worker sends: an answer, or why there will be none. */
export type Sent = { ready: true } | { answer: string } | { failed: string };

const send = (sent: Sent) => postMessage(sent);

addEventListener(
  "message",
  (event: MessageEvent<Start>) => {
    void start(event.data).then(
      (answer) => {
        addEventListener("message", ({ data }: MessageEvent<string>) =>
          send(attempt(() => ({ answer: answer(data) }))),
        );
        send({ ready: true });
      },
      (error: unknown) => send({ failed: String(error) }),
    );
  },
  { once: true },
);

async function start({ folder, what, language, name }: Start): Promise<(text: string) => string> {
  const { loadPyodide } = await import(/* @vite-ignore */ `${folder}pyodide.mjs`);
  const python = await startPython(loadPyodide, {
    indexURL: folder,
    read: async (archive) => new Uint8Array(await (await fetch(folder + archive)).arrayBuffer()),
  });
  return python.pyimport("mchezo.local.worker").start(what, language, name) as (text: string) => string;
}

function attempt(make: () => Sent): Sent {
  try {
    return make();
  } catch (error) {
    return { failed: String(error) };
  }
}
