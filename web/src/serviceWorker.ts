// The app without a connection: this service worker keeps all of its files, and Python's if they were asked for. It is
// registered only then, once the app is installed, or to show notices of turns. A new version is fetched whole, checked file by file, before it
// takes the place of the old one; nothing of the server's API is ever kept.
import type { Download } from "./offline/download";
import { handlePushes, type PushScope } from "./push";

/** What a version consists of: paths relative to the app, with their hashes. */
interface Version {
  /** Names of the caches. */
  app: string;
  python: string;
  files: Record<string, string>;
  pythonFiles: Record<string, string>;
}

// TypeScript's library has the types of pages or those of workers, not both.
interface LifeEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface RequestEvent extends LifeEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LifeEvent) => void): void;
  addEventListener(type: "message", listener: (event: LifeEvent & MessageEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: RequestEvent) => void): void;
}

declare const VERSION: Version; // written before this script where it is served (mchezo.server.transport.precache)
const worker = self as unknown as Scope;
handlePushes(self as unknown as PushScope);

const HOME = worker.registration.scope; // where the app is
const PYTHON_INDEX = "local/index.json"; // is stored last: with it Python is complete
const SHARED = "mchezo-shared"; // a record on its way from another app to the page that shows it
const NOT_A_PAGE = /^(api|schema|local|assets)\/|^(metrics|healthz|readyz)$|\.[^/]*$/;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));

worker.addEventListener("message", (event) => {
  if (event.data === "complete") event.waitUntil(install());
  if (event.data === "replace") event.waitUntil(install().then(() => worker.skipWaiting())); // it may have lost files
  if (event.data === "download") event.waitUntil(download(event.ports[0]!));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (!request.url.startsWith(HOME)) return;
  const path = new URL(request.url).pathname.slice(new URL(HOME).pathname.length);
  if (request.method === "POST" && path === "share") event.respondWith(receive(request));
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    if (!NOT_A_PAGE.test(path) || path === "index.html")
      event.respondWith(stored(VERSION.app, VERSION.files, "", request));
  } else if (path in VERSION.files) event.respondWith(stored(VERSION.app, VERSION.files, path, request));
  else if (path in VERSION.pythonFiles) event.respondWith(stored(VERSION.python, VERSION.pythonFiles, path, request));
});

async function install(): Promise<void> {
  await fill(VERSION.app, VERSION.files);
  if (await caches.match(new URL(PYTHON_INDEX, HOME))) await fill(VERSION.python, VERSION.pythonFiles);
}

async function activate(): Promise<void> {
  const kept = await caches.keys();
  const { installing, waiting } = worker.registration;
  if (!installing && !waiting)
    // else some of them belong to the next version, which deletes the others
    for (const name of kept)
      if (/^mchezo-(app|python)-/.test(name) && name !== VERSION.app && name !== VERSION.python)
        await caches.delete(name);
  await worker.clients.claim();
}

/** Fetch Python, and report to the page that asked for it. */
async function download(page: MessagePort): Promise<void> {
  const report = (state: Download) => page.postMessage(state);
  try {
    await fill(VERSION.app, VERSION.files); // what was removed since this version was installed
    await fill(VERSION.python, VERSION.pythonFiles, (loaded) => report({ loaded }));
    worker.registration.waiting?.postMessage("complete"); // or the next version would come without Python
    report({ done: true });
  } catch (error) {
    report({ failed: String(error) });
  }
}

/** Put all files in a cache: those that are whole here or in an older version, the others from the host. */
async function fill(name: string, files: Record<string, string>, report?: (loaded: number) => void): Promise<void> {
  const cache = await caches.open(name);
  const last = (path: string) => Number(path === PYTHON_INDEX);
  const entries = Object.entries(files).sort(([one], [other]) => last(one) - last(other));
  let loaded = 0;
  const count = (bytes: number) => report?.((loaded += bytes));
  for (const [path, integrity] of entries) {
    const url = new URL(path, HOME).href;
    if (await isWhole(await found(url, name), integrity)) continue;
    const older = /^assets\/|^local\/\w+\//.test(path) ? await found(url) : undefined; // its name has its hash
    await cache.put(url, (await isWhole(older, integrity)) ? older! : await fetchWhole(url, integrity, count));
  }
}

/** A file in a cache, or in any; undefined if there is none, or if it cannot be read. */
function found(url: string, cacheName?: string): Promise<Response | undefined> {
  return caches.match(url, { ...(cacheName && { cacheName }), ignoreVary: true }).catch(() => undefined);
}

/** Whether a file belongs to this version, and was not damaged. */
async function isWhole(response: Response | undefined, integrity: string): Promise<boolean> {
  const content = await response
    ?.clone()
    .arrayBuffer()
    .catch(() => undefined);
  return content !== undefined && (await hashOf(content)) === integrity;
}

async function hashOf(content: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return `sha256-${btoa(String.fromCharCode(...hash))}`;
}

/** Fetch a file, and be sure that it belongs to this version. */
async function fetchWhole(url: string, integrity: string, count: (bytes: number) => void): Promise<Response> {
  const response = await fetch(url, { cache: "no-cache" });
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      count(chunk.length);
      controller.enqueue(chunk);
    },
  });
  const content = await new Response(response.body.pipeThrough(counting)).arrayBuffer();
  if ((await hashOf(content)) !== integrity) throw new Error(`${url} has changed`);
  const headers = new Headers(response.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name); // of what was sent
  return new Response(content, { headers });
}

/** A file from the cache; from the host if it is not there, or was damaged on the disk. */
async function stored(name: string, files: Record<string, string>, path: string, request: Request): Promise<Response> {
  const [url, integrity] = [new URL(path, HOME).href, files[path]!];
  const response = await found(url, name);
  if (!response) return fetch(request);
  if (await isWhole(response, integrity)) return response;
  try {
    const fetched = await fetchWhole(url, integrity, () => undefined);
    await (await caches.open(name)).put(url, fetched.clone());
    return fetched;
  } catch {
    return fetch(request); // the host has another version, or the disk is full
  }
}

/** A record from another app, as text or as a file: kept for the page that is opened with it. */
async function receive(request: Request): Promise<Response> {
  const form = await request.formData();
  const file = form.get("file");
  const text = file instanceof File ? await file.text() : String(form.get("text") ?? "");
  await (await caches.open(SHARED)).put(new URL("shared", HOME), new Response(text));
  return Response.redirect(new URL("./#/replay?shared", HOME), 303);
}
