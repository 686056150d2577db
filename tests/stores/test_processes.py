"""Several processes on one home, killed and starved: nothing that was acknowledged is lost."""

import os
import random
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from stores import snapshot
from tests.stores.tally import fold, remembered, state_of, store

ROOT = Path(__file__).resolve().parent.parent.parent


def start(*arguments: object) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)


def writer(home: Path, name: str, threads: int, updates: int) -> subprocess.Popen[bytes]:
    return start("-m", "tests.stores.tally", home, name, threads, updates)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Path]:
    """A home whose context.json must be valid, and never go back, at every moment of the test."""
    done, seen = threading.Event(), [0]

    def watch() -> None:
        while not done.wait(0.002):
            if (tmp_path / "context.json").exists():
                found = snapshot.parse((tmp_path / "context.json").read_bytes())
                assert found.ours
                assert found.place
                seen.append(found.place.seq)

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield tmp_path
    done.set()
    watcher.join()
    assert seen == sorted(seen)


def test_processes_and_threads_lose_nothing(watched: Path) -> None:
    writers = [writer(watched, name, threads=4, updates=40) for name in "abc"]
    said = [one.communicate()[0].decode().split() for one in writers]
    assert [one.returncode for one in writers] == [0, 0, 0]
    with closing(store(watched)) as memory:
        events = memory.events(limit=10_000)
        assert [event.seq for event in events] == list(range(1, 3 * 4 * 40 * 6 // 5 + 1))
        assert {event.task_id for event in events} == {name for names in said for name in names}
        firsts = [event for event in events if event.type == "counted"]
        assert all(event.data["before"] == event.seq - 1 for event in firsts)
        assert state_of(memory) == fold(events)
        assert memory.notices() == []


def test_killed_writers_lose_nothing_that_was_acknowledged(watched: Path) -> None:
    chance = random.Random(7)
    acknowledged: list[str] = []
    for number in range(7):
        writers = [writer(watched, f"{number}{name}", threads=2, updates=100_000) for name in "abc"]
        for one in writers:
            assert one.stdout
            acknowledged += [one.stdout.readline().decode().strip() for _ in range(chance.randrange(1, 40))]
            one.send_signal(signal.SIGKILL)
            acknowledged += one.communicate()[0].decode().split()
        assert remembered(watched)["journal"]
    with closing(store(watched)) as memory:
        events = memory.events(limit=1_000_000)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert {*acknowledged} <= {event.task_id for event in events}
        assert state_of(memory) == fold(events)
        pairs = {event.task_id for event in events if event.type == "pair"}
        counted = {str(event.task_id) for event in events if event.type == "counted"}
        assert pairs == {name for name in counted if name[-1] in "05"}
        assert memory.notices() == []
    assert not list(watched.glob("*.tmp"))


STARVED = """
import resource, sys
from pathlib import Path
from contracts.errors import Unavailable
from tests.stores.tally import emit, fold, state_of, store

home, limit = Path(sys.argv[1]), int(sys.argv[2])
memory = store(home, snapshot_delay=60)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
refused = 0
for number in range(60):
    try:
        emit(memory, "note", "more", key=number)
    except Unavailable as error:
        refused += 1
        assert "nothing was changed" in error.message, error.message
        assert error.hint and error.retryable
        assert all(path.read_bytes()[-1:] in {b"", b"\\n"} for path in (home / "journal").iterdir())
    assert state_of(memory) == fold(memory.events())
    assert state_of(memory).total == memory.last_seq() == 2 * (number + 1 - refused)
    if refused == 3:
        try:
            memory.flush()
        except Unavailable as error:
            assert "context.json" in error.message
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert refused == 3
memory.close()
"""


@pytest.mark.parametrize("limit", [0, 100, 1001])
def test_a_full_disk_refuses_cleanly_and_works_again_when_there_is_room(tmp_path: Path, limit: int) -> None:
    starved = start("-c", STARVED, tmp_path, limit)
    starved.communicate()
    assert starved.returncode == 0
    with closing(store(tmp_path)) as memory:
        assert len(memory.events()) == 2 * 57
        assert state_of(memory) == fold(memory.events())
        assert memory.notices() == []
    assert not list(tmp_path.rglob("*.tmp"))
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
