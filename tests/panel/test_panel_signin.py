"""The way in: by a one-time link, by the token, from another host; and what is said when it does not work."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.panel.panel_stage import PHONE, Stage
from tests.web.live import Live, live, until


def test_a_link_signs_in_once_and_leaves_no_code_in_the_address(stage: Stage, service: Live) -> None:
    _, link = service.send("POST", "/admin/link")
    with stage.seat(service, signed_in=False) as seat:
        seat.open(f"/#code={link['code']}").connected()
        assert "code" not in seat.page.url
        assert seat.page.evaluate("Object.values(localStorage)").count(service.token) == 1
        seat.page.reload()
        seat.connected()
    with stage.seat(service, signed_in=False) as second:
        second.open(f"/#code={link['code']}").sees("used already or is too old")


def test_a_link_works_also_in_a_tab_that_asks_for_it_and_in_the_field(stage: Stage, service: Live) -> None:
    first, second = (service.send("POST", "/admin/link")[1] for _ in range(2))
    with stage.seat(service, signed_in=False) as seat:
        seat.open()
        expect(seat.page.get_by_label("Token")).to_be_visible()
        seat.page.evaluate("code => { location.hash = `code=${code}` }", first["code"])
        seat.connected()
        assert "code" not in seat.page.url
    with stage.seat(service, signed_in=False) as seat:
        seat.open().page.get_by_label("Token").fill(second["url"])
        seat.press("Sign in")
        seat.connected()


def test_without_a_token_one_is_asked_for_and_a_wrong_one_is_refused_in_words(stage: Stage, service: Live) -> None:
    with stage.seat(service, signed_in=False, width=PHONE) as seat:
        seat.open("/app/projects/secret")
        seat.press("Sign in")
        seat.sees("Paste the link or the token first")
        seat.page.get_by_label("Token").fill("not-the-token")
        seat.press("Sign in")
        seat.sees("The service does not know this token")
        assert seat.page.evaluate("Object.values(localStorage)").count("not-the-token") == 0
        seat.page.get_by_label("Token").fill(f"  {service.token} ")
        seat.press("Sign in")
        seat.connected()
        assert seat.page.url.endswith("/app/projects/secret")
        assert seat.sideways() == 0


def test_a_token_that_is_no_longer_right_leads_back_to_the_sign_in(stage: Stage, service: Live) -> None:
    with stage.seat(service, signed_in=False) as seat:
        seat.page.add_init_script(f"localStorage.setItem('task-agent.token:{seat.origin}', 'an-old-token')")
        seat.open()
        expect(seat.page.get_by_label("Token")).to_be_visible()


class Files(http.server.SimpleHTTPRequestHandler):
    """Any host that serves the built panel and knows nothing of the service."""

    def do_GET(self) -> None:
        if not Path(self.translate_path(self.path)).is_file():
            self.path = "/index.html"
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def elsewhere(built_panel: Path) -> Iterator[str]:
    """The origin of another host that has the panel."""
    handler = functools.partial(Files, directory=str(built_panel))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def test_from_another_host_it_asks_once_where_the_service_is_and_then_works(
    stage: Stage, elsewhere: str, tmp_path: Path
) -> None:
    with live(tmp_path / "home", cors_origins=elsewhere) as service:
        at = f"http://127.0.0.1:{service.port}"
        with stage.seat(service, signed_in=False, origin=elsewhere) as seat:
            seat.open().sees("Where is your Task Agent?")
            seat.page.get_by_label("Address of the service").fill("not an address")
            seat.press("Connect")
            seat.sees("This is not an address")
            seat.page.get_by_label("Address of the service").fill(at)
            seat.press("Connect")
            seat.page.get_by_label("Token").fill(service.token)
            seat.press("Sign in")
            seat.connected()
            seat.press("Ask for everything", role="radio")
            seat.sees("Asks")
            until(
                lambda: service.send("GET", "/settings")[1]["autonomy"]["mode"] == "ask_all",
                "the service to hear of it",
            )
            service.send("PUT", "/settings", {"autonomy": "earned"})
            expect(seat.page.get_by_role("radio", name="What it has earned")).to_be_checked()
            seat.page.reload()
            seat.connected()


def test_a_host_that_was_not_allowed_gets_nothing(stage: Stage, elsewhere: str, service: Live) -> None:
    with stage.seat(service, signed_in=False, origin=elsewhere) as seat:
        seat.open().sees("Where is your Task Agent?")
        seat.page.get_by_label("Address of the service").fill(f"http://127.0.0.1:{service.port}")
        seat.press("Connect")
        seat.sees("Nothing that I know answers")
        refused = [words for words in seat.complaints if "blocked by CORS policy" in words]
        assert refused
        seat.complaints.clear()
