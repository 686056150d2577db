"""Whether a call may run alone: a pure function of what came of earlier calls of its kind.

Every rule errs on the side of asking, and every answer says in plain words why it came out so.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from contracts.trust import (
    OUTWARD_EFFECTS,
    Autonomy,
    Code,
    Decision,
    Effect,
    Outcome,
    Request,
    Scope,
    Verdict,
)
from evidence import (
    Evidence,
    Policy,
    Record,
    Records,
    add,
    gather,
    level,
    overall,
    read_mark,
    runs_needed,
    score,
    wilson,
)

__all__ = [
    "Policy",
    "Record",
    "Records",
    "add",
    "decide",
    "floor",
    "gather",
    "ladder",
    "level",
    "overall",
    "runs_needed",
    "score",
    "threshold",
    "wilson",
]

KNOWN = frozenset(Effect)
READ_ONLY = frozenset({Effect.READ})
COVERABLE = frozenset({Effect.READ, Effect.WRITE_PROJECT, Effect.DELETE, Effect.EXECUTE_SANDBOXED, Effect.INSTALL})
"""All that the approval of a plan can cover."""


def threshold(request: Request, policy: Policy, *, reduced_sandbox: bool = False) -> float:
    """The score from which this call may run alone: that of its strictest effect."""
    effects = request.scope.effects
    if effects == READ_ONLY:
        return 0.0
    figures = {
        Effect.READ: 0.0,
        Effect.WRITE_PROJECT: policy.write,
        Effect.DELETE: policy.write,
        Effect.EXECUTE_SANDBOXED: policy.execute,
        Effect.INSTALL: policy.execute,
    }
    strictest = max((figures.get(effect, policy.publish) for effect in effects), default=policy.publish)
    if not request.reversible:
        strictest = policy.publish
    if reduced_sandbox and effects & {Effect.EXECUTE_SANDBOXED, Effect.INSTALL}:
        strictest += policy.reduced
    return min(strictest, 1.0)


def floor(request: Request) -> str | None:
    """Why this call asks whatever its record, or None. Only the owner can lift it, for one scope."""
    effects = request.scope.effects
    if Effect.OWN_CODE in effects:
        return "It would change the agent's own code"
    if Effect.SPEND in effects:
        return "It can cost money"
    if Effect.SEND_MESSAGE in effects:
        return "It sends a message to someone"
    if Effect.PUBLISH in effects and not request.verified:
        return "It would be seen by others, and this is not a checked, free and undoable repeat"
    if not request.reversible and effects & COVERABLE - READ_ONLY:
        return "It cannot be undone"
    return None


Answer = tuple[Verdict, Code, tuple[str, ...]]


def decide(
    request: Request,
    records: Mapping[str, Record],
    policy: Policy,
    *,
    autonomy: Autonomy = Autonomy.EARNED,
    override: Verdict | None = None,
    lifted_floor: bool = False,
    reduced_sandbox: bool = False,
) -> Decision:
    """The gate. `autonomy`, `override` and `lifted_floor` are those that hold for this scope now."""
    found = gather(request.scope, request.size, records, policy)
    needed = threshold(request, policy, reduced_sandbox=reduced_sandbox)
    verdict, code, reasons = (
        _whatever_the_record(request, override, lifted_floor)
        or _as_the_owner_said(request, autonomy, override)
        or _from_the_record(request, policy, found, needed)
    )
    value = found.score(policy.z)
    return Decision(verdict, value, needed, level(value), code, reasons)


def _whatever_the_record(request: Request, override: Verdict | None, lifted_floor: bool) -> Answer | None:
    effects = request.scope.effects
    if override == Verdict.REFUSE:
        return Verdict.REFUSE, Code.REFUSED_BY_OWNER, (f"You told me not to do this{_where(request.scope)}",)
    if effects == READ_ONLY:
        return Verdict.AUTO, Code.ONLY_LOOKS, ("It only looks and changes nothing",)
    if not effects or not effects <= KNOWN:
        return Verdict.ASK, Code.UNKNOWN_EFFECT, ("I do not know what it can touch, so I ask",)
    if request.tainted and effects & OUTWARD_EFFECTS:
        words = "It has read text from outside and would now reach out from this machine"
        return Verdict.ASK, Code.TAINTED_OUTWARD, (words, "I always ask then, since such text can carry hidden orders")
    reason = floor(request)
    if reason and not lifted_floor:
        return Verdict.ASK, Code.FLOOR, (reason, "I ask every time until you lift this for this kind of step")
    return None


def _as_the_owner_said(request: Request, autonomy: Autonomy, override: Verdict | None) -> Answer | None:
    if override == Verdict.ASK:
        return Verdict.ASK, Code.ASKED_BY_OWNER, (f"You want to be asked about this{_where(request.scope)}",)
    if request.covered and request.reversible and request.scope.effects <= COVERABLE:
        return Verdict.AUTO, Code.COVERED_BY_PLAN, ("It is part of the plan that you approved",)
    if autonomy == Autonomy.ASK_ALL:
        return Verdict.ASK, Code.ASK_ALL, ("You want to be asked about everything that changes something",)
    if override == Verdict.AUTO:
        return Verdict.AUTO, Code.ALLOWED_BY_OWNER, (f"You let this run alone{_where(request.scope)}",)
    if autonomy == Autonomy.ALLOW_ALL:
        return Verdict.AUTO, Code.ALLOW_ALL, (f"You let everything run alone{_where(request.scope)} for now",)
    return None


def _from_the_record(request: Request, policy: Policy, found: Evidence, needed: float) -> Answer:
    bucket = policy.bucket(request.size)
    work = _work(request.scope, bucket)
    if found.record.demoted:
        runs = runs_needed(found, needed, policy) or found.record.demoted
        words = f"{_last_bad(found.record)}; {_count(runs, 'more approved run')} before I stop asking about {work}"
        return Verdict.ASK, Code.DEMOTED, (words,)
    done = _history(found, bucket)
    if found.score(policy.z) >= needed:
        return Verdict.AUTO, Code.EARNED, (f"{done}, which is enough for {work}",)
    missing = runs_needed(found, needed, policy)
    if missing is None:
        return Verdict.ASK, Code.NOT_EARNED, (f"{done}, which is not enough for {work}",)
    words = f"{done}; {_count(missing, 'more good run')} of this size before I stop asking about {work}"
    return Verdict.ASK, Code.NOT_EARNED, (words,)


def ladder(
    scope: Scope, records: Mapping[str, Record], policy: Policy, *, lifted_floor: bool = False
) -> dict[str, Any]:
    """Where a scope stands, for people: `asks`, `sometimes` or `alone`, up to which size, and what is missing."""
    found = gather(scope, 0, records, policy)
    largest = max((read_mark(mark)[1] for mark in found.record.outcomes), default=0)
    calls = [
        Request(scope, policy.bucket_unit * policy.bucket_base**bucket, verified=True) for bucket in range(largest + 2)
    ]
    decisions = [decide(call, records, policy, lifted_floor=lifted_floor) for call in calls]
    alone = [call.size for call, made in zip(calls, decisions, strict=True) if made.verdict is Verdict.AUTO]
    first = decisions[0]
    earnable = first.code in {Code.DEMOTED, Code.NOT_EARNED, Code.EARNED, Code.ONLY_LOOKS}
    return {
        "state": "asks" if not alone else "alone" if calls[largest].size in alone else "sometimes",
        "score": first.score,
        "threshold": first.threshold,
        "level": first.level,
        "code": first.code,
        "demoted": found.record.demoted,
        "runs_needed": runs_needed(found, first.threshold, policy) if earnable else None,
        "alone_up_to_bytes": None if first.code is Code.ONLY_LOOKS else max(alone, default=0),
        "words": _standing(scope, first, alone),
    }


_WORK = {
    Effect.READ: "looks",
    Effect.WRITE_PROJECT: "undoable changes",
    Effect.DELETE: "undoable deletions",
    Effect.EXECUTE_SANDBOXED: "sandboxed runs",
    Effect.INSTALL: "installs",
    Effect.NETWORK: "network calls",
    Effect.PUBLISH: "releases",
    Effect.SPEND: "payments",
    Effect.SEND_MESSAGE: "messages",
    Effect.OWN_CODE: "changes to the agent itself",
}
_WENT_WRONG: dict[str, str] = {
    Outcome.FAILED: "This kind of step failed",
    Outcome.REJECTED: "You said no to this kind of step",
    Outcome.UNDONE: "This kind of step was undone",
}


def _where(scope: Scope) -> str:
    return f" in `{scope.project}`" if scope.project else ""


def _work(scope: Scope, bucket: int) -> str:
    size = "small" if bucket <= 1 else "medium-sized" if bucket <= 5 else "large"
    strictest = max(scope.effects, key=list(_WORK).index)
    return f"{size} {_WORK[strictest]}{_where(scope)}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _history(found: Evidence, bucket: int) -> str:
    outcomes = found.record.outcomes
    read = map(read_mark, reversed(outcomes))
    recent = list(islice((well for well, size in read if not well or size >= bucket - 1), 20))
    if recent:
        done = f"{sum(recent)} of the last {len(recent)} went well"
    else:
        done = "Nothing this large has been done here yet" if outcomes else "This is new here"
    if found.borrowed_bad >= 0.5:
        return f"{done} and it has gone wrong in other projects"
    return f"{done} and it has gone well in other projects" if found.borrowed_good >= 0.5 else done


def _last_bad(record: Record) -> str:
    for newer, mark in enumerate(reversed(record.outcomes)):
        if not read_mark(mark)[0]:
            what = _WENT_WRONG.get(mark.partition(":")[0], "This kind of step went wrong")
            return f"{what} {_count(newer, 'run')} ago" if newer else f"{what} the last time"
    return "This kind of step went wrong a while ago"


def _standing(scope: Scope, first: Decision, alone: list[int]) -> str:
    sentences = [first.reasons[0]]
    if alone and first.code is not Code.ONLY_LOOKS:
        sentences.insert(0, f"Runs alone up to about {_bytes(max(alone))} and asks above that")
    if Effect.PUBLISH in scope.effects and first.code is not Code.FLOOR:
        sentences.append("A first publish always asks")
    return ". ".join(sentences)


def _bytes(count: int) -> str:
    steps = min((count.bit_length() - 1) // 10, 3)
    return f"{count >> 10 * steps} {('bytes', 'KB', 'MB', 'GB')[steps]}"
