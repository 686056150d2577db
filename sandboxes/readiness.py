"""Asks a program behind a unix socket whether it answers yet."""

import http.client
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

BETWEEN = 0.05
ONE_TRY = 2.0
SERVER_ERROR = 500


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a unix socket."""

    def __init__(self, path: Path, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))

    def hang_up(self) -> None:
        """End a conversation that goes on byte by byte, which no timeout of a single read would end."""
        line = self.sock  # whoever talks may be closing it at this very moment
        with suppress(OSError):
            if line:
                line.shutdown(socket.SHUT_RDWR)


def answers(path: Path, target: str, timeout: float) -> bool:
    """Whether a request gets an answer that is not a server's error."""
    connection = UnixConnection(path, timeout)
    enough = threading.Timer(timeout, connection.hang_up)
    enough.start()
    try:
        connection.request("GET", target)
        return connection.getresponse().status < SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        enough.cancel()
        connection.close()


def wait_ready(path: Path, target: str, seconds: float, alive: Callable[[], bool]) -> bool:
    """Ask until it answers, it has ended, or the time is up. A program that accepts and says nothing is not ready."""
    deadline = time.monotonic() + seconds
    while alive() and (left := deadline - time.monotonic()) > 0:
        if answers(path, target, min(ONE_TRY, left)):
            return True
        time.sleep(min(BETWEEN, left))
    return False
