"""Running code: snippets, commands and tests, in the sandbox, after a look at what they seem to do."""

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, model_validator

from contracts.actions import (
    NOTHING_TO_UNDO,
    RESTORE_SNAPSHOT,
    Action,
    ActionContext,
    ActionResult,
    Inspection,
    Params,
)
from contracts.errors import BadInput, Forbidden
from contracts.files import Draft, Kind, Node
from contracts.paths import FolderPath, shown
from contracts.safety import Report
from contracts.trust import Effect
from contracts.words import counted

if TYPE_CHECKING:
    from environments.base import Environment
    from sandbox_runner import SandboxRunner, TestRun
    from sandboxes.base import File, JobResult

MAX_CODE = 200_000
RUNS = frozenset({Effect.EXECUTE_SANDBOXED})
RUNS_AND_WRITES = frozenset({Effect.EXECUTE_SANDBOXED, Effect.WRITE_PROJECT})
BUILD = ("node", "node_modules/vite/bin/vite.js", "build")
BUILT = "ui/"
BUILD_SECONDS = 300
WORST = "It does not do what it should; it cannot reach anything outside the sandbox"

EnvironmentOf = Callable[[Draft], "Environment"]
"""The installed packages of a project; raises Conflict if some are missing."""

Seconds = Field(30.0, gt=0, le=600, description="How long it may take at most.")


class ExecuteCode(Params):
    code: str = Field(min_length=1, max_length=MAX_CODE, description="The code to run.")
    language: Literal["python", "node"] = Field("python", description="The language it is written in.")
    stdin: str = Field("", max_length=MAX_CODE, description="What it can read from its standard input.")
    seconds: float = Seconds


class RunCommand(Params):
    command: str | tuple[str, ...] = Field(description="A line for the shell, or a program with its words.")
    seconds: float = Seconds

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.command or not (self.command if isinstance(self.command, str) else self.command[0]).strip():
            raise ValueError("a command is needed")
        return self

    @property
    def argv(self) -> tuple[str, ...]:
        return ("sh", "-c", self.command) if isinstance(self.command, str) else self.command

    @property
    def line(self) -> str:
        return self.command if isinstance(self.command, str) else shlex.join(self.command)


class BuildUi(Params):
    """Takes nothing but the project."""


class RunTests(Params):
    path: FolderPath = Field("", description="Only the tests in this file or folder.")
    framework: Literal["auto", "pytest", "node"] = Field("auto", description="What the tests are written for.")
    seconds: float = Field(300.0, gt=0, le=3600, description="How long they may take at most.")


@dataclass(frozen=True, slots=True)
class CodeRules:
    """What the owner blocks and watches in code, and which programs may run by trust."""

    block: frozenset[str]
    watch: frozenset[str]
    programs: frozenset[str] | None = None
    """None: those that are usual."""


