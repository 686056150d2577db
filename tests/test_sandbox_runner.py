"""The runner: only a proven sandbox is used, and code, commands, tests and apps come to a clear end in it."""

import http.client
import http.server
import json
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contracts.errors import InvalidParams, NoSandbox, TooMany, Unavailable
from sandbox_runner import SandboxRunner
from sandboxes.base import (
    Availability,
    Captured,
    File,
    Job,
    JobResult,
    Level,
    Limits,
    Link,
    OnOutput,
    Sandbox,
    Service,
    StoppedBy,
    Tick,
    Tree,
    Usage,
)
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.junit import Outcome
from sandboxes.probes import PROBES, SelfTest, run_selftest
from sandboxes.readiness import UnixConnection
from tests.sandboxes.traces import differences, settled, take


class Scripted:
    """A sandbox that answers the attacks as it is told, and remembers what it was asked to run."""

    def __init__(self, name: str, *, leaks: bool = False, state: Availability | None = None) -> None:
        self.name = name
        self.level = Level.FULL
        self.jobs: list[Job] = []
        self.leaks = leaks
        self.closed = False
        self.hold = threading.Event()
        self.hold.set()
        self._state = state or Availability(True, "it works")

    def available(self) -> Availability:
        return self._state

    def unclaimed(self) -> Mapping[str, str]:
        return {}

    def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult:
        self.jobs.append(job)
        code = job.code or ""
        stopped = {"output": "os.write(1", "wall": "while True"}
        found = next(
            (StoppedBy(name) for name, sign in stopped.items() if code.startswith("T = ") and sign in code), None
        )
        said = "BREACH it got out" if self.leaks else "tried"
        if not code.startswith("T = "):
            self.hold.wait(20)
            said = self.name
        return JobResult(exit_code=0, stdout=Captured(said), stderr=Captured(), usage=Usage(), stopped_by=found)

    def start(self, job: Job, port: int, *, on_output: OnOutput | None = None) -> Service:
        raise Unavailable("it cannot serve")

    def close(self) -> None:
        self.closed = True


def test_the_first_sandbox_that_stops_all_attacks_is_used(tmp_path: Path) -> None:
    leaking, missing, good, spare = (
        Scripted("leaking", leaks=True),
        Scripted("missing", state=Availability(False, "it is not installed", "Install it")),
        Scripted("good"),
        Scripted("spare"),
    )
    runner = SandboxRunner([leaking, missing, good, spare], root=tmp_path)
    assert not runner.standing().checked
    standing = runner.check()
    assert (standing.ok, standing.sandbox, standing.level) == (True, "good", Level.FULL)
    assert [test.ok for test in standing.tests] == [False, False, True]
    assert runner.run_code("print(1)").stdout.text == "good"
    assert spare.jobs == [] and all(job.code and job.code.startswith("T = ") for job in leaking.jobs)
    assert json.loads(json.dumps(standing.describe()))["tests"][1]["message"] == "it is not installed"
    runner.close()
    assert all(sandbox.closed for sandbox in (leaking, missing, good, spare))


def test_a_self_test_that_the_end_of_the_service_cut_off_says_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    begun = threading.Event()
    sandbox = Scripted("cut off", leaks=True)

    def cut_off(tested: Sandbox) -> SelfTest:
        begun.set()
        while not sandbox.closed:
            time.sleep(0.01)
        return briefly(tested)

    runner = SandboxRunner([sandbox], root=tmp_path, selftest=cut_off)
    checking = threading.Thread(target=runner.check)
    checking.start()
    assert begun.wait(60)
    runner.close()
    checking.join()
    assert sandbox.jobs and "self-test" not in caplog.text
    assert not runner.standing().ok


def test_without_a_sandbox_code_is_refused_with_the_reason_and_a_remedy(tmp_path: Path) -> None:
    leaking = Scripted("leaking", leaks=True)
    missing = Scripted("missing", state=Availability(False, "it is not installed", "Install it"))
    runner = SandboxRunner([leaking, missing], root=tmp_path)
    with pytest.raises(NoSandbox) as caught:
        runner.run_code("print(1)")
    assert "read the machine's password file" in caught.value.message and "not installed" in caught.value.message
    assert caught.value.hint == "Install it"
    assert not caught.value.retryable and caught.value.status == 503
    assert all(job.code != "print(1)" for job in leaking.jobs)
    assert not runner.standing().ok


