"""The contract of a sandbox: a job goes in with its files and limits, and a result comes out in bounded time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol

from contracts.errors import InvalidParams
from contracts.files import Draft

MIB = 1024 * 1024
DATA = "/data"
"""Where a job sees the folder that it may keep things in."""


class Level(StrEnum):
    """How strong the boundary is. Anything but full is said wherever a person sees it."""

    FULL = "full"
    REDUCED = "reduced"


class StoppedBy(StrEnum):
    """The limit that ended a job, or that it ran into."""

    WALL = "wall"
    CPU = "cpu"
    MEMORY = "memory"
    PROCESSES = "processes"
    DISK = "disk"
    OUTPUT = "output"
    KILLED = "killed"


STOP_WORDS = {
    StoppedBy.WALL: "it was stopped because its time was up",
    StoppedBy.CPU: "it was stopped because it used up its processor time",
    StoppedBy.MEMORY: "it needed more memory than it may have",
    StoppedBy.PROCESSES: "it started more processes than it may have",
    StoppedBy.DISK: "it wrote more to the disk than it may",
    StoppedBy.OUTPUT: "it was stopped because it printed too much",
    StoppedBy.KILLED: "it was killed before it could end by itself",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a job may use. Sizes are in bytes, times in seconds."""

    wall: float = 30.0
    cpu: int = 30
    """Processor time of any one process."""
    memory: int = 512 * MIB
    """Of all its processes together where the sandbox has a cgroup, else of each of them."""
    processes: int = 64
    """Threads count too."""
    file_size: int = 64 * MIB
    """Of any one file."""
    disk: int = 256 * MIB
    """Of all that it keeps in its working folder."""
    output: int = 8 * MIB
    """What it may print before it is stopped."""
    shown: int = 64 * 1024
    """What is kept of each of its two outputs: the beginning and the end."""
    files_out: int = 64 * MIB
    """Of all files that are brought back."""
    files_out_count: int = 10_000
    cores: float = 1.0
    """Share of the processors, where the sandbox has a cgroup."""
    address_space: bool = True
    """Whether `memory` also bounds the address space of each process; Node reserves far more than it uses."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) <= 0 and name != "address_space":
                raise ValueError(f"limit `{name}` must be above zero")


@dataclass(frozen=True, slots=True)
class File:
    """The bytes of a regular file and its permission bits."""

    data: bytes
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder on this machine to be copied in. Links are copied as links; sockets, pipes and devices are not."""

    root: Path
    exclude: frozenset[str] = frozenset({".git"})
    """Names that are left out wherever they stand."""


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link in the working folder, such as one to a folder that is mounted."""

    target: str


FilesIn = Mapping[str, bytes | File] | Tree | Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One thing to run. There is never a network, and no variable of the service's environment is seen."""

    argv: tuple[str, ...] = ()
    code: str | None = None
    """A Python snippet, run instead of a command."""
    files: FilesIn = field(default_factory=dict)
    also: Mapping[str, bytes | Link] = field(default_factory=dict)
    """Put beside `files`, and not looked at again when changes are brought back."""
    limits: Limits = field(default_factory=Limits)
    env: Mapping[str, str] = field(default_factory=dict)
    mounts: tuple[Path, ...] = ()
    """Folders of this machine that are seen inside at the same path and can only be read."""
    data: Path | None = None
    """A folder that is seen inside as `/data`, can be written to and outlives the job, which runs as its owner."""
    collect: tuple[str, ...] = ()
    """Files and folders below the working folder to bring back; `.` is all of it."""
    changes: bool = False
    """Bring back only what differs from the files that went in, and say which of those are gone."""
    stdin: bytes = b""

    def __post_init__(self) -> None:
        if bool(self.argv) == (self.code is not None):
            raise ValueError("a job is either a command or a snippet")
        if any("\0" in text for text in (*self.argv, *self.env, *self.env.values())):
            raise InvalidParams("a command and its environment cannot contain a zero character")


@dataclass(frozen=True, slots=True)
class Captured:
    """What was printed, as text: its beginning and end, and how many bytes between them were cut."""

    text: str = ""
    size: int = 0
    cut: int = 0

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Usage:
    wall: float = 0.0
    cpu: float = 0.0
    max_rss: int = 0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A path that was asked for and not brought back, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """How a job ended. The exit code, usage and files are what its side reports: data, never proof."""

    exit_code: int
    """128 plus the number of the signal where a signal ended it."""
    stdout: Captured
    stderr: Captured
    usage: Usage
    stopped_by: StoppedBy | None = None
    files: Mapping[str, File] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    sandbox: str = ""
    level: Level = Level.FULL

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and self.stopped_by is None

    @property
    def changes(self) -> dict[str, File | None]:
        """What to make of each path that changed; None is to be removed."""
        return {**self.files, **dict.fromkeys(self.removed)}

    @property
    def words(self) -> str:
        """How it ended, for a person."""
        if self.stopped_by:
            return STOP_WORDS[self.stopped_by]
        return "it ended well" if self.exit_code == 0 else f"it ended with exit code {self.exit_code}"


Stream = Literal["stdout", "stderr"]
OnOutput = Callable[[Stream, bytes], None]
"""Given each piece of output as it comes, from the thread that runs the job."""
Tick = Callable[[], None]
"""Called a few times a second while a job runs; what it raises stops the job and is passed on."""


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a sandbox can be used here, in words, and what to do if not."""

    ok: bool
    words: str
    remedy: str = ""
    details: Mapping[str, str] = field(default_factory=dict)


class Service(Protocol):
    """A program that goes on running in a sandbox and answers on a socket."""

    @property
    def socket_path(self) -> Path:
        """A unix socket, for this service alone, whose connections reach the program's port."""

    @property
    def alive(self) -> bool: ...

    def logs(self) -> str:
        """The latest output, oldest first."""

    def wait(self, timeout: float | None = None) -> JobResult | None:
        """How it ended, or None if it still runs when the time is up."""

    def stop(self) -> JobResult:
        """End it, with everything that it started; nothing of it is left when this returns."""


class Sandbox(Protocol):
    """One way to run untrusted code. Threads may share it."""

    @property
    def name(self) -> str: ...

    @property
    def level(self) -> Level: ...

    def available(self) -> Availability:
        """Whether it works here. Looks anew at each call."""

    def unclaimed(self) -> Mapping[str, str]:
        """Probes that it does not promise to stop on this machine, by name, each with the reason in words."""

    def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult:
        """Run a job to its end. Nothing of it is left when this returns or raises.

        Raises BadInput or TooLarge if the job itself cannot be set up, and Unavailable if the sandbox cannot start.
        """

    def start(self, job: Job, port: int, *, on_output: OnOutput | None = None) -> Service:
        """Start a program that will listen on this port of its own loopback. Its wall limit is not applied.

        Raises as `run` does, and Unavailable if this sandbox cannot give a program a network of its own.
        """

    def close(self) -> None:
        """End everything that it runs and keeps ready. It cannot be used afterwards."""
