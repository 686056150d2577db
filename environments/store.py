"""Where environments live on the disk: found by key, built aside, put in place by one rename, shared under a lock.

Anyone may pass through the folder and nobody may list it, since the sandbox's user has to read what is below. What a
killed service leaves is a name that is not in place: the next one to take the key's lock throws it away.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from contracts.errors import Failed
from environments.base import Pruned
from environments.unpacking import CLOSED_FOLDER, disk_problem, open_to_removal
from sandboxes.base import Tick

READY: Final = "ready"
DOWNLOADS: Final = "downloads"
BUILDING, FETCHING, CACHE, LOCKS = "building", "fetching", "cache", "locks"
PASSABLE, PRIVATE, READABLE = 0o711, 0o700, 0o755
PAUSE = 0.1
DAY = 86_400.0
Place = Literal["ready", "downloads"]
ASIDE = {READY: BUILDING, DOWNLOADS: FETCHING}


@dataclass(frozen=True, slots=True)
class Making:
    """A folder that is being filled."""

    folder: Path
    publish: Callable[[], None]
    """Put it in its place, whole."""


class Store:
    """Threads and processes may share it."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def _make(self) -> None:
        try:
            for name, mode in (
                ("", PASSABLE),
                (READY, PASSABLE),
                (DOWNLOADS, PASSABLE),
                (BUILDING, PRIVATE),
                (FETCHING, PASSABLE),
                (CACHE, PRIVATE),
                (LOCKS, PRIVATE),
            ):
                folder = self._root / name
                folder.mkdir(parents=True, exist_ok=True)
                folder.chmod(mode)
        except OSError as error:
            raise Failed(
                f"`{self._root}` cannot be used for packages: {error.strerror}",
                hint="Name another folder, or make room",
            ) from error

    def cache(self, name: str) -> Path:
        return self._root / CACHE / name

    def place(self, key: str, where: Place = READY) -> Path:
        """Where it is or would be."""
        return self._root / where / key

    def find(self, key: str) -> Path | None:
        """Where the environment is, if it has been built; from now on it counts as used."""
        place = self.place(key)
        if not place.exists():
            return None
        with self.locked(key, shared=True):
            try:
                os.utime(place)
            except FileNotFoundError:
                return None
        return place

    @contextmanager
    def locked(self, key: str, tick: Tick | None = None, *, shared: bool = False) -> Iterator[None]:
        """Nobody else builds, fetches or removes this key meanwhile. Waits for its turn."""
        path = self._root / LOCKS / key
        how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        while True:
            handle = self._open_lock(path)
            try:
                _wait_for(handle, how, tick)
                if _is_still(path, handle):
                    yield
                    return
            finally:
                fcntl.flock(handle, fcntl.LOCK_UN)  # a program that is being started may have a copy of it
                os.close(handle)

    def _open_lock(self, path: Path) -> int:
        """Makes the store at its first use; raises Failed where that cannot be."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        try:
            return os.open(path, flags, 0o600)
        except (FileNotFoundError, NotADirectoryError):
            self._make()
        return os.open(path, flags, 0o600)

    @contextmanager
    def making(self, key: str, where: Place = READY) -> Iterator["Making"]:
        """A new folder that vanishes when the block ends, unless it was published. Needs the lock."""
        aside = self._root / ASIDE[where]
        try:
            for left in aside.glob(f"{key}.*"):
                remove(left)
            folder = Path(tempfile.mkdtemp(prefix=f"{key}.", dir=aside))
            folder.chmod(READABLE)
            try:
                yield Making(folder, lambda: self._publish(folder, self.place(key, where)))
            finally:
                remove(folder)
        except OSError as error:
            raise disk_problem(error) from error

    def _publish(self, folder: Path, place: Path) -> None:
        self._discard(place)
        folder.rename(place)
        if place.parent.name == READY:
            place.chmod(CLOSED_FOLDER)

    def forget(self, key: str, where: Place = READY) -> None:
        """Needs the lock."""
        self._discard(self.place(key, where))

    def _discard(self, place: Path) -> None:
        """Out of its place first: what is in place is whole."""
        with suppress(FileNotFoundError):
            place.chmod(PRIVATE)
            bin_folder = Path(tempfile.mkdtemp(prefix=f"{place.name}.", dir=self._root / BUILDING))
            remove(place.rename(bin_folder / "gone"))
            remove(bin_folder)

    def prune(self, days: float, keep: Collection[str] = ()) -> Pruned:
        """Remove what was not used for so long, leftovers of killed services among it; `keep` names what stays."""
        oldest = time.time() - days * DAY
        count = size = 0
        for place in [*(self._root / READY).glob("*"), *(self._root / DOWNLOADS).glob("*")]:
            if place.name not in keep and (freed := self._prune_one(place, oldest)):
                count += place.parent.name == READY
                size += freed
        for aside in (BUILDING, FETCHING):
            for left in (self._root / aside).glob("*"):
                size += self._prune_one(left, oldest)
        return Pruned(count, size + _prune_cache(self._root / CACHE, oldest))

    def _prune_one(self, place: Path, oldest: float) -> int:
        """What is being built or fetched right now is left alone."""
        key = place.name.partition(".")[0]
        with suppress(FileNotFoundError, BlockingIOError), self.locked(key, _never_wait):
            if place.stat().st_mtime < oldest:
                size = folder_size(place)
                self._discard(place)
                if not any(self.place(key, where).exists() for where in (READY, DOWNLOADS)):
                    (self._root / LOCKS / key).unlink(missing_ok=True)
                return size
        return 0


def _wait_for(handle: int, how: int, tick: Tick | None) -> None:
    if tick is None:
        fcntl.flock(handle, how)
        return
    while True:
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            tick()
            time.sleep(PAUSE)


def _never_wait() -> None:
    raise BlockingIOError


def _is_still(path: Path, handle: int) -> bool:
    """False if the lock's file was removed while we waited for it: another one counts now."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def remove(folder: Path) -> None:
    """Delete a folder, closed to writing or not; nothing if it is not there."""
    with suppress(FileNotFoundError):
        folder.chmod(PRIVATE)
        open_to_removal(folder)
        shutil.rmtree(folder)


def folder_size(folder: Path) -> int:
    """Bytes of all files below it; what vanishes meanwhile does not count."""
    total, waiting = 0, [str(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    with suppress(FileNotFoundError):
                        total += entry.stat(follow_symlinks=False).st_size
    return total


def _prune_cache(folder: Path, oldest: float) -> int:
    freed = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            status = path.lstat()
            if not path.is_dir() and status.st_mtime < oldest:
                path.unlink()
                freed += status.st_size
    return freed
