"""Taking changes back: the last one, everything since a task, one change alone, or back to a commit."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import AliasChoices, Field, model_validator

from context_manager import ContextManager
from contracts.actions import RESTORE_SNAPSHOT, Action, ActionContext, ActionResult, Params
from contracts.errors import Conflict, InvalidParams, NotFound
from contracts.paths import shown
from contracts.trust import Code, Decision, Effect, Level, Verdict
from git_manager import GitManager
from memory.model import Moment

ROLLBACK = "rollback"
LISTED = 50


class Rollback(Params):
    task: str | None = Field(
        None, max_length=64, description="Go back to before this task.", validation_alias=AliasChoices("task", "id")
    )
    commit: str | None = Field(None, min_length=4, max_length=64, description="Go back to this commit.")
    to: Literal["last_good"] | None = Field(None, description="`last_good`: the last proven or deployed commit.")
    only: bool = Field(False, description="With `task`: take back that change alone, and keep what came later.")
    exact: bool = Field(False, description="Take back edits made by hand since then, too.")

    @model_validator(mode="after")
    def _one_target(self) -> Self:
        if sum(value is not None for value in (self.task, self.commit, self.to)) > 1:
            raise ValueError("give one of `task`, `commit` and `to`")
        if self.only and self.task is None:
            raise ValueError("`only` needs the `task` to take back")
        if self.only and self.exact:
            raise ValueError("`only` and `exact` exclude each other")
        return self


@dataclass(frozen=True, slots=True)
class Plan:
    """Which changes go, newest first, and how each one counts afterwards."""

    steps: list[str]
    undoes: list[str]
    redoes: list[str]
    titles: list[str]
    """What a person would say goes away: the changes that still counted."""


class Undo:
    """Works out what to take back from the project's timeline, and puts it into the draft."""

    def __init__(self, memory: ContextManager, git: GitManager) -> None:
        self._memory = memory
        self._git = git

    def rollback(self, params: Rollback, ctx: ActionContext) -> ActionResult:
        repo = self._git.open(ctx.project)
        if params.commit or params.to:
            commit = params.commit or repo.last_good()
            if commit is None:
                raise NotFound(
                    f"`{ctx.project}` has no proven or deployed version yet", hint="Name a task or a commit instead"
                )
            taken = repo.to_commit(commit, ctx.files)
            return _answer(f"Went back to commit {commit[:10]}", taken, Plan([], [], [], []))
        timeline = self._memory.timeline(ctx.project)
        plan = self.plan(params, ctx.project, timeline)
        if params.only:
            taken = repo.take_back_only(plan.steps[0], ctx.files)
        else:
            taken = repo.take_back(plan.steps, ctx.files, exact=params.exact)
        return _answer(_took_back(plan), taken, plan)

    def gate(self, params: Rollback, ctx: ActionContext) -> Decision:
        """One change is taken back at once; more than one, or edits made by hand, only after asking."""
        if params.exact or params.commit or params.to:
            return _ask("it may take back more than one change, so please look first")
        plan = self.plan(params, ctx.project, self._memory.timeline(ctx.project))
        if len(plan.titles) > 1 and not params.only:
            return _ask(f"it takes back {len(plan.titles)} changes: {'; '.join(plan.titles[:LISTED])}")
        reason = "it takes back one change, and can itself be undone"
        return Decision(Verdict.AUTO, 1.0, 0.0, Level.HIGH, Code.ACTION_RULE, (reason,))

    def plan(self, params: Rollback, project: str, timeline: list[Moment]) -> Plan:
        first = self._start(params, project, timeline)
        chosen = [timeline[first]] if params.only else timeline[first:][::-1]
        undone = {moment.id: moment.undone for moment in timeline}
        after = dict(undone)
        for moment in chosen:
            after |= {moment.id: True} | dict.fromkeys(moment.undoes, False) | dict.fromkeys(moment.redoes, True)
        flips = [task_id for task_id in undone if after[task_id] != undone[task_id]]
        counted = [m for m in chosen if not m.undone and (m.intent != ROLLBACK or len(chosen) == 1)]
        return Plan(
            [moment.id for moment in chosen],
            [task_id for task_id in flips if after[task_id]],
            [task_id for task_id in flips if not after[task_id]],
            [moment.title for moment in counted],
        )

    def _start(self, params: Rollback, project: str, timeline: list[Moment]) -> int:
        """Where on the timeline to go back to: the index of the oldest change that goes."""
        if params.task is None:
            for index in range(len(timeline) - 1, -1, -1):
                if counts(timeline[index]):
                    return index
            raise self._nothing_left(project, timeline)
        found = [i for i, moment in enumerate(timeline) if params.task in (moment.id, moment.root)]
        if not found:
            raise NotFound(
                f"Task `{params.task}` changed nothing in `{project}` that could be taken back",
                hint="`GET /projects/<project>/history` lists the changes; a commit can be named instead",
            )
        if params.only and len(found) > 1:
            raise InvalidParams(
                "`only` takes back a single step", hint="Name one step of the plan, or leave `only` out"
            )
        if all(timeline[index].undone for index in found):
            raise Conflict(f"Task `{params.task}` is undone already", hint=_how_to_redo(timeline))
        return found[0]

    def _nothing_left(self, project: str, timeline: list[Moment]) -> Conflict:
        hint = _how_to_redo(timeline) if timeline else "Only changes that the agent made can be taken back"
        return Conflict(f"There is nothing left to undo in `{project}`", hint=hint)


