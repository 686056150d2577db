"""The log files of root tasks."""

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from contracts.paths import ProjectName
from web.deps import Deps
from web.routes import Input, Reply, Route, Said, said
from web.shapes import LogEntry
from web.task_shapes import StatusName

Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="A day, such as `2026-11-16`.")]
LogName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9-]{1,100}\.json$", description="A log's name, as `/logs` gives it.")
]
LogPlace = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}/[A-Za-z0-9-]{1,100}\.json$")]


class LogQuery(Input):
    date: Date | None = None
    q: str = Field("", max_length=200, description="Words that stand somewhere in the log, in any case of letters.")
    status: StatusName | None = None
    project: ProjectName | None = None
    before: LogPlace | None = Field(None, description="Where the page before ended, as `next` gave it.")
    limit: int = Field(50, ge=1, le=1000)


class LogList(Reply):
    logs: list[LogEntry]
    next: Annotated[str | None, Field(description="Give it as `before` to go on; null at the end.")]


class DriveCopy(TypedDict):
    """A copy of a log."""

    id: str
    name: str
    time: str
    link: str


class DriveList(Reply):
    logs: list[DriveCopy]


class LogFile(Reply):
    log: dict[str, Any]


def logs(deps: Deps, query: LogQuery) -> Said:
    """List the logs, newest first: all, or those that fit."""
    found, more = deps.logs.search(
        words=query.q,
        status=query.status,
        project=query.project,
        date=query.date,
        before=query.before,
        limit=query.limit,
    )
    return said(f"{len(found)} logs" if len(found) != 1 else "1 log", logs=found, next=more)


def log(deps: Deps, date: Date, name: LogName) -> Said:
    """Read one log: what was asked, decided, approved and done."""
    found = deps.logs.read(date, name)
    return said(f"{found.get('title', name)}: {found.get('status')}", log=found)


class DriveQuery(Input):
    limit: int = Field(20, ge=1, le=200)


class BackupShape(TypedDict):
    """How the copies stand."""

    configured: bool
    state: str
    words: str
    pending: int
    uploaded: int
    target: NotRequired[str]
    last_success: NotRequired[str]
    last_error: NotRequired[str]
    hint: NotRequired[str]


class Backups(Reply):
    backups: BackupShape


def logs_from_drive(deps: Deps, query: DriveQuery) -> Said:
    """List the newest copies of logs, where they are kept besides here: id, name, time, link."""
    found = deps.backups.list_recent_drive_logs(query.limit)
    return said(f"{len(found)} copies" if len(found) != 1 else "1 copy", logs=found)


def backups(deps: Deps) -> Said:
    """How the copies of logs and memory stand."""
    status = deps.backups.status()
    return said(str(status["words"]), backups=status)


def retry_backups(deps: Deps) -> Said:
    """Try again now to copy what waits, after a reason to stop was mended."""
    deps.backups.retry()
    return backups(deps)


ROUTES = (
    Route("GET", "/logs", logs, {200: LogList}),
    Route("GET", "/logs/<date>/<name>", log, {200: LogFile}),
    Route("GET", "/logs_from_drive", logs_from_drive, {200: DriveList}),
    Route("GET", "/backups", backups, {200: Backups}),
    Route("POST", "/backups/retry", retry_backups, {200: Backups}),
)
