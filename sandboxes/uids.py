"""The users as which jobs run: as root, numbers that no account has; otherwise the service's own."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandboxes.processes import end_all_of, users_with_processes

FIRST = 2_000_000_000
COUNT = 256
LOCKS = Path("/run/task-agent-users")
PATIENCE = 0.5
OTHERS = 1024
"""Numbers that are left for other sandboxes before those of owners begin."""
OWNERS = 4096


def highest_mapped(uid_map: str) -> int:
    """The largest user number that exists here, from the text of /proc/self/uid_map."""
    return max((int(first) + int(count) - 1 for first, _, count in map(str.split, uid_map.splitlines())), default=0)


def data_owners() -> range:
    """Numbers for the owners of folders that outlive their jobs. `Uids` hands none of them out."""
    highest = highest_mapped(Path("/proc/self/uid_map").read_text())
    first = min(FIRST + COUNT + OTHERS, highest - COUNT - OTHERS - OWNERS)
    return range(max(1, first), max(1, first) + OWNERS)


class Uids:
    """Hands out user numbers so that no two jobs that run at once on this machine share one, if it can."""

    def __init__(self, first: int = FIRST, count: int = COUNT, locks: Path = LOCKS) -> None:
        self.root = os.geteuid() == 0
        self._locks = locks
        self._changed = threading.Condition()
        self._held: list[int] = []
        if not self.root:
            self._free, self._unclaimed = [os.geteuid()], []
        else:
            highest = highest_mapped(Path("/proc/self/uid_map").read_text())
            first = max(1, min(first, highest - count + 1))
            self._free, self._unclaimed = [], list(range(first, min(first + count, highest + 1)))
        self._all = [*self._free, *self._unclaimed]

    @property
    def usual(self) -> int:
        """One of them, to ask what it may read."""
        return self._all[0]

    @property
    def possible(self) -> bool:
        """False for a root that has no other user to become."""
        return bool(self._all)

    def acquire(self) -> int:
        """Waits for a number that nobody uses. The service's own is shared by all."""
        if not self.root:
            return self._all[0]
        with self._changed:
            while not self._free and not self._claim():
                self._changed.wait(PATIENCE)
            return self._free.pop()

    def release(self, uid: int) -> None:
        if self.root:
            with self._changed:
                self._free.append(uid)
                self._changed.notify()

    @contextmanager
    def one(self) -> Iterator[int]:
        uid = self.acquire()
        try:
            yield uid
        finally:
            self.release(uid)

    def close(self) -> None:
        """Let other services have the numbers."""
        with self._changed:
            for handle in self._held:
                fcntl.flock(handle, fcntl.LOCK_UN)  # a program that is being started may have a copy of it
                os.close(handle)
            self._held.clear()

    def clear(self) -> None:
        """End what services that were killed have left. Raises Unavailable if something cannot be ended."""
        with self._changed:
            for uid in users_with_processes() & set(self._unclaimed):
                self._claim([uid])

    def _claim(self, among: list[int] | None = None) -> bool:
        """Take one more number that no service on this machine has; whatever still runs as it was left by one."""
        for uid in among or self._unclaimed:
            handle = _lock(self._locks, uid)
            if handle >= 0:
                self._held.append(handle)
                self._unclaimed.remove(uid)
                end_all_of(uid)
                self._free.append(uid)
                return True
        return False


def _lock(folder: Path, uid: int) -> int:
    """An open file that is locked for as long as it is open, or -1 if another process has it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(folder / str(uid), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return -1
    return handle


def become(uid: int) -> list[str]:
    """The beginning of a command that gives up root for this user, for good; empty for a service that is not root."""
    if os.geteuid() != 0:
        return []
    return [
        "setpriv",
        f"--reuid={uid}",
        f"--regid={uid}",
        "--clear-groups",
        "--inh-caps=-all",
        "--bounding-set=-all",
        "--no-new-privs",
    ]


def reachable(path: Path, uid: int) -> bool:
    """Whether a user without groups may enter a folder or read a file, by the permissions on the way to it."""
    if uid == os.geteuid():
        return os.access(path, os.R_OK)
    try:
        steps = [*reversed(path.resolve(strict=True).parents), path.resolve(strict=True)]
        return all(_open_to(step, uid, last=step == steps[-1]) for step in steps)
    except OSError:
        return False


def _open_to(step: Path, uid: int, last: bool) -> bool:
    status = step.stat()
    shift = 6 if status.st_uid == uid else 0
    needed = (4 if last else 0) | (1 if step.is_dir() else 0)
    return (status.st_mode >> shift) & needed == needed
