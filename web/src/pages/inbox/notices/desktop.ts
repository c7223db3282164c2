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

export async function showNotice(title: string, body: string, path: string): Promise<void> {
  const options = { body, tag: path, icon: "/icon-192.png", data: { path } };
  const registration = await navigator.serviceWorker?.getRegistration();
  // Phones show notices only for an installed worker.
  if (registration) return registration.showNotification(title, options);
  const notice = new Notification(title, options);
  notice.onclick = () => {
    window.focus();
    window.location.assign(path);
  };
}
