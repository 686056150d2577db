"""HTTP as a visitor speaks it: one request, one answer, both bounded in size and time, no redirect followed."""

import http.client
import json
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit

from contracts.errors import InvalidParams
from sandboxes.readiness import UnixConnection

LARGEST = 4 * 1024 * 1024
PIECE = 64 * 1024
SECONDS = 15.0
HEADERS = {"Connection": "close", "User-Agent": "task-agent-checks"}


class NoAnswer(Exception):
    """Nothing came back that is an answer, in words."""


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    """With its query, already encoded."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    cut: bool = False
    """There was more than anybody wants to read."""

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """Raises ValueError if it is no JSON."""
        try:
            return json.loads(self.body.decode("utf-8"))
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error

    @property
    def cookies(self) -> dict[str, str]:
        """What it asks to be remembered; an empty value is to be forgotten."""
        found: dict[str, str] = {}
        for key, value in self.headers:
            if key.lower() == "set-cookie":
                with suppress(CookieError):
                    found |= {name: morsel.value for name, morsel in SimpleCookie(value).items()}
        return found


class Visitor(Protocol):
    """Somebody outside of the app. One that has `restarts` can also switch it off and on again."""

    @property
    def restarts(self) -> bool: ...

    def send(self, request: Request) -> Reply:
        """Raises NoAnswer."""

    def restart(self) -> None:
        """Start the app anew with what it keeps, and wait until it answers. Raises NoAnswer."""


def query(path: str, values: Mapping[str, object]) -> str:
    """A path with its query."""
    return f"{path}?{urlencode(list(values.items()))}" if values else path


class SocketVisitor:
    """Reaches an app through the unix socket of its sandbox."""

    restarts = False

    def __init__(self, socket_path: Path, *, seconds: float = SECONDS) -> None:
        self._path = socket_path
        self._seconds = seconds

    def send(self, request: Request) -> Reply:
        return converse(UnixConnection(self._path, self._seconds), request, self._seconds)

    def restart(self) -> None:
        raise NoAnswer("this app cannot be started anew from here")


class AddressVisitor:
    """Reaches an app at its address, such as `https://books.example.org`."""

    restarts = False

    def __init__(self, url: str, *, seconds: float = SECONDS) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise InvalidParams(f"`{url}` is not an address of an app", hint="It begins with `http://` or `https://`")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._base = parts.path.rstrip("/")
        self._seconds = seconds

    def send(self, request: Request) -> Reply:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        request = Request(request.method, self._base + request.path, request.headers, request.body)
        return converse(kind(self._host, self._port, timeout=self._seconds), request, self._seconds)

    def restart(self) -> None:
        raise NoAnswer("an app at an address cannot be started anew from here")


class WouldWrite(Exception):
    """A check has come to where it would change something, on an address where nothing may be changed."""


class LookingVisitor:
    """Looks at an app through another visitor and changes nothing there."""

    restarts = False

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    def send(self, request: Request) -> Reply:
        if request.method not in {"GET", "HEAD", "OPTIONS"}:
            raise WouldWrite
        return self._visitor.send(request)

    def restart(self) -> None:
        raise WouldWrite


def converse(connection: http.client.HTTPConnection, request: Request, seconds: float) -> Reply:
    """One question and its answer, in so many seconds altogether."""
    over = threading.Event()
    enough = threading.Timer(seconds, _end, (connection, over))
    enough.daemon = True
    enough.start()
    try:
        body = request.body or (b"" if request.method in {"POST", "PUT", "PATCH"} else None)
        connection.request(request.method, request.path, body=body, headers={**HEADERS, **request.headers})
        answer = connection.getresponse()
        content, cut = _read(answer, time.monotonic() + seconds)
        headers = tuple((str(key), str(value)[:8192]) for key, value in answer.getheaders()[:100])
        return Reply(answer.status, headers, content, cut)
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = f"not in {seconds:g} seconds" if over.is_set() or isinstance(error, TimeoutError) else _why(error)
        raise NoAnswer(f"nothing answers `{request.method} {request.path[:200]}`: {why}") from error
    finally:
        enough.cancel()
        connection.close()


def _read(answer: http.client.HTTPResponse, deadline: float) -> tuple[bytes, bool]:
    pieces: list[bytes] = []
    size = 0
    while piece := answer.read1(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST or time.monotonic() > deadline:
            return b"".join(pieces)[:LARGEST], True
    return b"".join(pieces), False


def _end(connection: http.client.HTTPConnection, over: threading.Event) -> None:
    """A conversation that goes on byte by byte is not ended by the timeout of a single read."""
    over.set()
    line = connection.sock  # whoever talks may be closing it at this very moment
    with suppress(OSError):
        if line:
            line.shutdown(2)


def _why(error: Exception) -> str:
    known = {
        ConnectionRefusedError: "nobody is there",
        FileNotFoundError: "nobody is there",
        http.client.RemoteDisconnected: "it hung up without a word",
        ConnectionResetError: "it broke off",
        http.client.IncompleteRead: "it broke off in the middle",
    }
    return known.get(type(error), f"what came is no HTTP ({type(error).__name__})")
