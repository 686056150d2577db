"""Putting steps into the queue, to be run when somebody asks for the next one."""

from typing import Any, Self

from pydantic import Field, model_validator

from contracts.actions import (
    NOTHING_TO_UNDO,
    Action,
    ActionCall,
    ActionContext,
    ActionResult,
    Params,
    call_from,
)
from contracts.trust import Effect
from contracts.words import counted

MAX_STEPS = 200


class QueueTask(Params):
    step: dict[str, Any] | None = Field(None, description="One step, as `/run` takes it.")
    steps: tuple[dict[str, Any], ...] = Field((), max_length=MAX_STEPS, description="Several steps, in order.")

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> Self:
        if (self.step is None) == (not self.steps):
            raise ValueError("give either `step` or `steps`")
        return self

    def calls(self) -> tuple[ActionCall, ...]:
        return tuple(call_from(step) for step in ((self.step,) if self.step is not None else self.steps))


def queue_actions() -> list[Action[Any]]:
    """`queue_task`. Each queued step is checked when it is queued, and gated when it runs."""

    def queue_task(params: QueueTask, ctx: ActionContext) -> ActionResult:
        calls = tuple(
            call if call.project or not ctx.project else ActionCall(call.intent, call.params, ctx.project)
            for call in params.calls()
        )
        return ActionResult(
            True,
            f"Queued {counted(len(calls), 'step')}; `/run_next` runs the next one",
            {"queued": len(calls)},
            queued=calls,
        )

    return [
        Action(
            name="queue_task",
            summary="Put one or more steps at the end of the queue.",
            params=QueueTask,
            # The queue is the agent's own memory: nothing is touched until a queued step passes the gate itself.
            effects=frozenset({Effect.READ}),
            handler=queue_task,
            undo=NOTHING_TO_UNDO,
            title=lambda p: f"Put {counted(len(p.calls()), 'step')} into the queue",
            worst="Nothing: each step is decided on when it runs",
            needs_project=False,
        )
    ]
