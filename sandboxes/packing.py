"""Files on their way into a sandbox and back, as one stream that shares no folder with it.

Each entry is a header of 15 bytes (kind, mode: 2, length of the path: 4, length of the data: 8), path and data. What
comes back was written by untrusted code: it is taken apart here, within caps, and never touches the disk.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from contracts.errors import BadInput, NotFound, TooLarge
from contracts.files import Draft, Kind
from contracts.paths import check_name, shown
from sandboxes.base import File, FilesIn, LeftOut, Link, Tree

HEADER = 15
FILE, FOLDER, LINK, END = b"F", b"D", b"L", b"E"
HELLO, REFUSED, STARTED, REPORT, REMOVED, SKIPPED = b"H", b"U", b"G", b"R", b"X", b"S"
LONGEST_PATH = 4096
LONGEST_NOTE = 65_536
USUAL_MODE = 0o644
READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
LISTING = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC


def entry(kind: bytes, path: str = "", data: bytes = b"", mode: int = 0) -> bytes:
    """One entry as bytes."""
    name = os.fsencode(path)
    return b"".join((kind, mode.to_bytes(2), len(name).to_bytes(4), len(data).to_bytes(8), name, data))


def pack(files: FilesIn, also: Mapping[str, bytes | Link], room: int, names: set[str]) -> Iterator[bytes]:
    """The stream for these files; the paths of the first are added to `names` as they go.

    Raises TooLarge when they exceed the room, BadInput when they cannot be read.
    """
    total = 0
    for piece in _entries(files, room):
        names.add(os.fsdecode(piece[HEADER : HEADER + int.from_bytes(piece[3:7])]))
        total += len(piece)
        if total > room:
            raise TooLarge(
                f"the files do not fit into the {room // (1024 * 1024)} MiB that a run may use",
                hint="Leave out large folders, or raise the disk limit",
            )
        yield piece
    for path, content in also.items():
        yield (
            entry(LINK, path, os.fsencode(content.target))
            if isinstance(content, Link)
            else entry(FILE, path, content, USUAL_MODE)
        )
    yield entry(END)


def _entries(files: FilesIn, room: int) -> Iterator[bytes]:
    if isinstance(files, Tree):
        yield from _from_tree(files, room)
    elif isinstance(files, Mapping):
        yield from _from_mapping(files)
    else:
        yield from _from_draft(files)


def _from_mapping(files: Mapping[str, bytes | File]) -> Iterator[bytes]:
    for path, content in files.items():
        file = content if isinstance(content, File) else File(content)
        if problem := _unsafe(path):
            raise BadInput(f"`{shown(path)}` cannot be put into a sandbox: {problem}")
        yield entry(FILE, path, file.data, file.mode)


def _from_draft(draft: Draft) -> Iterator[bytes]:
    for path, node in draft.children("", recursive=True):
        if node.kind is Kind.DIRECTORY:
            yield entry(FOLDER, path, mode=node.mode)
        elif node.kind is Kind.FILE:
            yield entry(FILE, path, draft.read(path), node.mode)


def _from_tree(tree: Tree, room: int) -> Iterator[bytes]:
    try:
        folder = os.open(tree.root, LISTING & ~os.O_NOFOLLOW)
    except OSError as error:
        raise NotFound(f"the folder `{tree.root.name}` cannot be opened: {error.strerror}") from error
    yield from _walk(folder, "", tree.exclude, room)


def _walk(folder: int, prefix: str, exclude: frozenset[str], room: int) -> Iterator[bytes]:
    """Everything below an open folder, which it closes. Each step is relative to a folder that is held open."""
    try:
        with os.scandir(folder) as listing:
            names = sorted(item.name for item in listing)
        for name in names:
            if name not in exclude:
                yield from _node(folder, name, prefix + name, exclude, room)
    finally:
        os.close(folder)


def _node(folder: int, name: str, path: str, exclude: frozenset[str], room: int) -> Iterator[bytes]:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            yield entry(LINK, path, os.fsencode(os.readlink(name, dir_fd=folder)))
        elif stat.S_ISDIR(status.st_mode):
            below = os.open(name, LISTING, dir_fd=folder)
            yield entry(FOLDER, path, mode=stat.S_IMODE(status.st_mode))
            yield from _walk(below, path + "/", exclude, room)
        elif stat.S_ISREG(status.st_mode):
            yield entry(FILE, path, _content(folder, name, room), stat.S_IMODE(status.st_mode))
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadInput(f"`{shown(path)}` cannot be read: {error.strerror}") from error


def _content(folder: int, name: str, room: int) -> bytes:
    handle = os.open(name, READING, dir_fd=folder)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return b""
        return file.read(room + 1)


def _unsafe(path: str) -> str:
    """Why a path may not be used, or nothing."""
    if not path or len(path) > LONGEST_PATH:
        return "its path is empty or too long"
    try:
        for name in path.split("/"):
            check_name(name)
    except ValueError as error:
        return str(error)
    return ""


class Malformed(ValueError):
    """The stream is not what the launcher writes: the job has taken it over."""


class Unpacker:
    """Takes apart, piece by piece, what a sandbox sends back, and keeps no more than the caps allow."""

    def __init__(self, max_bytes: int, max_files: int) -> None:
        self.started = False
        self.done = False
        self.refused = ""
        self.report: bytes | None = None
        self.files: dict[str, File] = {}
        self.removed: list[str] = []
        self.left_out: list[LeftOut] = []
        self._room = max_bytes
        self._count = 2 * max_files + 16
        self._buffer = bytearray()
        self._folders: set[str] = set()

    def feed(self, data: bytes) -> None:
        """Raises Malformed on anything that the launcher does not send."""
        self._buffer += data
        while not self.done and self._take():
            pass

    def _take(self) -> bool:
        if len(self._buffer) < HEADER:
            return False
        head = bytes(self._buffer[:HEADER])
        path_length, size = int.from_bytes(head[3:7]), int.from_bytes(head[7:15])
        limit = self._room if head[:1] == FILE else LONGEST_NOTE
        if path_length > LONGEST_PATH or size > limit:
            raise Malformed
        end = HEADER + path_length + size
        if len(self._buffer) < end:
            return False
        path = os.fsdecode(bytes(self._buffer[HEADER : HEADER + path_length]))
        data = bytes(self._buffer[HEADER + path_length : end])
        del self._buffer[:end]
        self._accept(head[:1], int.from_bytes(head[1:3]), path, data)
        return True

    def _accept(self, kind: bytes, mode: int, path: str, data: bytes) -> None:
        self._count -= 1
        if self._count < 0:
            raise Malformed
        if kind == STARTED:
            self.started = True
        elif kind == REFUSED:
            self.refused, self.done = data.decode(errors="replace"), True
        elif kind == REPORT:
            self.report = data
        elif kind == END:
            self.done = True
        else:
            self._accept_path(kind, mode, path, data)

    def _accept_path(self, kind: bytes, mode: int, path: str, data: bytes) -> None:
        if problem := _unsafe(path) or self._clash(path):
            self.left_out.append(LeftOut(shown(path), problem))
        elif kind == FILE:
            self._room -= len(data)
            self._folders.update(map(str, PurePosixPath(path).parents))
            self.files[path] = File(data, mode & 0o777)
        elif kind == REMOVED:
            self.removed.append(path)
        elif kind == SKIPPED:
            self.left_out.append(LeftOut(shown(path), data.decode(errors="replace")))
        else:
            raise Malformed

    def _clash(self, path: str) -> str:
        """A file cannot also be a folder of another; only a forged stream says so."""
        above = map(str, PurePosixPath(path).parents)
        if path in self.files or path in self._folders or any(folder in self.files for folder in above):
            return "it is there twice"
        return ""
