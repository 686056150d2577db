"""Git's objects as plain bytes, and how a snapshot's trees keep what git's own cannot.

In a snapshot a name that git forbids or treats apart (`.git`, `.gitmodules`, ...) begins with `%`, and the entry named
`%` lists the modes and kinds that git has no word for. So two folders are the same in everything that is kept exactly
when their trees have the same id, and an empty folder is an empty tree.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import pygit2
from pygit2.enums import ObjectType

from contracts.errors import Failed
from contracts.files import Kind, Node

TREE, LINK, GITLINK, PLAIN, PROGRAM = 0o040000, 0o120000, 0o160000, 0o100644, 0o100755
SIDECAR = b"%"
SPECIAL_BEGINNINGS = (b".git", b"git~")
USUAL_FOLDER, USUAL_FILE, USUAL_PROGRAM, ANY_LINK = 0o755, 0o644, 0o755, 0o777
LETTERS = {Kind.FILE: b"f", Kind.DIRECTORY: b"d", Kind.FIFO: b"p", Kind.OTHER: b"o"}
UNSUSPICIOUS = re.compile(rb"[A-FH-Za-fh-z0-9_-][A-Za-z0-9_. -]*")
"""Most names need no second look."""
MOST_AT_HAND = 10_000
"""Entries of trees that are kept in memory, so that a folder of any size costs no more than this."""
TREE_ENTRY = re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.DOTALL)
KINDS = {letter: kind for kind, letter in LETTERS.items()}


class Item(NamedTuple):
    """An entry of a tree as git has it."""

    mode: int
    oid: bytes


class Entry(NamedTuple):
    """What a snapshot has at a path. `oid` is the content: a blob, or the tree of a folder."""

    kind: Kind
    mode: int
    oid: bytes


class Changed(NamedTuple):
    """A path at which two snapshots differ."""

    path: str
    before: Entry | None
    after: Entry | None


def same(one: Entry | None, other: Entry | None) -> bool:
    """Whether the same stands there. What is in a folder is not part of the folder itself."""
    if one is None or other is None:
        return one is other
    return one == other or (one[:2] == other[:2] and one.kind is Kind.DIRECTORY)


def is_folder(entry: Entry | None) -> bool:
    return entry is not None and entry.kind is Kind.DIRECTORY


def parents(path: str) -> Iterator[str]:
    """The folders above a path, the outermost first."""
    at = path.find("/")
    while at != -1:
        yield path[:at]
        at = path.find("/", at + 1)


def git_mode(entry: Entry) -> int:
    if entry.kind is Kind.DIRECTORY:
        return TREE
    if entry.kind is Kind.SYMLINK:
        return LINK
    return PROGRAM if entry.kind is Kind.FILE and entry.mode & stat.S_IXUSR else PLAIN


def escaped(name: bytes) -> bytes:
    plain = name if name.isascii() else bytes(c for c in name if c < 0x80)
    special = plain.lower().startswith(SPECIAL_BEGINNINGS) or name.startswith(SIDECAR) or b"\\" in name
    return SIDECAR + name if special else name


def parse_tree(data: bytes) -> list[tuple[bytes, Item]]:
    return [(name, Item(int(mode, 8), oid)) for mode, name, oid in TREE_ENTRY.findall(data)]


def format_tree(items: Iterable[tuple[bytes, Item]]) -> bytes:
    ordered = sorted(items, key=lambda pair: pair[0] + b"/" if pair[1].mode == TREE else pair[0])
    return b"".join(b"%o %b\0%b" % (item.mode, name, item.oid) for name, item in ordered)


def usual(entry: Entry) -> bool:
    """Whether git's own entry says all there is to say."""
    if entry.kind is Kind.FILE:
        return entry.mode in {USUAL_FILE, USUAL_PROGRAM}
    return entry.kind is Kind.SYMLINK or (entry.kind is Kind.DIRECTORY and entry.mode == USUAL_FOLDER)


