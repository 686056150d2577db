"""Runs untrusted code: picks a sandbox that has proven itself, applies limits, and brings back what came of it."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from contracts.errors import InvalidParams, NoSandbox, TooMany, Unavailable
from sandboxes.base import (
    MIB,
    FilesIn,
    Job,
    JobResult,
    Level,
    Limits,
    Link,
    OnOutput,
    Sandbox,
    Service,
    Tick,
)
from sandboxes.junit import Case, NotAReport, Outcome, read_report
from sandboxes.probes import SelfTest, run_selftest
from sandboxes.readiness import wait_ready
from sandboxes.tool_environment import pytest_environment

log = logging.getLogger(__name__)

REPORT = ".test-report.xml"
PORT = 8000
TICK = 0.2
ENDING_SECONDS = 10.0
MODULE_SYNTAX = re.compile(r"^\s*(import\s*[\w{*\"']|export\s)", re.MULTILINE)
NODE = Limits(address_space=False, processes=128)
TESTS = Limits(wall=300, cpu=300, memory=1024 * MIB, processes=256, disk=512 * MIB)
APP = Limits(wall=1, cpu=10**9, memory=512 * MIB, processes=256, disk=256 * MIB)
REMEDY = "Install bubblewrap with `sudo apt install bubblewrap` and start the self-test again"
Language = Literal["python", "node"]
Framework = Literal["pytest", "node"]
PYTEST_SAYS = {
    2: "the test run was interrupted",
    3: "pytest itself failed",
    4: "pytest was called in a wrong way",
    5: "there are no tests",
}


@dataclass(frozen=True, slots=True)
class TestRun:
    """What a test suite reported. Red tests are a result, not an error."""

    __test__ = False
    job: JobResult
    cases: tuple[Case, ...] = ()
    problem: str = ""
    """Why there is no report that could be read."""

    def count(self, outcome: Outcome) -> int:
        return sum(case.outcome is outcome for case in self.cases)

    @property
    def ok(self) -> bool:
        return self.job.ok and not self.problem and self.count(Outcome.PASSED) > 0

    @property
    def words(self) -> str:
        if self.problem:
            return self.problem
        counts = [f"{self.count(outcome)} {outcome.value}" for outcome in Outcome if self.count(outcome)]
        return ", ".join(counts) or "there are no tests"


@dataclass(frozen=True, slots=True)
class AppStart:
    """How the start of an app went. One that did not become ready has been stopped again."""

    ok: bool
    words: str
    service: Service
    logs: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether code can run here now, and behind what."""

    ok: bool
    words: str
    sandbox: str = ""
    level: Level | None = None
    tests: tuple[SelfTest, ...] = ()
    checked: bool = field(default=True)

    def describe(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "message": self.words,
            "sandbox": self.sandbox,
            "level": self.level.value if self.level else None,
            "checked": self.checked,
            "tests": [_describe(test) for test in self.tests],
        }


def _describe(test: SelfTest) -> dict[str, Any]:
    return {
        "sandbox": test.sandbox,
        "level": test.level.value,
        "ok": test.ok,
        "message": test.words,
        "seconds": round(test.seconds, 2),
        "probes": [
            {
                "name": result.name,
                "what": result.words,
                "stopped": result.stopped,
                "required": result.required,
                "detail": result.detail,
            }
            for result in test.results
        ],
    }


