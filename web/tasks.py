"""Tasks and the queue: what was asked for, how it stands, what comes next."""

from collections.abc import Iterator
from contextlib import suppress

from pydantic import ConfigDict, Field

from contracts.errors import NotFound
from contracts.paths import ProjectName
from web.deps import Deps
from web.models import Step, TaskId
from web.parts import Answered, Body
from web.routes import Input, Reply, Route, Said, dump, example, said
from web.task_shapes import QueuedStep, StatusName, Task

QUEUED = frozenset({409})
LONGEST = 2000
"""Of what stands under one name in a result, where results are to be brief."""


class TaskQuery(Input):
    status: StatusName | None = None
    project: ProjectName | None = None
    limit: int = Field(50, ge=1, le=1000)
    after: TaskId | None = Field(None, description="The last id of the page before.")
    brief: bool = Field(False, description="Leave out of results what is long; one task by its id has all of it.")
    root: bool = Field(False, description="Only whole tasks, without the steps of plans.")


class StepBody(Input):
    model_config = ConfigDict(
        json_schema_extra=example({"step": {"intent": "create_file", "project": "notes", "path": "b.txt"}})
    )

    step: Step


class Move(Input):
    model_config = ConfigDict(json_schema_extra=example({"before": None}))

    before: TaskId | None = Field(description="The step that it shall stand before; null for the end.")


class TaskList(Reply):
    tasks: list[Task]


class TaskDetail(Reply):
    task: Task
    children: list[Task]


class Queue(Reply):
    steps: list[QueuedStep]


class Inserted(Reply):
    id: str


def tasks(deps: Deps, query: TaskQuery) -> Said:
    """List tasks, newest first."""
    found = deps.runner.tasks(
        status=query.status, project=query.project, limit=query.limit, after=query.after, root=query.root
    )
    shown = [_brief(task) for task in found] if query.brief else found
    return said(f"{len(found)} tasks" if len(found) != 1 else "1 task", tasks=shown)


def _brief(task: Body) -> Body:
    result = task["result"] or {}
    data = result.get("data") or {}
    short = {name: value for name, value in data.items() if len(dump({name: value})) <= LONGEST}
    return task if len(short) == len(data) else {**task, "result": {**result, "data": short}}


def task(deps: Deps, id: TaskId) -> Said:
    """Show one task with all that is known about it, and its steps."""
    found = deps.runner.task(id)
    children = [child for name in found["children"] for child in _remembered(deps, name)]
    return said(f"{found['title']}: {found['status']}", task=found, children=children)


def _remembered(deps: Deps, id: str) -> Iterator[Body]:
    """The task, unless it is so old that only the logs have it."""
    with suppress(NotFound):
        yield deps.runner.task(id)


def edit_task(deps: Deps, id: TaskId, body: StepBody) -> Answered:
    """Change a queued step."""
    return deps.runner.edit_step(id, body.step)


def skip_task(deps: Deps, id: TaskId) -> Answered:
    """Take a queued step off the queue."""
    return deps.runner.skip_step(id)


def move_task(deps: Deps, id: TaskId, body: Move) -> Answered:
    """Move a queued step before another one, or to the end."""
    return deps.runner.move_step(id, before=body.before)


def insert_task(deps: Deps, id: TaskId, body: StepBody) -> Answered:
    """Put a new step before a queued one."""
    return deps.runner.insert_step(body.step, before=id)


def queue(deps: Deps) -> Said:
    """List the queued steps in the order in which they will be taken."""
    steps = deps.memory.next_steps()
    return said(f"{len(steps)} queued" if steps else "No queued tasks", steps=steps)


ROUTES = (
    Route("GET", "/tasks", tasks, {200: TaskList}),
    Route("GET", "/tasks/<id>", task, {200: TaskDetail}),
    Route("PATCH", "/tasks/<id>", edit_task, {200: Reply}, errors=QUEUED),
    Route("DELETE", "/tasks/<id>", skip_task, {200: Reply}, errors=QUEUED),
    Route("POST", "/tasks/<id>/move", move_task, {200: Reply}, errors=QUEUED),
    Route("POST", "/tasks/<id>/insert", insert_task, {200: Inserted}, errors=QUEUED),
    Route("GET", "/queue", queue, {200: Queue}),
)
