"""Carries out one call: validate, draft, snapshot, apply, commit. What fails half-way is put back first."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from contracts.actions import Action, ActionCall, ActionResult, Catalogue, Inspection, Params
from contracts.errors import Conflict, Failed
from contracts.files import ChangeSet, Draft
from contracts.paths import shown
from contracts.trust import REPEATABLE_EFFECTS, Effect, Scope
from git_manager import GitManager, LeftOut
from project_files import Workspace

MAX_CHANGED = 1000

SHOWN_OUTPUT = 256 * 1024
"""How much of a program's output is shown while it runs; the result has its beginning and end in any case."""
OUTPUT_SECONDS = 0.3

Progress = Callable[[str, int | None, int | None], None]
Output = Callable[[str, str], None]


class Cancelled(Conflict):
    code = "cancelled"


class Context:
    """What a handler is given: its project's draft, and the way to be stopped and to report."""

    def __init__(self, task_id: str, project: str, files: Draft, control: "Control", *, drafting: bool = False) -> None:
        self.task_id = task_id
        self.project = project
        self.files = files
        self.drafting = drafting
        self._control = control

    def check_cancelled(self) -> None:
        self._control.check()

    def progress(self, message: str, done: int | None = None, total: int | None = None) -> None:
        self._control.check()
        self._control.progress(message, done, total)

    def output(self, stream: str, data: bytes) -> None:
        self._control.output(stream, data)


