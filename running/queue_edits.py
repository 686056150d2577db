"""Changing the queue by hand: until it starts, a step can be edited, skipped, moved, or have one put before it."""

from dataclasses import asdict
from typing import Any

from context_manager import ContextManager, new_task
from contracts.actions import ActionCall, Catalogue, call_from
from contracts.errors import Conflict, NotFound
from contracts.tasks import Status, Task
from memory.model import State
from running.answers import Answer, said
from running.planning import Planning
from stores.base import Transaction

DONE_FOR = frozenset({Status.CANCELLED, Status.FAILED, Status.REJECTED, Status.UNDONE})


class StepQueue:
    def __init__(self, memory: ContextManager, catalogue: Catalogue, planning: Planning) -> None:
        self._memory = memory
        self._catalogue = catalogue
        self._planning = planning

    def edit(self, task_id: str, step: dict[str, Any]) -> Answer:
        call, title = self._checked(step)
        with self._memory.transaction() as tx:
            _must_be_queued(tx.state, task_id)
            earlier, later = _around(tx.state, task_id)
            first, behind = self._whole(call, earlier, later[1:])
            self._add(tx, first, tx.state.tasks[task_id].parent_id, before=task_id)
            self._add(tx, behind, tx.state.tasks[task_id].parent_id, before=later[1].id if later[1:] else None)
            tx.emit(
                "task_edited",
                task_id,
                intent=call.intent,
                params=dict(call.params),
                project=call.project,
                title=title,
            )
        return said(f"Changed the step: {title}{_with([*first, *behind])}", id=task_id)

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
            earlier, later = _around(tx.state, before)
            first, behind = self._whole(call, earlier, later)
            self._add(tx, [*first, task, *behind], tx.state.tasks[before].parent_id, before=before)
        return said(f"Put in before it: {title}{_with([*first, *behind])}", id=task.id)

    def _whole(self, call: ActionCall, earlier: list[Task], later: list[Task]) -> tuple[list[Task], list[Task]]:
        """The steps that have to come with one, before and behind it: an app that is written is proven and shown."""
        step = call.as_step()
        steps = self._planning.unfold([step], before=map(_as_step, earlier), after=map(_as_step, later))
        place = steps.index(step)
        tasks = [new_task(*self._checked(one), self._memory.clock()) for one in steps if one is not step]
        return tasks[:place], tasks[place:]

    def _add(self, tx: Transaction[State], tasks: list[Task], parent: str | None, *, before: str | None) -> None:
        for task in tasks:
            task.parent_id = parent
            tx.emit("task_added", task.id, task=asdict(task), before=before)

    def _checked(self, step: dict[str, Any]) -> tuple[ActionCall, str]:
        call = call_from(step)
        action, params = self._catalogue.parse(call)
        return call, action.title(params)


def _as_step(task: Task) -> dict[str, Any]:
    return ActionCall(task.intent, task.params, task.project).as_step()


def _around(state: State, task_id: str) -> tuple[list[Task], list[Task]]:
    """What comes before a queued step in its plan, or among the loose ones, and what is queued from it on."""
    parent = state.tasks[task_id].parent_id
    plan = state.tasks.get(parent or "")
    order = plan.children if plan is not None else state.queue
    place = order.index(task_id)
    near = [[state.tasks[one] for one in part if one in state.tasks] for part in (order[:place], order[place:])]
    before, after = ([one for one in part if one.parent_id == parent] for part in near)
    return [one for one in before if one.status not in DONE_FOR], [one for one in after if one.id in state.queue]


def _with(tasks: list[Task]) -> str:
    return f", and what belongs to it: {'; '.join(task.title for task in tasks)}" if tasks else ""


def _must_be_queued(state: State, task_id: str) -> None:
    task = state.tasks.get(task_id)
    if task is None:
        raise NotFound(f"There is no task `{task_id}`", hint="`GET /queue` lists the queued steps")
    if task.status is not Status.QUEUED or task_id not in state.queue:
        raise Conflict(f"Task `{task_id}` is {task.status} and can no longer be changed", hint="Only queued steps can")
