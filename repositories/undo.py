"""Works out what to put back so that a step, or several, are taken back without losing what others did since."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from contracts.errors import UndoConflict
from contracts.files import Draft, Kind
from contracts.paths import shown
from repositories.objects import GITLINK, LINK, PROGRAM, Changed, Entry, Item, Objects, is_folder, parents, same
from repositories.text import TextForms, merge_text


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The paths that are put back, and those that were left because someone else changed them meanwhile."""

    restored: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """What shall stand at a path; `source` is the snapshot that also has the folders above it."""

    path: str
    entry: Entry | None
    source: bytes | None = field(default=None, compare=False)


class Standing:
    """The project as it stands, with what is to be put back on top. Nothing is touched before `put_into`."""

    def __init__(self, objects: Objects, tree: bytes, holds_uncovered: Callable[[str], bool]) -> None:
        self._objects = objects
        self._tree = tree
        self._holds_uncovered = holds_uncovered
        self._folders: dict[bytes, dict[str, Entry]] = {}
        self._put: dict[str, Entry | None] = {}
        self._names: dict[str, set[str]] = {}

    def at(self, path: str) -> Entry | None:
        if path in self._put:
            return self._put[path]
        if any(folder in self._put and not is_folder(self._put[folder]) for folder in parents(path)):
            return None
        return self.within(self._tree, path)

    def within(self, tree: bytes | None, path: str) -> Entry | None:
        """What a snapshot has at a path."""
        entry: Entry | None = None
        for name in path.split("/"):
            if tree is None:
                return None
            entry = self._folder(tree).get(name)
            tree = entry.oid if entry and is_folder(entry) else None
        return entry

    def _folder(self, tree: bytes) -> dict[str, Entry]:
        if tree not in self._folders:
            self._folders[tree] = self._objects.folder(tree)
        return self._folders[tree]

    def is_empty(self, path: str) -> bool:
        """Whether nothing is left in a folder, of whatever kind."""
        if self._holds_uncovered(path):
            return False
        folder = self.within(self._tree, path)
        names = self._folder(folder.oid).keys() if folder and is_folder(folder) else set()
        return all(self.at(f"{path}/{name}") is None for name in names | self._names.get(path, set()))

    def _set(self, path: str, entry: Entry | None) -> None:
        self._put[path] = entry
        above, _, name = path.rpartition("/")
        self._names.setdefault(above, set()).add(name)

    def settle(self, wishes: Iterable[Wish]) -> set[str]:
        """Take over these wishes as far as they can be; what is in the way of one keeps it from happening."""
        kept: set[str] = set()
        ordered = sorted(wishes, key=lambda wish: wish.path)
        for wish in reversed(ordered):
            if not self._clear(wish):
                kept.add(wish.path)
        for wish in ordered:
            if wish.entry is not None and wish.path not in kept and not self._restore(wish, wish.entry):
                kept.add(wish.path)
        return kept

    def _clear(self, wish: Wish) -> bool:
        """Take away what is to go; a folder goes only when it has become empty."""
        there = self.at(wish.path)
        if there is not None and there.kind is Kind.OTHER:
            return False
        if is_folder(there) and not is_folder(wish.entry):
            if not self.is_empty(wish.path):
                return False
            self._set(wish.path, None)
        elif wish.entry is None and there is not None:
            self._set(wish.path, None)
        return True

    def _restore(self, wish: Wish, entry: Entry) -> bool:
        if entry.kind is Kind.OTHER:
            return False
        for folder in parents(wish.path):
            there = self.at(folder)
            if there is None:
                above = self.within(wish.source, folder)
                if above is None or not is_folder(above):
                    return False
                self._set(folder, above)
            elif not is_folder(there):
                return False
        self._set(wish.path, entry)
        return True

    def put_into(self, draft: Draft, load: Callable[[bytes], bytes]) -> tuple[str, ...]:
        """Ask the draft for all of it: what goes first, the deepest before the folders above it."""
        paths = sorted(path for path, entry in self._put.items() if not same(entry, self.within(self._tree, path)))
        for path in reversed(paths):
            if self._put[path] is None:
                draft.put(path, None)
        for path in paths:
            entry = self._put[path]
            if entry is not None:
                has_content = entry.kind in {Kind.FILE, Kind.SYMLINK}
                draft.put(path, self._objects.node(entry), partial(load, entry.oid) if has_content else None)
        return tuple(paths)


def take_back(standing: Standing, steps: Iterable[tuple[bytes, list[Changed]]]) -> set[str]:
    """Take back steps, the newest first, each with its snapshot before; gives the paths that had to be kept."""
    kept: set[str] = set()
    for source, changes in steps:
        wishes = []
        for path, before, after in changes:
            now = standing.at(path)
            if path in kept or same(now, before):
                continue
            if same(now, after):
                wishes.append(Wish(path, before, source))
            else:
                kept.add(path)
        kept |= standing.settle(wishes)
    return kept


