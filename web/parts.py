"""What the routes need of the rest of the house, as Protocols."""

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Protocol

from contracts.events import Event
from contracts.files import Draft, Node

Body = dict[str, Any]


class Answered(Protocol):
    """How the runner answers: an HTTP status and the body that goes with it."""

    @property
    def status(self) -> int: ...

    @property
    def body(self) -> Body: ...


class Runner(Protocol):
    def run_agent(
        self, command: Body | str, *, wait: float | None = None, idempotency_key: str | None = None
    ) -> Answered: ...

    def run_next(self, *, project: str | None = None, wait: float | None = None) -> Answered: ...

    def run_all(self, *, project: str | None = None, wait: float | None = None) -> Answered: ...

    def confirm(self, *, id: str | None, approve: bool, reason: str = "", wait: float | None = None) -> Answered: ...

    def cancel_plan(self, *, id: str | None = None) -> Answered: ...

    def rollback(
        self,
        *,
        id: str | None = None,
        commit: str | None = None,
        to: str | None = None,
        project: str | None = None,
        only: bool = False,
        exact: bool = False,
        wait: float | None = None,
    ) -> Answered: ...

    def edit_step(self, id: str, step: Body) -> Answered: ...

    def skip_step(self, id: str) -> Answered: ...

    def move_step(self, id: str, *, before: str | None) -> Answered: ...

    def insert_step(self, step: Body, *, before: str) -> Answered: ...

    def set_autonomy(self, mode: str, *, project: str | None = None, minutes: float | None = None) -> Answered: ...

    def set_override(
        self, intent: str, project: str | None, verdict: str | None, *, lift_floor: bool = False
    ) -> Answered: ...

    def run_tests_from_file(self, path: str | None) -> Answered: ...

    def task(self, id: str) -> Body: ...

    def tasks(
        self, *, status: str | None = None, project: str | None = None, limit: int = 50, after: str | None = None
    ) -> list[Body]: ...


class Memory(Protocol):
    def everything(self) -> Body: ...

    def summary(self) -> Body: ...

    def trust_view(self, project: str | None = None) -> Body: ...

    def next_steps(self) -> list[Body]: ...


class Events(Protocol):
    """The reading half of a store."""

    def events(self, after: int = 0, limit: int = 1000) -> Iterable[Event]: ...

    def last_seq(self) -> int: ...

    def wait(self, after: int, timeout: float) -> bool: ...


class Projects(Protocol):
    """The reading half of the workspace. Everything raises NotFound for a project or path that is not there."""

    def names(self) -> list[str]: ...

    def exists(self, project: str) -> bool: ...

    def draft(self, project: str) -> Draft: ...

    def open_file(self, project: str, path: str) -> BinaryIO: ...

    def walk(self, project: str) -> Iterator[tuple[str, Node]]: ...


class History(Protocol):
    def history(self, project: str, limit: int = 50) -> list[Body]:
        """The newest commits first. Raises NotFound for the project, Conflict for a history that cannot be used."""


class TaskLogs(Protocol):
    def entries(self, *, date: str | None = None, limit: int = 50) -> list[Body]: ...

    def read(self, date: str, name: str) -> Body:
        """Raises NotFound."""


class Redact(Protocol):
    def json(self, line: str) -> str: ...


class RequestLog(Protocol):
    def __call__(self, level: str, event: str | None, message: str, data: Any = None, logger: str = "") -> None: ...
