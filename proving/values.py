"""Values for the fields of a spec: those that fit, those that do not, and in which order they come.

Made from the field's description and a seed alone, so that the same check always sends the same values.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from contracts.app_spec import COUNTABLE, AppField, Condition, FieldType, Op, Resource, View

Json = Any
TEXTS = frozenset({FieldType.TEXT, FieldType.LONG_TEXT})
WRITTEN = frozenset({*TEXTS, FieldType.EMAIL, FieldType.URL})
LARGEST_INTEGER = 9007199254740991
LARGEST_MONEY = 1_000_000_000
LONGEST = {FieldType.TEXT: 200, FieldType.LONG_TEXT: 10_000}
FIRST_DAY = date(2001, 1, 1)
TRICKY = "Ünï \"q\" 'r' <b>{{ 7*7 }}</b> & \\n 日本 %s; --"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A value that a field must not take, and why."""

    value: Json
    why: str
    typed: bool = False
    """Wrong by its type in JSON, which a form or a command line cannot express."""


def today() -> date:
    return datetime.now(UTC).date()


class Values:
    """Makes values that nobody else has, for one check."""

    def __init__(self, seed: str) -> None:
        digest = hashlib.sha256(seed.encode()).digest()
        self.marker = "".join(chr(ord("a") + byte % 26) for byte in digest[:10])
        """A word that is in every text made here and hardly anywhere else."""
        self._offset = int.from_bytes(digest[10:14]) % 40_000
        self._count = 0

    def value(self, field: AppField) -> Json:
        """One that fits, another at each call where the type has enough of them."""
        self._count += 1
        return self._nth(field, self._count + (self._offset if field.unique else 0))

    def item(
        self, resource: Resource, given: Mapping[str, Json] | None = None, *, full: bool = True
    ) -> dict[str, Json]:
        """All fields of one item, or only those that it needs. Parents are the caller's to give."""
        fields = [field for field in resource.fields if full or field.required or field is resource.main]
        return {field.name: self.value(field) for field in fields} | dict(given or {})

    def tricky(self, field: AppField) -> str:
        """A text with everything in it that could be taken for something else."""
        self._count += 1
        return f"{self.marker} {self._count} {TRICKY}"

    def ordered(self, field: AppField, among: int = 3) -> list[Json]:
        """Values from small to large, whose order is beyond doubt; fewer than two if there is none."""
        if field.type in WRITTEN:
            ends = {FieldType.EMAIL: "@example.org"}
            begins = {FieldType.URL: "https://"}
            return [
                f"{begins.get(field.type, '')}{letter * 3}{self.marker}{ends.get(field.type, '')}"
                + (".org" if field.type is FieldType.URL else "")
                for letter in "amz"[:among]
            ]
        if field.type in {FieldType.CHOICE, FieldType.YES_NO}:
            return []
        found = sorted({self.value(field) for _ in range(among * 3)})
        return found if len(found) <= among else [*found[: among - 1], found[-1]]

    def _nth(self, field: AppField, n: int) -> Json:
        if field.type in COUNTABLE:
            return _number(field, n)
        made: dict[FieldType, Json] = {
            FieldType.EMAIL: f"{self.marker}.{n}@example.org",
            FieldType.URL: f"https://example.org/{self.marker}/{n}",
            FieldType.YES_NO: n % 2 == 1,
            FieldType.CHOICE: field.choices[n % len(field.choices)] if field.choices else None,
            FieldType.DATE: (FIRST_DAY + timedelta(days=n * 7 % 15_000)).isoformat(),
            FieldType.TIME: f"{n * 7 % 24:02}:{n * 11 % 60:02}",
        }
        return made.get(field.type, f"{field.name.replace('_', ' ')} {self.marker} {n}")


def _bounds(field: AppField) -> tuple[float, float]:
    lowest = (
        field.minimum if field.minimum is not None else min(1.0, field.maximum if field.maximum is not None else 1.0)
    )
    highest = field.maximum if field.maximum is not None else max(lowest, 1.0) + 100_000
    return lowest, highest


def _number(field: AppField, n: int) -> float | int:
    lowest, highest = _bounds(field)
    first, last = math.ceil(lowest), math.floor(highest)
    if first > last:  # no whole number fits
        return lowest
    whole = first + n % (last - first + 1)
    return whole if field.type is FieldType.INTEGER or whole + 0.25 > highest else whole + 0.25


def wrong_values(field: AppField) -> list[Wrong]:
    """What each rule of the field's type and range forbids."""
    longest = LONGEST.get(field.type)
    long = [Wrong("x" * (longest + 1), f"has more than {longest:,} characters")] if longest else []
    return [*long, *WRONG[field.type], *_out_of_range(field)]


def _wrongs(why: str, *values: Json) -> tuple[Wrong, ...]:
    return tuple(Wrong(value, why) for value in values)


NO_TEXT = (Wrong(7, "is a number instead of a text", typed=True), Wrong(["x"], "is a list", typed=True))
NO_NUMBER = (Wrong("many", "is a word instead of a number"), Wrong(True, "is `true`", typed=True))
WRONG: Mapping[FieldType, tuple[Wrong, ...]] = {
    FieldType.TEXT: NO_TEXT,
    FieldType.LONG_TEXT: NO_TEXT,
    FieldType.NUMBER: NO_NUMBER,
    FieldType.INTEGER: (
        *NO_NUMBER,
        Wrong(1.5, "is not whole"),
        Wrong(LARGEST_INTEGER + 1, "is too large to be exact"),
    ),
    FieldType.MONEY: (
        *NO_NUMBER,
        Wrong(1.234, "has three decimals"),
        Wrong(LARGEST_MONEY + 1, "is over 1,000,000,000"),
    ),
    FieldType.YES_NO: (Wrong("yes", "is a word instead of true or false", typed=True), NO_TEXT[1]),
    FieldType.DATE: (
        Wrong("2026-02-30", "is a day that does not exist"),
        Wrong("17.11.2026", "is written otherwise"),
        Wrong(20261117, "is a number instead of a day", typed=True),
    ),
    FieldType.TIME: (
        Wrong("24:00", "is past the end of the day"),
        Wrong("09:60", "has sixty minutes"),
        Wrong("morning", "is a word instead of a time"),
    ),
    FieldType.EMAIL: _wrongs("is no address of mail", "nobody", "a@b", "a b@example.org", "@x.org"),
    FieldType.URL: _wrongs("is no address of the web", "example", "ftp://example.org", "https://"),
    FieldType.CHOICE: (Wrong("none of these", "is not among the values"), *NO_TEXT),
}


