"""What the tests of a pipeline feed it, and what must come out, worked out here and not by the program."""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from contracts.app_spec import AppField, FieldType, Pipeline
from scaffolds.csv_pipeline.sample import bounds, decimal, value

GOOD: dict[FieldType, list[str]] = {
    FieldType.NUMBER: ["0", "-1.5", ".5", "2.", "1e3", "+7"],
    FieldType.INTEGER: ["0", "-12", "9007199254740991", "+3", "5.0"],
    FieldType.MONEY: ["0", "-12.5", "19.99", "1000000000", "1.500"],
    FieldType.DATE: ["2026-11-17", "2024-02-29"],
    FieldType.TIME: ["00:00", "09:30", "23:59"],
    FieldType.EMAIL: ["ada@example.com"],
    FieldType.URL: ["https://example.com/a?b=c", "http://localhost"],
    FieldType.YES_NO: ["yes", "No", "TRUE", "false", "1", "0"],
    FieldType.TEXT: ["One"],
    FieldType.LONG_TEXT: ["One"],
}
BAD: dict[FieldType, list[str]] = {
    FieldType.NUMBER: ["many", "1,5", "nan", "inf", "1e400", "1_000", "."],
    FieldType.INTEGER: ["many", "1.5", "9007199254740992", "-9007199254740992"],
    FieldType.MONEY: ["many", "1.234", "1000000000.01", "-1000000000.01"],
    FieldType.DATE: ["2026-02-30", "17.11.2026", "2026-1-5", "20261117"],
    FieldType.TIME: ["24:00", "09:60", "9:30", "09:30:00"],
    FieldType.EMAIL: ["ada", "ada@example", "a da@example.com", "a@b@example.com", "@example.com"],
    FieldType.URL: ["example.com", "ftp://example.com", "https://", "https://a b.com"],
    FieldType.YES_NO: ["maybe", "2"],
}


def of(columns: list[tuple[AppField, str | None, bool]], pipeline: Pipeline) -> dict[str, Any]:
    """For the templates: a value for each column that is needed, what fits each column, and the groups."""
    fields = {field.name: field for field, _, _ in columns}
    return {
        "needed": {field.name: value(field, 0) for field, _, needed in columns if needed},
        "columns": [_example(field, kind) for field, kind, _ in columns if kind],
        **_groups(fields, pipeline),
    }


def _example(field: AppField, kind: str | None) -> dict[str, Any]:
    if field.type is FieldType.CHOICE:
        good = list(dict.fromkeys(text.strip() for text in field.choices if text.strip()))
        bad = ["not among them"] if "not among them" not in good else []
        return {"name": field.name, "type": kind, "good": good, "bad": bad}
    good, bad = GOOD[field.type], BAD.get(field.type, [])
    if field.minimum is not None or field.maximum is not None:
        inside = [text for text in good if _is_inside(field, Fraction(Decimal(text)))]
        good, bad = list(dict.fromkeys([*_ends(field), *inside])), [*bad, *_beyond(field)]
    return {"name": field.name, "type": kind, "good": good, "bad": bad}


def _is_inside(field: AppField, number: Fraction) -> bool:
    above = field.minimum is None or number >= Fraction(str(field.minimum))
    return above and (field.maximum is None or number <= Fraction(str(field.maximum)))


def _ends(field: AppField) -> list[str]:
    """The ends of the range where a value of the type can be there, else something between."""
    low, high = bounds(field)
    said = [end for end, given in ((low, field.minimum), (high, field.maximum)) if given is not None]
    whole = [end for end in said if _is_of_type(field, end)]
    return list(dict.fromkeys([*map(decimal, whole), value(field, 0)]))


def _is_of_type(field: AppField, number: Fraction) -> bool:
    step = {FieldType.INTEGER: 1, FieldType.MONEY: 100, FieldType.NUMBER: 1_000_000}[field.type]
    return (number * step).denominator == 1


def _beyond(field: AppField) -> list[str]:
    low, high = bounds(field)
    below = [] if field.minimum is None else [decimal(Fraction(low.__floor__() - 1))]
    above = [] if field.maximum is None else [decimal(Fraction(high.__ceil__() + 1))]
    return below + above


def _groups(fields: dict[str, AppField], pipeline: Pipeline) -> dict[str, Any]:
    """Rows of which one has no group and one nothing to add up, and the groups that they make."""
    if pipeline.group_by is None:
        return {}
    first = {"shown_group": value(fields[pipeline.group_by], 0).strip()[:27]}
    values = _distinct(value(fields[pipeline.group_by], number) for number in range(24))[:3]
    names = [*(name for place, name in enumerate(values) for _ in range(place + 1)), ""]
    if pipeline.measure is None:
        counts = {name: names.count(name) for name in names}
        ordered = sorted(counts, key=lambda name: (-counts[name], name == "", name))
        result = [{"value": name or None, "count": counts[name]} for name in ordered]
        return {**first, "group_rows": [[name] for name in names], "group_result": result}
    numbers = [value(fields[pipeline.measure], number) for number in range(len(names))]
    rows = [*([name, number] for name, number in zip(names, numbers, strict=True)), [values[0], ""]]
    if pipeline.group_by == pipeline.measure:
        rows = [[number, number] for number in dict.fromkeys(numbers)]
    return {**first, "group_rows": rows, "group_result": _sums(rows)}


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _sums(rows: list[list[str]]) -> list[dict[str, Any]]:
    made = []
    for name in dict.fromkeys(name for name, _ in rows):
        numbers = [Fraction(number) for other, number in rows if other == name and number]
        total, count = sum(numbers, Fraction(0)), sum(other == name for other, _ in rows)
        mean = _figure(total / len(numbers)) if numbers else None
        made.append((total, {"value": name or None, "count": count, "sum": _figure(total), "mean": mean}))
    made.sort(key=lambda pair: (-pair[0], pair[1]["value"] is None, pair[1]["value"] or ""))
    return [row for _, row in made]


def _figure(number: Fraction) -> int | float:
    rounded = round(number, 6)
    return int(rounded) if rounded.denominator == 1 else float(rounded)
