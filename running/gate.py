"""The gate: asks trust about each prepared call and makes the card where a person has to decide."""

from dataclasses import dataclass
from typing import Any

from context_manager import ContextManager
from contracts.files import ChangeSet
from contracts.tasks import Task
from contracts.trust import Code, Decision, Level, Request, Verdict
from git_manager import GitManager
from memory.model import State, family
from project_files import Workspace
from running.approvals import PlannedProject, card_for, digest, plan_card
from task_executor import Prepared


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """A plan's steps drafted on top of each other, and what they come to in each project."""

    title: str
    steps: list[Prepared]
    by_project: dict[str, ChangeSet]
    """What the steps that could be run dry change, all together, in each project that a step names."""


class Gate:
    def __init__(self, memory: ContextManager, workspace: Workspace, git: GitManager) -> None:
        self._memory = memory
        self._workspace = workspace
        self._git = git

    def decide(self, prepared: Prepared, task: Task) -> Decision:
        """Auto, ask or refuse. An action that knows better than a record speaks before it, the owner before both."""
        ruled = _ruled(prepared)
        with self._memory.reading() as state:
            covered = _covered(state, task)
            blocked = bool(prepared.inspection.blocked)
            request = Request(
                scope=prepared.scope,
                size=prepared.size,
                reversible=prepared.reversible,
                tainted=_tainted(state, task),
                covered=covered,
                verified=prepared.inspection.verified,
            )
            decided = self._memory.decide(request, state)
        if ruled is None or decided.code == Code.REFUSED_BY_OWNER:
            return decided
        if ruled.verdict is Verdict.AUTO:
            return decided if decided.code == Code.ASKED_BY_OWNER else ruled
        return decided if covered and not blocked else ruled

    def decide_plan(self, draft: PlanDraft, task: Task) -> Decision:
        """A plan runs alone only if each of its steps would; otherwise one question covers all of them."""
        decisions = [(step, self.decide(step, task)) for step in draft.steps]
        refused = [(step, d) for step, d in decisions if d.verdict is Verdict.REFUSE]
        asking = [(step, d) for step, d in decisions if d.verdict is Verdict.ASK]
        score = min((d.score for _, d in decisions), default=0.0)
        bar = max((d.threshold for _, d in decisions), default=0.0)
        level = min((d.level for _, d in decisions), key=list(Level).index, default=Level.LOW)
        if refused:
            step, decision = refused[0]
            return Decision(Verdict.REFUSE, score, bar, level, decision.code, (f"{step.title}: {decision.reasons[0]}",))
        if not asking:
            return Decision(Verdict.AUTO, score, bar, level, Code.EARNED, ("every step is of a kind I may do alone",))
        first, why = asking[0]
        count = f"{len(asking)} of {len(decisions)} steps are of a kind I still ask about"
        return Decision(Verdict.ASK, score, bar, level, why.code, (count, f"{first.title}: {why.reasons[0]}"))

    def card(self, prepared: Prepared, decision: Decision) -> dict[str, Any]:
        project = prepared.call.project or ""
        return card_for(prepared, decision, self.fingerprint(project), lambda path: self._read(project, path))

    def plan_card(self, draft: PlanDraft, decision: Decision) -> dict[str, Any]:
        planned = [
            PlannedProject(
                name,
                changes.changes,
                self.fingerprint(name),
                lambda path, name=name: self._read(name, path),  # type: ignore[misc]
            )
            for name, changes in sorted(draft.by_project.items())
        ]
        return plan_card(draft.title, draft.steps, planned, decision)

    def is_stale(self, card: dict[str, Any], project: str, prepared: Prepared) -> bool:
        """Whether what the person saw on the card is no longer what would happen, or was made on other files.

        Changes that the agent itself made since then count only if they alter what this call does, as far as that is
        known before it runs.
        """
        if digest(prepared.changes.changes) != card["digest"] or prepared.inspection.identity != card.get(
            "identity", ""
        ):
            return True
        return self._has_moved(project, card["fingerprint"], known=prepared.result is not None)

    def is_stale_plan(self, card: dict[str, Any], draft: PlanDraft) -> bool:
        changes = [change for _, changes in sorted(draft.by_project.items()) for change in changes.changes]
        calls = [step.call.as_step() for step in draft.steps]
        if calls != card["call"]["steps"] or digest(changes) != card["digest"]:
            return True
        known = all(step.result is not None for step in draft.steps)
        before: dict[str, str | None] = card["fingerprint"]
        return any(self._has_moved(name, before.get(name), known=known) for name in draft.by_project)

    def _has_moved(self, project: str, before: str | None, *, known: bool) -> bool:
        """Whether somebody else changed the project, or the agent did and nobody knows what that does to the call."""
        now = self.fingerprint(project)
        return now != before and (not known or now is None or now != self._memory.last_tree(project))

    def fingerprint(self, project: str) -> str | None:
        """Stands for everything in the project as it is now; None if there is no such project."""
        return self._git.open(project).fingerprint() if project and self._workspace.exists(project) else None

    def _read(self, project: str, path: str) -> bytes:
        return self._workspace.draft(project).read(path)


def _ruled(prepared: Prepared) -> Decision | None:
    if asks := prepared.inspection.blocked or prepared.inspection.ask:
        return Decision(Verdict.ASK, 0.0, 1.0, Level.LOW, Code.FLAGGED, (asks,))
    own = prepared.action.gate
    return own(prepared.params, prepared.context) if own else None


def as_json(decision: Decision, prepared: list[Prepared]) -> dict[str, Any]:
    """A decision as it is kept with its task and shown to people."""
    return {
        "verdict": decision.verdict.value,
        "score": round(decision.score, 4),
        "threshold": decision.threshold,
        "level": decision.level.value,
        "code": decision.code,
        "reasons": list(decision.reasons),
        "effects": sorted({effect.value for step in prepared for effect in step.effects}),
        "size": sum(step.size for step in prepared),
    }


def _root(state: State, task: Task) -> Task:
    while task.parent_id in state.tasks:
        task = state.tasks[task.parent_id]
    return task


def _tainted(state: State, task: Task) -> bool:
    return any(relative.tainted for relative in family(state, _root(state, task).id))


def _covered(state: State, task: Task) -> bool:
    """Whether somebody approved a plan above this task that names this task's project, and the step it comes from."""
    step, parent = task, state.tasks.get(task.parent_id or "")
    while parent is not None:
        approval = parent.approval or {}
        if approval.get("approved") and approval.get("by") != "trust":
            known = step.id in approval.get("steps", [step.id])
            return known and task.project in (None, "", *approval.get("projects", []))
        step, parent = parent, state.tasks.get(parent.parent_id or "")
    return False
