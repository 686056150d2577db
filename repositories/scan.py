"""Finds out what is in a project's folder and writes it down as a snapshot's trees, reading only what changed.

A file counts as unchanged when its times, size, inode and mode are. Those can lie in two cases, and then the file is
read again: it was changed so shortly before it was read that a later change could bear the same time, or someone has it
open for writing, since a shared mapping can be written to without touching the times.
"""

import errno
import fcntl
import hashlib
import os
import signal
import stat
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from contracts.errors import NotFound
from contracts.files import Kind
from repositories.objects import ANY_LINK, Entry, Objects

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
DEEPEST = 512
LARGE = 8 << 20
SECOND = 1_000_000_000
TICK = SECOND // 50
"""Longer than the steps in which any kernel's clock for file times moves."""
TRIES = 3

Stamp = tuple[int, ...]
UNSETTLED: Stamp = ()
Wanted = dict[str, "Wanted"]


class Seen(NamedTuple):
    """A name in a folder as it was when last looked at."""

    stamp: Stamp
    entry: Entry


class Folder:
    """A folder as it was when last looked at."""

    __slots__ = ("below", "names", "tree", "uncovered")

    def __init__(self) -> None:
        self.names: dict[str, Seen] = {}
        self.below: dict[str, Folder] = {}
        self.tree: bytes | None = None
        self.uncovered = False
        """Whether it holds something that snapshots leave aside."""


class Gone(Exception):
    """It is not there any more, or has become something else."""


def stamp_of(st: os.stat_result) -> Stamp:
    return (st.st_ctime_ns, st.st_mtime_ns, st.st_size, st.st_ino, st.st_mode)


def settled(st: os.stat_result, now: int) -> bool:
    """Whether a change from `now` on is bound to show in the times."""
    coarse = st.st_ctime_ns % SECOND == 0
    return st.st_ctime_ns < now - (2 * SECOND if coarse else TICK)


def has_writer(fd: int) -> bool:
    """Whether anyone has the file open or mapped for writing; False where the system cannot tell."""
    try:
        # Whoever opens the file while the lease is held makes the kernel signal us: by one that is ignored by default.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


