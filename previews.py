"""Apps of projects that go on running in the sandbox, each reachable on a port of its own."""

import hashlib
import hmac
import ipaddress
import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from contracts.errors import AppError, Conflict, InvalidParams, NotFound, TooMany, Unavailable
from contracts.times import stamp
from serving.data import Copied, DataFolders
from serving.detection import Found, detect, runnable
from serving.headers import KEY, Door, host_of
from serving.keeper import Keeper, Means, OnChange, Standing, Starter
from serving.logs import LogLine
from serving.ports import FIRST, LAST, Notebook, PortBook, Ports
from serving.relay import Relay
from serving.spec import Patience, Preview, PreviewSpec, State, app_job, spec_from
from serving.versions import DataVersions, Version
from serving.visit import RelayLimits, Site

__all__ = [
    "Address",
    "Copied",
    "DataFolders",
    "DataVersions",
    "Found",
    "LogLine",
    "Notebook",
    "Patience",
    "PortBook",
    "Preview",
    "PreviewSpec",
    "Previews",
    "RelayLimits",
    "Starter",
    "State",
    "Version",
    "app_job",
    "detect",
    "runnable",
    "spec_from",
]

log = logging.getLogger(__name__)
STARTING_AT_ONCE = 2
LAST_LINES = 200
KEY_LENGTH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Under which addresses previews are reached, and from where they may be framed."""

    bind: str = "127.0.0.1"
    first_port: int = FIRST
    last_port: int = LAST
    panel_origins: tuple[str, ...] = ()
    """The pages that may show a preview in a frame."""
    hosts: tuple[str, ...] = ()
    """Names besides those of this machine's loopback under which previews answer."""
    public_url: str = ""
    """The address of a preview where a proxy stands in front, with `{project}` or `{port}` in it."""
    link_secret: bytes = b""
    """Where others can reach previews, each needs a key that is made from this; without it they need none."""
    agent_token: str = ""
    """Never handed on to an app."""

    def url(self, project: str, port: int) -> str:
        if self.public_url:
            return self.public_url.format(project=project, port=port).rstrip("/") + "/"
        host = "127.0.0.1" if self.bind == "localhost" else self.bind
        found = ipaddress.ip_address(host)
        if found.is_unspecified:
            host = "::1" if found.version == 6 else "127.0.0.1"
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"

    def door(self, project: str, port: int) -> Door:
        names = {host_of(host) for host in self.hosts} | {host_of(urlsplit(self.url(project, port)).netloc)}
        return Door(frozenset(names) - {""}, self.key(project), f"task-agent-key-{project}")

    def key(self, project: str) -> str:
        if not self.link_secret:
            return ""
        return hmac.new(self.link_secret, project.encode(), hashlib.sha256).hexdigest()[:KEY_LENGTH]

    def link(self, project: str, port: int) -> str:
        url, key = self.url(project, port), self.key(project)
        return f"{url}?{KEY}={key}" if key else url

    @property
    def ancestors(self) -> str:
        return " ".join(["'self'", *self.panel_origins])


def _utc_now() -> str:
    return stamp(datetime.now(UTC))


@dataclass(slots=True)
class Shown:
    """A preview that has its port."""

    keeper: Keeper
    port: int
    note: str
    turn: threading.Lock
    """Held by whoever starts or stops it."""


