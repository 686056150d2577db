"""Windows that hold each other: who has another one open can neither send the panel elsewhere nor speak to it."""

import http.server
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Response

from tests.panel.panel_stage import Seat, Stage
from tests.web.live import Live

PAGE = "<!doctype html><title>Guest</title><h1>Guest</h1>"
OPENED = "async address => { window.other = window.open(address, '_blank', 'width=600,height=400'); }"
HEARS = "() => { window.heard = []; addEventListener('message', ({ data }) => window.heard.push(data)); }"
TRIES = """name => {
  const held = window[name];
  if (!held) return;
  held.postMessage('from the guest', '*');
  try { held.location.replace('about:blank#taken'); } catch { }
}"""


class Guest(http.server.BaseHTTPRequestHandler):
    """Somebody else's page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def guest() -> Iterator[str]:
    """The origin of a page that has nothing to do with the panel."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Guest) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@pytest.fixture
def app(service: Live) -> str:
    """The address of an app of a project: another port of the same machine, which a browser takes for the same site."""
    for intent in ("write_file", "start_app"):
        service.send("PUT", "/trust/overrides", {"intent": intent, "project": "windows", "verdict": "auto"})
    service.send("POST", "/run", {"intent": "write_file", "project": "windows", "path": "index.html", "content": PAGE})
    _, started = service.send("POST", "/run", {"intent": "start_app", "project": "windows", "wait": 80})
    assert started["success"], started
    return str(service.send("GET", "/projects/windows/preview")[1]["preview"]["link"])


def opened(page: Page, address: str) -> Page:
    with page.expect_popup() as caught:
        page.evaluate(OPENED, address)
    caught.value.wait_for_load_state()
    return caught.value


def is_held(panel: Page, holder: Page, name: str) -> bool:
    """Whether the holder reaches the panel's window by this name of its own."""
    address = panel.url
    panel.evaluate(HEARS)
    holder.evaluate(TRIES, name)
    # What was sent before this is there before it.
    panel.evaluate(
        "new Promise(done => { addEventListener('message', done, { once: true }); postMessage('own', '*') })"
    )
    return panel.url != address or panel.evaluate("window.heard") != ["own"]


def typed(page: Page, address: str) -> Response:
    answer = page.goto(address)
    assert answer is not None
    return answer


def test_who_opens_the_panel_in_a_window_keeps_no_hold_on_it(stage: Stage, service: Live, guest: str) -> None:
    with stage.seat(service) as seat:
        page = seat.page
        page.goto(guest)
        panel = opened(page, f"{seat.origin}/app/approvals")
        assert "/app/approvals" in panel.url
        assert page.evaluate("window.other.closed")
        assert panel.evaluate("window.opener") is None
        assert not is_held(panel, page, "other")


def test_an_address_that_is_typed_is_not_made_a_window_apart(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        answer = typed(seat.page, f"{seat.origin}/")
        assert answer.request.all_headers()["sec-fetch-site"] == "none"
        assert "cross-origin-opener-policy" not in answer.headers


def by_typing(seat: Seat, guest: str) -> tuple[Page, Page, str]:
    """The panel's address is typed into a window that the guest has opened."""
    page = seat.page.context.new_page()
    page.goto(guest)
    panel = opened(page, guest)
    typed(panel, f"{seat.origin}/")
    return panel, page, "other"


def by_going_back(seat: Seat, guest: str) -> tuple[Page, Page, str]:
    """Somebody goes back to the panel in a tab that showed the guest, whose second window is still there."""
    panel = seat.page
    typed(panel, f"{seat.origin}/")
    typed(panel, guest)
    other = opened(panel, guest)
    panel.go_back()
    return panel, other, "opener"


@pytest.mark.parametrize("arrive", [by_typing, by_going_back])
def test_an_app_keeps_no_hold_on_a_window_in_which_the_panel_is_opened(
    stage: Stage, service: Live, app: str, arrive: Callable[[Seat, str], tuple[Page, Page, str]]
) -> None:
    with stage.seat(service) as seat:
        panel, holder, name = arrive(seat, app)
        assert panel.url == f"{seat.origin}/"
        assert not is_held(panel, holder, name)
