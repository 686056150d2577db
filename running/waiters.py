"""Waiting for tasks: a request sleeps here until its task has ended or has to ask, or until its time is up."""

import threading
from dataclasses import dataclass, field

from context_manager import ContextManager
from contracts.errors import AppError
from contracts.tasks import Status, Task
from running.answers import Answer, answer_for


@dataclass(slots=True)
class Ticket:
    """One request's claim to be woken."""

    settled: threading.Event = field(default_factory=threading.Event)
    error: AppError | None = None
    """What is to be raised to this request alone; not the task's outcome."""

    def call(self, error: AppError | None = None) -> None:
        self.error = error
        self.settled.set()


class Waiters:
    def __init__(self, memory: ContextManager, default_seconds: float) -> None:
        self._memory = memory
        self._default = default_seconds
        self._guard = threading.Lock()
        self._tickets: dict[str, list[Ticket]] = {}

    def settle(self, task_id: str) -> None:
        """Wake whoever waits for this task."""
        with self._guard:
            tickets = self._tickets.pop(task_id, [])
        for ticket in tickets:
            ticket.call()

    def settle_all(self) -> None:
        """Wake everybody: the service stops."""
        with self._guard:
            waiting, self._tickets = self._tickets, {}
        for tickets in waiting.values():
            for ticket in tickets:
                ticket.call()

    def answer(self, task_id: str, ticket: Ticket, wait: float | None) -> Answer:
        """Where the task stands once the ticket is called, or after `wait` seconds."""
        ticket.settled.wait(self._default if wait is None else wait)
        if ticket.error is not None:
            raise ticket.error
        family = self._memory.family(task_id)
        if not family:
            return Answer(202, {"success": True, "message": "Accepted", "id": task_id, "confirmationNeeded": False})
        return answer_for(family)

    def expect(self, task_id: str) -> Ticket:
        """A ticket that is called when the task is settled."""
        ticket = Ticket()
        with self._guard:
            self._tickets.setdefault(task_id, []).append(ticket)
        return ticket

    def wait_for(self, task_id: str, wait: float | None) -> Answer:
        """The answer about a task that was started earlier."""
        ticket = self.expect(task_id)
        if _is_settled(self._memory.family(task_id)):
            ticket.call()
        try:
            return self.answer(task_id, ticket, wait)
        finally:
            self._forget(task_id, ticket)

    def _forget(self, task_id: str, ticket: Ticket) -> None:
        with self._guard:
            left = [other for other in self._tickets.pop(task_id, []) if other is not ticket]
            if left:
                self._tickets[task_id] = left


def _is_settled(family: list[Task]) -> bool:
    if not family:
        return False
    asking = any(task.status is Status.AWAITING_APPROVAL for task in family)
    return asking or family[0].status not in {Status.RUNNING, Status.QUEUED}
