"""Undo: what a snapshot and a commit cost beside `git add -A && git commit`, and whether taking back is ever inexact.

What is compared is measured in one run, turn by turn, so that a noisy machine is as noisy for everyone.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hypothesis import HealthCheck, settings  # noqa: E402 - the checkout has to be on the path first
from hypothesis.stateful import run_state_machine_as_test  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from git_manager import TakenBack  # noqa: E402
from tests.real_project import CLEAN_ENVIRONMENT, RealProject, git  # noqa: E402
from tests.undo_machine import Point, UndoMachine  # noqa: E402

PER_FOLDER = 100
TARGETS = {1_000: 0.6, 10_000: 1.1}
"""Files in the project, and how often the cost by hand one step may cost."""
CHANGED = "d3/f7.txt"


@dataclass
class Cost:
    """Milliseconds a step, as medians, at one size of project."""

    files: int
    hand: float
    step: float
    """As the executor takes it, which knows what it has changed."""
    whole_look: float
    """With a look at all files also after the change."""
    nothing_changed: float
    """A snapshot of a project in which nothing has changed since the last one."""
    first: float
    """The first snapshot after a start, which reads every file."""
    target: float
    ratio: float
    whole_look_ratio: float

    @property
    def kept(self) -> bool:
        return self.ratio <= self.target


def fill(folder: Path, files: int) -> None:
    for number in range(files // PER_FOLDER):
        (folder / f"d{number}").mkdir(parents=True)
        for name in range(PER_FOLDER):
            (folder / f"d{number}/f{name}.txt").write_text(f"file {name} of folder {number}\n" * 20)


def milliseconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def by_hand(folder: Path) -> None:
    command = "git add -A && git commit -qm step"
    subprocess.run(["sh", "-c", command], cwd=folder, env=CLEAN_ENVIRONMENT, check=True)


def pairs(ours: list[float], by_hand: list[float]) -> list[float]:
    return [our / hand for our, hand in zip(ours, by_hand, strict=True)]


def cost_at(root: Path, files: int, rounds: int) -> Cost:
    hand, project = root / f"hand{files}", RealProject(root / f"agent{files}")
    fill(hand, files)
    fill(project.path, files)
    for folder in (hand, project.path):
        git(folder, "init", "-q", "-b", "main")
        by_hand(folder)
    first = milliseconds(lambda: project.repo.snapshot("first"))
    times: dict[str, list[float]] = {"hand": [], "step": [], "known": [], "nothing": []}
    for number in range(rounds + 2):
        took = _turn(hand, project, number)
        if number >= 2:
            for name, spent in took.items():
                times[name].append(spent)
    median = {name: round(statistics.median(spent), 2) for name, spent in times.items()}
    ratio = {name: round(statistics.median(pairs(spent, times["hand"])), 3) for name, spent in times.items()}
    if project.status():
        raise SystemExit(f"the project is not clean after its steps: {project.status()[:5]}")
    return Cost(
        files=files,
        hand=median["hand"],
        step=median["known"],
        whole_look=median["step"],
        nothing_changed=median["nothing"],
        first=round(first, 2),
        target=TARGETS[files],
        ratio=ratio["known"],
        whole_look_ratio=ratio["step"],
    )


def _turn(hand: Path, project: RealProject, number: int) -> dict[str, float]:
    """One step by hand and in each of our ways, with the same change."""

    def step(task: str, *, known: bool) -> float:
        def work() -> None:
            project.repo.snapshot(task)
            project.write(CHANGED, f"{task}\n".encode() * 20)
            project.repo.record(task, "Changed a file", paths=[CHANGED] if known else None)

        return milliseconds(work)

    def change_by_hand() -> None:
        (hand / CHANGED).write_text(f"{number}\n" * 20)
        by_hand(hand)

    took = {"hand": milliseconds(change_by_hand), "step": step(f"s{number}", known=False)}
    took["known"] = step(f"k{number}", known=True)
    took["nothing"] = milliseconds(lambda: project.repo.snapshot(f"n{number}"))
    return took


@dataclass
class Sequences:
    """What the random machine did; it stops at the first thing that is not as it has to be."""

    sequences: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    mismatches: int = 0
    seconds: float = 0.0


def run_sequences(count: int, steps: int) -> Sequences:
    done = Sequences()

    class Counted(UndoMachine):
        def __init__(self) -> None:
            super().__init__()
            done.sequences += 1

        def step(self, *arguments: Any, **named: Any) -> bool:
            carried_out = super().step(*arguments, **named)
            done.counts["steps"] += carried_out
            return carried_out

        def meddle(self, data: Any) -> None:
            done.counts["edits behind the back"] += 1
            super().meddle(data)

        def take_back(self, points: list[Point], *, exact: bool) -> TakenBack:
            taken = super().take_back(points, exact=exact)
            done.counts["taken back"] += 1
            done.counts["paths put back"] += len(taken.restored)
            done.counts["paths left to others"] += len(taken.kept)
            return taken

    begin = time.monotonic()
    try:
        run_state_machine_as_test(
            Counted,
            settings=settings(
                max_examples=count,
                stateful_step_count=steps,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    except AssertionError as error:
        done.mismatches += 1
        Console(stderr=True).print(f"[red]mismatch:[/red] {error}")
    done.seconds = round(time.monotonic() - begin, 1)
    return done


@contextmanager
def scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="undo-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def shown(costs: list[Cost], done: Sequences) -> None:
    console = Console()
    table = Table(title="Snapshot before, one changed file, commit after (ms, medians)")
    for heading in ("files", "by hand", "ours", "ratio", "target", "whole look", "unchanged", "first"):
        table.add_column(heading, justify="right")
    for cost in costs:
        table.add_row(
            *(str(value) for value in (cost.files, cost.hand, cost.step)),
            f"[{'green' if cost.kept else 'red'}]{cost.ratio:.2f}",
            f"{cost.target:.2f}",
            *(str(value) for value in (cost.whole_look, cost.nothing_changed, cost.first)),
        )
    console.print(table)
    table = Table(title="Random sequences, taken back")
    table.add_column("what")
    table.add_column("count", justify="right")
    rows = {"sequences": done.sequences, **done.counts, "mismatches": done.mismatches, "seconds": done.seconds}
    for name, value in rows.items():
        table.add_row(name, str(value))
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds and sequences")
    parser.add_argument("--sequences", type=int, help="how many random sequences")
    options = parser.parse_args()
    rounds = 15 if options.quick else 60
    with scratch() as root:
        costs = [cost_at(root, files, rounds) for files in TARGETS]
    done = run_sequences(options.sequences or (20 if options.quick else 1_000), 25 if options.quick else 40)
    shown(costs, done)
    missed = [f"{cost.files} files: {cost.ratio:.2f} > {cost.target}" for cost in costs if not cost.kept]
    missed += [f"{done.mismatches} mismatches"] if done.mismatches else []
    result = {
        "costs": [asdict(cost) for cost in costs],
        "sequences": {**asdict(done), "counts": dict(done.counts)},
        "missed": missed,
        "cores": os.cpu_count(),
    }
    place = ROOT / "benchmarks" / "results"
    place.mkdir(exist_ok=True)
    (place / "undo.json").write_text(json.dumps(result, indent=2) + "\n")
    if missed:
        sys.exit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
