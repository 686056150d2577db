"""What hosts print while an app is put there: shown as it comes, and kept in one file a deployment."""

from pathlib import Path

from contracts.actions import ActionContext
from contracts.errors import NotFound
from contracts.paths import check_project
from logging_setup import Redactor

MOST_LINES = 5000
LONGEST_LINE = 2000


class OpenLog:
    """The log of a deployment that is under way."""

    def __init__(self, path: Path, redactor: Redactor, ctx: ActionContext) -> None:
        self._path = path
        self._redactor = redactor
        self._ctx = ctx
        self._lines: list[str] = []

    def say(self, line: str) -> None:
        """A line for people: what is being done, or what the host printed. Secrets in it are blanked."""
        shown = self._redactor.text(line.rstrip("\n"))[:LONGEST_LINE]
        self._lines.append(shown)
        del self._lines[:-MOST_LINES]
        self._ctx.output("stdout", f"{shown}\n".encode())

    def close(self) -> list[str]:
        if self._lines:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text("\n".join(self._lines) + "\n", "utf-8")
        return self._lines


class LogFiles:
    def __init__(self, folder: Path, redactor: Redactor) -> None:
        self._folder = folder
        self._redactor = redactor

    def open(self, deployment_id: str, ctx: ActionContext) -> OpenLog:
        return OpenLog(self._path(deployment_id), self._redactor, ctx)

    def read(self, deployment_id: str) -> list[str]:
        """The lines, oldest first; none if nothing was printed."""
        try:
            return self._path(deployment_id).read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []

    def _path(self, deployment_id: str) -> Path:
        try:
            return self._folder / f"{check_project(deployment_id)}.log"
        except ValueError as error:
            raise NotFound(f"There is no deployment `{deployment_id[:80]}`") from error
