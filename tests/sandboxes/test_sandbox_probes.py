"""Every attack of the self-test is stopped, whoever started the service, and a boundary that leaks is found out."""

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from sandboxes.base import Availability, Captured, Job, JobResult, Level, OnOutput, Service, Tick, Usage
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.container import Container
from sandboxes.landlock import Landlock
from sandboxes.probes import PROBES, ProbeResult, SelfTest, run_selftest
from sandboxes.uids import reachable
from tests.sandboxes.conftest import as_root

CHECKOUT = Path(__file__).resolve().parent.parent.parent
NAMES = [probe.name for probe in PROBES]
KINDS = ["bubblewrap", "landlock"]
SOMEBODY = 40_000 + os.getpid() % 20_000
"""A user that no other run of the tests is at the same time."""
AS_USER = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.landlock import Landlock
from sandboxes.probes import run_selftest
sandbox = {"bubblewrap": Bubblewrap, "landlock": Landlock}[sys.argv[1]](Path(sys.argv[2]))
test = run_selftest(sandbox)
print(json.dumps({"problem": test.problem, "results": [asdict(result) for result in test.results]}))
sandbox.close()
"""


def test_there_are_nineteen_attacks() -> None:
    assert len(NAMES) == len(set(NAMES)) == 19


@pytest.fixture(scope="session")
def default(bubblewrap: Bubblewrap) -> dict[str, ProbeResult]:
    return by_name(run_selftest(bubblewrap))


@pytest.mark.parametrize("name", NAMES)
def test_bubblewrap_stops(name: str, default: dict[str, ProbeResult]) -> None:
    assert default[name].stopped or not default[name].required, default[name]


@as_root
def test_as_root_nothing_is_excused_where_there_are_cgroups(
    bubblewrap: Bubblewrap, default: dict[str, ProbeResult]
) -> None:
    if bubblewrap.available().details["cgroup"] == "none":
        pytest.skip("cgroup: this machine gives root none")
    assert all(result.stopped and result.required for result in default.values())


@as_root
def test_bubblewrap_stops_all_without_user_namespaces(root: Path) -> None:
    """As on systems that forbid them: root makes the other namespaces, and the user is changed inside."""
    sandbox = Bubblewrap(root, pool_size=2, userns=False)
    try:
        test = run_selftest(sandbox)
        assert test.ok, test.words
        assert sandbox.available().details["user namespace"].startswith("no")
    finally:
        sandbox.close()


@pytest.fixture(scope="session")
def plain(root: Path) -> dict[str, dict[str, Any]]:
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(KINDS, pool.map(lambda kind: selftest_as_user(kind, root), KINDS), strict=True))


@as_root
@pytest.mark.parametrize("kind", KINDS)
def test_a_service_that_is_a_plain_user_stops_all_that_it_promises(kind: str, plain: dict[str, Any]) -> None:
    test = plain[kind]
    assert not test["problem"]
    assert len(test["results"]) == 19
    assert not [result for result in test["results"] if result["required"] and not result["stopped"]]
    assert {result["name"] for result in test["results"] if not result["required"]} <= {"memory_many"}


@pytest.fixture(scope="session")
def contained(container: Container) -> dict[str, ProbeResult]:
    return by_name(run_selftest(container))


@pytest.mark.parametrize("name", NAMES)
def test_a_container_stops(name: str, contained: dict[str, ProbeResult]) -> None:
    assert contained[name].stopped and contained[name].required, contained[name]


@pytest.fixture(scope="session")
def reduced(landlock: Landlock) -> dict[str, ProbeResult]:
    return by_name(run_selftest(landlock))


@pytest.mark.parametrize("name", NAMES)
def test_landlock_stops_what_it_promises(name: str, reduced: dict[str, ProbeResult]) -> None:
    assert reduced[name].stopped or not reduced[name].required, reduced[name]


def test_landlock_says_that_it_is_reduced(landlock: Landlock) -> None:
    assert landlock.level is Level.REDUCED
    assert "reduced" in landlock.available().words


class Bare:
    """No boundary at all: just a process."""

    name = "bare"
    level = Level.FULL

    def available(self) -> Availability:
        return Availability(True, "")

    def unclaimed(self) -> Mapping[str, str]:
        return {"link_inside": "it promises less"}

    def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
            argv = [sys.executable, "-c", job.code or ""]
            code = subprocess.run(argv, stdout=said, stderr=said, check=False, cwd=folder).returncode
            said.seek(0)
            return JobResult(exit_code=code, stdout=Captured(said.read().decode()), stderr=Captured(), usage=Usage())

    def start(self, job: Job, port: int, *, on_output: OnOutput | None = None) -> Service:
        raise NotImplementedError

    def close(self) -> None:
        return


HARMLESS = {"write_outside", "connect_host", "kill_service", "read_environment", "link_inside", "outlive"}


def test_without_a_boundary_the_attacks_get_through() -> None:
    test = run_selftest(Bare(), tuple(probe for probe in PROBES if probe.name in HARMLESS))
    try:
        assert {result.name for result in test.results if not result.stopped} == HARMLESS
        assert not test.ok
        assert "connect to a service of this machine" in test.words
    finally:
        end_leftovers()


def test_what_is_not_promised_is_reported_and_excused() -> None:
    test = run_selftest(Bare(), tuple(probe for probe in PROBES if probe.name == "link_inside"))
    assert test.ok
    assert not test.results[0].stopped
    assert "promises less" in test.results[0].detail


def test_a_probe_that_does_not_even_run_is_no_proof() -> None:
    class Broken(Bare):
        def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult:
            return JobResult(exit_code=1, stdout=Captured(), stderr=Captured("no Python"), usage=Usage())

    test = run_selftest(Broken())
    assert not any(result.stopped for result in test.results)


def by_name(test: SelfTest) -> dict[str, ProbeResult]:
    assert not test.problem
    return {result.name: result for result in test.results}


def selftest_as_user(kind: str, root: Path) -> dict[str, Any]:
    """The self-test in a process of a user without rights, with a Python that this user can run."""
    python = next((path for path in (sys.executable, "/usr/bin/python3") if reachable(Path(path), SOMEBODY)), None)
    packages = sysconfig.get_path("purelib")
    if python is None or not reachable(Path(packages), SOMEBODY) or not reachable(CHECKOUT, SOMEBODY):
        pytest.skip("plain user: the checkout or its Python cannot be reached by another user")
    folder = root / f"home-{kind}"
    folder.mkdir()
    os.chown(folder, SOMEBODY, SOMEBODY)
    done = subprocess.run(
        [
            *("setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups", "--"),
            *("env", "-i", "PATH=/usr/bin:/bin", f"PYTHONPATH={CHECKOUT}:{packages}", f"TMPDIR={folder}"),
            *(python, "-B", "-c", AS_USER, kind, str(folder / "sandbox")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def end_leftovers() -> None:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if b"outlived-" in (entry / "cmdline").read_bytes():
                    os.kill(int(entry.name), 9)
            except OSError:
                continue


def test_the_result_can_be_written_down(default: dict[str, ProbeResult]) -> None:
    assert json.loads(json.dumps([asdict(result) for result in default.values()]))
