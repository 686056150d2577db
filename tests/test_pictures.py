"""Pictures of running apps: taken by a real browser in the real sandbox, which reaches nothing but the app."""

import http.server
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from contracts.errors import AppError, Failed
from pictures import Pictures
from picturing.browser import Patience, find_browser
from picturing.devtools import devtools
from picturing.photographer import Photographer
from picturing.visiting import Visitor
from sandboxes.bubblewrap import Bubblewrap

PAGE = b"""<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/look.css"><h1>Books</h1>
<img src="http://elsewhere.example/x.png"><script src="/app.js"></script>"""
SCRIPT = b"""
const told = new Set();
const tell = words => { told.add(words); const i = new Image(); i.src = '/told?' + words; };
const wait = n => {
  const i = new Image();
  i.onload = i.onerror = () => told.size < 3 && wait(n + 1);
  i.src = '/wait?' + n;
};
wait(0);
fetch('http://127.0.0.1:1/').then(() => tell('reached'), () => tell('not-reached'));
fetch('/books', {method: 'POST'}).then(() => tell('posted'), () => tell('not-posted'));
new WebSocket(location.origin.replace('http', 'ws') + '/socket').onerror = () => tell('no-socket');
"""


class App(http.server.BaseHTTPRequestHandler):
    """An app that tells what a page of it could do."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path.startswith("/wait"):  # what a page still waits for keeps it from having loaded
            time.sleep(0.3)
        files = {"/": (b"text/html", PAGE), "/look.css": (b"text/css", b"body{background:#123456}")}
        files["/app.js"] = (b"text/javascript", SCRIPT)
        kind, body = files.get(self.path, (b"text/plain", b"no"))
        self.send_response(200 if self.path in files else 404)
        self.send_header("Content-Type", kind.decode())
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.asked.append(f"POST {self.path}")
        self.send_error(500)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def app() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Handler", (App,), {"asked": asked})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", asked
        server.shutdown()


@pytest.mark.skipif(find_browser() is None, reason="Chromium is not installed")
def test_a_page_is_seen_and_reaches_nothing_but_its_own_app(app: tuple[str, list[str]], tmp_path: Path) -> None:
    link, asked = app
    root = Path("/var/lib/task-agent") if tmp_path.owner() == "root" else tmp_path
    sandbox = Bubblewrap(root, pool_size=0)
    assert sandbox.available().ok
    try:
        photographer = Photographer(lambda: sandbox, find_browser() or "", Patience(start=120, visit=120, load=100))
        taken = photographer.take(link)
        with pytest.raises(Failed, match="404"):
            photographer.take(f"{link}nothing-here")
    finally:
        sandbox.close()
    assert {"/", "/look.css", "/app.js"} <= set(asked)
    assert {"/told?not-reached", "/told?not-posted", "/told?no-socket"} <= set(asked)
    assert not [path for path in asked if path.startswith("POST") or path in {"/told?reached", "/socket"}]
    assert set(taken) == {"small", "large"}
    assert all(data[:4] == b"RIFF" and data[8:12] == b"WEBP" for data in taken.values())
    assert len(taken["small"]) < len(taken["large"])


def test_a_browser_that_ends_while_it_is_reached_is_a_failure_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "browser"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def hang_up() -> None:
            caller, _ = listener.accept()
            caller.close()

        ended = threading.Thread(target=hang_up)
        ended.start()
        target = "ws://127.0.0.1:9222/devtools/page/1"
        with (
            pytest.raises(Failed, match="ended"),
            devtools(path, target, lambda name, data: None, time.monotonic() + 20),
        ):
            pytest.fail("there is no browser")
        ended.join()


def test_only_looks_at_the_app_itself_are_answered(app: tuple[str, list[str]]) -> None:
    link, asked = app
    visitor = Visitor(f"{link}?preview_key=abc")
    assert visitor.start == link
    answer = visitor.ask("GET", link)
    assert answer is not None
    assert (answer.status, answer.body) == (200, PAGE)
    refused = [
        ("POST", link),
        ("GET", "http://127.0.0.1:1/"),
        ("GET", link.replace("http:", "https:")),
        ("GET", "file:///"),
    ]
    assert [visitor.ask(method, url) for method, url in refused] == [None] * 4
    assert asked == ["/"]


def test_a_visit_ends_where_a_page_never_stops_asking(app: tuple[str, list[str]]) -> None:
    link, _ = app
    visitor = Visitor(link)
    answers = [visitor.ask("GET", f"{link}{number}") for number in range(320)]
    assert answers[299] is not None
    assert answers[300:] == [None] * 20


class Dripping(http.server.BaseHTTPRequestHandler):
    """An app whose answer never ends: a byte now and then, always before anybody would call it silent."""

    left = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        try:
            while not self.left.wait(0.05):
                self.wfile.write(b".")
        except OSError:
            self.left.set()

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


def test_an_answer_that_only_drips_is_given_up() -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dripping) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        link = f"http://127.0.0.1:{server.server_port}/"
        found: list[object] = []
        visit = threading.Thread(target=lambda: found.append(Visitor(link, patience=0.5).ask("GET", link)), daemon=True)
        visit.start()
        visit.join(20)
        Dripping.left.set()
        server.shutdown()
    assert found == [None]


def test_pictures_are_taken_in_the_background_and_kept(tmp_path: Path) -> None:
    told: list[tuple[str, str]] = []
    pictures = Pictures(
        tmp_path / "pictures",
        lambda link: {"small": b"s", "large": link.encode()},
        lambda project: f"http://{project}/",
        lambda project, version: told.append((project, version)),
    )
    assert pictures.version("notes") is None
    pictures.want("notes")
    assert pictures.settled(60)
    assert pictures.read("notes", "large") == b"http://notes/"
    assert told == [("notes", pictures.version("notes"))]
    assert pictures.read("other", "small") is None
    pictures.close()


def test_a_picture_that_cannot_be_taken_leaves_the_last_one(tmp_path: Path) -> None:
    answers: list[Mapping[str, bytes] | AppError] = [{"small": b"1"}, Failed("no browser"), {}]

    def take(link: str) -> Mapping[str, bytes]:
        answer = answers.pop(0)
        if isinstance(answer, AppError):
            raise answer
        return answer

    pictures = Pictures(tmp_path, take, lambda project: "http://x/")
    for _ in range(3):
        pictures.want("notes")
        assert pictures.settled(60)
    assert pictures.read("notes", "small") == b"1"


def test_an_app_that_does_not_run_is_not_visited_and_after_the_end_nothing_is(tmp_path: Path) -> None:
    visits: list[str] = []

    def take(link: str) -> Mapping[str, bytes]:
        visits.append(link)
        return {}

    pictures = Pictures(tmp_path, take, lambda project: None)
    pictures.want("notes")
    assert pictures.settled(60)
    pictures.close()
    pictures.want("notes")
    assert pictures.settled(60)
    assert visits == []