class Previews:
    """Threads may share it. Stopped previews keep their ports and say so there until `remove` or `close`."""

    def __init__(
        self,
        start: Starter,
        book: PortBook,
        *,
        address: Address | None = None,
        data: DataFolders | None = None,
        on_change: OnChange = lambda project, state, words: None,
        most: int = 16,
        patience: Patience | None = None,
        limits: RelayLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], str] = _utc_now,
    ) -> None:
        self._address = address or Address()
        self._ports = Ports(book, self._address.first_port, self._address.last_port)
        self._data = data
        self._most = most
        self._on_change = on_change
        self._relay = Relay(limits)
        self._lock = threading.Lock()
        self._shown: dict[str, Shown] = {}
        self._closed = False
        self._means = Means(
            start=start,
            ask=self._relay.ask,
            kept=data.kept if data else None,
            on_change=on_change,
            patience=patience or Patience(),
            clock=clock,
            now=now,
            slots=threading.BoundedSemaphore(STARTING_AT_ONCE),
        )

    def start(self, project: str, spec: PreviewSpec) -> Preview:
        """Run the app, in place of one that runs already, and wait until it answers or its first try has failed.

        A crash is an answer too: look at the state, which is `starting` still if many others start at the same time.
        Raises AppError if it could not be tried at all.
        """
        if spec.project != project:
            raise InvalidParams(f"this is how `{spec.project}` is run, not `{project}`", hint="Name one project")
        shown = self._show(project)
        keeper = shown.keeper
        with shown.turn:
            self._begin(shown, spec)
        keeper.settled()
        if refused := keeper.refused:
            with shown.turn:
                if keeper.refused is refused:
                    keeper.stop()
            raise refused
        return self._preview(shown)

    def stop(self, project: str) -> Preview:
        shown = self._known(project)
        with shown.turn:
            shown.keeper.stop()
        return self._preview(shown)

    def restart(self, project: str) -> Preview:
        """Run the app anew, with the project's files as they are now."""
        spec = self._known(project).keeper.spec
        if spec is None:
            raise NotFound(f"the app of `{project}` has never been started", hint="Start it first")
        return self.start(project, spec)

    def status(self, project: str) -> Preview:
        return self._preview(self._known(project))

    def all(self) -> list[Preview]:
        with self._lock:
            every = sorted(self._shown.items())
        return [self._preview(shown) for _, shown in every]

    def logs(self, project: str, last: int = LAST_LINES) -> list[LogLine]:
        return self._known(project).keeper.log.lines(last)

    def resume(self, specs: Iterable[PreviewSpec]) -> None:
        """Run apps again that ran before the service ended. Returns at once; who cannot be started is told of."""
        for spec in specs:
            try:
                shown = self._show(spec.project)
                with shown.turn:
                    self._begin(shown, spec)
            except AppError as error:
                log.warning("the app of %s could not be started again: %s", spec.project, error.message)
                self._on_change(spec.project, State.STOPPED, error.message)

    def remove(self, project: str) -> None:
        """Stop the app and close its port. The port stays the project's own."""
        shown = self._known(project)
        with shown.turn:
            shown.keeper.stop()
            self._relay.silence(shown.port)
            with self._lock:
                self._shown.pop(project, None)

    def data_folder(self, project: str) -> Path:
        """Where what the app keeps is on this machine."""
        return self._kept().of(project)

    def snapshot_data(self, project: str, to: Path) -> Copied:
        """Copy what the app keeps; it may go on running. See `DataFolders.snapshot`."""
        return self._kept().snapshot(project, to)

    def restore_data(self, project: str, source: Path) -> Copied:
        """Put back what was copied. Raises Conflict while the app runs."""
        with self._lock:
            shown = self._shown.get(project)
        if shown is None:
            return self._kept().restore(project, source)
        with shown.turn:
            if shown.keeper.running:
                raise Conflict(f"the app of `{project}` is running", hint="Stop it first")
            return self._kept().restore(project, source)

    def close(self) -> None:
        """End every app and close every port. Nobody is told: they shall run again with the next service."""
        with self._lock:
            self._closed = True
            every = list(self._shown.values())
        enders = [threading.Thread(target=self._end, args=(shown,), name="preview-end") for shown in every]
        for ender in enders:
            ender.start()
        for ender in enders:
            ender.join()
        self._relay.close()

    @staticmethod
    def _end(shown: Shown) -> None:
        with shown.turn:
            shown.keeper.stop(quiet=True)

    def _kept(self) -> DataFolders:
        if self._data is None:
            raise Unavailable("apps keep no data here", hint="Give the service a folder for it")
        return self._data

    def _known(self, project: str) -> Shown:
        with self._lock:
            if project in self._shown:
                return self._shown[project]
        raise NotFound(f"the app of `{project}` has not been started", hint="Start it first")

    def _show(self, project: str) -> Shown:
        """The preview of a project, with a port that it listens on."""
        with self._lock:
            self._refuse_closed()
            if project in self._shown:
                return self._shown[project]
            keeper = Keeper(project, self._means)

            def listen(port: int) -> None:
                site = Site(
                    self._address.door(project, port),
                    keeper.look,
                    keeper.trouble,
                    self._address.ancestors,
                    self._address.agent_token,
                )
                self._relay.listen(self._address.bind, port, site)

            port, moved = self._ports.take(project, listen)
            if moved:
                keeper.log.say(moved)
            self._shown[project] = Shown(keeper, port, moved, threading.Lock())
            return self._shown[project]

    def _begin(self, shown: Shown, spec: PreviewSpec) -> None:
        with self._lock:
            self._refuse_closed()
            if self._shown.get(spec.project) is not shown:
                raise Conflict(f"the preview of `{spec.project}` was just removed", hint="Try again")
            others = sum(one.keeper.running for one in self._shown.values() if one is not shown)
        if others >= self._most:
            raise TooMany(f"{others} apps are running, which is as many as may", hint="Stop one of them first")
        shown.keeper.begin(spec)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise Unavailable("the service is stopping", hint="Try again when it runs")

    def _preview(self, shown: Shown) -> Preview:
        project, port = shown.keeper.project, shown.port
        standing: Standing = shown.keeper.standing
        return Preview(
            project=project,
            state=standing.state,
            words=standing.words,
            port=port,
            url=self._address.url(project, port),
            link=self._address.link(project, port),
            since=standing.since,
            restarts=standing.restarts,
            tries_again=standing.tries_again,
            note=shown.note,
        )
