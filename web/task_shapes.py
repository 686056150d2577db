"""What answers about tasks are made of: tasks, decisions, cards. Only described; they may say more."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

StatusName = Literal[
    "queued", "awaiting_approval", "running", "succeeded", "failed", "rejected", "cancelled", "interrupted", "undone"
]
Verdict = Literal["auto", "ask", "refuse"]
Level = Literal["low", "medium", "high"]
Mode = Literal["ask_all", "earned", "allow_all"]
NodeKind = Literal["file", "directory", "symlink", "fifo", "other"]
Time = Annotated[str, Field(description="UTC, ISO 8601, ending in Z.")]
Call = Annotated[dict[str, Any], Field(description="What `/run` takes: `intent`, its parameters, and `project`.")]


class Decision(TypedDict):
    """Whether it may run, and why."""

    verdict: Verdict
    score: float
    threshold: float
    level: Level
    code: Annotated[str, Field(description="For programs; the reasons are for people.")]
    reasons: list[str]
    effects: NotRequired[list[str]]
    size: NotRequired[int]


class CardFile(TypedDict):
    path: str
    change: Literal["new", "changed", "deleted", "moved here"]
    kind: NodeKind
    before_bytes: int | None
    after_bytes: int | None
    moved_from: NotRequired[str]
    project: NotRequired[str]


class CardStep(TypedDict):
    title: str
    project: str | None
    call: Call


class CardWhat(TypedDict):
    """What would change."""

    summary: str
    effects: Annotated[list[str], Field(description="In words: what it touches.")]
    files: list[CardFile]
    more: Annotated[int, Field(description="How many files are not listed.")]
    diff: Annotated[str, Field(description="A unified diff, cut where it gets too long.")]
    notes: Annotated[list[str], Field(description="What a look at it found.")]
    steps: NotRequired[list[CardStep]]
    target: NotRequired[Annotated[str, Field(description="Of a deployment: the host, as it is shown.")]]
    provider: NotRequired[str]
    public: NotRequired[Annotated[str, Field(description="What becomes public, and where.")]]
    price: NotRequired[str]
    free_tier: NotRequired[Annotated[str, Field(description="How much of it is used, in words.")]]
    left_out: NotRequired[Annotated[list[str], Field(description="What is not sent, and why.")]]
    first: NotRequired[Annotated[bool, Field(description="Whether it was never there before.")]]
    credential: NotRequired[Annotated[str, Field(description="The credential that is missing; see `/credentials`.")]]
    remedy: NotRequired[str]
    guide: NotRequired[list[str]]


class Question(TypedDict):
    key: str
    text: str
    default: str
    options: list[str]


class Need(TypedDict):
    what: str
    remedy: str


class Card(TypedDict):
    """What a person needs to know to say yes or no."""

    title: str
    where: str
    what: CardWhat
    undo: str
    can_undo: NotRequired[Annotated[bool, Field(description="Whether all of it can be taken back.")]]
    outward: NotRequired[Annotated[bool, Field(description="Whether any of it leaves this machine.")]]
    cost: str
    worst: str
    why: Annotated[list[str], Field(description="Why it asks.")]
    call: Call
    digest: str
    size: int
    identity: NotRequired[Annotated[str, Field(description="Changes if what is approved is no longer the same.")]]
    blocked: NotRequired[Annotated[str, Field(description="What has to be there first; a yes alone does not help.")]]
    understood: NotRequired[str]
    assumptions: NotRequired[list[str]]
    questions: NotRequired[list[Question]]
    cannot: NotRequired[list[str]]
    checks: NotRequired[list[str]]
    needs: NotRequired[list[Need]]


class Problem(TypedDict):
    """What a program and a person can make of it."""

    code: Annotated[str, Field(description="For programs.")]
    hint: Annotated[str, Field(description="The remedy, in words.")]
    details: dict[str, Any]


class Result(TypedDict, total=False):
    """What came of it; while it runs, what is known before."""

    success: bool
    message: str
    data: dict[str, Any]
    error: Problem


class Approval(TypedDict):
    """Who said yes or no, when and why."""

    approved: bool
    at: Time
    by: NotRequired[Annotated[str, Field(description="`owner`, `plan`, or `trust` where it ran alone.")]]
    reason: NotRequired[str]


class Task(TypedDict):
    """One thing to do, or a plan with steps below it."""

    id: str
    intent: str
    params: dict[str, Any]
    status: StatusName
    title: str
    created: Time
    project: str | None
    parent_id: str | None
    children: list[str]
    decision: Decision | None
    card: Card | None
    approval: Approval | None
    result: Result | None
    cost: float
    commit: str | None
    started: Time | None
    finished: Time | None
    seconds: float | None
    undoes: list[str]
    redoes: list[str]
    undone_by: str | None
    tainted: bool
    retried: str | None


class QueuedPlan(TypedDict):
    id: str
    title: str
    status: StatusName


class QueuedStep(TypedDict):
    id: str
    step: Call
    timestamp: Time
    title: str
    plan: Annotated[QueuedPlan | None, Field(description="The plan that it is a step of; it can move only within it.")]


class PlannedStep(TypedDict):
    """A step of a plan, in brief."""

    id: str
    title: str
    status: StatusName
    message: str | None
    commit: str | None
