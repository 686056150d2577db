"""The outermost layer of every request: fixed headers, one log line, counters."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from web.parts import RequestLog

Start = Callable[..., Any]
Wsgi = Callable[[dict[str, Any], Start], Iterable[bytes]]
POLICY = "default-src 'none'; style-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
FIXED = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", POLICY),
)
"""For every answer that does not say otherwise."""
SMALL = 2**20


class Counts:
    """How many requests, how they were answered and how long that took."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._statuses: Counter[int] = Counter()
        self._seconds = 0.0

    def add(self, status: int, seconds: float) -> None:
        with self._lock:
            self._statuses[status] += 1
            self._seconds += seconds

    def as_metrics(self) -> dict[str, float]:
        with self._lock:
            found: dict[str, float] = {f"http_answers_{status}": n for status, n in sorted(self._statuses.items())}
            return {"http_requests": self._statuses.total(), "http_seconds": round(self._seconds, 6), **found}


class Front:
    """WSGI middleware: outside Flask, because there it costs a tenth of what hooks and header objects do."""

    def __init__(self, app: Wsgi, log: RequestLog, counts: Counts) -> None:
        self._app = app
        self._log = log
        self._counts = counts

    def __call__(self, environ: dict[str, Any], start_response: Start) -> Iterable[bytes]:
        begun = time.perf_counter()
        status = 0
        small = False

        def start(line: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            nonlocal status, small
            status = int(line[:3])
            named = {name.lower(): value for name, value in headers}
            small = int(named.get("content-length", SMALL)) < SMALL
            headers += [header for header in FIXED if header[0].lower() not in named]
            return start_response(line, headers, exc_info) if exc_info else start_response(line, headers)

        chunks = self._app(environ, start)
        if small and not isinstance(chunks, list):
            # The server sends a list in one piece, and anything else through a queue.
            chunks = _gathered(chunks)
        seconds = time.perf_counter() - begun
        self._counts.add(status, seconds)
        self._log(
            "info",
            "request",
            "",
            {
                "method": environ["REQUEST_METHOD"],
                "path": environ["PATH_INFO"],
                "status": status,
                "ms": round(seconds * 1000, 2),
                "from": environ.get("REMOTE_ADDR"),
            },
            "web",
        )
        return chunks


def _gathered(chunks: Iterable[bytes]) -> list[bytes]:
    try:
        return [b"".join(chunks)]
    finally:
        close = getattr(chunks, "close", None)
        if close:
            close()
