"""Makes ordinary commits: the branch's last tree with only what a step changed, as git itself would store it."""

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pygit2
from pygit2.enums import CheckoutStrategy, FileMode, RepositoryState

from contracts.errors import Conflict, Unavailable, UndoConflict
from contracts.files import Kind
from contracts.paths import is_git, shown
from found_keys import key_by_name, keys_in
from repositories.objects import GITLINK, LINK, PLAIN, TREE, Changed, Entry, Item, Objects, git_mode, parents
from repositories.text import TextForms, merge_text
from repositories.uncommitted import Uncommitted

BUSY = "another git program is at work in this project"
UNDER_WAY = "a merge, rebase or the like is under way in this project"
WAIT, WAITS = 0.02, 50
STRANGE_INDEX = "git's index has a form that cannot be updated here"
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


@dataclass(frozen=True, slots=True)
class Committed:
    """What became of the wish to commit."""

    commit: str | None
    left_out: tuple[LeftOut, ...] = ()


class Refused(Exception):
    """This path stays out of the commit, for the reason given."""


class Unchanged(Exception):
    """There is nothing to commit at this path."""


class Committer:
    """Commits to whatever HEAD points to. Runs no hook, no filter program and no signing."""

    def __init__(self, objects: Objects, root: Path, author: tuple[str, str]) -> None:
        self._objects = objects
        self._repo = objects.repo
        self._root = root
        self._author = author
        self._text = TextForms(objects)
        self._behind: dict[str, tuple[Item | None, Item | None]] = {}
        """What the index could not be told of because someone held it."""

    def head_commit(self) -> pygit2.Commit | None:
        return None if self._repo.head_is_unborn else self._repo.head.peel(pygit2.Commit)

    def commit(self, changes: Iterable[Changed], message: str) -> Committed:
        """One commit with these changes, less what must stay out; none if nothing is left or it cannot be."""
        changes = list(changes)
        if not changes:
            return Committed(None)
        if not self._index_is_readable():
            return Committed(None, tuple(LeftOut(change.path, STRANGE_INDEX) for change in changes))
        head = self.head_commit()
        rules = Rules(self._objects, self._root, self._text, head.tree.id.raw if head else None)
        chosen, left_out = rules.choose(changes)
        commit, problem = None, self._problem()
        if not problem and chosen:
            try:
                commit = self._write(head, chosen, message)
            except Unavailable as error:
                problem = error.message
        if problem:
            left_out += [LeftOut(path, problem) for path in chosen]
        rules.uncommitted.note(changes, rules.own, {left.path for left in left_out})
        return Committed(commit, tuple(left_out))

    def commit_all(self, entry_at: Callable[[str], Entry | None], message: str) -> Committed:
        """One commit with all that `git add -A` would take, whoever changed it, less what must stay out."""
        if problem := self._problem():
            raise Conflict(f"Nothing can be committed: {problem}", hint="Try again when that has ended")
        paths = [path for path in self._repo.status() if not path.endswith("/")]
        head = self.head_commit()
        changes = [Changed(path, None, entry_at(path)) for path in paths]
        rules = Rules(self._objects, self._root, self._text, head.tree.id.raw if head else None, whole=True)
        chosen, left_out = rules.choose(changes)
        return Committed(self._write(head, chosen, message, staged_too=True) if chosen else None, tuple(left_out))

    def revert_last(self) -> str:
        """A commit that takes HEAD's back, in the files too; UndoConflict, with nothing changed, if others changed."""
        if problem := self._problem():
            raise Conflict(f"Nothing can be committed: {problem}", hint="Try again when that has ended")
        head = self.head_commit()
        if head is None or len(head.parents) > 1:
            raise Conflict(
                "There is no commit to take back" if head is None else "The last commit joins two lines of work",
                hint="Take back a task instead",
            )
        tree = head.parents[0].tree.id.raw if head.parents else self._objects.write_tree(())
        changed = list(self._objects.ordinary_changes(head.tree.id.raw, tree))
        with FileModes(self._root, [path for path, *_ in changed]):
            try:
                self._repo.checkout_tree(  # type: ignore[no-untyped-call]  # the binding has no types there
                    self._repo[pygit2.Oid(raw=tree)], strategy=CheckoutStrategy.SAFE
                )
            except pygit2.GitError as error:
                raise UndoConflict(
                    "The files of the last commit have changed since",
                    hint="Commit or take back those changes first",
                    details={"paths": [shown(path) for path, *_ in changed]},
                ) from error
        title = head.message.partition("\n")[0]
        return self.advance(head, tree, f'Revert "{title}"\n\nThis takes back commit {head.id}.\n')

    def _problem(self) -> str | None:
        """Why nothing can be committed now."""
        if self._repo.state() != RepositoryState.NONE:
            return UNDER_WAY
        if not self._index_is_free():
            return BUSY
        return None if self._index_is_readable() else STRANGE_INDEX

    def _index_is_free(self) -> bool:
        """Waits a moment: editors ask git for the state of files all the time, and hold the index for that."""
        lock = self._root / ".git" / "index.lock"
        for _ in range(WAITS):
            if not lock.exists():
                return True
            time.sleep(WAIT)
        return not lock.exists()

    def _index_is_readable(self) -> bool:
        try:
            self._repo.index.read(False)
        except (pygit2.GitError, OSError):
            return False
        return True

    def _write(
        self, head: pygit2.Commit | None, chosen: Chosen, message: str, *, staged_too: bool = False
    ) -> str | None:
        new = {os.fsencode(path): item for path, (_, item) in chosen.items()}
        old = head.tree.id.raw if head else None
        tree = self._objects.patch(old, new)
        changed = tree != old
        commit = self.advance(head, tree or self._objects.write_tree(()), message) if changed else None
        chosen = {**self._behind, **chosen}
        try:
            self.update_index(chosen, staged_too=staged_too)
            self._behind = {}
        except Unavailable:
            self._behind = chosen
        return commit

    def advance(self, head: pygit2.Commit | None, tree: bytes, message: str) -> str:
        """A commit of this tree on top of HEAD; Unavailable if the branch moved or is locked."""
        signature = pygit2.Signature(*self._author)
        with busy_if_locked():
            oid = self._repo.create_commit(
                "HEAD", signature, signature, message, pygit2.Oid(raw=tree), [head.id] if head else []
            )
        return str(oid)

    def update_index(self, chosen: Chosen, *, staged_too: bool = False) -> None:
        """Bring the index along at paths where it had what HEAD had; what someone staged stays unless told."""
        index = self._repo.index
        for path, (old, new) in chosen.items():
            there = self._indexed(index, path)
            if there != old and not staged_too:
                continue
            if new is not None:
                self._enter(index, path, new)
            elif there is not None:
                index.remove(path)
        with busy_if_locked():
            index.write()

    @staticmethod
    def _indexed(index: pygit2.Index, path: str) -> Item | None:
        try:
            entry = index[path]
        except KeyError:
            return None
        return Item(int(entry.mode), entry.id.raw)

    def _enter(self, index: pygit2.Index, path: str, item: Item) -> None:
        """Put an entry into the index, with the file's times if the file is what the entry says."""
        try:
            index.add(path)
        except (OSError, KeyError, ValueError, pygit2.GitError):
            pass
        if self._indexed(index, path) != item:
            index.add(pygit2.IndexEntry(path, pygit2.Oid(raw=item.oid), FileMode(item.mode)))


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


