// The page's side of the service worker (src/serviceWorker.ts): registering it, downloading, updating, removing.
import { BASE } from "../base";
import { RUNTIME } from "../local/folder";
import { settings } from "../settings.svelte";
import type { Download } from "./download";

/** A new version is installed and waits for this page to be reloaded. */
export const update = $state<{ waiting: ServiceWorker | null }>({ waiting: null });

/** Whether this browser can keep the app: only on https and localhost, and not in private windows of some browsers. */
export const supported = "serviceWorker" in navigator && "caches" in globalThis;

const PATIENCE = 60_000; // milliseconds without a report: browsers stop service workers that take long

/** Register the service worker, and take note of new versions. */
export async function register(): Promise<void> {
  let { controller } = navigator.serviceWorker;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (controller) location.reload(); // all pages change to the new version together
    ({ controller } = navigator.serviceWorker);
  });
  const registration = await navigator.serviceWorker.register(new URL("service-worker.js", BASE), { scope: BASE });
  const look = () => {
    if (registration.active && registration.waiting) update.waiting = registration.waiting;
  };
  const watch = () => registration.installing?.addEventListener("statechange", look);
  look();
  watch(); // it may have been found before
  registration.addEventListener("updatefound", watch);
  const ask = () => document.hidden || registration.update().catch(() => undefined); // without a connection: next time
  void ask();
  document.addEventListener("visibilitychange", ask);
}

/** Change to the new version. */
export function reload(): void {
  update.waiting?.postMessage("replace");
}

/** The bytes to download for games without a connection; null if the host does not have them. */
export async function downloadSize(): Promise<number | null> {
  try {
    const { readIndex } = await import("../local");
    const { files } = await readIndex(RUNTIME);
    return Object.values(files).reduce((sum, size) => sum + size, 0);
  } catch {
    return null;
  }
}

/** Keep the app and Python in this browser; reports the bytes loaded. Called again it goes on where it stopped. */
export async function makeAvailable(report: (loaded: number) => void): Promise<void> {
  await register();
  const { active } = await navigator.serviceWorker.ready;
  let timer = 0;
  await new Promise<void>((resolve, reject) => {
    const expectMore = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => reject(new Error("the service worker was stopped")), PATIENCE);
    };
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<Download>) => {
      expectMore();
      if ("loaded" in data) report(data.loaded);
      else if ("done" in data) resolve();
      else reject(new Error(data.failed));
    };
    active!.postMessage("download", [port2]);
    expectMore();
  }).finally(() => clearTimeout(timer));
  settings.offline = true;
  void navigator.storage?.persist?.(); // Firefox asks the user; without it the files go when space is short
}

/** Remove everything that was kept; games on this device stay. */
export async function removeAll(): Promise<void> {
  for (const registration of await navigator.serviceWorker.getRegistrations())
    if (registration.scope === BASE) await registration.unregister();
  for (const name of await caches.keys()) if (name.startsWith("mchezo-")) await caches.delete(name);
  settings.offline = false;
}

/** The record that another app has shared with this one; only once. */
export async function takeShared(): Promise<string | null> {
  const cache = await caches.open("mchezo-shared");
  const found = await cache.match(new URL("shared", BASE));
  await caches.delete("mchezo-shared");
  return found ? await found.text() : null;
}
