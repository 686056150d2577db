"""Approval cards: computed from a dry run, never written by anyone, in words a non-coder can judge."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import orjson

from contracts.actions import ActionCall
from contracts.files import Change, Kind
from contracts.paths import shown
from contracts.trust import OUTWARD_EFFECTS, Decision, Effect
from contracts.words import counted
from git_manager import text_diff
from task_executor import Prepared

MAX_LISTED = 200
MAX_DIFF_BYTES = 200_000
MAX_DIFF_CHARS = 60_000
CUT = "\n… the rest is too long to show here\n"

EFFECT_WORDS = {
    Effect.READ: "looks at files",
    Effect.WRITE_PROJECT: "changes files of this project",
    Effect.DELETE: "deletes files of this project",
    Effect.EXECUTE_SANDBOXED: "runs code in the sandbox",
    Effect.INSTALL: "installs packages",
    Effect.NETWORK: "uses the network",
    Effect.PUBLISH: "makes something public",
    Effect.SPEND: "spends money",
    Effect.SEND_MESSAGE: "sends a message",
    Effect.OWN_CODE: "changes the agent's own code",
}


ReadBefore = Callable[[str], bytes]


def card_for(
    prepared: Prepared, decision: Decision, fingerprint: str | None, read_before: ReadBefore
) -> dict[str, Any]:
    """The card of one call. Its `digest` changes if what the call would do changes."""
    changes = prepared.changes.changes
    known = prepared.result is not None
    return {
        "title": prepared.title,
        "where": _where(prepared.call),
        "what": {
            "summary": _summary(changes) if known else "What it changes is known once it has run",
            "effects": [EFFECT_WORDS[effect] for effect in sorted(prepared.effects)],
            "files": [described(change) for change in changes[:MAX_LISTED]],
            "more": max(0, len(changes) - MAX_LISTED),
            "diff": _diff(changes, read_before),
            "notes": list(prepared.inspection.notes),
            **prepared.inspection.facts,
        },
        "undo": _undo_words(prepared),
        "can_undo": prepared.reversible,
        "outward": bool(prepared.effects & OUTWARD_EFFECTS),
        "cost": prepared.inspection.cost or "free",
        "worst": _worst(prepared),
        "why": list(decision.reasons),
        "call": prepared.call.as_step(),
        "identity": prepared.inspection.identity,
        "blocked": prepared.inspection.blocked,
        "fingerprint": fingerprint,
        "digest": digest(changes),
        "size": prepared.size,
    }


@dataclass(frozen=True, slots=True)
class PlannedProject:
    """What a plan does to one project, all of its steps together."""

    name: str
    changes: tuple[Change, ...]
    fingerprint: str | None
    read_before: ReadBefore


def plan_card(title: str, steps: list[Prepared], projects: list[PlannedProject], decision: Decision) -> dict[str, Any]:
    """The card of a whole plan: every step, and all changes together as far as they can be known before."""
    changes = [change for project in projects for change in project.changes]
    files = [{"project": project.name, **described(change)} for project in projects for change in project.changes]
    outside = [step.title for step in steps if not step.reversible]
    return {
        "title": title,
        "where": f"in {', '.join(f'`{p.name}`' for p in projects)}" if projects else "in the agent's own memory",
        "what": {
            "summary": _plan_summary(steps, changes),
            "effects": sorted({EFFECT_WORDS[effect] for step in steps for effect in step.effects}),
            "steps": [{"title": s.title, "project": s.call.project, "call": s.call.as_step()} for s in steps],
            "files": files[:MAX_LISTED],
            "more": max(0, len(files) - MAX_LISTED),
            "notes": [note for step in steps for note in step.inspection.notes],
            "diff": _plan_diff(projects),
        },
        "undo": f"not all of it: {', '.join(outside)}" if outside else "yes: step by step, or all of it at once",
        "can_undo": not outside,
        "outward": any(step.effects & OUTWARD_EFFECTS for step in steps),
        "cost": "; ".join(dict.fromkeys(s.inspection.cost for s in steps if s.inspection.cost)) or "free",
        "worst": _plan_worst(steps),
        "why": list(decision.reasons),
        "call": {"steps": [step.call.as_step() for step in steps]},
        "fingerprint": {project.name: project.fingerprint for project in projects},
        "digest": digest(changes),
        "size": sum(max(c.before.size if c.before else 0, c.after.size if c.after else 0) for c in changes),
    }


def _worst(prepared: Prepared) -> str:
    lost = prepared.action.reversible and not prepared.reversible
    worst = prepared.inspection.worst or prepared.action.worst
    return "What it replaces is gone for good" if lost else worst


def _plan_worst(steps: list[Prepared]) -> str:
    """The worst of its gravest steps: what cannot be put back or leaves this machine, else what deletes or installs.

    Where all can be put back, the first step says it for all.
    """
    final = [step for step in steps if not step.reversible or step.effects & OUTWARD_EFFECTS]
    grave = [step for step in steps if step.effects & {Effect.DELETE, Effect.INSTALL}]
    return ". ".join(dict.fromkeys(_worst(step) for step in final or grave or steps[:1]))


def _plan_summary(steps: list[Prepared], changes: list[Change]) -> str:
    later = sum(1 for step in steps if step.result is None)
    parts = [counted(len(steps), "step")]
    if changes or not later:
        parts.append(_summary(tuple(changes)))
    if later:
        what = (
            "one step changes is known once it has" if later == 1 else f"{later} steps change is known once they have"
        )
        parts.append(f"What {what} run")
    return ". ".join(parts)


def _plan_diff(projects: list[PlannedProject]) -> str:
    """The diffs of all projects, each under its name where there are several, within the length of one."""
    diffs = {project.name: _diff(project.changes, project.read_before) for project in projects}
    if len(diffs) < 2:
        return "".join(diffs.values())
    whole = "".join(f"In `{name}`:\n{diff}" for name, diff in diffs.items() if diff)
    return whole if len(whole) <= MAX_DIFF_CHARS else whole[:MAX_DIFF_CHARS].rpartition("\n")[0] + CUT


def digest(changes: Iterable[Change]) -> str:
    """Stands for exactly what would be changed from what to what."""
    sums = hashlib.sha256()
    for change in changes:
        content = hashlib.sha256(change.load()).hexdigest() if change.load else None
        line = [shown(change.path), _node(change.before), _node(change.after), content, change.moved_from]
        sums.update(orjson.dumps(line))
    return sums.hexdigest()


def _node(node: Any) -> list[Any] | None:
    return [node.kind, node.mode, node.size] if node else None


def _where(call: ActionCall) -> str:
    return f"in the project `{call.project}`" if call.project else "in the agent's own memory"


def _undo_words(prepared: Prepared) -> str:
    undo = prepared.action.undo
    if undo is None:
        return "no: it cannot be undone"
    if not prepared.reversible:
        return "no: it touches folders of installed packages, which are not kept"
    return undo.words


def described(change: Change) -> dict[str, Any]:
    node = change.after or change.before
    return {
        "path": shown(change.path),
        "change": _verb(change),
        "kind": node.kind.value if node else "file",
        "before_bytes": change.before.size if change.before else None,
        "after_bytes": change.after.size if change.after else None,
        **({"moved_from": shown(change.moved_from)} if change.moved_from else {}),
    }


def _verb(change: Change) -> str:
    if change.moved_from:
        return "moved here"
    if change.before is None:
        return "new"
    if change.after is None:
        return "deleted"
    return "changed"


VERB_WORDS = {"new": "new", "changed": "changed", "deleted": "deleted", "moved here": "moved"}


def _summary(changes: tuple[Change, ...]) -> str:
    if not changes:
        return "Nothing changes in the project's files"
    counts = Counter((_noun(change), _verb(change)) for change in changes)
    return ", ".join(
        counted(counts[noun, verb], f"{word} {noun}")
        for noun in ("file", "folder")
        for verb, word in VERB_WORDS.items()
        if counts[noun, verb]
    )


def _noun(change: Change) -> str:
    node = change.after or change.before
    return "folder" if node and node.kind is Kind.DIRECTORY else "file"


def _diff(changes: Iterable[Change], read_before: ReadBefore) -> str:
    """The changes as one readable diff, cut where it gets too long to judge."""
    parts: list[str] = []
    length = 0
    for change in changes:
        part = _one_diff(change, read_before)
        if length + len(part) > MAX_DIFF_CHARS:
            parts.append(CUT)
            break
        parts.append(part)
        length += len(part)
    return "".join(parts)


def _one_diff(change: Change, read_before: ReadBefore) -> str:
    nodes = [node for node in (change.before, change.after) if node]
    if change.moved_from or any(node.kind is not Kind.FILE for node in nodes):
        return ""
    if any(node.size > MAX_DIFF_BYTES for node in nodes):
        return f"{shown(change.path)}: too large to show\n"
    old = read_before(change.path) if change.before else b""
    new = change.load() if change.load else b""
    return text_diff(shown(change.path), old, new)
