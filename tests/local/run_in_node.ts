// Calls a function of Python in Pyodide, in Node.js, and prints what it returns as JSON.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { startPython } from "../../web/src/local/python.ts";

interface Asked {
  folder: string;
  files: string[];
  module: string;
  function: string;
  arguments: unknown[];
}

const asked = JSON.parse(process.argv[2]!) as Asked;
const { loadPyodide } = await import(join(asked.folder, "pyodide.mjs"));
const packages = Promise.resolve(new Uint8Array(readFileSync(join(asked.folder, "mchezo.tar"))));
const python = await startPython(loadPyodide, `${asked.folder}/`, packages);
for (const file of asked.files) python.FS.writeFile(join("/home/pyodide", basename(file)), readFileSync(file));
python.globals.set("asked", JSON.stringify(asked));
console.log(
  python.runPython(`
import importlib, json
asked = json.loads(asked)
json.dumps(getattr(importlib.import_module(asked["module"]), asked["function"])(*asked["arguments"]))
`),
);
