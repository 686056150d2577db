"""The only user of git: opens the repository of each project and keeps what is known of it between steps."""

import threading
import time
from collections import OrderedDict
from pathlib import Path

import pygit2

from contracts.errors import UnsafePath
from contracts.paths import check_project, shown
from repositories.history import CommitInfo, PathDiff
from repositories.project import ProjectRepo, Recorded, covers
from repositories.rules import LeftOut
from repositories.text import text_diff
from repositories.undo import TakenBack

__all__ = [
    "DEPENDENCY_FOLDERS",
    "CommitInfo",
    "GitManager",
    "LeftOut",
    "PathDiff",
    "ProjectRepo",
    "Recorded",
    "TakenBack",
    "text_diff",
]

DEPENDENCY_FOLDERS = frozenset(
    {
        "node_modules",
        "bower_components",
        ".venv",
        "venv",
        "__pycache__",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".tox",
        ".nox",
        ".eggs",
        ".gradle",
    }
)
"""Folders that a tool can make again; snapshots and undo leave them aside."""
MOST_OPEN = 32


class GitManager:
    """The repositories of all projects below one folder."""

    def __init__(
        self,
        root: Path,
        *,
        author: tuple[str, str] = ("Task Agent", "agent@localhost"),
        skip: frozenset[str] = DEPENDENCY_FOLDERS,
        keep_days: int = 90,
    ) -> None:
        self._root = root
        self._author = author
        self._skip = skip
        self._keep_days = keep_days
        self._started = time.time()
        self._lock = threading.Lock()
        self._open: OrderedDict[str, ProjectRepo] = OrderedDict()
        # A service may run as another user than the one who owns the projects; whose they are says nothing here.
        pygit2.settings.owner_validation = False

    def exists(self, project: str) -> bool:
        """Whether the project has a repository of its own."""
        return (self._folder(project) / ".git").is_dir()

    def open(self, project: str) -> ProjectRepo:
        """The project's repository, made if there is none; Conflict if its `.git` is of a kind that cannot be used."""
        folder = self._folder(project)
        with self._lock:
            repo = self._open.get(project)
            if repo is None or not repo.is_current():
                repo = ProjectRepo(
                    folder,
                    author=self._author,
                    skip=self._skip,
                    keep_days=self._keep_days,
                    started=self._started,
                )
                self._open[project] = repo
            self._open.move_to_end(project)
            while len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)
            return repo

    def covers(self, path: str) -> bool:
        """Whether snapshots hold the path, so that what happens to it can be undone."""
        return covers(path, self._skip)

    def _folder(self, project: str) -> Path:
        try:
            return self._root / check_project(project)
        except ValueError as error:
            raise UnsafePath(f"`{shown(project)}` cannot be the name of a project", hint=str(error)) from error
