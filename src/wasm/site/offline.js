// Keeps the page for days without a network.
if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline-worker.js").catch((error) => console.warn(error));
