"""Parts that are built when first needed: what few requests use does not slow the start."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Later(Generic[T]):
    """Calls its builder once, whoever asks first. Threads may share it."""

    def __init__(self, build: Callable[[], T]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._part: T | None = None

    def __call__(self) -> T:
        if self._part is None:
            with self._lock:
                if self._part is None:
                    self._part = self._build()
        return self._part

    def if_built(self) -> T | None:
        """The part, if somebody has needed it already."""
        return self._part
