"""The stock requests, the order they are run in, and what came of each, kept line by line so that a run can go on."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

WORD_FOR_WORD = 8
"""So many lines at the top are written exactly as people know them; they are run first."""
FINISHED = frozenset({"built", "question_with_plan"})
"""Outcomes that say an app is done."""


@dataclass(slots=True)
class Line:
    number: int
    request: str
    kind: str
    outcome: str
    expected: str
    seconds: float
    phases: dict[str, float]
    checks: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        return self.outcome == self.expected and not self.problems

    @property
    def false_done(self) -> bool:
        return self.outcome in FINISHED and bool(self.problems or self.expected not in FINISHED)


def read_requests(source: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in source.read_text("utf-8").splitlines()]


def in_order(asked: list[dict[str, Any]], numbers: Iterable[int]) -> list[int]:
    """Those that people know by heart, then the first of each sort, then the rest: a part of the list is a fair one."""
    seen: set[tuple[object, ...]] = set()
    places: dict[int, int] = {}
    for number in sorted(numbers):
        new = _sorts(asked[number - 1]) - seen
        places[number] = 0 if number <= WORD_FOR_WORD else 1 if new else 2
        seen |= new
    return sorted(places, key=lambda number: (places[number], number))


def _sorts(line: Mapping[str, Any]) -> set[tuple[object, ...]]:
    """Everything about a line that another one may not show."""
    expect = line["expect"]
    changes = "after" in line
    plain = {(name, expect.get(name)) for name in ("outcome", "error", "kind", "language", "storage", "ui", "target")}
    features = {("feature", name) for name in (*expect.get("features", ()), *expect.get("no_features", ()))}
    types = {("type", kind) for kind in expect.get("types", {}).values()}
    intents = {("intent", intent) for intent in expect.get("intents", ())}
    asked_for = {("has", name) for name in expect if name not in {"outcome", "kind", "resources"}}
    return {(changes, *sort) for sort in plain} | features | types | intents | asked_for


def chosen(only: str | None, count: int, quick: bool) -> list[int]:
    if not only:
        return list(range(1, count + 1, 6 if quick else 1))
    numbers: list[int] = []
    for part in only.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return [number for number in numbers if 1 <= number <= count]


class Progress:
    """A file with one finished line each; of lines that were run twice, the later one counts."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, line: Line) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(line)) + "\n")

    def done(self, asked: list[dict[str, Any]]) -> dict[int, Line]:
        """What is finished, by number, as far as it is still the same request."""
        if not self._path.exists():
            return {}
        lines = [Line(**json.loads(text)) for text in self._path.read_text("utf-8").splitlines()]
        return {
            line.number: line
            for line in lines
            if line.number <= len(asked) and asked[line.number - 1]["request"] == line.request
        }

    def forget(self) -> None:
        self._path.unlink(missing_ok=True)


def summary(lines: list[Line], total: int) -> dict[str, Any]:
    return {
        "run": len(lines),
        "total": total,
        "right": sum(line.right for line in lines) / len(lines),
        "false_done": sum(line.false_done for line in lines),
        "lines": [asdict(line) for line in sorted(lines, key=lambda line: line.number)],
    }
