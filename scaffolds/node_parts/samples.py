"""Values that fit a field and values that do not, for the tests that an app brings along."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from contracts.app_spec import COUNTABLE, AppField, Condition, FieldType, Op, Resource, View
from scaffolds.node_parts.description import is_required, is_today
from scaffolds.node_parts.literals import Code

TODAY = "2026-11-17"
"""The day on which the tests of an app take place."""
YESTERDAY, TOMORROW = "2026-11-16", "2026-11-18"
LARGEST = 2**53 - 1
MOST_MONEY = 1_000_000_000
STEP = {FieldType.NUMBER: 0.5, FieldType.INTEGER: 1, FieldType.MONEY: 0.01}


def _same(value: Any) -> tuple[Any, Any]:
    return value, value


EDGES: dict[FieldType, list[tuple[Any, Any]]] = {
    FieldType.TEXT: [
        _same(Code('"x".repeat(200)')),
        _same(Code('"🎉".repeat(200)')),
        ("  two words ", "two words"),
    ],
    FieldType.LONG_TEXT: [_same(Code('"x".repeat(10_000)')), (" one\ntwo\n", "one\ntwo")],
    FieldType.YES_NO: [_same(True), _same(False)],
    FieldType.DATE: [_same("2024-02-29"), _same("0001-01-01")],
    FieldType.TIME: [_same("00:00"), _same("23:59"), _same("19:05")],
    FieldType.EMAIL: [_same("a@b.c"), _same(Code('`${"a".repeat(242)}@example.org`'))],
    FieldType.URL: [
        _same("http://a"),
        _same("https://me@a.org:81/b?c#d"),
        _same(Code('`https://example.org/${"a".repeat(1980)}`')),
    ],
}
"""Values that just fit, and what is kept of each."""


def whole(number: float) -> float | int:
    """Without a fraction that is nothing."""
    return int(number) if float(number).is_integer() else number


def sample(field: AppField, number: int) -> Any:
    """A value that fits; another one for another number, as far as there are so many."""
    day = 10 + number
    match field.type:
        case FieldType.YES_NO:
            return number % 2 == 1
        case FieldType.CHOICE:
            return field.choices[(number - 1) % len(field.choices)]
        case FieldType.NUMBER | FieldType.INTEGER | FieldType.MONEY:
            return _number(field, number)
    texts = {
        FieldType.TEXT: f"{field.name.replace('_', ' ')} {number}",
        FieldType.LONG_TEXT: f"{field.name.replace('_', ' ')} {number}\nand more",
        FieldType.DATE: f"2026-05-{day}",
        FieldType.TIME: f"{day}:30",
        FieldType.EMAIL: f"{field.name}.{number}@example.org",
        FieldType.URL: f"https://example.org/{field.name}/{number}",
    }
    return texts[field.type]


def _number(field: AppField, number: int) -> float | int:
    low, high = bounds(field)
    start = (
        low if field.minimum is not None else (min(0, high) if field.maximum is None else high - 3 * STEP[field.type])
    )
    return whole(round(min(start + number * STEP[field.type], high), 6))


def bounds(field: AppField) -> tuple[float, float]:
    """The smallest and the largest number that fit."""
    edge = {FieldType.NUMBER: 1e12, FieldType.INTEGER: LARGEST, FieldType.MONEY: MOST_MONEY}[field.type]
    low = max(-edge, -edge if field.minimum is None else field.minimum)
    high = min(edge, edge if field.maximum is None else field.maximum)
    if field.type is FieldType.INTEGER:
        return math.ceil(low), math.floor(high)
    if field.type is FieldType.MONEY:
        return math.ceil(low * 100 - 1e-6) / 100, math.floor(high * 100 + 1e-6) / 100
    return low, high


def body(resource: Resource, number: int) -> dict[str, Any]:
    """A value for every field."""
    return {field.name: sample(field, number) for field in resource.fields}


def preset(field: AppField) -> Any:
    """What a field is if nothing is given."""
    if is_today(field):
        return TODAY
    if field.type is FieldType.YES_NO:
        return bool(field.default)
    return field.default.strip() if isinstance(field.default, str) and not field.choices else field.default


def accepted(field: AppField) -> list[tuple[Any, Any]]:
    """Values at the edge of what fits, and what is kept of each."""
    if field.type is FieldType.CHOICE:
        found = [_same(choice) for choice in field.choices]
    elif field.type in COUNTABLE:
        found = [_same(whole(edge)) for edge in bounds(field)]
    else:
        found = list(EDGES[field.type])
    if is_required(field) or field.type is FieldType.YES_NO:
        return found
    return [*found, (None, None), *_empty(field)]


def _empty(field: AppField) -> list[tuple[Any, Any]]:
    return [] if field.type in COUNTABLE else [("", None)]


def refused(field: AppField) -> list[tuple[Any, str]]:
    """Values just beyond what fits, and what is said about each."""
    found = [*_wrong(field), *_beyond(field)]
    if is_required(field):
        found.append((None, "is required"))
        found += [(empty, "is required") for empty, _ in _empty(field)]
    return found


def _wrong(field: AppField) -> list[tuple[Any, str]]:
    line, day, hour = "must be one line of text", "must be a date such as 2026-11-17", "must be a time such as 09:30"
    mail, page = "must be an email address", "must be an address such as https://a.org"
    number, money = "must be a number", "must be an amount such as 9.99"
    found: dict[FieldType, list[tuple[Any, str]]] = {
        FieldType.TEXT: [
            (5, "must be text"),
            ("one\ntwo", line),
            (Code('"x".repeat(201)'), "must have at most 200 characters"),
        ],
        FieldType.LONG_TEXT: [
            (False, "must be text"),
            (Code('"x".repeat(10_001)'), "must have at most 10000 characters"),
        ],
        FieldType.NUMBER: [("1", number), (True, number), ([], number)],
        FieldType.INTEGER: [(1.5, "must be a whole number"), (True, "must be a whole number")],
        FieldType.YES_NO: [(None, "must be true or false"), (1, "must be true or false")],
        FieldType.DATE: [
            ("2026-02-30", "must be a day that exists"),
            ("0000-01-01", "must be a day that exists"),
            ("17.11.2026", day),
            (20261117, day),
        ],
        FieldType.TIME: [("24:00", hour), ("09:60", hour), ("9:30", hour), (930, hour)],
        FieldType.EMAIL: [
            ("ada", mail),
            ("ada@example", mail),
            ("ada lovelace@example.org", mail),
            (Code('`${"a".repeat(243)}@example.org`'), "must have at most 254 characters"),
        ],
        FieldType.URL: [
            ("example.org", page),
            ("ftp://example.org", page),
            ("https://", page),
            (Code('`https://example.org/${"a".repeat(1981)}`'), "must have at most 2000 characters"),
        ],
        FieldType.CHOICE: [
            (f"{''.join(field.choices)}?", f"must be one of: {', '.join(field.choices)}"),
            (7, f"must be one of: {', '.join(field.choices)}"),
        ],
        FieldType.MONEY: [("1", money), (1.005, "must have at most two decimals")],
    }
    return found[field.type]


def _beyond(field: AppField) -> Iterator[tuple[Any, str]]:
    if field.type not in COUNTABLE:
        return
    step = STEP[field.type]
    if field.minimum is not None:
        yield whole(round(bounds(field)[0] - step, 6)), f"must be at least {whole(field.minimum)}"
    elif field.type is FieldType.MONEY:
        yield -MOST_MONEY - 1, f"must be within ±{MOST_MONEY}"
    if field.maximum is not None:
        yield whole(round(bounds(field)[1] + step, 6)), f"must be at most {whole(field.maximum)}"
    elif field.type is FieldType.MONEY:
        yield MOST_MONEY + 1, f"must be within ±{MOST_MONEY}"
    elif field.type is FieldType.INTEGER:
        yield LARGEST + 1, "must be a whole number"


@dataclass(frozen=True, slots=True)
class ViewCase:
    """Values that an item has, and whether it is in the view then."""

    values: dict[str, Any]
    inside: bool


def view_cases(resource: Resource, view: View) -> list[ViewCase]:
    """One item that is in the view, and for each condition one that is not because of it alone."""
    names = list(dict.fromkeys(condition.field for condition in view.conditions))
    pools = [list(_candidates(resource.field(name), view)) for name in names]
    found: dict[tuple[bool, ...], dict[str, Any]] = {}
    for chosen in product(*pools):
        values = dict(zip(names, chosen, strict=True))
        found.setdefault(tuple(_holds(condition, values[condition.field]) for condition in view.conditions), values)
    count = len(view.conditions)
    wanted = [tuple(place != broken for place in range(count)) for broken in range(-1, count)]
    cases = [ViewCase(found[key], all(key)) for key in wanted if key in found]
    nulls = [name for name in names if None in _pool(resource.field(name), view)]
    whole_case = next((case for case in cases if case.inside), None)
    if whole_case:
        cases += [ViewCase({**whole_case.values, name: None}, inside=False) for name in nulls]
    return cases


def _candidates(field: AppField, view: View) -> Iterator[Any]:
    """The values at the edge come first, so that they are the ones that are tried."""
    for value in _pool(field, view):
        if value is not None and fits(field, value):
            yield value


def _pool(field: AppField, view: View) -> list[Any]:
    about = [condition for condition in view.conditions if condition.field == field.name]
    values = [condition.value for condition in about if condition.value is not None]
    pool: list[Any] = [TODAY, YESTERDAY, TOMORROW] if field.type is FieldType.DATE else []
    for value in values:
        pool.append(value)
        if field.type in COUNTABLE:
            step = STEP[field.type]
            pool += [whole(round(float(value) + step, 6)), whole(round(float(value) - step, 6))]
    pool += [*field.choices, *(sample(field, number) for number in (1, 2, 3))]
    nullable = not is_required(field) and field.type is not FieldType.YES_NO
    return [*pool, None] if nullable else pool


def fits(field: AppField, value: Any) -> bool:
    if field.type in COUNTABLE:
        low, high = bounds(field)
        return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    if field.choices:
        return value in field.choices
    return isinstance(value, bool) == (field.type is FieldType.YES_NO)


def _holds(condition: Condition, value: Any) -> bool:
    wanted = condition.value
    answers = {
        Op.IS: lambda: value == wanted,
        Op.IS_NOT: lambda: value != wanted,
        Op.ABOVE: lambda: value > wanted,
        Op.BELOW: lambda: value < wanted,
        Op.BEFORE_TODAY: lambda: value < TODAY,
        Op.TODAY: lambda: value == TODAY,
        Op.AFTER_TODAY: lambda: value > TODAY,
    }
    return bool(answers[condition.op]())
