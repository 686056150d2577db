"""Projects as zip files: written as a stream, and taken in only when every entry has passed every check."""

import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import BinaryIO

from contracts.errors import AppError, BadInput, TooLarge, UnsafePath
from contracts.files import Kind, Node
from contracts.paths import check_path, fold, shown

CHUNK = 256 * 1024
SMALL = 2**20
"""Below this an entry may be as repetitive as it likes."""
BEGINNING_OF_TIME = (1980, 1, 1, 0, 0, 0)
"""Every entry's date, so that the same files always give the same archive."""
UNIX = 3
ENCRYPTED = 0x1
SAMPLES = frozenset({".env.example", ".env.sample", ".env.template"})


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    files: int
    total_bytes: int
    ratio: float


@dataclass(frozen=True, slots=True)
class Entry:
    """One file or folder of an archive, after all checks. Can be read as long as the archive's file is open."""

    path: str
    node: Node
    info: zipfile.ZipInfo
    archive: zipfile.ZipFile

    def read(self) -> bytes:
        """The bytes of the file. Raises BadInput if they are not what the archive says."""
        try:
            with self.archive.open(self.info) as source:
                data = source.read(self.node.size + 1)
        except (zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error, OSError) as error:
            raise _damaged(self.path) from error
        if len(data) != self.node.size:
            raise _damaged(self.path)
        return data


def read_archive(file: BinaryIO, limits: ArchiveLimits) -> list[Entry]:
    """What is in the archive, sorted by path. Raises BadInput, UnsafePath or TooLarge if any entry is not fit."""
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise BadInput("This is not a zip file that can be read", hint="Pack the files into a `.zip` again") from error
    infos = archive.infolist()
    if len(infos) > limits.files:
        raise TooLarge(f"The archive has {len(infos):,} entries; {limits.files:,} are allowed")
    total = sum(info.file_size for info in infos)
    if total > limits.total_bytes:
        raise TooLarge(f"The archive unpacks to {total:,} bytes; {limits.total_bytes:,} are allowed")
    entries = sorted((_entry(archive, info, limits) for info in infos), key=lambda entry: entry.path)
    _no_clashes(entries)
    return entries


def _damaged(path: str) -> AppError:
    return BadInput(f"`{shown(path)}` in the archive is damaged", hint="Pack the files into a `.zip` again")


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limits: ArchiveLimits) -> Entry:
    name = shown(info.orig_filename)
    try:
        path = check_path(info.orig_filename)
    except ValueError as error:
        raise UnsafePath(f"`{name}` in the archive cannot be taken in: {error}") from error
    kind, mode = _kind(info, name)
    if info.flag_bits & ENCRYPTED:
        raise BadInput(f"`{name}` in the archive is encrypted", hint="Pack it without a password")
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise BadInput(f"`{name}` is packed in an unusual way", hint="Use ordinary zip compression")
    if info.file_size > max(SMALL, limits.ratio * info.compress_size):
        raise TooLarge(
            f"`{name}` in the archive grows more than {limits.ratio:,.0f} times when it is unpacked",
            hint="This is how archives are made that fill a disk; leave that file out",
        )
    return Entry(path, Node(kind, mode, info.file_size), info, archive)


def _kind(info: zipfile.ZipInfo, name: str) -> tuple[Kind, int]:
    """An entry made on Unix says what it is and its permissions; others are plain files and folders."""
    unix = info.external_attr >> 16 if info.create_system == UNIX else 0
    sort = stat.S_IFMT(unix)
    if sort not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise UnsafePath(f"`{name}` in the archive is a link or a special file", hint="Pack plain files and folders")
    if info.is_dir() != (sort == stat.S_IFDIR) and sort:
        raise UnsafePath(f"`{name}` in the archive claims to be both a file and a folder")
    executable = bool(unix & stat.S_IXUSR)
    if info.is_dir():
        return Kind.DIRECTORY, 0o755
    return Kind.FILE, 0o755 if executable else 0o644


def _no_clashes(entries: list[Entry]) -> None:
    """No path twice, none that differs only in case, and no file where another entry needs a folder."""
    seen: dict[str, Entry] = {}
    for entry in entries:
        twin = seen.setdefault(fold(entry.path), entry)
        if twin is not entry:
            raise BadInput(f"The archive has both `{shown(twin.path)}` and `{shown(entry.path)}`")
    for entry in entries:
        parts = fold(entry.path).split("/")
        for end in range(1, len(parts)):
            above = seen.get("/".join(parts[:end]))
            if above is not None and (above.node.kind is not Kind.DIRECTORY or not _below(entry.path, above.path)):
                raise BadInput(f"The archive has both `{shown(above.path)}` and `{shown(entry.path)}`")


def _below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")


def pack(
    nodes: Iterable[tuple[str, Node]], open_file: Callable[[str], BinaryIO], left_out: frozenset[str]
) -> Iterator[bytes]:
    """A project as a zip file, piece by piece, without secrets files and the folders left out."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, node in nodes:
            if not _packed(path, left_out):
                continue
            if node.kind is Kind.DIRECTORY:
                archive.writestr(_info(f"{path}/", stat.S_IFDIR | node.mode), b"")
            elif node.kind is Kind.FILE:
                yield from _pack_file(archive, sink, path, node, open_file)
            yield sink.taken()
    yield sink.taken()


def _pack_file(
    archive: zipfile.ZipFile, sink: "_Sink", path: str, node: Node, open_file: Callable[[str], BinaryIO]
) -> Iterator[bytes]:
    try:
        file = open_file(path)
    except AppError:
        return  # it went away while the archive was being made
    info = _info(path, stat.S_IFREG | node.mode)
    with closing(file), archive.open(info, "w", force_zip64=node.size > 2**30) as target:
        while data := file.read(CHUNK):
            target.write(data)
            yield sink.taken()


def _packed(path: str, left_out: frozenset[str]) -> bool:
    parts = path.split("/")
    name = parts[-1]
    secret = name == ".env" or (name.startswith(".env.") and name not in SAMPLES)
    return not secret and left_out.isdisjoint(parts)


def _info(path: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(path, BEGINNING_OF_TIME)
    info.create_system = UNIX
    info.external_attr = mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


class _Sink(io.RawIOBase):
    """Where the zip writer writes: a buffer that is emptied again and again."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        self._pieces.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
