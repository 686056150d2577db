"""The users as which jobs run: as root, numbers that no account has; otherwise the service's own."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FIRST = 2_000_000_000
COUNT = 64
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
    """Hands out user numbers so that no two jobs that run at once share one, where there is a choice."""

    def __init__(self, first: int = FIRST, count: int = COUNT) -> None:
        self.root = os.geteuid() == 0
        self._changed = threading.Condition()
        if not self.root:
            self._all = [os.geteuid()]
        else:
            highest = highest_mapped(Path("/proc/self/uid_map").read_text())
            first = max(1, min(first, highest - count + 1))
            self._all = list(range(first, min(first + count, highest + 1)))
        self._free = list(self._all)

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
            while not self._free:
                self._changed.wait()
            return self._free.pop(0)

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
