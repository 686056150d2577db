"""Names and answers that several routes share."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

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


class Problem(BaseModel):
    """What a program and a person can make of it."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    code: str = Field(description="For programs.")
    hint: str = Field(description="The remedy, in words.")
    details: dict[str, Any]


class ErrorReply(Reply):
    """Why it could not be done."""

    success: Literal[False]
    error: Problem


class TaskReply(Reply):
    """How a command went, or what it waits for."""

    id: str | None = None
    status: StatusName | None = None
    intent: str | None = None
    project: str | None = None
    confirmation_needed: bool = Field(False, alias="confirmationNeeded")
    execution_planned: list[str] = Field([], alias="executionPlanned", description="Titles of the steps ahead.")
    decision: dict[str, Any] | None = Field(None, description="verdict, score, threshold, level, code, reasons.")
    card: dict[str, Any] | None = Field(None, description="What would change, and whether it can be undone.")
    result: dict[str, Any] | None = None


class ForProject(Input):
    project: ProjectName | None = None
    wait: Wait = None
