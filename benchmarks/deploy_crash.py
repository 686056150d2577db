"""Kills the agent at every boundary of a deployment and of its undo, and counts what was shipped twice or forgotten.

Usage: python -m benchmarks.deploy_crash [--runs 200] [--quick] [--seed N]
"""

import argparse
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.deploy_crash_agent import PROJECT, TOKEN, make_home, work
from cloud_fakes.loopback import Asked, Reply
from cloud_fakes.vercel import FakeVercel
from providers.vercel import Vercel

RESULTS = Path(__file__).parent / "results" / "deploy_crash.json"
STEPS = ("started", "snapshotted", "applied", "recorded", "finished", "logged")
SHIPPING = (*STEPS, "shipping", "shipped", "verified")
RETURNING = (*STEPS, "returning", "returned")
REQUESTS = ("before", "after", "lost")
"""When the agent dies with a request under way: before it is answered, after, or before it arrives."""
SECONDS = 120.0
TARGETS = ("shipped twice", "forgotten", "not as visitors see it", "not ended", "left for a person")
DEPLOY = {"intent": "deploy_app", "provider": "vercel"}
GOOD, BAD = "<h1>More bread</h1>", "<h1>Not a bakery</h1>"
SCENARIOS: dict[str, tuple[list[dict[str, Any]], dict[str, Any], tuple[str, ...]]] = {
    "the first one": ([], {**DEPLOY, "key": "it"}, SHIPPING),
    "a later one": (
        [DEPLOY, {"intent": "write", "path": "note.html", "text": GOOD}],
        {**DEPLOY, "key": "it"},
        SHIPPING,
    ),
    "one that answers wrong": (
        [DEPLOY, {"intent": "write", "path": "index.html", "text": BAD}],
        {**DEPLOY, "key": "it"},
        SHIPPING,
    ),
    "undo": (
        [DEPLOY, {"intent": "write", "path": "note.html", "text": GOOD}, {**DEPLOY, "key": "two"}],
        {"intent": "roll_back_deployment", "task": "last", "provider": "vercel", "key": "it"},
        RETURNING,
    ),
    "taking down": ([DEPLOY], {"intent": "take_down_app", "provider": "vercel", "key": "it"}, RETURNING),
}
"""What was done before, what is cut off, and at which of the agent's own boundaries."""
ASKED = {"undo": 8, "taking down": 3}
"""How many requests a scenario makes at least, where that is less than usual."""
USUALLY_ASKED = 12
EXPECTED = {
    "the first one": ("live", 1),
    "a later one": ("live", 2),
    "one that answers wrong": ("wrong", 1),
    "undo": ("brought back", 1),
    "taking down": ("taken down", 0),
}
"""The outcome in memory, and which of the releases visitors see in the end."""


class KillingVercel(FakeVercel):
    """Takes the agent's life while one of its requests is under way."""

    def __init__(self) -> None:
        super().__init__()
        self.victim = 0
        self.left = 0
        self.when = ""

    def arm(self, victim: int, number: int, when: str) -> None:
        self.left, self.when, self.victim = number, when, victim

    def answer(self, asked: Asked) -> Reply:
        self.left -= 1 if self.victim else 0
        due = bool(self.victim) and self.left == 0
        if due and self.when in {"before", "lost"}:
            self._kill()
            if self.when == "lost":
                raise ConnectionError
        reply = super().answer(asked)
        if due and self.when == "after":
            self._kill()
        return reply

    def _kill(self) -> None:
        victim, self.victim = self.victim, 0
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            return


@dataclass
class Trial:
    kills: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(TARGETS, 0)))
    notes: list[str] = field(default_factory=list)

    def note(self, what: str, detail: str) -> None:
        self.wrong[what] += 1
        self.notes.append(f"{what}: {detail}")


