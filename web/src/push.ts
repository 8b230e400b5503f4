// Notices of turns in the service worker: every push is shown, as browsers ask for it, and a click opens the table.

/** What a push says (src/mchezo/server/sending/web_push.py). */
interface Notice {
  title: string;
  body: string;
  path: string;
  tag: string; // the same turn again replaces what is shown
}

// TypeScript's library has the types of pages or those of workers, not both.
interface PushEvent extends Event {
  data: { json(): unknown } | null;
  waitUntil(done: Promise<unknown>): void;
}
interface ClickEvent extends Event {
  notification: Notification;
  waitUntil(done: Promise<unknown>): void;
}
interface Window {
  url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}
export interface PushScope {
  registration: ServiceWorkerRegistration;
  clients: { matchAll(options: object): Promise<Window[]>; openWindow(url: string): Promise<unknown> };
  addEventListener(type: "push", listener: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: ClickEvent) => void): void;
}

const PATH = /^\/(?!\/)[\w/-]*$/; // of our pages

export function handlePushes(worker: PushScope): void {
  worker.addEventListener("push", (event) => {
    const { title, body, tag, path } = readNotice(event.data);
    const icon = new URL("icon-192.png", worker.registration.scope).href;
    event.waitUntil(worker.registration.showNotification(title, { body, tag, icon, badge: icon, data: path }));
  });
  worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(worker, new URL(String(event.notification.data), worker.registration.scope).href));
  });
}

/** A push that cannot be read is shown nevertheless. */
function readNotice(data: PushEvent["data"]): Notice {
  try {
    const { title, body, path, tag } = data?.json() as Notice;
    return { title: String(title), body: String(body), path: PATH.test(path) ? path : "/", tag: String(tag) };
  } catch {
    return { title: "mchezo", body: "", path: "/", tag: "mchezo" };
  }
}

/** Show a page: in the window that has it, or in a new one. */
async function open(worker: PushScope, url: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = windows.find((window) => window.url === url);
  await (found ? found.focus() : worker.clients.openWindow(url));
}
