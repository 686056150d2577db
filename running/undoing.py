"""The steps of an undo: what the project is elsewhere goes back first, then its files."""

from typing import Any

from context_manager import ContextManager
from contracts.actions import ActionCall
from contracts.errors import Conflict
from memory.model import Moment
from memory.taking_back import counts, how_to_redo, of_place, shows_change, start_of

BACK = "roll_back_deployment"


def undo_steps(call: ActionCall, memory: ContextManager) -> list[dict[str, Any]]:
    """What `/run` takes for each step; the call itself where nothing but files is concerned. Raises Conflict."""
    project, params = call.project or "", dict(call.params)
    task = params.get("task", params.get("id"))
    timeline = memory.timeline(project)
    if params.get("commit") or params.get("to") or not any(moment.release for moment in timeline):
        return [call.as_step()]
    if task is not None and not any(task in (moment.id, moment.root) for moment in timeline):
        return [call.as_step()]
    first = start_of(timeline, project, task=task, only=bool(params.get("only")))
    meant = [timeline[first]] if task is None else [m for m in timeline if task in (m.id, m.root)]
    with_files = [moment for moment in meant if moment.release is None]
    chosen = timeline[first:] if with_files and not params.get("only") else meant
    steps = [*_places(project, chosen, timeline), *([call.as_step()] if with_files else [])]
    if not steps:
        words = "visitors see what they saw before it"
        raise Conflict(f"There is nothing to take back in `{project}`: {words}", hint=how_to_redo(timeline))
    return steps


def _places(project: str, chosen: list[Moment], timeline: list[Moment]) -> list[dict[str, Any]]:
    """One step for each host on which something of it would still be seen."""
    steps = []
    for provider in dict.fromkeys(str(moment.release["provider"]) for moment in chosen if moment.release):
        there = of_place(chosen, provider)
        standing = [moment for moment in there if not moment.undone]
        if standing and shows_change([there[0], of_place(timeline, provider)[-1]]):
            first = next(filter(counts, standing), standing[0])
            steps.append({"intent": BACK, "project": project, "provider": provider, "task": first.id})
    return steps
