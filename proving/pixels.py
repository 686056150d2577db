"""Reads the browser's pictures, and says how much letters stand out from what is behind them."""

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTH = 8
CHANNELS = {2: 3, 6: 4}
"""Bytes of a pixel by the type of colour."""
NONE, UP = 0, 2
LARGEST = 64 * 2**20
LEAST_CONTRAST = 1.2
"""Of brightness; 1 is none, 21 is black on white. Even what is meant to be faint has more than this."""
OTHER_HUE = 64
"""How far apart, of 255, one of red, green and blue has to be."""


class Unreadable(Exception):
    """A picture of a form that the browser was not asked for."""


@dataclass(frozen=True, slots=True)
class Picture:
    width: int
    height: int
    channels: int
    rows: tuple[bytes, ...]


def read_png(data: bytes) -> Picture:
    """Of the kind that a browser makes when it is to be quick: rows as they are, or added up. Raises Unreadable."""
    if not data.startswith(SIGNATURE):
        raise Unreadable("it is no PNG")
    header, packed = b"", bytearray()
    for name, content in _chunks(data):
        header = content if name == b"IHDR" else header
        packed += content if name == b"IDAT" else b""
    try:
        width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", header)
        raw = zlib.decompressobj().decompress(bytes(packed), LARGEST)
    except (struct.error, zlib.error) as error:
        raise Unreadable("it is damaged") from error
    channels = CHANNELS.get(kind, 0)
    if depth != DEPTH or not channels or interlaced or len(raw) != height * (width * channels + 1):
        raise Unreadable("it is of another form")
    return Picture(width, height, channels, tuple(_rows(raw, width * channels)))


def _chunks(data: bytes) -> Iterable[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        at += size + 12


def _rows(raw: bytes, length: int) -> Iterable[bytes]:
    """All bytes of a row are added to those above at once, as one large number with a spare bit for each."""
    low, high = int.from_bytes(b"\x7f" * length), int.from_bytes(b"\x80" * length)
    above = 0
    for at in range(0, len(raw), length + 1):
        row = int.from_bytes(raw[at + 1 : at + 1 + length])
        if raw[at] == UP:
            row = ((row & low) + (above & low)) ^ ((row ^ above) & high)
        elif raw[at] != NONE:
            raise Unreadable("its rows are written otherwise")
        above = row
        yield row.to_bytes(length)


def letters_show(with_letters: Picture, without: Picture, place: tuple[float, float, float, float]) -> bool:
    """Whether a place looks otherwise when its letters are taken away, so that a person would see it."""
    if (with_letters.width, with_letters.height) != (without.width, without.height):
        return False
    left, top = max(0, int(place[0])), max(0, int(place[1]))
    right, bottom = min(with_letters.width, int(place[2]) + 1), min(with_letters.height, int(place[3]) + 1)
    size = with_letters.channels
    for row in range(top, bottom):
        one = with_letters.rows[row][left * size : right * size]
        other = without.rows[row][left * size : right * size]
        if one != other:
            pairs = {(one[at : at + 3], other[at : at + 3]) for at in range(0, len(one), size)}
            if any(stands_out(*pair) for pair in pairs):
                return True
    return False


def stands_out(one: bytes, other: bytes) -> bool:
    """Whether two colours can be told apart, by their brightness or plainly by their hue."""
    return _ratio(one, other) >= LEAST_CONTRAST or max(abs(a - b) for a, b in zip(one, other, strict=True)) >= OTHER_HUE


def _ratio(one: bytes, other: bytes) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(pixel: bytes) -> float:
    red, green, blue = (_LINEAR[value] for value in pixel)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


_LINEAR = tuple(c / 12.92 if (c := n / 255) <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for n in range(256))