def test_with_no_sandbox_configured_the_remedy_is_to_install_one(tmp_path: Path) -> None:
    with pytest.raises(NoSandbox) as caught:
        SandboxRunner([], root=tmp_path).run_code("print(1)")
    assert "sudo apt install bubblewrap" in caught.value.hint


def test_a_boundary_that_fails_a_later_test_is_switched_off(tmp_path: Path) -> None:
    first, second = Scripted("first"), Scripted("second")
    runner = SandboxRunner([first, second], root=tmp_path)
    assert runner.check().sandbox == "first"
    first.leaks = True
    assert runner.check().sandbox == "second"
    assert runner.run_code("print(1)").stdout.text == "second"


def test_runs_wait_for_the_test_that_began_in_the_background(tmp_path: Path) -> None:
    runner = SandboxRunner([Scripted("good")], root=tmp_path)
    runner.begin_check()
    assert runner.run_code("print(1)").stdout.text == "good"


def test_no_more_jobs_than_allowed_run_at_once(tmp_path: Path) -> None:
    sandbox = Scripted("good")
    runner = SandboxRunner([sandbox], root=tmp_path, parallel=1, patience=0.2)
    runner.check()
    sandbox.hold.clear()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(runner.run_code, "first")
        assert settled(lambda: sandbox.jobs[-1].code == "first")
        with pytest.raises(TooMany):
            runner.run_code("second")
        with pytest.raises(KeyboardInterrupt):
            runner.run_code("third", tick=interrupt)
        sandbox.hold.set()
        assert first.result().ok
    assert runner.run_code("fourth").ok


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="runner-tests-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


def briefly(sandbox: Sandbox) -> SelfTest:
    """All nineteen attacks are tried elsewhere."""
    return run_selftest(sandbox, PROBES[:3])


@pytest.fixture(scope="module")
def runner(root: Path) -> Iterator[SandboxRunner]:
    sandbox = Bubblewrap(root, pool_size=2)
    if not sandbox.available().ok:
        pytest.skip(f"bubblewrap: {sandbox.available().words}")
    runner = SandboxRunner([sandbox], root=root, parallel=8, selftest=briefly)
    assert runner.check().ok, runner.standing().words
    yield runner
    runner.close()


needs_node = pytest.mark.skipif(
    shutil.which("node", path="/usr/bin:/usr/local/bin") is None, reason="node: not installed"
)


def test_python_runs(runner: SandboxRunner) -> None:
    result = runner.run_code("print(open('a.txt').read())", files={"a.txt": b"hello"})
    assert result.ok and result.stdout.text == "hello\n"
    assert (result.sandbox, result.level) == ("bubblewrap", Level.FULL)


@needs_node
@pytest.mark.parametrize(
    "code",
    [
        "const fs = require('fs'); console.log(fs.readFileSync('a.txt', 'utf8'))",
        "import fs from 'node:fs'\nconsole.log(fs.readFileSync('a.txt', 'utf8'))",
        "import { readFileSync } from 'fs'; console.log(await Promise.resolve(readFileSync('a.txt', 'utf8')))",
    ],
)
def test_node_runs_scripts_and_modules(runner: SandboxRunner, code: str) -> None:
    result = runner.run_code(code, "node", files={"a.txt": b"hello"})
    assert result.stdout.text == "hello\n", result


def test_another_language_is_refused(runner: SandboxRunner) -> None:
    with pytest.raises(InvalidParams, match="cobol"):
        runner.run_code("x", "cobol")  # type: ignore[arg-type]


