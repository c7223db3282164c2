// Notices of the browser's own, for those who want them. They name the tool and no argument: they stand on locked screens.
import { oneOf, preference } from "@/app/preference";

export const notices = preference("approval-notices", oneOf("on", "off"), () => "off");

export function canShowNotices(): boolean {
  return typeof Notification !== "undefined";
}

/** Browsers ask the person only after a click; this is called by one. */
export async function askForNotices(): Promise<boolean> {
  const isGranted = (await Notification.requestPermission()) === "granted";
  notices.set(isGranted ? "on" : "off");
  return isGranted;
}

export function areNoticesOn(): boolean {
  return notices.get() === "on" && canShowNotices() && Notification.permission === "granted";
}

/** Those that no worker keeps, by what they are about. */
const own = new Map<string, Notification>();

/** `about`: what it tells of. However many tabs are open, there is one notice of it. */
export async function showNotice(about: string, title: string, body: string, path: string): Promise<void> {
  const options = { body, tag: about, icon: "/icon-192.png", data: { path } };
  const registration = await navigator.serviceWorker?.getRegistration();
  // Phones show notices only for an installed worker.
  if (registration) return registration.showNotification(title, options);
  const notice = new Notification(title, options);
  own.set(about, notice);
  notice.onclick = () => {
    window.focus();
    window.location.assign(path);
  };
}

/** What is settled needs nobody's look: its notice goes. */
export async function dropNotice(about: string): Promise<void> {
  own.get(about)?.close();
  own.delete(about);
  const registration = await navigator.serviceWorker?.getRegistration();
  const shown = (await registration?.getNotifications({ tag: about })) ?? [];
  shown.forEach((notice) => notice.close());
}
