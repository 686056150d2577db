"""One log file a root task: what was asked, decided, approved, done and paid, step by step."""

import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import orjson

from contracts.errors import NotFound
from contracts.tasks import WAITING, Task

DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
NAME = re.compile(r"\d{6}-[A-Za-z0-9-]+\.json")
SEARCH_SECONDS = 3.0

Blank = Callable[[Any], Any]
Entries = dict[str, dict[str, Any]]


class TaskLogs:
    """Files named `<date>/<time>-<id>.json`, always whole: written beside and moved into place."""

    def __init__(
        self,
        folder: Path,
        blank: Blank,
        timezone: tzinfo | None,
        written: Callable[[Path], None] = lambda path: None,
    ) -> None:
        """`written` is told of each log that was written or rewritten."""
        self._folder = folder
        self._written = written
        self._blank = blank
        self._timezone = timezone

    def write(self, family: list[Task], inputs: dict[str, dict[str, Any]] | None = None) -> Path:
        """Write or rewrite the log of a root task. `inputs` are the whole calls, which memory may have shortened."""
        path = self._path(family[0])
        before = (_read(path) if path.exists() else None) or {"steps": []}
        earlier = {entry["id"]: entry for entry in (before, *before["steps"]) if "id" in entry}
        document = self._blank(_document([_whole(task, earlier) for task in family], inputs or {}, earlier))
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(orjson.dumps(document, option=orjson.OPT_INDENT_2))
        beside.replace(path)
        self._written(path)
        return path

    def entries(self, *, date: str | None = None, limit: int = 50) -> list[dict[str, Any]]:
        """The newest logs first."""
        return self.search(date=date, limit=limit)[0]

    def search(
        self,
        *,
        words: str = "",
        status: str | None = None,
        project: str | None = None,
        date: str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> tuple[list[dict[str, Any]], str | None]:
        """The newest logs that fit, and where to go on if there may be more.

        It looks for a few seconds at most: whoever wants to look further back goes on from there.
        """
        deadline = time.monotonic() + SEARCH_SECONDS
        sought, at = words.casefold(), before
        found: list[dict[str, Any]] = []
        for day, path in self._newest_first(date, before):
            if len(found) == limit or time.monotonic() > deadline:
                return found, at
            at = f"{day}/{path.name}"
            log = _read(path)
            if log is None and (words or status or project):
                continue
            if log is None or _fits(log, sought, status, project):
                found.append(self._entry(day, path))
        return found, None

    def _newest_first(self, date: str | None, before: str | None) -> Iterator[tuple[str, Path]]:
        """Every log, by day and file, from before that one on."""
        for day in [date] if date else sorted((d.name for d in self._folders()), reverse=True):
            folder = self._folder / day
            if not DATE.fullmatch(day) or not folder.is_dir() or (before and day > before[:10]):
                continue
            for path in sorted((p for p in folder.iterdir() if NAME.fullmatch(p.name)), reverse=True):
                if not before or f"{day}/{path.name}" < before:
                    yield day, path

    def read(self, date: str, name: str) -> dict[str, Any]:
        path = self._folder / date / name
        if not DATE.fullmatch(date) or not NAME.fullmatch(name) or not path.is_file():
            raise NotFound(f"There is no log `{date}/{name}`", hint="`GET /logs` lists them")
        document = _read(path)
        if document is None:
            raise NotFound(f"The log `{date}/{name}` is damaged", hint="The events of `GET /events` tell what happened")
        return document

    def find(self, task_id: str, created: str) -> dict[str, Any] | None:
        """The log of a root task, by its id and when it was asked for."""
        path = self._place(task_id, created)
        return _read(path) if path.is_file() else None

    def _folders(self) -> list[Path]:
        return [d for d in self._folder.iterdir() if d.is_dir()] if self._folder.is_dir() else []

    def _entry(self, day: str, path: Path) -> dict[str, Any]:
        log = _read(path) or {"title": "This log is damaged"}
        brief = {name: log.get(name) for name in ("id", "title", "status", "confirmationNeeded", "created")}
        project = (log.get("input") or {}).get("project")
        return {"date": day, "name": path.name, "size": path.stat().st_size, **brief, "project": project}

    def _path(self, root: Task) -> Path:
        return self._place(root.id, root.created)

    def _place(self, task_id: str, created: str) -> Path:
        at = datetime.fromisoformat(created).astimezone(self._timezone)
        return self._folder / f"{at:%Y-%m-%d}" / f"{at:%H%M%S}-{task_id}.json"


def _read(path: Path) -> dict[str, Any] | None:
    """What a log holds; None if it is damaged, as a power cut can leave it."""
    try:
        log = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        return None
    return log if isinstance(log, dict) and {"id", "input", "steps"} <= log.keys() else None


def _fits(log: dict[str, Any], sought: str, status: str | None, project: str | None) -> bool:
    if status is not None and log.get("status") != status:
        return False
    if project is not None and project not in {part["input"].get("project") for part in (log, *log["steps"])}:
        return False
    return not sought or sought in orjson.dumps(log).decode().casefold()


def _whole(task: Task, earlier: Entries) -> Task:
    """The task with the result that its log has already, which memory may have shortened since."""
    logged = earlier.get(task.id, {})
    ended = task.finished is not None and logged.get("finished") == task.finished
    return replace(task, result=logged["result"]) if ended else task


def _input(task: Task, inputs: Entries, earlier: Entries) -> dict[str, Any]:
    """The whole call: as it is given now or, once memory may have shortened it, as it was logged before."""
    logged = {} if task.open else earlier.get(task.id, {}).get("input", {})
    return inputs.get(task.id) or logged or _step(task)


def _document(family: list[Task], inputs: Entries, earlier: Entries) -> dict[str, Any]:
    root, steps = family[0], family[1:]
    commits = [task.commit for task in family if task.commit]
    waiting = any(task.status in WAITING for task in family)
    return {
        "id": root.id,
        "title": root.title,
        "status": root.status,
        "confirmationNeeded": waiting,
        "input": _input(root, inputs, earlier),
        "executionPlanned": [{"id": step.id, "title": step.title} for step in steps]
        or [{"id": root.id, "title": root.title}],
        "decision": root.decision,
        "approvals": [{"id": task.id, **task.approval} for task in family if task.approval],
        "result": root.result,
        "cost": round(sum(task.cost for task in family), 6),
        "commits": commits,
        "created": root.created,
        "started": root.started,
        "finished": root.finished,
        "seconds": root.seconds,
        "undone_by": root.undone_by,
        "card": root.card,
        "steps": [{**_logged(step), "input": _input(step, inputs, earlier)} for step in steps],
    }


def _logged(step: Task) -> dict[str, Any]:
    logged = asdict(step)
    del logged["params"]
    return logged


def _step(task: Task) -> dict[str, Any]:
    return {"intent": task.intent, **({"project": task.project} if task.project else {}), **task.params}
