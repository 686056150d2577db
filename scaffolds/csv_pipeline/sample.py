"""Rows to try a pipeline with: they fit its columns, and are the same each time."""

import csv
import io
import json
from datetime import date, timedelta
from fractions import Fraction

from contracts.app_spec import AppField, FieldType

ROWS = 24
PLACES = ("North", "South", "East", "West")
FIRST_DAY = date(2026, 1, 5)


def as_csv(fields: list[AppField], rows: list[list[str]]) -> str:
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows([[field.name for field in fields], *rows])
    return made.getvalue()


def as_json(fields: list[AppField], rows: list[list[str]]) -> str:
    objects = [{field.name: _in_json(field, text) for field, text in zip(fields, row, strict=True)} for row in rows]
    return json.dumps(objects, indent=2, ensure_ascii=False) + "\n"


def _in_json(field: AppField, text: str) -> str | int | float | bool:
    if field.type in _NUMBERS:
        return float(text) if "." in text else int(text)
    return text == "yes" if field.type is FieldType.YES_NO else text


def sample_rows(fields: list[AppField]) -> list[list[str]]:
    return [[value(field, number) for field in fields] for number in range(ROWS)]


def value(field: AppField, number: int) -> str:
    """One that fits its field, as it would stand in a file."""
    if field.type in _NUMBERS:
        return _number(field, number)
    if field.type is FieldType.CHOICE:
        return field.choices[_mixed(number) % len(field.choices)]
    if field.type is FieldType.TEXT and not field.unique:
        place = _mixed(number) % len(PLACES)
        return PLACES[place] if field.name == "region" else f"{field.label.strip()} {place + 1}"
    return _text(field.type, number)


def _mixed(number: int) -> int:
    """Some values more often than others."""
    return number * number // 3 + number


_NUMBERS = {FieldType.NUMBER: Fraction(1, 4), FieldType.INTEGER: Fraction(1), FieldType.MONEY: Fraction(1, 100)}
"""The steps between values."""


def _text(kind: FieldType, number: int) -> str:
    texts = {
        FieldType.TEXT: f"Item {number + 1}",
        FieldType.LONG_TEXT: f"Note {number + 1}",
        FieldType.YES_NO: "no" if number % 3 else "yes",
        FieldType.DATE: str(FIRST_DAY + timedelta(days=3 * number)),
        FieldType.TIME: f"{8 + number % 10:02d}:{number * 7 % 60:02d}",
        FieldType.EMAIL: f"person{number + 1}@example.com",
        FieldType.URL: f"https://example.com/{number + 1}",
    }
    return texts[kind]


def _number(field: AppField, number: int) -> str:
    """Something between the smallest and the largest value, in whole steps of its type."""
    step = _NUMBERS[field.type]
    low, high = bounds(field)
    place = Fraction((number * 37 + 11) % 101, 101)
    steps = (low + (high - low) * place) // step
    return decimal(min(max(steps * step, -(-low // step) * step), high // step * step))


def bounds(field: AppField) -> tuple[Fraction, Fraction]:
    """What is said, else a hundred wide."""
    low = None if field.minimum is None else Fraction(str(field.minimum))
    high = None if field.maximum is None else Fraction(str(field.maximum))
    if low is None and high is None:
        return Fraction(5), Fraction(200)
    if low is None:
        low = (high or Fraction(0)) - 100
    return low, low + 100 if high is None else high


def decimal(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.6f}".rstrip("0")
