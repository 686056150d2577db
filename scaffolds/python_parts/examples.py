"""Values that fit a field and values that do not, for the tests and the README of a generated app.

A value that is too long or too odd for a line of Python is a mapping that the generated tests turn into the value:
`{"before": "", "times": 201, "after": ""}` (so many times x), `{"float": "inf"}`, `{"digits": 400}` and `{"day": -1}`
(from today).
"""

import math
from typing import Any

from contracts.app_spec import AppField, FieldType
from scaffolds.base import whole

ORDINALS = ("First", "Second", "Third", "Fourth")
LARGEST_INTEGER = 2**53 - 1
MOST_MONEY = 1_000_000_000


def samples(field: AppField, count: int = 3) -> list[Any]:
    """Different values that fit, in their JSON form; fewer if there are not so many."""
    if field.type is FieldType.YES_NO:
        return [True, False][:count]
    if field.type is FieldType.CHOICE:
        return list(field.choices[:count])
    if field.type in _STEPS:
        return _numbers(field, count)
    return [_text(field, number) for number in range(count)]


def _text(field: AppField, number: int) -> str:
    words = f"{ORDINALS[number] if number < len(ORDINALS) else f'No. {number}'} {field.name.replace('_', ' ')}"
    dashed = words.lower().replace(". ", "").replace(" ", "-")
    return {
        FieldType.LONG_TEXT: f"{words}\nwith Äpfel",
        FieldType.DATE: f"2026-01-{number + 1:02d}",
        FieldType.TIME: f"{number:02d}:30",
        FieldType.EMAIL: f"{dashed}@example.com",
        FieldType.URL: f"https://example.com/{dashed}",
    }.get(field.type, words)


_STEPS = {FieldType.NUMBER: 2, FieldType.INTEGER: 1, FieldType.MONEY: 100}
"""How many values there are between a number and the next, when they are counted in whole steps."""


def _numbers(field: AppField, count: int) -> list[Any]:
    low, high = steps_within(field)
    if field.type is FieldType.MONEY and low <= 999 <= high - 100 * count:
        found = range(999, 999 + 100 * count, 100)
    elif field.minimum is not None:
        found = range(low, min(high, low + count - 1) + 1)
    elif field.maximum is not None:
        found = range(max(low, high - count + 1), high + 1)
    else:
        found = range(1, count + 1)
    return [from_steps(field, step) for step in found] or _bounds(field)[:count]


def steps_within(field: AppField) -> tuple[int, int]:
    """The smallest and the largest value that fit, in steps."""
    steps, most = _STEPS[field.type], MOST_MONEY if field.type is FieldType.MONEY else LARGEST_INTEGER
    low = -most if field.minimum is None else max(-most, field.minimum)
    high = most if field.maximum is None else min(most, field.maximum)
    return math.ceil(round(low * steps, 6)), math.floor(round(high * steps, 6))


def from_steps(field: AppField, step: int) -> Any:
    return step if field.type is FieldType.INTEGER else whole(step / _STEPS[field.type])


def mistakes(field: AppField) -> list[tuple[Any, str]]:
    """Values that do not fit, and what is said about each."""
    found = list(_MISTAKES.get(field.type, []))
    if field.type is FieldType.CHOICE:
        words = "must be one of: " + ", ".join(field.choices)
        found = [(5, words), ("none of these", words)]
    found += _beyond(field)
    if field.required and field.type is not FieldType.YES_NO:
        found += [(None, "is required"), ("", "is required"), ("  ", "is required")]
    return found


def _beyond(field: AppField) -> list[tuple[Any, str]]:
    """What is below the smallest and above the largest value, as far as nothing else is wrong with it."""
    found = []
    if field.minimum is not None:
        found.append((math.ceil(field.minimum) - 1, f"must be at least {whole(field.minimum)}"))
    if field.maximum is not None:
        found.append((math.floor(field.maximum) + 1, f"must be at most {whole(field.maximum)}"))
    most = MOST_MONEY if field.type is FieldType.MONEY else LARGEST_INTEGER
    return [(value, words) for value, words in found if abs(value) <= most]


def _long(times: int, before: str = "", after: str = "") -> dict[str, Any]:
    return {"before": before, "times": times, "after": after}


