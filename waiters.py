"""Waiting for tasks: a request sleeps here until its task has ended or has to ask, or until its time is up."""

import threading

from answers import Answer, answer_for
from context_manager import ContextManager
from contracts.errors import AppError
from contracts.tasks import Status, Task


class Waiters:
    def __init__(self, memory: ContextManager, default_seconds: float) -> None:
        self._memory = memory
        self._default = default_seconds
        self._guard = threading.Lock()
        self._settled: dict[str, threading.Event] = {}
        self._refused: dict[threading.Event, AppError] = {}

    def expect(self, task_id: str) -> threading.Event:
        """To be called before the work is handed over, so that its end cannot be missed."""
        with self._guard:
            return self._settled.setdefault(task_id, threading.Event())

    def settle(self, task_id: str, error: AppError | None = None) -> None:
        """Wake whoever waits for this task; with an error that is not the task's outcome, it is raised to them."""
        with self._guard:
            settled = self._settled.pop(task_id, None)
            if settled is not None and error is not None:
                self._refused[settled] = error
        if settled is not None:
            settled.set()

    def settle_all(self) -> None:
        """Wake everybody: the service stops."""
        with self._guard:
            events, self._settled = list(self._settled.values()), {}
        for event in events:
            event.set()

    def answer(self, task_id: str, settled: threading.Event, wait: float | None) -> Answer:
        """Where the task stands once it is settled, or after `wait` seconds."""
        settled.wait(self._default if wait is None else wait)
        with self._guard:
            error = self._refused.pop(settled, None)
        if error is not None:
            raise error
        family = self._memory.family(task_id)
        if not family:
            return Answer(202, {"success": True, "message": "Accepted", "id": task_id, "confirmationNeeded": False})
        return answer_for(family)

    def wait_for(self, task_id: str, wait: float | None) -> Answer:
        """The answer about a task that was started earlier."""
        settled = self.expect(task_id)
        if _is_settled(self._memory.family(task_id)):
            self.settle(task_id)
        return self.answer(task_id, settled, wait)


def _is_settled(family: list[Task]) -> bool:
    if not family:
        return False
    asking = any(task.status is Status.AWAITING_APPROVAL for task in family)
    return asking or family[0].status not in {Status.RUNNING, Status.QUEUED}
