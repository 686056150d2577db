"""Trying an app at its address: what is seen, what is left alone."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import planner
from contracts.app_spec import AppSpec
from deploying.verifying import Visit, verify


class Shown:
    """An address with answers by path, and a record of what was asked there."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.asked: list[str] = []
        shown = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                shown.asked.append(self.command)
                status, body = shown.answers.get(self.path.partition("?")[0], (404, b'{"error": "not found"}'))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def shown() -> Iterator[Shown]:
    made = Shown()
    yield made
    made.close()


@pytest.fixture(scope="module")
def spec() -> AppSpec:
    found = planner.spec_from("a REST API for books with title and year").spec
    assert found is not None
    return found


def tried(shown: Shown, visit: Visit) -> Any:
    return verify(shown.url, visit, say=lambda line: None, tick=lambda: None)


def test_on_live_data_nothing_is_written(shown: Shown, spec: AppSpec) -> None:
    shown.answers = {"/health": (200, b'{"status": "ok"}'), "/": (200, b"{}")}
    tried(shown, Visit(spec, only_looks=True))
    assert set(shown.asked) == {"GET"} and len(shown.asked) > 3


def test_where_it_may_write_it_does(shown: Shown, spec: AppSpec) -> None:
    shown.answers = {"/health": (200, b'{"status": "ok"}'), "/": (200, b"{}")}
    seen = tried(shown, Visit(spec, only_looks=False))
    assert "POST" in shown.asked and not seen.ok and len(seen.details) == 3


def test_a_start_page_that_breaks_is_seen_though_the_app_says_that_it_is_well(shown: Shown) -> None:
    found = planner.spec_from("a web app with a guestbook and login").spec
    shown.answers = {"/health": (200, b'{"status": "ok"}'), "/": (500, b"oops")}
    seen = tried(shown, Visit(found))
    assert not seen.ok and "the error 500" in " ".join(seen.details)


def test_it_waits_for_an_app_that_is_still_coming_up(shown: Shown) -> None:
    waits: list[float] = []
    shown.answers = {"/": (503, b"")}

    def pause(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            shown.answers["/"] = (200, b"here")

    seen = tried(shown, Visit(None, pause=pause))
    assert seen.ok and len(waits) == 3


@pytest.mark.parametrize(("status", "words"), [(401, "asks visitors to sign in"), (404, "nothing to see")])
def test_an_address_that_shows_nothing_is_not_taken_for_an_app(shown: Shown, status: int, words: str) -> None:
    shown.answers = {"/": (status, b"")}
    seen = tried(shown, Visit(None))
    assert not seen.ok and words in seen.words


def test_an_address_that_never_answers_is_given_up(shown: Shown) -> None:
    shown.answers = {"/": (500, b"")}
    seen = tried(shown, Visit(None, pause=lambda seconds: None))
    assert not seen.ok and "an error of the app itself" in seen.words
