"""What answers are made of besides tasks: projects, changes, proofs, trust, events. They may say more."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from web.task_shapes import Level, Mode, NodeKind, StatusName, Task, Time, Verdict


class Commit(TypedDict):
    id: str
    title: str
    message: str
    author: str
    at: Time
    task_id: str | None


class Preview(TypedDict):
    """How the app of a project is doing."""

    state: Literal["none", "starting", "running", "crashed", "stopped"]
    words: str
    url: str | None
    link: Annotated[str | None, Field(description="What to open or frame; it carries a key where one is needed.")]
    port: int | None
    since: NotRequired[Time]
    restarts: NotRequired[int]
    tries_again: NotRequired[bool]
    note: NotRequired[str]


class NewestTask(TypedDict):
    id: str
    title: str
    status: StatusName
    created: Time
    finished: Time | None


class Project(TypedDict):
    name: str
    title: str
    kind: Annotated[str | None, Field(description="What sort of app it is, if it was built here.")]
    files: int
    bytes: int
    last_commit: Commit | None
    problem: NotRequired[Annotated[str, Field(description="Why its history cannot be used.")]]
    preview: Preview
    newest: NewestTask | None
    waiting_count: int
    picture: Annotated[str | None, Field(description="Changes with the picture; null if there is none.")]
    updated: Time | None


class ProjectInFull(Project):
    waiting: list[Task]


class FileEntry(TypedDict):
    path: str
    kind: NodeKind
    size: int
    mode: str


class DiffFile(TypedDict):
    """What came of one file, or would come of it."""

    project: str
    path: str
    change: Literal["added", "removed", "changed", "moved", "mode"]
    kind: NodeKind
    moved_from: str | None
    before_bytes: int | None
    after_bytes: int | None
    binary: bool
    too_large: Annotated[bool, Field(description="Too large to be shown as text.")]
    added: Annotated[int | None, Field(description="Lines; null where they were not counted.")]
    removed: int | None


class DiffText(DiffFile):
    before: Annotated[str | None, Field(description="Null if it was not there, or is no text.")]
    after: str | None


class TimelineEntry(TypedDict):
    """One action that ended."""

    id: str
    title: str
    intent: str
    project: str | None
    root: Annotated[str, Field(description="The task that it is a step of, or itself.")]
    plan: Annotated[str | None, Field(description="Title of the plan that it is a step of.")]
    created: Time
    at: Time
    seq: Annotated[int, Field(description="Its place: give the last one as `before` for the next page.")]
    status: StatusName
    message: str
    seconds: float | None
    cost: float
    by: Annotated[str | None, Field(description="Who let it run: `owner`, `plan`, or `trust` where it ran alone.")]
    commit: str | None
    files: int
    added: int | None
    removed: int | None
    undoes: list[str]
    redoes: list[str]
    undone: bool
    undone_by: str | None
    can_undo: bool


class Gone(TypedDict):
    """A change that an undo takes back or brings back."""

    id: str
    title: str
    at: Time
    project: str


class UndoPreview(TypedDict):
    """What an undo would do; nothing has been done."""

    asks: bool
    reasons: list[str]
    changes: list[Gone]
    brings_back: list[Gone]
    online: Annotated[list[str], Field(description="What happens to it where others can see it, in words.")]
    files: list[DiffFile]
    more_files: int
    kept: Annotated[list[str], Field(description="Left as they are, because someone else changed them meanwhile.")]


class Exchange(TypedDict):
    """One request and its answer, or one command and what came of it."""

    asked: str
    sent: str
    status: int | None
    answered: str


class ProofCheck(TypedDict):
    id: str
    words: str
    ok: bool
    seen_failing: bool | None
    why: str
    seconds: float
    asked: int
    exchanges: list[Exchange]


class TestCase(TypedDict):
    name: str
    outcome: str
    message: str


class ProofTests(TypedDict):
    """The app's own tests."""

    ok: bool
    words: str
    passed: int
    cases: list[TestCase]


class ProofVariant(TypedDict):
    """The app broken on purpose: did its tests notice?"""

    path: str
    line: int
    words: str
    caught: bool
    by: str


class ProofShape(TypedDict):
    ok: bool
    words: str
    at: Time
    task: str | None
    current: Annotated[bool, Field(description="Whether the files are still the ones that were proven.")]
    checks: list[ProofCheck]
    tests: ProofTests | None
    variants: list[ProofVariant] | None
    seconds: dict[str, float] | None


class LogLine(TypedDict):
    at: Time
    source: Literal["stdout", "stderr", "agent"]
    text: str


class LogEntry(TypedDict):
    """One log in a list."""

    date: str
    name: str
    size: int
    id: str | None
    title: str | None
    project: str | None
    status: StatusName | None
    confirmationNeeded: bool | None
    created: Time | None


class TrustRecord(TypedDict):
    """How one kind of action has gone in one project."""

    scope: str
    intent: str
    effects: list[str]
    project: str
    score: float
    threshold: float
    level: Level
    verdict: Verdict
    reasons: list[str]
    good: int
    bad: int
    recent: Annotated[
        list[Literal["good", "failed", "rejected", "undone"]], Field(description="Outcomes, the newest last.")
    ]
    state: Literal["asks", "sometimes", "alone"]
    code: str
    demoted: Annotated[int, Field(description="Approved good runs that are needed after something went wrong.")]
    runs_needed: Annotated[int | None, Field(description="Good runs until it stops asking; null if none would do.")]
    alone_up_to_bytes: int | None
    words: Annotated[str, Field(description="The rule in one sentence.")]


class ProjectAutonomy(TypedDict):
    mode: Mode
    until: Time | None


class Autonomy(TypedDict):
    mode: Mode
    until: Time | None
    by_project: dict[str, ProjectAutonomy]


class OverrideSet(TypedDict):
    verdict: Verdict
    lifted: bool


class ActionShape(TypedDict):
    """Something that the agent can do."""

    name: str
    summary: str
    effects: list[str]
    reversible: bool
    undo: str
    needs_project: bool
    params: Annotated[dict[str, Any], Field(description="JSON schema of its parameters.")]


class SettingShape(TypedDict):
    """One setting in words."""

    name: str
    variable: Annotated[str, Field(description="Its name in the environment and in `.env`.")]
    value: Any
    default: Any
    words: str
    allowed: str


class DayShape(TypedDict):
    """How a day went."""

    date: str
    succeeded: int
    failed: int
    rejected: int
    cancelled: int
    undone: int
    alone: Annotated[int, Field(description="How many ran without asking.")]
    seconds: float
    cost: float


class Brief(TypedDict):
    id: str
    title: str
    intent: str
    project: str | None
    status: StatusName
    message: str
    created: Time
    finished: Time | None
    commit: str | None


class EventShape(TypedDict):
    """Something that happened; the `data` of each event of the stream is one of these."""

    seq: int
    at: Time
    type: Annotated[str, Field(description="A type that is not known is to be passed over.")]
    task_id: str | None
    data: dict[str, Any]
