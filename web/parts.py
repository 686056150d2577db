"""What the routes need of the rest of the house, as Protocols."""

from collections.abc import Iterable, Iterator
from pathlib import Path
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

    def answer(self, *, id: str | None, answers: dict[str, str], wait: float | None = None) -> Answered: ...

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
        self,
        *,
        status: str | None = None,
        project: str | None = None,
        limit: int = 50,
        after: str | None = None,
        root: bool = False,
    ) -> list[Body]: ...

    def changed_by(self, id: str) -> list[str]:
        """The projects in which a task made changes. Raises NotFound if it made none."""


class Memory(Protocol):
    def everything(self) -> Body: ...

    def summary(self) -> Body: ...

    def autonomy_view(self) -> Body: ...

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


class Backups(Protocol):
    def status(self) -> Body: ...

    def retry(self) -> None: ...

    def list_recent_drive_logs(self, limit: int = 20) -> list[Body]: ...


class Credentials(Protocol):
    """What opens accounts elsewhere. Nothing that it gives holds a secret; unknown names raise NotFound."""

    def describe(self) -> list[Body]: ...

    def notices(self) -> list[str]: ...

    def put(self, name: str, values: Body) -> Body: ...

    def test(self, name: str) -> Body: ...

    def forget(self, name: str) -> Body: ...


class TaskLogs(Protocol):
    def entries(self, *, date: str | None = None, limit: int = 50) -> list[Body]: ...

    def search(
        self,
        *,
        words: str = "",
        status: str | None = None,
        project: str | None = None,
        date: str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> tuple[list[Body], str | None]:
        """The newest logs that fit, and where to go on if there may be more."""

    def read(self, date: str, name: str) -> Body:
        """Raises NotFound."""


class LookingBack(Protocol):
    """What was done."""

    def timeline(
        self, *, project: str | None = None, before: int | None = None, limit: int = 50, changes: bool = False
    ) -> list[Body]: ...

    def days(self, count: int) -> list[Body]: ...

    def diff(self, task_id: str) -> list[Body]: ...

    def file_diff(self, task_id: str, path: str, project: str | None) -> Body: ...


class LookingAhead(Protocol):
    """What would be done."""

    def waits(self, task_id: str) -> bool: ...

    def diff(self, task_id: str) -> list[Body]: ...

    def file_diff(self, task_id: str, path: str, project: str | None) -> Body: ...

    def undo(self, task_id: str, places: list[str], *, only: bool = False) -> Body: ...


class Showing(Protocol):
    """The apps of projects as people are shown them."""

    def about(self, project: str) -> Body: ...

    def preview(self, project: str) -> Body: ...

    def app_log(self, project: str, lines: int) -> list[Body]: ...

    def proof(self, project: str) -> Body | None: ...

    def picture(self, project: str, size: str) -> bytes:
        """Raises NotFound."""


class Redact(Protocol):
    def json(self, line: str) -> str: ...


class RequestLog(Protocol):
    def __call__(self, level: str, event: str | None, message: str, data: Any = None, logger: str = "") -> None: ...


class Deployments(Protocol):
    def overview(self, project: str | None = None) -> Body:
        """`deployments` and `places`."""

    def log(self, deployment_id: str) -> Body:
        """`deployment`, `lines`, `matters`. Raises NotFound."""

    def export(self, name: str) -> Path:
        """The file of that name among those that were made. Raises NotFound."""
