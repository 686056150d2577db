"""Kills an agent at every boundary of a backup and at random moments, and counts what is lost or there twice.

Usage: python -m benchmarks.uploads [--kills 200] [--quick] [--seed N]
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.table import Table

from cloud_fakes.google_drive import FakeDrive

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).parent / "results" / "uploads.json"
BOUNDARIES = ("learned", "reserved", "folder made", "sending", "stored", "recorded")
WAYS = (*BOUNDARIES, "at random")
TROUBLES: tuple[dict[str, Any], ...] = (
    {"where": "POST /upload", "cut_answer": True},
    {"where": "PATCH /upload", "cut_answer": True},
    {"where": "POST /drive", "cut_answer": True},
    {"where": "PUT /upload", "cut_after": 100_000},
    {"where": "POST /upload", "cut_after": 10},
    {"where": "POST /upload", "status": 500},
    {"where": "GET /drive", "status": 429, "reason": "rateLimitExceeded"},
    {"where": "upload", "slow": 0.1, "times": 3},
)


class Place(Protocol):
    """Where backups go in a trial, and what arrived there."""

    argument: str

    def shake(self, dice: random.Random) -> None: ...

    def contents(self) -> dict[str, bytes]: ...

    def duplicates(self) -> list[str]: ...


class DrivePlace:
    def __init__(self, drive: FakeDrive, folder: Path) -> None:
        self._drive = drive
        key_file = folder / "key.json"
        key_file.write_text(json.dumps(drive.tokens.add_person("ada@example.org", drive.token_uri)))
        top = drive.files.add_folder("Backups", "ada@example.org")
        self.argument = json.dumps({"key_file": str(key_file), "folder": top, "url": drive.url})

    def shake(self, dice: random.Random) -> None:
        """Now and then the line or the server is in trouble too."""
        if dice.random() < 0.4:
            self._drive.trouble(**dice.choice(TROUBLES))

    def contents(self) -> dict[str, bytes]:
        return {file.meta["appProperties"]["ta_path"]: file.content for file in self._drive.files.stored()}

    def duplicates(self) -> list[str]:
        return self._drive.duplicates()


class FolderPlace:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        self.argument = str(folder)

    def shake(self, dice: random.Random) -> None:
        """Nothing goes wrong with a folder but the kills."""

    def contents(self) -> dict[str, bytes]:
        shown = [path for path in self._folder.glob("*/*") if not path.name.startswith(".")]
        return {str(path.relative_to(self._folder)): path.read_bytes() for path in shown}

    def duplicates(self) -> list[str]:
        """None: names are unique in a folder."""
        return []


class Trial:
    """One home that lives through many kills."""

    def __init__(self, home: Path, place: Place, seed: int) -> None:
        self.home = home
        self.place = place
        self.kills: Counter[str] = Counter()
        self.starts = 0
        self.files = 0
        self.lost: list[str] = []
        self.twice: list[str] = []
        self._dice = random.Random(seed)

    def run(self, kills: int) -> "Trial":
        while sum(self.kills.values()) < kills:
            self._one(WAYS[sum(self.kills.values()) % len(WAYS)])
        return self

    def _one(self, way: str) -> None:
        if way == "learned":
            # An outbox whose file was lost has to ask the target what it has.
            (self.home / "outbox" / "outbox.db").unlink(missing_ok=True)
        self.place.shake(self._dice)
        count = 1 if way == "learned" else self._dice.randint(1, 2)
        child = self._start(self._dice.randrange(1, 10**9), *(() if way == "at random" else (way, str(count))))
        if way == "at random":
            time.sleep(self._dice.uniform(0.0, 0.5))
            child.kill()
        if child.wait() == -9:
            self.kills[way] += 1
        self._close(child)
        self.twice += self.place.duplicates()

    def settle(self) -> None:
        """Let it come to rest, and compare what is there with what should be."""
        child = self._start(0)
        _, complaint = child.communicate()
        assert child.returncode == 0, complaint
        there = self.place.contents()
        logs = {f"{path.parent.name}/{path.name}": path.read_bytes() for path in (self.home / "logs").glob("*/*.json")}
        self.lost += [path for path, content in logs.items() if there.get(path) != content]
        agent = (self.home / "outbox" / "agent").read_text().strip()
        memories = sorted(path for path in there if path.endswith(f"context-{agent}.json"))
        if not memories or there[memories[-1]] != (self.home / "context.json").read_bytes():
            self.lost.append("context.json")
        self.twice += self.place.duplicates()
        self.twice += sorted(there.keys() - logs.keys() - set(memories))
        self.files = len(logs)

    def _start(self, seed: int, *kill: str) -> subprocess.Popen[str]:
        self.starts += 1
        child = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.uploads_program", str(self.home), self.place.argument, str(seed), *kill],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert child.stdout and child.stdout.readline() == "ready\n", child.stderr and child.stderr.read()
        return child

    def _close(self, child: subprocess.Popen[str]) -> None:
        for stream in (child.stdout, child.stderr):
            if stream:
                stream.close()


def run_trial(kind: str, kills: int, seed: int) -> Trial:
    root = Path(tempfile.mkdtemp(prefix="task-agent-uploads-"))
    try:
        with FakeDrive() as drive:
            place: Place = DrivePlace(drive, root) if kind == "Google Drive" else FolderPlace(root / "place")
            (root / "home").mkdir()
            trial = Trial(root / "home", place, seed).run(kills)
            trial.settle()
            return trial
    finally:
        shutil.rmtree(root, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--quick", action="store_true", help="20 kills")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kills = 20 if options.quick else options.kills
    results: dict[str, Any] = {"kills": kills, "seed": options.seed, "places": {}}
    table = Table("place", "kills", "starts", "logs", "lost", "there twice", "seconds")
    for kind in ("Google Drive", "folder"):
        began = time.monotonic()
        trial = run_trial(kind, kills, options.seed)
        seconds = round(time.monotonic() - began, 1)
        results["places"][kind] = {
            "ways": dict(trial.kills),
            "starts": trial.starts,
            "logs": trial.files,
            "lost": trial.lost,
            "twice": trial.twice,
            "seconds": seconds,
        }
        table.add_row(
            *(kind, str(sum(trial.kills.values())), str(trial.starts), str(trial.files)),
            *(str(len(trial.lost)), str(len(trial.twice)), str(seconds)),
        )
    Console().print(table)
    RESULTS.write_text(json.dumps(results, indent=2) + "\n")
    return int(any(place["lost"] or place["twice"] for place in results["places"].values()))


if __name__ == "__main__":
    raise SystemExit(main())
