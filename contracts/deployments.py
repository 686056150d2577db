"""What is sent to a host, what it costs, and what became of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ReleaseState(StrEnum):
    BUILDING = "building"
    LIVE = "live"
    FAILED = "failed"
    REPLACED = "replaced"
    """It was live once, and another one took its place."""
    GONE = "gone"
    """It was taken offline."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """The files of one project at one commit, and nothing else of this machine."""

    project: str
    commit: str
    files: Mapping[str, bytes]
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables that the app needs there."""
    repository: str = ""
    """Where the same commit can be cloned from, for hosts that take no files."""
    image: str = ""
    """A container image that holds the app, for hosts that run those."""
    framework: str = ""
    """`flask`, `static` or `node`."""

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))


@dataclass(frozen=True, slots=True)
class Quote:
    """What a deployment means for the owner, before it happens."""

    free: bool
    price: str
    """In words, such as `free tier, no cost expected`."""
    standing: str
    """How much of the free tier is used, in words, as far as it is known; empty if it is not."""
    public: str
    """What becomes public, and where."""
    card_needed: bool = False
    """Whether the host wants a payment method, so that it is never chosen unasked."""
    warnings: tuple[str, ...] = ()
    """What will not be there as it is here, each a sentence, such as data that does not last."""


@dataclass(frozen=True, slots=True)
class Release:
    """One deployment as its host knows it."""

    provider: str
    id: str
    place: str
    """The host's own id of the project or service that it belongs to."""
    url: str
    state: ReleaseState
    commit: str = ""
    key: str = ""
    """By which it is found again after a crash; the same key is never shipped twice."""
    created: str = ""
    words: str = ""
    """How it stands, for a person; the reason if it failed."""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """One project, site or service that a host has for this account."""

    provider: str
    id: str
    name: str
    url: str = ""
    """Where visitors find it; empty if nothing is live."""
    ours: bool = False
    """Whether it was made by this agent, which never writes over another."""


@dataclass(frozen=True, slots=True)
class Account:
    """Whose credential it is, as the host says."""

    who: str
    team: str = ""


Say = Callable[[str], None]
"""Given a line for people whenever there is something new: what is being done, or a line of the build log."""
Tick = Callable[[], None]
"""Called often while waiting; what it raises stops the wait and is passed on."""
