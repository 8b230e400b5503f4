// Our Python in the browser: Pyodide, msgspec's wheel for it, and the archive of our own code (mchezo.local.bundle).
import type { PyodideInterface } from "pyodide";

/** Where Python is installed from. */
export interface Sources {
  /** Pyodide's own files. */
  indexURL: string;
  /** Reads an archive, by name. */
  read(name: "msgspec.whl" | "mchezo.zip"): Promise<Uint8Array>;
}

const SITE_PACKAGES = "/lib/python3.14/site-packages";

/** Starts Python, ready to import mchezo. */
export async function startPython(
  loadPyodide: (options: { indexURL: string }) => Promise<PyodideInterface>,
  { indexURL, read }: Sources,
): Promise<PyodideInterface> {
  const archives = Promise.all([read("msgspec.whl"), read("mchezo.zip")]); // while Pyodide is loading
  const python = await loadPyodide({ indexURL });
  for (const archive of await archives) python.unpackArchive(archive, "zip", { extractDir: SITE_PACKAGES });
  return python;
}
