"""Names and answers that several routes share."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from contracts.paths import ProjectName
from web.routes import Input, Reply
from web.task_shapes import Call, Card, Decision, Need, PlannedStep, Problem, Question, Result, StatusName

TaskId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="A task's id, as `/run` gave it.")]
Wait = Annotated[
    float | None, Field(ge=0, le=3600, description="Seconds to wait for the result; without it, the setting.")
]
Step = Annotated[
    dict[str, Any],
    Field(min_length=1, max_length=100, description="What to do: `intent`, its parameters, and `project`."),
]


class ErrorReply(TypedDict):
    """Why it could not be done."""

    success: Literal[False]
    message: str
    error: Problem


class TaskReply(Reply, total=False):
    """How a command went, or what it waits for."""

    id: str | None
    status: StatusName | None
    intent: str | None
    project: str | None
    title: str
    confirmationNeeded: bool
    executionPlanned: Annotated[list[str], Field(description="Titles of the steps ahead.")]
    decision: Decision | None
    card: Annotated[Card | None, Field(description="What would change, and whether it can be undone.")]
    result: Result | None
    plan: Annotated[str, Field(description="The plan that the step which asks belongs to.")]
    steps: Annotated[list[PlannedStep], Field(description="How the steps of a plan stand.")]
    follow: Annotated[str, Field(description="Where to look how it goes on.")]
    undone_by: str
    planGenerated: Annotated[bool, Field(description="Whether a plan was made from the words.")]
    plannedSteps: Annotated[list[Call], Field(description="The steps, each as `/run` takes it.")]
    price: Annotated[float, Field(description="What the plan will cost; nothing, without a model and a paid host.")]
    understood: Annotated[str, Field(description="What was made of the words.")]
    assumptions: list[str]
    questions: Annotated[list[Question], Field(description="See `/answer`.")]
    cannot: Annotated[list[str], Field(description="What was asked for and is left out.")]
    checks: Annotated[list[str], Field(description="What has to hold before it counts as done.")]
    needs: Annotated[list[Need], Field(description="What is missing for it, and the remedy.")]


class ForProject(Input):
    project: ProjectName | None = None
    wait: Wait = None
