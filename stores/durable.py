"""Files that appear whole or not at all, and a lock between processes. Parts of `stores.json_file`."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from contracts.errors import Unavailable


def write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


@contextmanager
def staged(path: Path, data: bytes) -> Iterator[Path]:
    """The bytes, durable, in a file beside the path that can be renamed to it; it goes when the block ends."""
    temporary = path.with_name(f"{path.name}.{os.urandom(6).hex()}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        # Held while the file is in use, so that `sweep` can tell it from one that a killed process left.
        fcntl.flock(fd, fcntl.LOCK_EX)
        write_all(fd, data)
        os.fsync(fd)
        yield temporary
    finally:
        os.close(fd)
        temporary.unlink(missing_ok=True)


def write_durably(path: Path, data: bytes) -> None:
    """Put a file there in one step: a reader sees the old one or the new one, whole."""
    with staged(path, data) as temporary:
        temporary.replace(path)
    sync_folder(path.parent)


def sweep(folder: Path, name: str) -> None:
    """Remove what killed processes left half written for files of that name."""
    for temporary in folder.glob(f"{name}.*.tmp"):
        with suppress(FileNotFoundError, BlockingIOError):
            fd = os.open(temporary, os.O_RDONLY | os.O_CLOEXEC)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                temporary.unlink()
            finally:
                os.close(fd)


def sync_folder(folder: Path) -> None:
    """Make names in a folder durable: a file that was synced can still be without its name after a power cut."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def free(path: Path) -> Path:
    """The path, or one like it with a number at its end where something is there already."""
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.name}-{number}")
    return candidate


class FileLock:
    """An flock on a file of its own. One thread at a time may use it, and may enter it again while inside."""

    def __init__(self, path: Path, *, shared: bool) -> None:
        """A shared one only reads: it makes no file, and where there is none it locks nothing."""
        self._path = path
        self._name = str(path)
        self._shared = shared
        self._fd = -1
        self._inode = 0
        self._depth = 0

    @property
    def held(self) -> bool:
        return self._depth > 0

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def acquire(self) -> None:
        """Raises Unavailable if there can be no lock."""
        while self._depth == 0:
            if self._fd < 0 and not self._open():
                break
            fcntl.flock(self._fd, fcntl.LOCK_SH if self._shared else fcntl.LOCK_EX)
            if self._current():
                break
            self.close()
        self._depth += 1

    def release(self) -> None:
        self._depth -= 1
        if self._depth == 0 and self._fd >= 0:
            fcntl.flock(self._fd, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _open(self) -> bool:
        flags = os.O_RDONLY if self._shared else os.O_RDWR | os.O_CREAT
        try:
            self._fd = os.open(self._path, flags | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if self._shared and isinstance(error, FileNotFoundError):
                return False
            raise Unavailable(f"The lock `{self._path}` could not be opened: {error.strerror}") from error
        self._inode = os.fstat(self._fd).st_ino
        return True

    def _current(self) -> bool:
        """Whether the locked file is still the one of that name; if someone removed it, others lock another."""
        try:
            return os.stat(self._name).st_ino == self._inode  # noqa: PTH116 - twice as quick, in every update
        except FileNotFoundError:
            return False
