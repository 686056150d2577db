"""Whatever answers, the prover goes on: endless, huge, broken and hostile answers are data."""

import http.server
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from contracts.app_spec import AppSpec, Kind
from contracts.errors import InvalidParams
from proof import AddressVisitor, Request, SocketVisitor, check_live
from proving.record import Recorder
from proving.wire import LARGEST, NoAnswer
from tests.proving.tiny_library import SPEC
from tests.proving.visits import answering
from tests.scaffolds.specs import everything, spec

LIBRARY = AppSpec.model_validate(SPEC)
PAGES = spec(Kind.WEB_APP, everything())


@contextmanager
def speaking(say: Callable[[socket.socket], None], seconds: float = 60.0) -> Iterator[AddressVisitor]:
    """Somebody who answers each caller with raw bytes."""
    door = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                caller, _ = door.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(caller,), daemon=True).start()

    def answer(caller: socket.socket) -> None:
        with caller:
            try:
                caller.recv(65536)
                say(caller)
            except OSError:
                return

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield AddressVisitor(f"http://127.0.0.1:{door.getsockname()[1]}", seconds=seconds)
    finally:
        door.shutdown(socket.SHUT_RDWR)
        door.close()


def drip(caller: socket.socket) -> None:
    caller.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        caller.sendall(b"x")
        time.sleep(0.02)


def say_nothing(over: threading.Event) -> None:
    over.wait(60)


def flood(caller: socket.socket) -> None:
    caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while True:
        caller.sendall(b"[" * 65536)


def test_an_answer_that_never_ends_is_cut_off() -> None:
    over = threading.Event()
    with speaking(drip, 0.4) as visitor:
        try:
            assert visitor.send(Request("GET", "/")).cut
        except NoAnswer as error:
            assert "0.4 seconds" in str(error)
    with speaking(lambda caller: say_nothing(over), 0.4) as visitor:
        with pytest.raises(NoAnswer, match=r"not in 0\.4 seconds"):
            visitor.send(Request("GET", "/"))
    over.set()


def test_a_flood_is_cut_at_its_bound() -> None:
    with speaking(flood) as visitor:
        reply = visitor.send(Request("GET", "/"))
    assert reply.cut and len(reply.body) <= LARGEST


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"no http at all\r\n\r\n",
        b"HTTP/1.1 9999999 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + b"[" * 100_000,
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<![<!DOCTYPE <a <b" + b"<div>" * 5000,
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-16\r\n\r\n\xff\xfe\x00\xd8\x1b[2J\x00",
        b"HTTP/1.1 302 Found\r\nLocation: http://[::bad\r\nSet-Cookie: \xff=;;\r\n\r\n",
        b'HTTP/1.1 201 C\r\n\r\n{"id": 1e999, "items": [{"id": true}], "total": "x", "paths": [], "error": []}',
        b'HTTP/1.1 200 OK\r\n\r\n{"items": [{"id": 1}], "total": 1, "page": 1, "per_page": 1, "pages": 99999999}',
        b'HTTP/1.1 200 OK\r\n\r\n{"openapi": "3.0.3", "paths": {"/health": [], "/books": {"get": 5, "post": 5}}}',
    ],
    ids=range(14),
)
@pytest.mark.parametrize("one", [LIBRARY, PAGES], ids=["api", "pages"])
def test_every_check_comes_to_a_result_whatever_comes(raw: bytes, one: AppSpec) -> None:
    with speaking(lambda caller: caller.sendall(raw)) as visitor:
        proof = check_live(one, visitor)
    assert not proof.ok and not [check.id for check in proof.checks if check.ok]
    assert all(check.why for check in proof.checks)
    assert "\x1b" not in json.dumps(proof.to_json(), ensure_ascii=False)


class Chatty(http.server.BaseHTTPRequestHandler):
    """Answers everything with a great deal of text."""

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b'{"status": "ok", "items": [' + b",".join([b'{"id": 1, "x": "\\u001b[31m"}'] * 5000) + b'], "total": 1}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, format: str, *args: object) -> None:
        return


def test_what_is_kept_of_a_proof_is_small() -> None:
    with answering(Chatty) as visitor:
        proof = check_live(LIBRARY, visitor)
    assert len(json.dumps(proof.to_json())) < 200_000
    assert all(len(exchange.answered) <= 2000 for check in proof.checks for exchange in check.exchanges)


def test_nobody_there_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(NoAnswer, match="nobody is there"):
        SocketVisitor(tmp_path / "no.sock").send(Request("GET", "/health"))
    with pytest.raises(InvalidParams):
        AddressVisitor("ftp://example.org")


def test_secrets_are_blanked_wherever_they_stand() -> None:
    record = Recorder(["s3cret-key"])
    record.hide('tok"en-1')
    record.add("GET /?k=s3cret-key", '{"password": "hunter22"}', 200, '{"token":"abc","k":"tok\\"en-1"}')
    record.add("POST /", "username=a&password=hunter22&csrf_token=abc", 200, '<input name="csrf_token" value="abc">')
    kept = str([exchange.to_json() for exchange in record.exchanges])
    assert not any(secret in kept for secret in ("s3cret", "hunter22", "abc", "en-1"))
    assert "username=a" in kept


def test_a_long_check_keeps_its_beginning_and_its_end() -> None:
    record = Recorder()
    for number in range(200):
        record.add(f"GET /{number}", "", 200, "x" * 100_000)
    assert len(record.exchanges) == 60 and record.count == 200
    assert record.exchanges[0].asked == "GET /0" and record.exchanges[-1].asked == "GET /199"
    assert all(len(exchange.answered) <= 2000 for exchange in record.exchanges)
