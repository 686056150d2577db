"""Kills the service in every way and at every boundary while a client works, and counts what was lost or done twice.

Usage: python -m benchmarks.crash [--kills 1000] [--quick] [--seed N]
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.crash_driver import PROJECTS, WAYS, Driver, Service

RESULTS = Path(__file__).parent / "results" / "crash.json"
TARGETS = (
    *(
        "acknowledged effects lost",
        "steps done twice",
        "context.json invalid",
        "approvals lost",
        "acknowledged tasks lost",
    ),
    *("trees unlike their last commit", "stale locks", "two services on one home", "processes left"),
)


class Trial:
    """One home that lives through many kills."""

    def __init__(self, home: Path, seed: int) -> None:
        self.service = Service(home)
        self.driver = Driver(self.service, seed)
        self.wrong: Counter[str] = Counter({name: 0 for name in TARGETS})
        self.kills: Counter[str] = Counter()
        self.notes: list[str] = []
        self.home = home

    def run(self, kills: int) -> None:
        self.service.start()
        self.driver.prepare()
        for number in range(kills):
            self.one_kill(WAYS[number % len(WAYS)])
        self.service.kill("group")

    def one_kill(self, way: str) -> None:
        """Work, kill, start again, look."""
        random = self.driver.random
        if way.startswith("at "):
            self.service.kill("group")
            self.service.start(way.removeprefix("at "), str(random.randint(1, 6)))
            self.driver.begin()
            self.driver.end(when_gone=True)
            self.service.wait_until_gone()
        else:
            self.driver.begin()
            time.sleep(random.uniform(0.0, 0.25))
            self.service.kill(way)
            self.driver.end()
        self.kills[way] += 1
        self._check_context()
        if way == "start-up":
            self.service.start(wait=False)
            time.sleep(random.uniform(0.0, 0.5))
            self.service.kill("group")
            self._check_context()
        self.service.start()
        self._check_only_one()
        self.driver.settle()
        self._check()

    def _note(self, what: str, detail: Any, count: int = 1) -> None:
        self.wrong[what] += count
        self.notes.append(f"{what}: {detail}")

    def _check_context(self) -> None:
        path = self.home / "context.json"
        if path.exists():
            try:
                json.loads(path.read_bytes())
            except ValueError as error:
                self._note("context.json invalid", error)

    def _check_only_one(self) -> None:
        """A second service on the same home must refuse to start."""
        if self.driver.random.random() < 0.1:
            second = Service(self.home)
            note = (self.home / "service.json").read_bytes()
            second.start(wait=False)
            assert second.process is not None
            if second.process.wait(30) == 0:
                self._note("two services on one home", "the second one started")
            if second.process.stderr:
                second.process.stderr.close()
            (self.home / "service.json").write_bytes(note)

    def _check(self) -> None:
        account = self.driver.account
        for project in PROJECTS:
            self._check_contents(project, self.home / "workspace" / project)
            self._check_repository(project, self.home / "workspace" / project)
        waiting = {t["id"] for t in self.service.send("GET", "/tasks?status=awaiting_approval&limit=1000")[1]["tasks"]}
        if gone := account.waiting - waiting:
            self._note("approvals lost", sorted(gone), len(gone))
        self._check_tasks()

    def _check_contents(self, project: str, folder: Path) -> None:
        account = self.driver.account
        lines = Counter((folder / "log.txt").read_text().split())
        lost = account.tokens[project] - set(lines)
        twice = [token for token, count in lines.items() if count > 1]
        if lost:
            self._note("acknowledged effects lost", sorted(lost), len(lost))
        if twice:
            self._note("steps done twice", twice, len(twice))
        for path, content in account.files[project].items():
            if not (folder / path).exists() or (folder / path).read_text() != content:
                self._note("acknowledged effects lost", f"{project}/{path}")

    def _check_repository(self, project: str, folder: Path) -> None:
        dirt = subprocess.run(["git", "status", "--porcelain"], cwd=folder, capture_output=True, text=True, check=True)
        if dirt.stdout:
            self._note("trees unlike their last commit", f"{project}: {dirt.stdout}")
        locks = [str(lock.relative_to(folder)) for lock in (folder / ".git").rglob("*.lock")]
        if locks:
            self._note("stale locks", locks, len(locks))

    def _check_tasks(self) -> None:
        recent = list(self.driver.account.acknowledged.items())[-20:]
        for task, status in recent:
            code, reply = self.service.send("GET", f"/tasks/{task}")
            if code != 200 or reply["task"]["status"] != status:
                self._note("acknowledged tasks lost", (task, code, reply))


def run_trial(kills: int, seed: int) -> Trial:
    home = Path(tempfile.mkdtemp(prefix="task-agent-crash-"))
    trial = Trial(home, seed)
    try:
        trial.run(kills)
    finally:
        if trial.service.process is not None and trial.service.process.poll() is None:
            trial.service.kill("group")
        shutil.rmtree(home, ignore_errors=True)
    return trial


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kills = 60 if options.quick else options.kills
    began = time.monotonic()
    totals: Counter[str] = Counter()
    wrong: Counter[str] = Counter({name: 0 for name in TARGETS})
    ways: Counter[str] = Counter()
    notes: list[str] = []
    for start in range(0, kills, 100):
        trial = run_trial(min(100, kills - start), options.seed + start)
        totals += trial.driver.counts
        wrong.update(trial.wrong)
        ways += trial.kills
        notes += trial.notes
    table = Table(title=f"{sum(ways.values())} kills in {time.monotonic() - began:.0f} s")
    table.add_column("what")
    table.add_column("count", justify="right")
    for name, count in [*ways.items(), *totals.items(), *wrong.items()]:
        table.add_row(name, str(count))
    console = Console()
    console.print(table)
    for note in notes[:20]:
        console.print(note)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({"kills": ways, "did": totals, "wrong": wrong, "notes": notes[:50]}, indent=2) + "\n")
    return 1 if any(wrong.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
