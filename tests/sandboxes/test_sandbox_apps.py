"""Programs that go on running: reached through a socket that the service made, and gone when they are stopped."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from contracts.errors import Unavailable
from sandboxes.base import Job, Limits, Sandbox, Service, StoppedBy
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.landlock import Landlock
from sandboxes.readiness import answers, wait_ready
from tests.sandboxes.traces import left_behind, settled, take

ECHO = b"""
import socketserver
class Echo(socketserver.StreamRequestHandler):
    def handle(self):
        while data := self.request.recv(65536):
            self.request.sendall(data)
class Server(socketserver.ThreadingTCPServer):
    daemon_threads, request_queue_size = True, 128
print("ready", flush=True)
Server(("127.0.0.1", 8000), Echo).serve_forever()
"""
WEB = b"""
import http.server, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        code = 500 if self.path == "/broken" else 200
        self.send_response(code)
        self.end_headers()
        self.wfile.write(b"hello")
http.server.ThreadingHTTPServer(("127.0.0.1", 8000), Page).serve_forever()
"""


@contextmanager
def running(sandbox: Sandbox, program: bytes) -> Iterator[Service]:
    limits = Limits(processes=256, address_space=False)
    service = sandbox.start(Job(argv=("python3", "main.py"), files={"main.py": program}, limits=limits), 8000)
    try:
        yield service
    finally:
        service.stop()


def connect(service: Service) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    client.connect(str(service.socket_path))
    return client


def echo(service: Service, data: bytes) -> bytes:
    """What comes back of it; nothing while the program does not listen yet."""

    def send() -> None:
        with suppress(OSError):
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)

    with connect(service) as client:
        sender = threading.Thread(target=send)
        sender.start()
        received = b""
        with suppress(ConnectionError):
            received = b"".join(iter(lambda: client.recv(65536), b""))
        sender.join()
        return received


def test_connections_are_carried_both_ways_whatever_their_size_and_number(bubblewrap: Bubblewrap) -> None:
    with running(bubblewrap, ECHO) as service:
        assert settled(lambda: echo(service, b"x") == b"x")
        large = bytes(range(256)) * 8192
        assert echo(service, large) == large
        with ThreadPoolExecutor(16) as pool:
            assert list(pool.map(lambda n: echo(service, b"%d" % n * 1000), range(64))) == [
                b"%d" % n * 1000 for n in range(64)
            ]


def test_a_container_serves_too(container: Sandbox) -> None:
    with running(container, ECHO) as service:
        assert settled(lambda: echo(service, b"x") == b"x")


def test_a_stopped_program_leaves_nothing(bubblewrap: Bubblewrap, root: Path) -> None:
    before = take(root)
    with running(bubblewrap, ECHO) as service:
        assert settled(lambda: "ready" in service.logs())
        path = service.socket_path
        assert path.exists() and service.alive
        assert service.wait(0) is None
    assert not service.alive and not path.parent.exists()
    assert service.stop().stopped_by is StoppedBy.KILLED
    assert not left_behind(before, root)


def test_a_program_that_ends_by_itself_is_seen_to(bubblewrap: Bubblewrap, root: Path) -> None:
    before = take(root)
    service = bubblewrap.start(Job(code="print('so far'); raise SystemExit(3)"), 8000)
    result = service.wait(60)
    assert result and result.exit_code == 3 and result.stopped_by is None
    assert service.logs() == "so far\n"
    assert service.stop() == result
    assert not left_behind(before, root)


def test_the_time_of_a_program_is_not_limited_and_its_log_is(bubblewrap: Bubblewrap) -> None:
    code = "import time\nfor n in range(40_000): print('line', n)\nprint('last', flush=True)\ntime.sleep(60)"
    service = bubblewrap.start(Job(code=code, limits=Limits(wall=0.01, output=1000)), 8000)
    try:
        assert settled(lambda: service.logs().endswith("last\n"))
        assert service.alive
        assert len(service.logs()) <= 256 * 1024
        assert service.logs().startswith("line ")
    finally:
        service.stop()


def test_it_outlives_the_thread_that_started_it(bubblewrap: Bubblewrap) -> None:
    started: list[Service] = []
    thread = threading.Thread(
        target=lambda: started.append(bubblewrap.start(Job(code="import time; time.sleep(60)"), 8000))
    )
    thread.start()
    thread.join()
    try:
        assert started[0].wait(0.3) is None
    finally:
        started[0].stop()


def test_the_program_has_no_handle_of_the_service_and_no_way_out(bubblewrap: Bubblewrap) -> None:
    code = """
import os, socket
handles, networks = os.listdir("/proc/self/fd"), [line.split()[0] for line in open("/proc/net/dev")][2:]
print(sorted(map(int, handles))[3:], networks)
try:
    socket.create_connection(("10.0.0.1", 80), 1)
except OSError as error:
    print(error)
"""
    service = bubblewrap.start(Job(code=code), 8000)
    assert service.wait(60)
    assert service.logs().splitlines() == ["[3] ['lo:']", "[Errno 101] Network is unreachable"]


def test_it_is_ready_when_it_answers_without_an_error(bubblewrap: Bubblewrap) -> None:
    with running(bubblewrap, WEB) as service:
        assert wait_ready(service.socket_path, "/", 60, lambda: service.alive)
        assert answers(service.socket_path, "/", 60)
        assert not answers(service.socket_path, "/broken", 60)
    assert not answers(service.socket_path, "/", 60)


@pytest.mark.parametrize(
    "program",
    [
        "import time; time.sleep(60)",
        "import socket, time; s = socket.create_server(('127.0.0.1', 8000)); time.sleep(60)",
        "import socket, time\ns = socket.create_server(('127.0.0.1', 8000))\nwhile True:\n    c = s.accept()[0]\n"
        "    try:\n        while True: c.send(b'H'); time.sleep(0.05)\n    except OSError: pass",
    ],
    ids=["never listens", "never answers", "answers byte by byte"],
)
def test_a_program_that_hangs_is_not_ready_and_the_wait_ends(bubblewrap: Bubblewrap, program: str) -> None:
    with running(bubblewrap, program.encode()) as service:
        assert not wait_ready(service.socket_path, "/", 0.8, lambda: service.alive)


def test_waiting_ends_with_the_program(bubblewrap: Bubblewrap) -> None:
    with running(bubblewrap, b"raise SystemExit(1)") as service:
        assert not wait_ready(service.socket_path, "/", 60, lambda: service.alive)


def test_landlock_cannot_serve_and_says_so(landlock: Landlock) -> None:
    with pytest.raises(Unavailable, match="network of its own") as caught:
        landlock.start(Job(code=""), 8000)
    assert "bubblewrap" in caught.value.hint
