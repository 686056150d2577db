"""Apps in the real sandbox: started, reached, watched, started again and ended without a trace."""

import json
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.errors import Conflict, InvalidParams, NotFound, TooMany, Unavailable
from previews import Address, Patience, PreviewSpec, State, detect, spec_from
from project_files import Workspace
from sandboxes.base import OnOutput, Service
from sandboxes.bubblewrap import Bubblewrap
from tests.running_apps import (
    PANEL,
    PORTS,
    QUICK,
    SECONDS,
    House,
    ask,
    asking,
    copy_flask,
    eventually,
    first_port,
    listening,
    post,
    script,
)
from tests.sandboxes import traces

SERVER = """
import http.server, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        {body}
    def answer(self, text, status=200):
        self.send_response(status); self.end_headers(); self.wfile.write(text.encode())
    def log_message(self, *args): pass
{before}
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""
FLASK_APP = b"""
import os, sqlite3
from flask import Flask, jsonify, request
app = Flask(__name__)
def notes():
    database = sqlite3.connect(os.path.join(os.environ["DATA_DIR"], "notes.db"))
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("CREATE TABLE IF NOT EXISTS notes (text)")
    return database
@app.get("/")
def home(): return f"hello {request.args.get('name', '')}"
@app.post("/notes")
def add():
    with notes() as database: database.execute("INSERT INTO notes VALUES (?)", [request.get_data(as_text=True)])
    return "", 201
