"""What a file action sees of a project, and what it wants changed there.

A handler reads and writes a draft: real files below, its own changes above. Nothing reaches the disk until the
executor applies the draft's changes as one set, so a dry run and a real run are the same code.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Kind(StrEnum):
    FILE = "file"
    DIRECTORY = "directory"
    SYMLINK = "symlink"
    FIFO = "fifo"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Node:
    """What stands at a path. `mode` is the permission bits alone; the size of a symlink is its target's length."""

    kind: Kind
    mode: int
    size: int


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which inode stood at a path when it was looked at, and when that was last changed."""

    inode: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class Change:
    """One path of a change set: what is there now (None: nothing) and what shall be there (None: nothing)."""

    path: str
    before: Node | None
    after: Node | None
    load: Callable[[], bytes] | None = None
    """Gives the new bytes of a file or the target of a symlink, until the set is applied; None for all else."""
    moved_from: str | None = None
    """The path whose node is moved here unchanged, if that is how it came about."""
    seen: Stamp | None = None
    """What the draft saw there; a path that is another one by the time of applying is a conflict."""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All that one action wants changed in one project, sorted by path. Empty: it changes nothing."""

    changes: tuple[Change, ...] = ()

    @property
    def size(self) -> int:
        """How much is touched: bytes read or written over, and at least 1 KiB a path."""
        return sum(max(c.before.size if c.before else 0, c.after.size if c.after else 0, 1024) for c in self.changes)

    def __bool__(self) -> bool:
        return bool(self.changes)


class Draft(Protocol):
    """The files of one project as a handler sees them. Paths are relative, `/`-separated; `` is the project.

    Reading raises NotFound when nothing is there, and UnsafePath when a symlink, FIFO or device stands in the way.
    """

    def node(self, path: str) -> Node | None:
        """What stands at the path (a symlink itself, never what it points to), or None."""

    def read(self, path: str) -> bytes:
        """The bytes of a regular file."""

    def children(self, path: str = "", *, recursive: bool = False) -> Iterator[tuple[str, Node]]:
        """What is in a folder, sorted by path; never enters `.git` or a symlink."""

    def write(self, path: str, data: bytes, *, mode: int | None = None) -> None:
        """Put a regular file there, with the folders above it. An existing file keeps its mode unless one is given."""

    def make_directory(self, path: str) -> None:
        """Make a folder and those above it; one that exists is left as it is."""

    def remove(self, path: str) -> None:
        """Take away a file, a symlink (not its target) or a whole folder."""

    def move(self, source: str, target: str) -> None:
        """Move a file, symlink or folder to a path where nothing stands."""

    def put(self, path: str, node: Node | None, load: Callable[[], bytes] | None = None) -> None:
        """Make the path exactly this node (None: nothing), modes included. For restoring what once was there.

        Any name will do, but not the project's own `.git`. A folder goes, or becomes something else, only when
        nothing is in it any more: Conflict otherwise, so that what someone else put there is not lost.
        """

    def changes(self) -> ChangeSet:
        """What has been asked for so far, less what would change nothing."""
