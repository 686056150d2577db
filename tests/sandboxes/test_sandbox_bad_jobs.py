"""Bad jobs end in bounded time with a clear result, and leave no process, file, mount or open handle behind."""

from dataclasses import replace
from pathlib import Path

import pytest

from sandboxes.base import MIB, Job, Limits, StoppedBy
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.landlock import Landlock
from tests.sandboxes.traces import left_behind, take

HOSTILE: dict[str, tuple[str, set[StoppedBy | None]]] = {
    "an endless loop": ("while True: pass", {StoppedBy.WALL}),
    "a fork bomb": ("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", {StoppedBy.WALL}),
    "a memory flood": ("a = []\nwhile True: a.append(b'x' * 10_000_000)", {StoppedBy.MEMORY}),
    "a flood of one file": ("f = open('a', 'wb')\nwhile True: f.write(b'x' * 1_000_000)", {StoppedBy.DISK}),
    "a flood of files": (
        "import itertools\nfor n in itertools.count(): open(str(n), 'wb').write(b'x' * 4_000_000)",
        {StoppedBy.DISK},
    ),
    "a flood of output": ("import os\nwhile True: os.write(1, b'x' * 1_000_000)", {StoppedBy.OUTPUT}),
    "a flood of errors": ("import os\nwhile True: os.write(2, b'x' * 1_000_000)", {StoppedBy.OUTPUT}),
    "all processor time": ("while True: pass", {StoppedBy.CPU}),
    "no folder": ("import shutil, os\nshutil.rmtree('/work', ignore_errors=True)\nprint(os.listdir('/work'))", {None}),
    "a daemon": ("import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(60)", {None}),
    "killing its parent": ("import os, time\nos.kill(os.getppid(), 9)", {None, StoppedBy.KILLED}),
    "killing all": ("import os, time\nos.kill(-1, 9)", {None, StoppedBy.KILLED}),
    "killing itself": ("import os, time\nos.kill(os.getpid(), 9)", {StoppedBy.KILLED}),
    "stopping itself": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", {StoppedBy.WALL}),
    "a crash": ("import ctypes\nctypes.string_at(0)", {None}),
    "closing everything": ("import os, time\nos.closerange(0, 1000)\ntime.sleep(60)", {StoppedBy.WALL}),
    "a forged report": (
        "import os\nfor n in range(3, 99):\n    try: os.write(n, b'nonsense' * 99)\n    except OSError: pass",
        {StoppedBy.KILLED, None},
    ),
    "ignoring signals": (
        "import signal, time\nfor n in {1, 2, 3, 14, 15, 24}: signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)",
        {StoppedBy.WALL},
    ),
    "deep folders": ("import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')", {None}),
    "too many threads": (
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        {StoppedBy.PROCESSES, None},
    ),
}


def limits_for(name: str) -> Limits:
    """Little time where that is what stops a job; otherwise enough for a busy machine."""
    in_time = HOSTILE[name][1] == {StoppedBy.WALL}
    return Limits(wall=0.5 if in_time else 60.0, cpu=1 if "time" in name else 60)


@pytest.mark.parametrize("collect", [False, True], ids=["snippet", "with files back"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_bad_job_ends_clearly_and_leaves_nothing(
    name: str, collect: bool, bubblewrap: Bubblewrap, root: Path
) -> None:
    code, expected = HOSTILE[name]
    before = take(root)
    result = bubblewrap.run(Job(code=code, changes=collect, limits=limits_for(name)))
    assert result.stopped_by in expected, result
    assert result.words
    assert len(result.stdout.text) + len(result.stderr.text) < 200_000
    assert not left_behind(before, root)


@pytest.mark.parametrize("name", ["a daemon", "a flood of files", "a fork bomb", "killing itself", "deep folders"])
def test_a_bad_job_in_landlock_ends_clearly_and_leaves_nothing(name: str, landlock: Landlock, root: Path) -> None:
    code, expected = HOSTILE[name]
    before = take(root)
    result = landlock.run(Job(code=code, changes=True, limits=replace(limits_for(name), disk=32 * MIB)))
    assert result.stopped_by in expected | {StoppedBy.DISK}, result
    assert not left_behind(before, root)


def test_binary_output_is_shown_as_text(bubblewrap: Bubblewrap) -> None:
    result = bubblewrap.run(Job(code="import os; os.write(1, bytes(range(256)))"))
    assert result.ok and result.stdout.size == 256
    assert "\\xff" in result.stdout.text and "ABC" in result.stdout.text


def test_too_much_memory_in_all_is_named_where_there_is_a_cgroup(bubblewrap: Bubblewrap) -> None:
    if bubblewrap.available().details["cgroup"] == "none":
        pytest.skip("cgroup: this machine gives the service none")
    code = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        held = b"x" * 80_000_000
        time.sleep(60)
        os._exit(0)
while not os.wait()[1]:
    pass
raise SystemExit(1)
"""
    limits = Limits(wall=60, memory=128 * MIB, disk=64 * MIB, address_space=False)
    result = bubblewrap.run(Job(code=code, limits=limits))
    assert result.stopped_by is StoppedBy.MEMORY, result


def test_too_many_processes_are_named_where_there_is_a_cgroup(bubblewrap: Bubblewrap) -> None:
    if bubblewrap.available().details["cgroup"] == "none":
        pytest.skip("cgroup: this machine gives the service none")
    code = "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(60)"
    result = bubblewrap.run(Job(code=code, limits=Limits(wall=60, processes=10)))
    assert result.stopped_by is StoppedBy.PROCESSES, result
