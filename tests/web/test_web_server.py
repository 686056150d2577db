"""The service as processes: it starts once, ends when asked, and never leaves half of itself behind."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

from tests.web.live import ROOT, SECONDS, Live, alive, complaints, live, own_port, started, until

SLOW = """
import sys, threading
from web.server import Service, serve

def load(address):
    stopping = threading.Event()
    def app(environ, start):
        start("200 OK", [("Content-Length", "4")])
        if environ["PATH_INFO"] == "/slow":
            print("slow", flush=True)
            stopping.wait(60)
        return [b"done"]
    print(address.port, flush=True)
    return Service(app, stop=stopping.set, close=lambda: print("closed", flush=True))

sys.exit(serve(load, host="127.0.0.1", port=0, max_streams=4))
"""
LOADING = """
import sys, time
from web.server import serve

def load(address):
    print("loading", flush=True)
    time.sleep(60)

sys.exit(serve(load, host="127.0.0.1", port=0, max_streams=4))
"""


def script(text: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", text], cwd=ROOT, stdout=subprocess.PIPE, text=True)


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def ended(service: Live) -> int:
    return service.process.wait(SECONDS)


def test_it_starts_answers_and_ends_when_asked(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with live(tmp_path) as service:
            assert service.send("GET", "/health")[0] == 200
            assert service.end(number) == 0
            assert not alive(service.worker)
        assert not (tmp_path / "service.json").exists()


def test_a_signal_to_the_whole_group_also_ends_it_in_order(tmp_path: Path) -> None:
    with live(tmp_path) as service:
        os.kill(service.worker, signal.SIGINT)
        assert service.end(signal.SIGINT) == 0


def test_it_can_be_stopped_over_http(tmp_path: Path) -> None:
    with live(tmp_path) as service:
        assert service.send("POST", "/admin/stop")[0] == 200
        assert ended(service) == 0


def test_a_dead_worker_ends_the_service_with_an_error(tmp_path: Path) -> None:
    with live(tmp_path) as service:
        os.kill(service.worker, signal.SIGKILL)
        assert ended(service) == 1
        assert "ended unexpectedly" in complaints(tmp_path)


def test_the_worker_dies_with_its_parent_and_the_home_is_free_again(tmp_path: Path) -> None:
    port = own_port()
    with live(tmp_path, port=port) as service:
        service.process.kill()
        until(lambda: not alive(service.worker), "the worker to die")
    with live(tmp_path, port=port) as again:
        assert again.send("GET", "/health")[0] == 200


def test_a_taken_port_is_said_in_a_sentence(tmp_path: Path) -> None:
    with live(tmp_path / "one") as service:
        other = started(tmp_path / "two", AGENT_PORT=str(service.port))
        assert other.wait(SECONDS) == 5
        said = complaints(tmp_path / "two")
        assert f"port {service.port} is taken" in said
        assert "Traceback" not in said


def test_a_second_service_on_the_same_home_is_refused(tmp_path: Path) -> None:
    with live(tmp_path) as service:
        other = started(tmp_path, AGENT_PORT="0")
        assert other.wait(SECONDS) == 5
        assert "Another service" in complaints(tmp_path)
        assert "Traceback" not in complaints(tmp_path)
        assert service.send("GET", "/health")[0] == 200


def test_an_address_that_is_not_ours_is_said_in_a_sentence(tmp_path: Path) -> None:
    other = started(tmp_path, AGENT_PORT="0", AGENT_BIND="192.0.2.1")
    assert other.wait(SECONDS) == 2
    assert "cannot listen on `192.0.2.1`" in complaints(tmp_path)


def test_open_requests_are_answered_before_it_ends() -> None:
    with script(SLOW) as process:
        connection = http.client.HTTPConnection("127.0.0.1", int(line(process)), timeout=SECONDS)
        with closing(connection):
            connection.request("GET", "/slow")
            assert line(process) == "slow"
            process.terminate()
            assert connection.getresponse().read() == b"done"
        assert process.wait(SECONDS) == 0
        assert line(process) == "closed"


def test_a_signal_while_it_still_loads_ends_it() -> None:
    with script(LOADING) as process:
        assert line(process) == "loading"
        process.terminate()
        assert process.wait(SECONDS) == 0


def raw(service: Live, *pieces: bytes, end: bool = False) -> bytes:
    """Send bytes as they are and read what comes back."""
    head = f"\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {service.token}\r\nConnection: close\r\n".encode()
    with socket.create_connection(("127.0.0.1", service.port), SECONDS) as connection:
        with suppress(OSError):  # it may have answered and closed before it has heard everything
            connection.sendall(pieces[0].replace(b"\r\n", head, 1))
            for piece in pieces[1:]:
                connection.sendall(piece)
            if end:
                connection.shutdown(socket.SHUT_WR)
        found = b""
        while data := connection.recv(65536):
            found += data
    return found


def test_bodies_of_every_kind_are_held_to_the_limit(tmp_path: Path) -> None:
    with live(tmp_path, max_body_bytes=4096) as service:
        chunk = b"1000\r\n" + b"x" * 4096 + b"\r\n"
        chunked = b"POST /run HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        assert b" 413 " in raw(service, chunked, chunk, chunk, b"0\r\n\r\n")
        assert b" 413 " in raw(service, b"POST /run HTTP/1.1\r\nContent-Length: 5000\r\n\r\n" + b"x" * 5000)
        small = b'{"intent":"nope"}'
        piece = f"{len(small):x}\r\n".encode() + small + b"\r\n0\r\n\r\n"
        assert b"unknown_intent" in raw(service, chunked, piece)


def test_an_upload_that_breaks_off_is_never_taken_for_whole(tmp_path: Path) -> None:
    with live(tmp_path) as service:
        put = b"PUT /projects/notes/files/a HTTP/1.1\r\n"
        raw(service, put + b"Content-Length: 10\r\n\r\n", b"abc", end=True)
        assert b"how long" in raw(service, put + b"Transfer-Encoding: chunked\r\n\r\n", b"3\r\nabc\r\n", end=True)
        assert service.send("GET", "/tasks")[1]["tasks"] == []
