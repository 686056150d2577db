"""Addresses on this machine at which what was deployed to a fake cloud really answers."""

import http.client
import mimetypes
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import unquote, urlsplit

from cloud_fakes.loopback import Asked, Listener, Loopback, Reply, Trouble

Host = Callable[[Mapping[str, bytes], Mapping[str, str]], str]
"""Really runs an app: its files and variables in, the URL at which it answers out. Raises CannotHost.

One that has room for so many only ends an app to make room, and says so with `LiveSites.end`.
"""
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "host", "content-length"}


class CannotHost(Exception):
    """The app does not start; its text is what the build log says, line by line."""


@dataclass(slots=True, eq=False)
class Version:
    """Something that can be shown at an address: pages as they are, or an app that runs somewhere."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    """By their paths; what a static site shows, or what an app is made of."""
    url: str = ""
    """Where an app runs, if anybody runs it."""
    words: str = ""
    """What an app that nobody runs says to everything."""
    env: Mapping[str, str] = field(default_factory=dict)
    asleep: bool = False
    """It was ended to make room; it runs again once visitors shall see it."""


class LiveSites:
    """One address a name, which stays the same while what is shown there changes."""

    def __init__(self, host: Host | None = None) -> None:
        self._host = host
        self._sites: dict[str, _Site] = {}
        self._running: dict[str, Version] = {}
        """By URL, what answers there."""
        self._lock = threading.Lock()
        self._listener = Listener()

    def build(self, files: Mapping[str, bytes], env: Mapping[str, str], *, static: bool, words: str) -> Version:
        """Raises CannotHost."""
        if static or self._host is None:
            return Version(dict(files), words="" if static else words)
        made = Version(dict(files), env=dict(env))
        self._run(made, self._host)
        return made

    def wake(self, version: Version | None) -> None:
        """Have it run, as visitors are about to see it. Raises CannotHost."""
        if version is not None and version.asleep and self._host is not None:
            self._run(version, self._host)

    def end(self, url: str) -> None:
        """What ran there does not any more."""
        if (ended := self._running.pop(url, None)) is not None:
            ended.asleep = True

    def _run(self, version: Version, host: Host) -> None:
        version.url, version.asleep = host(version.files, version.env), False
        self._running[version.url] = version

    def address(self, name: str) -> str:
        """Host and port of a name, whatever is shown there."""
        return f"127.0.0.1:{self._site(name).port}"

    def show(self, name: str, version: Version | None) -> None:
        """None: nothing is there (404)."""
        self._site(name).version = version

    def guard(self, name: str, page: Reply | None) -> None:
        """With a page, that is all that visitors get."""
        self._site(name).page = page

    def close(self) -> None:
        self._listener.close()

    def _site(self, name: str) -> "_Site":
        with self._lock:
            if name not in self._sites:
                self._sites[name] = _Site()
                self._listener.add(self._sites[name].server)
            return self._sites[name]


class _Site(Loopback):
    def __init__(self) -> None:
        super().__init__()
        self.version: Version | None = None
        self.page: Reply | None = None

    def answer(self, asked: Asked) -> Reply:
        version = self.version
        if self.page:
            return self.page
        if version is None or version.asleep:
            return 404, {"content-type": "text/plain"}, b"The deployment could not be found on this host."
        if version.url:
            return _relayed(version.url, asked)
        if version.words:
            return 200, {"content-type": "text/plain; charset=utf-8"}, version.words.encode()
        return _page(version.files, unquote(asked.path))

    def refused(self, trouble: Trouble) -> Reply:
        return trouble.status, {"content-type": "text/plain", **trouble.headers}, trouble.code.encode()


def _page(files: Mapping[str, bytes], path: str) -> Reply:
    wanted = path.strip("/")
    for name in (wanted, f"{wanted}/index.html".lstrip("/"), f"{wanted}.html"):
        if name in files:
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            return 200, {"content-type": kind}, files[name]
    return 404, {"content-type": "text/html"}, files.get("404.html", b"<h1>404: Not found</h1>")


def _relayed(url: str, asked: Asked) -> Reply:
    """What the running app answers. Raises ConnectionError if it is gone, which cuts the visitor off too."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or _no_host(url), parts.port, timeout=30)
    try:
        sent = {name: value for name, value in asked.headers.items() if name not in HOP_BY_HOP}
        connection.request(asked.method, asked.target, asked.body, sent)
        response = connection.getresponse()
        body = response.read()
        back = {name.lower(): value for name, value in response.getheaders() if name.lower() not in HOP_BY_HOP}
        return response.status, back, body
    finally:
        connection.close()


def _no_host(url: str) -> NoReturn:
    raise ValueError(f"no host in {url}")
