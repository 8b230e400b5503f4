// The files of Python's folder (see mchezo.local.runtime): what there is, and how large files are loaded and unpacked.

/** What the folder contains. */
export interface Index {
  version: string;
  /** The sizes of the files, as they are sent at most. */
  files: Record<string, number>;
}

/** Files that are compressed, and the names under which Pyodide asks for them. */
const COMPRESSED: Record<string, { file: string; type: string }> = {
  "pyodide.asm.wasm": { file: "interpreter.bin", type: "application/wasm" },
  "python_stdlib.zip": { file: "library.bin", type: "application/zip" },
  "mchezo.tar": { file: "mchezo.bin", type: "application/x-tar" },
};

export async function readIndex(folder: string): Promise<Index> {
  const address = `${folder}index.json`;
  // without a connection, as the browser remembers it: a game goes on
  const response = await fetch(address).catch(() => fetch(address, { cache: "force-cache" }));
  if (!response.ok) throw new Error(`index.json: ${response.status}`);
  return (await response.json()) as Index;
}

/** The content of a compressed file. */
export async function readJson<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
  return (await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).json()) as T;
}

/** Returns `fetch` for Pyodide: the files of a folder are unpacked on the way, and reported as they arrive. */
export function unpackingFetch(folder: string, index: Index, report: (loaded: number) => void): typeof fetch {
  const plain = globalThis.fetch;
  const total = Object.values(COMPRESSED).reduce((sum, { file }) => sum + (index.files[file] ?? 0), 0);
  let loaded = 0;
  const counting = () =>
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        loaded += chunk.length;
        report(loaded / total);
        controller.enqueue(chunk);
      },
    });
  return async (input, init) => {
    const asked = String(input instanceof Request ? input.url : input);
    const found = asked.startsWith(folder) ? COMPRESSED[asked.slice(folder.length)] : undefined;
    if (!found) return await plain(input, init);
    const response = await plain(folder + found.file);
    if (!response.ok || !response.body) throw new Error(`${found.file}: ${response.status}`);
    const body = response.body.pipeThrough(counting()).pipeThrough(new DecompressionStream("gzip"));
    return new Response(body, { headers: { "Content-Type": found.type } });
  };
}
