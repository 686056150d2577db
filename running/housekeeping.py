"""Keeps project histories small: after many changes, snapshots are packed and old ones forgotten, between two steps."""

import logging
import threading
from collections import Counter

from contracts.errors import AppError
from git_manager import GitManager
from running.lanes import Lanes

log = logging.getLogger(__name__)


class Housekeeping:
    def __init__(self, git: GitManager, lanes: Lanes, *, every: int) -> None:
        self._git = git
        self._lanes = lanes
        self._every = every
        self._guard = threading.Lock()
        self._changes: Counter[str] = Counter()

    def changed(self, project: str) -> None:
        """Told of every change; once there have been enough, the project is tidied when its lane comes to it."""
        with self._guard:
            self._changes[project] += 1
            if self._changes[project] < self._every:
                return
            del self._changes[project]
        self._lanes.submit(project, lambda: self._tidy(project))

    def _tidy(self, project: str) -> None:
        try:
            self._git.open(project).maintain()
        except (AppError, OSError) as error:
            log.warning("A project could not be tidied", extra={"data": {"project": project, "why": str(error)}})
