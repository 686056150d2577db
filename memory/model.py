"""What the agent remembers, as values: tasks, each project's timeline, counters and what the owner has set."""

from dataclasses import dataclass, field, fields
from typing import Any

from contracts.tasks import WAITING, Status, Task
from contracts.trust import Autonomy, Code
from trust import Records

TASK_FIELDS = frozenset(f.name for f in fields(Task))
RULED = frozenset({Code.ACTION_RULE, Code.ONLY_LOOKS})
"""Decisions after which the outcome says nothing about trust."""


@dataclass(slots=True)
class Moment:
    """One change on a project's timeline: enough to undo it long after its task has left memory."""

    id: str
    title: str
    at: str
    root: str
    intent: str
    undone: bool = False
    undoes: list[str] = field(default_factory=list)
    redoes: list[str] = field(default_factory=list)
    effects: list[str] = field(default_factory=list)
    """What it touched, where that counts for trust; its undoing counts against the same record."""
    size: int = 0
    release: dict[str, Any] | None = None
    """Where it was put before others, and what visitors saw there before it and see after it; None: files alone."""


MOMENT_FIELDS = frozenset(f.name for f in fields(Moment))


@dataclass(slots=True)
class ProjectMemory:
    timeline: list[Moment] = field(default_factory=list)
    tree: str | None = None
    """Fingerprint of the project after the agent's last change."""


@dataclass(slots=True)
class State:
    """Everything that is remembered. `tasks` holds what is open and what is recent; the rest is in the logs."""

    last_updated: str = ""
    seq: int = 0
    confirmed_count: int = 0
    auto_confirmed_count: int = 0
    rejected_count: int = 0
    intent_stats: dict[str, dict[str, Any]] = field(default_factory=dict)
    trust: Records = field(default_factory=Records)
    tasks: dict[str, Task] = field(default_factory=dict)
    queue: list[str] = field(default_factory=list)
    recent: list[str] = field(default_factory=list)
    whole: dict[str, int] = field(default_factory=dict)
    """Tasks whose long results are still kept whole, oldest first, with their length."""
    current_goal: str | None = None
    last_plan: str | None = None
    draining: list[str] = field(default_factory=list)
    """Plans that run by themselves until they end, ask or fail."""
    failure_patterns: list[dict[str, Any]] = field(default_factory=list)
    self_edits: list[dict[str, Any]] = field(default_factory=list)
    deployment_events: list[dict[str, Any]] = field(default_factory=list)
    self_notes: list[dict[str, Any]] = field(default_factory=list)
    autonomy: Autonomy = Autonomy.EARNED
    autonomy_until: str | None = None
    autonomy_then: str | None = None
    """The mode that comes back when the present one ends by its time."""
    autonomy_by_project: dict[str, dict[str, Any]] = field(default_factory=dict)
    overrides: dict[str, dict[str, Any]] = field(default_factory=dict)
    idempotency: dict[str, dict[str, Any]] = field(default_factory=dict)
    projects: dict[str, ProjectMemory] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)
    """The port on which a project's app is shown; never given to another project."""
    apps: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Apps that shall be running, and how each is run."""
    agreed: dict[str, list[str]] = field(default_factory=dict)
    """By project, the apps that were agreed on, each by its digest; what is proven is one of these."""
    proofs: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By project, how the newest proof came out, and for which files."""
    places: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By project and host, where it is online, what visitors see there and what they saw before."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Fields of another version that this one does not know; kept as they are."""


def earned_on(task: Task) -> tuple[list[str], int]:
    """The effects and size that a task's outcome counts for in the trust record; none if it followed a rule."""
    decided = task.decision or {}
    if task.intent == "plan" or decided.get("code") in RULED:
        return [], 0
    return decided.get("effects", []), decided.get("size", 0)


def task_from(raw: dict[str, Any]) -> Task:
    """A task from its JSON form; fields of another version are left aside."""
    known = {name: value for name, value in raw.items() if name in TASK_FIELDS}
    return Task(**{**known, "status": Status(known["status"])})


def project_from(raw: dict[str, Any]) -> ProjectMemory:
    known = [{k: v for k, v in moment.items() if k in MOMENT_FIELDS} for moment in raw["timeline"]]
    return ProjectMemory([Moment(**moment) for moment in known], raw["tree"])


def holding(state: State) -> dict[str | None, Task]:
    """By project, what came from the queue or a plan and asks: the queue goes on there once it is answered."""
    asking = (task for task in state.tasks.values() if task.status in WAITING and (task.from_queue or task.parent_id))
    return {task.project: task for task in asking}


def family(state: State, root_id: str) -> list[Task]:
    """A task and everything below it that is still in memory, in order."""
    task = state.tasks.get(root_id)
    return [task, *(below for child in task.children for below in family(state, child))] if task else []
