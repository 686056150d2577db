"""A task: one thing to do, or a tree of them. One shape for memory, logs, API and panel."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    QUEUED = "queued"
    AWAITING_APPROVAL = "awaiting_approval"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    UNDONE = "undone"


OPEN = frozenset({Status.QUEUED, Status.AWAITING_APPROVAL, Status.RUNNING, Status.INTERRUPTED})
"""Statuses of a task that can still go on."""

WAITING = frozenset({Status.AWAITING_APPROVAL, Status.INTERRUPTED})
"""Statuses of a task that goes on only when a person says so."""


@dataclass(slots=True)
class Task:
    """One step or plan, from the moment it is asked for until it has ended or been undone."""

    id: str
    intent: str
    params: dict[str, Any]
    status: Status
    title: str
    created: str
    project: str | None = None
    parent_id: str | None = None
    children: list[str] = field(default_factory=list)
    decision: dict[str, Any] | None = None
    card: dict[str, Any] | None = None
    approval: dict[str, Any] | None = None
    """Who said yes or no, when and why."""
    result: dict[str, Any] | None = None
    cost: float = 0.0
    snapshot_before: str | None = None
    commit: str | None = None
    started: str | None = None
    finished: str | None = None
    seconds: float | None = None
    undoes: list[str] = field(default_factory=list)
    """The tasks that this one took back."""
    redoes: list[str] = field(default_factory=list)
    """The tasks that this one brought back by taking back an undo."""
    undone_by: str | None = None
    tainted: bool = False
    from_queue: bool = False
    """It was taken from the queue and asks; what stands behind it there, in its project, waits for it."""
    retried: str | None = None
    """Why it was tried once more, if it was."""
    seq: int = 0
    """The number of the event that finished it: the order in which changes reached the project."""

    @property
    def kept(self) -> bool:
        """Whether it failed and stays queued: its result says why."""
        return self.status is Status.QUEUED and self.result is not None

    @property
    def open(self) -> bool:
        return self.status in OPEN
