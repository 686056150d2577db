"""Making something at a host that must not be there twice, although answers get lost."""

from collections.abc import Callable
from typing import Any

from contracts.deployments import Tick
from contracts.errors import AppError, Unavailable
from providers.http import Answer, Line, LineCut

POSTS = 3
LOOKS = (2.0, 5.0, 10.0)
"""Seconds before each look whether it arrived."""


def make_once(
    line: Line,
    post: Callable[[], Answer],
    look: Callable[[], dict[str, Any] | None],
    refusal: Callable[[Answer], AppError],
    tick: Tick,
    *,
    decides: Callable[[Answer], bool] = lambda answer: False,
    proof: str = "id",
) -> Answer | dict[str, Any]:
    """The host's answer, or what was found there where none came.

    An answer that says no is final and raised, unless the caller `decides` about it. When none comes, one of a server
    in trouble, or one without `proof` in it, what was to be made may be there: it is looked for, more than once since
    lists lag behind, before anything is posted again.
    """
    error: AppError = Unavailable(f"{line.title} did not answer")
    for _ in range(POSTS):
        try:
            answer = post()
        except LineCut as cut:
            error = cut
        else:
            if decides(answer) or (answer.ok and answer.object.get(proof)):
                return answer
            error = _doubt(line, answer, refusal)
        for pause in LOOKS:
            line.wait(pause, tick)
            if found := look():
                return found
    raise error


def _doubt(line: Line, answer: Answer, refusal: Callable[[Answer], AppError]) -> AppError:
    """What is wrong with an answer after which it is not known what happened. Raises what is final."""
    if answer.ok:
        return Unavailable(f"{line.title} sent an answer that is not understood", hint="Try again in some minutes")
    error = refusal(answer)
    if answer.status < 500:
        raise error
    return error
