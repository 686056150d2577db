"""Starts processes from one thread that lives as long as the sandbox.

A process that asks to die with its parent dies with the thread that started it; that of a request ends too soon.
"""

import queue
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple


class Spawn(NamedTuple):
    """What to start: its three standard streams, and descriptors that it keeps under their own numbers."""

    argv: Sequence[str]
    stdin: int
    stdout: int
    stderr: int
    keep: tuple[int, ...] = ()
    cwd: str = "/"


Process = subprocess.Popen[bytes]
Request = tuple[Spawn, "Future[Process]"]


class Spawner:
    """One thread, started at first use."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def spawn(self, what: Spawn) -> Process:
        """Raises OSError if it cannot be started."""
        answer: Future[Process] = Future()
        with self._lock:
            if self._closed:
                raise OSError("the sandbox has been closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
            self._requests.put((what, answer))
        return answer.result()

    def close(self) -> None:
        """Everything that it started and that dies with its parent is ended by this."""
        with self._lock:
            self._closed = True
            thread = self._thread
            self._requests.put(None)
        if thread is not None:
            thread.join()

    def _serve(self) -> None:
        while (request := self._requests.get()) is not None:
            what, answer = request
            try:
                answer.set_result(_start(what))
            except OSError as error:
                answer.set_exception(error)


def _start(what: Spawn) -> Process:
    return subprocess.Popen(  # noqa: S603 - an argument list made by the sandbox, and no shell
        list(what.argv),
        stdin=what.stdin,
        stdout=what.stdout,
        stderr=what.stderr,
        pass_fds=what.keep,
        cwd=what.cwd,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"},
    )
