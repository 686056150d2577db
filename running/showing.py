"""The app of a project as people are shown it: what it is, whether it runs, what it prints, and how it was proven."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Protocol

import code_generator as generator
from context_manager import ContextManager
from contracts.errors import AppError, NotFound
from git_manager import GitManager
from project_files import Workspace
from running.looking_back import LookingBack
from running.task_logs import TaskLogs

if TYPE_CHECKING:
    from previews import Previews

NEVER = {"state": "none", "words": "The app has not been started", "url": None, "link": None, "port": None}
SOON = {**NEVER, "state": "starting", "words": "The app is being started again"}


class Pictures(Protocol):
    """Pictures of running apps."""

    def version(self, project: str) -> str | None: ...

    def read(self, project: str, size: str) -> bytes | None: ...


class Showing:
    """Reads only; starting and stopping are actions. Threads may share it."""

    def __init__(
        self,
        memory: ContextManager,
        git: GitManager,
        workspace: Workspace,
        running: Callable[[], "Previews | None"],
        logs: TaskLogs,
        past: LookingBack,
        pictures: Pictures,
    ) -> None:
        """`running` gives the previews once there have been any."""
        self._memory = memory
        self._git = git
        self._workspace = workspace
        self._running = running
        self._logs = logs
        self._past = past
        self._pictures = pictures

    def about(self, project: str) -> dict[str, Any]:
        """A project's title and kind in words, how its app is doing, its newest task and how many wait there."""
        newest = self._memory.tasks(project=project, limit=1)
        waiting = [task for task in self._memory.waiting() if task.project == project]
        plans = [task for task in self._memory.waiting() if project in _places(task.card)]
        return {
            **self._made(project),
            "preview": self.preview(project),
            "newest": {name: getattr(newest[0], name) for name in NEWEST} if newest else None,
            "waiting_count": len({task.id for task in (*waiting, *plans)}),
            "picture": self._pictures.version(project),
        }

    def _made(self, project: str) -> dict[str, Any]:
        try:
            record = generator.read_record(self._workspace.draft(project))
        except AppError:
            record = None
        spec = record.spec if record else None
        return {"title": spec.title if spec else project, "kind": spec.kind.value if spec else None}

    def preview(self, project: str) -> dict[str, Any]:
        """How the app is doing; `none` if nobody has started it."""
        previews = self._running()
        if previews is not None:
            try:
                return previews.status(project).as_json()
            except NotFound:
                return dict(NEVER)
        return dict(SOON if project in self._memory.wanted_apps() else NEVER)

    def app_log(self, project: str, lines: int) -> list[dict[str, Any]]:
        """What the app printed, and what was said about it, oldest first."""
        previews = self._running()
        try:
            return [asdict(line) for line in previews.logs(project, lines)] if previews is not None else []
        except NotFound:
            return []

    def proof(self, project: str) -> dict[str, Any] | None:
        """The newest proof with every check, request and answer; None if nothing was proven yet."""
        brief = self._memory.proof_of(project)
        if brief is None:
            return None
        current = self._workspace.exists(project) and brief["tree"] == self._git.open(project).fingerprint()
        whole = self._whole_proof(brief.get("task") or "")
        about = {name: brief[name] for name in ("ok", "words", "at", "task")}
        checks = {name: whole.get(name) for name in ("tests", "variants", "seconds")}
        return {**checks, "checks": whole.get("checks", []), **about, "current": current}

    def _whole_proof(self, task_id: str) -> dict[str, Any]:
        """From memory while that has it in full, else from the log, which always has."""
        for result in self._results(task_id):
            proof = ((result or {}).get("data") or {}).get("proof")
            if isinstance(proof, dict) and isinstance(proof.get("checks"), list):
                return proof
        return {}

    def _results(self, task_id: str) -> list[dict[str, Any] | None]:
        root = self._past.root_of(task_id)
        log = self._logs.find(*root) if root else None
        logged = [step for step in (log, *log["steps"]) if step["id"] == task_id] if log else []
        found = [step["result"] for step in logged]
        with suppress(NotFound):
            found.append(self._memory.task(task_id).result)
        return found

    def picture(self, project: str, size: str) -> bytes:
        data = self._pictures.read(project, size)
        if data is None:
            raise NotFound(
                f"There is no picture of `{project}` yet",
                hint="One is made when its app has been started, if this machine has Chromium",
            )
        return data


NEWEST = ("id", "title", "status", "created", "finished")


def _places(card: dict[str, Any] | None) -> list[str]:
    """The projects that the card of a plan is about."""
    fingerprint = (card or {}).get("fingerprint")
    return list(fingerprint) if isinstance(fingerprint, dict) else []
