"""Memory in files: a readable snapshot, `context.json`, and a journal of events that it can be rebuilt from."""

import fcntl
import logging
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any, Generic, TypeVar

from contracts.errors import BadInput, Unavailable
from contracts.events import Event
from stores import snapshot
from stores.base import Fold, Transaction
from stores.journal import Journal, Place, decode, encode, free, sync_folder

S = TypeVar("S")

IMPORTED = "state_imported"
"""An event that holds a whole state: one that no earlier events led to."""
POLL_SECONDS = 1.0
RETRY_SECONDS = 5.0
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)

log = logging.getLogger(__name__)


class _Origin(Enum):
    OURS = auto()
    MISSING = auto()
    DAMAGED = auto()
    EDITED = auto()
    OLDER = auto()


@dataclass(frozen=True, slots=True)
class _Found(Generic[S]):
    """What `context.json` held."""

    origin: _Origin
    state: S
    place: Place | None = None
    version: str = ""


class _Pending(Generic[S]):
    """The transaction that a caller sees: what it emits waits here until its block ends."""

    def __init__(self, state: S, clock: Callable[[], str]) -> None:
        self._clock = clock
        self.state = state
        self.emitted: list[tuple[str, str, str | None, dict[str, Any]]] = []

    def emit(self, type: str, task_id: str | None = None, **data: Any) -> None:
        self.emitted.append((self._clock(), type, task_id, data))


