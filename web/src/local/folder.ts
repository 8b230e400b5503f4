import { BASE } from "../base";

/** Whether the app was written as a static site, without a server (`mchezo site`). */
export const STATIC = document.querySelector('meta[name="mchezo-static"]') !== null;

/** The folder of Python's files, served beside the app. */
export const RUNTIME = new URL("local/", BASE).href;

/** Whether everything is on this device that games without a connection need: it was made available offline. */
export async function isAvailable(): Promise<boolean> {
  return "caches" in globalThis && (await caches.match(`${RUNTIME}index.json`)) !== undefined;
}
