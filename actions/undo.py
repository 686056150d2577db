"""Taking changes back: the last one, everything since a task, one change alone, or back to a commit."""

from typing import Any, Literal, Self

from pydantic import AliasChoices, Field, model_validator

from context_manager import ContextManager
from contracts.actions import RESTORE_SNAPSHOT, Action, ActionContext, ActionResult, Params
from contracts.errors import NotFound
from contracts.paths import shown
from contracts.trust import Code, Decision, Effect, Level, Verdict
from git_manager import GitManager
from memory.taking_back import ROLLBACK, Taking, of_files, taking_back

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
            return _answer(f"Went back to commit {commit[:10]}", taken, Taking([], [], [], []))
        plan = self.plan(params, ctx.project)
        if params.only:
            taken = repo.take_back_only(plan.steps[0], ctx.files)
        else:
            taken = repo.take_back(plan.steps, ctx.files, exact=params.exact)
        return _answer(_took_back(plan), taken, plan)

    def gate(self, params: Rollback, ctx: ActionContext) -> Decision:
        """One change is taken back at once; more than one, or edits made by hand, only after asking."""
        if params.exact or params.commit or params.to:
            return _ask("it may take back more than one change, so please look first")
        plan = self.plan(params, ctx.project)
        if len(plan.titles) > 1 and not params.only:
            return _ask(f"it takes back {len(plan.titles)} changes: {'; '.join(plan.titles[:LISTED])}")
        reason = "it takes back one change, and can itself be undone"
        return Decision(Verdict.AUTO, 1.0, 0.0, Level.HIGH, Code.ACTION_RULE, (reason,))

    def plan(self, params: Rollback, project: str) -> Taking:
        return taking_back(of_files(self._memory.timeline(project)), project, task=params.task, only=params.only)


def _took_back(plan: Taking) -> str:
    did, titles = ("Brought back", plan.brought) if plan.brought else ("Took back", plan.titles)
    return f"{did}: {titles[0]}" if len(titles) == 1 else f"{did} {len(titles)} changes"


def _answer(said: str, taken: Any, plan: Taking) -> ActionResult:
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
    return "Take back one earlier step" if params.only else "Go back to before an earlier step"
