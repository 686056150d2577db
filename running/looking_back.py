"""What was done, for people to look back on: the line of actions, and what each of them changed."""

import threading
from collections import OrderedDict
from dataclasses import asdict
from typing import Any

from context_manager import ContextManager
from contracts.errors import AppError, NotFound
from contracts.paths import shown
from git_manager import FileChange, GitManager, ProjectRepo
from memory.timeline import Entry, Timeline
from project_files import Workspace

BATCH = 2000
COUNTED = 20_000
"""How many actions' sizes are remembered; a size never changes."""
Size = tuple[int, int | None, int | None]


class LookingBack:
    """Reads only. Threads may share it."""

    def __init__(self, memory: ContextManager, git: GitManager, workspace: Workspace) -> None:
        self._memory = memory
        self._git = git
        self._workspace = workspace
        self._lock = threading.Lock()
        self._timeline = Timeline()
        self._sizes: OrderedDict[str, Size] = OrderedDict()

    def timeline(
        self, *, project: str | None = None, before: int | None = None, limit: int = 50, changes: bool = False
    ) -> list[dict[str, Any]]:
        """Actions that ended, the newest first."""
        with self._lock:
            self._catch_up()
            found = self._timeline.page(project=project, before=before, limit=limit, changes=changes)
            titles = {entry.root: plan.title for entry in found if (plan := self._timeline.find(entry.root))}
        undoable = {name: self._undoable(name) for name in {entry.project for entry in found} if name}
        return [
            {
                **asdict(entry),
                "plan": titles.get(entry.root) if entry.root != entry.id else None,
                "undone": entry.undone_by is not None,
                "can_undo": entry.id in undoable.get(entry.project or "", ()),
                **self._size(entry),
            }
            for entry in found
        ]

    def days(self, count: int) -> list[dict[str, Any]]:
        """By day, newest last: how many actions went which way, and how many of them ran without asking."""
        found: dict[str, dict[str, Any]] = {}
        with self._lock:
            self._catch_up()
            for entry in self._timeline.ended():
                day = entry.at[:10]
                if day not in found and len(found) == count:
                    break
                tally = found.setdefault(day, {"date": day, **dict.fromkeys(TALLIED, 0), "seconds": 0.0, "cost": 0.0})
                tally[entry.status] += 1
                tally["undone"] += entry.undone_by is not None
                tally["alone"] += entry.by == "trust"
                tally["seconds"] = round(tally["seconds"] + (entry.seconds or 0.0), 3)
                tally["cost"] = round(tally["cost"] + entry.cost, 6)
        return [found[day] for day in sorted(found)]

    def root_of(self, task_id: str) -> tuple[str, str] | None:
        """The id of the root task of a task, however old, and when that was asked for."""
        with self._lock:
            self._catch_up()
            entry = self._timeline.find(task_id)
            root = self._timeline.find(entry.root) if entry else None
        return (root.id, root.created) if root else None

    def diff(self, task_id: str) -> list[dict[str, Any]]:
        """What a task, or the steps of a plan, changed: file by file, without the texts."""
        return [
            {"project": project, **_shown(change)}
            for project, repo, ids in self._changed_by(task_id)
            for change in repo.changes_of(ids)
        ]

    def file_diff(self, task_id: str, path: str, project: str | None) -> dict[str, Any]:
        """One file of `diff` with its text before and after."""
        for place, repo, ids in self._changed_by(task_id):
            for change in repo.changes_of(ids):
                if shown(change.path) == path and project in (None, place):
                    return {"project": place, **_shown(change), **asdict(repo.sides_of(change))}
        raise NotFound(f"Task `{task_id}` did not change `{path}`", hint=f"`GET /tasks/{task_id}/diff` lists the files")

    def _catch_up(self) -> None:
        while events := list(self._memory.store.events(self._timeline.seq, BATCH)):
            for event in events:
                self._timeline.apply(event)

    def _undoable(self, project: str) -> set[str]:
        if not self._workspace.exists(project):
            return set()
        return {moment.id for moment in self._memory.timeline(project) if not moment.undone}

    def _changed_by(self, task_id: str) -> list[tuple[str, ProjectRepo, list[str]]]:
        with self._lock:
            self._catch_up()
            steps = self._timeline.steps_of(task_id)
        if not steps:
            # Nothing of it has ended: whether there is such a task at all, the memory knows.
            self._memory.task(task_id)
        places: dict[str, list[str]] = {}
        for step in steps:
            if step.files and step.project:
                places.setdefault(step.project, []).append(step.id)
        return [(name, self._git.open(name), ids) for name, ids in places.items() if self._git.exists(name)]

    def _size(self, entry: Entry) -> dict[str, Any]:
        """How large its change was: files, and lines where they could be counted."""
        if not entry.files or not entry.project:
            return {"files": entry.files, "added": None, "removed": None}
        if entry.id not in self._sizes:
            size = self._measured(entry)
            with self._lock:
                self._sizes[entry.id] = size
                while len(self._sizes) > COUNTED:
                    self._sizes.popitem(last=False)
        files, added, removed = self._sizes[entry.id]
        return {"files": files, "added": added, "removed": removed}

    def _measured(self, entry: Entry) -> Size:
        try:
            repo = self._git.open(entry.project or "") if self._git.exists(entry.project or "") else None
            changes = repo.changes_of([entry.id]) if repo else []
        except AppError:  # its snapshots are no longer kept, or the history cannot be used
            changes = []
        counted = [change for change in changes if change.added is not None]
        if not counted:
            return len(changes) or entry.files, None, None
        return len(changes), sum(c.added or 0 for c in counted), sum(c.removed or 0 for c in counted)


TALLIED = ("succeeded", "failed", "rejected", "cancelled", "undone", "alone")


def _shown(change: FileChange) -> dict[str, Any]:
    return {
        "path": shown(change.path),
        "change": change.change,
        "kind": change.kind.value,
        "before_bytes": change.before_bytes,
        "after_bytes": change.after_bytes,
        "moved_from": shown(change.moved_from) if change.moved_from else None,
        "binary": change.binary,
        "too_large": change.too_large,
        "added": change.added,
        "removed": change.removed,
    }
