"""Downloads that a browser can open as a link: an address that works once, for a minute, in place of the token."""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

LIFETIME = 60.0
MOST = 1000
Wanted = tuple[str, str | None]
"""A project, and a path in it."""


@dataclass(slots=True)
class Tickets:
    """Codes that each give one file, or with no path one whole project, once."""

    clock: Callable[[], float] = time.monotonic
    _open: dict[str, tuple[Wanted, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def make(self, wanted: Wanted) -> str:
        now = self.clock()
        with self._lock:
            self._open = {code: (what, until) for code, (what, until) in self._open.items() if until > now}
            while len(self._open) >= MOST:
                del self._open[next(iter(self._open))]
            code = secrets.token_urlsafe(24)
            self._open[code] = (wanted, now + LIFETIME)
        return code

    def redeem(self, code: str) -> Wanted | None:
        """What the code opens; None if it was used, is too old or never was."""
        with self._lock:
            wanted, until = self._open.pop(code, (("", None), 0.0))
        return wanted if until > self.clock() else None
