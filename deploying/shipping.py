"""One deployment from the first byte to its end: sent, waited for, tried at its address, set back if it is wrong."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from contracts.deployments import Parcel, Release, ReleaseState, Say, Tick
from contracts.errors import AppError, Failed, NotFound, Unavailable
from deploying.verifying import Verified
from providers.base import Provider

Ref = Mapping[str, Any]
"""A release as memory keeps it: `id`, `url`, `place`, `commit`, `key` and whether it was `verified`."""
Check = Callable[[str, Say, Tick], Verified]
Boundary = Callable[[str], None]
GONE = frozenset({ReleaseState.GONE, ReleaseState.FAILED})


class Stopped(Exception):
    """The step was cancelled or has taken too long; what the step's own control says of it."""

    def __init__(self, error: AppError) -> None:
        super().__init__(error.message)
        self.error = error


def stoppable(tick: Tick) -> Tick:
    """A tick whose refusal to go on cannot be taken for an answer of the host."""

    def go_on() -> None:
        try:
            tick()
        except AppError as error:
            raise Stopped(error) from error

    return go_on


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be where, and what visitors see there until then."""

    provider: Provider
    parcel: Parcel
    name: str
    key: str
    before: Ref | None
    say: Say
    tick: Tick
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables as they were asked for: what stands empty comes from the project's own file."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came of an order."""

    outcome: str
    """`live`; `wrong`: it answered wrong; `unchecked`: it is online and was not tried to the end; `guarded`: visitors
    have to sign in at the host first; `failed`: the host could not build it; `refused`: nothing was begun; `unknown`:
    the host could not be asked, so its key has to be asked for again."""
    words: str
    release: Release | None = None
    live: Ref | None = None
    """What visitors see now, as far as it is known."""
    error: AppError | None = None
    verified: Verified | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return self.outcome == "live"

    @property
    def known(self) -> bool:
        """Whether it is known what visitors see now."""
        return self.outcome in {"live", "wrong", "unchecked", "guarded"}

    @property
    def cancelled(self) -> bool:
        """Whether a person has stopped it, so that it is not to be tried again."""
        return self.error is not None and self.error.code == "cancelled"


def ref_of(release: Release, commit: str, *, verified: bool) -> dict[str, Any]:
    kept = {name: getattr(release, name) for name in ("id", "url", "place", "key")}
    return {**kept, "commit": commit, "verified": verified}


def deliver(order: Order, check: Check | None, boundary: Boundary = lambda name: None) -> Delivered:
    """Ship it and see whether it works there. Called again with the same key, it goes on where it was cut off.

    Raises what `tick` raises; whatever the host says is in what comes back.
    """
    began = time.monotonic()
    done = _deliver(replace(order, tick=stoppable(order.tick)), check, boundary)
    return replace(done, seconds=time.monotonic() - began)


def _deliver(order: Order, check: Check | None, boundary: Boundary) -> Delivered:
    try:
        boundary("shipping")
        release = order.provider.ship(order.parcel, order.name, order.key, say=order.say, tick=order.tick)
        boundary("shipped")
        return _arrived(order, release, check, boundary)
    except Stopped as stopped:
        return _stopped(order, stopped)
    except Unavailable as error:
        return Delivered("unknown", error.message, error=error)
    except Failed as error:
        return Delivered("failed", error.message, error=error)
    except AppError as error:
        return Delivered("refused", error.message, error=error)


def _stopped(order: Order, stopped: Stopped) -> Delivered:
    """Stopped on the way: as if nothing had been, unless the host has it already or cannot be asked."""
    words = f"{stopped.error.message} while {order.provider.title} was at work, so it may become live all the same"
    try:
        begun = order.provider.find(order.name, order.key) is not None
    except AppError as silent:
        return Delivered("unknown", f"{words} ({silent.message})", error=stopped.error)
    if not begun:
        raise stopped.error from stopped
    return Delivered("unknown", words, error=stopped.error)


