"""Whether a step may go on as it was found: what stands in its way, and in which words."""

from typing import Any

from contracts.actions import ActionCall
from contracts.errors import Conflict, NotReady, StaleApproval
from contracts.tasks import WAITING, Status, Task
from memory.model import State
from stores.base import Transaction
from task_executor import Prepared


class NotWaiting(Conflict):
    code = "not_waiting"


class Overtaken(Exception):
    """The step was edited or taken away while it was made ready; nothing of it has happened."""


def stays(task: Task) -> bool:
    """Whether a step that failed says of itself that it is to be queued again."""
    data = (task.result or {}).get("data") or {}
    return task.status is Status.FAILED and bool(data.get("stays_queued"))


def not_ready(prepared: Prepared) -> NotReady:
    facts = prepared.inspection.facts
    return NotReady(
        prepared.inspection.blocked,
        hint=str(facts.get("remedy") or "See to that first; the step waits and nothing is lost"),
        details={name: facts[name] for name in ("credential", "guide") if name in facts},
    )


def must_wait(task: Task) -> None:
    if task.status not in WAITING:
        raise NotWaiting(f"Task `{task.id}` does not wait any more", hint=f"It is {task.status}")


def must_be_as(call: ActionCall, task_id: str, tx: Transaction[State]) -> None:
    """Raises Overtaken if the step is no longer queued, or no longer this call."""
    task = tx.state.tasks.get(task_id)
    if task is None or task.status is not Status.QUEUED or call != ActionCall(task.intent, task.params, task.project):
        raise Overtaken


def stale(task_id: str, card: dict[str, Any]) -> StaleApproval:
    return StaleApproval(
        "The project changed since this was shown to you; nothing was done",
        hint="Look at the new card in `details.card` and confirm again",
        details={"id": task_id, "card": card},
    )
