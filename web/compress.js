// Every built file is also stored compressed, as well as can be: the server sends it as it is (transport/pages.py).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const COMPRESSIBLE = /^assets\/.*\.(js|css|svg|wav)$/;
const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Vite plugin: NAME.br and NAME.gz beside every script, style sheet, drawing and sound. */
export function compress() {
  return {
    name: "compress",
    apply: "build",
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name))) {
        const path = join(dir, name);
        const content = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(content, BEST));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