class Scanner:
    """Keeps what it saw of one project, so that looking again costs one `stat` a file."""

    def __init__(self, root: Path, objects: Objects, skip: frozenset[str]) -> None:
        self._root = root
        self._objects = objects
        self._skip = skip
        self._top = Folder()
        self._tells_writers: bool | None = None

    def scan(self) -> bytes:
        """The tree of all that is in the project now."""
        with _Opened(self._open_root()) as fd:
            return self._scan(fd, self._top, 0)

    def refresh(self, paths: Iterable[str]) -> bytes:
        """The tree of what was seen last, with only these paths looked at again."""
        wanted: Wanted = {}
        for path in paths:
            at = wanted
            for name in path.split("/"):
                at = at.setdefault(name, {})
        if self._top.tree is None:
            return self.scan()
        with _Opened(self._open_root()) as fd:
            return self._refresh(fd, self._top, wanted, 0)

    def holds_uncovered(self, path: str) -> bool:
        """Whether a folder holds something that snapshots leave aside."""
        folder: Folder | None = self._top
        for name in path.split("/"):
            folder = folder.below.get(name) if folder else None
        return folder is not None and folder.uncovered

    def _open_root(self) -> int:
        try:
            return os.open(self._root, FOLDER)
        except OSError as error:
            raise NotFound(f"The folder of the project `{self._root.name}` cannot be opened") from error

    def _scan(self, fd: int, folder: Folder, depth: int) -> bytes:
        known = folder.names
        now: dict[str, Seen] = {}
        folder.uncovered = False
        with os.scandir(fd) as items:
            for item in items:
                name = item.name
                try:
                    st = item.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                seen = known.get(name)
                if seen is not None and seen.stamp == (
                    st.st_ctime_ns,
                    st.st_mtime_ns,
                    st.st_size,
                    st.st_ino,
                    st.st_mode,
                ):
                    now[name] = seen
                elif (looked := self._look(fd, name, st, folder, depth)) is not None:
                    now[name] = looked
        for name in known.keys() - now.keys():
            folder.below.pop(name, None)
        return self._settle(folder, now)

    def _refresh(self, fd: int, folder: Folder, wanted: Wanted, depth: int) -> bytes:
        now = dict(folder.names)
        for name, deeper in wanted.items():
            looked = self._look_for(fd, name, folder, deeper, depth)
            if looked is not None:
                now[name] = looked
            else:
                now.pop(name, None)
                folder.below.pop(name, None)
        return self._settle(folder, now)

    def _look_for(self, fd: int, name: str, folder: Folder, deeper: Wanted, depth: int) -> Seen | None:
        try:
            st = os.stat(name, dir_fd=fd, follow_symlinks=False)
        except FileNotFoundError:
            return None
        below, seen = folder.below.get(name), folder.names.get(name)
        if not stat.S_ISDIR(st.st_mode) or below is None or seen is None or below.tree is None:
            return self._look(fd, name, st, folder, depth)
        tree = below.tree
        if deeper:
            try:
                child = _open(fd, name, FOLDER)
            except (Gone, PermissionError):
                return self._look(fd, name, st, folder, depth)
            with _Opened(child):
                tree = self._refresh(child, below, deeper, depth + 1)
        return Seen(UNSETTLED, Entry(Kind.DIRECTORY, stat.S_IMODE(st.st_mode), tree))

    @staticmethod
    def _differs(old: dict[str, Seen], new: dict[str, Seen]) -> bool:
        if len(old) != len(new):
            return True
        for name, seen in new.items():
            was = old.get(name)
            if was is not seen and (was is None or was.entry != seen.entry):
                return True
        return False

    def _settle(self, folder: Folder, now: dict[str, Seen]) -> bytes:
        if folder.tree is None or self._differs(folder.names, now):
            folder.tree = self._objects.write_folder({name: seen.entry for name, seen in now.items()})
        folder.names = now
        return folder.tree

    def _look(self, fd: int, name: str, st: os.stat_result, folder: Folder, depth: int) -> Seen | None:
        """What stands at a name, read anew; None if nothing is there that a snapshot holds."""
        for _ in range(TRIES):
            try:
                return self._read(fd, name, st, folder, depth)
            except Gone:
                try:
                    st = os.stat(name, dir_fd=fd, follow_symlinks=False)
                except FileNotFoundError:
                    return None
        return self._other(st, "unsteady")

    def _read(self, fd: int, name: str, st: os.stat_result, folder: Folder, depth: int) -> Seen | None:
        mode = st.st_mode
        if stat.S_ISREG(mode):
            folder.below.pop(name, None)
            return self._file(fd, name, st)
        if stat.S_ISDIR(mode):
            return self._folder(fd, name, st, folder, depth)
        folder.below.pop(name, None)
        if stat.S_ISLNK(mode):
            return self._link(fd, name, st)
        if stat.S_ISFIFO(mode):
            return Seen(UNSETTLED, Entry(Kind.FIFO, stat.S_IMODE(mode), self._objects.write_blob(b"")))
        return self._other(st, f"{stat.S_IFMT(mode):o} {st.st_rdev}")

    def _folder(self, fd: int, name: str, st: os.stat_result, folder: Folder, depth: int) -> Seen | None:
        if name in self._skip or (depth == 0 and name == ".git"):
            folder.uncovered = True
            return None
        if depth >= DEEPEST:
            return self._other(st, "too deep")
        try:
            child = _open(fd, name, FOLDER)
        except PermissionError:
            return self._other(st, "unreadable")
        with _Opened(child):
            mode = stat.S_IMODE(os.fstat(child).st_mode)
            below = folder.below.setdefault(name, Folder())
            return Seen(UNSETTLED, Entry(Kind.DIRECTORY, mode, self._scan(child, below, depth + 1)))

    def _file(self, fd: int, name: str, st: os.stat_result) -> Seen:
        try:
            opened = _open(fd, name, READ)
        except PermissionError:
            return self._other(st, f"unreadable {stamp_of(st)}")
        with _Opened(opened) as file:
            for last in range(TRIES - 1, -1, -1):
                now = time.time_ns()
                before = os.fstat(file)
                if not stat.S_ISREG(before.st_mode):
                    raise Gone
                quiet = settled(before, now) and not (self._can_tell_writers() and has_writer(file))
                oid = self._store(file, before.st_size)
                steady = stamp_of(os.fstat(file)) == stamp_of(before)
                if steady or not last:
                    break
            stamp = stamp_of(before) if quiet and steady else UNSETTLED
            return Seen(stamp, Entry(Kind.FILE, stat.S_IMODE(before.st_mode), oid))

    def _can_tell_writers(self) -> bool:
        """Some network file systems say of every file that it is being written to."""
        if self._tells_writers is None:
            with _Opened(os.open(self._root / ".git" / "HEAD", READ)) as file:
                self._tells_writers = not has_writer(file)
        return self._tells_writers

    def _store(self, fd: int, size: int) -> bytes:
        """The blob of an open file. To find that it is there already costs less than to write it again."""
        os.lseek(fd, 0, os.SEEK_SET)
        digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        with open(fd, "rb", closefd=False, buffering=0) as file:
            read, data = 0, b""
            while chunk := file.read(LARGE):
                digest.update(chunk)
                read, data = read + len(chunk), data + chunk if size <= LARGE else b""
            if read == size and self._objects.has(digest.digest()):
                return digest.digest()
            if size <= LARGE:
                return self._objects.write_blob(data)
            file.seek(0)
            return self._objects.repo.create_blob_fromiobase(file).raw

    def _link(self, fd: int, name: str, st: os.stat_result) -> Seen:
        now = time.time_ns()
        try:
            target = os.readlink(name, dir_fd=fd)
        except OSError as error:
            raise Gone from error
        stamp = stamp_of(st) if settled(st, now) else UNSETTLED
        return Seen(stamp, Entry(Kind.SYMLINK, ANY_LINK, self._objects.write_blob(os.fsencode(target))))

    def _other(self, st: os.stat_result, what: str) -> Seen:
        """Something that cannot be put back; it is noted so that its coming and going shows."""
        return Seen(UNSETTLED, Entry(Kind.OTHER, stat.S_IMODE(st.st_mode), self._objects.write_blob(what.encode())))


class _Opened:
    """A descriptor that is closed at the end."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def __enter__(self) -> int:
        return self._fd

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)


def _open(fd: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags, dir_fd=fd)
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO}:
            raise Gone from error
        raise
