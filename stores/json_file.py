"""Memory in files: a readable snapshot, `context.json`, and a journal of events that it can be rebuilt from."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any, Generic, TypeVar

from contracts.errors import AppError, BadInput, Unavailable
from contracts.events import Event
from stores import snapshot
from stores.base import Fold, Transaction
from stores.durable import FileLock, free, staged, sweep, sync_folder, write_durably
from stores.journal import Journal, Place, encode

S = TypeVar("S")

IMPORTED = "state_imported"
"""An event that holds a whole state: one that no earlier events led to."""
POLL_SECONDS = 1.0
ROOM = 16
"""Levels that a state may nest what an event holds: if the event could be written, so can the state."""
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, PermissionError, IsADirectoryError)

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

    @property
    def replaces(self) -> bool:
        """It does not say which events it covers, so it stands in place of all of them."""
        return self.place is None and self.origin in {_Origin.EDITED, _Origin.OLDER}


class _Transaction(Generic[S]):
    """What is emitted waits here until the block ends."""

    def __init__(self, store: "JsonFileStore[S]", clock: Callable[[], str]) -> None:
        self._store = store
        self._clock = clock
        self._rows: list[dict[str, Any]] = []

    def __enter__(self) -> "_Transaction[S]":
        self._store._begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._store._end(self._rows if kind is None else [])

    @property
    def state(self) -> S:
        return self._store._state

    def emit(self, type: str, task_id: str | None = None, **data: Any) -> None:
        self._rows.append({"seq": 0, "at": self._clock(), "type": type, "task_id": task_id, "data": data})


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
        """Raises Unavailable if the files cannot be reached. A `readonly` one changes no file, not even to heal."""
        home = home.absolute()
        self._path = home / "context.json"
        self._fold = fold
        self._clock = clock
        self._readonly = readonly
        self._state = fold.empty()
        self._whole = True
        self._closed = False
        self._in_transaction = False
        self._notices: list[str] = []
        self._known: tuple[int, int, int] | None = None
        self._lock = threading.RLock()
        self._news = threading.Condition()
        self._waiting = 0
        self._file_lock = FileLock(home / "context.lock", shared=readonly)
        self._keeper = snapshot.Keeper(self._write_snapshot, snapshot_delay)
        self._journal = Journal(home / "journal", stamp=self._stamp, segment_bytes=segment_bytes, readonly=readonly)
        try:
            self._open()
        except OSError as error:
            self._release()
            raise Unavailable(f"The memory in `{home}` could not be opened: {error.strerror}") from error
        except AppError:
            self._release()
            raise

    def transaction(self) -> AbstractContextManager[Transaction[S]]:
        return _Transaction(self, self._clock)

    def read(self) -> AbstractContextManager[S]:
        return self._read()

    def events(self, after: int = 0, limit: int = 1000) -> list[Event]:
        with self._lock:
            self._refresh()
            recent = self._journal.recent(after) if after < self.last_seq() else []
        if recent is not None:
            return recent[:limit]
        found, damaged = self._journal.read(after, limit)
        if damaged and not self._readonly:
            self._heal(damaged)
        return found

    def last_seq(self) -> int:
        return self._journal.at.seq

    def wait(self, after: int, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        while not self._closed and self.last_seq() <= after:
            self._refresh()
            left = deadline - time.monotonic()
            if left <= 0:
                break
            with self._news:
                self._waiting += 1
                self._news.wait_for(lambda: self.last_seq() > after or self._closed, min(left, POLL_SECONDS))
                self._waiting -= 1
        return self.last_seq() > after

    def flush(self) -> None:
        self._refresh()
        if self._closed or self._readonly:
            return
        try:
            self._write_snapshot()
        except OSError as error:
            raise Unavailable(f"`context.json` could not be written: {error.strerror}") from error

    def notices(self) -> list[str]:
        return self._notices + self._journal.notices

    def close(self) -> None:
        try:
            self.flush()
        except Unavailable as error:
            log.warning("%s; it will be brought up to date from the journal", error.message)
        finally:
            self._release()

    def _release(self) -> None:
        self._closed = True
        self._keeper.close()
        self._tell()
        with self._lock:
            self._journal.close()
            self._file_lock.close()

    def _begin(self) -> None:
        """Take both locks and catch up. Every update comes this way, so it is spelled out and not nested."""
        self._lock.acquire()
        try:
            if self._in_transaction:
                raise RuntimeError("a transaction cannot be opened inside another")
            if self._closed or self._readonly:
                raise Unavailable("The memory is closed" if self._closed else "The memory is open for reading only")
            self._file_lock.acquire()
            try:
                self._catch_up()
            except BaseException:
                self._file_lock.release()
                raise
            self._in_transaction = True
        except BaseException:
            self._lock.release()
            raise

    def _end(self, rows: list[dict[str, Any]]) -> None:
        try:
            self._in_transaction = False
            if rows:
                self._append(rows)
        finally:
            self._file_lock.release()
            self._lock.release()

    @contextmanager
    def _read(self) -> Iterator[S]:
        with self._lock:
            self._refresh()
            yield self._state

    def _refresh(self) -> None:
        """See what other processes wrote; when there is nothing, this costs two looks at the folder."""
        with self._lock:
            if not self._closed and not self._file_lock.held and (self._journal.has_news() or not self._whole):
                with self._file_lock:
                    self._catch_up()

    def _catch_up(self) -> None:
        """Inside both locks: remember what others wrote, and put right what is wrong with the files."""
        if self._whole and not self._journal.lost and not self._journal.has_news():
            return
        before = self._journal.at.seq
        try:
            if not self._whole:
                self._start_over()
            self._apply(self._journal.new_events())
        except OSError as error:
            raise Unavailable(f"The journal could not be read: {error.strerror}") from error
        if self._journal.lost and not self._readonly:
            self._journal.lost = False
            self._import("Part of the journal is gone, so all that is remembered was written down again in full")
        if self._journal.at.seq > before:
            self._tell()

    def _start_over(self) -> None:
        """An interrupt came between writing events down and remembering them."""
        found = self._load()
        ours = found.origin is _Origin.OURS
        self._state = found.state if ours else self._fold.empty()
        self._journal.seek(found.place if ours and found.place else Place())

    def _apply(self, events: Iterable[Event]) -> None:
        self._whole = False
        for event in events:
            if event.type == IMPORTED:
                try:
                    self._state = self._fold.load(event.data["state"])
                except UNREADABLE as error:
                    log.warning("event %d holds a memory that cannot be read: %s", event.seq, error)
            self._fold.apply(self._state, event)
        self._whole = True

    def _append(self, rows: list[dict[str, Any]], *, room: int = ROOM) -> None:
        for seq, row in enumerate(rows, self._journal.at.seq + 1):
            row["seq"] = seq
        try:
            line = encode(rows, room=room)
        except TypeError as error:
            raise BadInput(f"This cannot be remembered, because it cannot be written as JSON: {error}") from error
        try:
            self._whole = False
            written = self._journal.append(line)
        except OSError as error:
            self._whole = True
            raise Unavailable(
                f"The journal could not be written, so nothing was changed: {error.strerror}",
                hint="Make room on the disk that holds the agent's home, then try again",
            ) from error
        # Memory takes in what a reader of the file would see, not what the caller passed and may still change.
        self._apply(written)
        self._keeper.tell()
        self._tell()

    def _import(self, notice: str) -> None:
        self._note(notice)
        data = {"state": self._fold.dump(self._state)}
        self._append([{"seq": 0, "at": self._clock(), "type": IMPORTED, "task_id": None, "data": data}], room=0)

    def _heal(self, segments: list[int]) -> None:
        with self._lock, self._file_lock:
            self._catch_up()
            for first in dict.fromkeys(segments):
                self._journal.heal(first)
            self._catch_up()

    def _tell(self) -> None:
        if self._waiting:
            with self._news:
                self._news.notify_all()

    def _note(self, notice: str) -> None:
        log.warning(notice)
        self._notices.append(notice)

    def _stamp(self) -> str:
        """The time as part of a file's name."""
        return re.sub(r"[^0-9TZ]", "", self._clock().split(".")[0].removesuffix("Z") + "Z")

    def _open(self) -> None:
        """Read the snapshot without the lock; only what has to be put right is looked at again inside it."""
        if not self._readonly:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = self._load()
        with self._lock, self._file_lock:
            if found.origin is not _Origin.OURS:
                found = self._load()
            self._state = found.state
            self._journal.seek(found.place or Place())
            if found.replaces:
                for _ in self._journal.new_events():
                    """Only to stand at the end: what these led to is replaced."""
                self._journal.lost = False
            self._catch_up()
            if not self._readonly:
                self._journal.sweep()
                sweep(self._path.parent, self._path.name)
                self._settle(found)
        if not self._readonly and snapshot.covered(self._path) < self._journal.at.seq:
            self._keeper.tell()

    def _load(self) -> _Found[S]:
        self._known = self._signature()
        try:
            seen = snapshot.parse(self._path.read_bytes())
            current = self._fold.current(seen.raw)
            version = str(seen.raw.get("version", "0"))
            state = self._fold.load(seen.raw)
        except FileNotFoundError:
            return _Found(_Origin.MISSING, self._fold.empty())
        except UNREADABLE:
            return _Found(_Origin.DAMAGED, self._fold.empty())
        if not current:
            return _Found(_Origin.OLDER, state, seen.place, version)
        return _Found(_Origin.OURS if seen.ours else _Origin.EDITED, state, seen.place)

    def _settle(self, found: _Found[S]) -> None:
        """Put right what was found, before anyone gets to write."""
        if found.origin is _Origin.OURS:
            return
        if found.origin is _Origin.DAMAGED:
            aside = self._path.rename(self._aside("damaged"))
            rest = "rebuilt from the journal" if self._journal.at.seq else "begun afresh, since there is no journal"
            self._note(f"`context.json` was damaged; it was kept as `{aside.name}` and {rest}")
        elif found.origin is _Origin.OLDER:
            aside = self._copy_aside("v" + re.sub(r"[^0-9A-Za-z.]", "", found.version)[:20])
            self._import(f"`context.json` had an older shape and was upgraded; the old file was kept as `{aside.name}`")
        elif found.origin is _Origin.EDITED:
            self._import("`context.json` was changed by hand; the changes were taken over")
        elif self._journal.at.seq:
            self._note("`context.json` was missing and was rebuilt from the journal")
        if found.place is None and not found.replaces:
            self._admit_a_late_beginning()
        self._write_snapshot()

    def _admit_a_late_beginning(self) -> None:
        first = next(iter(self._journal.read(0, 1)[0]), None)
        if first and first.seq > 1 and first.type != IMPORTED:
            self._note(f"The journal begins with event {first.seq}; what came before it could not be rebuilt")

    def _aside(self, why: str) -> Path:
        return free(self._path.with_name(f"{self._path.name}.{why}-{self._stamp()}"))

    def _copy_aside(self, why: str) -> Path:
        aside = self._aside(why)
        write_durably(aside, self._path.read_bytes())
        return aside

    def _signature(self) -> tuple[int, int, int] | None:
        try:
            stat = self._path.stat()
        except FileNotFoundError:
            return None
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    def _spare_edits(self) -> None:
        """Keep a copy of a `context.json` that was changed by hand while the agent ran, before it is replaced."""
        signature = self._signature()
        if signature != self._known and not snapshot.written_by_us(self._path):
            aside = self._copy_aside("edited")
            self._note(
                f"`context.json` was changed by hand while the agent ran; that copy was kept as `{aside.name}`. "
                "Stop the agent before changing it, and the changes are taken over"
            )
        self._known = signature

    def _write_snapshot(self) -> None:
        """Replace `context.json` if it is behind. Only the renaming happens inside the lock between processes."""
        with self._lock:
            place = self._journal.at
            if not self._whole or snapshot.covered(self._path) >= place.seq:
                return
            body = snapshot.encode(self._fold.dump(self._state))
        self._spare_edits()
        with staged(self._path, snapshot.sign(body, place)) as temporary, self._lock, self._file_lock:
            if snapshot.covered(self._path) >= place.seq:
                return
            self._spare_edits()
            temporary.replace(self._path)
            self._known = self._signature()
        sync_folder(self._path.parent)
