"""Previews over a real sandbox, with the files of each project in the test's hand."""

import http.client
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from previews import Address, DataFolders, Notebook, Patience, Previews, PreviewSpec, State, app_job
from sandboxes.base import OnOutput, Sandbox, Service

QUICK = Patience(ready=60.0, first_pause=0.02, longest_pause=0.1, crashes=3, look=0.4)
FLASK = ("flask", "werkzeug", "jinja2", "markupsafe", "itsdangerous", "click", "blinker")
PANEL = "http://127.0.0.1:5000"
SECONDS = 90.0


PORTS = 100


def first_port() -> int:
    """Where several runs of the tests at once hardly meet, and below the ports that the system gives to clients.

    Half of those that a process has are left for the one service that stays open beside other tests.
    """
    return 10_000 + os.getpid() % 100 * 2 * PORTS


def preview_ports(first: int | None = None) -> dict[str, str]:
    """Settings of an agent whose apps are shown on these ports."""
    first = first or first_port()
    return {"AGENT_PREVIEW_FIRST_PORT": str(first), "AGENT_PREVIEW_LAST_PORT": str(first + PORTS - 1)}


class House:
    """What a service would have: sandbox, files, data, a book of ports that outlives it."""

    def __init__(self, sandbox: Sandbox, root: Path) -> None:
        self.sandbox = sandbox
        self.files: dict[str, dict[str, bytes]] = {}
        self.book = Notebook()
        self.data = DataFolders(root / "data", most=8 * 2**20, most_files=200)
        self.changes: list[tuple[str, State, str]] = []
        self.services: list[Service] = []
        self._changed = threading.Condition()

    def start(self, spec: PreviewSpec, output: OnOutput) -> Service:
        job = app_job(spec, self.files.get(spec.project, {}), data=self.data.of(spec.project))
        self.services.append(self.sandbox.start(job, spec.port, on_output=output))
        return self.services[-1]

    def told(self, project: str, state: State, words: str) -> None:
        with self._changed:
            self.changes.append((project, state, words))
            self._changed.notify_all()

    def wait_for(self, state: State, times: int = 1) -> str:
        """Until it was told of the state so often; gives the words of the last time."""
        with self._changed:
            ok = self._changed.wait_for(lambda: self._count(state) >= times, SECONDS)
            assert ok, f"never {state}: {self.changes}"
            return [words for _, told, words in self.changes if told is state][times - 1]

    def _count(self, state: State) -> int:
        return sum(told is state for _, told, _ in self.changes)

    @contextmanager
    def open(self, patience: Patience = QUICK, **options: Any) -> Iterator[Previews]:
        address = options.pop("address", Address())
        last = first_port() + PORTS - 1
        address = replace(address, first_port=first_port(), last_port=last, panel_origins=(PANEL,))
        opened = Previews(
            options.pop("start", self.start),
            self.book,
            address=address,
            data=self.data,
            on_change=self.told,
            patience=patience,
            **options,
        )
        try:
            yield opened
        finally:
            opened.close()


def script(project: str, source: str, house: House, **changes: Any) -> PreviewSpec:
    """A project whose app is one Python program."""
    house.files[project] = {"app.py": source.encode()}
    return PreviewSpec(project=project, argv=("python3", "app.py"), **{"ready": ("/",), **changes})


@contextmanager
def asking(port: int, target: str = "/", **headers: str) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("GET", target, headers=headers)
        yield connection.getresponse()
    finally:
        connection.close()


def ask(port: int, target: str = "/", **headers: str) -> tuple[int, bytes]:
    with asking(port, target, **headers) as answer:
        return answer.status, answer.read()


def post(port: int, target: str, body: bytes) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("POST", target, body)
        return connection.getresponse().status
    finally:
        connection.close()


def listening() -> socket.socket:
    """Another program on one of the ports that previews may have."""
    for port in range(first_port() + PORTS // 2, first_port() + PORTS):
        taken = socket.socket()
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", port))
        except OSError:
            taken.close()
            continue
        taken.listen()
        return taken
    raise AssertionError("no port is free")


def copy_flask(to: Path) -> Path:
    """Flask where the user of a sandbox may read it, wherever the tests' own is installed."""
    for name in FLASK:
        package = distribution(name)
        for file in package.files or []:
            source = Path(str(package.locate_file(file)))
            if ".." not in file.parts and file.suffix != ".pyc" and source.is_file():
                (to / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, to / file)
    return to


def eventually(true: Callable[[], bool]) -> bool:
    """Looks again until it is so, or a long time has passed."""
    deadline = time.monotonic() + SECONDS
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
