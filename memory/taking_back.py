"""Which changes on a project's timeline go when one of them is taken back, and how each counts afterwards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from contracts.errors import Conflict, InvalidParams, NotFound
from memory.model import Moment

ROLLBACK = "rollback"


@dataclass(frozen=True, slots=True)
class Taking:
    """Which changes go, newest first, and how each one counts afterwards."""

    moments: list[Moment]
    undoes: list[str]
    redoes: list[str]
    titles: list[str]
    """What a person would say goes away: the changes that still counted."""
    brought: list[str] = field(default_factory=list)
    """What a person would say comes back, when an undo is all that goes."""

    @property
    def steps(self) -> list[str]:
        return [moment.id for moment in self.moments]


def is_undo(moment: Moment) -> bool:
    """Whether it is itself the taking back of something."""
    return moment.intent == ROLLBACK or bool(moment.release and moment.undoes)


def counts(moment: Moment) -> bool:
    """Whether a plain undo can take this change back: it is no undo itself, was not taken back yet, and is seen."""
    return not moment.undone and not is_undo(moment) and shows_change([moment])


def shows_change(there: Sequence[Moment]) -> bool:
    """Whether visitors of a place saw something else before these moments than after them.

    A release that answered wrong and was set back at once has changed nothing that could be taken back. Files are
    looked at elsewhere.
    """
    if not there or there[0].release is None:
        return True
    before, after = there[0].release.get("before"), (there[-1].release or {}).get("after")
    return (before or {}).get("id") != (after or {}).get("id")


def of_files(timeline: Iterable[Moment]) -> list[Moment]:
    return [moment for moment in timeline if moment.release is None]


def of_place(timeline: Iterable[Moment], provider: str) -> list[Moment]:
    """What happened to the project on one host."""
    return [moment for moment in timeline if moment.release and moment.release["provider"] == provider]


def taking_back(timeline: Sequence[Moment], project: str, *, task: str | None = None, only: bool = False) -> Taking:
    """What goes to get back to before a task, or before the last change. Raises NotFound, Conflict, InvalidParams."""
    first = start_of(timeline, project, task=task, only=only)
    chosen = [timeline[first]] if only else list(timeline[first:][::-1])
    undone = {moment.id: moment.undone for moment in timeline}
    after = dict(undone)
    for moment in chosen:
        after |= {moment.id: True} | dict.fromkeys(moment.undoes, False) | dict.fromkeys(moment.redoes, True)
    flips = [task_id for task_id in undone if after[task_id] != undone[task_id]]
    undoes, redoes = ([task_id for task_id in flips if after[task_id] is gone] for gone in (True, False))
    counted = [m for m in chosen if not m.undone and (not is_undo(m) or len(chosen) == 1)]
    titles, brought = [moment.title for moment in counted], []
    if len(chosen) == 1 and is_undo(chosen[0]):
        changes = {moment.id: moment.title for moment in timeline if not is_undo(moment)}
        gone, brought = ([changes[task_id] for task_id in ids if task_id in changes] for ids in (undoes, redoes))
        titles = gone if len(gone) == 1 else titles
    return Taking(chosen, undoes, redoes, titles, brought)


def start_of(timeline: Sequence[Moment], project: str, *, task: str | None = None, only: bool = False) -> int:
    """Where on the timeline to go back to: the index of the oldest change that goes."""
    if task is None:
        for index in range(len(timeline) - 1, -1, -1):
            if counts(timeline[index]):
                return index
        hint = how_to_redo(timeline) if timeline else "Only changes that the agent made can be taken back"
        raise Conflict(f"There is nothing left to undo in `{project}`", hint=hint)
    found = [i for i, moment in enumerate(timeline) if task in (moment.id, moment.root)]
    if not found:
        raise NotFound(
            f"Task `{task}` changed nothing in `{project}` that could be taken back",
            hint="`GET /projects/<project>/history` lists the changes; a commit can be named instead",
        )
    if only and len(found) > 1:
        raise InvalidParams("`only` takes back a single step", hint="Name one step of the plan, or leave `only` out")
    if all(timeline[index].undone for index in found):
        raise Conflict(f"Task `{task}` is undone already", hint=how_to_redo(timeline))
    return found[0]


def how_to_redo(timeline: Iterable[Moment]) -> str:
    undos = [moment for moment in timeline if is_undo(moment) and not moment.undone]
    if not undos:
        return "Bring it back by making the change again"
    return f'To bring it back, undo the undo: {{"id": "{undos[-1].id}"}}'
