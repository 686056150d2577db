"""What a job could leave behind on this machine, as a picture that can be compared."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path

from sandboxes.cgroups import find_places
from sandboxes.uids import LOCKS

PODMAN = ("/var/lib/containers", "/run/containers", "/run/netns", "/run/crun", "/run/runc", "/run/libpod")


@dataclass(frozen=True)
class Traces:
    processes: frozenset[str]
    threads: int
    handles: int
    mounts: int
    files: frozenset[str]


def take(root: Path) -> Traces:
    return Traces(
        frozenset(job_processes()),
        len(list(Path("/proc/self/task").iterdir())),
        len(list(Path("/proc/self/fd").iterdir())),
        len(mounts()),
        frozenset(str(path) for path in root.iterdir()),
    )


def mounts() -> list[str]:
    """Where something is mounted, but for what podman mounts for the containers of other tests at the same time."""
    points = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    return [point for point in points if not point.startswith(PODMAN)]


def own_users() -> set[int]:
    """The users that only jobs of this process have."""
    users = set()
    for handle in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            target = handle.readlink()
            if target.parent == LOCKS:
                users.add(int(target.name))
    return users


def job_processes() -> list[str]:
    """What runs below this process or as one of its jobs' users, by number."""
    found, users = [], own_users()
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "status").read_text()
            except OSError:
                continue
            values = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
            if not values["State"].startswith("Z"):
                parents[int(entry.name)] = (int(values["PPid"]), int(values["Uid"].split()[0]))
    for pid, (_, uid) in parents.items():
        if uid in users or is_below(pid, os.getpid(), parents):
            found.append(str(pid))
    return found


def is_below(pid: int, ancestor: int, parents: dict[int, tuple[int, int]]) -> bool:
    while pid in parents:
        pid = parents[pid][0]
        if pid == ancestor:
            return True
    return False


def groups() -> set[str]:
    """This machine's cgroups that the product has made."""
    places = find_places(Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text())
    folders = {folder for place in places for folder in place.folders.values() if folder.is_dir()}
    return {str(path) for folder in folders for path in folder.glob(f"task-agent-{os.getpid()}-*")}


def settled(seen: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether something comes true; the kernel may take a moment."""
    deadline = time.monotonic() + seconds
    while not seen():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def left_behind(before: Traces, root: Path) -> dict[str, object]:
    """What is there for good and was not before; the system and threads that were told to end may take a moment."""
    settled(lambda: not differences(before, take(root)))
    return differences(before, take(root))


def differences(before: Traces, after: Traces) -> dict[str, object]:
    """What is there now and was not before. Something of an earlier test that has ended meanwhile is no trace."""
    pairs = {field.name: (getattr(before, field.name), getattr(after, field.name)) for field in fields(Traces)}
    return {name: (old, new) for name, (old, new) in pairs.items() if not new <= old}
