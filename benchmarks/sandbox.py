"""What running code behind a boundary costs beside running it bare, and whether a thousand runs leave anything behind.

What is compared is measured in one run, turn by turn, so that a noisy machine is as noisy for everyone.
"""

import argparse
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402 - the checkout has to be on the path first
from rich.table import Table  # noqa: E402

from sandboxes.base import Job, Sandbox  # noqa: E402
from sandboxes.bubblewrap import Bubblewrap  # noqa: E402
from sandboxes.container import Container  # noqa: E402
from sandboxes.landlock import Landlock  # noqa: E402
from tests.sandboxes.podman import IMAGE, missing, podman_service  # noqa: E402
from tests.sandboxes.traces import groups, job_processes, settled  # noqa: E402

PYTHON = "/usr/bin/python3"
SNIPPET = Job(code="print(1 + 1)")
COMMAND = Job(argv=("true",))
TARGETS = {"warm": 0.5, "cold": 2.0}
"""How often the time of a bare `python3 -c pass` a snippet may take."""
RATE = 20.0
"""Snippets a second that one caller gets through, one after another."""
MOST_GROWTH = 2 * 1024 * 1024
POOL = 4


@dataclass
class Latency:
    """Milliseconds from asking to having the result, with everything gone again."""

    name: str
    p50: float
    p95: float
    fastest: float
    ratio: float
    target: float | None = None

    @property
    def kept(self) -> bool:
        return self.target is None or self.ratio <= self.target


@dataclass
class Endurance:
    """A thousand snippets in a row."""

    snippets: int
    seconds: float
    rate: float
    more_processes: int
    more_handles: int
    more_files: int
    more_groups: int
    more_memory: int
    failed: int

    @property
    def problems(self) -> list[str]:
        found = [name for name in ("processes", "handles", "files", "groups") if getattr(self, f"more_{name}") > 0]
        if self.more_memory > MOST_GROWTH:
            found.append("memory")
        if self.failed:
            found.append("failed runs")
        if self.rate < RATE:
            found.append(f"only {self.rate:.1f} a second")
        return found


@dataclass
class Idle:
    """What one worker costs that waits for a job."""

    workers: int
    memory: float
    """MiB each, shared pages divided among those who share them."""
    processor_ticks: int
    seconds: float


@dataclass
class Report:
    latencies: list[Latency] = field(default_factory=list)
    endurance: Endurance | None = None
    idle: Idle | None = None
    container: str = ""


def milliseconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def bare() -> None:
    subprocess.run([PYTHON, "-c", "pass"], check=True)


def ran(sandbox: Sandbox, job: Job) -> Callable[[], None]:
    def run() -> None:
        result = sandbox.run(job)
        if not result.ok:
            raise SystemExit(f"a snippet did not run in {sandbox.name}: {result}")

    return run


def latencies(warm: Bubblewrap, others: dict[str, Callable[[], None]], rounds: int) -> list[Latency]:
    """The container's turns are fewer: each takes as long as fifty others."""
    times: dict[str, list[float]] = {}
    for number in range(rounds + 2):
        turn: dict[str, Callable[[], None]] = {"bare": bare, "warm": ran(warm, SNIPPET), **others}
        for name, work in turn.items():
            if name.startswith("container") and number % 6:
                continue
            if name == "warm":
                warm.wait_warm(10)
            spent = milliseconds(work)
            if number >= 2 or name.startswith("container"):
                times.setdefault(name, []).append(spent)
    middle = statistics.median(times["bare"])
    return [
        Latency(
            name=name,
            p50=round(statistics.median(spent), 2),
            p95=round(sorted(spent)[int(len(spent) * 0.95)], 2),
            fastest=round(min(spent), 2),
            ratio=round(statistics.median(spent) / middle, 3),
            target=TARGETS.get(name),
        )
        for name, spent in times.items()
    ]