def test_a_command_works_on_a_copy_and_its_changes_come_back(runner: SandboxRunner, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.txt").write_text("old")
    (tmp_path / "gone.txt").write_text("")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("[core]")
    script = "ls -A; echo new > src/a.txt; rm gone.txt; mkdir .git; echo evil > .git/hook; ln -s /etc/passwd out"
    result = runner.run_command(["sh", "-c", script], Tree(tmp_path), links={"deps": Link("/usr/lib")})
    assert result.ok, result
    assert result.stdout.text.split() == ["deps", "gone.txt", "src"]
    assert result.changes == {"src/a.txt": File(b"new\n", 0o644), "gone.txt": None}
    assert {left.path for left in result.left_out} == {".git/hook", "out"}
    assert (tmp_path / "src" / "a.txt").read_text() == "old" and (tmp_path / "gone.txt").exists()


def test_a_command_that_fails_is_a_result(runner: SandboxRunner) -> None:
    result = runner.run_command(["false"], {})
    assert result.exit_code == 1 and result.stopped_by is None
    with pytest.raises(InvalidParams):
        runner.run_command([], {})


TESTS = b"""
import pytest
def test_good(): print("fine")
def test_bad(): assert 1 == 2
@pytest.mark.skip(reason="later")
def test_later(): pass
@pytest.fixture
def broken(): raise OSError("no")
def test_broken(broken): pass
"""


def test_pytest_reports_each_test(runner: SandboxRunner) -> None:
    run = runner.run_tests({"test_it.py": TESTS})
    assert [(case.name, case.outcome) for case in run.cases] == [
        ("test_good", Outcome.PASSED),
        ("test_bad", Outcome.FAILED),
        ("test_later", Outcome.SKIPPED),
        ("test_broken", Outcome.ERROR),
    ]
    assert not run.ok and run.words == "1 passed, 1 failed, 1 error, 1 skipped"
    assert "assert 1 == 2" in run.cases[1].message
    assert run.job.changes == {}


def test_green_tests_are_ok_and_see_their_environment(runner: SandboxRunner, root: Path) -> None:
    packages = root / "packages"
    packages.mkdir()
    (packages / "dependency.py").write_text("answer = 42")
    for path in (packages, packages / "dependency.py"):
        path.chmod(0o755)
    test = b"import dependency\ndef test_it(): assert dependency.answer == 42"
    run = runner.run_tests({"test_it.py": test}, environments=(packages,), arguments=["-k", "it"])
    assert run.ok, run


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.py": b""}, "there are no tests"),
        ({"test_a.py": b"import os; os._exit(9)"}, "left no report"),
        (
            {"test_a.py": b"def test_a():\n    import os; os.kill(os.getppid(), 9); os.kill(os.getpid(), 9)"},
            "left no report",
        ),
        (
            {"conftest.py": b"def pytest_unconfigure():\n    open('.test-report.xml', 'w').write('<!DOCTYPE x>')"},
            "cannot be read",
        ),
    ],
    ids=["none", "left early", "killed", "forged"],
)
def test_a_run_without_a_report_says_why(runner: SandboxRunner, files: dict[str, bytes], words: str) -> None:
    run = runner.run_tests(files)
    assert not run.ok and words in run.words and run.cases == ()


@needs_node
def test_node_reports_each_test(runner: SandboxRunner) -> None:
    source = b"const t = require('node:test'); t('good', () => {}); t('bad', () => { throw new Error('no') })"
    run = runner.run_tests({"a.test.js": source}, "node")
    assert [(case.name, case.outcome) for case in run.cases] == [("good", Outcome.PASSED), ("bad", Outcome.FAILED)]
    assert not run.ok and run.words == "1 passed, 1 failed"


APP = b"""
import http.server, os
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(("you asked for " + self.path).encode())
http.server.ThreadingHTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Page).serve_forever()
"""


def test_an_app_is_served_until_it_is_stopped(runner: SandboxRunner) -> None:
    started = runner.serve_app(["python3", "app.py"], {"app.py": APP}, port=5000)
    try:
        assert started.ok, started
        connection = UnixConnection(started.service.socket_path, 10)
        connection.request("GET", "/page")
        assert connection.getresponse().read() == b"you asked for /page"
        connection.close()
        assert settled(lambda: "GET /page" in started.service.logs())
    finally:
        started.service.stop()
    assert not started.service.alive


