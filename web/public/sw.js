// Keeps the application's own files, and a page for when there is no connection. It never keeps an answer of the API: what is shown is
// what the server says now, or nothing.
const CACHE = "toolgate-shell-1";
const OFFLINE_PAGE = "/offline.html";
const OFFLINE = [OFFLINE_PAGE, "/offline.js", "/favicon.svg"];
/** Files whose name changes with what is in them: what was kept once is right for ever. */
const HASHED = "/assets/";
/** Each release brings new ones; the oldest go first. */
const MOST_FILES = 300;
/** Paths that are not the application's pages. */
const NO_PAGE = /^\/(api|ai|mcp|docs|openapi\.json|healthz|readyz|metrics|\.well-known)(\/|$)/;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(OFFLINE))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || NO_PAGE.test(pathname)) return;
  if (pathname.startsWith(HASHED)) event.respondWith(file(request));
  else if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => kept(OFFLINE_PAGE)));
    event.waitUntil(forgetOldest());
  }
  else if (OFFLINE.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

async function file(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** Once a page: to look through everything for each of its files would take longer than to fetch them. */
async function forgetOldest() {
  const cache = await caches.open(CACHE);
  const files = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(HASHED));
  await Promise.all(files.slice(0, Math.max(0, files.length - MOST_FILES)).map((old) => cache.delete(old)));
}

async function kept(path) {
  return (await caches.match(path)) ?? Response.error();
}

// A notice that was clicked leads to what it told of: in a window that is open, or in a new one.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data?.path ?? "/inbox"));
});

async function lead(path) {
  const windows = await self.clients.matchAll({ type: "window" });
  const place = windows.find(({ url }) => new URL(url).pathname === "/inbox") ?? windows[0];
  if (!place) return self.clients.openWindow(path);
  // The page goes there itself: loading it anew would lose what somebody is writing.
  place.postMessage({ open: path });
  // A browser may not let itself be brought to the front; the page shows it all the same.
  await place.focus().catch(() => undefined);
}
