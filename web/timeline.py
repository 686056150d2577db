"""What was done and what would be: the line of actions, what each changed, what an undo would take back."""

from typing import Annotated

from pydantic import Field

from contracts.paths import ProjectName
from contracts.words import counted
from web.deps import Deps
from web.models import TaskId
from web.routes import Input, Reply, Route, Said, said
from web.shapes import DayShape, DiffFile, DiffText, TimelineEntry, UndoPreview

KEPT = frozenset({409})


class TimelineQuery(Input):
    project: ProjectName | None = None
    before: int | None = Field(None, ge=0, description="Where the page before ended, as `next` gave it.")
    limit: int = Field(50, ge=1, le=500)
    changes: bool = Field(False, description="Only actions that changed files.")


class FileQuery(Input):
    path: str = Field(min_length=1, max_length=4096, description="A path, as the list of files gives it.")
    project: ProjectName | None = Field(None, description="Where, if the task changed several projects.")


class UndoQuery(Input):
    only: bool = Field(False, description="Take back that one change and leave the later ones.")


class DaysQuery(Input):
    days: int = Field(30, ge=1, le=366)


class TimelineReply(Reply):
    entries: list[TimelineEntry]
    next: Annotated[int | None, Field(description="Give it as `before` to go on; null at the end.")]


class DiffReply(Reply):
    files: list[DiffFile]
    added: int
    removed: int
    ahead: Annotated[bool, Field(description="Whether this is what would change: the task still waits.")]


class FileDiffReply(Reply):
    file: DiffText


class UndoReply(Reply):
    undo: UndoPreview


class DaysReply(Reply):
    days: list[DayShape]


def timeline(deps: Deps, query: TimelineQuery) -> Said:
    """List the actions that ended, newest first, in one project or in all."""
    found = deps.back.timeline(project=query.project, before=query.before, limit=query.limit, changes=query.changes)
    more = found[-1]["seq"] if len(found) == query.limit else None
    return said(counted(len(found), "action"), entries=found, next=more)


def task_diff(deps: Deps, id: TaskId) -> Said:
    """List the files that a task or plan changed or, while it waits, would change."""
    ahead = deps.ahead.waits(id)
    files = deps.ahead.diff(id) if ahead else deps.back.diff(id)
    added, removed = (sum(file[name] or 0 for file in files) for name in ("added", "removed"))
    return said(counted(len(files), "file"), files=files, added=added, removed=removed, ahead=ahead)


def task_diff_file(deps: Deps, id: TaskId, query: FileQuery) -> Said:
    """Show one file of a task's changes, as it was before and after."""
    look = deps.ahead if deps.ahead.waits(id) else deps.back
    return said(f"`{query.path}`", file=look.file_diff(id, query.path, query.project))


def undo_preview(deps: Deps, id: TaskId, query: UndoQuery) -> Said:
    """Show what undoing a task would take back; `/rollback` does it."""
    found = deps.ahead.undo(id, deps.runner.changed_by(id), only=query.only)
    parts = [counted(len(found["changes"]), "change") + " would be taken back"] if found["changes"] else []
    parts += [counted(len(found["brings_back"]), "change") + " would come back"] if found["brings_back"] else []
    return said(", ".join(parts) or "Nothing would change", undo=found)


def days(deps: Deps, query: DaysQuery) -> Said:
    """Show how the days went: how many actions succeeded, failed, were undone, and ran without asking."""
    found = deps.back.days(query.days)
    return said(counted(len(found), "day"), days=found)


ROUTES = (
    Route("GET", "/timeline", timeline, {200: TimelineReply}),
    Route("GET", "/timeline/days", days, {200: DaysReply}),
    Route("GET", "/tasks/<id>/diff", task_diff, {200: DiffReply}, errors=KEPT),
    Route("GET", "/tasks/<id>/diff/file", task_diff_file, {200: FileDiffReply}, errors=KEPT),
    Route("GET", "/tasks/<id>/undo", undo_preview, {200: UndoReply}, errors=KEPT),
)
