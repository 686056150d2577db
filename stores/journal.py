"""The journal of `stores.json_file`: events in append-only segments, every line guarded by its CRC.

A segment is named after the first event that it may hold, so that any event is found without reading the others. A
line holds all events of one transaction: it is there as a whole or not at all. Whoever calls `new_events` or `append`
holds the store's file lock; `read` and `has_news` need no lock.
"""

import os
import re
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from contracts.events import Event

BLOCK = 256 * 1024
NEAR = 16 * 1024
SEGMENT = re.compile(r"\d{12}\.jsonl")
LINE = re.compile(rb'[0-9a-f]{8} \[?\{"seq":(\d+)')


@dataclass(frozen=True, slots=True)
class Place:
    """Just after the event `seq`: the segment that holds it and the offset where its line ends."""

    seq: int = 0
    segment: int = 0
    offset: int = 0


def encode(events: Sequence[Event]) -> bytes:
    """One line for one transaction. Raises TypeError if the events hold what JSON cannot."""
    body = orjson.dumps(events[0] if len(events) == 1 else events)
    return b"%08x %b\n" % (zlib.crc32(body), body)


def decode(line: bytes) -> list[Event] | None:
    """The events of a line without its newline, or None if it is damaged."""
    try:
        if int(line[:8], 16) != zlib.crc32(memoryview(line)[9:]):
            return None
        rows = orjson.loads(memoryview(line)[9:])
        return [
            Event(row["seq"], row["at"], row["type"], row.get("task_id"), row.get("data") or {})
            for row in (rows if isinstance(rows, list) else [rows])
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def salvage(damaged: bytes) -> list[bytes]:
    """The sound lines in bytes whose newlines were damaged."""
    starts = [match.start() for match in LINE.finditer(damaged)]
    ends = [start - 1 for start in starts[1:]] + [len(damaged)] if starts else []
    pieces = [damaged[start:end] for start, end in zip(starts, ends, strict=True)]
    return [line for piece in pieces for line in (piece, piece[:-1]) if decode(line)]


def lines(fd: int, start: int) -> Iterator[tuple[int, bytes]]:
    """Whole lines from an offset on, without their newlines, each with the offset where it ends."""
    end, tail = start, b""
    while block := os.pread(fd, BLOCK, end + len(tail)):
        *whole, tail = (tail + block).split(b"\n")
        for line in whole:
            end += len(line) + 1
            yield end, line


def find(fd: int, seq: int) -> int:
    """The start of a line at or shortly before the one that holds the event `seq`, by bisection."""
    low, high = 0, os.fstat(fd).st_size
    while high - low > NEAR:
        middle = (low + high) // 2
        start, first = _line_after(fd, middle, high)
        if first > seq:
            high = middle
        else:
            low = start
    return low


def _line_after(fd: int, offset: int, stop: int) -> tuple[int, int]:
    """Start and first event of the first readable line that begins after the offset; a huge number if none does."""
    for end, _ in lines(fd, offset):
        if end >= stop:
            break
        if match := LINE.match(os.pread(fd, 64, end)):
            return end, int(match[1])
    return stop, 1 << 63


class Journal:
    """Reads and writes the segments in one folder, and remembers up to where it has read."""

    def __init__(self, folder: Path, *, stamp: Callable[[], str], segment_bytes: int, readonly: bool) -> None:
        self._folder = folder
        self._stamp = stamp
        self._segment_bytes = segment_bytes
        self._readonly = readonly
        self._fd = -1
        self._inode = 0
        self._at = Place()
        self._gaps = False
        self.lost = False
        """Events that were read before are no longer there; whoever remembers them should write that down."""
        self.notices: list[str] = []

    @property
    def at(self) -> Place:
        return self._at

    @property
    def seq(self) -> int:
        return self._at.seq

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def segments(self) -> list[int]:
        try:
            return sorted(int(path.stem) for path in self._folder.iterdir() if SEGMENT.fullmatch(path.name))
        except FileNotFoundError:
            return []

    def has_news(self) -> bool:
        """Whether someone wrote since, as cheaply as can be told."""
        return self._follows() or (self._fd >= 0 and self._size() != self._at.offset)

    def seek(self, place: Place) -> None:
        """Stand just after that event, or at the end if the journal does not reach that far."""
        self.lost = not self._seek_hint(place) and not self._seek_number(place.seq)

    def new_events(self) -> Iterator[Event]:
        """What was written since; heals what is damaged on the way."""
        if self._fd >= 0 and self._size() < self._at.offset:
            self.lost = not self._seek_number(self._at.seq)
        while True:
            if self._fd >= 0:
                yield from self._rest_of_segment()
            following = self._following()
            if following is None:
                return
            self._stand(Place(max(self._at.seq, following - 1), following, 0))

    def append(self, line: bytes, seq: int) -> None:
        """Write a line durably, all or nothing; `seq` is its last event."""
        if self._fd < 0 or self._at.offset >= self._segment_bytes:
            self._begin_segment(self._at.seq + 1)
        try:
            write_all(self._fd, line)
            os.fdatasync(self._fd)
        except BaseException:
            os.ftruncate(self._fd, self._at.offset)
            raise
        self._at = Place(seq, self._at.segment, self._at.offset + len(line))

    def read(self, after: int, limit: int) -> list[Event]:
        """Up to `limit` events above `after` that this journal has seen."""
        firsts = self.segments()
        found: list[Event] = []
        for first in firsts[max(bisect_right(firsts, after + 1) - 1, 0) :]:
            for event in self._events_of(first, after):
                if len(found) >= limit or event.seq > self._at.seq:
                    return found
                found.append(event)
        return found

    def _events_of(self, first: int, after: int) -> Iterator[Event]:
        try:
            fd = os.open(self._path(first), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            for _, line in lines(fd, find(fd, after + 1)):
                header = LINE.match(line)
                if header and line[9:10] == b"{" and int(header[1]) <= after:
                    continue
                yield from (event for event in decode(line) or () if event.seq > after)
        finally:
            os.close(fd)

    def _path(self, first: int) -> Path:
        return self._folder / f"{first:012d}.jsonl"

    def _size(self) -> int:
        """Bytes in the segment that is open, or -1 if its name now stands for another file or none."""
        try:
            stat = self._path(self._at.segment).stat()
        except FileNotFoundError:
            return -1
        return stat.st_size if stat.st_ino == self._inode else -1

    def _follows(self) -> bool:
        return self._at.seq + 1 != self._at.segment and self._path(self._at.seq + 1).exists()

    def _following(self) -> int | None:
        """The segment after the one that was read to its end. Where events are missing, only the folder can tell."""
        if self._follows():
            return self._at.seq + 1
        if self._gaps or self._fd < 0:
            return next((first for first in self.segments() if first > self._at.segment), None)
        return None

    def _stand(self, place: Place) -> None:
        flags = os.O_RDONLY if self._readonly else os.O_RDWR | os.O_APPEND
        fd = os.open(self._path(place.segment), flags | os.O_CLOEXEC)
        self.close()
        self._fd, self._inode, self._at = fd, os.fstat(fd).st_ino, place

    def _seek_hint(self, place: Place) -> bool:
        """Stand where a snapshot says, if the journal still looks like it."""
        if not place.segment:
            return False
        try:
            self._stand(place)
        except FileNotFoundError:
            return False
        before = os.pread(self._fd, 1, place.offset - 1) if place.offset else b"\n"
        following = LINE.match(os.pread(self._fd, 64, place.offset))
        return before == b"\n" and (not following or int(following[1]) == place.seq + 1)

    def _seek_number(self, seq: int) -> bool:
        firsts = self.segments()
        self.close()
        self._at = Place(seq)
        if not firsts:
            return seq == 0
        self._gaps = True
        index = bisect_right(firsts, seq) - 1
        if index < 0:
            return True
        self._stand(Place(firsts[index] - 1, firsts[index], 0))
        last = firsts[index] - 1
        for end, line in lines(self._fd, find(self._fd, seq)):
            events = decode(line)
            if events and events[0].seq > seq:
                break
            if events:
                last = events[-1].seq
                self._at = Place(seq, firsts[index], end)
        self._at = Place(max(last, seq), firsts[index], self._at.offset)
        return last >= seq or firsts[-1] > seq

    def _rest_of_segment(self) -> Iterator[Event]:
        for end, line in lines(self._fd, self._at.offset):
            events = decode(line)
            if events is None and not self._readonly:
                self._heal()
                yield from self._rest_of_segment()
                return
            for event in events or ():
                if event.seq > self._at.seq:
                    self._gaps = self._gaps or event.seq > self._at.seq + 1
                    self._at = Place(event.seq, self._at.segment, self._at.offset)
                    yield event
            self._at = Place(self._at.seq, self._at.segment, end)
        if not self._readonly and os.fstat(self._fd).st_size > self._at.offset:
            self._heal()

    def _heal(self) -> None:
        """Drop a torn last line, which nobody was told of; set a damaged segment aside and keep its sound lines."""
        head = os.pread(self._fd, self._at.offset, 0)
        rest = os.pread(self._fd, os.fstat(self._fd).st_size, self._at.offset)
        *whole, tail = rest.split(b"\n")
        kept = [sound for line in whole for sound in ([line] if decode(line) else salvage(line))]
        rescued = salvage(tail)
        if len(kept) == len(whole) and not rescued and not any(f > self._at.segment for f in self.segments()):
            os.ftruncate(self._fd, len(head) + len(rest) - len(tail))
            return
        self._gaps = True
        path = self._path(self._at.segment)
        aside = free(self._folder / "damaged" / f"{path.stem}-{self._stamp()}.jsonl")
        aside.parent.mkdir(mode=0o700, exist_ok=True)
        write_durably(aside, head + rest)
        write_durably(path, head + b"".join(line + b"\n" for line in kept + rescued))
        self._stand(self._at)
        self.notices.append(
            f"Part of the journal `{path.name}` was damaged and could not be read; everything else in it was kept, "
            f"and the damaged file is in `journal/damaged/{aside.name}`"
        )

    def _begin_segment(self, first: int) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        path = self._path(first)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        sync_folder(self._folder)
        self._stand(Place(first - 1, first, 0))


def write_durably(path: Path, data: bytes) -> None:
    """Put a file there in one step: a reader sees the old one or the new one, whole."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        write_all(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)
    temporary.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def free(path: Path) -> Path:
    """The path, or one beside it with a number where something is there already."""
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return candidate