def _arrived(order: Order, release: Release, check: Check | None, boundary: Boundary) -> Delivered:
    """What the host says of it, and what it says itself."""
    if release.state is ReleaseState.REPLACED:
        return _replaced(order, release)
    if release.state is not ReleaseState.LIVE:
        raise Failed(release.words or f"{order.provider.title} did not make it live")
    own = {**ref_of(release, order.parcel.commit, verified=False), "env": dict(order.env)}
    if release.details.get("protected"):
        return Delivered("guarded", release.words, release, own)
    try:
        seen = check(release.url, order.say, order.tick) if check else Verified(True, "")
    except Stopped as stopped:
        words = f"It is online at {release.url}, but trying it there was not finished: {stopped.error.message}"
        return Delivered("unchecked", words, release, own, stopped.error)
    boundary("verified")
    if seen.ok:
        return Delivered("live", seen.words, release, {**own, "verified": check is not None}, verified=seen)
    return _set_back(order, release, own, seen)


def _replaced(order: Order, release: Release) -> Delivered:
    """It was live before a crash, and no longer is: it had been set back, or somebody else put another one there."""
    now = order.provider.live(order.name)
    if order.before is not None and now is not None and now.id == order.before["id"]:
        words = "It did not work online, so visitors see the release before it again"
        return Delivered("wrong", words, release, order.before)
    live = ref_of(now, now.commit, verified=False) if now else None
    return Delivered("wrong", f"{release.words or 'Another release took its place'}", release, live)


def _set_back(order: Order, release: Release, own: Ref, seen: Verified) -> Delivered:
    """It answers wrong: visitors get the last good one back where there is one."""
    wrong = f"{seen.words}{': ' if seen.details else ''}{'; '.join(seen.details)}"
    if order.before is None:
        words = f"It is online at {release.url}, but it does not work there: {wrong}"
        return Delivered("wrong", words, release, own, verified=seen)
    order.say("It answers wrong, so the release before is brought back")
    try:
        back = restore(order.provider, order.name, order.before, f"{order.key}-back", say=order.say, tick=order.tick)
        if back.state is not ReleaseState.LIVE:
            raise Failed(back.words or f"{order.provider.title} did not make it live")
    except Unavailable:
        raise  # the same key is asked for again, and it is set back then
    except AppError as error:
        words = (
            f"It is online at {release.url} and does not work there: {wrong}. It could not be set back: {error.message}"
        )
        return Delivered("wrong", words, release, own, error, seen)
    words = f"It did not work online, so visitors see the release before it again: {wrong}"
    again = {**order.before, **ref_of(back, str(order.before["commit"]), verified=bool(order.before["verified"]))}
    return Delivered("wrong", words, release, again, verified=seen)


def found_there(provider: Provider, name: str, key: str = "") -> Ref | None:
    """What visitors see at a place of which memory knows nothing, so that it can be brought back.

    Another machine's agent may have put it there, or one whose memory is lost. What has the key is no such thing.
    """
    live = provider.live(name)
    return None if live is None or (key and live.key == key) else ref_of(live, live.commit, verified=False)


def restore(provider: Provider, name: str, ref: Ref, key: str, *, say: Say, tick: Tick) -> Release:
    """Make an earlier release the live one. Raises NotFound if the host no longer has it."""
    known = next((release for release in provider.releases(name) if release.id == ref["id"]), None)
    if known is None or known.state in GONE:
        raise NotFound(f"{provider.title} no longer has the release `{ref['id']}` of `{name}`")
    return provider.bring_back(name, known, key, say=say, tick=tick)


def return_to(
    order: Order, ref: Ref | None, parcel_of: Callable[[Ref], Parcel], boundary: Boundary = lambda name: None
) -> Ref | None:
    """Make a place what it once was: an earlier release, shipped anew if the host has lost it, or nothing at all.

    Done again with the same key it changes nothing more. Raises AppError.
    """
    tick = stoppable(order.tick)
    try:
        boundary("returning")
        if ref is None:
            order.provider.take_down(order.name)
            boundary("returned")
            return None
        try:
            found = restore(order.provider, order.name, ref, order.key, say=order.say, tick=tick)
        except NotFound:
            order.say("The host no longer has it, so it is sent again")
            found = order.provider.ship(parcel_of(ref), order.name, order.key, say=order.say, tick=tick)
        boundary("returned")
    except Stopped as stopped:
        raise stopped.error from stopped
    if found.state is not ReleaseState.LIVE:
        raise Failed(found.words or f"{order.provider.title} did not make it live")
    return {**ref, **ref_of(found, str(ref["commit"]), verified=bool(ref.get("verified")))}
