"""Speaks with a browser through its debugging socket: commands, their results, and what happens meanwhile."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, unix_connect

from contracts.errors import Failed

LARGEST_MESSAGE = 64 * 2**20
OnEvent = Callable[[str, dict[str, Any]], None]


class Devtools:
    """One page of a browser. Not to be shared between threads."""

    def __init__(self, line: ClientConnection, on_event: OnEvent, deadline: float) -> None:
        """`on_event` is told of everything that happens, while somebody waits here; it may send commands."""
        self._line = line
        self._on_event = on_event
        self._deadline = deadline
        self._number = 0
        self._results: dict[int, dict[str, Any]] = {}

    def post(self, method: str, **params: Any) -> int:
        """Send a command, and do not wait for what comes of it."""
        self._number += 1
        try:
            self._line.send(json.dumps({"id": self._number, "method": method, "params": params}))
        except WebSocketException as error:
            raise _gone() from error
        return self._number

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its result. Raises Failed."""
        found = self.ask(method, None, **params)
        return {} if found is None else found

    def ask(self, method: str, seconds: float | None, **params: Any) -> dict[str, Any] | None:
        """As `call`, but gives None where the result does not come in so many seconds. Raises Failed."""
        number = self.post(method, **params)
        if not self.wait_until(lambda: number in self._results, seconds):
            return None
        found = self._results.pop(number)
        if "error" in found:
            raise Failed(f"the browser would not do `{method}`: {found['error'].get('message', '')}"[:300])
        result: dict[str, Any] = found.get("result", {})
        return result

    def wait_until(self, met: Callable[[], bool], seconds: float | None = None) -> bool:
        """Listen until it is so, or the time is up; says which. The time of the whole visit raises Failed."""
        until = self._deadline if seconds is None else min(self._deadline, time.monotonic() + seconds)
        while not met():
            left = until - time.monotonic()
            if left <= 0:
                if until == self._deadline:
                    raise Failed("the browser took too long")
                return False
            try:
                self._heard(json.loads(self._line.recv(timeout=left)))
            except TimeoutError:
                continue
            except (ConnectionClosed, ValueError) as error:
                raise _gone() from error
        return True

    def _heard(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._results[message["id"]] = message
        else:
            self._on_event(str(message.get("method")), message.get("params") or {})


@contextmanager
def devtools(socket: Path, target: str, on_event: OnEvent, deadline: float) -> Iterator[Devtools]:
    """The page with this address of a browser that listens on this socket."""
    try:
        line = unix_connect(
            str(socket),
            target,
            max_size=LARGEST_MESSAGE,
            compression=None,
            proxy=None,
            ping_interval=None,
            close_timeout=2,
        )
        with line as opened:
            yield Devtools(opened, on_event, deadline)
    except WebSocketException as error:
        raise _gone() from error


def _gone() -> Failed:
    return Failed("the browser ended while it was needed")
