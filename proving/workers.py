"""Work that goes on beside the checks of a proof."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from sandboxes.base import Tick

_T = TypeVar("_T")
TICK = 0.2


class _Stopped(Exception):
    """The proof is given up, so nothing of it needs to go on."""


class Workers:
    """Does things beside the checks, and stops them when the proof is given up."""

    def __init__(self, at_once: int) -> None:
        self._pool = ThreadPoolExecutor(at_once, "proof")
        self._over = threading.Event()
        self._given: list[Future[Any]] = []

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind:
            self._over.set()
        self._pool.shutdown(cancel_futures=kind is not None)

    def do(self, work: Callable[[Tick], _T]) -> Future[_T]:
        begun = self._pool.submit(work, self._go_on)
        self._given.append(begun)
        return begun

    def wait_for(self, tick: Tick) -> None:
        while wait(self._given, TICK).not_done:
            tick()

    def _go_on(self) -> None:
        if self._over.is_set():
            raise _Stopped
