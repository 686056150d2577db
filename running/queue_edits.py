"""Changing the queue by hand: until it starts, a step can be edited, skipped, moved, or have one put before it."""

from dataclasses import asdict
from typing import Any

from context_manager import ContextManager, new_task
from contracts.actions import ActionCall, Catalogue, call_from
from contracts.errors import Conflict, NotFound
from contracts.tasks import Status
from memory.model import State
from running.answers import Answer, said


class StepQueue:
    def __init__(self, memory: ContextManager, catalogue: Catalogue) -> None:
        self._memory = memory
        self._catalogue = catalogue

    def edit(self, task_id: str, step: dict[str, Any]) -> Answer:
        call, title = self._checked(step)
        with self._memory.transaction() as tx:
            _must_be_queued(tx.state, task_id)
            tx.emit(
                "task_edited",
                task_id,
                intent=call.intent,
                params=dict(call.params),
                project=call.project,
                title=title,
            )
        return said(f"Changed the step: {title}", id=task_id)

    def skip(self, task_id: str) -> Answer:
        with self._memory.transaction() as tx:
            _must_be_queued(tx.state, task_id)
            title = tx.state.tasks[task_id].title
            tx.emit("task_cancelled", task_id, reason="Skipped by the owner")
        return said(f"Skipped: {title}", id=task_id)

    def move(self, task_id: str, *, before: str | None) -> Answer:
        with self._memory.transaction() as tx:
            _must_be_queued(tx.state, task_id)
            if before == task_id:
                raise Conflict("A step cannot stand before itself", hint="Name another step, or none for the end")
            if before is not None:
                _must_be_queued(tx.state, before)
                if tx.state.tasks[before].parent_id != tx.state.tasks[task_id].parent_id:
                    raise Conflict("The two steps belong to different plans", hint="Move it within its own plan")
            tx.emit("queue_moved", task_id, before=before)
        return said("Moved the step", id=task_id)

    def insert(self, step: dict[str, Any], *, before: str) -> Answer:
        call, title = self._checked(step)
        task = new_task(call, title, self._memory.clock())
        with self._memory.transaction() as tx:
            _must_be_queued(tx.state, before)
            task.parent_id = tx.state.tasks[before].parent_id
            tx.emit("task_added", task.id, task=asdict(task), before=before)
        return said(f"Put in before it: {title}", id=task.id)

    def _checked(self, step: dict[str, Any]) -> tuple[ActionCall, str]:
        call = call_from(step)
        action, params = self._catalogue.parse(call)
        return call, action.title(params)


def _must_be_queued(state: State, task_id: str) -> None:
    task = state.tasks.get(task_id)
    if task is None:
        raise NotFound(f"There is no task `{task_id}`", hint="`GET /queue` lists the queued steps")
    if task.status is not Status.QUEUED or task_id not in state.queue:
        raise Conflict(f"Task `{task_id}` is {task.status} and can no longer be changed", hint="Only queued steps can")