def endurance(sandbox: Bubblewrap, root: Path, count: int) -> Endurance:
    for _ in range(50):
        sandbox.run(SNIPPET)
    sandbox.wait_warm(20)
    before = picture(root)
    begin, failed = time.perf_counter(), 0
    for _ in range(count):
        failed += not sandbox.run(SNIPPET).ok
    seconds = time.perf_counter() - begin
    sandbox.wait_warm(20)
    settled(lambda: picture(root)[0] <= before[0], 5)
    more = [now - then for now, then in zip(picture(root), before, strict=True)]
    processes, handles, files, more_groups, memory = more
    return Endurance(
        snippets=count,
        seconds=round(seconds, 2),
        rate=round(count / seconds, 1),
        more_processes=processes,
        more_handles=handles,
        more_files=files,
        more_groups=more_groups,
        more_memory=memory,
        failed=failed,
    )


def picture(root: Path) -> tuple[int, int, int, int, int]:
    """Processes, open handles, files, groups and the service's memory."""
    memory = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    handles = len(list(Path("/proc/self/fd").iterdir()))
    return len(job_processes()), handles, len(list(root.rglob("*"))), len(groups()), memory


def idle(sandbox: Bubblewrap, seconds: float) -> Idle:
    sandbox.wait_warm(20)
    pids = [int(pid) for pid in job_processes()]
    before = sum(map(ticks, pids))
    time.sleep(seconds)
    memory = sum(proportional(pid) for pid in pids) / POOL / 1024
    return Idle(POOL, round(memory, 1), sum(map(ticks, pids)) - before, seconds)


def ticks(pid: int) -> int:
    return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))


def proportional(pid: int) -> int:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))


@contextlib.contextmanager
def closing_all(*sandboxes: Sandbox) -> Iterator[None]:
    try:
        yield
    finally:
        for sandbox in sandboxes:
            sandbox.close()


def measure(root: Path, quick: bool) -> Report:
    warm, cold, landlock = Bubblewrap(root, pool_size=POOL), Bubblewrap(root, pool_size=0), Landlock(root)
    report = Report(container=missing())
    rounds = 20 if quick else 60
    with closing_all(warm, cold, landlock), contextlib.ExitStack() as stack:
        for sandbox in (warm, cold):
            if not (state := sandbox.available()).ok:
                raise SystemExit(f"{state.words}. {state.remedy}")
        report.idle = idle(warm, 1 if quick else 3)
        others = {"cold": ran(cold, SNIPPET), "cold command": ran(cold, COMMAND)}
        if landlock.available().ok:
            others["landlock"] = ran(landlock, SNIPPET)
        if not report.container:
            container = Container(root, stack.enter_context(podman_service()), image=IMAGE)
            stack.callback(container.close)
            others["container"] = ran(container, SNIPPET)
        report.latencies = latencies(warm, others, rounds)
        report.endurance = endurance(warm, root, 200 if quick else 1000)
    return report


def show(report: Report) -> list[str]:
    """Print it, and give what missed its target."""
    console = Console()
    table = Table("way", "p50 ms", "p95 ms", "fastest ms", "x bare", "at most", title="One Python snippet")
    for row in report.latencies:
        target = f"{row.target}" if row.target else "-"
        table.add_row(row.name, f"{row.p50}", f"{row.p95}", f"{row.fastest}", f"{row.ratio}", target)
    console.print(table)
    if report.container:
        console.print(f"no container: {report.container}")
    missed = [f"{row.name}: {row.ratio} times bare, at most {row.target}" for row in report.latencies if not row.kept]
    if report.endurance:
        table = Table("what", "value", title=f"{report.endurance.snippets} snippets in a row")
        for name, value in asdict(report.endurance).items():
            table.add_row(name.replace("_", " "), str(value))
        console.print(table)
        missed += report.endurance.problems
    if report.idle:
        console.print(
            f"idle: {report.idle.memory} MiB for each of {report.idle.workers} workers, "
            f"{report.idle.processor_ticks} processor ticks in {report.idle.seconds} s"
        )
        missed += ["idle workers use the processor"] if report.idle.processor_ticks > 1 else []
    return missed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    args = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="sandbox-benchmark-"))
    root.chmod(0o711)
    try:
        report = measure(root, args.quick)
    finally:
        shutil.rmtree(root)
    missed = show(report)
    folder = ROOT / "benchmarks" / "results"
    folder.mkdir(exist_ok=True)
    (folder / "sandbox.json").write_text(json.dumps({**asdict(report), "missed": missed}, indent=2) + "\n")
    if missed:
        raise SystemExit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
