"""The latest output of an app, line by line, within bounds."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from sandboxes.base import Stream

ROOM = 256 * 1024
LONGEST_LINE = 4096
LINE_COST = 64
"""What a line costs beside its text, so that empty lines are bounded too."""
TELLING = 12
BURST, BURST_SECONDS = 1024 * 1024, 0.1

Source = Stream | Literal["agent"]


@dataclass(frozen=True, slots=True)
class LogLine:
    at: str
    source: Source
    """`agent` for what is said about the app, not by it."""
    text: str


class Kept(NamedTuple):
    at: str
    source: Source
    data: bytes


class LogRing:
    """Threads may share it. Text is made of bytes only when somebody looks: a flood must cost little."""

    def __init__(self, now: Callable[[], str], room: int = ROOM) -> None:
        self._now = now
        self._room = room
        self._used = 0
        self._lines: deque[Kept] = deque()
        self._open: dict[Stream, bytes] = {"stdout": b"", "stderr": b""}
        self._lock = threading.Lock()

    def feed(self, stream: Stream, data: bytes) -> None:
        """Takes pieces of output as they come. A line without an end is kept back until it is too long."""
        with self._lock:
            at = self._now()
            *whole, rest = (self._open[stream] + data).rsplit(b"\n", self._room // LINE_COST)
            for line in whole:
                self._add(at, stream, line)
            if len(rest) > LONGEST_LINE:
                self._add(at, stream, rest)
                rest = b""
            self._open[stream] = rest

    def say(self, text: str) -> None:
        """A line about the app. What it has begun to print comes before it."""
        with self._lock:
            at = self._now()
            for stream, rest in self._open.items():
                if rest:
                    self._add(at, stream, rest)
                    self._open[stream] = b""
            self._add(at, "agent", text.encode())

    def lines(self, last: int | None = None) -> list[LogLine]:
        """The latest ones, oldest first."""
        with self._lock:
            at = self._now()
            kept = [*self._lines, *(Kept(at, stream, rest) for stream, rest in self._open.items() if rest)]
        if last is not None:
            kept = kept[len(kept) - min(last, len(kept)) :]
        return [LogLine(line.at, line.source, _text(line.data)) for line in kept]

    def _add(self, at: str, source: Source, line: bytes) -> None:
        if len(line) > LONGEST_LINE:
            line = b"%s [... %d bytes cut]" % (line[:LONGEST_LINE], len(line) - LONGEST_LINE)
        self._lines.append(Kept(at, source, line))
        self._used += len(line) + LINE_COST
        while self._used > self._room:
            self._used -= len(self._lines.popleft().data) + LINE_COST


def _text(line: bytes) -> str:
    text = line.rstrip(b"\r").decode(errors="backslashreplace")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\t" else ascii(c)[1:-1] for c in text)


class Brake:
    """Lets whoever reads an app's output sleep when it prints without end, so that the app waits and nobody else."""

    def __init__(self, clock: Callable[[], float], sleep: Callable[[float], None] = time.sleep) -> None:
        self._clock = clock
        self._sleep = sleep
        self._until = 0.0
        self._room = BURST

    def feel(self, size: int) -> None:
        now = self._clock()
        if now >= self._until:
            self._until, self._room = now + BURST_SECONDS, BURST
        self._room -= size
        if self._room < 0:
            self._sleep(self._until - now)


def telling(lines: Iterable[LogLine], most: int = TELLING) -> list[str]:
    """The lines of the last run that say most about its end: the last ones of the errors, else of the output."""
    run: list[LogLine] = []
    for line in reversed(list(lines)):
        if line.source == "agent" and run:
            break
        if line.source != "agent" and line.text.strip():
            run.append(line)
    errors = [line for line in run if line.source == "stderr"]
    return [line.text for line in islice(errors or run, most)][::-1]


def cause(lines: Iterable[str]) -> str:
    """The one line that names what went wrong: the last that is not indented."""
    found = [line.strip() for line in lines if line[:1].strip()]
    return found[-1][:300] if found else ""