class CodeActions:
    def __init__(self, sandbox: Callable[[], "SandboxRunner"], environment_of: EnvironmentOf, rules: CodeRules) -> None:
        self._sandbox = sandbox
        self._environment_of = environment_of
        self._rules = rules

    def look_at_code(self, params: ExecuteCode, ctx: ActionContext) -> Inspection:
        import safety  # noqa: PLC0415  reading code takes parsers that the start of the service does not pay for

        found = safety.check(params.code, params.language, block=self._rules.block, watch=self._rules.watch)
        return _inspection(found, len(params.code))

    def look_at_command(self, params: RunCommand, ctx: ActionContext) -> Inspection:
        import safety  # noqa: PLC0415  as above

        found = safety.check_command(params.command, programs=self._rules.programs or safety.PROGRAMS)
        return _inspection(found, len(params.line))

    def execute_code(self, params: ExecuteCode, ctx: ActionContext) -> ActionResult:
        from sandboxes.base import Limits  # noqa: PLC0415  as above

        environment = self._environment_of(ctx.files) if ctx.project else None
        if environment is not None and environment.empty:
            environment = None  # a snippet that needs no packages can take a worker that is ready
        done = self._sandbox().run_code(
            params.code,
            params.language,
            files=ctx.files if ctx.project else None,
            limits=Limits(wall=params.seconds, cpu=max(1, int(params.seconds))),
            env=environment.env if environment else None,
            environments=environment.mounts if environment else (),
            stdin=params.stdin.encode(),
            on_output=ctx.output,
            tick=ctx.check_cancelled,
        )
        return ActionResult(done.ok, f"Ran the code: {done.words}", ran(done), breached=done.stopped_by is not None)

    def run_command(self, params: RunCommand, ctx: ActionContext) -> ActionResult:
        from sandboxes.base import Limits  # noqa: PLC0415  as above

        environment = self._environment_of(ctx.files)
        limits = Limits(wall=params.seconds, cpu=max(1, int(params.seconds)), address_space=False, processes=256)
        done = self._sandbox().run_command(
            params.argv,
            ctx.files,
            limits=limits,
            env=environment.env,
            mounts=environment.mounts,
            links=environment.links,
            on_output=ctx.output,
            tick=ctx.check_cancelled,
        )
        changed = take_over(done.changes, ctx.files)
        said = f"Ran `{params.line[:80]}`: {done.words}"
        if changed:
            said += f", and it changed {counted(len(changed), 'file')}"
        return ActionResult(
            done.ok,
            said,
            {**ran(done), "changed": changed[:200]},
            commit_message=f"Ran {params.line[:72]}",
            breached=done.stopped_by is not None,
        )

    def build_ui(self, params: BuildUi, ctx: ActionContext) -> ActionResult:
        from sandboxes.base import MIB, Limits  # noqa: PLC0415  as above

        environment = self._environment_of(ctx.files)
        limits = Limits(
            wall=BUILD_SECONDS, cpu=BUILD_SECONDS, address_space=False, processes=512, memory=1536 * MIB, cores=2
        )
        done = self._sandbox().run_command(
            BUILD,
            ctx.files,
            limits=limits,
            env={**environment.env, "HOME": "/tmp", "CI": "true"},  # noqa: S108  the sandbox has a folder of its own there
            mounts=environment.mounts,
            links=environment.links,
            on_output=ctx.output,
            tick=ctx.check_cancelled,
        )
        if not done.ok:
            return ActionResult(
                False,
                f"The front end could not be built: {done.words}",
                ran(done),
                breached=done.stopped_by is not None,
            )
        made = {path: file for path, file in done.changes.items() if path.startswith(BUILT)}
        changed = take_over(made, ctx.files)
        said = f"Built the front end: {counted(len(changed), 'file')}"
        return ActionResult(True, said, {**ran(done), "changed": changed[:200]}, commit_message="Build the front end")

    def run_tests(self, params: RunTests, ctx: ActionContext) -> ActionResult:
        from sandbox_runner import TESTS  # noqa: PLC0415  as above

        environment = self._environment_of(ctx.files)
        framework = params.framework if params.framework != "auto" else framework_of(ctx.files)
        run = self._sandbox().run_tests(
            ctx.files,
            framework,
            arguments=(params.path,) if params.path else (),
            env=environment.env,
            environments=environment.mounts,
            links=environment.links,
            limits=replace(TESTS, wall=params.seconds, cpu=max(1, int(params.seconds))),
            on_output=ctx.output,
            tick=ctx.check_cancelled,
        )
        return ActionResult(run.ok, f"Ran the tests: {run.words}", tested(run), breached=run.job.stopped_by is not None)


def _inspection(found: Report, size: int) -> Inspection:
    """Refuses what is blocked; puts the rest on the card and says what must be asked."""
    if found.refused:
        raise Forbidden(
            f"This is not run: {found.refused[0].words}",
            hint="Do it another way, or change `safety_block_operations` in the settings",
            details={"findings": [finding.words for finding in found.refused]},
        )
    notes = tuple(f"line {f.line}: {f.words}" if f.line else f.words for f in found.findings)
    return Inspection(found.effects, size, notes, ask=found.asks[0].words if found.asks else "")


