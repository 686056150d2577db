"""The journal of `stores.json_file`: events in append-only segments, every line guarded by its CRC.

A segment is named after the first event that it may hold, so that any event is found without reading the others. A
line holds all events of one transaction: it is there as a whole or not at all. Whoever calls `new_events`, `append`,
`seek` or `heal` holds the store's locks; `read` and `has_news` need none between processes.
"""

import os
import re
import zlib
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from contracts.events import Event
from stores.durable import free, sweep, sync_folder, write_all, write_durably

BLOCK = 256 * 1024
NEAR = 16 * 1024
SHALLOW = 64
RECENT_LINES = 512
RECENT_BYTES = 8 * 1024
SEGMENT = re.compile(r"\d{12}\.jsonl")
LINE = re.compile(rb'[0-9a-f]{8} \[?\{"seq":(\d{1,18})')


class Place(NamedTuple):
    """Just after the event `seq`: the segment that holds it and the offset where its line ends."""

    seq: int = 0
    segment: int = 0
    offset: int = 0


def encode(rows: list[dict[str, Any]], *, room: int = 0) -> bytes:
    """One line for one transaction: the fields of its events, `seq` first.

    Raises TypeError if they hold what JSON cannot, or would be nested too deep to be written `room` levels deeper.
    """
    body = orjson.dumps(rows[0] if len(rows) == 1 else rows)
    if room and body.count(b"[") + body.count(b"{") > SHALLOW:
        nested: Any = rows
        for _ in range(room):
            nested = [nested]
        orjson.dumps(nested)
    return b"%08x %b\n" % (zlib.crc32(body), body)


def decode(line: bytes) -> list[Event] | None:
    """The events of a line without its newline, or None if it is damaged."""
    body = memoryview(line)[9:]
    try:
        if int(line[:8], 16) != zlib.crc32(body):
            return None
        rows = orjson.loads(body)
        return [
            Event(row["seq"], row["at"], row["type"], row.get("task_id"), row.get("data") or {})
            for row in (rows if isinstance(rows, list) else [rows])
        ] or None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def salvage(damaged: bytes) -> list[bytes]:
    """The sound lines in bytes whose newlines were damaged."""
    starts = [match.start() for match in LINE.finditer(damaged)]
    ends = [start - 1 for start in starts[1:]] + [len(damaged)]
    pieces = [damaged[start:end] for start, end in zip(starts, ends, strict=False)]
    return [line for piece in pieces for line in (piece, piece[:-1]) if decode(line)]


def lines(fd: int, start: int, block_size: int = BLOCK) -> Iterator[tuple[int, bytes]]:
    """Whole lines from an offset on, without their newlines, each with the offset where it ends."""
    end, held, pieces = start, 0, list[bytes]()
    while block := os.pread(fd, block_size, end + held):
        first, *rest = block.split(b"\n")
        pieces.append(first)
        held += len(first)
        if not rest:
            # What is put together once, at its end, is not copied again with every block.
            block_size = min(2 * block_size, BLOCK)
            continue
        *whole, tail = rest
        for line in (b"".join(pieces), *whole):
            end += len(line) + 1
            yield end, line
        pieces, held = [tail], len(tail)


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
    for end, _ in lines(fd, offset, block_size=4096):
        if end >= stop:
            break
        if match := LINE.match(os.pread(fd, 64, end)):
            return end, int(match[1])
    return stop, 1 << 63


