"""The readable snapshot of `stores.json_file`: a state as JSON, whose first line says which events it covers."""

import logging
import re
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from contracts.errors import Unavailable
from stores.journal import Place

READABLE_BYTES = 1 << 20
RETRY_SECONDS = 5.0
HEADER = re.compile(
    rb'\{\s*"journal": (\{"seq":(\d{1,11}),"segment":(\d{1,11}),"offset":(\d{1,18})),"check":"([0-9a-f]{8})"\},?'
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a file says, and whether a store wrote it so."""

    raw: dict[str, Any]
    place: Place | None
    """None if the file does not say which events it covers."""
    ours: bool
    """False if someone else wrote or edited it."""


def encode(raw: dict[str, Any]) -> bytes:
    """The state as JSON, laid out for reading while it is small. Raises ValueError if it uses our own name."""
    if "journal" in raw:
        raise ValueError("a state cannot have a field `journal`: that name says which events a snapshot covers")
    body = orjson.dumps(raw)
    return body if len(body) > READABLE_BYTES else orjson.dumps(raw, option=orjson.OPT_INDENT_2)


def sign(body: bytes, place: Place) -> bytes:
    """The bytes of the file for an encoded state: what it covers comes first."""
    rest = memoryview(body)[1:]
    covers = b'{"seq":%d,"segment":%d,"offset":%d' % (place.seq, place.segment, place.offset)
    check = zlib.crc32(rest, zlib.crc32(covers))
    return b"".join(
        (b'{\n  "journal": ', covers, b',"check":"%08x"}' % check, b"," if body != b"{}" else b"", rest, b"\n")
    )


def parse(data: bytes) -> Snapshot:
    """Raises ValueError if it is not a JSON object."""
    data = data.removeprefix(b"\xef\xbb\xbf").rstrip()
    raw = orjson.loads(data)
    if not isinstance(raw, dict):
        raise ValueError("it does not hold an object")
    place, ours = _checked(data)
    if place is None:
        place = _claimed(raw.get("journal"))
    if place is not None:
        del raw["journal"]
    return Snapshot(raw, place, ours)


def written_by_us(path: Path) -> bool:
    """Whether a store wrote the file, and nobody changed it since; true as well if there is none."""
    try:
        return _checked(path.read_bytes().rstrip())[1]
    except FileNotFoundError:
        return True


def covered(path: Path) -> int:
    """The newest event in the snapshot, without reading all of it; -1 if it does not say."""
    try:
        with path.open("rb") as file:
            header = HEADER.match(file.read(256))
    except (FileNotFoundError, IsADirectoryError):
        return -1
    return int(header[2]) if header else -1


def _checked(data: bytes) -> tuple[Place | None, bool]:
    header = HEADER.match(data)
    if not header:
        return None, False
    check = zlib.crc32(memoryview(data)[header.end() :], zlib.crc32(header[1]))
    return Place(int(header[2]), int(header[3]), int(header[4])), check == int(header[5], 16)


def _claimed(block: object) -> Place | None:
    """The event that a file covers if it was laid out anew by hand; where that is in the journal is found again."""
    seq = block.get("seq") if isinstance(block, dict) else None
    return Place(seq) if isinstance(seq, int) and 0 <= seq < 10**11 else None


class Keeper:
    """Calls `write` in the background, `delay` seconds after it is told that there is something to write."""

    def __init__(self, write: Callable[[], None], delay: float) -> None:
        self._write = write
        self._delay = delay
        self._wake = threading.Condition()
        self._stale = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def tell(self) -> None:
        if self._stale:
            return
        with self._wake:
            self._stale = True
            self._wake.notify()
            if not self._closed and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._run, name="context.json", daemon=True)
                self._thread.start()

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        pause = self._delay
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._stale or self._closed)
                # Let more come before it is written; only closing cuts this short.
                self._wake.wait_for(lambda: self._closed, pause)
                if self._closed:
                    return
                self._stale = False
            try:
                self._write()
                pause = self._delay
            except (OSError, Unavailable) as error:
                log.warning("context.json could not be written and will be tried again: %s", error)
                self._stale, pause = True, RETRY_SECONDS
