"""Whether what was put online does there what it does here: the same checks, asked at its address."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contracts.app_spec import AppSpec
from contracts.deployments import Say, Tick

if TYPE_CHECKING:
    from proof import AddressVisitor, Reply

PATIENCE = 30.0
PAUSES = (0.2, 0.5, 1.0, 2.0)
LISTED = 3
REFUSED, SERVER_ERROR = 400, 500
PROTECTED = frozenset({401, 403})


@dataclass(frozen=True, slots=True)
class Verified:
    ok: bool
    words: str
    """What was seen, for a person."""
    details: tuple[str, ...] = ()
    """What did not hold, each in a sentence."""


@dataclass(frozen=True, slots=True)
class Visit:
    """How an app is looked at from outside."""

    spec: AppSpec | None
    """None: nobody knows what it should do, so it only has to answer."""
    only_looks: bool = True
    """Whether other people's data may be there, so that nothing is written."""
    api_key: str = ""
    patience: float | None = None
    pause: Callable[[float], None] = time.sleep


def verify(url: str, visit: Visit, *, say: Say, tick: Tick) -> Verified:
    """Wait until something answers there, then try what the app promises."""
    from proof import AddressVisitor, check_live  # noqa: PLC0415  loaded when something is online

    visitor = AddressVisitor(url)
    answer = _first_answer(visitor, visit, tick)
    if isinstance(answer, str):
        return Verified(False, f"nothing answers at {url}: {answer}")
    if visit.spec is None:
        return _plain(url, answer)
    proof = check_live(visit.spec, visitor, api_key=visit.api_key, tick=tick, progress=say, only_looks=visit.only_looks)
    wrong = [f"{check.words}: {check.why}" for check in proof.checks if not check.ok]
    if broken := _broken_start(visitor):
        wrong.insert(0, broken)
    done = len(proof.checks)
    if wrong:
        words = f"{len(wrong)} of {done + bool(broken)} checks do not hold at its address"
        return Verified(False, words, tuple(wrong[:LISTED]))
    safe = " that are safe on live data" if visit.only_looks else ""
    return Verified(True, f"all {done} checks{safe} hold at its address" if done > 1 else "it answers at its address")


def _broken_start(visitor: "AddressVisitor") -> str:
    """What is wrong with the page that visitors open first, where no check may have looked at it."""
    from proof import NoAnswer, Request  # noqa: PLC0415  as above

    try:
        status = visitor.send(Request("GET", "/")).status
    except NoAnswer as error:
        return f"The start page answers: {error}"
    return f"The start page answers: it came with the error {status}" if status >= SERVER_ERROR else ""


def _first_answer(visitor: "AddressVisitor", visit: Visit, tick: Tick) -> "Reply | str":
    """The first answer that is not an error of a server that is still coming up; why, if there is none in time."""
    from proof import NoAnswer, Request  # noqa: PLC0415  as above

    waited, last = 0.0, "no answer"
    while True:
        for path in ("/health", "/") if visit.spec else ("/",):
            tick()
            try:
                reply = visitor.send(Request("GET", path))
            except NoAnswer as error:
                last = str(error)
                continue
            if reply.status < SERVER_ERROR:
                return reply
            last = f"it answers {path} with {reply.status}, an error of the app itself"
        if waited >= (PATIENCE if visit.patience is None else visit.patience):
            return last
        pause = next((p for p in PAUSES if p > waited / 4), PAUSES[-1])
        visit.pause(pause)
        waited += pause


def _plain(url: str, answer: "Reply") -> Verified:
    """Nobody knows what it should say; it only has to say something."""
    if answer.status in PROTECTED:
        return Verified(False, f"{url} asks visitors to sign in (status {answer.status})")
    if answer.status >= REFUSED:
        return Verified(False, f"{url} answers with {answer.status}: there is nothing to see")
    return Verified(True, f"it answers at its address (status {answer.status})")