class SandboxRunner:
    """Given sandboxes in the order in which they are preferred. Threads may share it."""

    def __init__(
        self,
        sandboxes: Sequence[Sandbox],
        *,
        root: Path,
        parallel: int = 8,
        patience: float = 300.0,
        limits: Limits | None = None,
        selftest: Callable[[Sandbox], SelfTest] = run_selftest,
    ) -> None:
        self._sandboxes = sandboxes
        self._root = root
        self._limits = limits or Limits()
        self._patience = patience
        self._selftest = selftest
        self._slots = threading.BoundedSemaphore(parallel)
        self._lock = threading.Lock()
        self._checking = threading.Lock()
        self._checked = threading.Event()
        self._chosen: Sandbox | None = None
        self._tests: tuple[SelfTest, ...] = ()
        self._services: list[Service] = []
        self._closed = False

    def begin_check(self) -> None:
        """Start the self-test in the background; runs wait for it."""
        threading.Thread(target=self.check, name="sandbox-selftest", daemon=True).start()

    def check(self) -> Standing:
        """Test the sandboxes in order until one stops all that it promises to; that one is used from then on."""
        with self._checking:
            tests: list[SelfTest] = []
            chosen = None
            for sandbox in self._sandboxes:
                if self._closed:
                    break
                test = self._selftest(sandbox)
                if self._closed and not test.ok:
                    break  # it was ended under way, which says nothing about the boundary
                tests.append(test)
                log.log(logging.INFO if test.ok else logging.WARNING, "self-test: %s", test.words)
                if test.ok:
                    chosen = sandbox
                    break
            with self._lock:
                self._chosen, self._tests = chosen, tuple(tests)
                self._checked.set()
        return self.standing()

    def standing(self) -> Standing:
        """What the last self-test found, without waiting."""
        with self._lock:
            chosen, tests = self._chosen, self._tests
        if not self._checked.is_set():
            return Standing(False, "the self-test of the sandbox has not ended yet", checked=False)
        if chosen is None:
            return Standing(False, _why_none(tests), tests=tests)
        return Standing(True, tests[-1].words, chosen.name, chosen.level, tests)

    def choose(self) -> Sandbox:
        """The sandbox in use, once proven. Raises NoSandbox if there is none, Unavailable if that takes too long."""
        if not self._checked.is_set():
            if not self._checking.locked():
                self.check()
            if not self._checked.wait(self._patience):
                raise Unavailable("the self-test of the sandbox has not ended yet", hint="Try again in a minute")
        with self._lock:
            if self._chosen:
                return self._chosen
            tests = self._tests
        raise NoSandbox(
            f"code cannot be run here: {_why_none(tests)}",
            hint=self._remedy(),
            details={"tests": [_describe(test) for test in tests]},
        )

    def run_code(
        self,
        code: str,
        language: Language = "python",
        *,
        files: FilesIn | None = None,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        environments: tuple[Path, ...] = (),
        collect: tuple[str, ...] = (),
        stdin: bytes = b"",
        on_output: OnOutput | None = None,
        tick: Tick | None = None,
    ) -> JobResult:
        """Run a snippet. `environments` are folders with installed packages."""
        limits = limits or self._limits
        job = Job(
            code=code,
            files=files if files is not None else {},
            limits=limits,
            env=_python_path(env, environments),
            mounts=environments,
            collect=collect,
            stdin=stdin,
        )
        if language == "node":
            name = ".snippet.mjs" if MODULE_SYNTAX.search(code) else ".snippet.cjs"
            job = replace(job, code=None, argv=("node", name), also={name: code.encode(errors="surrogatepass")})
            job = replace(job, limits=replace(limits, address_space=False, processes=max(limits.processes, 64)))
        elif language != "python":
            raise InvalidParams(f"`{language}` is not a language that can be run here", hint="Use `python` or `node`")
        return self._run(job, on_output, tick)

    def run_command(
        self,
        argv: Sequence[str],
        files: FilesIn,
        *,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        mounts: tuple[Path, ...] = (),
        links: Mapping[str, Link] | None = None,
        stdin: bytes = b"",
        on_output: OnOutput | None = None,
        tick: Tick | None = None,
    ) -> JobResult:
        """Run a command in a copy of these files; `changes` of the result says what it made of them."""
        if not argv or not argv[0]:
            raise InvalidParams("a command needs a program to run")
        job = Job(
            argv=tuple(argv),
            files=files,
            also=links or {},
            limits=limits or replace(self._limits, address_space=False, processes=max(self._limits.processes, 128)),
            env=env or {},
            mounts=mounts,
            changes=True,
            stdin=stdin,
        )
        return self._run(job, on_output, tick)

    def run_tests(
        self,
        files: FilesIn,
        framework: Framework = "pytest",
        *,
        arguments: Sequence[str] = (),
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        environments: tuple[Path, ...] = (),
        links: Mapping[str, Link] | None = None,
        on_output: OnOutput | None = None,
        tick: Tick | None = None,
    ) -> TestRun:
        """Run a project's tests in a copy of it."""
        mounts = environments
        if framework == "pytest":
            mounts = (*environments, pytest_environment(self._root))
            argv = ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={REPORT}"]
            argv += ["-o", "junit_family=xunit1", *arguments]
        else:
            argv = ["node", "--test", "--test-reporter=junit", f"--test-reporter-destination={REPORT}"]
            argv += ["--test-reporter=spec", "--test-reporter-destination=stdout", *arguments]
        limits = limits or TESTS
        job = Job(
            argv=tuple(argv),
            files=files,
            also=links or {},
            limits=limits if framework == "pytest" else replace(limits, address_space=False),
            env=_python_path(env, mounts),
            mounts=mounts,
            collect=(REPORT,),
        )
        return _test_run(self._run(job, on_output, tick), framework)

    def serve_app(
        self,
        argv: Sequence[str],
        files: FilesIn,
        *,
        port: int = PORT,
        ready: str = "/",
        ready_seconds: float = 30.0,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        environments: tuple[Path, ...] = (),
        links: Mapping[str, Link] | None = None,
        on_output: OnOutput | None = None,
    ) -> AppStart:
        """Start a web app that listens on `PORT` of its own loopback, and wait until it answers.

        It is reached through the service's unix socket, and stopped with this runner.
        """
        job = Job(
            argv=tuple(argv),
            files=files,
            also=links or {},
            limits=limits or replace(APP, address_space=False),
            env={"PORT": str(port), "HOST": "127.0.0.1", **_python_path(env, environments)},
            mounts=environments,
        )
        service = self.choose().start(job, port, on_output=on_output)
        with self._lock:
            self._services = [one for one in self._services if one.alive] + [service]
        if wait_ready(service.socket_path, ready, ready_seconds, lambda: service.alive):
            return AppStart(True, "the app is running and answers", service, service.logs())
        ended = service.wait(0)
        words = f"the app ended before it answered: {ended.words}" if ended else "the app did not answer in time"
        service.stop()
        return AppStart(False, words, service, service.logs())

    def close(self) -> None:
        """Stop every app and let go of every sandbox."""
        with self._lock:
            self._closed = True
            services, self._services = self._services, []
        for service in services:
            service.stop()
        for sandbox in self._sandboxes:
            sandbox.close()
        if self._checking.acquire(timeout=ENDING_SECONDS):  # a self-test under way ends, now that nothing runs any more
            self._checking.release()

    def _run(self, job: Job, on_output: OnOutput | None, tick: Tick | None) -> JobResult:
        sandbox = self.choose()
        with self._slot(tick):
            return sandbox.run(job, on_output=on_output, tick=tick)

    @contextmanager
    def _slot(self, tick: Tick | None) -> Iterator[None]:
        """Wait until few enough jobs run. Raises TooMany when that takes too long."""
        deadline = time.monotonic() + self._patience
        while not self._slots.acquire(timeout=TICK if tick else self._patience):
            if tick:
                tick()
            if time.monotonic() >= deadline:
                raise TooMany("too many jobs are waiting to be run", hint="Try again when some of them have ended")
        try:
            yield
        finally:
            self._slots.release()

    def _remedy(self) -> str:
        return next((state.remedy for sandbox in self._sandboxes if (state := sandbox.available()).remedy), REMEDY)


def _why_none(tests: tuple[SelfTest, ...]) -> str:
    return "; ".join(test.words for test in tests) or "no sandbox is configured"


def _python_path(env: Mapping[str, str] | None, environments: tuple[Path, ...]) -> dict[str, str]:
    if not environments:
        return dict(env or {})
    return {"PYTHONPATH": ":".join(map(str, environments)), **(env or {})}


def _test_run(job: JobResult, framework: Framework) -> TestRun:
    report = job.files.get(REPORT)
    job = replace(job, files={})
    if report is None:
        code = PYTEST_SAYS.get(job.exit_code) if framework == "pytest" else None
        return TestRun(job, problem=code or f"the tests left no report: {job.words}")
    try:
        cases = read_report(report.data)
    except NotAReport as error:
        return TestRun(job, problem=f"the report of the tests cannot be read: {error}")
    return TestRun(job, cases)
