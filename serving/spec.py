"""What a preview is: how an app is run, in which state it is, and what it has printed."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from contracts.errors import InvalidParams
from sandboxes.base import DATA, MIB, FilesIn, Job, Limits, Link

PORT = 8000
SERVER_ERROR = 500
LIMITS = Limits(
    wall=1,
    cpu=10**9,
    memory=512 * MIB,
    processes=256,
    disk=256 * MIB,
    file_size=512 * MIB,
    address_space=False,
)
"""Processor time is bounded by the share of the cores alone: an app may run for months."""


class State(StrEnum):
    STARTING = "starting"
    RUNNING = "running"
    CRASHED = "crashed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewSpec:
    """How the app of a project is run. It finds its port in `PORT` and its folder for data in `DATA_DIR`."""

    project: str
    argv: tuple[str, ...]
    port: int = PORT
    """Where it listens on the loopback of its sandbox."""
    env: Mapping[str, str] = field(default_factory=dict)
    ready: tuple[str, ...] = ("/health", "/")
    """Paths that are asked, in this order, until one answers."""
    ready_below: int = SERVER_ERROR
    """An answer with a status below this one counts."""
    mounts: tuple[Path, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    """Links beside the project's files, such as `node_modules` to a folder of `mounts`."""

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "mounts": [str(path) for path in self.mounts]}


def spec_from(raw: Mapping[str, Any]) -> PreviewSpec:
    """What `as_json` wrote. Raises InvalidParams if it is not that; fields that newer versions added are left out."""
    known = {name: raw[name] for name in PreviewSpec.__slots__ if name in raw}
    try:
        known["argv"] = tuple(known["argv"])
        known["ready"] = tuple(known.get("ready", ("/health", "/")))
        known["mounts"] = tuple(map(Path, known.get("mounts", ())))
        return PreviewSpec(**known)
    except (KeyError, TypeError) as error:
        raise InvalidParams("this is not a description of how an app is run", hint="Start the app again") from error


def app_job(spec: PreviewSpec, files: FilesIn, *, data: Path | None = None, limits: Limits = LIMITS) -> Job:
    """The app as a job for a sandbox."""
    own = {"PORT": str(spec.port), "HOST": "127.0.0.1"}
    return Job(
        argv=spec.argv,
        files=files,
        also={path: Link(target) for path, target in spec.links.items()},
        limits=limits,
        env={**own, **({"DATA_DIR": DATA} if data else {}), **spec.env},
        mounts=spec.mounts,
        data=data,
    )


@dataclass(frozen=True, slots=True)
class Preview:
    """How an app is doing, as people and programs are shown it."""

    project: str
    state: State
    words: str
    port: int
    """Its own on this machine, whatever the port inside."""
    url: str
    link: str
    """The address to open; it carries the key where one is needed."""
    since: str
    restarts: int = 0
    """How often it has been started again by itself since somebody started it."""
    tries_again: bool = False
    """Whether it will be started again by itself, if it has crashed."""
    note: str = ""
    """What else is worth saying, such as that it had to move to another port."""

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "state": self.state.value}


@dataclass(frozen=True, slots=True)
class Patience:
    """How long things may take, in seconds, and how often they may fail."""

    ready: float = 20.0
    first_pause: float = 1.0
    longest_pause: float = 60.0
    healthy: float = 60.0
    """After running for this long, earlier crashes are forgotten."""
    crashes: int = 5
    """After so many in a row it is not started again."""
    look: float = 2.0
    """Between two looks at how much data it keeps; more often while that grows."""

    def pause(self, crashes: int) -> float:
        """Before the next start, after this many crashes in a row."""
        return float(min(self.longest_pause, self.first_pause * 2 ** min(crashes - 1, 30)))
