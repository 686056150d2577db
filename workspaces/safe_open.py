"""Resolves paths inside one folder that is held open, so that no symlink and no late swap can lead out of it."""

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import NamedTuple

from contracts.errors import AppError, Conflict, Failed, NotFound, UnsafePath
from contracts.files import Kind, Node, Stamp
from contracts.paths import shown

OPENAT2 = 437
RENAMEAT2 = {"x86_64": 316, "aarch64": 276}
RENAME_NOREPLACE = 1
RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH = 0x02, 0x04, 0x08
LONGEST = 1000
"""Characters of a path, at most four bytes each, that one system call surely takes."""
STAND_IN = getattr(os, "O_PATH", os.O_RDONLY)
FOLDER = STAND_IN | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
LISTING = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
READING = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
NO_LINKS = "Links are not followed; name the file itself, or delete the link"
KINDS = {
    stat.S_IFREG: Kind.FILE,
    stat.S_IFDIR: Kind.DIRECTORY,
    stat.S_IFLNK: Kind.SYMLINK,
    stat.S_IFIFO: Kind.FIFO,
}
WORDS: dict[int, tuple[type[AppError], str, str]] = {
    errno.ELOOP: (UnsafePath, "{} is a symbolic link or lies behind one", NO_LINKS),
    errno.EXDEV: (UnsafePath, "{} lies on another disk than the project", "Files change on the project's own disk"),
    errno.ENAMETOOLONG: (UnsafePath, "{} is too long for this file system", "Use shorter names"),
    errno.ENOENT: (NotFound, "there is no {} in this project", ""),
    errno.ENOTDIR: (NotFound, "there is no {} in this project", ""),
    errno.EISDIR: (Conflict, "{} is a folder, not a file", ""),
    errno.EEXIST: (Conflict, "something else appeared at {} in the meantime", "Try again"),
    errno.ENOTEMPTY: (Conflict, "something else appeared in {} in the meantime", "Try again"),
    errno.ENOSPC: (Failed, "there is no room on the disk for {}", "Free some space and try again"),
    errno.EDQUOT: (Failed, "there is no room on the disk for {}", "Free some space and try again"),
    errno.EFBIG: (Failed, "{} is larger than this system allows a file to be", ""),
    errno.EACCES: (Failed, "the system denies access to {}", "Check who owns it and its permissions"),
    errno.EPERM: (Failed, "the system denies access to {}", "Check who owns it and its permissions"),
    errno.EROFS: (Failed, "{} lies on a disk that can only be read", "Make the disk writable and try again"),
}


class Found(NamedTuple):
    """What stands at a path on the disk."""

    node: Node
    stamp: Stamp

    @classmethod
    def of(cls, status: os.stat_result) -> "Found":
        kind = KINDS.get(stat.S_IFMT(status.st_mode), Kind.OTHER)
        size = status.st_size if kind is Kind.FILE or kind is Kind.SYMLINK else 0
        node = Node(kind, stat.S_IMODE(status.st_mode), size)
        return cls(node, Stamp(status.st_ino, status.st_mtime_ns, status.st_ctime_ns))


def check_inside(path: str) -> None:
    """Raises UnsafePath unless every part of the path is a plain name."""
    if path and not {"", ".", ".."}.isdisjoint(path.split("/")):
        raise UnsafePath(
            f"`{shown(path)}` does not stay inside the project", hint="Use a path such as `src/app.py`, without `..`"
        )
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise UnsafePath(f"`{shown(path)}` is not a name that a file can have", hint="Use ordinary letters")


def in_words(error: OSError, path: str) -> AppError:
    """What the system's error means for whoever asked."""
    name = f"`{shown(path)}`" if path else "the project's folder"
    number = error.errno or 0
    kind, words, hint = WORDS.get(number, (Failed, f"{{}} could not be reached: {os.strerror(number)}", ""))
    words = words.format(name)
    return kind(words[0].upper() + words[1:], hint=hint)


@contextmanager
def speaking_of(path: str) -> Iterator[None]:
    """Turns the system's errors about a path into plain words."""
    try:
        yield
    except OSError as error:
        raise in_words(error, path) from error


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