def ran(done: "JobResult") -> dict[str, Any]:
    """How a job went, as it is kept with its task."""
    return {
        "exit_code": done.exit_code,
        "stdout": done.stdout.text,
        "stderr": done.stderr.text,
        "cut": {"stdout": done.stdout.cut, "stderr": done.stderr.cut},
        "stopped_by": done.stopped_by.value if done.stopped_by else None,
        "seconds": round(done.usage.wall, 3),
        "cpu_seconds": round(done.usage.cpu, 3),
        "max_memory": done.usage.max_rss,
        "sandbox": done.sandbox,
        "level": done.level.value,
    }


def tested(run: "TestRun") -> dict[str, Any]:
    cases = [
        {
            "name": case.name,
            "group": case.group,
            "outcome": case.outcome.value,
            "seconds": case.seconds,
            "message": case.message,
        }
        for case in run.cases
    ]
    return {**ran(run.job), "tests": cases, "problem": run.problem}


def take_over(changes: "Mapping[str, File | None]", files: Draft) -> list[str]:
    """Put what a command changed in its copy into the draft, so that it is applied as one change set.

    Empty folders do not count as changes: one that a command emptied goes, as it does with git.
    """
    removed = [path for path, file in changes.items() if file is None]
    for path in removed:
        files.remove(path)
    for path, file in sorted(changes.items()):
        if file is not None:
            files.write(path, file.data, mode=file.mode)
    for folder in sorted({above for path in removed for above in _above(path)}, key=len, reverse=True):
        if files.node(folder) is not None and next(iter(files.children(folder)), None) is None:
            files.remove(folder)
    return [shown(path) for path in sorted(changes)]


def _above(path: str) -> Iterable[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def framework_of(files: Draft) -> Literal["pytest", "node"]:
    """What the project's tests are written for, by what is there."""
    names = {path for path, _ in _shallow(files)}
    if any(path.endswith(".py") for path in names):
        return "pytest"
    if "package.json" in names or any(path.endswith((".js", ".mjs", ".cjs")) for path in names):
        return "node"
    raise BadInput(
        "There are no tests here that I know how to run", hint="Write pytest tests, or tests for `node --test`"
    )


def _shallow(files: Draft) -> Iterable[tuple[str, Node]]:
    for path, node in files.children():
        yield path, node
        if node.kind is Kind.DIRECTORY and path in {"tests", "test", "src"}:
            yield from files.children(path)


def code_actions(
    sandbox: Callable[[], "SandboxRunner"], environment_of: EnvironmentOf, rules: CodeRules
) -> list[Action[Any]]:
    do = CodeActions(sandbox, environment_of, rules)
    return [
        Action(
            name="execute_code",
            summary="Run a piece of Python or JavaScript in the sandbox and show what it prints.",
            params=ExecuteCode,
            effects=RUNS,
            handler=do.execute_code,
            inspect=do.look_at_code,
            undo=NOTHING_TO_UNDO,
            title=lambda p: f"Run {counted(p.code.count(chr(10)) + 1, 'line')} of {p.language.title()}",
            worst=WORST,
            needs_project=False,
            timeout=900,
        ),
        Action(
            name="run_command",
            summary="Run a command on a copy of the project in the sandbox, and keep what it changes.",
            params=RunCommand,
            effects=RUNS_AND_WRITES,
            handler=do.run_command,
            inspect=do.look_at_command,
            undo=RESTORE_SNAPSHOT,
            title=lambda p: f"Run `{p.line[:80]}`",
            worst="It changes files of this project in a way you do not want; undo puts them back",
            timeout=900,
        ),
        Action(
            name="build_ui",
            summary="Build the front end of an app from its sources, in the sandbox.",
            params=BuildUi,
            effects=RUNS_AND_WRITES,
            handler=do.build_ui,
            undo=RESTORE_SNAPSHOT,
            title=lambda p: "Build the front end",
            founds=True,
            worst="It does not build; the app goes on with the front end it has",
            timeout=900,
        ),
        Action(
            name="run_tests",
            summary="Run the project's tests in the sandbox and show how each one went.",
            params=RunTests,
            effects=RUNS,
            handler=do.run_tests,
            undo=NOTHING_TO_UNDO,
            title=lambda p: f"Run the tests{f' in `{p.path}`' if p.path else ''}",
            worst=WORST,
            timeout=3700,
        ),
    ]