class Journal:
    """Reads and writes the segments in one folder, and remembers up to where it has read."""

    def __init__(self, folder: Path, *, stamp: Callable[[], str], segment_bytes: int, readonly: bool) -> None:
        self._folder = folder
        self._names = f"{str(folder).replace('%', '%%')}/%012d.jsonl"
        self._name_at = ""
        self._stamp = stamp
        self._segment_bytes = segment_bytes
        self._readonly = readonly
        self._fd = -1
        self._inode = 0
        self._gaps = True
        """The next segment may not bear the number of the next event, so the folder has to be listed."""
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=RECENT_LINES)
        self.at = Place()
        """What has been read, and where the next event will be."""
        self.lost = False
        """Events that led to what is remembered are gone; it should be written down in full."""
        self.notices: list[str] = []

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
        return self._gaps or self._fd < 0 or self._follows() or self._size() != self.at.offset

    def seek(self, place: Place) -> None:
        """Stand just after that event, or at the end if the journal does not reach that far."""
        if not self._seek_hint(place):
            self._seek_number(place.seq)

    def new_events(self) -> Iterator[Event]:
        """What was written since; heals what is damaged on the way."""
        size = self._size()
        if size < self.at.offset:
            self._seek_number(self.at.seq)
            size = self._size()
        while True:
            if size > self.at.offset:
                yield from self._rest_of_segment()
            following = self._following()
            if following is None:
                return
            self._stand(Place(max(self.at.seq, following - 1), following, 0))
            size = self._size()

    def append(self, line: bytes) -> list[Event]:
        """Write a line durably, all or nothing, and give its events as they will be read ever after."""
        if self._fd < 0 or self.at.offset >= self._segment_bytes:
            self._begin_segment(self.at.seq + 1)
        try:
            write_all(self._fd, line)
            os.fdatasync(self._fd)
        except BaseException:
            os.ftruncate(self._fd, self.at.offset)
            raise
        line = line[:-1]
        return self._passed(line, decode(line) or [], self.at.offset + len(line) + 1)

    def recent(self, after: int) -> list[Event] | None:
        """Events above `after`, if all of them came so lately that they are at hand. Not while a thread writes."""
        found: list[bytes] = []
        for first, line in reversed(self._recent):
            found.append(line)
            if first <= after + 1:
                return [event for line in reversed(found) for event in decode(line) or () if event.seq > after]
        return None

    def read(self, after: int, limit: int) -> tuple[list[Event], list[int]]:
        """Up to `limit` events above `after` that this journal has seen, and segments that were found damaged."""
        firsts = self.segments() if after < self.at.seq else []
        found: list[Event] = []
        damaged: list[int] = []
        for first in firsts[max(bisect_right(firsts, after + 1) - 1, 0) :]:
            for event in self._events_of(first, after, damaged):
                if len(found) >= limit or event.seq > self.at.seq:
                    return found, damaged
                found.append(event)
        return found, damaged

    def heal(self, first: int) -> None:
        """Drop a torn last line, which nobody was told of; set a damaged segment aside and keep its sound lines."""
        path = self._path(first)
        data = path.read_bytes() if path.exists() else b""
        *whole, tail = data.split(b"\n")
        kept = [sound for line in whole for sound in ([line] if decode(line) else salvage(line))] + salvage(tail)
        sound = b"".join(line + b"\n" for line in kept)
        if sound == data:
            if first == self.at.segment:
                # All is well but our place: someone rewrote the file in place.
                self._stand_in(first, self.at.seq)
            return
        if data.startswith(sound) and b"\n" not in data[len(sound) :] and first == self.segments()[-1]:
            os.truncate(path, len(sound))
            return
        if sound != data + b"\n":
            self._set_aside(path, data)
        write_durably(path, sound)
        if first < self.at.segment:
            self.lost = True
        elif first == self.at.segment and data[: self.at.offset] == sound[: self.at.offset]:
            self._stand(self.at)
        elif first == self.at.segment:
            self.lost = True
            self._stand_in(first, self.at.seq)

    def _set_aside(self, path: Path, data: bytes) -> None:
        aside = free(self._folder / "damaged" / f"{path.name}.{self._stamp()}")
        aside.parent.mkdir(mode=0o700, exist_ok=True)
        write_durably(aside, data)
        self.notices.append(
            f"Part of `journal/{path.name}` was damaged and cannot be read; everything else in it was kept, and the "
            f"damaged file is in `journal/damaged/{aside.name}`"
        )

    def _events_of(self, first: int, after: int, damaged: list[int]) -> Iterator[Event]:
        try:
            fd = os.open(self._path(first), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            for _, line in lines(fd, find(fd, after + 1)):
                header = LINE.match(line)
                if header and line[9:10] == b"{" and int(header[1]) <= after:
                    continue
                events = decode(line)
                if events is None:
                    damaged.append(first)
                yield from (event for event in events or () if event.seq > after)
        finally:
            os.close(fd)

    def _path(self, first: int) -> Path:
        return Path(self._names % first)

    def _size(self) -> int:
        """Bytes in the segment that is open, or -1 if its name now stands for another file or none."""
        if self._fd < 0:
            return 0
        try:
            stat = os.stat(self._name_at)  # noqa: PTH116 - twice as quick, in every update and every look
        except FileNotFoundError:
            return -1
        return stat.st_size if stat.st_ino == self._inode else -1

    def _follows(self) -> bool:
        return self.at.seq + 1 != self.at.segment and os.access(self._names % (self.at.seq + 1), os.F_OK)

    def _following(self) -> int | None:
        """The segment after the one that was read to its end. Where events are missing, only the folder can tell."""
        if self._follows():
            return self.at.seq + 1
        following = None
        if self._gaps or self._fd < 0:
            following = next((first for first in self.segments() if first > self.at.segment), None)
            self._gaps = following is not None
        return following

    def _stand(self, place: Place) -> None:
        flags = os.O_RDONLY if self._readonly else os.O_RDWR | os.O_APPEND
        self._recent.clear()
        name = self._names % place.segment
        fd = os.open(name, flags | os.O_CLOEXEC)
        self.close()
        self._name_at, self._fd, self._inode, self.at = name, fd, os.fstat(fd).st_ino, place

    def _seek_hint(self, place: Place) -> bool:
        """Stand where a snapshot says, if the journal still looks like it."""
        try:
            self._stand(place)
        except FileNotFoundError:
            return False
        before = os.pread(self._fd, 1, place.offset - 1) if place.offset else b"\n"
        following = LINE.match(os.pread(self._fd, 64, place.offset))
        return before == b"\n" and (not following or int(following[1]) == place.seq + 1)

    def _seek_number(self, seq: int) -> None:
        firsts = self.segments()
        index = bisect_right(firsts, seq) - 1
        self.close()
        self.at = Place(seq)
        self._gaps = True
        if index < 0:
            self.lost = self.lost or (seq > 0 and seq + 1 not in firsts)
            return
        last = self._stand_in(firsts[index], seq)
        self.lost = self.lost or last < seq

    def _stand_in(self, segment: int, seq: int) -> int:
        """Stand after the last event of a segment that is not above `seq`, and give its number."""
        self._stand(Place(seq, segment, 0))
        last, offset = 0, find(self._fd, seq)
        for end, line in lines(self._fd, offset):
            events = decode(line)
            if events and events[-1].seq > seq:
                break
            if events:
                last, offset = events[-1].seq, end
        self.at = Place(seq, segment, offset)
        return last

    def _rest_of_segment(self) -> Iterator[Event]:
        while True:
            for end, line in lines(self._fd, self.at.offset):
                events = decode(line)
                if events is None and not self._readonly:
                    break
                yield from self._passed(line, events or [], end)
            if self._readonly or os.fstat(self._fd).st_size <= self.at.offset:
                return
            self.heal(self.at.segment)

    def _passed(self, line: bytes, events: list[Event], end: int) -> list[Event]:
        """Move on behind a line, and give what is new in it."""
        before = self.at.seq
        new = [event for event in events if event.seq > before]
        if new and len(line) <= RECENT_BYTES:
            self._recent.append((new[0].seq, line))
        else:
            self._recent.clear()
        self._gaps = self._gaps or not new or new[0].seq > before + 1
        self.at = Place(new[-1].seq if new else before, self.at.segment, end)
        return new

    def _begin_segment(self, first: int) -> None:
        if not self._folder.exists():
            self._folder.mkdir(mode=0o700)
            sync_folder(self._folder.parent)
        os.close(os.open(self._path(first), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        sync_folder(self._folder)
        self._stand(Place(first - 1, first, 0))

    def sweep(self) -> None:
        """Remove what a killed process left half written."""
        sweep(self._folder, "*.jsonl*")
        sweep(self._folder / "damaged", "*.jsonl*")
