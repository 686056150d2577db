"""Bounds the memory, processes and processor share of all that a job starts, where this machine lets the service.

Groups are kept and used again: one for each run would leave the kernel with thousands of dying ones.
"""

import os
import re
import signal
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sandboxes.base import Limits

PREFIX = "task-agent-"
OWN_PROCESSES = "task-agent-service"
NEEDED = ("memory", "pids")
WANTED = (*NEEDED, "cpu")
PERIOD = 100_000
END_SECONDS, PAUSE = 30.0, 0.01
LAUNCHER_PROCESSES = 2
V1_FILES = {"memory": "memory.limit_in_bytes", "pids": "pids.max", "cpu": "cpu.cfs_quota_us"}
V2_FILES = {"memory": "memory.max", "pids": "pids.max", "cpu": "cpu.max"}
MOUNT = re.compile(
    r"^\S+ \S+ \S+ (?P<root>\S+) (?P<at>\S+) .* - (?P<type>cgroup2?) \S+ (?P<options>\S+)$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Events:
    """How often a group ran into its bounds."""

    out_of_memory: int = 0
    too_many_processes: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where the service may make groups: a folder for each controller (one and the same for version 2)."""

    version: int
    folders: Mapping[str, Path]


def find_places(membership: str, mounts: str) -> list[Place]:
    """The groups of this process, from the text of /proc/self/cgroup and /proc/self/mountinfo; version 2 first."""
    own = {}
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        own.update(dict.fromkeys(controllers.split(","), path))
    first, second = {}, {}
    for mount in MOUNT.finditer(mounts):
        if mount["type"] == "cgroup2":
            second = dict.fromkeys(WANTED, _below(mount, own.get("", "/")))
        for controller in set(mount["options"].split(",")) & set(WANTED):
            first[controller] = _below(mount, own.get(controller, "/"))
    return [Place(version, folders) for version, folders in ((2, second), (1, first)) if set(NEEDED) <= set(folders)]


def _below(mount: re.Match[str], path: str) -> Path:
    relative = os.path.relpath(path, mount["root"])
    return Path(mount["at"]) if relative.startswith("..") else Path(mount["at"]) / relative


class Group:
    """One group, for one job at a time."""

    def __init__(self, version: int, folders: Mapping[str, Path]) -> None:
        self._version = version
        self._folders = folders
        self._now: Limits | None = None
        self._before = Events()
        for folder in set(folders.values()):
            folder.mkdir()

    def limit(self, limits: Limits) -> None:
        """Memory includes the disk: the working folder of a job is in memory."""
        self._before = self._events()
        if limits == self._now:
            return
        files = V1_FILES if self._version == 1 else V2_FILES
        quota = str(int(limits.cores * PERIOD))
        values = {
            "memory": str(limits.memory + limits.disk),
            "pids": str(limits.processes + LAUNCHER_PROCESSES),
            "cpu": quota if self._version == 1 else f"{quota} {PERIOD}",
        }
        if self._version == 1:
            self._bound_swap("-1")  # it may never be below the bound on memory
        for controller, folder in self._folders.items():
            _write(folder / files[controller], values[controller])
        self._bound_swap(values["memory"] if self._version == 1 else "0")
        self._now = limits

    def _bound_swap(self, value: str) -> None:
        name = "memory.memsw.limit_in_bytes" if self._version == 1 else "memory.swap.max"
        with suppress(OSError):  # kernels without accounting of swap have no such file
            _write(self._folders["memory"] / name, value)

    def add(self, pid: int) -> None:
        for folder in set(self._folders.values()):
            _write(folder / "cgroup.procs", str(pid))

    def events(self) -> Events:
        """What happened since the limits were set for the present job."""
        now = self._events()
        return Events(
            now.out_of_memory - self._before.out_of_memory, now.too_many_processes - self._before.too_many_processes
        )

    def _events(self) -> Events:
        memory = "memory.oom_control" if self._version == 1 else "memory.events"
        return Events(
            _counter(self._folders["memory"] / memory, "oom_kill"),
            _counter(self._folders["pids"] / "pids.events", "max"),
        )

    def pids(self) -> set[int]:
        """The processes that are in it."""
        try:
            return {int(pid) for pid in (self._folders["pids"] / "cgroup.procs").read_text().split()}
        except OSError:  # it is gone, or goes while it is read
            return set()

    def kill(self) -> None:
        """End every process in it; it holds none when this returns, unless the kernel keeps one."""
        deadline = time.monotonic() + END_SECONDS
        while (inside := self.pids()) and time.monotonic() < deadline:
            for pid in inside:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(PAUSE)

    def remove(self) -> None:
        _remove(self._folders.values())


class Cgroups:
    """The service's own corner of the machine's groups."""

    def __init__(self, place: Place) -> None:
        name = f"{PREFIX}{os.getpid()}-{os.urandom(3).hex()}"
        self.version = place.version
        self._lock = threading.Lock()
        self._free: list[Group] = []
        self._made: list[Group] = []
        self._folders = {controller: folder / name for controller, folder in place.folders.items()}
        for folder in set(place.folders.values()):
            _sweep(folder)
        for folder in set(self._folders.values()):
            folder.mkdir()
        if self.version == 2:
            folder = self._folders["memory"]
            _write(folder / "cgroup.subtree_control", " ".join(f"+{name}" for name in self._folders))

    @property
    def folders(self) -> set[Path]:
        return set(self._folders.values())

    def acquire(self) -> Group:
        with self._lock:
            if self._free:
                return self._free.pop()
            number = str(len(self._made))
            group = Group(self.version, {name: folder / number for name, folder in self._folders.items()})
            self._made.append(group)
            return group

    def release(self, group: Group) -> None:
        """Take a group back, to be used again. Whatever is still in it is ended."""
        group.kill()
        with self._lock:
            self._free.append(group)

    def close(self) -> None:
        with self._lock:
            for group in self._made:
                group.kill()
                group.remove()
            self._made.clear()
            self._free.clear()
        _remove(self._folders.values())


def open_cgroups(places: Iterable[Place] | None = None) -> Cgroups | None:
    """The first place where groups with the needed bounds can be made, or None."""
    if places is None:
        try:
            places = find_places(Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text())
        except OSError:
            return None
    for place in places:
        try:
            return _try(place if place.version == 1 else _delegated(place))
        except OSError:
            continue
    return None


def _try(place: Place) -> Cgroups:
    """Raises OSError unless a group can be made there and takes its bounds."""
    groups = Cgroups(place)
    try:
        group = groups.acquire()
        group.limit(Limits())
        groups.release(group)
    except OSError:
        groups.close()
        raise
    return groups


def _delegated(place: Place) -> Place:
    """A folder of version 2 whose children have the controllers: as root the top one, else our own once we left it."""
    own = place.folders["memory"]
    top = next(folder for folder in (own, *own.parents) if not (folder.parent / "cgroup.controllers").exists())
    for folder in (top, own):
        controllers = [name for name in WANTED if name in (folder / "cgroup.controllers").read_text().split()]
        if not set(NEEDED) <= set(controllers) or not os.access(folder, os.W_OK):
            continue
        with suppress(OSError):
            _enable(folder, controllers)
            return Place(2, dict.fromkeys(controllers, folder))
    raise PermissionError


def _enable(folder: Path, controllers: list[str]) -> None:
    """A group that hands out controllers may hold no process; ours are moved below it if it holds only ours."""
    switch = folder / "cgroup.subtree_control"
    if set(controllers) <= set(switch.read_text().split()):
        return
    wanted = " ".join(f"+{name}" for name in controllers)
    try:
        _write(switch, wanted)
    except OSError:
        inside = {int(pid) for pid in (folder / "cgroup.procs").read_text().split()}
        if not inside <= _family():
            raise
        home = folder / OWN_PROCESSES
        home.mkdir(exist_ok=True)
        for pid in inside:
            _write(home / "cgroup.procs", str(pid))
        _write(switch, wanted)


def _family() -> set[int]:
    """This process and everything that it started."""
    family, waiting = set(), [os.getpid()]
    while waiting:
        pid = waiting.pop()
        family.add(pid)
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(OSError):
                waiting += map(int, children.read_text().split())
    return family


def _sweep(folder: Path) -> None:
    """Remove what services that are gone have left."""
    for left in folder.glob(f"{PREFIX}[0-9]*"):
        owner = left.name.removeprefix(PREFIX).split("-")[0]
        if not Path(f"/proc/{owner}").exists():
            with suppress(FileNotFoundError):  # another service removes it at the same moment
                _remove([*(child for child in left.iterdir() if child.is_dir()), left])


def _remove(folders: Iterable[Path]) -> None:
    for folder in dict.fromkeys(folders):
        with suppress(OSError):
            folder.rmdir()


def _write(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)


def _counter(path: Path, name: str) -> int:
    with suppress(OSError):
        for line in path.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == name:
                return int(value)
    return 0
