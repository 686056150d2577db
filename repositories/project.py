"""One project's repository: snapshots before and after every step, commits, history, and taking steps back."""

import os
import re
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pygit2
from pygit2.enums import RepositoryOpenFlag

from contracts.errors import Conflict, Failed, NotFound
from contracts.files import Draft
from contracts.paths import shown
from repositories.changes import FileChange, Sides, combined, described, sides
from repositories.commits import Committer
from repositories.history import (
    GOOD,
    TRAILER,
    CommitInfo,
    CommittedFile,
    PathDiff,
    commit_named,
    commits,
    diffs,
    files_of,
    history,
    last_good,
    tag,
    task_of,
)
from repositories.maintenance import SNAPSHOT, Maintenance, clear_stale_locks, git_at_work, locks
from repositories.objects import Changed, Objects, is_folder, parents
from repositories.outgoing import Departure
from repositories.rules import LeftOut
from repositories.scan import Scanner
from repositories.text import Merged, merge_three
from repositories.undo import Standing, TakenBack, Wish, take_back, take_back_only, to_commit

BRANCH = "main"
TASK_ID = re.compile(r"(?!.*\.lock$)(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9._-]{0,99}(?<!\.)")
LATEST = "refs/agent-latest"
DAY = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a step left behind: its commit if there is one, all paths that it changed, and what was not committed."""

    commit: str | None
    tree: str
    changed: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def _opened(folder: Path) -> pygit2.Repository:
    """The repository whose work tree is exactly this folder, made if there is none."""
    git = folder / ".git"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if folder.is_symlink() or git.is_symlink() or (git.exists() and not git.is_dir()):
            raise Conflict(
                f"`.git` of the project `{folder.name}` is a link to another place, or a file",
                hint="Put a plain clone there instead of a worktree or submodule",
            )
        if not (git / "HEAD").exists() and not any((git / "objects").glob("*/*")):
            pygit2.init_repository(str(folder), initial_head=BRANCH)
        repo = pygit2.Repository(str(git), RepositoryOpenFlag.NO_SEARCH)
    except (pygit2.GitError, OSError) as error:
        raise Conflict(
            f"The repository of the project `{folder.name}` cannot be opened: {error}",
            hint="Repair it with git, or move its `.git` away to begin a new history. SHA-256 and reftable are not "
            "supported: such a repository has to be cloned with SHA-1 and `--ref-format=files`",
        ) from error
    if repo.is_bare or repo.workdir is None or Path(repo.workdir).resolve() != folder.resolve():
        raise Conflict(
            f"The repository of the project `{folder.name}` keeps its files in another place",
            hint="Remove `core.bare` and `core.worktree` from its `.git/config`",
        )
    return repo


class ProjectRepo:
    """One project's repository. The caller sees to it that one step at a time works on a project."""

    def __init__(
        self, folder: Path, *, author: tuple[str, str], skip: frozenset[str], keep_days: int, started: float
    ) -> None:
        self._folder = folder
        self._author = author
        self._skip = skip
        self._keep_days = keep_days
        self._started = started
        self._lock = threading.RLock()
        self._begin()

    def _begin(self) -> None:
        """Open the repository with nothing remembered."""
        self._repo = _opened(self._folder)
        self._repo.set_ident(*self._author)
        self._objects = Objects(self._repo)
        self._scanner = Scanner(self._folder, self._objects, self._skip)
        self._committer = Committer(self._objects, self._folder, self._author)
        self._identity = self._git_identity()
        self._anchor: tuple[str, bytes, bytes, float] | None = None

    def _git_identity(self) -> tuple[int, int] | None:
        try:
            st = os.lstat(self._folder / ".git" / "objects")
        except OSError:
            return None
        return st.st_dev, st.st_ino

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Holds the repository, and turns what git and the disk complain of into this agent's own errors."""
        with self._lock:
            try:
                yield
            except (pygit2.GitError, OSError) as error:
                raise Failed(
                    f"The history of the project `{self._folder.name}` could not be read or written: {error}",
                    hint="See that the disk is not full, and that `git fsck` finds no damage",
                ) from error

    def is_current(self) -> bool:
        """Whether it is still the repository that stands there."""
        return self._identity is not None and self._git_identity() == self._identity

    def covered(self, path: str) -> bool:
        """Whether snapshots hold the path, so that what happens to it can be undone."""
        return covers(path, self._skip)

    def snapshot(self, task_id: str) -> str:
        """Keep all that is in the project now as the state before a task; gives the snapshot's id."""
        with self._working():
            self._forget(_ref(task_id, "after"))
            return str(self._keep(_ref(task_id, "before"), self._scan()))

    def has_snapshot(self, task_id: str) -> bool:
        with self._working():
            return _ref(task_id, "before") in self._repo.references

    def is_recorded(self, task_id: str) -> bool:
        """Whether all that the task changed has reached the project and is kept."""
        with self._working():
            return _ref(task_id, "after") in self._repo.references

    def record(self, task_id: str, message: str, *, paths: Iterable[str] | None = None) -> Recorded:
        """Keep what is there now as the state after a task, and commit what the task changed.

        With `paths`, only these are looked at, so that nothing that happened elsewhere meanwhile counts as the task's.
        For a task that was recorded before, only what is missing of its commit is made up for.
        """
        with self._working():
            before = self._snapshot_tree(task_id, "before")
            again = self.is_recorded(task_id)
            if again:
                after = self._snapshot_tree(task_id, "after")
            else:
                after = self._scan() if paths is None else self._after(before, set(paths))
                self._keep(_ref(task_id, "after"), after)
            changes = list(self._objects.differences(before, after))
            changed = tuple(change.path for change in changes)
            if again and (done := self._commit_of(task_id)):
                return Recorded(done, after.hex(), changed, ())
            committed = self._committer.commit(changes, _message(message, task_id))
            return Recorded(committed.commit, after.hex(), changed, committed.left_out)

    def _after(self, before: bytes, paths: set[str]) -> bytes:
        """The state before with only these paths as they are now."""
        now = self._scanner.refresh(paths) if self._anchored() else self._scan()
        above = {folder for path in paths for folder in parents(path)}
        changes = list(self._objects.differences(before, now))
        ours = [
            change
            for change in changes
            if change.path in paths or (change.path in above and not is_folder(change.before))
        ]
        if len(ours) == len(changes):
            return now
        return self._objects.patched(before, {change.path: change.after for change in ours})

    def _commit_of(self, task_id: str) -> str | None:
        """The commit that a task has already made, with the index brought along."""
        for _, commit in zip(range(50), commits(self._repo), strict=False):
            if task_of(commit) == task_id:
                old = commit.parents[0].tree.id.raw if commit.parents else None
                both = self._objects.ordinary_changes(old, commit.tree.id.raw)
                self._committer.update_index({path: (was, now) for path, was, now in both})
                return str(commit.id)
        return None

    def fingerprint(self) -> str:
        """Changes exactly when something that snapshots hold has changed."""
        with self._working():
            return self._now().hex()

    def take_back(self, task_ids: Sequence[str], draft: Draft, *, exact: bool = False) -> TakenBack:
        """Put into a fresh draft what takes these tasks back, the newest first.

        Only what the tasks changed and nobody since; `exact` makes all as it was before the last one given.
        """
        with self._working():
            standing, now = self._standing()
            if exact and task_ids:
                target = self._snapshot_tree(task_ids[-1], "before")
                kept = self._return_to(standing, now, target, None)
            else:
                kept = take_back(standing, [self._step(task_id) for task_id in task_ids])
            return self._taken_back(standing, kept, draft)

    def take_back_only(self, task_id: str, draft: Draft) -> TakenBack:
        """Put into a fresh draft what takes one task back and leaves later ones; UndoConflict if that cannot be."""
        with self._working():
            standing, _ = self._standing()
            kept = take_back_only(self._objects, standing, *self._step(task_id))
            return self._taken_back(standing, kept, draft)

    def recover(self, task_id: str, draft: Draft, *, paths: Iterable[str] | None = None) -> TakenBack:
        """Put into a fresh draft what makes these paths, or all, as they were before a task that did not finish."""
        with self._working():
            self._forget(_ref(task_id, "after"))
            standing, now = self._standing()
            kept = self._return_to(standing, now, self._snapshot_tree(task_id, "before"), paths)
            return self._taken_back(standing, kept, draft)

    def to_commit(self, commit: str, draft: Draft) -> TakenBack:
        """Put into a fresh draft what makes tracked files as an ordinary commit has them."""
        with self._working():
            target = commit_named(self._repo, commit).tree.id.raw
            head = self._committer.head_commit()
            standing, _ = self._standing()
            kept = to_commit(self._objects, standing, head.tree.id.raw if head else None, target)
            return self._taken_back(standing, kept, draft)

    def last_good(self) -> str | None:
        """The newest commit that was deployed (tag `deploy/...`) or marked as good."""
        with self._working():
            return last_good(self._repo)

    def mark_good(self, commit: str) -> None:
        with self._working():
            self._set(GOOD, commit_named(self._repo, commit).id)

    def files_of(self, commit: str) -> list[CommittedFile]:
        """Every file and symlink of an ordinary commit; nested repositories are not in it. Raises NotFound."""
        with self._working():
            return list(files_of(self._objects, commit_named(self._repo, commit).tree.id.raw))

    def pending(self) -> list[str]:
        """Paths at which the files are not as in the last commit, as `git add -A` sees them."""
        with self._working():
            return sorted(self._repo.status())

    def tag(self, name: str, commit: str) -> None:
        """Name a commit, such as `deploy/vercel/...`; done again it changes nothing."""
        with self._working():
            tag(self._repo, name, commit_named(self._repo, commit))

    def history(self, limit: int = 50, path: str | None = None) -> list[CommitInfo]:
        """The newest ordinary commits, or the newest that changed a path."""
        with self._working():
            return history(self._objects, limit, path)

    def diff_of(self, task_id: str) -> list[PathDiff]:
        """What a task changed, path by path."""
        with self._working():
            return diffs(self._objects, self._step(task_id)[1])

    def changes_of(self, task_ids: Sequence[str]) -> list[FileChange]:
        """What these tasks changed together, the oldest first, file by file."""
        with self._working():
            return described(self._objects, combined([self._step(task_id)[1] for task_id in task_ids]))

    def sides_of(self, change: FileChange) -> Sides:
        """The texts of a change that `changes_of` gave."""
        with self._working():
            return sides(self._objects, change)

    def merge(self, base: str, ours: str, theirs: str) -> Merged:
        """What two changes to one text come to; nothing in the project is touched."""
        with self._working():
            return merge_three(self._objects, base, ours, theirs)

    def commit_changes(self, message: str) -> str | None:
        """Commit all that `git add -A` would take, except files with keys; None if there is nothing."""
        with self._working():
            standing, now = self._standing()
            return self._committer.commit_all(lambda path: standing.within(now, path), _message(message)).commit

    def revert_last_commit(self) -> str:
        """A new commit that takes the last one back, in the files too; UndoConflict if they changed since."""
        with self._working():
            return self._committer.revert_last()

    @property
    def git_folder(self) -> Path:
        return self._folder / ".git"

    @contextmanager
    def departure(self) -> Iterator[Departure]:
        """Its history as what may leave this machine; the repository is held meanwhile."""
        with self._working():
            yield Departure(self._objects)

    def clear_stale_locks(self) -> list[str]:
        """Remove the locks that a killed service left. Only for start-up, before anything else runs."""
        with self._working():
            return clear_stale_locks(self._folder, self._started)

    def maintain(self) -> None:
        """Forget snapshots that are older than is kept, and pack the rest; nothing while git is at work there."""
        with self._working():
            if git_at_work(self._folder) or locks(self._folder / ".git"):
                return
            if Maintenance(self._objects, self._folder, self._keep_days).run():
                self._repo.free()
                self._begin()

    def _standing(self) -> tuple[Standing, bytes]:
        now = self._now()
        return Standing(self._objects, now, self._scanner.holds_uncovered), now

    def _step(self, task_id: str) -> tuple[bytes, list[Changed]]:
        before, after = self._snapshot_tree(task_id, "before"), self._snapshot_tree(task_id, "after")
        return before, list(self._objects.differences(before, after))

    def _return_to(self, standing: Standing, now: bytes, target: bytes, paths: Iterable[str] | None) -> set[str]:
        wanted = None if paths is None else {above for path in paths for above in (*parents(path), path)}
        return standing.settle(
            Wish(change.path, change.before, target)
            for change in self._objects.differences(target, now)
            if wanted is None or change.path in wanted
        )

    def _taken_back(self, standing: Standing, kept: set[str], draft: Draft) -> TakenBack:
        return TakenBack(standing.put_into(draft, self._load), tuple(sorted(kept)))

    def _load(self, oid: bytes) -> bytes:
        with self._working():
            return self._objects.blob(oid)

    def _snapshot_tree(self, task_id: str, which: str) -> bytes:
        try:
            return self._repo.references[_ref(task_id, which)].peel(pygit2.Commit).tree.id.raw
        except (KeyError, pygit2.GitError) as error:
            raise NotFound(
                f"What the project was like {which} the task `{task_id}` is not kept",
                hint=f"Snapshots are kept for {self._keep_days} days; the history of commits goes back further",
            ) from error

    def _now(self) -> bytes:
        """The tree of all that is there, held by a reference so that no clean-up takes its objects away."""
        tree = self._scan()
        if self._anchor is None or self._anchor[2] != tree:
            self._keep(LATEST, tree)
        return tree

    def _scan(self) -> bytes:
        if not self._anchored():
            self._begin()
        return self._scanner.scan()

    def _anchored(self) -> bool:
        """Whether what the scanner remembers as stored is bound to be stored still."""
        if self._anchor is None:
            return True
        try:
            return self._repo.references[self._anchor[0]].target == pygit2.Oid(raw=self._anchor[1])
        except KeyError:
            return False

    def _keep(self, name: str, tree: bytes) -> pygit2.Oid:
        """Point a reference to a snapshot of this tree; an unchanged project needs no new one."""
        now = time.time()
        if self._anchor is not None and self._anchor[2] == tree and 0 <= now - self._anchor[3] < DAY:
            commit = pygit2.Oid(raw=self._anchor[1])
        else:
            signature = pygit2.Signature(*self._author)
            commit = self._repo.create_commit(None, signature, signature, SNAPSHOT, pygit2.Oid(raw=tree), [])
            self._anchor = None
        self._set(name, commit)
        self._anchor = (name, commit.raw, tree, self._anchor[3] if self._anchor else now)
        return commit

    def _forget(self, name: str) -> None:
        if name in self._repo.references:
            self._repo.references.delete(name)

    def _set(self, name: str, commit: pygit2.Oid) -> None:
        self._repo.references.create(name, commit, force=True)


def covers(path: str, skip: frozenset[str]) -> bool:
    return not any(name in skip for name in path.split("/"))


def _ref(task_id: str, which: str) -> str:
    if not TASK_ID.fullmatch(task_id):
        raise NotFound(f"`{shown(task_id)}` is not the id of a task")
    return f"refs/agent/{task_id}/{which}"


def _message(message: str, task_id: str | None = None) -> str:
    text = message.encode("utf-8", "replace").decode().replace("\0", "").strip() or "Changed files"
    return f"{text}\n\n{TRAILER}{task_id}\n" if task_id else f"{text}\n"
