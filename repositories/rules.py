"""Decides path by path what a commit takes over from a step, and what stays out of it."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pygit2

from contracts.files import Kind
from contracts.paths import is_git
from found_keys import key_by_name, keys_in
from repositories.objects import GITLINK, LINK, PLAIN, TREE, Changed, Entry, Item, Objects, git_mode, parents
from repositories.text import TextForms, merge_text
from repositories.uncommitted import Uncommitted

GITS_OWN = frozenset({".gitmodules", ".gitattributes", ".gitignore", ".mailmap"})
"""Names that git takes for plain files of its own, and for nothing else."""
NESTED = "it belongs to a repository inside this one"
Chosen = Mapping[str, tuple[Item | None, Item | None]]
"""For each path to be committed, what HEAD has there and what it shall have."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A path that the commit does not have, and why."""

    path: str
    reason: str


class Refused(Exception):
    """This path stays out of the commit, for the reason given."""


class Unchanged(Exception):
    """There is nothing to commit at this path."""


class Rules:
    """Decides path by path what a commit takes over from a step."""

    def __init__(
        self, objects: Objects, root: Path, text: TextForms, tree: bytes | None, *, whole: bool = False
    ) -> None:
        self._objects = objects
        self._repo = objects.repo
        self._root = root
        self._text = text
        self._tree = tree
        self._whole = whole
        self.own: dict[str, Item | None] = {}
        """What HEAD has at the paths where nobody but the agent has done anything that is not committed."""
        self.uncommitted = Uncommitted(root / ".git")
        self._nested: dict[str, bool] = {}
        self._ignored: dict[str, bool] = {}
        self._folders: dict[str, Mapping[bytes, Item]] = {}
        self._file_modes = _flag(self._repo.config, "core.filemode")

    def choose(self, changes: Iterable[Changed]) -> tuple[Chosen, list[LeftOut]]:
        """What is to be committed, and what is left out."""
        chosen: dict[str, tuple[Item | None, Item | None]] = {}
        left_out = []
        for change in changes:
            try:
                chosen[change.path] = self._decide(change)
            except Refused as reason:
                left_out.append(LeftOut(change.path, str(reason)))
            except Unchanged:
                continue
        return chosen, left_out

    def _decide(self, change: Changed) -> tuple[Item | None, Item | None]:
        """What HEAD has there and what it shall have; raises Refused or Unchanged."""
        path = change.path
        if not self._whole and not any(_tracked(entry) for entry in (change.before, change.after)):
            raise Unchanged
        self._check_place(path, plain=change.after is None or change.after.kind is Kind.FILE)
        head = self._at_head(path)
        old, new = self._item(path, change.before, head), self._item(path, change.after, head)
        if head is not None and new == head:
            # Another form of the same text, such as other line endings: only the index has to look at it again.
            return head, head
        if self._untouched(head, old, change):
            self.own[path] = head
        if new is not None:
            self._check_content(path, head, new)
        return head, new if self._whole or path in self.own else self._onto(head, old, new)

    def _untouched(self, head: Item | None, old: Item | None, change: Changed) -> bool:
        """Whether nothing but the agent's own work set the file apart from HEAD before the step."""
        if head == old or self.uncommitted.is_own(change.path, change.before, head):
            return True
        if head is None or old is None or change.before is None:
            return False
        return head == old._replace(oid=change.before.oid)

    def _at_head(self, path: str) -> Item | None:
        """The file or link that HEAD has there."""
        above, _, name = path.rpartition("/")
        head = self._folder_at_head(above).get(os.fsencode(name))
        if head is not None and head.mode == GITLINK:
            raise Refused(NESTED)
        return head if head is None or head.mode != TREE else None

    def _folder_at_head(self, folder: str) -> Mapping[bytes, Item]:
        if folder not in self._folders:
            tree = Item(TREE, self._tree) if not folder and self._tree else None
            if folder:
                above, _, name = folder.rpartition("/")
                tree = self._folder_at_head(above).get(os.fsencode(name))
            if tree is not None and tree.mode == GITLINK:
                raise Refused(NESTED)
            self._folders[folder] = self._objects.tree(tree.oid) if tree and tree.mode == TREE else {}
        return self._folders[folder]

    def _check_place(self, path: str, *, plain: bool) -> None:
        if any(self._is_nested(folder) for folder in parents(path)):
            raise Refused(NESTED)
        *folders, name = path.split("/")
        if any(is_git(part) for part in (*folders, name)) or not GITS_OWN.isdisjoint(
            folders if plain else (*folders, name)
        ):
            raise Refused("git does not allow that name")
        try:
            path.encode()
        except UnicodeEncodeError:
            raise Refused("its name is not valid text") from None

    def _is_nested(self, folder: str) -> bool:
        if folder not in self._nested:
            self._nested[folder] = os.path.lexists(self._root / folder / ".git")
        return self._nested[folder]

    def _is_ignored(self, folder: str) -> bool:
        """Unlike git, the library would let a rule bring back a file from inside a folder that is ignored."""
        if folder not in self._ignored:
            self._ignored[folder] = self._repo.path_is_ignored(f"{folder}/")
        return self._ignored[folder]

    def _check_content(self, path: str, head: Item | None, new: Item) -> None:
        if head is None and (self._repo.path_is_ignored(path) or any(map(self._is_ignored, parents(path)))):
            raise Refused("it is ignored by `.gitignore`")
        if kind := key_by_name(path):
            raise Refused(f"it holds {kind}")
        if new.mode == LINK:
            return
        found = keys_in(self._objects.blob(new.oid))
        if found and head is not None:
            known = keys_in(self._objects.blob(head.oid))
            found = {key: kind for key, kind in found.items() if key not in known}
        if found:
            raise Refused(f"{next(iter(found.values()))} was found in it")

    def _item(self, path: str, entry: Entry | None, head: Item | None) -> Item | None:
        """An entry of a snapshot as git would store it."""
        if entry is None or not _tracked(entry):
            return None
        if entry.kind is Kind.SYMLINK:
            return Item(LINK, entry.oid)
        if program := self._text.needs_program(path):
            raise Refused(f"it goes through the filter `{program}`, which is not run here")
        mode = git_mode(entry)
        if not self._file_modes:
            mode = head.mode if head is not None and head.mode != LINK else PLAIN
        try:
            return Item(mode, self._text.stored(path, entry.oid))
        except pygit2.GitError:
            raise Refused("its line endings cannot be converted without loss") from None

    def _onto(self, head: Item | None, old: Item | None, new: Item | None) -> Item | None:
        """The step's change on top of what HEAD has, without what others did to the file and did not commit."""
        if new == old:
            raise Unchanged
        if head is None:
            if new is None:
                raise Unchanged
            raise Refused("it was not under version control before")
        if old is None or new is None or LINK in {old.mode, new.mode, head.mode}:
            raise Refused("it had changes that are not committed yet")
        merged = merge_text(self._objects, old.oid, head.oid, new.oid)
        if merged is None:
            raise Refused("it had changes that are not committed yet, in the same lines")
        item = Item(new.mode if new.mode != old.mode else head.mode, merged)
        if item == head:
            raise Unchanged
        return item


def _tracked(entry: Entry | None) -> bool:
    """Whether git keeps things of that kind."""
    return entry is not None and entry.kind in {Kind.FILE, Kind.SYMLINK}


def _flag(config: pygit2.config.Config, name: str) -> bool:
    try:
        return config.get_bool(name)
    except KeyError:
        return True