class Control:
    """The handle on a step that is under way: it can be stopped, by a person or by its time limit, and it reports."""

    def __init__(
        self,
        progress: Progress = lambda message, done, total: None,
        output: Output = lambda stream, text: None,
    ) -> None:
        self.progress = progress
        self._output = output
        self._unsent: dict[str, bytes] = {}
        self._sent_at = 0.0
        self._room = SHOWN_OUTPUT
        self.cancelled = threading.Event()
        self.deadline = float("inf")

    def allow(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds

    def output(self, stream: str, data: bytes) -> None:
        """Pass on what a program prints: not more often than a few times a second, and not without end."""
        self._unsent[stream] = (self._unsent.get(stream, b"") + data)[: max(self._room, 0)]
        if time.monotonic() - self._sent_at >= OUTPUT_SECONDS:
            self.flush()

    def flush(self) -> None:
        self._sent_at = time.monotonic()
        for name, data in self._unsent.items():
            if data:
                self._room -= len(data)
                self._output(name, data.decode("utf-8", "replace"))
        self._unsent = {}

    def check(self) -> None:
        if self.cancelled.is_set():
            raise Cancelled("The step was cancelled", hint="Nothing was changed; run it again if it is still wanted")
        if time.monotonic() > self.deadline:
            raise Failed("The step took too long and was stopped", hint="Raise `step_seconds`, or split the step")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call that is ready to be decided on: checked and, where it stays in the project's files, run dry."""

    call: ActionCall
    action: Action[Any]
    params: Params
    title: str
    context: Context
    changes: ChangeSet
    result: ActionResult | None
    """What the handler said; None where it can only run after the decision."""
    reversible: bool
    control: Control
    inspection: Inspection = field(default_factory=Inspection)

    @property
    def scope(self) -> Scope:
        return Scope(self.call.intent, self.effects, self.call.project or "")

    @property
    def effects(self) -> frozenset[Effect]:
        return self.action.effects | self.inspection.effects

    @property
    def size(self) -> int:
        return max(self.changes.size, self.inspection.size)

    def foretold(self) -> dict[str, Any]:
        """What a dry run already knows of the result, kept so that a crash after the commit loses nothing."""
        if self.result is None:
            return {"paths": None}
        paths = [change.path for change in self.changes.changes]
        plain = all(shown(path) == path for path in paths) and len(paths) <= MAX_CHANGED
        marks = {"undoes": list(self.result.undoes), "redoes": list(self.result.redoes), "tainted": self.result.tainted}
        return {**self.result.to_json(), "paths": paths if plain else None, **marks}


@dataclass(frozen=True, slots=True)
class Done:
    """What was carried out: the handler's result and what it left in the project's history."""

    result: ActionResult
    commit: str | None = None
    snapshot: str | None = None
    tree: str | None = None
    changed: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    def as_event(self) -> dict[str, Any]:
        """What memory keeps of it besides the result itself."""
        return {
            "commit": self.commit,
            "snapshot": self.snapshot,
            "tree": self.tree,
            "changed": [shown(path) for path in self.changed[:MAX_CHANGED]],
            "left_out": [asdict(item) for item in self.left_out],
            "undoes": list(self.result.undoes),
            "redoes": list(self.result.redoes),
            "tainted": self.result.tainted,
            **({"release": dict(self.result.release)} if self.result.release else {}),
        }


class TaskExecutor:
    """One implementation for every route into the agent. The caller holds the project's lane."""

    def __init__(
        self,
        catalogue: Catalogue,
        workspace: Workspace,
        git: GitManager,
        *,
        step_seconds: float,
        boundary: Callable[[str], None],
    ) -> None:
        """`boundary` is called between the parts of a step, with the name of what has just become durable."""
        self._catalogue = catalogue
        self._workspace = workspace
        self._git = git
        self._step_seconds = step_seconds
        self._boundary = boundary

    def prepare(
        self,
        call: ActionCall,
        task_id: str,
        control: Control,
        *,
        files: Draft | None = None,
        dry: bool = True,
        drafting: bool = False,
    ) -> Prepared:
        """Check the call and, if it stays in the project's files, run it on a draft. Touches nothing.

        `files` lets several calls of one plan be drafted on top of each other; `dry=False` only checks.
        """
        action, params = self._catalogue.parse(call)
        control.allow(action.timeout or self._step_seconds)
        files = files if files is not None else self.draft(call, action)
        context = Context(task_id, call.project or "", files, control, drafting=drafting)
        inspection = action.inspect(params, context) if action.inspect else Inspection()
        if inspection.settled and not drafting:
            call = replace(call, params={**call.params, **inspection.settled})
            action, params = self._catalogue.parse(call)
        result = action.handler(params, context) if action.local and dry else None
        changes = files.changes() if result is not None else ChangeSet()
        covered = all(self._git.covers(change.path) for change in changes.changes)
        reversible = action.reversible and covered
        title = action.title(params)
        return Prepared(call, action, params, title, context, changes, result, reversible, control, inspection)

    def draft(self, call: ActionCall, action: Action[Any]) -> Draft:
        return self._workspace.draft(call.project or "", missing_ok=action.makes_project or not action.needs_project)

    def execute_task(self, task_id: str, prepared: Prepared) -> Done:
        """Carry out what was prepared, exactly. Whatever it raises, everything was put back first."""
        call = prepared.call
        if prepared.result is not None and not prepared.changes:
            return Done(prepared.result)
        if not call.project:
            return Done(self._handle(prepared))
        if prepared.action.makes_project and not self._workspace.exists(call.project):
            self._workspace.create(call.project)
        repo = self._git.open(call.project)
        snapshot = repo.snapshot(task_id)
        self._boundary("snapshotted")
        result = prepared.result or self._handle(prepared)
        changes = prepared.changes if prepared.result else prepared.context.files.changes()
        # What others can see already is written down, whoever has stopped the step meanwhile.
        if result.release is None and result.error is None:
            prepared.control.check()
        return self._keep(task_id, call.project, prepared.title, result, changes, snapshot)

    def _keep(
        self, task_id: str, project: str, title: str, result: ActionResult, changes: ChangeSet, snapshot: str | None
    ) -> Done:
        """Apply what a handler wants changed and record it. Whatever it raises, everything was put back first."""
        paths = [change.path for change in changes.changes]
        try:
            self._workspace.apply(project, changes, stage=task_id)
            self._boundary("applied")
            recorded = self._git.open(project).record(task_id, result.commit_message or plain_line(title), paths=paths)
            self._boundary("recorded")
        except Exception:
            self.put_back(task_id, project, paths)
            raise
        return Done(result, recorded.commit, snapshot, recorded.tree, recorded.changed, recorded.left_out)

    def reconcile(self, call: ActionCall, task_id: str, control: Control) -> Done | None:
        """Bring an outward step that a crash cut off to its end, by asking the other side; None if nobody can know."""
        action, params = self._catalogue.parse(call)
        if action.reconcile is None:
            return None
        control.allow(action.timeout or self._step_seconds)
        project = call.project or ""
        repo = self._git.open(project) if project and self._workspace.exists(project) else None
        if repo is not None:
            repo.clear_stale_locks()
            self._workspace.clear_stage(project)
        context = Context(task_id, project, self.draft(call, action), control)
        try:
            result = action.reconcile(params, context)
        finally:
            control.flush()
        if result is None or repo is None:
            return Done(result) if result is not None else None
        snapshot = None if repo.has_snapshot(task_id) else repo.snapshot(task_id)
        return self._keep(task_id, project, action.title(params), result, context.files.changes(), snapshot)

    def _handle(self, prepared: Prepared) -> ActionResult:
        try:
            return prepared.action.handler(prepared.params, prepared.context)
        finally:
            prepared.control.flush()

    def put_back(self, task_id: str, project: str, paths: list[str] | None) -> None:
        """Make the project as it was before this task, by its snapshot."""
        if not self._workspace.exists(project):
            return
        repo = self._git.open(project)
        self._workspace.clear_stage(project)
        if not repo.has_snapshot(task_id):
            return
        draft = self._workspace.draft(project)
        repo.recover(task_id, draft, paths=paths)
        self._workspace.apply(project, draft.changes(), stage=f"{task_id}-back")

    def is_repeatable(self, intent: str, seen: Iterable[str]) -> bool:
        """Whether a step cut off by a crash may simply run again; `seen` is what the call was found to touch."""
        return self._catalogue[intent].repeatable and REPEATABLE_EFFECTS.issuperset(seen)

    def finished(self, task_id: str, project: str, title: str, foretold: dict[str, Any]) -> Done | None:
        """What a step left behind if it had been applied and committed in full before a crash, else None."""
        if not self._workspace.exists(project):
            return None
        repo = self._git.open(project)
        repo.clear_stale_locks()
        if not repo.is_recorded(task_id):
            return None
        self._workspace.clear_stage(project)
        recorded = repo.record(task_id, plain_line(title))
        result = ActionResult(
            bool(foretold.get("success", True)),
            foretold.get("message", f"{title}: done and recorded; the service stopped before its output was kept"),
            foretold.get("data", {}),
            undoes=tuple(foretold.get("undoes", ())),
            redoes=tuple(foretold.get("redoes", ())),
            tainted=bool(foretold.get("tainted")),
        )
        return Done(result, recorded.commit, None, recorded.tree, recorded.changed, recorded.left_out)


def plain_line(title: str) -> str:
    """A title as the first line of a commit message."""
    return shown(title).replace("`", "").replace("\n", " ")[:200]
