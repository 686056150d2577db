"""A real service process on loopback, and a reader of its event stream."""

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
SECONDS = 90.0


def until(there: Callable[[], Any], what: str) -> Any:
    """Look until it is there; a machine under load gets the time that it needs."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found = there()
        if found:
            return found
        time.sleep(0.005)
    raise AssertionError(f"waited in vain for {what}")


def alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@dataclass
class Live:
    """A service that runs, as its caller sees it."""

    process: subprocess.Popen[bytes]
    home: Path
    note: dict[str, Any]

    @property
    def port(self) -> int:
        return urlsplit(str(self.note["url"])).port or 0

    @property
    def worker(self) -> int:
        return int(self.note["worker"])

    @property
    def token(self) -> str:
        return (self.home / "token").read_text().strip()

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        connection = self.connect()
        try:
            signed = {"Authorization": f"Bearer {self.token}", **headers}
            connection.request(method, path, json.dumps(body) if isinstance(body, dict) else body, signed)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        finally:
            connection.close()

    @contextmanager
    def events(self, path: str = "/events", **headers: str) -> Iterator["Reader"]:
        connection = self.connect()
        connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}", **headers})
        try:
            yield Reader(connection.getresponse())
        finally:
            connection.close()

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


class Reader:
    """The lines of one open stream."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.answer = answer
        self.status = answer.status

    def block(self) -> dict[str, str]:
        """The next block of fields; a comment is under ``. Empty at the end of the stream."""
        found: dict[str, str] = {}
        while line := self.answer.readline():
            text = line.decode().rstrip("\n")
            if not text:
                return found
            name, _, value = text.partition(": ")
            found[name.rstrip(":")] = value
        return found

    def event(self, wanted: Callable[[dict[str, str]], bool] = lambda block: "id" in block) -> dict[str, str]:
        """The next block that is wanted, signs of life passed over."""
        while block := self.block():
            if wanted(block):
                return block
        raise AssertionError("the stream ended")


def own_port() -> int:
    """A free port that the system gives to nobody by itself, so that a service can come back to it."""
    for port in random.sample(range(30_000, 32_000), 100):
        with socket.socket() as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


@contextmanager
def live(home: Path, **settings: Any) -> Iterator[Live]:
    """The real service on that home, on any free port unless one is set."""
    chosen = {
        "AGENT_PORT": "0",
        "AGENT_SANDBOX": "off",
        "AGENT_WAIT_SECONDS": str(SECONDS - 10),
        **{f"AGENT_{name.upper()}": str(value) for name, value in settings.items()},
    }
    process = started(home, **chosen)
    try:
        note = until(lambda: _note(home, process), "the service to start")
        yield Live(process, home, note)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(SECONDS)


def started(home: Path, **environ: str) -> subprocess.Popen[bytes]:
    """The service's process; what it complains about is in `complaints`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_")}
    with _errors(home).open("wb") as errors:
        return subprocess.Popen(
            [sys.executable, str(ROOT / "app.py")],
            env={**kept, "AGENT_HOME": str(home), **environ},
            cwd=ROOT,
            stderr=errors,
        )


def complaints(home: Path) -> str:
    return _errors(home).read_text()


def _errors(home: Path) -> Path:
    return home.with_name(f"{home.name}.errors")


def _note(home: Path, process: subprocess.Popen[bytes]) -> dict[str, Any] | None:
    assert process.poll() is None, complaints(home)
    try:
        note: dict[str, Any] = json.loads((home / "service.json").read_bytes())
    except FileNotFoundError:
        return None
    return note if note["pid"] == process.pid else None
