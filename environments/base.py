"""Words shared by all that installs packages: what is wanted, what was fetched, and what a run is given."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from contracts.files import Draft
from sandboxes.base import MIB, Job, JobResult, Link, OnOutput, Tick

Ecosystem = Literal["python", "node"]
Progress = Callable[[str], None]
"""Given a sentence for people whenever there is something new to say."""


class Runs(Protocol):
    """As much of a sandbox as installing needs."""

    def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much may be fetched and installed for one project, for each of its languages. Sizes are in bytes."""

    download: int = 300 * MIB
    installed: int = 600 * MIB
    files: int = 100_000
    seconds: float = 600.0
    """For fetching, and again for installing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A package that a project names in one of its files."""

    ecosystem: Ecosystem
    name: str
    spec: str
    """Which versions will do, such as `>=3,<4`; empty if any will."""
    where: str
    """The file and, where it has lines, the line."""
    listed: bool
    """Whether it is on the owner's list of known packages."""
    looks_like: str = ""
    """A known package whose name is so near that this one may be a slip or a trap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a project wants of one language. Two projects whose parts have the same key share an environment."""

    ecosystem: Ecosystem
    key: str
    wanted: tuple[Wanted, ...]
    given: Mapping[str, str]
    """The files that the package manager is given, by name: made from the project's, never the project's own."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """Everything that a project names, read from its files alone; nothing has been fetched."""

    parts: tuple[Part, ...]

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        return tuple(wanted for part in self.parts for wanted in part.wanted)

    @property
    def unlisted(self) -> tuple[Wanted, ...]:
        return tuple(wanted for wanted in self.wanted if not wanted.listed)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(note for part in self.parts for note in part.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One package as it was fetched: what a person is shown before it is installed."""

    ecosystem: Ecosystem
    name: str
    version: str
    size: int
    """Bytes on the disk once installed."""
    licence: str
    digest: str
    """Of the file that was fetched, with the kind of digest before it."""
    listed: bool
    known: bool
    """On the list, or needed by a package that is."""
    required_by: tuple[str, ...] = ()
    """Empty for those that the project itself names."""
    source: bool = False
    """Built here from source, which ran its code in the sandbox."""
    notes: tuple[str, ...] = ()
    file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePackage:
    """A package that is published for this Python only as source: building it runs its code."""

    name: str
    version: str
    required_by: str
    """The requirement as it was asked for."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The files of one part, on the disk of the service, and what they are."""

    part: Part
    folder: Path
    packages: tuple[Package, ...]


@dataclass(frozen=True, slots=True)
class Downloaded:
    """What would be installed, package by package. With `sources` it is unfinished: the owner has to allow them."""

    plan: InstallPlan
    parts: tuple[Fetched, ...]
    sources: tuple[SourcePackage, ...] = ()

    @property
    def packages(self) -> tuple[Package, ...]:
        return tuple(package for part in self.parts for package in part.packages)

    @property
    def unknown(self) -> tuple[Package, ...]:
        """Those that nobody has vouched for: neither listed nor needed by one that is."""
        return tuple(package for package in self.packages if not package.known)

    @property
    def size(self) -> int:
        return sum(package.size for package in self.packages)

    @property
    def digest(self) -> str:
        """Changes with any byte of any package: what was approved is what is installed."""
        return digest_of(f"{p.ecosystem} {p.name} {p.version} {p.digest}" for p in self.packages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What a run in the sandbox is given so that it finds the project's packages."""

    keys: tuple[str, ...]
    """To be kept from pruning while something runs on them."""
    mounts: tuple[Path, ...]
    env: Mapping[str, str]
    python: tuple[str, ...]
    """The beginning of a command that starts Python with the project's packages and no others."""
    pytest: tuple[str, ...]
    """The same for pytest: the project's own, else the agent's."""
    links: Mapping[str, Link] = field(default_factory=dict)
    """Put into the working folder, so that Node finds what is mounted elsewhere; none if something stands there."""
    empty: bool = False
    """Whether the project asks for no packages at all."""


@dataclass(frozen=True, slots=True)
class Pruned:
    environments: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class Doing:
    """How a long step stays in touch: `say` tells people, `tick` raises when it shall stop."""

    say: Progress = field(default=lambda _words: None)
    tick: Tick = field(default=lambda: None)


class Packages(Protocol):
    """One language's way from a project's files to a folder that holds its packages."""

    def plan(self, files: Draft) -> Part | None:
        """What the project wants; None if it has nothing to do with this language.

        Raises BadInput that names every line which cannot be used.
        """

    def download(self, part: Part, doing: Doing, *, allow_source: bool) -> Fetched | SourcePackage:
        """Fetch everything without running any of it; a source package is returned instead if one is in the way.

        Raises NotFound, Conflict, TooLarge, Unavailable or Failed, each in plain words with the remedy.
        """

    def build(self, fetched: Fetched, doing: Doing) -> Path:
        """Install it in the sandbox, or find it installed."""


def digest_of(pieces: Iterable[str]) -> str:
    """One name for several texts, in their order."""
    whole = hashlib.sha256()
    for piece in pieces:
        data = piece.encode("utf-8", "surrogateescape")
        whole.update(len(data).to_bytes(8) + data)
    return whole.hexdigest()[:32]
