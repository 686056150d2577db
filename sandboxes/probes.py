"""The self-test of a sandbox: what hostile code would try is tried, and judged from outside where that is possible."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from contracts.errors import AppError
from sandboxes.bait import Bait
from sandboxes.base import MIB, Job, JobResult, Level, Limits, Sandbox, StoppedBy

SCRIPTS = Path(__file__).parent / "inside" / "probes"
TRIED, BREACH = "tried", "BREACH"
AT_ONCE = 2
BRIEF = Limits(wall=0.5, cpu=1)
USUAL = Limits(wall=30.0)
LITTLE_MEMORY = Limits(wall=30.0, memory=64 * MIB)
LITTLE_TOGETHER = Limits(wall=30.0, memory=96 * MIB, disk=16 * MIB)
LITTLE_DISK = Limits(wall=30.0, disk=48 * MIB, file_size=16 * MIB)
"""What is allowed is little, so that trying to exceed it costs little."""
Judge = Callable[[Bait, JobResult], str]
"""What got through, in words, or nothing."""


def _said(_: Bait, result: JobResult) -> str:
    """The script itself says what it managed to do. One that did not get to trying proves nothing."""
    text = result.stdout.text
    if BREACH in text:
        return text.partition(BREACH)[2].strip()
    if TRIED not in text and result.stopped_by is None:
        return f"the probe did not run: {result.stderr.text[-300:]}"
    return ""


def _unless(seen: Callable[[Bait], bool], words: str) -> Judge:
    """What is seen from outside counts more than what the script says."""
    return lambda bait, result: words if seen(bait) else _said(bait, result)


def _stopped_by(*limits: StoppedBy) -> Judge:
    return lambda _, result: "" if result.stopped_by in limits else f"it was not stopped: {result.words}"


def _brought_back(bait: Bait, result: JobResult) -> str:
    if any(bait.secret.encode() in file.data for file in result.files.values()):
        return "a file of this machine was read through a link"
    return _said(bait, result)


@dataclass(frozen=True, slots=True)
class Probe:
    """One attempt: what it is about in words, and how to tell that it got through."""

    name: str
    words: str
    judge: Judge = _said
    limits: Limits = USUAL
    collect: tuple[str, ...] = ()


PROBES = (
    Probe("read_shadow", "read the machine's password file"),
    Probe("write_outside", "write outside its own folder", _unless(Bait.file_changed, "a file outside was changed")),
    Probe("connect_host", "connect to a service of this machine", _unless(Bait.was_called, "a service was reached")),
    Probe("fork_bomb", "start 2,000 processes"),
    Probe("memory_one", "take 4 GiB of memory in one process", limits=LITTLE_MEMORY),
    Probe("memory_many", "take too much memory in eight processes together", limits=LITTLE_TOGETHER),
    Probe("endless_loop", "compute for ever", _stopped_by(StoppedBy.WALL, StoppedBy.CPU), BRIEF),
    Probe("endless_sleep", "sleep for ever", _stopped_by(StoppedBy.WALL), BRIEF),
    Probe("output_flood", "print 1 GiB", _stopped_by(StoppedBy.OUTPUT)),
    Probe("link_inside", "read a file of this machine through a link"),
    Probe("link_outside", "make the service read a file through a link", _brought_back, collect=("out", "folder")),
    Probe("kill_service", "end the service", _unless(Bait.decoy_died, "a process outside was ended")),
    Probe("trace_service", "look into the service's memory"),
    Probe("read_environment", "find the service's secrets in its environment"),
    Probe("disk_one", "write one file of 1 GiB", limits=LITTLE_DISK),
    Probe("disk_many", "write 2 GiB in many files", limits=LITTLE_DISK),
    Probe("hidden_memory", "fill memory through temporary folders"),
    Probe("outlive", "leave a process behind", _unless(Bait.outlived, "a process was left behind")),
    Probe("user_namespace", "become root in a namespace of its own"),
)


@dataclass(frozen=True, slots=True)
class ProbeResult:
    name: str
    words: str
    stopped: bool
    required: bool
    detail: str
    seconds: float


@dataclass(frozen=True, slots=True)
class SelfTest:
    """What a sandbox was seen to stop."""

    sandbox: str
    level: Level
    results: tuple[ProbeResult, ...]
    seconds: float = field(compare=False)
    problem: str = ""
    """Why it was not tried at all."""

    @property
    def ok(self) -> bool:
        return not self.problem and all(result.stopped for result in self.results if result.required)

    @property
    def words(self) -> str:
        if self.problem:
            return self.problem
        through = [result.words for result in self.results if result.required and not result.stopped]
        if through:
            return f"code in the {self.sandbox} sandbox could {', '.join(through)}"
        stopped = sum(result.stopped for result in self.results)
        return f"the {self.sandbox} sandbox stopped {stopped} of {len(self.results)} attacks, all that it promises to"


def run_selftest(sandbox: Sandbox, probes: tuple[Probe, ...] = PROBES) -> SelfTest:
    """Try everything, a few at a time. Raises nothing that a sandbox raises: that is a failed probe."""
    began = time.monotonic()
    state = sandbox.available()
    if not state.ok:
        return SelfTest(sandbox.name, sandbox.level, (), time.monotonic() - began, state.words)
    unclaimed = sandbox.unclaimed()
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="selftest") as pool:
        results = pool.map(lambda probe: _run(sandbox, probe, unclaimed.get(probe.name, "")), probes)
        return SelfTest(sandbox.name, sandbox.level, tuple(results), time.monotonic() - began)


def _run(sandbox: Sandbox, probe: Probe, excuse: str) -> ProbeResult:
    began = time.monotonic()
    with Bait() as bait:
        try:
            problem = probe.judge(bait, sandbox.run(_job(probe, bait)))
        except AppError as error:
            problem = f"the probe could not be run: {error.message}"
    detail = f"{problem} ({excuse})" if problem and excuse else problem
    return ProbeResult(probe.name, probe.words, not problem, not excuse, detail, time.monotonic() - began)


def _job(probe: Probe, bait: Bait) -> Job:
    """A script finds what it shall reach in its first line."""
    targets = {
        "port": bait.port,
        "pid": bait.pid,
        "folder": str(bait.folder),
        "file": str(bait.file),
        "socket": str(bait.socket_path),
        "abstract": bait.abstract,
        "secret": bait.secret,
        "marker": bait.marker,
        "mib": MIB,
    }
    script = (SCRIPTS / f"{probe.name}.txt").read_text()
    return Job(code=f"T = {targets!r}\n{script}", limits=probe.limits, collect=probe.collect)
