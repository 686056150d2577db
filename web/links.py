"""One-time sign-in codes: made for the owner, exchanged once for the token, worthless after ten minutes."""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable

LIFETIME = 600.0
MOST = 20
TRIES = 10
TRIES_WINDOW = 60.0


class Links:
    """Only digests are kept, and only in memory: a code that was not used dies with the service."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._ends: dict[bytes, float] = {}
        self._wrong: list[float] = []

    def make(self) -> str:
        """A new code. The oldest unused one goes when there are too many."""
        code = secrets.token_urlsafe(24)
        with self._lock:
            self._forget()
            while len(self._ends) >= MOST:
                del self._ends[next(iter(self._ends))]
            self._ends[_digest(code)] = self._clock() + LIFETIME
        return code

    def redeem(self, code: str) -> bool:
        """Whether the code was good; it is spent then. Digests are compared, so time tells nothing about codes."""
        with self._lock:
            self._forget()
            good = self._ends.pop(_digest(code), None) is not None
            if not good:
                self._wrong.append(self._clock())
            return good

    def too_many_tries(self) -> float:
        """Seconds until another code may be tried; 0 if it may be now."""
        with self._lock:
            self._forget()
            return self._wrong[-TRIES] + TRIES_WINDOW - self._clock() if len(self._wrong) >= TRIES else 0.0

    def _forget(self) -> None:
        now = self._clock()
        self._ends = {digest: end for digest, end in self._ends.items() if end > now}
        self._wrong = [at for at in self._wrong if at > now - TRIES_WINDOW][-TRIES:]


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).digest()
