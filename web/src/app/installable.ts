// The worker behind “install this application”: it keeps files of the application and shows a page when there is no connection.
export function beInstallable(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  window.addEventListener("load", () => {
    // Where a browser forbids it (private windows), everything works but the page without a connection.
    navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  });
}
