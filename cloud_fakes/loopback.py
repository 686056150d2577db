"""A cloud's server on this machine: takes note of every request, and has trouble on demand."""

import json
import selectors
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

Reply = tuple[int, dict[str, str], bytes]
"""Status, headers, body."""
LONGEST_WAIT = 30.0


@dataclass(slots=True)
class Trouble:
    """What goes wrong the next `times` times that a request's line contains `where`, such as `POST /v2/files`."""

    where: str
    status: int = 0
    """Refuse it with this status; nothing is done."""
    code: str = ""
    """The cloud's own name of the refusal."""
    headers: dict[str, str] = field(default_factory=dict)
    """What the refusal says besides, such as `retry-after`."""
    instead: Reply | None = None
    """Answer this, whatever the shape of the cloud's errors; nothing is done."""
    cut_after: int | None = None
    """Cut the connection when so many bytes of the body were read; nothing is done."""
    cut_answer: bool = False
    """Do what was asked, but cut the connection instead of answering."""
    slow: float = 0.0
    """Seconds to wait before anything is done."""
    until: threading.Event | None = None
    """Do nothing before this is set."""
    times: int = 1


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, once its body was read."""

    method: str
    path: str
    """As it was sent, so still with its percent signs."""
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    target: str = ""
    """Path and query together, as they were sent."""

    @property
    def json(self) -> Any:
        """None if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def bearer(self) -> str:
        """Empty if there is none, or a token without the word before it."""
        kind, _, token = self.headers.get("authorization", "").partition(" ")
        return token if kind == "Bearer" else ""


class Loopback:
    """`with` serves at `url` until the block ends. Subclasses say what is answered."""

    def __init__(self, port: int = 0) -> None:
        self.requests: list[str] = []
        """Method, path and query of every request, in their order."""
        self.troubles: list[Trouble] = []
        self.delays: dict[str, float] = {}
        """Seconds that requests take whose line begins so, such as `POST /v2/files`."""
        self.most_at_once = 0
        """How many requests were under way at the same time, at most."""
        self.delayed: list[tuple[str, float, float]] = []
        """Each request that was made to wait: its line, the moment on the monotonic clock, and for how long."""
        self._under_way = 0
        self._guard = threading.Lock()
        self._ended = threading.Condition(self._guard)
        self.server = _Server(self, port)
        self._listener: Listener | None = None

    def answer(self, asked: Asked) -> Reply:
        raise NotImplementedError

    def refused(self, trouble: Trouble) -> Reply:
        """The shape of this cloud's errors."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._listener = Listener()
        self._listener.add(self.server)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._listener:
            self._listener.close()

    @property
    def port(self) -> int:
        return int(self.server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def trouble(self, where: str, **what: Any) -> None:
        with self._guard:
            self.troubles.append(Trouble(where, **what))

    def counted(self, where: str) -> int:
        """How many requests had this in their line."""
        with self._guard:
            return sum(where in line for line in self.requests)

    def begin(self, line: str) -> Trouble:
        """Take note of a request; gives what shall go wrong with it."""
        with self._guard:
            self.requests.append(line)
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            delay = max((seconds for start, seconds in self.delays.items() if line.startswith(start)), default=0.0)
            if delay:
                self.delayed.append((line, time.monotonic(), delay))
            for trouble in self.troubles:
                if trouble.where in line and trouble.times > 0:
                    trouble.times -= 1
                    return trouble
        return Trouble("", slow=delay)

    def end(self) -> None:
        with self._guard:
            self._under_way -= 1
            self._ended.notify_all()

    def quiet(self) -> bool:
        """Sleep until no request is under way any more, or that takes too long; says which."""
        with self._guard:
            return self._ended.wait_for(lambda: self._under_way == 0, LONGEST_WAIT)


class Listener:
    """One thread that waits for visitors of any number of servers. Each visitor gets a thread of their own."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._waker, self._woken = socket.socketpair()
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._servers: list[ThreadingHTTPServer] = []
        self._thread = threading.Thread(target=self._listen, name="cloud-fake", daemon=True)

    def add(self, server: ThreadingHTTPServer) -> None:
        self._servers.append(server)
        self._selector.register(server, selectors.EVENT_READ, server)
        if self._thread.ident is None:
            self._thread.start()

    def close(self) -> None:
        """Ends the thread and closes the servers."""
        self._waker.send(b"x")
        if self._thread.ident is not None:
            self._thread.join()
        self._selector.close()
        for server in self._servers:
            server.server_close()
        self._waker.close()
        self._woken.close()

    def _listen(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    return
                key.data.handle_request()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, cloud: Loopback, port: int) -> None:
        self.cloud = cloud
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except ConnectionError:
            self.close_connection = True

    def serve(self) -> None:
        trouble = self.server.cloud.begin(f"{self.command} {self.path}")
        try:
            self.serve_with(trouble)
        finally:
            self.server.cloud.end()

    def serve_with(self, trouble: Trouble) -> None:
        if trouble.slow:
            time.sleep(trouble.slow)
        if trouble.until is not None:
            trouble.until.wait(LONGEST_WAIT)
        length = int(self.headers.get("content-length") or 0)
        if trouble.cut_after is not None:
            self.rfile.read(min(length, trouble.cut_after))
            self.cut()
            return
        chunked = self.headers.get("transfer-encoding", "").lower() == "chunked"
        body = self.read_chunks() if chunked else self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        cloud = self.server.cloud
        if trouble.instead is not None:
            given = trouble.instead
        elif trouble.status:
            given = cloud.refused(trouble)
        else:
            given = cloud.answer(Asked(self.command, parts.path, query, headers, body, self.path))
        if trouble.cut_answer:
            self.cut()
        else:
            self.reply(*given)

    def read_chunks(self) -> bytes:
        parts = []
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def cut(self) -> None:
        """End the connection as a broken line does, without goodbye."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:
        """The cloud's `requests` has them."""

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = serve


def as_json(value: object, status: int = 200, **headers: str) -> Reply:
    return status, {"content-type": "application/json; charset=utf-8", **headers}, json.dumps(value).encode()