@app.get("/notes")
def every(): return jsonify([text for text, in notes().execute("SELECT text FROM notes")])
@app.get("/environment")
def environment(): return jsonify(dict(os.environ))
"""


def server(body: str = "self.answer('hi')", before: str = "") -> str:
    return SERVER.format(body=body, before=before)


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    """Not below pytest's own folder, which other users may not enter."""
    folder = Path(tempfile.mkdtemp(prefix="preview-tests-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def bubblewrap(root: Path) -> Iterator[Bubblewrap]:
    sandbox = Bubblewrap(root / "sandbox", pool_size=0)
    state = sandbox.available()
    if not state.ok:
        pytest.skip(f"bubblewrap: {state.words}")
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="module")
def flask_packages(root: Path) -> Path:
    return copy_flask(root / "packages")


@pytest.fixture
def house(bubblewrap: Bubblewrap, root: Path) -> Iterator[House]:
    own = Path(tempfile.mkdtemp(dir=root))
    own.chmod(0o711)
    yield House(bubblewrap, own)
    shutil.rmtree(own)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace" / "shop"
    folder.mkdir(parents=True)
    return folder


def found(project: Path, house: House) -> PreviewSpec:
    """How the app in a folder is run, with its files put where the house finds them."""
    house.files["shop"] = {str(p.relative_to(project)): p.read_bytes() for p in project.rglob("*") if p.is_file()}
    return detect(Workspace(project.parent).draft("shop")).spec("shop")


class TestKindsOfApps:
    def test_a_flask_app_is_found_runs_and_keeps_its_data(
        self, project: Path, house: House, flask_packages: Path
    ) -> None:
        (project / "app.py").write_bytes(FLASK_APP)
        spec = replace(found(project, house), mounts=(flask_packages,), env={"PYTHONPATH": str(flask_packages)})
        with house.open() as previews:
            preview = previews.start("shop", spec)
            assert (preview.state, preview.words) == (State.RUNNING, "It is running")
            assert preview.url == preview.link == f"http://127.0.0.1:{preview.port}/"
            assert ask(preview.port, "/?name=Ada") == (200, b"hello Ada")
            assert post(preview.port, "/notes", b"first") == 201
            assert previews.restart("shop").state is State.RUNNING
            assert post(preview.port, "/notes", b"second") == 201
            assert json.loads(ask(preview.port, "/notes")[1]) == ["first", "second"]
            with ThreadPoolExecutor(50) as pool:
                answers = pool.map(lambda number: ask(preview.port, f"/?name={number}"), range(50))
                assert list(answers) == [(200, f"hello {number}".encode()) for number in range(50)]
            seen = json.loads(ask(preview.port, "/environment")[1])
            assert seen["DATA_DIR"] == "/data" and seen["PORT"] == "8000"
            assert not [name for name in seen if "TOKEN" in name or "AGENT" in name]
            assert any("GET /notes" in line.text and line.source == "stderr" for line in previews.logs("shop"))

    def test_a_static_site_is_found_and_shown(self, project: Path, house: House) -> None:
        (project / "index.html").write_text("<h1>hello</h1>")
        (project / "style.css").write_text("h1 { color: red }")
        with house.open() as previews:
            port = previews.start("shop", found(project, house)).port
            assert ask(port) == (200, b"<h1>hello</h1>")
            assert ask(port, "/style.css")[0] == 200

    @pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
    def test_a_node_app_is_found_and_runs(self, project: Path, house: House) -> None:
        (project / "package.json").write_text('{"scripts": {"start": "node server.js"}}')
        (project / "server.js").write_text(
            "require('http').createServer((request, answer) => answer.end('from node ' + process.env.DATA_DIR))"
            ".listen(process.env.PORT)"
        )
        with house.open() as previews:
            assert ask(previews.start("shop", found(project, house)).port) == (200, b"from node /data")

    def test_events_stream_out_of_the_sandbox_and_end_with_the_listener(self, house: House) -> None:
        stream = (
            "self.send_response(200); self.send_header('Content-Type', 'text/event-stream'); self.end_headers()\n"
            "        import itertools, time\n"
            "        try:\n"
            "            for number in itertools.count():\n"
            "                self.wfile.write(b'data: %d\\n\\n' % number); time.sleep(0.01)\n"
            "        except OSError: print('nobody listens', flush=True)"
        )
        body = f"if self.path == '/': return self.answer('hi')\n        {stream}"
        with house.open() as previews:
            port = previews.start("live", script("live", server(body), house)).port
            with asking(port, "/events") as events:
                assert events.read(len(b"data: 0\n\ndata: 1\n\n")) == b"data: 0\n\ndata: 1\n\n"
            assert eventually(lambda: "nobody listens" in [line.text for line in previews.logs("live")])

    def test_a_preview_answers_to_its_own_name_and_says_who_may_frame_it(self, house: House) -> None:
        with house.open(address=Address(public_url="https://{project}.example")) as previews:
            preview = previews.start("shop", script("shop", server(), house))
            assert preview.url == "https://shop.example/"
            assert ask(preview.port, Host="shop.example")[0] == 200
            assert ask(preview.port, Host="other.example")[0] == 403
            with asking(preview.port) as answer:
                assert answer.headers["Content-Security-Policy"] == f"frame-ancestors 'self' {PANEL}"
                assert "Server" not in answer.headers

    def test_where_others_can_come_the_link_carries_a_key_for_this_project_alone(self, house: House) -> None:
        address = Address(link_secret=b"secret")
        with house.open(address=address) as previews:
            preview = previews.start("shop", script("shop", server(), house))
            key = re.fullmatch(r"http://127.0.0.1:\d+/\?preview_key=(\w{32})", preview.link)
            assert key and key[1] != address.key("other")
            assert ask(preview.port)[0] == 403
            assert ask(preview.port, **{"X-Preview-Key": key[1]})[0] == 200


class TestTrouble:
    def test_an_app_that_crashes_is_tried_again_and_given_up_with_its_reason(self, house: House) -> None:
        spec = script("shop", "import missing_thing", house)
        with house.open() as previews:
            preview = previews.start("shop", spec)
            assert preview.state in {State.CRASHED, State.STARTING}
            last = house.wait_for(State.CRASHED, 3)
            assert last == (
                "It crashed 3 times in a row and is not started again by itself; the last time it ended with exit "
                "code 1: ModuleNotFoundError: No module named 'missing_thing'"
            )
            assert "it is started again in 0.02 s" in house.wait_for(State.CRASHED, 1)
            assert "it is started again in 0.04 s" in house.wait_for(State.CRASHED, 2)
            status, page = ask(preview.port, Accept="text/html")
            assert status == 502 and b"No module named &#x27;missing_thing&#x27;" in page and b"refresh" not in page
            assert not previews.status("shop").tries_again
            house.files["shop"] = {"app.py": server().encode()}
            assert previews.restart("shop").state is State.RUNNING

    def test_an_app_that_crashes_once_comes_back_by_itself(self, house: House) -> None:
        body = "if self.path == '/': return self.answer('hi')\n        os._exit(3)"
        with house.open() as previews:
            port = previews.start("shop", script("shop", server(body), house)).port
            assert ask(port, "/die")[0] in {502, 503}
            house.wait_for(State.RUNNING, 2)
            assert ask(port) == (200, b"hi")
            assert previews.status("shop").restarts == 1
            assert "It ended with exit code 3" in house.wait_for(State.CRASHED)

    def test_after_a_time_of_health_crashes_are_forgotten(self, house: House) -> None:
        body = "if self.path == '/': return self.answer('hi')\n        os._exit(3)"
        with house.open(replace(QUICK, crashes=2, healthy=0.0)) as previews:
            port = previews.start("shop", script("shop", server(body), house)).port
            for time in range(2, 5):
                ask(port, "/die")
                house.wait_for(State.RUNNING, time)

    @pytest.mark.parametrize(
        "source",
        [
            "import time; time.sleep(600)",
            "import socket, time\ns = socket.create_server(('127.0.0.1', 8000)); k = []\nwhile 1: k.append(s.accept())",
            "import socket, time\ns = socket.create_server(('127.0.0.1', 8000))\nwhile 1:\n    c = s.accept()[0]\n"
            "    for x in b'HTTP/1.1 200 OK': c.send(bytes([x])); time.sleep(0.3)",
        ],
        ids=["never listens", "says nothing", "says it slowly"],
    )
    def test_an_app_that_does_not_get_ready_is_ended_in_time(self, house: House, source: str) -> None:
        with house.open(replace(QUICK, ready=0.6, crashes=1)) as previews:
            preview = previews.start("shop", script("shop", source, house))
            assert preview.state is State.CRASHED
            assert "did not answer within 0.6 seconds" in preview.words

    def test_an_app_that_answers_with_errors_is_not_ready(self, house: House) -> None:
        spec = script("shop", server("self.answer('no', 500)"), house)
        with house.open(replace(QUICK, ready=0.6, crashes=1)) as previews:
            assert previews.start("shop", spec).state is State.CRASHED
        with house.open() as previews:
            assert previews.start("shop", replace(spec, ready_below=600)).state is State.RUNNING

    def test_stopping_does_not_wait_for_a_start_that_hangs(self, house: House) -> None:
        with house.open(replace(QUICK, ready=600)) as previews, ThreadPoolExecutor(1) as pool:
            started = pool.submit(previews.start, "shop", script("shop", "import time; time.sleep(600)", house))
            house.wait_for(State.STARTING)
            assert eventually(lambda: bool(house.book.ports))
            assert ask(house.book.ports["shop"], Accept="text/html")[0] == 503
            assert previews.stop("shop").state is State.STOPPED
            assert started.result(SECONDS).state is State.STOPPED

    def test_output_without_end_is_bounded_and_costs_the_app_alone(self, house: House) -> None:
        flood = "import threading\nthreading.Thread(target=lambda: [print('x' * 100) for _ in iter(int, 1)]).start()"
        with house.open() as previews:
            port = previews.start("loud", script("loud", server(before=flood), house)).port
            assert eventually(lambda: len(previews.logs("loud", 10_000)) > 1000)
            assert ask(port) == (200, b"hi")
            assert sum(len(line.text) for line in previews.logs("loud", 100_000)) <= 256 * 1024
            assert previews.stop("loud").state is State.STOPPED

    def test_an_app_that_keeps_too_much_data_is_ended_and_its_data_stays(self, house: House) -> None:
        body = (
            "if self.path == '/': return self.answer('hi')\n"
            "        for number in range(40): open(f'/data/{number}', 'wb').write(b'x' * 2**20)"
        )
        with house.open() as previews:
            port = previews.start("shop", script("shop", server(body), house)).port
            ask(port, "/fill")
            assert "keeps more than the 8 MiB that it may" in house.wait_for(State.CRASHED)
            assert house.data.kept("shop").size > 8 * 2**20
            assert not previews.status("shop").tries_again
            with pytest.raises(Exception, match="keeps more than"):
                previews.restart("shop")

    def test_an_app_that_kills_everything_it_can_ends_itself_alone(self, house: House) -> None:
        body = "if self.path == '/': return self.answer('hi')\n        os.kill(-1, 9); os._exit(1)"
        with house.open(replace(QUICK, crashes=1)) as previews:
            port = previews.start("shop", script("shop", server(body), house)).port
            ask(port, "/die")
            house.wait_for(State.CRASHED)
            assert previews.start("next", script("next", server(), house)).state is State.RUNNING

    @pytest.mark.parametrize("error", [Unavailable("no sandbox works"), OSError(28, "No space left on device")])
    def test_a_sandbox_that_cannot_start_is_an_error_at_once(self, house: House, error: Exception) -> None:
        def refuse(spec: PreviewSpec, output: OnOutput) -> Service:
            raise error

        spec = script("shop", "", house)
        with house.open(start=refuse) as previews:
            with pytest.raises(Unavailable, match=r"no sandbox works|not be started: No space left"):
                previews.start("shop", spec)
            assert previews.status("shop").state is State.STOPPED
            previews.resume([spec])
            assert eventually(lambda: "crashed 3 times in a row" in previews.status("shop").words)

    def test_a_listener_that_fails_ends_nothing(self, house: House) -> None:
        def fail(project: str, state: State, words: str) -> None:
            raise OSError("the disk is full")

        house.told = fail  # type: ignore[method-assign]
        with house.open() as previews:
            assert ask(previews.start("shop", script("shop", server(), house)).port) == (200, b"hi")


class TestPorts:
    def test_a_port_that_another_program_uses_is_passed_over_and_that_is_said(self, house: House) -> None:
        with listening() as other, house.open() as previews:
            port = other.getsockname()[1]
            house.book.remember("shop", port)
            preview = previews.start("shop", script("shop", server(), house))
            assert preview.port != port
            assert house.book.port_of("shop") == preview.port
            words = f"another program uses port {port}, so it moved to port {preview.port}"
            assert preview.note == words
            assert words in [line.text for line in previews.logs("shop")]

    def test_a_port_is_never_given_to_another_project(self, house: House) -> None:
        with house.open() as previews:
            first = previews.start("one", script("one", server(), house)).port
            previews.remove("one")
            assert previews.start("two", script("two", server(), house)).port != first
            assert previews.start("one", script("one", server(), house)).port == first
            assert house.book.owners[first] == "one"

    def test_when_all_ports_are_given_away_that_is_said(self, house: House) -> None:
        for port in range(first_port(), first_port() + PORTS):
            house.book.remember(f"old-{port}", port)
        with house.open() as previews, pytest.raises(Unavailable, match="there is no free port from"):
            previews.start("shop", script("shop", server(), house))


class TestManaging:
    def test_apps_come_back_with_the_next_service_on_their_ports(self, house: House) -> None:
        specs = [script(name, server(f"self.answer('{name}')"), house) for name in ("one", "two")]
        with house.open() as previews:
            ports = {name: previews.start(name, spec).port for name, spec in zip(("one", "two"), specs, strict=True)}
        assert not [change for change in house.changes if change[1] is State.STOPPED]
        stored = json.loads(json.dumps([spec.as_json() for spec in specs]))
        with house.open() as previews:
            previews.resume(map(spec_from, stored))
            house.wait_for(State.RUNNING, 4)
            assert {name: ask(port) for name, port in ports.items()} == {"one": (200, b"one"), "two": (200, b"two")}
            assert [preview.project for preview in previews.all()] == ["one", "two"]

    def test_a_stopped_app_says_so_at_its_address_until_it_is_removed(self, house: House) -> None:
        with house.open() as previews:
            port = previews.start("shop", script("shop", server(), house)).port
            assert previews.stop("shop").state is State.STOPPED
            assert ask(port) == (503, b"The app is stopped\nStart it from the control panel or with `start_app`.\n")
            assert previews.stop("shop").state is State.STOPPED
            previews.remove("shop")
            with pytest.raises(ConnectionRefusedError):
                ask(port)
            with pytest.raises(NotFound):
                previews.status("shop")

    def test_what_is_not_there_cannot_be_managed(self, house: House) -> None:
        with house.open() as previews:
            for act in (previews.stop, previews.restart, previews.status, previews.logs, previews.remove):
                with pytest.raises(NotFound, match="has not been started"):
                    act("nothing")
            with pytest.raises(InvalidParams):
                previews.start("other", script("shop", "", house))
        with pytest.raises(Unavailable, match="is stopping"):
            previews.start("shop", script("shop", server(), house))

    def test_only_so_many_apps_run_at_once(self, house: House) -> None:
        with house.open(most=1) as previews:
            previews.start("one", script("one", server(), house))
            with pytest.raises(TooMany, match="1 app"):
                previews.start("two", script("two", server(), house))
            previews.stop("one")
            assert previews.start("two", script("two", server(), house)).state is State.RUNNING

    def test_many_who_start_the_same_app_get_one(self, house: House) -> None:
        alone = "import fcntl; held = open('/data/lock', 'a'); fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)"
        spec = script("shop", server(before=alone), house)
        with house.open() as previews, ThreadPoolExecutor(4) as pool:
            started = list(pool.map(lambda _: previews.start("shop", spec), range(4)))
            assert {preview.port for preview in started} == {house.book.ports["shop"]}
            assert eventually(lambda: previews.status("shop").state is State.RUNNING)
            assert ask(started[0].port) == (200, b"hi")
            assert len(previews.all()) == 1
            assert State.CRASHED not in [state for _, state, _ in house.changes]

    def test_data_is_copied_while_the_app_runs_and_put_back_while_it_rests(self, house: House, tmp_path: Path) -> None:
        body = "open('/data/file', 'a').write('x'); self.answer(open('/data/file').read())"
        with house.open() as previews:
            port = previews.start("shop", script("shop", server(body), house)).port
            size = len(ask(port)[1])
            previews.snapshot_data("shop", tmp_path / "copy")
            ask(port)
            with pytest.raises(Conflict, match="is running"):
                previews.restore_data("shop", tmp_path / "copy")
            previews.stop("shop")
            assert (house.data.of("shop") / "file").stat().st_size == size + 1
            previews.restore_data("shop", tmp_path / "copy")
            assert (house.data.of("shop") / "file").stat().st_size == size
            assert previews.restart("shop").state is State.RUNNING

    def test_nothing_is_left_of_previews_that_were_closed(self, house: House, root: Path) -> None:
        before, others = traces.take(root), set(threading.enumerate())
        with house.open(Patience(first_pause=60)) as previews:
            previews.start("good", script("good", server(), house))
            previews.start("bad", script("bad", "raise SystemExit(1)", house))
            assert traces.take(root).processes - before.processes
        assert not traces.left_behind(before, root)
        assert len(house.services) == 2
        assert not [service for service in house.services if service.alive or service.socket_path.parent.exists()]
        assert not [one.name for one in set(threading.enumerate()) - others if one.name.startswith("preview")]
