"""One reader of the store for all open event streams: an event is read and cleaned once, not once a tab."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from queue import Empty, SimpleQueue

from contracts.errors import AppError, Unavailable
from contracts.events import Event
from logging_setup import dumps
from web.parts import Events, Redact

log = logging.getLogger(__name__)
KEPT = 2000
BATCH = 500
RETRY = b"retry: 1000\n\n"
ALIVE = b": alive\n\n"
ROOM_SECONDS = 3.0
WHOLE_STATE = "state_imported"
"""Holds all of the memory; whoever follows the events is only told that it happened."""


@dataclass(frozen=True, slots=True)
class Line:
    """An event as it goes over the wire."""

    seq: int
    task_id: str | None
    text: bytes


class Feed:
    """Holds the newest events and wakes the streams when there is a new one."""

    def __init__(
        self, events: Events, redact: Redact, *, max_streams: int, keepalive: float, room_seconds: float = ROOM_SECONDS
    ) -> None:
        """`room_seconds` is how long a newcomer waits for tabs that turn out to be closed."""
        self._events = events
        self._redact = redact
        self._max = max_streams
        self.keepalive = keepalive
        self._room_seconds = room_seconds
        self._lines: deque[Line] = deque(maxlen=KEPT)
        self._seen = 0
        """The number of the newest event that was read into `_lines`."""
        self._from = 0
        """Every event above this number and up to `_seen` is in `_lines`."""
        self._streams: set[Stream] = set()
        self._room = threading.Condition()
        self._reader: threading.Thread | None = None
        self._stopped = False

    @property
    def streams(self) -> int:
        return len(self._streams)

    def stream(self, after: int | None, wanted: Callable[[Line], bool]) -> "Stream":
        """A stream of what comes after that event, or after now. Raises Unavailable if too many are open."""
        with self._room:
            self._make_room()
            if self._reader is None:
                self._start_reading()
            made = Stream(self, self._seen if after is None else min(after, self._seen), wanted)
            self._streams.add(made)
            return made

    def _make_room(self) -> None:
        """A closed tab is only noticed when something is sent to it; so have all streams speak before saying no."""
        if self.streams >= self._max and not self._stopped:
            for stream in self._streams:
                stream.knock()
            self._room.wait_for(lambda: self.streams < self._max or self._stopped, self._room_seconds)
        if self._stopped:
            raise Unavailable("The service is stopping", hint="Try again when it is back", details={"retry_after": 2})
        if self.streams >= self._max:
            raise Unavailable(
                f"{self._max} event streams are open already",
                hint="Close a tab, or raise `AGENT_MAX_STREAMS`",
                details={"retry_after": 2},
            )

    def leave(self, stream: "Stream") -> None:
        with self._room:
            self._streams.discard(stream)
            self._room.notify_all()

    def stop(self) -> None:
        """End every stream, and take no new one."""
        with self._room:
            self._stopped = True
            self._room.notify_all()
            for stream in self._streams:
                stream.wake()

    def take(self, after: int) -> tuple[list[Line], int] | None:
        """What is there after that event, and how far it reaches; None at the end."""
        with self._room:
            if self._stopped:
                return None
            if after >= self._seen:
                return [], after
            oldest = self._from
            lines = [line for line in self._lines if line.seq > after][:BATCH] if after >= oldest else None
        if lines is None:
            lines = [self._line(event) for event in self._events.events(after, BATCH)]
        # What is no longer in the store is passed over.
        return lines, lines[-1].seq if lines else max(after, oldest)

    def _start_reading(self) -> None:
        self._seen = self._from = self._events.last_seq()
        self._lines.clear()
        self._reader = threading.Thread(target=self._read, name="event-feed", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Runs while there are streams."""
        while True:
            fresh = self._fresh()
            with self._room:
                self._keep(fresh)
                if self._stopped or not self._streams:
                    self._reader = None
                    return

    def _fresh(self) -> list[Line]:
        try:
            if not self._events.wait(self._seen, self.keepalive):
                return []
            return [self._line(event) for event in self._events.events(self._seen, BATCH)]
        except (AppError, OSError) as error:
            log.error("events cannot be read: %s", error, extra={"event": "feed_failed"})
            time.sleep(self.keepalive)
            return []

    def _keep(self, fresh: list[Line]) -> None:
        if not fresh:
            return
        for line in fresh:
            if len(self._lines) == KEPT:
                self._from = self._lines[0].seq
            self._lines.append(line)
        self._seen = fresh[-1].seq
        for stream in self._streams:
            stream.wake()

    def _line(self, event: Event) -> Line:
        if event.type == WHOLE_STATE:
            event = replace(event, data={})
        data = self._redact.json(dumps(asdict(event)))
        return Line(event.seq, event.task_id, f"id: {event.seq}\nevent: {event.type}\ndata: {data}\n\n".encode())


class Stream(Iterator[bytes]):
    """One open tab. Whoever serves it calls `close` when the other side is gone."""

    def __init__(self, feed: Feed, after: int, wanted: Callable[[Line], bool]) -> None:
        self._feed = feed
        self._after = after
        self._wanted = wanted
        # A queue sleeps and wakes in C; a condition of 200 waiters does it in Python, at every sign of life.
        self._woken: SimpleQueue[None] = SimpleQueue()
        self._knocked = False
        self._begun = False

    def wake(self) -> None:
        if self._woken.empty():
            self._woken.put(None)

    def knock(self) -> None:
        """Have it send something now."""
        self._knocked = True
        self.wake()

    def __next__(self) -> bytes:
        if not self._begun:
            self._begun = True
            return RETRY + ALIVE
        silent_until = time.monotonic() + self._feed.keepalive
        while True:
            found = self._feed.take(self._after)
            if found is None:
                self.close()
                raise StopIteration
            lines, self._after = found
            text = b"".join(line.text for line in lines if self._wanted(line))
            left = silent_until - time.monotonic()
            if text or self._knocked or left <= 0:
                self._knocked = False
                return text or ALIVE
            if not lines:
                with suppress(Empty):
                    self._woken.get(timeout=left)

    def close(self) -> None:
        self._feed.leave(self)
