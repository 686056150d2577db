"""Waiting for tasks: a request sleeps here until its task has ended or has to ask, or until its time is up."""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from context_manager import ContextManager
from contracts.errors import AppError
from contracts.tasks import WAITING, Status, Task
from running.answers import Answer, answer_for


@dataclass(slots=True, eq=False)
class Ticket:
    """One request's claim to be woken. The first call counts."""

    settled: threading.Event = field(default_factory=threading.Event)
    error: AppError | None = None
    """What is to be raised to this request alone; not the task's outcome."""

    def call(self, error: AppError | None = None) -> None:
        if not self.settled.is_set():
            self.error = error
            self.settled.set()


class Waiters:
    def __init__(self, memory: ContextManager, default_seconds: float) -> None:
        self._memory = memory
        self._default = default_seconds
        self._guard = threading.Lock()
        self._tickets: dict[str, list[Ticket]] = {}
        self._at_work: set[Ticket] = set()

    def settle(self, task_id: str, error: AppError | None = None) -> None:
        """Wake whoever waits for this task; an `error` says that there will be no such task."""
        with self._guard:
            tickets = self._tickets.pop(task_id, [])
        for ticket in tickets:
            ticket.call(error)

    def settle_all(self) -> None:
        """Wake everybody: the service stops."""
        with self._guard:
            waiting = [*self._at_work, *(ticket for tickets in self._tickets.values() for ticket in tickets)]
            self._tickets = {}
        for ticket in waiting:
            ticket.call()

    def ticket(self) -> Ticket:
        """A ticket for a request whose own job calls it. Waiting for it hands it back."""
        ticket = Ticket()
        with self._guard:
            self._at_work.add(ticket)
        return ticket

    def wait(self, ticket: Ticket, wait: float | None) -> bool:
        """Sleep until the ticket is called, or for `wait` seconds; says which. Raises what the ticket brings."""
        called = ticket.settled.wait(self._default if wait is None else wait)
        with self._guard:
            self._at_work.discard(ticket)
        if called and ticket.error is not None:
            raise ticket.error
        return called

    def answer(self, task_id: str) -> Answer:
        """Where the task stands now."""
        family = self._memory.family(task_id)
        if not family:
            return Answer(202, {"success": True, "message": "Accepted", "id": task_id, "confirmationNeeded": False})
        return answer_for(family)

    def wait_for(self, task_id: str, wait: float | None) -> Answer:
        """The answer about a task that was started earlier."""
        ticket = Ticket()
        with self._guard:
            self._tickets.setdefault(task_id, []).append(ticket)
        if _is_settled(self._memory.family(task_id)):
            ticket.call()
        try:
            self.wait(ticket, wait)
        finally:
            self._forget(task_id, ticket)
        return self.answer(task_id)

    def wait_for_all(self, task_ids: Iterable[str], wait: float | None) -> list[Answer]:
        """The answers about several tasks, all within the same time."""
        end = time.monotonic() + (self._default if wait is None else wait)
        return [self.wait_for(task_id, max(0.0, end - time.monotonic())) for task_id in task_ids]

    def _forget(self, task_id: str, ticket: Ticket) -> None:
        with self._guard:
            left = [other for other in self._tickets.pop(task_id, []) if other is not ticket]
            if left:
                self._tickets[task_id] = left


def _is_settled(family: list[Task]) -> bool:
    if not family:
        return False
    asking = any(task.status in WAITING for task in family)
    return asking or family[0].kept or family[0].status not in {Status.RUNNING, Status.QUEUED}
