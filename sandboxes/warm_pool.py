"""Workers that are started ahead of time, each for one job, and made up for in the background."""

import collections
import logging
import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from contracts.errors import AppError

log = logging.getLogger(__name__)
PATIENCE = 5.0
"""Seconds to wait before trying again after a worker could not be started."""

BREATH = 0.02
"""Seconds that the job which took a worker has the processor to itself before the next one is started."""


class Ready(Protocol):
    @property
    def alive(self) -> bool: ...

    def kill(self) -> None: ...

    def close(self) -> None: ...


W = TypeVar("W", bound=Ready)


class WarmPool(Generic[W]):
    """Asleep unless a worker is missing. A worker that was handed out never comes back."""

    def __init__(self, start: Callable[[], W], size: int) -> None:
        self._start = start
        self._size = size
        self._ready: collections.deque[W] = collections.deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._fill, name="warm-pool", daemon=True)
        if size > 0:
            self._thread.start()

    def take(self) -> W | None:
        """A worker that waits for its job, or None if none is ready now."""
        while True:
            with self._changed:
                worker = self._ready.popleft() if self._ready else None
                self._changed.notify_all()
            if worker is None or worker.alive:
                return worker
            _discard(worker)

    def wait_full(self, timeout: float) -> bool:
        """Sleep until all workers are ready, or the time is up; says which."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._ready) >= self._size, timeout)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._size > 0:
            self._thread.join()
        while self._ready:
            _discard(self._ready.popleft())

    def _fill(self) -> None:
        while self._missing():
            try:
                worker = self._start()
            except (AppError, OSError) as error:
                log.warning("a warm worker could not be started: %s", error)
                with self._changed:
                    self._changed.wait_for(lambda: self._closed, PATIENCE)
                continue
            with self._changed:
                self._ready.append(worker)
                self._changed.notify_all()

    def _missing(self) -> bool:
        """Waits until a worker is missing; False when the pool is closed."""
        with self._changed:
            if len(self._ready) >= self._size:
                self._changed.wait_for(lambda: self._closed or len(self._ready) < self._size)
                self._changed.wait_for(lambda: self._closed or not self._ready, BREATH)
            return not self._closed


def _discard(worker: Ready) -> None:
    worker.kill()
    worker.close()
