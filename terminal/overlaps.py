"""Where a person's own edits and a change of their app touch the same lines, in words and with both sides."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from terminal.view import View, one_line

MOST_PLACES = 6
MOST_LINES = 5
YOURS, BETWEEN, NEW = "<<<<<<< yours", "=======", ">>>>>>> new"


@dataclass(slots=True)
class Place:
    """Lines of both sides."""

    yours: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


def overlaps(view: View, details: Any) -> None:
    """The files of an error and what stands there twice, as much of it as can be read at a glance."""
    found = details.get("conflicts") if isinstance(details, Mapping) else None
    if not isinstance(found, Mapping):
        return
    numbers = details.get("lines")
    left = MOST_PLACES
    for path, text in found.items():
        there = list(_places(str(text)))
        if left > 0:
            known = numbers.get(path) if isinstance(numbers, Mapping) else None
            _file(view, one_line(path), str(text), there[:left], known if isinstance(known, list) else [])
        left -= max(1, len(there))
    if left < 0:
        view.note(f"  and {-left} more {'place' if left == -1 else 'places'}", "")


def _file(view: View, path: str, text: str, places: list[Place], numbers: list[Any]) -> None:
    if not places:
        # A file that is gone or no text has no lines to show: the service says so in a sentence.
        reason = f": {one_line(text)}" if "\n" not in text.strip() else ""
        view.note(f"  {path}{reason}", "")
    for place, number in zip_longest(places, numbers[: len(places)]):
        view.note(f"  {path}{'' if number is None else f', line {one_line(number)}'}", "bold")
        _side(view, "yours", place.yours)
        _side(view, "new", place.new)


def _side(view: View, name: str, lines: list[str]) -> None:
    for line in lines[:MOST_LINES] or ["(nothing)"]:
        view.note(f"    {name + ':':<6} {one_line(line, 160)}", "")
    if len(lines) > MOST_LINES:
        view.note(f"    {name + ':':<6} and {len(lines) - MOST_LINES} more lines", "")


def _places(marked: str) -> Iterator[Place]:
    """The places of a text in which both sides are marked. A last one that is cut off is given as far as it goes."""
    place, side = None, YOURS
    for line in marked.splitlines():
        if line == YOURS:
            place, side = Place(), YOURS
        elif place is not None and line == NEW:
            yield place
            place = None
        elif place is not None and line == BETWEEN and side == YOURS:
            side = NEW
        elif place is not None:
            (place.new if side == NEW else place.yours).append(line)
    if place is not None:
        yield place