class Runs:
    """Many runs on copies of one home."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._random = random.Random(seed)
        self._processes = multiprocessing.get_context("forkserver")
        self._processes.set_forkserver_preload(["benchmarks.deploy_crash_agent"])
        self._template = folder / "template"
        self._ended(make_home, self._template)
        self.trial = Trial()

    def one(self, number: int) -> None:
        scenario = list(SCENARIOS)[number % len(SCENARIOS)]
        before, step, boundaries = SCENARIOS[scenario]
        ways = [*boundaries, *REQUESTS]
        way = ways[number // len(SCENARIOS) % len(ways)]
        home = self._folder / f"home-{number}"
        shutil.copytree(self._template, home, symlinks=True)
        with KillingVercel() as vercel:
            vercel.add_token(TOKEN)
            url = vercel.url
            if before:
                self._ended(work, home, url, before, "")
            request = self._random.randint(1, ASKED.get(scenario, USUALLY_ASKED))
            killed = self._killed(vercel, home, url, step, way, request)
            self.trial.kills[f"{scenario}: {way}" if killed else f"{scenario}: {way}, not reached"] += 1
            self._ended(work, home, url, [step], "")
            self._check(scenario, way, home, vercel)
        shutil.rmtree(home, ignore_errors=True)

    def _killed(
        self, vercel: KillingVercel, home: Path, url: str, step: dict[str, Any], way: str, request: int
    ) -> bool:
        process = self._processes.Process(target=work, args=(home, url, [step], way))
        process.start()
        if way in REQUESTS and process.pid:
            vercel.arm(process.pid, request, way)
        process.join(SECONDS)
        killed = process.exitcode == -signal.SIGKILL
        if process.is_alive():
            process.kill()
            self.trial.note("not ended", f"{way}: the agent hangs")
        vercel.victim = 0
        return killed

    def _ended(self, what: Any, *arguments: Any) -> None:
        process = self._processes.Process(target=what, args=arguments)
        process.start()
        process.join(SECONDS)
        if process.exitcode != 0:
            process.kill()
            raise RuntimeError(f"{what.__name__} ended with {process.exitcode}")

    def _check(self, scenario: str, way: str, home: Path, vercel: KillingVercel) -> None:
        where = f"{scenario}, {way}"
        outcome, release = EXPECTED[scenario]
        memory = json.loads((home / "context.json").read_bytes())
        keys = [key for key in vercel.keys(PROJECT) if key]
        if len(keys) != len(set(keys)):
            self.trial.note("shipped twice", f"{where}: {keys}")
        done = [task for task in memory["tasks"].values() if task["intent"] == SCENARIOS[scenario][1]["intent"]]
        newest = max(done, key=lambda task: task["id"], default=None)
        if newest is None or newest["status"] in {"running", "awaiting_approval"}:
            self.trial.note("not ended", f"{where}: {newest and newest['status']}")
            return
        if newest["status"] == "interrupted":
            self.trial.note("left for a person", f"{where}: {newest['result']}")
            return
        entries = [e["outcome"] for e in memory["deployment_events"] if e["source"] == newest["id"]]
        if entries != [outcome]:
            self.trial.note("forgotten", f"{where}: {entries}, not {[outcome]}; {newest['result']}")
        self._check_visitors(where, memory, vercel, release)

    def _check_visitors(self, where: str, memory: Any, vercel: KillingVercel, release: int) -> None:
        place = memory["places"].get(f"{PROJECT}@vercel", {})
        live = Vercel(TOKEN, base_url=vercel.url).live(PROJECT)
        known = (place.get("live") or {}).get("id")
        if (live.id if live else None) != known:
            self.trial.note("not as visitors see it", f"{where}: {live and live.id} is live, memory says {known}")
        made = [r["id"] for r in place.get("releases", [])]
        expected = made[release - 1] if release and len(made) >= release else None
        if known != expected:
            self.trial.note("not as visitors see it", f"{where}: {known} is live instead of {expected}")


def run_trial(runs: int, seed: int = 1, *, first: int = 0, progress: bool = False) -> Trial:
    folder = Path(tempfile.mkdtemp(prefix="task-agent-deploy-crash-"))
    try:
        done = Runs(folder, seed)
        for number in range(first, first + runs):
            done.one(number)
            if progress and number % 20 == 19:
                sys.stderr.write(f"{number + 1} of {runs}: {dict(done.trial.wrong)}\n")
        return done.trial
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    runs = 25 if options.quick else options.runs
    began = time.monotonic()
    trial = run_trial(runs, options.seed, progress=True)
    seconds = time.monotonic() - began
    table = Table(title=f"{runs} runs in {seconds:.0f} s")
    table.add_column("what")
    table.add_column("count", justify="right")
    for name, count in [*trial.kills.items(), *trial.wrong.items()]:
        table.add_row(name, str(count))
    console = Console()
    console.print(table)
    for note in trial.notes[:20]:
        console.print(note)
    result = {"runs": runs, "seconds": round(seconds), "kills": trial.kills, "wrong": trial.wrong}
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({**result, "notes": trial.notes[:50]}, indent=2) + "\n")
    return 1 if any(trial.wrong.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
