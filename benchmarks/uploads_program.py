"""An agent that writes logs and has them backed up, and that kills itself at a chosen boundary if told to.

Usage: python -m benchmarks.uploads_program HOME PLACE SEED [BOUNDARY COUNT]

PLACE is the JSON of what `DriveChoice` takes, or the path of a folder.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from drive_uploader import Choice, DriveChoice, DriveUploader, FolderChoice, Patience

PATIENCE = Patience(settle=0.02, first_pause=0.02, longest_pause=0.2, memory_every=0.05)
SECONDS = 60.0


class Killer:
    """Kills this process, as hard as can be, when a boundary is reached for the nth time; without one, never."""

    def __init__(self, boundary: str = "", count: int = 1) -> None:
        self._boundary = boundary
        self._left = count

    def __call__(self, name: str) -> None:
        if name == self._boundary:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def chosen(place: str) -> Choice:
    if place.startswith("{"):
        told = json.loads(place)
        return DriveChoice(Path(told["key_file"]), told["folder"], url=told["url"])
    return FolderChoice(Path(place))


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text)
    return beside.replace(path)


def work(home: Path, dice: random.Random, uploader: DriveUploader) -> None:
    """New logs, changed logs, and now and then a large one."""
    for number in range(3):
        day = f"2026-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
        known = sorted((home / "logs").glob("*/*.json"))
        fresh = home / "logs" / day / f"{dice.randrange(240000):06}-t{dice.randrange(10**9)}.json"
        path = dice.choice(known) if known and number == 2 else fresh
        size = 5 * 2**20 if dice.random() < 0.07 else 200
        uploader.changed(write(path, json.dumps({"dice": dice.random(), "text": "x" * size})))
        write(home / "context.json", json.dumps({"dice": dice.random()}))
        time.sleep(0.01)


def main(home: Path, place: str, seed: int, killer: Killer) -> int:
    uploader = DriveUploader(home, chosen(place), patience=PATIENCE, boundary=killer)
    uploader.start()
    print("ready", flush=True)
    if seed:
        work(home, random.Random(seed), uploader)
    end = time.monotonic() + SECONDS
    # What is due after a while, as the memory is, has its time too.
    while time.monotonic() < end:
        time.sleep(0.1)
        if uploader.status()["pending"] == 0 and not uploader.status()["last_error"]:
            uploader.close()
            return 0
    print(json.dumps(uploader.status()), file=sys.stderr)
    return 1


if __name__ == "__main__":
    folder, where, dice_seed, *kill = sys.argv[1:]
    raise SystemExit(main(Path(folder), where, int(dice_seed), Killer(kill[0], int(kill[1])) if kill else Killer()))
