"""The event store: what one durable update costs, whether anything is ever lost, and how long opening takes.

All that is compared is measured in one run, turn by turn, so that a noisy machine is as noisy for everyone.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402 - the checkout's root has to be on the path first
from rich.table import Table  # noqa: E402

from contracts.events import Event  # noqa: E402
from stores.journal import encode  # noqa: E402
from stores.json_file import JsonFileStore  # noqa: E402

STEP = {"message": "Created `src/app.py`", "diff": "+" * 300}
"""What an everyday event carries."""


class TaskFold:
    """A memory of tasks like the agent's own: every event changes one of them in place; only so many are kept."""

    def __init__(self, keep: int) -> None:
        self._keep = keep

    def empty(self) -> dict[str, Any]:
        return {"count": 0, "tasks": {}}

    def apply(self, state: dict[str, Any], event: Event) -> None:
        state["count"] += 1
        if event.task_id:
            state["tasks"][event.task_id] = event.data
        while len(state["tasks"]) > self._keep:
            del state["tasks"][next(iter(state["tasks"]))]

    def dump(self, state: dict[str, Any]) -> dict[str, Any]:
        return {"version": 1, **state}

    def load(self, raw: dict[str, Any]) -> dict[str, Any]:
        return {"count": raw["count"], "tasks": raw["tasks"]}

    def current(self, raw: dict[str, Any]) -> bool:
        return raw.get("version") == 1


def now() -> str:
    return "2026-01-01T00:00:00.000Z"


def open_store(home: Path, keep: int = 100, **options: Any) -> JsonFileStore[dict[str, Any]]:
    return JsonFileStore(home, TaskFold(keep), clock=now, **options)


def fill(memory: JsonFileStore[Any], events: int, batch: int = 100) -> None:
    for start in range(0, events, batch):
        with memory.transaction() as tx:
            for number in range(start, min(start + batch, events)):
                tx.emit("step_finished", f"t{number}", **STEP)


@dataclass
class Claim:
    what: str
    measured: float
    target: float
    unit: str = "x"

    @property
    def met(self) -> bool:
        return self.measured <= self.target


