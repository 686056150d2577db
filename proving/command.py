"""Command lines as a person at a terminal uses them, each carried out in the sandbox on a copy of the project."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from environments.base import Environment
from sandbox_runner import SandboxRunner
from sandboxes.base import MIB, File, Limits, Tick

LIMITS = Limits(wall=20, cpu=20, processes=128, address_space=False, files_out=4 * MIB, files_out_count=200)

USUAL = {"PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", "COLUMNS": "200"}


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of one command."""

    exit_code: int
    stdout: str
    stderr: str
    files: Mapping[str, bytes]
    """What it wrote or changed."""
    words: str = ""
    """Why it was stopped, if it was."""


class Terminal(Protocol):
    """Runs a tool as often as one likes; what it keeps is there again at its next run."""

    def run(self, argv: Sequence[str], stdin: bytes, files: Mapping[str, bytes]) -> Ran: ...


class SandboxTerminal:
    """Each run is a job of its own, on the project with what the earlier runs left in it."""

    def __init__(
        self,
        sandbox: SandboxRunner,
        program: Sequence[str],
        project: Mapping[str, File],
        environment: Environment,
        tick: Tick | None = None,
    ) -> None:
        self._sandbox = sandbox
        self._program = tuple(program)
        self._files = dict(project)
        self._needs = None if environment.empty else environment
        """A tool that needs no packages can take a sandbox that is ready."""
        self._tick = tick

    def run(self, argv: Sequence[str], stdin: bytes, files: Mapping[str, bytes]) -> Ran:
        self._files |= {path: File(data) for path, data in files.items()}
        done = self._sandbox.run_command(
            (*self._program, *argv),
            self._files,
            limits=LIMITS,
            env={**USUAL, **(self._needs.env if self._needs else {})},
            mounts=self._needs.mounts if self._needs else (),
            links=self._needs.links if self._needs else {},
            stdin=stdin,
            tick=self._tick,
        )
        for path in done.removed:
            self._files.pop(path, None)
        self._files |= {path: replace(file, mode=0o644) for path, file in done.files.items()}
        written = {path: file.data for path, file in done.files.items()}
        stopped = done.words if done.stopped_by else ""
        return Ran(done.exit_code, done.stdout.text, done.stderr.text, written, stopped)