_URL = "must be a web address such as https://example.com"
_MAIL = "must be an email address"
_AMOUNT = "must be an amount such as 9.99"
_DAY = "must be a date such as 2026-11-17"
_TIME = "must be a time such as 09:30"
_WITHIN = f"must be within ±{LARGEST_INTEGER}"
_MISTAKES: dict[FieldType, list[tuple[Any, str]]] = {
    FieldType.TEXT: [
        (5, "must be one line of text"),
        ("two\nlines", "must be one line of text"),
        ("half \ud800", "must be one line of text"),
        (_long(201), "must have at most 200 characters"),
    ],
    FieldType.LONG_TEXT: [
        (5, "must be text"),
        ("nothing \0", "must be text"),
        ("half \udfff", "must be text"),
        (_long(10_001), "must have at most 10,000 characters"),
    ],
    FieldType.NUMBER: [
        ("1", "must be a number"),
        (True, "must be a number"),
        ({"float": "inf"}, "must be a finite number"),
        ({"float": "nan"}, "must be a finite number"),
        ({"digits": 400}, "must be a finite number"),
    ],
    FieldType.INTEGER: [
        ("1", "must be a whole number"),
        (1.5, "must be a whole number"),
        (True, "must be a whole number"),
        (LARGEST_INTEGER + 1, _WITHIN),
        (-LARGEST_INTEGER - 1, _WITHIN),
    ],
    FieldType.MONEY: [
        ("1", _AMOUNT),
        (True, _AMOUNT),
        (1.234, "must have at most two decimals"),
        (1_000_000_000.01, f"must be within ±{MOST_MONEY}"),
        (-1_000_000_000.01, f"must be within ±{MOST_MONEY}"),
        ({"float": "nan"}, f"must be within ±{MOST_MONEY}"),
    ],
    FieldType.YES_NO: [(value, "must be true or false") for value in (None, "true", 1)],
    FieldType.DATE: [
        *((value, _DAY) for value in (5, "17.11.2026", "20261117", "2026-11-17T10:00")),
        ("2026-02-30", "must be a day that exists"),
    ],
    FieldType.TIME: [(value, _TIME) for value in (5, "24:00", "9:30", "09:60", "09:30:00")],
    FieldType.EMAIL: [
        *((value, _MAIL) for value in (5, "ada", "ada@example", "a da@example.com", "a@b@example.com")),
        ("a\0@example.com", _MAIL),
        (_long(250, after="@x.de"), _MAIL),
    ],
    FieldType.URL: [
        *((value, _URL) for value in (5, "example.com", "ftp://example.com", "http://", "https:///path", "http://:80")),
        ("http://a\0", _URL),
        (_long(1993, before="https://"), _URL),
    ],
}


def edges(field: AppField) -> list[tuple[Any, Any]]:
    """Values that just fit, and what becomes of each."""
    found = list(_EDGES.get(field.type, []))
    if field.type in _STEPS:
        limits = steps_within(field) if field.type is not FieldType.NUMBER else ()
        values = [*(from_steps(field, step) for step in limits), *_bounds(field), *samples(field, 2)]
        found = [(value, value) for value in dict.fromkeys(values)]
    if field.type is FieldType.INTEGER:
        found.append((float(samples(field)[0]), samples(field)[0]))
    if field.type is FieldType.MONEY and (field.minimum or 0) <= 0.29 <= (field.maximum or 1):
        found.append((0.29, 0.29))
    if field.type is FieldType.CHOICE:
        found = [(value, value) for value in field.choices]
    if not field.required and field.type is not FieldType.YES_NO:
        found += [(None, None), ("", None), ("  ", None)]
    return found


def _bounds(field: AppField) -> list[Any]:
    return [whole(bound) for bound in (field.minimum, field.maximum) if bound is not None]


_EDGES: dict[FieldType, list[tuple[Any, Any]]] = {
    FieldType.TEXT: [("  spaces around \n", "spaces around"), (_long(200), _long(200))],
    FieldType.LONG_TEXT: [(" two\nlines ", "two\nlines"), (_long(10_000), _long(10_000))],
    FieldType.YES_NO: [(True, True), (False, False)],
    FieldType.DATE: [(" 2024-02-29 ", "2024-02-29"), ("0001-01-01", "0001-01-01")],
    FieldType.TIME: [("00:00", "00:00"), ("23:59", "23:59"), (" 19:09 ", "19:09")],
    FieldType.EMAIL: [("a@b.c", "a@b.c"), (_long(248, after="@x.com"), _long(248, after="@x.com"))],
    FieldType.URL: [
        ("http://a", "http://a"),
        ("https://me@[::1]:80/?q#x", "https://me@[::1]:80/?q#x"),
        (_long(1992, before="https://"), _long(1992, before="https://")),
    ],
}


def unfit(field: AppField) -> list[str]:
    """Texts in an address that do not fit."""
    found = list(_UNFIT.get(field.type, ["none of these"] if field.choices else []))
    return found + [str(value) for value, _ in _beyond(field)]


_UNFIT: dict[FieldType, list[str]] = {
    FieldType.TEXT: [],
    FieldType.LONG_TEXT: [],
    FieldType.NUMBER: ["x", "inf", "1,5"],
    FieldType.INTEGER: ["x", "1.5"],
    FieldType.MONEY: ["x", "1.234", "nan"],
    FieldType.YES_NO: ["maybe", "True"],
    FieldType.DATE: ["x", "2026-02-30"],
    FieldType.TIME: ["24:00"],
    FieldType.EMAIL: ["x"],
    FieldType.URL: ["x"],
}
