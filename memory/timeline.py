"""Every action that was carried out or refused, in order, folded from the same events as the memory.

The memory keeps what is recent; this keeps the little that a line in a list needs, of far more of them.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from contracts.events import Event

LONGEST = 300
MOST = 100_000
"""Older ones are in the logs."""
ENDED = frozenset({"succeeded", "failed", "rejected", "cancelled"})


@dataclass(slots=True)
class Entry:
    """One action, or a plan of several."""

    id: str
    title: str
    intent: str
    project: str | None
    root: str
    """The task that it is a step of, or itself."""
    created: str
    at: str = ""
    """When it ended."""
    seq: int = 0
    """The number of the event that ended it: the place on the line."""
    status: str = ""
    message: str = ""
    seconds: float | None = None
    cost: float = 0.0
    by: str | None = None
    """Who let it run: `owner`, `plan` or, where it ran alone, `trust`."""
    files: int = 0
    commit: str | None = None
    undoes: list[str] = field(default_factory=list)
    redoes: list[str] = field(default_factory=list)
    undone_by: str | None = None


class Timeline:
    """Given every event once, in order. Whoever shares it between threads sees to the lock."""

    def __init__(self, most: int = MOST) -> None:
        self.seq = 0
        self._most = most
        self._open: dict[str, Entry] = {}
        self._known: dict[str, Entry] = {}
        self._line: deque[Entry] = deque()
        self._by_project: dict[str, deque[Entry]] = {}
        self._by_root: dict[str, list[str]] = {}

    def apply(self, event: Event) -> None:
        """Never raises: an odd event is skipped, as the memory skips it."""
        self.seq = event.seq
        handler = getattr(self, f"_on_{event.type}", None)
        if handler is not None:
            try:
                handler(event, event.data)
            except (KeyError, TypeError, ValueError, AttributeError):
                return

    def page(
        self, *, project: str | None = None, before: int | None = None, limit: int = 50, changes: bool = False
    ) -> list[Entry]:
        """The newest first, from before an entry's `seq` on; with `changes` only those that changed files."""
        line = self._line if project is None else self._by_project.get(project, deque())
        start = len(line) if before is None else bisect_left(line, before, key=lambda entry: entry.seq)
        found: list[Entry] = []
        for index in range(start - 1, -1, -1):
            entry = line[index]
            if not changes or entry.files:
                found.append(entry)
                if len(found) == limit:
                    break
        return found

    def find(self, task_id: str) -> Entry | None:
        return self._known.get(task_id) or self._open.get(task_id)

    def steps_of(self, task_id: str) -> list[Entry]:
        """The task itself, or the steps of a plan, oldest first; only those that are on the line."""
        own = self._known.get(task_id)
        if own is not None and own.intent != "plan":
            return [own]
        steps = [self._known[name] for name in self._by_root.get(task_id, ()) if name in self._known]
        return sorted((step for step in steps if step.intent != "plan"), key=lambda step: step.seq)

    def ended(self) -> Iterator[Entry]:
        """Every action on the line, the newest first."""
        return reversed(self._line)

    def _on_task_added(self, event: Event, data: dict[str, Any]) -> None:
        task = data["task"]
        root = self._root(task.get("parent_id")) or task["id"]
        self._open[task["id"]] = Entry(
            task["id"], task["title"], task["intent"], task.get("project"), root, task["created"]
        )
        if root != task["id"]:
            self._by_root.setdefault(root, []).append(task["id"])

    def _root(self, parent: str | None) -> str | None:
        above = self.find(parent) if parent else None
        return above.root if above else parent

    def _on_steps_adopted(self, event: Event, data: dict[str, Any]) -> None:
        for step in data["steps"]:
            self._open[step].root = event.task_id or step
            self._by_root.setdefault(event.task_id or "", []).append(step)

    def _on_task_edited(self, event: Event, data: dict[str, Any]) -> None:
        entry = self._open[event.task_id or ""]
        entry.title, entry.intent, entry.project = data["title"], data["intent"], data["project"]

    def _on_approval_given(self, event: Event, data: dict[str, Any]) -> None:
        self._open[event.task_id or ""].by = data.get("by")

    def _on_approval_refused(self, event: Event, data: dict[str, Any]) -> None:
        reason = data.get("reason") or "no reason given"
        self._end(event, status="rejected", message=f"Not done: {reason}", by=data.get("by"))

    def _on_task_cancelled(self, event: Event, data: dict[str, Any]) -> None:
        """What was never begun is not an action; it only leaves."""
        self._open.pop(event.task_id or "", None)

    def _on_step_retried(self, event: Event, data: dict[str, Any]) -> None:
        entry = self._known.pop(event.task_id or "")
        for line in self._lines(entry):
            line.remove(entry)
        self._open[entry.id] = entry

    def _on_step_finished(self, event: Event, data: dict[str, Any]) -> None:
        if data["status"] not in ENDED:
            return
        changed = data.get("changed") or ()
        self._end(
            event,
            status=data["status"],
            message=str((data.get("result") or {}).get("message", ""))[:LONGEST],
            seconds=data.get("seconds"),
            cost=data.get("cost", 0.0),
            files=len(changed),
            commit=data.get("commit"),
            undoes=data.get("undoes") or [],
            redoes=data.get("redoes") or [],
        )
        if changed:
            self._mark(event.task_id, data.get("undoes") or (), data.get("redoes") or ())

    def _mark(self, task_id: str | None, undoes: Any, redoes: Any) -> None:
        for names, by in ((undoes, task_id), (redoes, None)):
            for name in names:
                if name in self._known:
                    self._known[name].undone_by = by

    def _end(self, event: Event, **facts: Any) -> None:
        entry = self._open.pop(event.task_id or "")
        entry.at, entry.seq = event.at, event.seq
        for name, value in facts.items():
            setattr(entry, name, value)
        self._known[entry.id] = entry
        for line in self._lines(entry):
            line.append(entry)
        while len(self._line) > self._most:
            self._forget(self._line[0])

    def _lines(self, entry: Entry) -> list[deque[Entry]]:
        """A plan is known by its steps, so it has no place on the line itself."""
        if entry.intent == "plan":
            return []
        own = [self._by_project.setdefault(entry.project, deque())] if entry.project else []
        return [self._line, *own]

    def _forget(self, oldest: Entry) -> None:
        for line in self._lines(oldest):
            line.popleft()
        del self._known[oldest.id]
        steps = self._by_root.get(oldest.root, [])
        if oldest.id in steps:
            steps.remove(oldest.id)
        if not steps:
            self._by_root.pop(oldest.root, None)
            self._known.pop(oldest.root, None)
