"""The only door to the files of projects: reading them race-free, drafting changes, applying them as one set."""

import errno
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from contracts.errors import AlreadyExists, NotFound, UnsafePath
from contracts.files import ChangeSet, Node
from contracts.paths import check_project, fold, shown
from workspaces.changes import Application
from workspaces.draft import ProjectDraft, spare_history
from workspaces.safe_open import LISTING, Folder, Kernel, Nowhere, in_words, speaking_of

__all__ = ["ProjectDraft", "Workspace"]

STAGE = re.compile(r"[A-Za-z0-9._-]{1,128}")
STAGES = ".stage"
PRIVATE = 0o700


class Workspace:
    """The folder that holds the projects, each in a folder of its own."""

    def __init__(self, root: Path, *, strict_open: bool = True) -> None:
        """`strict_open` resolves paths in one `openat2` where the kernel has it, else step by step."""
        self._root = root
        self._kernel = Kernel(strict_open=strict_open)

    def names(self) -> list[str]:
        try:
            with os.scandir(self._root) as entries:
                return sorted(e.name for e in entries if e.is_dir(follow_symlinks=False) and _is_project_name(e.name))
        except FileNotFoundError:
            return []

    def exists(self, project: str) -> bool:
        if not _is_project_name(project):
            return False
        try:
            return stat.S_ISDIR((self._root / project).lstat().st_mode)
        except FileNotFoundError:
            return False

    def create(self, project: str) -> None:
        """Make an empty project; AlreadyExists also for a name that differs only in case."""
        path = self.path(project)
        self._refuse_twin(project)
        with speaking_of(project):
            path.mkdir(parents=True)

    def _refuse_twin(self, project: str) -> None:
        with suppress(FileNotFoundError):
            for other in self._root.iterdir():
                if fold(other.name) == fold(project):
                    raise AlreadyExists(f"There is already a project `{shown(other.name)}`", hint="Choose another name")

    def path(self, project: str) -> Path:
        """Where the project is or would be; UnsafePath for a name that no project may have."""
        try:
            return self._root / check_project(project)
        except ValueError as error:
            raise UnsafePath(f"`{shown(project)}` cannot be a project: {error}", hint="Choose another name") from error

    def draft(self, project: str, *, missing_ok: bool = False) -> ProjectDraft:
        """The project's files with nothing changed yet; NotFound if there is no such project.

        With `missing_ok` a project that does not exist, or the name ``, is taken for an empty one.
        """
        if missing_ok and not project:
            return ProjectDraft(lambda: Nowhere(self._kernel))
        try:
            self._open(project).close()
        except NotFound:
            if not missing_ok:
                raise
            self._refuse_twin(project)
            return ProjectDraft(lambda: Nowhere(self._kernel))
        return ProjectDraft(lambda: self._open(project))

    def open_file(self, project: str, path: str) -> BinaryIO:
        """A regular file, opened for reading; it stays the same one whatever happens to its path."""
        with self._open(project) as folder:
            return os.fdopen(folder.open_file(spare_history(path)), "rb")

    def walk(self, project: str) -> Iterator[tuple[str, Node]]:
        """Everything in the project, sorted by path; never enters `.git` or a symlink."""
        return self.draft(project).children(recursive=True)

    def apply(self, project: str, changes: ChangeSet, *, stage: str) -> None:
        """Apply all of the changes or none: Conflict if a path is not what the draft saw, Failed if the disk refuses.

        Nothing is synced to the disk here: after a power cut or a kill, whoever called restores from its snapshot.
        """
        if not changes:
            return
        if not STAGE.fullmatch(stage):
            raise ValueError(f"not a name for a stage: {stage!r}")
        name = f"stage-{stage}"
        with self._open(project) as folder, self._stages(folder, project) as stages:
            with speaking_of(".git"):
                shutil.rmtree(name, ignore_errors=True, dir_fd=stages.fd)
                os.mkdir(name, PRIVATE, dir_fd=stages.fd)
            with stages.folder(name) as place:
                application = Application(folder, place, changes)
                try:
                    application.run()
                finally:
                    if not application.stuck:
                        shutil.rmtree(name, ignore_errors=True, dir_fd=stages.fd)

    def clear_stage(self, project: str) -> None:
        """Remove what a killed `apply` left behind."""
        with self._open(project) as folder, Folder(os.open(self._root, LISTING), self._kernel) as root:
            for place, path in ((folder, ".git/agent"), (root, f"{STAGES}/{project}")):
                with suppress(UnsafePath):
                    for name in [name for name, _ in place.scan(path) if name.startswith("stage-")]:
                        with place.folder(path, LISTING) as stages:
                            shutil.rmtree(name, ignore_errors=True, dir_fd=stages.fd)

    def _open(self, project: str) -> Folder:
        path = self.path(project)
        try:
            return Folder(os.open(path, LISTING), self._kernel)
        except FileNotFoundError:
            raise NotFound(f"There is no project `{project}`", hint="List the projects to see their names") from None
        except OSError as error:
            if error.errno not in {errno.ENOTDIR, errno.ELOOP}:
                raise in_words(error, project) from error
            raise UnsafePath(
                f"`{project}` is a link or a file, not a project's folder",
                hint="Put the folder itself into the workspace",
            ) from error

    def _stages(self, folder: Folder, project: str) -> Folder:
        """Where stages are made: on the disk of the project, outside of what a listing shows."""
        with speaking_of(project):
            try:
                with folder.folder(".git") as history:
                    return _made(history, "agent")
            except OSError as error:
                if error.errno not in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
                    raise
            with Folder(os.open(self._root, LISTING), self._kernel) as root, _made(root, STAGES) as stages:
                return _made(stages, project)


def _made(folder: Folder, name: str) -> Folder:
    with suppress(FileExistsError):
        os.mkdir(name, PRIVATE, dir_fd=folder.fd)
    return folder.folder(name, LISTING)


def _is_project_name(name: str) -> bool:
    try:
        check_project(name)
    except ValueError:
        return False
    return True
