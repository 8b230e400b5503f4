// Our Python in the browser: Pyodide, its standard library, msgspec and our own code, as `mchezo.local.runtime` builds
// them.
import type { PyodideConfig, PyodideInterface } from "pyodide";

type LoadPyodide = (options: PyodideConfig) => Promise<PyodideInterface>;

/** Starts Python, ready to import what is in a tar file. */
export async function startPython(
  loadPyodide: LoadPyodide,
  indexURL: string,
  packages: Promise<Uint8Array>,
): Promise<PyodideInterface> {
  return await loadPyodide({
    indexURL,
    fsInit: async (files, { sitePackages }) => {
      for (const [name, content] of unpack(await packages)) {
        const path = `${sitePackages}/${name}`;
        files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
        files.writeFile(path, content);
      }
    },
  });
}

/** The files in a tar file. */
export function* unpack(archive: Uint8Array): Generator<[name: string, content: Uint8Array]> {
  const text = (from: number, length: number) => {
    const bytes = archive.subarray(from, from + length);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0) < 0 ? length : bytes.indexOf(0)));
  };
  for (let at = 0; at < archive.length && archive[at];) {
    const [folder, size] = [text(at + 345, 155), parseInt(text(at + 124, 12), 8)];
    const name = text(at, 100);
    yield [folder ? `${folder}/${name}` : name, archive.subarray(at + 512, at + 512 + size)];
    at += 512 + Math.ceil(size / 512) * 512;
  }
}