def test_an_app_that_does_not_come_up_is_stopped_and_explained(runner: SandboxRunner) -> None:
    silent = runner.serve_app(["sleep", "60"], {}, ready_seconds=0.5)
    assert not silent.ok and silent.words == "the app did not answer in time"
    assert not silent.service.alive
    broken = runner.serve_app(["python3", "-c", "raise SystemExit('no config')"], {})
    assert not broken.ok and "exit code 1" in broken.words and "no config" in broken.logs


def test_apps_are_stopped_with_the_runner(root: Path) -> None:
    runner = SandboxRunner([Bubblewrap(root, pool_size=0)], root=root, selftest=briefly)
    started = runner.serve_app(["python3", "app.py"], {"app.py": APP})
    assert started.ok and started.service.alive
    runner.close()
    assert not started.service.alive


FRAGMENTS = [
    "while True: pass",
    "os.fork()",
    "for _ in range(99): os.fork()",
    "held.append(b'x' * 50_000_000)",
    "print('x' * 3_000_000)",
    "os.write(2, os.urandom(500_000))",
    "open(str(random.random()), 'wb').write(b'x' * 20_000_000)",
    "os.kill(-1, random.randrange(1, 32))",
    "os.kill(os.getppid(), 9)",
    "os.closerange(0, random.randrange(1, 9))",
    "sys.setrecursionlimit(10**9)\ndef f(): f()\nf()",
    "threading.Thread(target=time.sleep, args=(9,)).start()",
    "time.sleep(9)",
    "os.chdir('/'); os.listdir('/proc')",
    "os.execv('/bin/sleep', ['sleep', '9'])",
    "signal.signal(random.randrange(1, 9), signal.SIG_IGN)",
    "subprocess.Popen(['sh', '-c', 'sleep 9 & sleep 9']).wait()",
    "[os.write(n, os.urandom(99)) for n in range(3, 9)]",
    "os.mkfifo('pipe'); open('pipe')",
    "os.symlink('/proc/self/mem', 'mem'); open('mem', 'wb').write(b'x')",
    "ctypes.string_at(0)",
    "raise SystemExit(random.choice([0, 1, 'no', None, 2**70]))",
    "sys.stdin.read(); sys.stdout.close(); sys.stderr.close()",
    "mmap.mmap(-1, 400_000_000)[:] = b'x' * 400_000_000",
    "socket.socket().bind(('127.0.0.1', 80))",
]
IMPORTS = "import ctypes, mmap, os, random, signal, socket, subprocess, sys, threading, time\nheld = []\n"


class Health(http.server.BaseHTTPRequestHandler):
    """Stands for the service's own answer to `is everything well`."""

    runner: SandboxRunner

    def do_GET(self) -> None:
        body = json.dumps(self.runner.standing().describe()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


def test_a_hundred_hostile_snippets_at_once_leave_the_service_answering(runner: SandboxRunner, root: Path) -> None:
    chance = random.Random(20_261)
    snippets = [IMPORTS + "\n".join(chance.sample(FRAGMENTS, 3)) for _ in range(100)]
    Health.runner = runner
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Health)
    answering = threading.Thread(target=server.serve_forever)
    answering.start()
    over = threading.Event()
    assert runner.choose().wait_warm(60)  # type: ignore[attr-defined]
    before = take(root)
    limits = Limits(wall=0.7, cpu=2, output=2_000_000)
    with ThreadPoolExecutor(101) as pool:
        asking = pool.submit(ask_until, over, server.server_address[1])
        results = list(pool.map(lambda code: runner.run_code(code, limits=limits, collect=(".",)), snippets))
        over.set()
        answers = asking.result()
    server.shutdown()
    server.server_close()
    answering.join()
    assert len(results) == 100 and all(result.words for result in results)
    assert len(answers) >= 5 and all(answers)
    assert runner.run_code("print('still here')").ok
    left = set(differences(before, take(root))) - {"processes", "handles", "threads"}
    assert not left
    assert settled(lambda: len(take(root).processes) <= len(before.processes))


def ask_until(over: threading.Event, port: int) -> list[bool]:
    answers = []
    while not over.wait(0.05):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/health")
        answers.append(json.loads(connection.getresponse().read())["ok"])
        connection.close()
    return answers
