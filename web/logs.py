"""The log files of root tasks."""

from typing import Annotated, Any

from pydantic import Field

from web.deps import Deps
from web.routes import Input, Reply, Route, Said, said

Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="A day, such as `2026-11-16`.")]
LogName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9-]{1,100}\.json$", description="A log's name, as `/logs` gives it.")
]


class LogQuery(Input):
    date: Date | None = None
    limit: int = Field(50, ge=1, le=1000)


class LogList(Reply):
    logs: list[dict[str, Any]]


class LogFile(Reply):
    log: dict[str, Any]


def logs(deps: Deps, query: LogQuery) -> Said:
    """List the logs, newest first."""
    found = deps.logs.entries(date=query.date, limit=query.limit)
    return said(f"{len(found)} logs" if len(found) != 1 else "1 log", logs=found)


def log(deps: Deps, date: Date, name: LogName) -> Said:
    """Read one log: what was asked, decided, approved and done."""
    found = deps.logs.read(date, name)
    return said(f"{found.get('title', name)}: {found.get('status')}", log=found)


ROUTES = (
    Route("GET", "/logs", logs, {200: LogList}),
    Route("GET", "/logs/<date>/<name>", log, {200: LogFile}),
)