def take_turns(acts: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each act, done in turn, beginning with another one every round."""
    times: dict[str, list[float]] = {name: [] for name in acts}
    names = list(acts)
    for number in range(rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            start = time.perf_counter()
            acts[name]()
            times[name].append((time.perf_counter() - start) * 1000)
    return times


def measure_updates(folder: Path, rounds: int) -> tuple[dict[str, list[float]], list[Claim]]:
    folder.mkdir()
    line = encode([asdict(Event(1_000_000, now(), "step_finished", "t1", STEP))])
    bare = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    small, large = open_store(folder / "small", keep=2), open_store(folder / "large", keep=30_000)
    fill(large, 28_500, batch=1000)

    def append() -> None:
        os.write(bare, line)
        os.fdatasync(bare)

    def update(memory: JsonFileStore[Any]) -> Callable[[], None]:
        def act() -> None:
            with memory.transaction() as tx:
                tx.emit("step_finished", "t1", **STEP)

        return act

    with closing(small), closing(large):
        large.flush()
        size = (folder / "large" / "context.json").stat().st_size / 1e6
        times = take_turns(
            {
                "bare append + fdatasync": append,
                "update, 1 KB of state": update(small),
                f"update, {size:.0f} MB of state": update(large),
            },
            rounds,
        )
    os.close(bare)
    floor, at_small, at_large = (statistics.median(values) for values in times.values())
    return times, [
        Claim(f"update at {size:.0f} MB of state against one at 1 KB", at_large / at_small, 1.3),
        Claim("update at 1 KB of state against a bare append", at_small / floor, 2.0),
        Claim(f"update at {size:.0f} MB of state against a bare append", at_large / floor, 2.0),
    ]


def measure_opening(folder: Path, rounds: int, many: int) -> tuple[dict[str, list[float]], list[Claim]]:
    folder.mkdir()
    homes = {f"open with {count:,} events": folder / str(count) for count in (1000, many)}
    for count, home in zip((1000, many), homes.values(), strict=True):
        with closing(open_store(home)) as memory:
            fill(memory, count)

    def opening(home: Path) -> Callable[[], None]:
        def act() -> None:
            with closing(open_store(home)) as memory, memory.read() as state:
                assert len(state["tasks"]) == 100

        return act

    times = take_turns({name: opening(home) for name, home in homes.items()}, rounds)
    few, more = (statistics.median(values) for values in times.values())
    (folder / str(many) / "context.json").unlink()
    start = time.perf_counter()
    opening(folder / str(many))()
    times[f"rebuild from {many:,} events"] = [(time.perf_counter() - start) * 1000]
    return times, [Claim(f"opening with {many:,} events against 1,000", more / few, 1.5)]


PROCESSES, THREADS = 4, 8


def write_as_one_of_many(home: Path, name: str, updates: int) -> None:
    """What each process does: some threads that each count up, with segments and snapshots that never rest."""
    memory = open_store(home, segment_bytes=64 << 10, snapshot_delay=0.02)

    def work(thread: int) -> None:
        for number in range(updates):
            with memory.transaction() as tx:
                tx.emit("step_finished", f"{name}-{thread}-{number}", before=tx.state["count"], **STEP)

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    memory.close()


def measure_losses(folder: Path, updates: int) -> tuple[dict[str, Any], list[Claim]]:
    start = time.perf_counter()
    writers = [
        subprocess.Popen([sys.executable, __file__, "--write", folder, str(name), str(updates)])
        for name in range(PROCESSES)
    ]
    snapshots: set[bytes] = set()
    while any(writer.poll() is None for writer in writers):
        if (folder / "context.json").exists():
            text = (folder / "context.json").read_bytes()
            json.loads(text)
            snapshots.add(text[:60])
        time.sleep(0.01)
    seconds = time.perf_counter() - start
    with closing(open_store(folder)) as memory, memory.read() as state:
        events = memory.events(limit=10**9)
        remembered = state["count"]
    total = PROCESSES * THREADS * updates
    wanted = {f"{p}-{t}-{n}" for p in range(PROCESSES) for t in range(THREADS) for n in range(updates)}
    stale = sum(event.data["before"] != event.seq - 1 for event in events)
    lost = len(wanted - {str(event.task_id) for event in events}) + abs(total - remembered) + stale
    facts = {
        "updates": total,
        "seconds": round(seconds, 2),
        "segments": len(list((folder / "journal").iterdir())),
        "snapshots seen, all valid": len(snapshots),
        "failed writers": sum(writer.returncode != 0 for writer in writers),
    }
    what = f"updates lost of {total:,}, {PROCESSES} processes x {THREADS} threads, rotation and snapshots running"
    return facts, [Claim(what, lost + facts["failed writers"], 0, "")]


def report(times: dict[str, list[float]], facts: dict[str, Any], claims: list[Claim]) -> None:
    console = Console()
    table = Table("what", "median ms", "p99 ms", "worst ms", "times")
    for name, values in times.items():
        ordered = sorted(values)
        p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
        median = statistics.median(ordered)
        table.add_row(name, f"{median:.3f}", f"{p99:.3f}", f"{ordered[-1]:.2f}", str(len(ordered)))
    console.print(table)
    console.print(", ".join(f"{name}: {value:,}" for name, value in facts.items()))
    verdicts = Table("claim", "measured", "at most", "")
    for claim in claims:
        unit = claim.unit
        verdicts.add_row(
            claim.what, f"{claim.measured:.2f}{unit}", f"{claim.target:g}{unit}", "yes" if claim.met else "MISSED"
        )
    console.print(verdicts)


def save(times: dict[str, list[float]], facts: dict[str, Any], claims: list[Claim], quick: bool) -> None:
    results = {
        "quick": quick,
        "median_ms": {name: round(statistics.median(values), 4) for name, values in times.items()},
        "facts": facts,
        "claims": [{**vars(claim), "measured": round(claim.measured, 3), "met": claim.met} for claim in claims],
    }
    target = ROOT / "benchmarks" / "results" / "store.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(results, indent=2) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds and updates")
    parser.add_argument("--write", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        write_as_one_of_many(Path(options.write[0]), options.write[1], int(options.write[2]))
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        update_times, claims = measure_updates(folder / "updates", 150 if options.quick else 1500)
        open_times, open_claims = measure_opening(folder / "opening", 20 if options.quick else 100, 100_000)
        facts, loss_claims = measure_losses(folder / "losses", 32 if options.quick else 313)
    times, claims = {**update_times, **open_times}, [*claims, *loss_claims, *open_claims]
    report(times, facts, claims)
    save(times, facts, claims, options.quick)
    missed = [claim.what for claim in claims if not claim.met]
    for what in missed:
        print(f"Missed: {what}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
