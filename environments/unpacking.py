"""Puts on the disk what a sandbox sends, piece by piece, and lets nothing out of the one new folder it fills.

Each entry is a header of 15 bytes (kind, mode: 2, length of the path: 4, length of the data: 8), path and data. The
stream was written beside untrusted code and is believed in nothing. Links are made last, so nothing passes one.
"""

import errno
import os
import posixpath
import re
import stat
from pathlib import Path

from contracts.errors import AppError, BadInput, Failed, TooLarge
from contracts.paths import shown
from environments.base import Bounds
from sandboxes.base import MIB, Stream

HEADER = 15
FILE, LINK, END = b"F", b"L", b"E"
LONGEST_PATH, LONGEST_NAME = 4096, 255
READ_ONLY, RUNNABLE, FOLDER = 0o444, 0o555, 0o755
CLOSED_FOLDER = 0o555
HOSTILE = "It may be hostile: do not use it"
INNER = re.compile(r"(\.\./)*(?!\.\.?(/|$))[^/\0]+(/(?!\.\.?(/|$))[^/\0]+)*")
"""Up first and then down, so that no other link can bend it."""


class Unpacker:
    """Fed with standard output. The first thing that is wrong ends it; `check` says so."""

    def __init__(self, folder: Path, bounds: Bounds) -> None:
        self._folder = folder
        self._bounds = bounds
        self._held = b""
        self._file: int | None = None
        self._left = 0
        self._links: dict[str, str] = {}
        self._problem: AppError | None = None
        self.done = False
        self.size = 0
        self.count = 0

    def feed(self, stream: Stream, data: bytes) -> None:
        if stream != "stdout" or self._problem:
            return
        try:
            self._take(data)
        except AppError as error:
            self._problem = error
        except OSError as error:
            self._problem = disk_problem(error)

    def check(self) -> None:
        """Raises what was wrong."""
        if self._problem:
            raise self._problem

    def finish(self) -> None:
        """Make the links and close everything to writing; raises if the stream was wrong or ended early."""
        self.check()
        if not self.done:
            raise Failed("installing ended before all files were there", hint="Try again")
        try:
            places = [(self._place(path), target) for path, target in self._links.items()]
            for place, target in places:
                place.symlink_to(target)
            close_to_writing(self._folder)
        except OSError as error:
            raise disk_problem(error) from error

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _take(self, data: bytes) -> None:
        data, at = self._held + data, 0
        while at < len(data):
            if self._file is not None:
                at += self._write(memoryview(data)[at : at + self._left])
                continue
            if self.done:
                raise BadInput("a package sent something after its end", hint=HOSTILE)
            taken = self._begin(data, at)
            if not taken:
                break
            at += taken
        self._held = data[at:]

    def _write(self, piece: memoryview) -> int:
        size = len(piece)
        while self._file is not None and piece:
            piece = piece[os.write(self._file, piece) :]
        self._left -= size
        if not self._left:
            self.close()
        return size

    def _begin(self, data: bytes, at: int) -> int:
        """Take one header and say how long it was; 0 if it is not whole yet."""
        head = data[at : at + HEADER]
        length, size = int.from_bytes(head[3:7]), int.from_bytes(head[7:])
        text_length = size if head[:1] == LINK else 0
        if length > LONGEST_PATH or text_length > LONGEST_PATH:
            raise BadInput("a package has a path that is too long", hint=HOSTILE)
        start, end = at + HEADER + length, at + HEADER + length + text_length
        if len(head) < HEADER or len(data) < end:
            return 0
        path = os.fsdecode(data[at + HEADER : start])
        self._accept(head[:1], int.from_bytes(head[1:3]), path, size, data[start:end])
        return end - at

    def _accept(self, kind: bytes, mode: int, path: str, size: int, text: bytes) -> None:
        if kind == END:
            self.done = True
            return
        self.count += 1
        self.size += size
        if self.count > self._bounds.files or self.size > self._bounds.installed:
            raise too_large(self._bounds)
        if kind == FILE:
            self._open(path, mode, size)
        elif kind == LINK:
            self._links[path] = _inner_target(path, os.fsdecode(text))
        else:
            raise BadInput("a package holds something that is no file", hint=HOSTILE)

    def _open(self, path: str, mode: int, size: int) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        self._file = os.open(self._place(path), flags, RUNNABLE if mode & 0o111 else READ_ONLY)
        os.fchmod(self._file, RUNNABLE if mode & 0o111 else READ_ONLY)
        self._left = size
        if not size:
            self.close()

    def _place(self, path: str) -> Path:
        """Where it goes, with the folders above it. Raises BadInput for a path that leads out."""
        check_relative(path)
        place = self._folder / path
        place.parent.mkdir(mode=FOLDER, parents=True, exist_ok=True)
        return place


def check_relative(path: str) -> None:
    parts = path.split("/")
    if not {"", ".", ".."}.isdisjoint(parts) or "\0" in path or any(len(os.fsencode(p)) > LONGEST_NAME for p in parts):
        raise BadInput(
            f"a package wants to write `{shown(path)}`, which is not inside its folder",
            hint=HOSTILE,
        )


def _inner_target(path: str, target: str) -> str:
    """The target, unless it leads out of the folder."""
    end = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if not INNER.fullmatch(target) or end == ".." or end.startswith("../"):
        raise BadInput(f"a package has a link that leads out: `{shown(path)}`", hint=HOSTILE)
    return target


def put(path: Path, text: str, mode: int = READ_ONLY) -> None:
    """A file of the service's own beside the packages, which everyone may read."""
    path.write_text(text, "utf-8")
    path.chmod(mode)


def close_to_writing(folder: Path) -> None:
    """Nothing below it can be changed any more, and everyone may read it."""
    for here, folders, _ in os.walk(folder, topdown=False):
        for name in folders:
            place = Path(here, name)
            if not place.is_symlink():
                place.chmod(CLOSED_FOLDER)
    folder.chmod(CLOSED_FOLDER)


def open_to_removal(folder: Path) -> None:
    """Undo `close_to_writing`, for a service that is not root and wants to delete it."""
    for here, folders, _ in os.walk(folder):
        for name in folders:
            place = Path(here, name)
            if not place.is_symlink() and not stat.S_IMODE(place.stat().st_mode) & 0o200:
                place.chmod(0o700)


def too_large(bounds: Bounds) -> TooLarge:
    return TooLarge(
        f"the packages take more than the {bounds.installed // MIB} MiB or {bounds.files} files that are allowed",
        hint="Ask for fewer or smaller packages",
    )


def disk_problem(error: OSError) -> AppError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return Failed("there is no room on the disk for the packages", hint="Free some space and try again")
    if error.errno == errno.EEXIST:
        return BadInput("a package writes the same file twice", hint=HOSTILE)
    return Failed(f"the packages could not be written: {error.strerror}", hint="Try again")
