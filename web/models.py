"""Names and answers that several routes share."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from contracts.paths import ProjectName
from web.routes import Input, Reply

TaskId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="A task's id, as `/run` gave it.")]
Wait = Annotated[
    float | None, Field(ge=0, le=3600, description="Seconds to wait for the result; without it, the setting.")
]
Step = Annotated[
    dict[str, Any],
    Field(min_length=1, max_length=100, description="What to do: `intent`, its parameters, and `project`."),
]
Verdict = Literal["auto", "ask", "refuse"]
StatusName = Literal[
    "queued", "awaiting_approval", "running", "succeeded", "failed", "rejected", "cancelled", "interrupted", "undone"
]


class Problem(TypedDict):
    """What a program and a person can make of it."""

    code: Annotated[str, Field(description="For programs.")]
    hint: Annotated[str, Field(description="The remedy, in words.")]
    details: dict[str, Any]


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
    confirmationNeeded: bool
    executionPlanned: Annotated[list[str], Field(description="Titles of the steps ahead.")]
    decision: Annotated[dict[str, Any] | None, Field(description="verdict, score, threshold, level, code, reasons.")]
    card: Annotated[dict[str, Any] | None, Field(description="What would change, and whether it can be undone.")]
    result: dict[str, Any] | None


class ForProject(Input):
    project: ProjectName | None = None
    wait: Wait = None