def counts(moment: Moment) -> bool:
    """Whether a plain undo can take this change back: it is no undo itself, and was not taken back yet."""
    return not moment.undone and moment.intent != ROLLBACK


def _how_to_redo(timeline: Iterable[Moment]) -> str:
    undos = [moment for moment in timeline if moment.intent == ROLLBACK and not moment.undone]
    if not undos:
        return "Bring it back by making the change again"
    return f'To bring it back, undo the undo: {{"id": "{undos[-1].id}"}}'


def _took_back(plan: Plan) -> str:
    if len(plan.titles) == 1:
        return f"Took back: {plan.titles[0]}"
    return f"Took back {len(plan.titles)} changes"


def _answer(said: str, taken: Any, plan: Plan) -> ActionResult:
    kept = [shown(path) for path in taken.kept]
    if kept:
        said += (
            f". Left as they are, because someone else changed them meanwhile: {', '.join(f'`{p}`' for p in kept[:10])}"
        )
    data = {
        "restored": [shown(path) for path in taken.restored],
        "kept": kept,
        "undone": plan.undoes,
        "redone": plan.redoes,
    }
    return ActionResult(True, said, data, undoes=tuple(plan.undoes), redoes=tuple(plan.redoes))


def _ask(reason: str) -> Decision:
    return Decision(Verdict.ASK, 0.0, 1.0, Level.LOW, Code.ACTION_RULE, (reason,))


def undo_actions(memory: ContextManager, git: GitManager) -> list[Action[Any]]:
    undo = Undo(memory, git)
    return [
        Action(
            name=ROLLBACK,
            summary="Take back the last change, everything since a task, one change alone, or go back to a commit.",
            params=Rollback,
            handler=undo.rollback,
            gate=undo.gate,
            title=_title,
            effects=frozenset({Effect.WRITE_PROJECT}),
            undo=RESTORE_SNAPSHOT,
            worst="Later work goes too; undoing the undo brings it back",
        )
    ]


def _title(params: Rollback) -> str:
    if params.commit or params.to:
        return f"Go back to {'the last good version' if params.to else f'commit {params.commit}'}"
    if params.task is None:
        return "Undo the last change"
    return f"Undo task `{params.task}`" + (" alone" if params.only else "")