def _out_of_range(field: AppField) -> Iterator[Wrong]:
    step = 1 if field.type is FieldType.INTEGER else 0.5
    if field.minimum is not None:
        yield Wrong(_tidy(field, math.floor(field.minimum) - step), f"is below {field.minimum:g}")
    if field.maximum is not None:
        yield Wrong(_tidy(field, math.ceil(field.maximum) + step), f"is above {field.maximum:g}")


def _tidy(field: AppField, number: float) -> float | int:
    return int(number) if field.type is FieldType.INTEGER else number


def edges(field: AppField) -> list[Json]:
    """Values that are just within the rules."""
    if field.type in LONGEST:
        return ["é" * LONGEST[field.type]]
    found = [bound for bound in (field.minimum, field.maximum) if bound is not None]
    if field.type is FieldType.INTEGER:
        return [int(bound) for bound in found if bound == int(bound)] or [LARGEST_INTEGER]
    if field.type is FieldType.MONEY:
        return [bound for bound in found if round(bound, 2) == bound] or [0.07, -12.5]
    others: dict[FieldType, list[Json]] = {
        FieldType.DATE: ["2024-02-29"],
        FieldType.TIME: ["00:00", "23:59"],
        FieldType.CHOICE: list(field.choices),
        FieldType.YES_NO: [True, False],
        FieldType.NUMBER: found or [-0.125],
    }
    return others.get(field.type, [])


def default_of(field: AppField) -> Json:
    """What a field has that nobody filled in."""
    if field.default is None:
        return False if field.type is FieldType.YES_NO else None
    if field.type is FieldType.DATE and field.default == "today":
        return today().isoformat()
    return field.default


def same(field: AppField, sent: Json, got: Json) -> bool:
    """Whether a value came back as it went in."""
    if field.type in COUNTABLE and _is_number(sent) and _is_number(got):
        return math.isclose(sent, got, rel_tol=1e-12, abs_tol=1e-9)
    if isinstance(sent, str) and isinstance(got, str):
        return got in {sent, sent.strip()}
    return type(sent) is type(got) and bool(sent == got)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def matching(resource: Resource, view: View) -> dict[str, Json] | None:
    """Values with which an item is in the view; None if that cannot be told from the spec."""
    chosen: dict[str, Json] = {}
    for condition in view.conditions:
        same_field = [other for other in view.conditions if other.field == condition.field]
        options = [
            value
            for value in _candidates(resource.field(condition.field), view)
            if all(_holds(other, value) for other in same_field)
        ]
        if not options:
            return None
        chosen[condition.field] = options[0]
    return chosen


def missing(resource: Resource, view: View) -> Iterator[dict[str, Json]]:
    """For each condition, values for which all the others hold and this one does not."""
    fits = matching(resource, view)
    for condition in view.conditions if fits else ():
        field = resource.field(condition.field)
        options = [value for value in _candidates(field, view) if not _holds(condition, value)]
        if options:
            yield {**(fits or {}), field.name: options[0]}


def _candidates(field: AppField, view: View) -> list[Json]:
    named = [c.value for c in view.conditions if c.field == field.name and c.value is not None]
    return [*_usual(field), *(value for value in named if field.type is not FieldType.CHOICE)]


def _usual(field: AppField) -> list[Json]:
    if field.type in COUNTABLE:
        lowest, highest = _bounds(field)
        spread = {lowest, highest, *(_number(field, n) for n in range(300)), *(float(n) for n in range(-50, 1000))}
        fits = sorted(number for number in spread if lowest <= number <= highest)
        return [int(number) for number in fits if number == int(number)] if field.type is FieldType.INTEGER else fits
    day = today()
    others: dict[FieldType, list[Json]] = {
        FieldType.YES_NO: [True, False],
        FieldType.CHOICE: list(field.choices),
        FieldType.DATE: [(day + timedelta(days=step)).isoformat() for step in (-40, -1, 0, 1, 40)],
        FieldType.TIME: ["00:30", "12:00", "23:30"],
        FieldType.EMAIL: ["one@example.org", "two@example.org"],
        FieldType.URL: ["https://one.example.org", "https://two.example.org"],
    }
    return others.get(field.type, ["one", "two"])


def _holds(condition: Condition, value: Json) -> bool:
    day, asked = today().isoformat(), condition.value
    comparable = type(value) is type(asked) or (_is_number(value) and _is_number(asked))
    holds: dict[Op, Callable[[], bool]] = {
        Op.IS: lambda: value == asked,
        Op.IS_NOT: lambda: value != asked,
        Op.ABOVE: lambda: comparable and value > asked,
        Op.BELOW: lambda: comparable and value < asked,
        Op.BEFORE_TODAY: lambda: str(value) < day,
        Op.TODAY: lambda: str(value) == day,
        Op.AFTER_TODAY: lambda: str(value) > day,
    }
    return bool(holds[condition.op]())
