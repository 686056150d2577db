"""Pushes a project's ordinary history elsewhere: never by force, all new commits at once, anew after network faults."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from contracts.deployments import Say, Tick
from contracts.errors import AppError, Unavailable
from repositories.addresses import Address
from repositories.complaints import diverged, from_rejection
from repositories.outgoing import HEADS, Outgoing, PushWish
from repositories.transport import Sent, Transport

if TYPE_CHECKING:
    from repositories.project import ProjectRepo

T = TypeVar("T")
PAUSES = (1.0, 2.0, 4.0, 8.0)
"""Seconds before each further attempt."""
NAP = 0.2


@dataclass(frozen=True, slots=True)
class Pushed:
    """What is there now."""

    address: Address
    branch: str
    commit: str
    commits: int
    """How many were new there."""
    before: str = ""
    """The commit that the branch had there; empty if the branch is new."""
    titles: tuple[str, ...] = ()
    tags_left: dict[str, str] = field(default_factory=dict)
    """Tags that were not taken, and why."""


class Pusher:
    def __init__(self, environ: Mapping[str, str], pause: Callable[[float], None] = time.sleep) -> None:
        """`environ` tells where programs, certificates and proxies are."""
        self._environ = environ
        self._pause = pause

    def push(self, repo: "ProjectRepo", wish: PushWish, *, say: Say, tick: Tick) -> Pushed:
        """Bring HEAD's history there. Can be called again after a crash: what is there already is not sent again."""
        transport = Transport(repo.git_folder, self._environ, wish.address, wish.login)
        return self._persist(lambda: self._push_once(repo, transport, wish, say, tick), say, tick)

    def tips(self, repo: "ProjectRepo", wish: PushWish, *, tick: Tick) -> dict[str, str]:
        """The branches there and the commit of each."""
        transport = Transport(repo.git_folder, self._environ, wish.address, wish.login)
        return self._persist(lambda: transport.tips(tick), lambda line: None, tick)

    def enter(self, wish: PushWish) -> None:
        """Only see whether the place lets one in."""
        Transport(None, self._environ, wish.address, wish.login).tips(lambda: None)

    def _push_once(self, repo: "ProjectRepo", transport: Transport, wish: PushWish, say: Say, tick: Tick) -> Pushed:
        tips = transport.tips(tick)
        with repo.departure() as departure:
            out = departure.outgoing(wish, tips=tips, tick=tick)
            before = tips.get(HEADS + out.branch, "")
            if before and not departure.contains(out.commit, before):
                raise diverged(wish.address, out.branch)
        left = {}
        if before != out.commit or out.tags:
            say(f"Pushing to {wish.address}")
            left = self._send(transport, wish, out, tick)
        with repo.departure() as departure:
            departure.remember(wish.address, out.branch, out.commit)
        return Pushed(wish.address, out.branch, out.commit, out.commits, before, out.titles, left)

    def _send(self, transport: Transport, wish: PushWish, out: Outgoing, tick: Tick) -> dict[str, str]:
        """Gives the tags that were refused; raises if the branch was."""
        sent, said = transport.push(out.refs, tick)
        refused = {one.ref: one for one in sent if not one.taken}
        branch: Sent | None = refused.pop(HEADS + out.branch, None)
        if branch is not None:
            raise from_rejection(wish.address, out.branch, branch.reason, said)
        return {name.removeprefix("refs/tags/"): one.reason for name, one in refused.items()}

    def _persist(self, attempt: Callable[[], T], say: Say, tick: Tick) -> T:
        """Again after a network fault, a few times, with growing pauses; what a lost answer had done is found then."""
        for seconds in PAUSES:
            try:
                return attempt()
            except AppError as error:
                if not isinstance(error, Unavailable):
                    raise
                say(f"{error.message}; trying again in {seconds:.0f} s")
            self._rest(seconds, tick)
        return attempt()

    def _rest(self, seconds: float, tick: Tick) -> None:
        left = seconds
        while left > 0:
            tick()
            self._pause(min(NAP, left))
            left -= NAP
