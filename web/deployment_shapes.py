"""What answers about deployments are made of. Only described; they may say more."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from web.task_shapes import Time

Outcome = Literal["live", "wrong", "unchecked", "guarded", "failed", "refused", "unknown", "brought back", "taken down"]


class Release(TypedDict):
    """One version of an app as visitors saw it."""

    id: Annotated[str, Field(description="The host's own.")]
    url: str
    commit: str
    key: str
    place: str
    verified: Annotated[bool, Field(description="Whether its checks held at its address.")]
    env: NotRequired[Annotated[dict[str, str], Field(description="Variables as asked for; empty ones are secrets.")]]
    at: NotRequired[Time]
    task: NotRequired[str | None]


class Deployment(TypedDict, total=False):
    """Something that was put online, brought back or taken down. Entries of older versions say less."""

    id: str
    timestamp: Time
    project: str
    provider: str
    name: str
    url: str
    freeTier: bool
    seconds: float
    success: bool
    outcome: Outcome
    previous: Annotated[str | None, Field(description="What visitors saw until then.")]
    source: Annotated[str, Field(description="The task that did it.")]
    note: str
    size: int
    files: int
    commit: str
    release: str
    key: str
    live: Release | None


class Place(TypedDict):
    """One project on one host."""

    project: str
    provider: str
    name: str
    url: Annotated[str, Field(description="Empty if it is offline.")]
    state: Literal["live", "offline"]
    health: Annotated[str, Field(description="How it stands, in words.")]
    words: str
    live: Release | None
    current: Release | None
    releases: Annotated[list[Release], Field(description="The newest first.")]
    note: str | None
    at: Time | None
