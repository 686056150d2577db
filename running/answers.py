"""What the agent says back: one shape for every command, whatever came of it."""

from dataclasses import dataclass
from typing import Any

from contracts.actions import ActionCall
from contracts.errors import AppError
from contracts.tasks import WAITING, Status, Task
from contracts.trust import Decision


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP status and a body that always has `success` and `message`."""

    status: int
    body: dict[str, Any]


def answer_for(family: list[Task]) -> Answer:
    """Where a task stands now. A step that waits for the owner speaks for the whole plan."""
    root = family[0]
    asking = next((task for task in family if task.status in WAITING), None)
    shown = asking or root
    body = {
        "success": True,
        "message": "",
        "id": shown.id,
        "status": shown.status.value,
        "intent": shown.intent,
        "project": shown.project,
        "title": shown.title,
        "confirmationNeeded": asking is not None,
        "executionPlanned": [task.title for task in family if task.status in _AHEAD],
        "decision": shown.decision,
        "result": shown.result,
        "follow": f"/tasks/{shown.id}",
    }
    if root.params.get("understood"):
        body |= {"planGenerated": True, "plannedSteps": [_call(task) for task in family[1:]], "price": 0.0}
        body |= {name: root.params[name] for name in PLANNED if root.params.get(name)}
    if asking is not None:
        cut_off = asking.status is Status.INTERRUPTED
        said = (
            "This was cut off, and I ask before I do it again" if cut_off else "I would like to do this, and ask first"
        )
        plan = {"plan": root.id} if asking is not root else {}
        return Answer(200, body | {"message": f"{said}: {asking.title}", "card": asking.card} | plan)
    if len(family) > 1:
        body["steps"] = [_step(task) for task in family[1:]]
    if root.status in {Status.RUNNING, Status.QUEUED} and not root.kept:
        return Answer(202, body | {"message": f"Still working: {root.title}"})
    return _ended(root, body)


PLANNED = ("understood", "assumptions", "questions", "cannot", "checks", "needs")
_AHEAD = frozenset({Status.QUEUED, Status.AWAITING_APPROVAL, Status.RUNNING})


def _ended(task: Task, body: dict[str, Any]) -> Answer:
    result = task.result or {}
    success = bool(result.get("success")) or task.status is Status.UNDONE
    body |= {"success": success, "message": result.get("message", task.title)}
    if task.undone_by:
        body |= {"message": f"{task.title}: done, and taken back later", "undone_by": task.undone_by}
    error = result.get("error")
    if error:
        shown = {name: error[name] for name in ("code", "hint", "details")}
        return Answer(error["status"], body | {"error": shown})
    return Answer(200, body)


def _call(task: Task) -> dict[str, Any]:
    return ActionCall(task.intent, task.params, task.project).as_step()


def _step(task: Task) -> dict[str, Any]:
    message = (task.result or {}).get("message")
    return {"id": task.id, "title": task.title, "status": task.status.value, "message": message, "commit": task.commit}


def said(message: str, *, success: bool = True, **more: Any) -> Answer:
    """A plain answer that is about no task."""
    return Answer(200, {"success": success, "message": message, "confirmationNeeded": False, **more})


def refused(decision: Decision) -> dict[str, Any]:
    """A refusal by a rule of the owner, as it is kept with its task."""
    error = {"code": "refused", "hint": "Change the rule to allow it", "details": {}, "status": 403}
    return {"success": False, "message": f"Refused: {decision.reasons[0]}", "data": {}, "error": error}


def error_json(error: AppError) -> dict[str, Any]:
    """A failure as it is kept with its task."""
    data = {"stays_queued": True} if error.stays_queued else {}
    return {"success": False, "message": error.message, "data": data, "error": error.kept()}
