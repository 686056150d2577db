"""A project on the real disk with real git, worked on the way the executor does it."""

import os
import stat
import subprocess
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import TypeVar

import pygit2
from pygit2.enums import ConfigLevel

from contracts.files import Draft
from git_manager import GitManager, ProjectRepo, Recorded, TakenBack
from project_files import Workspace

T = TypeVar("T")
CLEAN_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Someone",
    "GIT_AUTHOR_EMAIL": "someone@localhost",
    "GIT_COMMITTER_NAME": "Someone",
    "GIT_COMMITTER_EMAIL": "someone@localhost",
}
Standing = dict[str, tuple[str, int, bytes]]


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    """Runs real git and gives what it prints."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=CLEAN_ENVIRONMENT, capture_output=True, check=False, timeout=60
    )
    if check and done.returncode:
        raise AssertionError(f"git {' '.join(arguments)}: {os.fsdecode(done.stdout + done.stderr)}")
    return os.fsdecode(done.stdout)


def standing(folder: Path, *, aside: Iterable[str] = ()) -> Standing:
    """Everything below a folder but its own `.git`: kind, mode and bytes, links unfollowed."""
    found: Standing = {}
    waiting = [""]
    while waiting:
        at = waiting.pop()
        for entry in os.scandir(folder / at):
            path = f"{at}/{entry.name}" if at else entry.name
            if path == ".git" or entry.name in aside:
                continue
            mode = entry.stat(follow_symlinks=False).st_mode
            content = b""
            if stat.S_ISDIR(mode):
                waiting.append(path)
            elif stat.S_ISLNK(mode):
                content = os.fsencode(Path(entry.path).readlink())
            elif stat.S_ISREG(mode):
                content = Path(entry.path).read_bytes()
            found[path] = (stat.filemode(mode)[0], stat.S_IMODE(mode), content)
    return found


class RealProject:
    """One project below `root`; steps are numbered by themselves."""

    def __init__(self, root: Path, name: str = "p", *, manager: GitManager | None = None) -> None:
        for level in (ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
            # As for real git above: the settings of whoever runs the tests are left aside.
            pygit2.settings.search_path[level] = ""
        self.root = root
        self.name = name
        self.path = root / name
        self.path.mkdir(parents=True, exist_ok=True)
        self.manager = manager or GitManager(root)
        self.workspace = Workspace(root)
        self._numbers = count(1)

    @property
    def repo(self) -> ProjectRepo:
        return self.manager.open(self.name)

    def git(self, *arguments: str, check: bool = True) -> str:
        return git(self.path, *arguments, check=check)

    def status(self) -> list[str]:
        return self.git("status", "--porcelain").splitlines()

    def standing(self) -> Standing:
        return standing(self.path)

    def write(self, path: str, data: bytes = b"x\n", mode: int | None = None) -> None:
        """Behind the agent's back."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        if mode is not None:
            target.chmod(mode)

    def begin(self) -> str:
        """The state before a step that the test itself carries out."""
        task_id = f"t{next(self._numbers)}"
        self.repo.snapshot(task_id)
        return task_id

    def step(self, action: Callable[[Draft], T], message: str = "Did it") -> tuple[str, Recorded, T]:
        """One step through a draft, as the executor takes it."""
        task_id = f"t{next(self._numbers)}"
        draft = self.workspace.draft(self.name)
        said = action(draft)
        changes = draft.changes()
        self.repo.snapshot(task_id)
        self.workspace.apply(self.name, changes, stage=task_id)
        paths = [change.path for change in changes.changes]
        return task_id, self.repo.record(task_id, message, paths=paths), said

    def put(self, path: str, data: bytes = b"x\n") -> str:
        """A step that writes a file; gives the task."""
        return self.step(lambda draft: draft.write(path, data))[0]

    def put_all(self, files: Mapping[str, bytes]) -> tuple[str, Recorded]:
        """A step that writes several files."""

        def write(draft: Draft) -> None:
            for path, data in files.items():
                draft.write(path, data)

        task_id, recorded, _ = self.step(write)
        return task_id, recorded

    def take_back(self, *task_ids: str, exact: bool = False) -> tuple[str, TakenBack]:
        task_id, _, taken = self.step(lambda draft: self.repo.take_back(task_ids, draft, exact=exact))
        return task_id, taken
