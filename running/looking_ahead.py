"""What would change, before anything does: by a task that waits, or by an undo. Drafts only; nothing is touched."""

from collections.abc import Iterator, Mapping
from typing import Any

from context_manager import PLAN, ContextManager, new_task_id
from contracts.actions import ActionCall, call_from
from contracts.errors import NotFound
from contracts.files import Change, ChangeSet, Kind
from contracts.paths import shown
from contracts.tasks import WAITING, Status, Task
from contracts.trust import Verdict
from git_manager import LARGEST_TEXT, count_lines, is_binary
from memory.taking_back import ROLLBACK, of_place, taking_back
from project_files import Workspace
from running.approvals import described
from running.gate import Gate
from running.plans import PlanRunner
from running.undoing import BACK, undo_steps
from task_executor import Control, Prepared, TaskExecutor

LISTED = 2000
WORDS = {"new": "added", "deleted": "removed", "changed": "changed", "moved here": "moved"}
MOST_COMPARED = 16 << 20
"""So many bytes are compared to count lines; of the rest only the sizes are told."""


class LookingAhead:
    """Threads may share it."""

    def __init__(
        self, memory: ContextManager, executor: TaskExecutor, gate: Gate, plans: PlanRunner, workspace: Workspace
    ) -> None:
        self._memory = memory
        self._executor = executor
        self._gate = gate
        self._plans = plans
        self._workspace = workspace

    def waits(self, task_id: str) -> bool:
        try:
            return self._memory.task(task_id).status in WAITING
        except NotFound:
            return False

    def diff(self, task_id: str) -> list[dict[str, Any]]:
        """What a task or plan that waits would change: file by file, without the texts."""
        room, found = MOST_COMPARED, []
        for project, change in self._files(task_id):
            row = {"project": project, **_row(change)}
            room -= (row["before_bytes"] or 0) + (row["after_bytes"] or 0)
            if room >= 0 and not row["too_large"]:
                row |= _compared(*self._sides(project, change))
            found.append(row)
        return found

    def file_diff(self, task_id: str, path: str, project: str | None) -> dict[str, Any]:
        """One file of `diff` with its text before and after."""
        for place, change in self._files(task_id):
            if shown(change.path) == path and project in (None, place):
                row = {"project": place, **_row(change), "before": None, "after": None}
                if row["too_large"]:
                    return row
                before, after = self._sides(place, change)
                row |= _compared(before, after)
                return row if row["binary"] else {**row, "before": _text(before), "after": _text(after)}
        raise NotFound(
            f"Task `{task_id}` would not change `{path}`", hint=f"`GET /tasks/{task_id}/diff` lists the files"
        )

    def undo(self, task_id: str, places: list[str], *, only: bool = False) -> dict[str, Any]:
        """What undoing a task would take back, in each project that it changed."""
        found = [part for place in places for part in self._undo_in(place, task_id, only=only)]
        files = [file for part in found for file in part["files"]]
        return {
            "asks": len(places) > 1 or any(part["asks"] for part in found),
            "reasons": [reason for part in found for reason in part["reasons"]],
            "changes": [change for part in found for change in part["changes"]],
            "brings_back": [change for part in found for change in part["brings_back"]],
            "online": [words for part in found for words in part["online"]],
            "files": files[:LISTED],
            "more_files": max(0, len(files) - LISTED),
            "kept": [path for part in found for path in part["kept"]],
        }

    def _undo_in(self, project: str, task_id: str, *, only: bool) -> Iterator[dict[str, Any]]:
        call = ActionCall(ROLLBACK, {"task": task_id, **({"only": True} if only else {})}, project)
        moments = {moment.id: moment for moment in self._memory.timeline(project)}
        for step in undo_steps(call, self._memory):
            prepared = self._executor.prepare(call_from(step), new_task_id(), Control())
            decision = self._gate.decide(prepared, _as_task(prepared, self._memory.clock()))
            marks = self._marks(prepared)
            listed = {
                name: [
                    {"id": i, "title": moments[i].title, "at": moments[i].at, "project": project} for i in marks[name]
                ]
                for name in ("changes", "brings_back")
            }
            files = (change for change in prepared.changes.changes if _is_file(change))
            yield {
                **listed,
                "asks": decision.verdict is not Verdict.AUTO,
                "reasons": list(decision.reasons),
                "online": list(prepared.inspection.notes),
                "files": [{"project": project, **_row(change)} for change in files],
                "kept": marks["kept"],
            }

    def _marks(self, prepared: Prepared) -> dict[str, list[str]]:
        """What counts as undone and as done again after a step of an undo."""
        if prepared.call.intent == BACK:
            project, params = prepared.call.project or "", prepared.call.params
            place = of_place(self._memory.timeline(project), params["provider"])
            taking = taking_back(place, project, task=params["task"])
            return {"changes": taking.undoes, "brings_back": taking.redoes, "kept": []}
        data = prepared.result.data if prepared.result else {}
        names = {"changes": "undone", "brings_back": "redone", "kept": "kept"}
        return {name: list(data.get(known, ())) for name, known in names.items()}

    def _files(self, task_id: str) -> Iterator[tuple[str, Change]]:
        for project, changes in self._drafted(task_id).items():
            gone = {change.moved_from for change in changes.changes if change.moved_from}
            for change in changes.changes:
                if _is_file(change) and change.path not in gone:
                    yield project, change

    def _drafted(self, task_id: str) -> Mapping[str, ChangeSet]:
        task = self._memory.task(task_id)
        if task.intent == PLAN:
            return self._plans.draft_of(task).by_project
        call = ActionCall(task.intent, task.params, task.project)
        return {task.project or "": self._executor.prepare(call, new_task_id(), Control()).changes}

    def _sides(self, project: str, change: Change) -> tuple[bytes | None, bytes | None]:
        before = None
        if change.before and change.before.kind is Kind.FILE:
            before = self._workspace.draft(project).read(change.path)
        after = change.load() if change.load else None
        if change.moved_from:
            before = after = self._workspace.draft(project).read(change.moved_from)
        return before, after


def _is_file(change: Change) -> bool:
    return any(node is not None and node.kind in {Kind.FILE, Kind.SYMLINK} for node in (change.before, change.after))


def _row(change: Change) -> dict[str, Any]:
    about = described(change)
    sizes = [size for size in (about["before_bytes"], about["after_bytes"]) if size is not None]
    return {
        **about,
        "change": WORDS[about["change"]],
        "moved_from": about.get("moved_from"),
        "binary": False,
        "too_large": max(sizes, default=0) > LARGEST_TEXT,
        "added": None,
        "removed": None,
    }


def _compared(before: bytes | None, after: bytes | None) -> dict[str, Any]:
    if is_binary(before or b"") or is_binary(after or b""):
        return {"binary": True}
    added, removed = count_lines(before or b"", after or b"")
    return {"added": added, "removed": removed}


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


def _as_task(prepared: Prepared, now: str) -> Task:
    call = prepared.call
    task = Task(prepared.context.task_id, call.intent, dict(call.params), Status.QUEUED, prepared.title, now)
    task.project = call.project
    return task
