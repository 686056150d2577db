"""Applies a change set to a project's folder: the whole of it, or nothing."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from contracts.errors import AppError, Conflict, Failed, NotFound, UnsafePath
from contracts.files import Change, ChangeSet, Kind, Node
from contracts.paths import shown
from workspaces.draft import above
from workspaces.safe_open import LISTING, Folder, Found, check_inside, speaking_of

log = logging.getLogger(__name__)
PRIVATE, NEW_FOLDER = 0o700, 0o755
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
CHANGED = "Someone else changed it; look at it and try again"


class Application:
    """One change set on its way to the disk. New nodes wait in `stage`; so do old ones, until all is well."""

    def __init__(self, project: Folder, stage: Folder, changes: ChangeSet) -> None:
        self._project = project
        self._stage = stage
        self._changes = {change.path: change for change in changes.changes}
        self._number = {path: number for number, path in enumerate(self._changes)}
        self._folders: dict[str, int] = {}
        self._rooms: set[str] = set()
        self._opened: set[str] = set()
        self._parent: tuple[str, Folder] | None = None
        self.stuck: list[str] = []
        """What could not be put back after a failure."""

    def run(self) -> None:
        """Raises Conflict, UnsafePath or Failed, after putting everything back."""
        self._verify()
        self._prepare()
        with ExitStack() as undo:
            undo.callback(self._forget_parent)
            self._unlock(undo)
            self._take_away(undo)
            self._put_in_place(undo)
            self._set_modes()
            undo.pop_all()
            self._forget_parent()

    def _verify(self) -> None:
        self._spare_history()
        for path, change in self._changes.items():
            if not self._as_seen(change, self._look(path)):
                raise Conflict(f"`{shown(path)}` is not what it was a moment ago", hint=CHANGED)
            if change.before and change.before.kind is Kind.DIRECTORY and not _is_folder(change.after):
                self._verify_emptied(path)
            if change.after:
                self._verify_room(change)

    def _spare_history(self) -> None:
        """However a path is spelled, it may not lead into the project's own `.git`."""
        history = self._project.look(".git")
        for top in {path.split("/", maxsplit=1)[0] for path in self._changes}:
            check_inside(top or "..")
            found = self._project.look(top)
            if top == ".git" or (history and found and found.stamp.inode == history.stamp.inode):
                raise UnsafePath(f"`{shown(top)}` belongs to the history of the project")

    def _look(self, path: str) -> Found | None:
        """A link or file that the set replaces is not in the way of what it puts below."""
        replaced = (self._changes[folder] for folder in above(path) if folder in self._changes)
        return self._project.look(path) if all(_is_folder(change.before) for change in replaced) else None

    @staticmethod
    def _as_seen(change: Change, found: Found | None, *, renamed: bool = False) -> bool:
        if found is None or change.before is None:
            return found is None and change.before is None
        if found.node != change.before:
            return False
        if change.seen is None:
            return True
        if _is_folder(found.node):
            return found.stamp.inode == change.seen.inode
        # Renaming alone moves the time of the last status change on.
        seen = change.seen.inode, change.seen.mtime_ns, renamed or change.seen.ctime_ns
        return seen == (found.stamp.inode, found.stamp.mtime_ns, renamed or found.stamp.ctime_ns)

    def _verify_emptied(self, path: str) -> None:
        for name, _ in self._project.scan(path):
            child = self._changes.get(f"{path}/{name}")
            if child is None or child.after is not None:
                raise Conflict(f"`{shown(f'{path}/{name}')}` stands in a folder that is to go", hint=CHANGED)

    def _verify_room(self, change: Change) -> None:
        for folder in above(change.path):
            if folder in self._rooms:
                continue
            planned = self._changes.get(folder)
            found = self._look(folder) if planned is None else None
            node = planned.after if planned else found and found.node
            if node is None and planned is None:
                self._folders[folder] = NEW_FOLDER
            elif not _is_folder(node):
                raise Conflict(f"`{shown(folder)}` is not a folder, so nothing can be put below it", hint=CHANGED)
            self._rooms.add(folder)
        source = self._changes.get(change.moved_from) if change.moved_from else None
        if change.moved_from and (source is None or source.before != change.after):
            raise Conflict(f"`{shown(change.moved_from)}` is not there to be moved", hint=CHANGED)

    def _prepare(self) -> None:
        """Write everything new into the stage, where nobody sees it."""
        for path, change in self._changes.items():
            if change.after is None or change.moved_from:
                continue
            if change.after.kind is Kind.DIRECTORY:
                self._folders[path] = change.after.mode
                continue
            with speaking_of(path):
                self._write(f"new-{self._number[path]}", change.after, change)

    def _write(self, name: str, node: Node, change: Change) -> None:
        data = change.load() if change.load else b""
        if len(data) != node.size:
            raise Failed(f"The new content of `{shown(change.path)}` is not complete")
        match node.kind:
            case Kind.FILE:
                with os.fdopen(os.open(name, NEW_FILE, 0o600, dir_fd=self._stage.fd), "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fchmod(file.fileno(), node.mode)
            case Kind.SYMLINK:
                os.symlink(data, name, dir_fd=self._stage.fd)
            case Kind.FIFO:
                os.mkfifo(name, 0o600, dir_fd=self._stage.fd)
                os.chmod(name, node.mode, dir_fd=self._stage.fd)
            case _:
                raise UnsafePath(f"`{shown(change.path)}` is a device or socket and cannot be made again")

    def _unlock(self, undo: ExitStack) -> None:
        """Give the owner access to folders that change, or that are emptied, for as long as it takes."""
        for path, change in self._changes.items():
            if change.before and _is_folder(change.before):
                self._later(undo, path, partial(self._restore_mode, mode=change.before.mode))
                if change.before.mode & PRIVATE != PRIVATE:
                    self._set_mode(path, change.before.mode | PRIVATE)

    def _take_away(self, undo: ExitStack) -> None:
        for path, change in reversed(self._changes.items()):
            if change.before is None or (_is_folder(change.before) and _is_folder(change.after)):
                continue
            if _is_folder(change.before):
                self._remove_folder(path)
                self._later(undo, path, self._make_folder)
                continue
            kept = f"old-{self._number[path]}"
            with self._at(path) as (parent, name):
                untouched = self._as_seen(change, parent.look(name))
                if untouched:
                    os.rename(name, kept, src_dir_fd=parent.fd, dst_dir_fd=self._stage.fd)
                    self._later(undo, path, partial(self._from_stage, waiting=kept))
            if not untouched or not self._as_seen(change, self._stage.look(kept), renamed=True):
                raise Conflict(f"`{shown(path)}` was changed while it was being replaced", hint=CHANGED)

    def _put_in_place(self, undo: ExitStack) -> None:
        for path in sorted({*self._folders, *self._changes}):
            change = self._changes.get(path)
            if path in self._folders:
                if change is None or not _is_folder(change.before):
                    self._make_folder(path)
                    self._later(undo, path, self._remove_folder)
            elif change and change.after:
                moved = change.moved_from
                waiting = f"old-{self._number[moved]}" if moved else f"new-{self._number[path]}"
                self._from_stage(path, waiting)
                self._later(undo, path, partial(self._to_stage, waiting=waiting))

    def _set_modes(self) -> None:
        """The innermost first, since a folder's new mode may close it to us."""
        for path, mode in sorted(self._folders.items(), reverse=True):
            self._set_mode(path, mode)

    @contextmanager
    def _at(self, path: str) -> Iterator[tuple[Folder, str]]:
        """The folder above a path, kept open for the path after, and the name in it."""
        folder, _, name = path.rpartition("/")
        with _noticing(path):
            if self._parent is None or self._parent[0] != folder:
                self._forget_parent()
                self._parent = (folder, self._project.folder(folder))
            yield self._parent[1], name

    def _forget_parent(self) -> None:
        if self._parent:
            self._parent[1].close()
            self._parent = None

    def _make_folder(self, path: str) -> None:
        with self._at(path) as (parent, name):
            os.mkdir(name, PRIVATE, dir_fd=parent.fd)
        self._opened.add(path)

    def _remove_folder(self, path: str) -> None:
        with self._at(path) as (parent, name):
            os.rmdir(name, dir_fd=parent.fd)

    def _from_stage(self, path: str, waiting: str) -> None:
        with self._at(path) as (parent, name):
            self._project.kernel.rename_new(self._stage.fd, waiting, parent.fd, name)

    def _to_stage(self, path: str, waiting: str) -> None:
        with self._at(path) as (parent, name):
            self._project.kernel.rename_new(parent.fd, name, self._stage.fd, waiting)

    def _set_mode(self, path: str, mode: int) -> None:
        with _noticing(path), self._project.folder(path, LISTING) as folder:
            os.fchmod(folder.fd, mode)
        self._opened.add(path)

    def _restore_mode(self, path: str, mode: int) -> None:
        if path in self._opened:
            self._set_mode(path, mode)

    def _later(self, undo: ExitStack, path: str, step: Callable[[str], None]) -> None:
        undo.callback(self._try_back, path, step)

    def _try_back(self, path: str, step: Callable[[str], None]) -> None:
        try:
            step(path)
        except AppError as error:
            self.stuck.append(path)
            log.warning("could not put back %s: %s", shown(path), error)


@contextmanager
def _noticing(path: str) -> Iterator[None]:
    """Like `speaking_of`, for a path that was there a moment ago."""
    try:
        with speaking_of(path):
            yield
    except NotFound as error:
        raise Conflict(f"`{shown(path)}` went away in the meantime", hint=CHANGED) from error


def _is_folder(node: Node | None) -> bool:
    return node is not None and node.kind is Kind.DIRECTORY
