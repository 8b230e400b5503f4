// What the service worker does with pushes, run by test_machine.py: headless browsers show no notifications.
import assert from "node:assert/strict";
import { test } from "node:test";
import { handlePushes } from "../../web/src/push.ts";

const SCOPE = "https://games.example/";

/** A service worker that notes what is shown and opened. */
function worker(windows: any[] = []) {
  const listeners: Record<string, (event: any) => void> = {};
  const shown: any[] = [];
  const opened: string[] = [];
  const scope = {
    registration: { scope: SCOPE, showNotification: async (title: string, more: any) => void shown.push({ title, ...more }) },
    clients: { matchAll: async () => windows, openWindow: async (url: string) => void opened.push(url) },
    addEventListener: (type: string, listener: any) => (listeners[type] = listener),
  };
  handlePushes(scope as any);
  const dispatch = async (type: string, event: object) => {
    let done: Promise<unknown> | undefined;
    listeners[type]!({ ...event, waitUntil: (promise: Promise<unknown>) => (done = promise) });
    await done;
  };
  return { shown, opened, dispatch };
}

test("a push is shown under the tag of its turn", async () => {
  const { shown, dispatch } = worker();
  const notice = { title: "Kiwara", body: "Your turn", path: "/t/abcdefghijkl", tag: "1" };
  await dispatch("push", { data: { json: () => notice } });
  assert.deepEqual(
    shown.map(({ title, body, data, tag }) => [title, body, data, tag]),
    [["Kiwara", "Your turn", "/t/abcdefghijkl", "1"]],
  );
});

test("every push shows something, also one that cannot be read", async () => {
  const { shown, dispatch } = worker();
  await dispatch("push", { data: null });
  await dispatch("push", { data: { json: () => JSON.parse("{") } });
  await dispatch("push", { data: { json: () => ({ title: "T", body: "", path: "//evil", tag: "1" }) } });
  assert.deepEqual(shown.map(({ title, data }) => [title, data]), [["mchezo", "/"], ["mchezo", "/"], ["T", "/"]]);
});

test("a click goes to the window with the table, or opens one", async () => {
  const notification = { data: "/t/abc", close() {} };
  const focused: string[] = [];
  const window = (url: string) => ({ url, focus: async () => void focused.push(url) });
  const one = worker([window(`${SCOPE}t/other`), window(`${SCOPE}t/abc`)]);
  await one.dispatch("notificationclick", { notification });
  assert.deepEqual([focused, one.opened], [[`${SCOPE}t/abc`], []]);
  const other = worker([window(`${SCOPE}t/other`)]);
  await other.dispatch("notificationclick", { notification });
  assert.deepEqual(other.opened, [`${SCOPE}t/abc`]);
});
