// Makes the page work offline.
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("offline-worker.js").catch((error) => console.warn(error));
}
