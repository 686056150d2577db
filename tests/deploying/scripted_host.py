"""A host that serves what it is sent, on this machine, and does what a test tells it to. It outlives the agent."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from threading import Thread
from typing import Any, Self

from contracts.deployments import Account, Parcel, Place, Quote, Release, ReleaseState, Say, Tick
from contracts.errors import AppError, Conflict, Failed, NotFound

TOKEN = "tok-of-the-owner-123"


@dataclass
class Cloud:
    """What the host's own side holds, whoever talks to it."""

    shipped: dict[str, list[Release]] = field(default_factory=dict)
    """By place, the oldest first."""
    parcels: dict[str, Parcel] = field(default_factory=dict)
    live: dict[str, str] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)
    troubles: dict[str, list[AppError | Callable[[], None]]] = field(default_factory=dict)
    """By the name of a call, what it raises or does the next times, in turn."""
    quote: Quote = field(
        default_factory=lambda: Quote(True, "free tier, no cost expected", "3 of 100 today", "everybody can open it")
    )
    unfit: str = ""
    spoil: dict[str, bytes] = field(default_factory=dict)
    """Paths that answer with something else than what was sent."""
    status: int = 200

    def __enter__(self) -> Self:
        cloud = self

        class Site(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = cloud.page(self.path)
                self.send_response(status)
                self.send_header("Content-Type", "text/html" if self.path.endswith((".html", "/")) else "text/css")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/{name}"

    def page(self, path: str) -> tuple[int, bytes]:
        name, _, rest = path.lstrip("/").partition("?")[0].partition("/")
        parcel = self.parcels.get(self.live.get(name, ""))
        if parcel is None:
            return 404, b"nothing is here"
        if self.status != 200:
            return self.status, b"it broke"
        wanted = rest if PurePosixPath(rest).suffix else f"{rest.rstrip('/')}/index.html".lstrip("/")
        found = {**parcel.files, **self.spoil}.get(wanted)
        return (200, found) if found is not None else (404, parcel.files.get("404.html", b"not found"))

    def keys(self, name: str) -> list[str]:
        return [release.key for release in self.shipped.get(name, [])]


class ScriptedHost:
    """The provider. A new one on the same cloud is what the agent has after a restart."""

    def __init__(self, cloud: Cloud, token: str = TOKEN, name: str = "vercel") -> None:
        self.name, self.title = name, name.capitalize()
        self._cloud = cloud
        self._token = token

    def _called(self, what: str) -> None:
        self._cloud.calls.append(what)
        waiting = self._cloud.troubles.get(what, [])
        if waiting:
            trouble = waiting.pop(0)
            if isinstance(trouble, AppError):
                raise trouble
            trouble()

    def check(self) -> Account:
        self._called("check")
        return Account("ada")

    def places(self) -> list[Place]:
        return [Place(self.name, name, name, self._cloud.url(name), ours=True) for name in self._cloud.live]

    def unfit(self, parcel: Parcel) -> str:
        return self._cloud.unfit

    def quote(self, parcel: Parcel, name: str) -> Quote:
        self._called("quote")
        self._refuse_foreign(name)
        return self._cloud.quote

    def _refuse_foreign(self, name: str) -> None:
        if name in self._cloud.foreign:
            raise Conflict(f"The name `{name}` is taken", hint="Choose another `name`")

    def ship(self, parcel: Parcel, name: str, key: str, *, say: Say, tick: Tick) -> Release:
        self._called("ship")
        self._refuse_foreign(name)
        known = self.find(name, key)
        if known is None:
            tick()
            say(f"Sending {len(parcel.files)} files")
            made = self._cloud.shipped.setdefault(name, [])
            number = sum(map(len, self._cloud.shipped.values())) + 1
            known = Release(
                self.name,
                f"dpl_{number}",
                name,
                self._cloud.url(name),
                ReleaseState.BUILDING,
                parcel.commit,
                key,
                created=f"2026-11-17T10:00:{number:02}Z",
            )
            made.append(known)
            self._cloud.parcels[known.id] = parcel
        self._called("posted")
        for line in ("Installing", "error: it has no door"):
            say(line)
        self._called("build")
        if known.state is ReleaseState.FAILED:
            raise Failed("The build failed: it has no door")
        self._cloud.live[name] = known.id
        self._called("live")
        return replace(known, state=ReleaseState.LIVE)

    def find(self, name: str, key: str) -> Release | None:
        return next((one for one in self._cloud.shipped.get(name, []) if one.key == key), None)

    def live(self, name: str) -> Release | None:
        return next((one for one in self.releases(name) if one.id == self._cloud.live.get(name)), None)

    def releases(self, name: str, limit: int = 20) -> list[Release]:
        return list(itertools.islice(reversed(self._cloud.shipped.get(name, [])), limit))

    def bring_back(self, name: str, release: Release, key: str, *, say: Say, tick: Tick) -> Release:
        self._called("bring_back")
        if release not in self._cloud.shipped.get(name, []):
            raise NotFound("It is gone")
        self._cloud.live[name] = release.id
        self._called("brought_back")
        return replace(release, state=ReleaseState.LIVE)

    def take_down(self, name: str) -> None:
        self._called("take_down")
        self._cloud.live.pop(name, None)
        self._cloud.shipped.pop(name, None)
        self._called("taken_down")

    def log(self, release: Release, limit: int = 500) -> list[str]:
        return ["Installing", "error: it has no door"]