class Objects:
    """Reads and writes the objects of one repository."""

    def __init__(self, repo: pygit2.Repository) -> None:
        self.repo = repo
        self._odb = repo.odb
        self._trees: dict[bytes, Mapping[bytes, Item]] = {}
        self._at_hand = 0

    def blob(self, oid: bytes) -> bytes:
        try:
            return self._odb.read(pygit2.Oid(raw=oid))[1]
        except KeyError as error:
            raise Failed(
                f"The object {oid.hex()} is missing from the repository", hint="Run `git fsck` there"
            ) from error

    def size(self, oid: bytes) -> int:
        return self._odb.read_header(pygit2.Oid(raw=oid))[1]

    def write_blob(self, data: bytes) -> bytes:
        return self.repo.create_blob(data).raw

    def has(self, oid: bytes) -> bool:
        return self._odb.exists(pygit2.Oid(raw=oid))

    def tree(self, oid: bytes | None) -> Mapping[bytes, Item]:
        """What a tree has; the trees of the last few steps are at hand."""
        if oid is None:
            return {}
        items = self._trees.pop(oid, None)
        if items is None:
            items = dict(parse_tree(self.blob(oid)))
            self._at_hand += len(items)
        self._trees[oid] = items
        while self._at_hand > MOST_AT_HAND and len(self._trees) > 1:
            self._at_hand -= len(self._trees.pop(next(iter(self._trees))))
        return items

    def write_tree(self, items: Iterable[tuple[bytes, Item]]) -> bytes:
        return self._odb.write(ObjectType.TREE, format_tree(items)).raw

    def find(self, tree: bytes | None, path: str) -> Item | None:
        """What an ordinary tree has at a path."""
        item = Item(TREE, tree) if tree else None
        for name in os.fsencode(path).split(b"/"):
            if item is None or item.mode != TREE:
                return None
            item = self.tree(item.oid).get(name)
        return item

    def patch(self, tree: bytes | None, changes: Mapping[bytes, Item | None]) -> bytes | None:
        """An ordinary tree with these paths set or taken away; None if nothing is left in it."""
        items = dict(self.tree(tree))
        below: dict[bytes, dict[bytes, Item | None]] = {}
        for path, item in changes.items():
            name, _, rest = path.partition(b"/")
            if rest:
                below.setdefault(name, {})[rest] = item
            elif item is None:
                # A folder that took the place of the file is not meant.
                if name in items and items[name].mode != TREE:
                    del items[name]
            else:
                items[name] = item
        for name, deeper in below.items():
            self._patch_below(items, name, deeper)
        return self.write_tree(items.items()) if items else None

    def _patch_below(self, items: dict[bytes, Item], name: bytes, changes: Mapping[bytes, Item | None]) -> None:
        there = items.get(name)
        if there is not None and there.mode != TREE and not any(changes.values()):
            return
        patched = self.patch(there.oid if there is not None and there.mode == TREE else None, changes)
        if patched is not None:
            items[name] = Item(TREE, patched)
        elif there is not None:
            del items[name]

    def ordinary_changes(self, old: bytes | None, new: bytes | None) -> Iterator[tuple[str, Item | None, Item | None]]:
        """The paths of files at which two ordinary trees differ."""
        before, after = self.tree(old), self.tree(new)
        for name in sorted(before.keys() | after.keys()):
            was, now = before.get(name), after.get(name)
            if was == now:
                continue
            path = os.fsdecode(name)
            was_tree = was.oid if was and was.mode == TREE else None
            now_tree = now.oid if now and now.mode == TREE else None
            if (was and not was_tree) or (now and not now_tree):
                yield path, None if was_tree else was, None if now_tree else now
            if was_tree or now_tree:
                for deeper, one, other in self.ordinary_changes(was_tree, now_tree):
                    yield f"{path}/{deeper}", one, other

    def folder(self, oid: bytes | None) -> dict[str, Entry]:
        """What a snapshot has in a folder."""
        return self._entries(self.tree(oid).items(), oid)

    def _entries(self, items: Iterable[tuple[bytes, Item]], tree: bytes | None) -> dict[str, Entry]:
        """Items of a snapshot's tree with what its sidecar says about them."""
        notes = self._notes(tree)
        entries = {}
        for stored, item in items:
            if stored != SIDECAR:
                name = stored[1:] if stored.startswith(SIDECAR) else stored
                entries[os.fsdecode(name)] = Entry(*notes.get(name) or _plainly(item.mode), item.oid)
        return entries

    def _notes(self, tree: bytes | None) -> dict[bytes, tuple[Kind, int]]:
        sidecar = self.tree(tree).get(SIDECAR)
        notes = {}
        for note in self.blob(sidecar.oid).split(b"\0")[:-1] if sidecar else ():
            about, _, name = note.partition(b" ")
            notes[name] = (KINDS[about[:1]], int(about[1:], 8))
        return notes

    def write_folder(self, entries: Mapping[str, Entry]) -> bytes:
        items, notes = [], []
        for name, entry in entries.items():
            raw = os.fsencode(name)
            items.append((raw if UNSUSPICIOUS.fullmatch(raw) else escaped(raw), Item(git_mode(entry), entry.oid)))
            if not usual(entry):
                notes.append(b"%b%o %b\0" % (LETTERS[entry.kind], entry.mode, raw))
        if notes:
            items.append((SIDECAR, Item(PLAIN, self.write_blob(b"".join(sorted(notes))))))
        return self.write_tree(items)

    def patched(self, tree: bytes | None, changes: Mapping[str, Entry | None]) -> bytes:
        """A snapshot's tree with these paths set or taken away. A folder keeps what it has."""
        entries = self.folder(tree)
        below: dict[str, dict[str, Entry | None]] = {}
        for path, entry in changes.items():
            name, _, rest = path.partition("/")
            if rest:
                below.setdefault(name, {})[rest] = entry
            elif entry is None:
                entries.pop(name, None)
            else:
                there = entries.get(name)
                kept = there.oid if there is not None and is_folder(there) else self.write_tree(())
                entries[name] = entry._replace(oid=kept) if is_folder(entry) else entry
        for name, deeper in below.items():
            there = entries.get(name)
            if there is not None and is_folder(there):
                entries[name] = there._replace(oid=self.patched(there.oid, deeper))
        return self.write_folder(entries)

    def differences(self, before: bytes | None, after: bytes | None, prefix: str = "") -> Iterator[Changed]:
        """All paths at which two snapshots differ."""
        if before == after:
            return
        old, new = self._unequal(before, after)
        for name in sorted(old.keys() | new.keys()):
            was, now = old.get(name), new.get(name)
            if was == now:
                continue
            path = prefix + name
            if not same(was, now):
                yield Changed(path, was, now)
            if any(entry is not None and entry.kind is Kind.OTHER for entry in (was, now)):
                # What is in a folder that could not be read has neither come nor gone because it can be now.
                continue
            was_tree = was.oid if was and is_folder(was) else None
            now_tree = now.oid if now and is_folder(now) else None
            yield from self.differences(was_tree, now_tree, f"{path}/")

    def _unequal(self, before: bytes | None, after: bytes | None) -> tuple[dict[str, Entry], dict[str, Entry]]:
        """What two folders have that is not plainly the same; most of a large folder usually is."""
        old, new = self.tree(before), self.tree(after)
        if old.get(SIDECAR) == new.get(SIDECAR):
            common = old.items() & new.items()
            return self._entries(old.items() - common, before), self._entries(new.items() - common, after)
        return self.folder(before), self.folder(after)

    def node(self, entry: Entry) -> Node:
        sized = entry.kind in {Kind.FILE, Kind.SYMLINK}
        return Node(entry.kind, entry.mode, self.size(entry.oid) if sized else 0)


def _plainly(mode: int) -> tuple[Kind, int]:
    if mode == TREE:
        return Kind.DIRECTORY, USUAL_FOLDER
    if mode == LINK:
        return Kind.SYMLINK, ANY_LINK
    return Kind.FILE, USUAL_PROGRAM if mode == PROGRAM else USUAL_FILE
