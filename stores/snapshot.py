"""The readable snapshot of `stores.json_file`: a state as JSON, with a first line that says what it covers."""

import os
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from stores.journal import Place, write_all

READABLE_BYTES = 1 << 20
HEADER = re.compile(
    rb'\{\s*"journal": (\{"seq":(\d+),"segment":(\d+),"offset":(\d+)),"check":"([0-9a-f]{8})"\}(?:,|(?=\s*\}))'
)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a file says, and whether it says so in our own hand."""

    raw: dict[str, Any]
    place: Place | None
    """None if the file does not say which events it covers."""
    ours: bool
    """False if someone else wrote or edited it."""


def encode(raw: dict[str, Any], place: Place) -> bytes:
    """The file's bytes: laid out for reading while they are few."""
    body = orjson.dumps(raw)
    if len(body) < READABLE_BYTES:
        body = orjson.dumps(raw, option=orjson.OPT_INDENT_2)
    covers = b'{"seq":%d,"segment":%d,"offset":%d' % (place.seq, place.segment, place.offset)
    rest = body[1:]
    check = zlib.crc32(rest, zlib.crc32(covers))
    return b'{\n  "journal": %b,"check":"%08x"}%b%b\n' % (covers, check, b"," if raw else b"", rest)


def parse(data: bytes) -> Snapshot:
    """Raises ValueError if it is not a JSON object."""
    data = data.removeprefix(b"\xef\xbb\xbf").rstrip()
    raw = orjson.loads(data)
    if not isinstance(raw, dict):
        raise ValueError("it does not hold an object")
    block = raw.pop("journal", None)
    header = HEADER.match(data)
    if not header:
        return Snapshot(raw, _place(block), ours=False)
    check = zlib.crc32(memoryview(data)[header.end() :], zlib.crc32(header[1]))
    place = Place(int(header[2]), int(header[3]), int(header[4]))
    return Snapshot(raw, place, ours=check == int(header[5], 16))


def _place(block: object) -> Place | None:
    """What an edited file still says about the events that it covers; the rest of the block is not worth trusting."""
    seq = block.get("seq") if isinstance(block, dict) else None
    return Place(seq) if isinstance(seq, int) and seq >= 0 else None


def covered(path: Path) -> int:
    """The newest event in the snapshot, without reading all of it; -1 if it does not say."""
    try:
        with path.open("rb") as file:
            header = HEADER.match(file.read(256))
    except FileNotFoundError:
        return -1
    return int(header[2]) if header else -1


def stage(path: Path, data: bytes) -> Path:
    """Write the bytes durably beside the path, ready to be renamed to it."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        write_all(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)
    return temporary
