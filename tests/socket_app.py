"""An app as the relay sees it: a unix socket, each of whose connections is served by a function of the test."""

import errno
import http.client
import queue
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from previews import RelayLimits
from serving.headers import Door
from serving.pages import Notice
from serving.relay import Relay
from serving.visit import Site

Serve = Callable[[socket.socket], None]
HOST = b"Host: 127.0.0.1\r\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
SECONDS = 90.0


class SocketApp:
    """Keeps what it was sent, and the errors of the functions that serve."""

    def __init__(self, serve: Serve) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.path = Path(self._folder.name) / "app.sock"
        self._serve = serve
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen(128)
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection = self._listener.accept()[0]
                connection.settimeout(SECONDS)
                thread = threading.Thread(target=self._run, args=(connection,))
                thread.start()
                self._threads.append(thread)

    def _run(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            self._serve(connection)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join()
        for thread in self._threads:
            thread.join()
        self._folder.cleanup()


class Stage:
    """A relay with one preview, whose app is replaced by what each test gives."""

    def __init__(self, serve: Serve, limits: RelayLimits | None, door: Door, **site: str) -> None:
        self.app = SocketApp(serve)
        self.relay = Relay(limits)
        self.instead: Notice | None = None
        site_of_app = Site(door, self._look, self._trouble, **site)
        self.port = open_port(lambda port: self.relay.listen("127.0.0.1", port, site_of_app))

    def _look(self) -> Path | Notice:
        return self.instead or self.app.path

    def _trouble(self, status: int, words: str) -> Notice:
        return Notice(status, "The app gave no answer", words)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), SECONDS)

    def http(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)

    def say(self, sent: bytes) -> bytes:
        """All that comes back until the relay closes the connection."""
        with self.connect() as visitor:
            visitor.sendall(sent)
            return read_all(visitor)

    def get(self, *lines: bytes, target: bytes = b"/") -> bytes:
        head = b"GET %s HTTP/1.1\r\nConnection: close\r\n" % target
        return self.say(head + b"".join(line + b"\r\n" for line in lines or (HOST.strip(),)) + b"\r\n")

    def close(self) -> None:
        self.relay.close()
        self.app.close()


def open_port(listen: Callable[[int], None]) -> int:
    """Listen on a port that is free at this moment; another program may be quicker, and then it is another one."""
    while True:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        try:
            listen(port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return port


@contextmanager
def stage(serve: Serve, limits: RelayLimits | None = None, door: Door | None = None, **site: str) -> Iterator[Stage]:
    opened = Stage(serve, limits, door or Door(), **site)
    try:
        yield opened
    finally:
        opened.close()


def read_all(connection: socket.socket) -> bytes:
    got = b""
    while data := connection.recv(65_536):
        got += data
    return got


def read_until(connection: socket.socket, end: bytes) -> bytes:
    """Everything up to and with `end`, and whatever came with it."""
    got = b""
    while end not in got:
        data = connection.recv(65_536)
        if not data:
            raise ConnectionError(f"it ended after {got!r}")
        got += data
    return got


def read_head(connection: socket.socket) -> bytes:
    return read_until(connection, b"\r\n\r\n")


def answering(answer: bytes, seen: "queue.SimpleQueue[bytes] | None" = None) -> Serve:
    """An app that gives the same answer to whatever is asked."""

    def serve(connection: socket.socket) -> None:
        head = read_head(connection)
        if seen is not None:
            seen.put(head)
        connection.sendall(answer)

    return serve
