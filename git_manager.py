"""The only user of git: opens the repository of each project and keeps what is known of it between steps."""

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pygit2

from contracts.deployments import Say, Tick
from contracts.errors import UnsafePath
from contracts.paths import check_project, shown
from repositories.addresses import Address, address_of
from repositories.changes import LARGEST_TEXT, FileChange, Sides, count_lines, is_binary
from repositories.history import CommitInfo, CommittedFile, PathDiff
from repositories.outgoing import Departure, Outgoing, PushWish
from repositories.project import ProjectRepo, Recorded, covers
from repositories.pushing import Pushed, Pusher
from repositories.rules import LeftOut
from repositories.text import Merged, text_diff
from repositories.transport import Login
from repositories.undo import TakenBack

__all__ = [
    "DEPENDENCY_FOLDERS",
    "LARGEST_TEXT",
    "Address",
    "CommitInfo",
    "CommittedFile",
    "Departure",
    "FileChange",
    "GitManager",
    "LeftOut",
    "Login",
    "Merged",
    "Outgoing",
    "PathDiff",
    "ProjectRepo",
    "PushWish",
    "Pushed",
    "Recorded",
    "Sides",
    "TakenBack",
    "address_of",
    "count_lines",
    "is_binary",
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
FEWEST: Mapping[str, str] = MappingProxyType({"PATH": os.defpath})


class GitManager:
    """The repositories of all projects below one folder."""

    def __init__(
        self,
        root: Path,
        *,
        author: tuple[str, str] = ("Task Agent", "agent@localhost"),
        skip: frozenset[str] = DEPENDENCY_FOLDERS,
        keep_days: int = 90,
        environ: Mapping[str, str] = FEWEST,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`environ` tells the git program where certificates and proxies are; `pause` waits between attempts."""
        self._root = root
        self._author = author
        self._skip = skip
        self._keep_days = keep_days
        self._pusher = Pusher(environ, pause)
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

    def push(self, project: str, wish: PushWish, *, say: Say, tick: Tick) -> Pushed:
        """Bring the project's history there; nothing there is written over, and nothing is sent twice."""
        return self._pusher.push(self.open(project), wish, say=say, tick=tick)

    def tips(self, project: str, wish: PushWish, *, tick: Tick) -> dict[str, str]:
        """The branches there, by their full names, and the commit of each."""
        return self._pusher.tips(self.open(project), wish, tick=tick)

    def enter(self, wish: PushWish) -> None:
        """Only see whether the place lets one in; raises what it says if not."""
        self._pusher.enter(wish)

    def covers(self, path: str) -> bool:
        """Whether snapshots hold the path, so that what happens to it can be undone."""
        return covers(path, self._skip)

    def _folder(self, project: str) -> Path:
        try:
            return self._root / check_project(project)
        except ValueError as error:
            raise UnsafePath(f"`{shown(project)}` cannot be the name of a project", hint=str(error)) from error
