// Whether this browser is notified of turns: its subscription at the push service.
import type { Notices } from "../messages";
import { register, supported } from "../offline/serviceWorker.svelte";
import { post, remove } from "../server/api";
import { language } from "../words.svelte";

/** Whether this browser can be notified: on iOS only once the app is on the home screen. */
export const pushWorks = supported && "PushManager" in window && "Notification" in window;

/** Ask for permission and subscribe; null if the person says no. */
export async function subscribe(key: string): Promise<Notices | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await register();
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  await old?.unsubscribe(); // it may belong to another key of the server
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  return await post<Notices>("/api/notices/push", {
    endpoint,
    p256dh: keys!["p256dh"],
    auth: keys!["auth"],
    language: language(),
  });
}

/** End a channel; if it is this browser's, its subscription too. */
export async function endChannel(id: string, ofThisBrowser: boolean): Promise<void> {
  await remove(`/api/notices/channels/${id}`);
  if (!ofThisBrowser) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
