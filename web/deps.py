"""The one object that carries everything behind the routes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from settings import Settings
from web.feed import Feed
from web.front import Counts
from web.links import Links
from web.panel_files import PanelFiles, PanelPolicy
from web.parts import (
    Backups,
    Body,
    Credentials,
    Deployments,
    Events,
    History,
    LookingAhead,
    LookingBack,
    Memory,
    Projects,
    Redact,
    RequestLog,
    Runner,
    Showing,
    TaskLogs,
)
from web.tickets import Tickets


@dataclass(frozen=True, kw_only=True)
class Deps:
    """Everything behind the routes. `app.py` builds it; tests build it from the same real parts."""

    settings: Settings
    token: str
    runner: Runner
    memory: Memory
    events: Events
    projects: Projects
    history: History
    logs: TaskLogs
    back: LookingBack
    ahead: LookingAhead
    showing: Showing
    backups: Backups
    credentials: Credentials
    deployments: Deployments
    refuse_secrets: Callable[[Any], None]
    """Raises if what a request says holds a secret."""
    actions: Callable[[], list[Body]]
    """What the agent can do, as `Action.describe` says it."""
    health: Callable[[], Body]
    """version, uptime, queue, workers, waiting, notices."""
    selftest: Callable[[], Body]
    """Tests the sandbox anew and says how it stands."""
    metrics: Callable[[], Mapping[str, float]]
    """Counters and gauges of the parts behind the routes."""
    stop: Callable[[], None]
    """Asks the whole service to end; returns at once."""
    redact: Redact
    log: RequestLog
    uploads: Path
    """Folder for archives that wait to be imported."""
    url: Callable[[], str]
    """Where people reach the service."""
    panel: PanelFiles

    @cached_property
    def feed(self) -> Feed:
        """The open event streams. Whoever ends the service stops it first."""
        limits = self.settings
        return Feed(self.events, self.redact, max_streams=limits.max_streams, keepalive=limits.keepalive_seconds)

    @cached_property
    def links(self) -> Links:
        """One-time codes that a browser exchanges for the token."""
        return Links()

    @cached_property
    def panel_policy(self) -> PanelPolicy:
        return PanelPolicy(self.settings)

    @cached_property
    def tickets(self) -> Tickets:
        """One-time codes that a browser downloads by."""
        return Tickets()

    @cached_property
    def counts(self) -> Counts:
        return Counts()
