// The worker behind “install this application”: it keeps files of the application and shows a page when there is no connection.
import { safeReturn } from "./session";

/** `goTo`: where the worker leads, when somebody clicks a notice of the browser's. */
export function beInstallable(goTo: (path: string) => void): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ open?: unknown } | null>) => {
    if (typeof data?.open === "string") goTo(safeReturn(data.open));
  });
  window.addEventListener("load", () => {
    // Where a browser forbids it (private windows), everything works but the page without a connection.
    navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  });
}
