"""What steps changed together, path by path, with the texts before and after: for people to read side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import pygit2

from contracts.files import Kind
from repositories.objects import Changed, Entry, Objects, same

LARGEST_TEXT = 1 << 20
MOST_COMPARED = 16 << 20
"""So many bytes are compared to count lines; of the rest only the sizes are told."""
Word = Literal["added", "removed", "changed", "moved", "mode"]


@dataclass(frozen=True, slots=True)
class FileChange:
    """What came of one path."""

    path: str
    change: Word
    kind: Kind
    before: Entry | None
    after: Entry | None
    before_bytes: int | None
    after_bytes: int | None
    moved_from: str | None = None
    binary: bool = False
    too_large: bool = False
    added: int | None = None
    """Lines; None where they were not counted."""
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class Sides:
    """A file before and after; None where it was not there or cannot be shown as text."""

    before: str | None
    after: str | None


def combined(steps: Iterable[Sequence[Changed]]) -> list[Changed]:
    """What several steps come to: at each path, from before the first of them to after the last."""
    found: dict[str, Changed] = {}
    for step in steps:
        for change in step:
            first = found.get(change.path)
            found[change.path] = Changed(change.path, first.before if first else change.before, change.after)
    return [change for _, change in sorted(found.items()) if not same(change.before, change.after)]


def described(objects: Objects, changes: Iterable[Changed]) -> list[FileChange]:
    """Files and links, without the folders around them; a file that only has another path is one change."""
    listed = [change for change in changes if _is_file(change.before) or _is_file(change.after)]
    gone = {change.before.oid: change.path for change in listed if change.before and change.after is None}
    moved = {
        gone[change.after.oid]: change.path
        for change in listed
        if change.after and change.before is None and change.after.oid in gone and objects.size(change.after.oid)
    }
    sources = {target: source for source, target in moved.items()}
    found = [_file(objects, change, sources.get(change.path)) for change in listed if change.path not in moved]
    return _counted(objects, found)


def _is_file(entry: Entry | None) -> bool:
    return entry is not None and entry.kind in {Kind.FILE, Kind.SYMLINK}


def _file(objects: Objects, change: Changed, moved_from: str | None) -> FileChange:
    before = change.before if _is_file(change.before) else None
    after = change.after if _is_file(change.after) else None
    sizes = [objects.size(entry.oid) if entry else None for entry in (before, after)]
    entry = after or before
    return FileChange(
        change.path,
        "moved" if moved_from else _word(before, after),
        entry.kind if entry else Kind.FILE,
        before,
        after,
        sizes[0],
        sizes[1],
        moved_from,
        too_large=any(size is not None and size > LARGEST_TEXT for size in sizes),
    )


def _word(before: Entry | None, after: Entry | None) -> Word:
    if before is None:
        return "added"
    if after is None:
        return "removed"
    return "mode" if (before.kind, before.oid) == (after.kind, after.oid) else "changed"


def _counted(objects: Objects, changes: list[FileChange]) -> list[FileChange]:
    room, found = MOST_COMPARED, []
    for change in changes:
        room -= (change.before_bytes or 0) + (change.after_bytes or 0)
        found.append(_with_lines(objects, change) if room >= 0 and not change.too_large else change)
    return found


def _with_lines(objects: Objects, change: FileChange) -> FileChange:
    if change.moved_from or change.change == "mode":
        return replace(change, added=0, removed=0, binary=is_binary(_bytes(objects, change.after)))
    before, after = _bytes(objects, change.before), _bytes(objects, change.after)
    if is_binary(before) or is_binary(after):
        return replace(change, binary=True)
    added, removed = count_lines(before, after)
    return replace(change, added=added, removed=removed)


def count_lines(before: bytes, after: bytes) -> tuple[int, int]:
    """How many lines came and how many went."""
    _, added, removed = pygit2.Patch.create_from(before, after).line_stats
    return added, removed


def sides(objects: Objects, change: FileChange) -> Sides:
    """The texts of one change, if it has texts that are not too long."""
    if change.too_large:
        return Sides(None, None)
    before, after = _bytes(objects, change.before), _bytes(objects, change.after)
    if is_binary(before) or is_binary(after):
        return Sides(None, None)
    if change.moved_from:
        before = after
    return Sides(
        before.decode("utf-8", "replace") if change.before or change.moved_from else None,
        after.decode("utf-8", "replace") if change.after else None,
    )


def _bytes(objects: Objects, entry: Entry | None) -> bytes:
    return objects.blob(entry.oid) if entry else b""


def is_binary(data: bytes) -> bool:
    return b"\0" in data[:8000]
