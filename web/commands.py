"""Commands: say what is to be done, go on, approve, cancel, undo."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from contracts.errors import BadInput
from contracts.paths import ProjectName
from web.deps import Deps
from web.models import ForProject, Step, TaskId, TaskReply, Wait
from web.parts import Answered
from web.routes import Input, Reply, Route, example

DONE = {200: TaskReply, 202: TaskReply}
CONFLICT = frozenset({404, 409})


class Command(Input):
    """One action with its parameters beside it, or a goal in plain words, or a list of steps."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra=example({"intent": "create_file", "project": "notes", "path": "a.txt", "content": "hi"}),
    )

    intent: str | None = Field(None, min_length=1, max_length=100, description="Name of an action; see `/actions`.")
    project: ProjectName | None = None
    params: dict[str, Any] | None = Field(None, description="Parameters, if they do not stand beside `intent`.")
    goal: str | None = Field(None, max_length=60_000, description="What to reach, in plain words.")
    answers: dict[str, str] | None = Field(None, max_length=20, description="Answers to questions, by their keys.")
    online: str | None = Field(
        None, max_length=40, description="With `goal`: the host that the app goes to, such as `vercel` or `demo`."
    )
    steps: list[Step] | None = Field(None, min_length=1, max_length=1000, description="Steps of a plan, in order.")
    wait: Wait = None


Goal = Annotated[str, Field(max_length=60_000, description="What to reach, in plain words.")]


class RunHeaders(Input):
    idempotency_key: str | None = Field(
        None,
        alias="Idempotency-Key",
        pattern=r"^[\x21-\x7e]{1,64}$",
        description="A request that is sent again with the same key does not act again.",
    )


class AnswerQuestions(Input):
    model_config = ConfigDict(json_schema_extra=example({"answers": {"about": "books"}}))

    id: TaskId | None = None
    answers: dict[str, Annotated[str, Field(max_length=2000)]] = Field(
        min_length=1, max_length=20, description="What to build instead of the defaults, by the key of each question."
    )
    wait: Wait = None


class Confirm(Input):
    model_config = ConfigDict(json_schema_extra=example({"approve": True}))

    id: TaskId | None = None
    approve: bool
    reason: str = Field("", max_length=2000)
    wait: Wait = None


class Cancel(Input):
    id: TaskId | None = None


class Rollback(Input):
    id: TaskId | None = Field(None, description="Go back to before this task.")
    commit: str | None = Field(None, pattern=r"^[0-9a-fA-F]{4,64}$", description="Go back to this commit.")
    to: Literal["last_good"] | None = Field(None, description="Go back to the last proven or deployed commit.")
    project: ProjectName | None = None
    only: bool = Field(False, description="Take back that one change and leave the later ones.")
    exact: bool = Field(False, description="Make the project exactly what it was, later changes by others included.")
    wait: Wait = None


class TestFile(Input):
    file: str | None = Field(None, min_length=1, max_length=1024, description="A file with commands and expectations.")


class Cancelled(Reply):
    cancelled: list[str]


class TestResults(Reply):
    results: list[dict[str, Any]]
    passed: int
    failed: int


def run(deps: Deps, body: Command | Goal, headers: RunHeaders) -> Answered:
    """Do something: it runs at once where the record has earned that, else it waits for `/confirm`."""
    key = headers.idempotency_key
    if isinstance(body, str):
        return deps.runner.run_agent(body, idempotency_key=key)
    command = body.model_dump(exclude_unset=True, exclude={"wait"})
    if not any(command.get(name) is not None for name in ("intent", "goal", "steps")):
        raise BadInput(
            "The request does not say what to do: `intent`, `goal` or `steps` is needed",
            hint="`GET /actions` lists every intent",
        )
    return deps.runner.run_agent(command, wait=body.wait, idempotency_key=key)


def run_next(deps: Deps, body: ForProject) -> Answered:
    """Take the next queued step."""
    return deps.runner.run_next(project=body.project, wait=body.wait)


def run_all(deps: Deps, body: ForProject) -> Answered:
    """Take queued steps until none is left, one asks or one fails."""
    return deps.runner.run_all(project=body.project, wait=body.wait)


def confirm(deps: Deps, body: Confirm) -> Answered:
    """Approve or reject what waits; without an id, the one task that waits."""
    return deps.runner.confirm(id=body.id, approve=body.approve, reason=body.reason, wait=body.wait)


def answer(deps: Deps, body: AnswerQuestions) -> Answered:
    """Answer the questions of a plan that waits, without an id the newest one; it is planned anew, and asks again."""
    return deps.runner.answer(id=body.id, answers=body.answers, wait=body.wait)


def cancel_plan(deps: Deps, body: Cancel) -> Answered:
    """Cancel a task or plan, or everything that is queued."""
    return deps.runner.cancel_plan(id=body.id)


def rollback(deps: Deps, body: Rollback) -> Answered:
    """Undo the last action, go back to before a task or to a commit, or take one change back."""
    return deps.runner.rollback(**body.model_dump())


def run_tests(deps: Deps, body: TestFile) -> Answered:
    """Run the commands of a test file and compare what they answer."""
    return deps.runner.run_tests_from_file(body.file)


ROUTES = (
    Route("POST", "/run", run, DONE, errors=CONFLICT),
    Route("POST", "/run_next", run_next, DONE, errors=CONFLICT),
    Route("POST", "/run_all", run_all, DONE, errors=CONFLICT),
    Route("POST", "/confirm", confirm, DONE, errors=CONFLICT),
    Route("POST", "/answer", answer, DONE, errors=CONFLICT),
    Route("POST", "/cancel_plan", cancel_plan, {200: Cancelled}, errors=CONFLICT),
    Route("POST", "/rollback", rollback, DONE, errors=CONFLICT),
    Route("POST", "/run_tests", run_tests, {200: TestResults}, errors=CONFLICT),
)
