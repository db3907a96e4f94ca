// Responds in place of the web host from cached copies of all files: the page works without a network, and a
// new version replaces all files together.
//
// It also requests isolation from other origins, which few hosts of static files can be configured to do.
// From the second visit on, memory can then be shared, so that a search stops without losing its hash table.

const VERSION = "@version@";
const FILES = ["./", /*@files@*/];

self.addEventListener("install", (event) => {
  event.waitUntil(fillCache().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(answer(event.request));
});

async function fillCache() {
  const cache = await caches.open(VERSION);
  await cache.addAll(FILES.map((name) => new Request(name, { cache: "reload" })));
}

async function removeOldCaches() {
  const names = await caches.keys();
  const old = names.filter((name) => name !== VERSION && name.startsWith("chuhe-"));
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(request) {
  const cache = await caches.open(VERSION);
  const found = (await cache.match(request, { ignoreSearch: true })) ?? (await fetch(request));
  if (found.status === 0) return found;
  const headers = new Headers(found.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}
