/* Shows notifications where a page alone may not, as on phones, and leads from one to the decision it is about.
   It has no part in loading anything: nothing passes through it and it keeps nothing. */
self.addEventListener("install", () => {
  void self.skipWaiting();
});

self.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(show(notification.data?.task));
});

async function show(task) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const panel = pages.find(({ url }) => isPanel(new URL(url).pathname));
  if (!panel) {
    await self.clients.openWindow(task ? `/app/approvals?task=${encodeURIComponent(task)}` : "/app/approvals");
    return;
  }
  panel.postMessage({ decide: task ?? "" });
  await panel.focus();
}

function isPanel(path) {
  return path === "/" || path === "/app" || path.startsWith("/app/");
}
