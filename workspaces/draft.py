"""A draft: the files of one project as they are, with changes on top that exist only in memory."""

import os
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from contracts.errors import AlreadyExists, Conflict, NotFound, UnsafePath
from contracts.files import Change, ChangeSet, Kind, Node
from contracts.paths import fold, is_git, shown
from workspaces.safe_open import NO_LINKS, Folder, Found, check_inside, not_plain

NEW_FILE, NEW_FOLDER, ANY_LINK = 0o644, 0o755, 0o777
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A node and where its content comes from: `load`, else what the disk has at `origin`."""

    node: Node
    load: Callable[[], bytes] | None = None
    origin: str | None = None


def join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def spare_history(path: str) -> str:
    """The path, unless some file system could take a part of it for `.git`."""
    if any(is_git(name) for name in path.split("/")):
        raise UnsafePath(
            f"`{shown(path)}` belongs to the history of the project", hint="File actions leave `.git` alone"
        )
    return path


def above(path: str) -> Iterator[str]:
    """The folders above a path, the outermost first, without the project itself."""
    at = path.find("/")
    while at != -1:
        yield path[:at]
        at = path.find("/", at + 1)


class ProjectDraft:
    """Implements contracts.files.Draft. What it has once seen at a path stays what it was before."""

    def __init__(self, open_project: Callable[[], Folder]) -> None:
        self._open = open_project
        self._overlay: dict[str, Entry | None] = {}
        self._below: dict[str, set[str]] = {}
        self._seen: dict[str, Found | None] = {}
        self._folded: dict[str, dict[str, set[str]]] = {}

    def node(self, path: str) -> Node | None:
        entry = self._current(self._settle(path))
        return entry.node if entry else None

    def read(self, path: str) -> bytes:
        path = self._settle(spare_history(path))
        entry = self._existing(path)
        match entry.node.kind:
            case Kind.DIRECTORY:
                raise Conflict(f"`{shown(path)}` is a folder, not a file", hint="List it instead")
            case Kind.FILE:
                return self._content(path, entry)
        raise self._odd(path, entry)

    def children(self, path: str = "", *, recursive: bool = False) -> Iterator[tuple[str, Node]]:
        path = self._settle(spare_history(path))
        entry = self._existing(path)
        if entry.node.kind is not Kind.DIRECTORY:
            raise self._no_folder(path, entry)
        found, waiting = [], [path]
        with self._open() as disk:
            while waiting:
                for child, below in self._list(disk, waiting.pop()).items():
                    if is_git(child.rpartition("/")[2]):
                        continue
                    found.append((child, below.node))
                    if recursive and below.node.kind is Kind.DIRECTORY:
                        waiting.append(child)
        return iter(sorted(found, key=lambda item: item[0]))

    def write(self, path: str, data: bytes, *, mode: int | None = None) -> None:
        path = self._guard(path)
        folders = self._room_for(path)
        there = self._current(path)
        if there and there.node.kind is Kind.DIRECTORY:
            raise Conflict(f"`{shown(path)}` is a folder", hint="Choose another name for the file")
        if there and there.node.kind is not Kind.FILE:
            raise self._odd(path, there)
        kept = there.node.mode if there else NEW_FILE
        self._make(folders)
        self._set(path, Entry(Node(Kind.FILE, kept if mode is None else mode, len(data)), lambda: data))

    def make_directory(self, path: str) -> None:
        path = self._guard(path)
        folders = self._room_for(path)
        there = self._current(path)
        if there and there.node.kind is not Kind.DIRECTORY:
            raise self._no_folder(path, there)
        self._make(folders if there else [*folders, path])

    def remove(self, path: str) -> None:
        path = self._guard(path)
        self._existing(path)
        for gone, _ in self._tree(path):
            self._set(gone, None)

    def move(self, source: str, target: str) -> None:
        source, target = self._guard(source), self._guard(target)
        self._existing(source)
        if target.startswith(f"{source}/"):
            raise Conflict(f"`{shown(source)}` cannot be moved into itself", hint="Choose a place outside of it")
        folders = self._room_for(target, leaving=source)
        if self._current(target):
            raise AlreadyExists(f"There is already a `{shown(target)}`", hint="Choose another name, or delete it first")
        moved = self._tree(source)
        for path, _ in moved:
            self._set(path, None)
        self._make(folders)
        for path, entry in moved:
            self._set(target + path[len(source) :], entry)

    def put(self, path: str, node: Node | None, load: Callable[[], bytes] | None = None) -> None:
        check_inside(path)
        if path.split("/", maxsplit=1)[0] in {"", ".git"}:
            raise UnsafePath(f"`{shown(path) or '.'}` is not for file actions to change", hint="Name a file beside it")
        if node and node.kind is Kind.OTHER:
            raise UnsafePath(f"`{shown(path)}` is a device or socket and cannot be made again")
        if node and node.kind in {Kind.FILE, Kind.SYMLINK} and load is None:
            raise ValueError("a file or symlink needs its content")
        there = self._current(path)
        if there and there.node.kind is Kind.DIRECTORY and (node is None or node.kind is not Kind.DIRECTORY):
            for name in sorted(self._names(path))[:1]:
                held = shown(join(path, name))
                raise Conflict(f"`{shown(path)}` is to go but still holds `{held}`", hint="Move that away first")
        if node is None:
            if there:
                self._set(path, None)
            return
        self._make([folder for folder in above(path) if self._is_missing(folder)])
        self._set(path, Entry(replace(node, mode=ANY_LINK) if node.kind is Kind.SYMLINK else node, load))

    def changes(self) -> ChangeSet:
        asked = (self._change(path, entry) for path, entry in sorted(self._overlay.items(), key=lambda item: item[0]))
        changes = {change.path: change for change in asked if change}
        # Where the same was put back after a move, the disk keeps what it has, and the other place gets a copy.
        copies = [change for change in changes.values() if change.moved_from and change.moved_from not in changes]
        return ChangeSet(tuple((changes | {c.path: replace(c, moved_from=None) for c in copies}).values()))

    def _change(self, path: str, entry: Entry | None) -> Change | None:
        before = self._on_disk(path)
        seen = before.stamp if before else None
        if entry is None:
            return Change(path, before.node, None, seen=seen) if before else None
        if before and self._same(path, before.node, entry):
            return None
        has_content = entry.node.kind in {Kind.FILE, Kind.SYMLINK}
        return Change(
            path,
            before.node if before else None,
            entry.node,
            load=entry.load or ((lambda: self._content(path, entry)) if has_content else None),
            moved_from=entry.origin if entry.node.kind is not Kind.DIRECTORY else None,
            seen=seen,
        )

    def _same(self, path: str, before: Node, entry: Entry) -> bool:
        """Whether the disk has just that already; content is read only if all else is equal."""
        if before != entry.node:
            return False
        if entry.origin == path or before.kind in {Kind.DIRECTORY, Kind.FIFO}:
            return True
        if before.kind is Kind.OTHER:
            return False
        data = self._content(path, entry)
        try:
            with self._open() as disk:
                if before.kind is Kind.SYMLINK:
                    return disk.read_link(path) == data
                with os.fdopen(disk.open_file(path), "rb") as file:
                    return all(file.read(CHUNK) == data[at : at + CHUNK] for at in range(0, len(data) + 1, CHUNK))
        except (NotFound, UnsafePath):
            return False

    def _content(self, path: str, entry: Entry) -> bytes:
        if entry.load is not None:
            return entry.load()
        origin = path if entry.origin is None else entry.origin
        with self._open() as disk:
            return disk.read_link(origin) if entry.node.kind is Kind.SYMLINK else disk.read(origin)

    def _current(self, path: str) -> Entry | None:
        """What the draft has at the path."""
        for folder in above(path):
            if folder in self._overlay:
                entry = self._overlay[folder]
                if entry and entry.node.kind is Kind.SYMLINK:
                    raise self._odd(folder, entry)
                if entry is None or entry.node.kind is not Kind.DIRECTORY:
                    return None
        if path in self._overlay:
            return self._overlay[path]
        found = self._on_disk(path)
        return Entry(found.node, origin=path) if found else None

    def _on_disk(self, path: str) -> Found | None:
        """What the disk had at the path when it was first looked at."""
        if path not in self._seen:
            for step in (*above(path), path):
                if step not in self._seen:
                    self._seen[step] = self._look(step)
        return self._seen[path]

    def _look(self, path: str) -> Found | None:
        """Look once everything above has been; a link that the draft replaces is not in the way of what is below."""
        folder = path.rpartition("/")[0]
        up = self._seen[folder] if folder else None
        if folder and (up is None or up.node.kind is not Kind.DIRECTORY):
            if up and up.node.kind is Kind.SYMLINK and folder not in self._overlay:
                raise UnsafePath(f"`{shown(folder)}` is a symbolic link", hint=NO_LINKS)
            return None
        with self._open() as disk:
            return disk.look(path)

    def _list(self, disk: Folder, path: str, *, remember: bool = False) -> dict[str, Entry]:
        """What the draft has in a folder."""
        scanned = disk.scan(path) if self._reaches_disk(path) else []
        below = {join(path, name): there for name, there in scanned}
        if remember:
            for child, there in below.items():
                self._seen.setdefault(child, there)
        first_seen = {child: self._seen.get(child, there) for child, there in below.items()}
        entries = {child: Entry(there.node, origin=child) for child, there in first_seen.items() if there}
        for name in self._below.get(path, ()):
            child = join(path, name)
            entry = self._overlay[child]
            if entry is None:
                entries.pop(child, None)
            else:
                entries[child] = entry
        if not path:
            entries.pop(".git", None)
        return entries

    def _reaches_disk(self, folder: str) -> bool:
        """Whether what is in the draft's folder may be on the disk, rather than all of it in memory."""
        if folder not in self._overlay:
            return True
        found = self._on_disk(folder)
        return found is not None and found.node.kind is Kind.DIRECTORY

    def _tree(self, path: str) -> list[tuple[str, Entry]]:
        """The path and all below it, nested repositories too, each folder before what is in it."""
        tree, waiting = [], [(path, entry)] if (entry := self._current(path)) else []
        with self._open() as disk:
            while waiting:
                here = waiting.pop()
                tree.append(here)
                if here[1].node.kind is Kind.DIRECTORY:
                    waiting.extend(self._list(disk, here[0], remember=True).items())
        return tree

    def _set(self, path: str, entry: Entry | None) -> None:
        self._on_disk(path)
        self._overlay[path] = entry
        folder, _, name = path.rpartition("/")
        self._below.setdefault(folder, set()).add(name)
        if folder in self._folded:
            twins = self._folded[folder].setdefault(fold(name), set())
            (twins.discard if entry is None else twins.add)(name)

    def _make(self, folders: list[str]) -> None:
        for folder in folders:
            self._set(folder, Entry(Node(Kind.DIRECTORY, NEW_FOLDER, 0)))

    def _is_missing(self, folder: str) -> bool:
        entry = self._current(folder)
        if entry and entry.node.kind is not Kind.DIRECTORY:
            raise self._no_folder(folder, entry)
        return entry is None

    def _room_for(self, path: str, leaving: str | None = None) -> list[str]:
        """The folders to be made so that the path can be; raises if something is in the way of it or of them."""
        missing = [folder for folder in above(path) if self._is_missing(folder)]
        for new in [*missing, *([] if self._current(path) else [path])]:
            folder, _, name = new.rpartition("/")
            for twin in self._twins(folder, name) - {name}:
                if join(folder, twin) != leaving:
                    raise AlreadyExists(
                        f"`{shown(new)}` differs from the existing `{shown(join(folder, twin))}` only in how it is "
                        "written; some systems would take them for the same file",
                        hint=f"Use `{shown(join(folder, twin))}`, or choose another name",
                    )
        return missing

    def _twins(self, folder: str, name: str) -> set[str]:
        """The names in a folder that some system takes for this one."""
        if folder not in self._folded:
            entry = self._current(folder)
            is_folder = entry is not None and entry.node.kind is Kind.DIRECTORY
            index: dict[str, set[str]] = {}
            for known in self._names(folder) if is_folder else ():
                index.setdefault(fold(known), set()).add(known)
            self._folded[folder] = index
        return self._folded[folder].get(fold(name), set())

    def _names(self, folder: str) -> set[str]:
        """What `_list` gives, but names alone, which is cheap in a folder of thousands."""
        names: set[str] = set()
        if self._reaches_disk(folder):
            with self._open() as disk:
                names.update(disk.names(folder))
        for name in self._below.get(folder, ()):
            (names.add if self._overlay[join(folder, name)] else names.discard)(name)
        return names

    def _settle(self, path: str) -> str:
        """The path as the disk spells it: accents may be stored composed or decomposed."""
        check_inside(path)
        if path.isascii() or self._current(path):
            return path
        settled = ""
        for name in path.split("/"):
            composed = unicodedata.normalize("NFC", name)
            same = {twin for twin in self._twins(settled, name) if unicodedata.normalize("NFC", twin) == composed}
            settled = join(settled, name if name in same or not same else min(same))
        return settled

    def _guard(self, path: str) -> str:
        """The settled path of something that may be changed."""
        if not path:
            raise UnsafePath("The project's own folder cannot be changed as if it were a file")
        return self._settle(spare_history(path))

    def _existing(self, path: str) -> Entry:
        entry = self._current(path)
        if entry is None:
            raise NotFound(f"There is no `{shown(path)}` in this project")
        return entry

    def _no_folder(self, path: str, entry: Entry) -> Conflict | UnsafePath:
        if entry.node.kind is Kind.SYMLINK:
            return self._odd(path, entry)
        return Conflict(f"`{shown(path)}` is a file, not a folder", hint="Choose another name")

    def _odd(self, path: str, entry: Entry) -> UnsafePath:
        if entry.node.kind is Kind.SYMLINK:
            return UnsafePath(f"`{shown(path)}` is a symbolic link", hint=NO_LINKS)
        return not_plain(path)
