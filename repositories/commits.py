"""Makes ordinary commits: the branch's last tree with only what a step changed, as git itself would store it."""

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pygit2
from pygit2.enums import CheckoutStrategy, FileMode, RepositoryState

from contracts.errors import Conflict, Unavailable, UndoConflict
from contracts.paths import shown
from repositories.history import text_of
from repositories.objects import Changed, Entry, Item, Objects
from repositories.rules import Chosen, LeftOut, Rules
from repositories.text import TextForms

BUSY = "another git program is at work in this project"
UNDER_WAY = "a merge, rebase or the like is under way in this project"
SAFELY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
WAIT, WAITS = 0.02, 50
STRANGE_INDEX = "git's index has a form that cannot be updated here"


@dataclass(frozen=True, slots=True)
class Committed:
    """What became of the wish to commit."""

    commit: str | None
    left_out: tuple[LeftOut, ...] = ()


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
        title = text_of(head).partition("\n")[0]
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
        self.update_index(chosen, staged_too=staged_too)
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
        """Bring the index along at paths where it had what HEAD had; what someone staged stays unless told.

        If someone holds the index, that is made up for at the next commit.
        """
        self._behind |= {path: (self._behind.get(path, (old,))[0], new) for path, (old, new) in chosen.items()}
        try:
            self._write_index(self._behind, staged_too=staged_too)
        except Unavailable:
            return
        self._behind = {}

    def _write_index(self, chosen: Chosen, *, staged_too: bool) -> None:
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
                with suppress(OSError), os.fdopen(os.open(self._root / path, SAFELY), "rb") as file:
                    os.fchmod(file.fileno(), old)

    def _mode(self, path: str) -> int | None:
        """The mode of a regular file."""
        try:
            mode = (self._root / path).lstat().st_mode
        except OSError:
            return None
        return mode if stat.S_ISREG(mode) else None


@contextmanager
def busy_if_locked() -> Iterator[None]:
    """Turns git's refusal because of someone else's lock or commit into an error that can be tried again."""
    try:
        yield
    except (pygit2.GitError, OSError) as error:
        if isinstance(error, OSError) and "lock" not in str(error):
            raise
        raise Unavailable(BUSY, hint="Try again when it has finished") from error