def take_back_only(objects: Objects, standing: Standing, source: bytes, changes: Iterable[Changed]) -> set[str]:
    """Take back one step from under later ones; UndoConflict if a later change would be lost."""
    wishes, conflicts, kept = [], set(), set()
    for change in changes:
        now = standing.at(change.path)
        if same(now, change.before):
            continue
        if same(now, change.after) or (is_folder(now) and change.before is None):
            wishes.append(Wish(change.path, change.before, source))
        elif is_folder(now) and is_folder(change.before):
            kept.add(change.path)
        elif (merged := _merged(objects, now, change)) is not None:
            wishes.append(Wish(change.path, merged, source))
        else:
            conflicts.add(change.path)
    stuck = standing.settle(wishes)
    kept |= {path for path in stuck if is_folder(standing.at(path))}
    conflicts |= stuck - kept
    if conflicts:
        paths = sorted(shown(path) for path in conflicts)
        raise UndoConflict(
            f"Taking back this change alone would lose a later one in `{paths[0]}`"
            + (f" and {len(paths) - 1} more" if len(paths) > 1 else ""),
            hint="Take back the later changes too, or edit the file by hand",
            details={"paths": paths},
        )
    return kept


def _merged(objects: Objects, now: Entry | None, change: Changed) -> Entry | None:
    """What is there now without what the step did to it; None if that cannot be told apart."""
    entries = (change.after, now, change.before)
    if any(entry is None or entry.kind is not Kind.FILE for entry in entries):
        return None
    base, ours, theirs = (entry for entry in entries if entry is not None)
    oid = merge_text(objects, base.oid, ours.oid, theirs.oid)
    mode = theirs.mode if ours.mode == base.mode else ours.mode
    if oid is None or theirs.mode not in {mode, base.mode}:
        return None
    return Entry(Kind.FILE, mode, oid)


def to_commit(objects: Objects, standing: Standing, head: bytes | None, target: bytes) -> set[str]:
    """Make tracked files as a commit has them; gives the paths with other changes, which are left."""
    forms = TextForms(objects)
    kept: set[str] = set()
    wishes = []
    for path, was, wanted in objects.ordinary_changes(head, target):
        now = standing.at(path)
        if _stored_as(forms, path, now, wanted):
            continue
        if _stored_as(forms, path, now, was) and not _is_repository(was) and not _is_repository(wanted):
            wishes.append(Wish(path, _checked_out(forms, path, wanted, now)))
        else:
            kept.add(path)
    for path in _missing_folders(standing, wishes):
        standing.settle([Wish(path, Entry(Kind.DIRECTORY, 0o755, objects.write_tree(())))])
    kept |= standing.settle(wishes)
    _drop_emptied(standing, wishes)
    return kept


def _is_repository(item: Item | None) -> bool:
    return item is not None and item.mode == GITLINK


def _stored_as(forms: TextForms, path: str, entry: Entry | None, item: Item | None) -> bool:
    """Whether git would store what stands there just so."""
    if entry is None or entry.kind not in {Kind.FILE, Kind.SYMLINK}:
        return item is None
    if item is None or (item.mode == LINK) != (entry.kind is Kind.SYMLINK):
        return False
    if entry.kind is Kind.SYMLINK:
        return entry.oid == item.oid
    same_mode = bool(entry.mode & 0o100) == (item.mode == PROGRAM)
    return same_mode and item.oid in {entry.oid, forms.stored(path, entry.oid)}


def _checked_out(forms: TextForms, path: str, item: Item | None, now: Entry | None) -> Entry | None:
    if item is None:
        return None
    if item.mode == LINK:
        return Entry(Kind.SYMLINK, 0o777, item.oid)
    mode = 0o755 if item.mode == PROGRAM else 0o644
    if now is not None and now.kind is Kind.FILE and bool(now.mode & 0o100) == (item.mode == PROGRAM):
        mode = now.mode
    return Entry(Kind.FILE, mode, forms.checked_out(path, item.oid))


def _missing_folders(standing: Standing, wishes: Iterable[Wish]) -> list[str]:
    folders = {folder for wish in wishes if wish.entry is not None for folder in parents(wish.path)}
    return sorted(folder for folder in folders if standing.at(folder) is None)


def _drop_emptied(standing: Standing, wishes: Iterable[Wish]) -> None:
    """Git knows no empty folders: those that held only what is gone go too."""
    folders = {folder for wish in wishes if wish.entry is None for folder in parents(wish.path)}
    standing.settle(Wish(folder, None) for folder in folders if is_folder(standing.at(folder)))
