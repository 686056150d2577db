"""What people are told of a deployment: before it on the card, after it in the answer, and later in the list."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contracts.deployments import Quote
from deploying.app import App
from deploying.choosing import Host
from deploying.parcels import Contents, in_words
from deploying.shipping import Delivered, Ref

MATTERS = re.compile(r"error|fail|exception|cannot|not found|no such|denied|missing|refused|not hold", re.IGNORECASE)
HOLDS = ": holds"
"""How a line ends that says of a check, whatever its words are, that nothing is wrong."""
TOLD_LINES = 5
LEFT_OUT = 10
WENT_WELL = frozenset({"live", "brought back", "taken down"})
REACHED_THE_HOST = frozenset({"live", "wrong", "unchecked", "guarded", "failed"})


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is known of a deployment before it happens."""

    host: Host
    why: str
    app: App
    name: str
    contents: Contents
    quote: Quote
    live: Ref | None
    sent_today: int
    unproven: bool
    dirty: bool
    env: Sequence[str] = ()
    found: Ref | None = None
    """What is there already, although nothing is known here of having put it there."""

    @property
    def first(self) -> bool:
        return self.live is None


def card_facts(plan: Plan) -> dict[str, Any]:
    """What the card says, by name, for whoever draws it."""
    return {
        "summary": f"Sends {in_words(plan.contents)} to {plan.host.title}",
        "target": plan.host.title,
        "provider": plan.host.name,
        "name": plan.name,
        "chosen": plan.why,
        "sends": {"files": len(plan.contents.files), "bytes": plan.contents.size},
        "left_out": list(plan.contents.left_out),
        "price": plan.quote.price,
        "free_tier": standing(plan),
        "public": plan.quote.public,
        "warnings": list(plan.quote.warnings),
        "first": plan.first,
        "env": list(plan.env),
    }


def card_notes(plan: Plan) -> tuple[str, ...]:
    """The same in sentences, in the order in which somebody would ask."""
    notes = [
        f"It goes to {plan.host.title} as `{plan.name}`: {plan.why}",
        f"What becomes public: {plan.quote.public}",
        f"Cost: {plan.quote.price}{f'; {used}' if (used := standing(plan)) else ''}",
    ]
    if plan.found:
        notes.append(
            f"An app of this name is there already, at {plan.found['url']}: an agent like this one put it there, and I "
            "know nothing of it here. Visitors would see this one instead; undo brings that one back"
        )
    if plan.unproven:
        notes.append("Nobody has proven that it works as it stands; it goes there all the same because you said so")
    if plan.dirty:
        notes.append("Edits that are in no commit yet are committed first, so that what is online can be found again")
    if plan.env:
        notes.append(f"It gets these variables there: {', '.join(plan.env)}")
    left_out = plan.contents.left_out
    if left_out:
        more = f" and {len(left_out) - LEFT_OUT} more" if len(left_out) > LEFT_OUT else ""
        notes.append(f"Not sent: {'; '.join(left_out[:LEFT_OUT])}{more}")
    notes += plan.quote.warnings
    if plan.host.checked:
        notes.append(
            "It is tried at its address afterwards; if it answers wrong, I tell you and you can take it down"
            if plan.first and not plan.found
            else f"It is tried at its address afterwards; if it answers wrong, visitors get back what is there now "
            f"({(plan.live or plan.found or {}).get('url', '')})"
        )
    return tuple(notes)


def standing(plan: Plan) -> str:
    """How much of the free tier is used: what the host says, and what this agent has sent today."""
    own = f"{plan.sent_today} sent there from here today" if not plan.host.here else ""
    return "; ".join(filter(None, (plan.quote.standing, own)))


def price(quote: Quote, host: Host) -> str:
    if host.here:
        return quote.price
    return "free tier, no cost expected" if quote.free else quote.price


def message(app: App, host: Host, done: Delivered, cost: str) -> str:
    """The answer in one sentence: what was made, where it is, what it costs."""
    release = done.release
    if done.ok and release is not None:
        if not host.checked:
            return f"{app.made()}; packed into {release.words or release.url} ({cost})"
        return f"{app.made()}; it is online at {release.url} on {host.title} ({cost}), where {done.words}"
    kept = "The files are as they were" + (
        "" if done.cancelled else ", and the step stays queued: `/run_next` tries again"
    )
    if done.outcome == "unknown":
        return f"It is not known yet whether it is online on {host.title}: {done.words}. {kept}"
    if done.outcome in {"wrong", "unchecked"}:
        return f"{done.words}. {kept}"
    if done.outcome == "guarded":
        return f"It is on {host.title}, but nobody can see it yet: {done.words}. {kept}"
    return f"It was not put on {host.title}: {done.words}. {kept}"


def telling_lines(lines: Sequence[str]) -> list[str]:
    """The lines of a log that matter to somebody who wants to know what went wrong."""
    found = [line for line in lines if MATTERS.search(line) and not line.endswith(HOLDS)]
    return (found or list(lines))[-TOLD_LINES:]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the memory of deployments."""

    project: str
    host: Host
    name: str
    task: str
    key: str
    outcome: str
    note: str
    free: bool
    seconds: float
    before: Ref | None
    release: Ref | None = None
    contents: Contents | None = None

    def to_json(self) -> dict[str, Any]:
        shown: Mapping[str, Any] = self.release or {}
        sent = self.contents
        return {
            "id": self.key,
            "project": self.project,
            "provider": self.host.name,
            "name": self.name,
            "url": shown.get("url", ""),
            "freeTier": self.free,
            "seconds": round(self.seconds, 2),
            "success": self.outcome in WENT_WELL,
            "outcome": self.outcome,
            "previous": (self.before or {}).get("id"),
            "source": self.task,
            "note": self.note,
            "size": sent.size if sent else 0,
            "files": len(sent.files) if sent else 0,
            "commit": shown.get("commit", ""),
            "release": shown.get("id", ""),
            "key": self.key,
            "shipped": self.outcome in REACHED_THE_HOST and sent is not None,
        }