class JsonFileStore(Generic[S]):
    """A `Store` in one folder, shared by any number of threads and processes."""

    def __init__(
        self,
        home: Path,
        fold: Fold[S],
        *,
        clock: Callable[[], str],
        segment_bytes: int = 8 << 20,
        snapshot_delay: float = 0.5,
        readonly: bool = False,
    ) -> None:
        self._path = home / "context.json"
        self._fold = fold
        self._clock = clock
        self._delay = snapshot_delay
        self._readonly = readonly
        self._lock = threading.RLock()
        self._locked = False
        self._in_transaction = False
        self._closed = False
        self._news = threading.Condition()
        self._work = threading.Condition()
        self._stale = False
        self._keeper: threading.Thread | None = None
        self._notices: list[str] = []
        self._state = fold.empty()
        self._journal = Journal(home / "journal", stamp=self._stamp, segment_bytes=segment_bytes, readonly=readonly)
        if not readonly:
            home.mkdir(parents=True, exist_ok=True)
        self._lock_fd = self._open_lock_file()
        self._open()

    def transaction(self) -> AbstractContextManager[Transaction[S]]:
        return self._transaction()

    def read(self) -> AbstractContextManager[S]:
        return self._read()

    def events(self, after: int = 0, limit: int = 1000) -> list[Event]:
        with self._lock:
            self._refresh()
        return self._journal.read(after, limit)

    def last_seq(self) -> int:
        return self._journal.seq

    def wait(self, after: int, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        while not self._closed and self.last_seq() <= after:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            with self._news:
                told = self._news.wait_for(lambda: self.last_seq() > after or self._closed, min(left, POLL_SECONDS))
            if not told:
                with self._lock:
                    self._refresh()
        return self.last_seq() > after

    def flush(self) -> None:
        with self._lock:
            self._refresh()
        try:
            self._write_snapshot()
        except OSError as error:
            raise Unavailable(f"`context.json` could not be written: {error.strerror}") from error

    def notices(self) -> list[str]:
        return self._notices + self._journal.notices

    def close(self) -> None:
        if self._closed:
            return
        if not self._readonly:
            try:
                self.flush()
            except Unavailable as error:
                log.warning("%s; it will be rebuilt from the journal", error.message)
        self._closed = True
        for condition in (self._news, self._work):
            with condition:
                condition.notify_all()
        if self._keeper:
            self._keeper.join()
        with self._lock:
            self._journal.close()
            if self._lock_fd >= 0:
                os.close(self._lock_fd)
                self._lock_fd = -1

    @contextmanager
    def _transaction(self) -> Iterator[Transaction[S]]:
        with self._lock:
            if self._in_transaction:
                raise RuntimeError("a transaction cannot be opened inside another")
            if self._closed or self._readonly:
                raise Unavailable("The memory is closed" if self._closed else "The memory is open for reading only")
            with self._file_lock():
                self._catch_up()
                pending = _Pending(self._state, self._clock)
                self._in_transaction = True
                try:
                    yield pending
                finally:
                    self._in_transaction = False
                if pending.emitted:
                    following = enumerate(pending.emitted, self._journal.seq + 1)
                    self._append([Event(seq, *emitted) for seq, emitted in following])

    @contextmanager
    def _read(self) -> Iterator[S]:
        with self._lock:
            self._refresh()
            yield self._state

    def _refresh(self) -> None:
        """See what other processes wrote, at the price of two stats when there is nothing."""
        if not self._closed and not self._locked and self._journal.has_news():
            with self._file_lock():
                self._catch_up()

    def _catch_up(self) -> None:
        before = self._journal.seq
        for event in self._journal.new_events():
            self._apply(event)
        if self._journal.lost and not self._readonly:
            self._journal.lost = False
            self._import("Part of the journal is gone; what is remembered was written down again in full")
        if self._journal.seq > before:
            self._tell()

    def _apply(self, event: Event) -> None:
        if event.type == IMPORTED:
            try:
                self._state = self._fold.load(event.data["state"])
            except UNREADABLE as error:
                log.warning("event %d holds a memory that cannot be read: %s", event.seq, error)
        self._fold.apply(self._state, event)

    def _append(self, events: list[Event]) -> None:
        try:
            line = encode(events)
        except TypeError as error:
            raise BadInput(f"This cannot be remembered, because it cannot be written as JSON: {error}") from error
        try:
            self._journal.append(line, events[-1].seq)
        except OSError as error:
            raise Unavailable(
                f"The journal could not be written, so nothing was changed: {error.strerror}",
                hint="Free some space on the disk that holds the agent's home, then try again",
            ) from error
        # What was written is read back, so that memory never holds what a restart would not.
        for event in decode(line[:-1]) or ():
            self._apply(event)
        self._mark_stale()
        self._tell()

    def _import(self, notice: str) -> None:
        self._notices.append(notice)
        state = {"state": self._fold.dump(self._state)}
        self._append([Event(self._journal.seq + 1, self._clock(), IMPORTED, None, state)])

    def _tell(self) -> None:
        with self._news:
            self._news.notify_all()

    def _open(self) -> None:
        """Read the snapshot without the lock; only what has to be put right is looked at again inside it."""
        found = self._load()
        with self._lock, self._file_lock():
            if found.origin is not _Origin.OURS:
                found = self._load()
            self._state = found.state
            if found.place is None and found.origin in {_Origin.EDITED, _Origin.OLDER}:
                self._journal.seek(Place())
                for _ in self._journal.new_events():
                    """It replaces all that these led to."""
            else:
                self._journal.seek(found.place or Place())
                self._catch_up()
            if found.origin is not _Origin.OURS and not self._readonly:
                self._settle(found)
        if not self._readonly and snapshot.covered(self._path) < self._journal.seq:
            self._mark_stale()

    def _load(self) -> _Found[S]:
        try:
            seen = snapshot.parse(self._path.read_bytes())
            state = self._fold.load(dict(seen.raw))
        except FileNotFoundError:
            return _Found(_Origin.MISSING, self._fold.empty())
        except UNREADABLE:
            return _Found(_Origin.DAMAGED, self._fold.empty())
        if not self._fold.current(seen.raw):
            return _Found(_Origin.OLDER, state, seen.place, str(seen.raw.get("version", "0")))
        return _Found(_Origin.OURS if seen.ours else _Origin.EDITED, state, seen.place)

    def _settle(self, found: _Found[S]) -> None:
        """Put right what was found, before anyone else gets to write."""
        if found.origin is _Origin.DAMAGED:
            aside = free(self._path.with_name(f"context.json.damaged-{self._stamp()}"))
            self._path.rename(aside)
            rest = "rebuilt from the journal" if self._journal.seq else "started afresh, for there is no journal either"
            self._notices.append(f"`context.json` was damaged; it was kept as `{aside.name}` and {rest}")
        elif found.origin is _Origin.OLDER:
            version = re.sub(r"[^0-9A-Za-z.]", "", found.version)[:20]
            aside = free(self._path.with_name(f"context.json.v{version}-{self._stamp()}"))
            shutil.copy2(self._path, aside)
            self._import(f"`context.json` had an older shape and was upgraded; the old file was kept as `{aside.name}`")
        elif found.origin is _Origin.EDITED:
            self._import("`context.json` was changed by hand; the changes were taken over")
        elif self._journal.seq:
            self._notices.append("`context.json` was missing and was rebuilt from the journal")
        self._write_snapshot()

    def _stamp(self) -> str:
        """The time as part of a file's name."""
        return re.sub(r"[^0-9TZ]", "", self._clock().split(".")[0].removesuffix("Z") + "Z")

    def _open_lock_file(self) -> int:
        flags = os.O_RDONLY if self._readonly else os.O_RDWR | os.O_CREAT
        try:
            return os.open(self._path.with_name("context.lock"), flags | os.O_CLOEXEC, 0o600)
        except FileNotFoundError:
            return -1

    @contextmanager
    def _file_lock(self) -> Iterator[None]:
        """Keeps other processes out. The caller holds the thread lock; inside itself it does nothing."""
        if self._locked or self._lock_fd < 0:
            yield
            return
        fcntl.flock(self._lock_fd, fcntl.LOCK_SH if self._readonly else fcntl.LOCK_EX)
        self._locked = True
        try:
            yield
        finally:
            self._locked = False
            fcntl.flock(self._lock_fd, fcntl.LOCK_UN)

    def _mark_stale(self) -> None:
        with self._work:
            if self._stale:
                return
            self._stale = True
            self._work.notify_all()
        if self._keeper is None or not self._keeper.is_alive():
            self._keeper = threading.Thread(target=self._keep_snapshot, name="context.json", daemon=True)
            self._keeper.start()

    def _keep_snapshot(self) -> None:
        """Sleeps until there is something to write, then lets a little more come before it writes."""
        pause = self._delay
        while not self._closed:
            with self._work:
                self._work.wait_for(lambda: self._stale or self._closed)
                self._work.wait_for(lambda: self._closed, pause)
                self._stale = False
            if self._closed:
                return
            try:
                self._write_snapshot()
                pause = self._delay
            except OSError as error:
                log.warning("context.json could not be written, will try again: %s", error)
                self._stale = True
                pause = RETRY_SECONDS

    def _write_snapshot(self) -> None:
        with self._lock:
            place = self._journal.at
            if snapshot.covered(self._path) >= place.seq:
                return
            data = snapshot.encode(self._fold.dump(self._state), place)
        temporary = snapshot.stage(self._path, data)
        try:
            with self._lock, self._file_lock():
                if snapshot.covered(self._path) < place.seq:
                    temporary.replace(self._path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(self._path.parent)
