"""Notifications: asked for on a click, shown by a worker so that phones show them, leading to the card."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.panel.panel_stage import PHONE, SECONDS, Seat, Stage
from tests.web.live import Live, until

SHOWN = """async () => {
  const worker = await navigator.serviceWorker.getRegistration();
  return ((await worker?.getNotifications()) ?? []).map(({ title, body, tag }) => ({ title, body, tag }));
}"""
CLICK = """async (task) => {
  const [notification] = await self.registration.getNotifications({ tag: task });
  // A browser lets only a real click bring a window to the front; everything else is as it would be.
  self.addEventListener("unhandledrejection", (event) => event.preventDefault(), { once: true });
  const event = new NotificationEvent("notificationclick", { notification });
  Object.defineProperty(event, "waitUntil", { value: () => undefined });
  self.dispatchEvent(event);
}"""


def asking(service: Live, path: str) -> str:
    """The id of something that waits for a yes or a no."""
    service.send("PUT", "/trust/overrides", {"intent": "create_file", "project": "bell", "verdict": "ask"})
    call = {"intent": "create_file", "project": "bell", "path": path, "content": "hello\n"}
    return str(service.send("POST", "/run", call)[1]["id"])


def turned_on(seat: Seat) -> Page:
    page = seat.page
    page.context.grant_permissions(["notifications"], origin=seat.origin)
    seat.open("/app/settings").connected()
    assert page.evaluate("navigator.serviceWorker.getRegistration().then(Boolean)") is False
    seat.press("Tell me when something waits", role="switch")
    seat.sees("You will hear from me when something waits")
    page.wait_for_function("navigator.serviceWorker.ready.then(Boolean)")
    return page


def look_away(page: Page) -> None:
    """Another tab is in front. A driven browser says that all are, unless it is told not to."""
    page.context.new_cdp_session(page).send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    page.context.new_page().bring_to_front()
    page.wait_for_function("!document.hasFocus() || document.visibilityState === 'hidden'", polling=50)


def shown(page: Page, task: str) -> list[dict[str, Any]]:
    return [one for one in page.evaluate(SHOWN) if one["tag"] == task]


def test_what_waits_is_told_by_a_worker_and_a_click_leads_to_its_card(stage: Stage, service: Live) -> None:
    with stage.seat(service, width=PHONE) as seat:
        page = turned_on(seat)
        look_away(page)
        task = asking(service, "ring.txt")
        [notice] = until(lambda: shown(page, task), "the notification")
        assert notice["title"] == "Needs your decision"
        assert "ring.txt" in notice["body"] and "bell" in notice["body"]
        [worker] = page.context.service_workers
        worker.evaluate(CLICK, task)
        page.wait_for_url(f"**/app/approvals?task={task}")
        card = page.locator("article[data-item]").filter(has_text="ring.txt")
        expect(card).to_be_visible(timeout=SECONDS)
        until(lambda: not shown(page, task), "the notification to go")
        service.send("POST", "/confirm", {"id": task, "approve": False})


def test_a_notification_goes_when_the_decision_is_made_elsewhere(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        page = turned_on(seat)
        look_away(page)
        task = asking(service, "elsewhere.txt")
        until(lambda: shown(page, task), "the notification")
        service.send("POST", "/confirm", {"id": task, "approve": False})
        until(lambda: not shown(page, task), "the notification to go")
        page.bring_to_front()
        seat.press("Tell me when something waits", role="switch")
        page.wait_for_function("navigator.serviceWorker.getRegistration().then((found) => !found)")