class Kernel:
    """The two system calls that Python lacks, each with a slower way for systems without it."""

    def __init__(self, *, strict_open: bool = True) -> None:
        linux = sys.platform == "linux" and sys.maxsize > 2**32
        self._rename = RENAMEAT2.get(os.uname().machine) if strict_open and linux else None
        self._syscall = ctypes.CDLL(None, use_errno=True).syscall
        self.strict = self._rename is not None and self._has_openat2()

    def _has_openat2(self) -> bool:
        """False also where a container's filter refuses the call."""
        try:
            os.close(self._openat2(-100, ".", FOLDER))
        except OSError as error:
            return error.errno not in {errno.ENOSYS, errno.EPERM, errno.EINVAL}
        return True

    def _call(self, number: int, *args: object) -> int:
        while (result := int(self._syscall(ctypes.c_long(number), *args))) < 0:
            code = ctypes.get_errno()
            if code != errno.EINTR:
                raise OSError(code, os.strerror(code))
        return result

    def _openat2(self, at: int, path: str, flags: int) -> int:
        how = _How(flags, 0, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS)
        name = ctypes.c_char_p(os.fsencode(path))
        return self._call(OPENAT2, ctypes.c_int(at), name, ctypes.byref(how), ctypes.c_size_t(ctypes.sizeof(how)))

    def open(self, at: int, path: str, flags: int) -> int:
        """Open an existing path below the folder `at`; ELOOP if any part of it is a symlink."""
        if self.strict and len(path) <= LONGEST:
            return self._openat2(at, path or ".", flags)
        if not path:
            return os.open(".", flags, dir_fd=at)
        *folders, last = path.split("/")
        here = at
        try:
            for name in folders:
                below = self._step(here, name, FOLDER)
                if here != at:
                    os.close(here)
                here = below
            return self._step(here, last, flags)
        finally:
            if here != at:
                os.close(here)

    @staticmethod
    def _step(at: int, name: str, flags: int) -> int:
        try:
            return os.open(name, flags, dir_fd=at)
        except NotADirectoryError:
            if stat.S_ISLNK(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
            raise

    def rename_new(self, source_at: int, source: str, target_at: int, target: str) -> None:
        """Rename to a name that nothing has; EEXIST otherwise."""
        if self._rename is not None:
            names = (ctypes.c_char_p(os.fsencode(source)), ctypes.c_char_p(os.fsencode(target)))
            ends = (ctypes.c_int(source_at), names[0], ctypes.c_int(target_at), names[1])
            try:
                self._call(self._rename, *ends, ctypes.c_uint(RENAME_NOREPLACE))
                return
            except OSError as error:
                if error.errno not in {errno.EINVAL, errno.ENOSYS}:
                    raise
        with suppress(FileNotFoundError):
            os.stat(target, dir_fd=target_at, follow_symlinks=False)
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        os.rename(source, target, src_dir_fd=source_at, dst_dir_fd=target_at)


class Folder:
    """A folder held open. Paths are relative and `/`-separated; `` is the folder itself."""

    def __init__(self, fd: int, kernel: Kernel) -> None:
        self.fd = fd
        self.kernel = kernel

    def __enter__(self) -> "Folder":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        os.close(self.fd)

    def folder(self, path: str, flags: int = FOLDER) -> "Folder":
        """A folder below this one; raises OSError."""
        return Folder(self.kernel.open(self.fd, path, flags), self.kernel)

    def stat(self, path: str) -> os.stat_result:
        """What stands at the path itself, unfollowed; raises OSError."""
        parent, _, name = path.rpartition("/")
        if not parent:
            return os.stat(name or ".", dir_fd=self.fd, follow_symlinks=False)
        with self.folder(parent) as folder:
            return os.stat(name, dir_fd=folder.fd, follow_symlinks=False)

    def look(self, path: str) -> Found | None:
        """What stands at the path, or None; UnsafePath if a symlink is in the way."""
        check_inside(path)
        try:
            return Found.of(self.stat(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise in_words(error, path) from error

    def names(self, path: str) -> list[str]:
        """The names in a folder, in no order; empty if it is gone or is no folder."""
        with self._listing(path) as fd:
            return [] if fd is None else os.listdir(fd)  # noqa: PTH208 - a descriptor, not a path

    def scan(self, path: str) -> list[tuple[str, Found]]:
        """The names in a folder with what they are, in no order; empty if it is gone or is no folder."""
        with self._listing(path) as fd:
            if fd is None:
                return []
            with os.scandir(fd) as entries:
                return [(entry.name, found) for entry in entries if (found := _unless_gone(entry))]

    @contextmanager
    def _listing(self, path: str) -> Iterator[int | None]:
        check_inside(path)
        with speaking_of(path):
            try:
                folder = self.folder(path, LISTING)
            except (FileNotFoundError, NotADirectoryError):
                yield None
                return
            with folder:
                yield folder.fd

    def open_file(self, path: str) -> int:
        """A descriptor of a regular file for reading."""
        check_inside(path)
        with speaking_of(path):
            try:
                fd = self.kernel.open(self.fd, path, READING)
            except OSError as error:
                if error.errno != errno.ENXIO:
                    raise
                raise not_plain(path) from error
        if stat.S_ISREG(os.fstat(fd).st_mode):
            return fd
        os.close(fd)
        raise not_plain(path)

    def read(self, path: str) -> bytes:
        """The bytes of a regular file."""
        with os.fdopen(self.open_file(path), "rb") as file, speaking_of(path):
            return file.read()

    def read_link(self, path: str) -> bytes:
        """Where a symlink points."""
        check_inside(path)
        parent, _, name = path.rpartition("/")
        with speaking_of(path), self.folder(parent) as folder:
            return os.fsencode(os.readlink(name, dir_fd=folder.fd))


class Nowhere(Folder):
    """The folder of a project that is still to be made: it is empty."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(-1, kernel)

    def close(self) -> None:
        pass

    def look(self, path: str) -> Found | None:
        check_inside(path)
        return None if path else Found(Node(Kind.DIRECTORY, 0o755, 0), Stamp(0, 0, 0))

    def names(self, path: str) -> list[str]:
        return []

    def scan(self, path: str) -> list[tuple[str, Found]]:
        return []


def _unless_gone(entry: os.DirEntry[str]) -> Found | None:
    try:
        return Found.of(entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return None


def not_plain(path: str) -> UnsafePath:
    return UnsafePath(f"`{shown(path)}` is not an ordinary file", hint="Only ordinary files are read and written")