class FileModes:
    """Gives files that are written anew in between the permissions that they had."""

    def __init__(self, root: Path, paths: Iterable[str]) -> None:
        self._root = root
        self._paths = list(paths)
        self._modes: dict[str, int] = {}

    def __enter__(self) -> None:
        self._modes = {path: stat.S_IMODE(mode) for path in self._paths if (mode := self._mode(path))}

    def __exit__(self, *_: object) -> None:
        for path, old in self._modes.items():
            new = self._mode(path)
            if new and (new ^ old) & stat.S_IXUSR == 0:
                fd = os.open(self._root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                os.fchmod(fd, old)
                os.close(fd)

    def _mode(self, path: str) -> int | None:
        """The mode of a regular file."""
        try:
            mode = (self._root / path).lstat().st_mode
        except OSError:
            return None
        return mode if stat.S_ISREG(mode) else None


def _flag(config: pygit2.config.Config, name: str) -> bool:
    try:
        return config.get_bool(name)
    except KeyError:
        return True


@contextmanager
def busy_if_locked() -> Iterator[None]:
    """Turns git's refusal because of someone else's lock or commit into an error that can be tried again."""
    try:
        yield
    except (pygit2.GitError, OSError) as error:
        if isinstance(error, OSError) and "lock" not in str(error):
            raise
        raise Unavailable(BUSY, hint="Try again when it has finished") from error
