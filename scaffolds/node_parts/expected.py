"""What lists of samples have to look like, for the tests that an app brings along."""

import math
from typing import Any

from contracts.app_spec import COUNTABLE, SEARCHABLE, AppField, AppSpec, FieldType, Resource
from scaffolds.node_parts.description import is_required
from scaffolds.node_parts.samples import body, bounds, sample, whole

ADDED_AT = "2026-11-17T10:00:00Z"
ZEBRA = {
    FieldType.TEXT: "A Zebra here",
    FieldType.LONG_TEXT: "first\nA Zebra here",
    FieldType.EMAIL: "zebra@example.org",
    FieldType.URL: "https://zebra.example.org",
}


def search_cases(resource: Resource) -> list[list[Any]]:
    """For each field that is searched, a value that no other item has anything in common with."""
    found: list[list[Any]] = []
    for field in resource.fields:
        if field.type in ZEBRA:
            found.append([field.name, ZEBRA[field.type], "zEBRA"])
        elif field.type in SEARCHABLE and _is_only_place(resource, field):
            found.append([field.name, field.choices[0], field.choices[0].upper()])
    return found


def _is_only_place(resource: Resource, field: AppField) -> bool:
    """Whether only the first sample is found by the first choice of a field."""
    words = field.choices[0].lower()
    again = field.choices[0].upper().lower()
    other = body(resource, 2).values()
    clean = words == again and field.choices[0] == field.choices[0].strip()
    return clean and not any(words in value.lower() for value in other if isinstance(value, str))


def filter_cases(resource: Resource) -> list[list[Any]]:
    found = []
    for field in resource.fields:
        value, other = sample(field, 1), sample(field, 2)
        if value != other and (not isinstance(value, str) or value == value.strip()):
            found.append([field.name, value, other, text_of(value)])
    return found


def text_of(value: Any) -> str:
    """A value as JavaScript writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def wrong_filters(resource: Resource) -> list[list[str]]:
    wrong = {
        **dict.fromkeys(COUNTABLE, "many"),
        FieldType.YES_NO: "maybe",
        FieldType.DATE: "2026-02-30",
        FieldType.TIME: "25:00",
        FieldType.EMAIL: "nobody",
        FieldType.URL: "nowhere",
    }
    found = [[field.name, wrong[field.type]] for field in resource.fields if field.type in wrong]
    return found + [
        [field.name, "".join(field.choices) + "?"] for field in resource.fields if field.type is FieldType.CHOICE
    ]


def sort_cases(resource: Resource) -> list[list[Any]]:
    """Two values for each field, the larger one first; and one that is there before none."""
    found: list[list[Any]] = []
    for field in resource.fields:
        low, high = sorted((sample(field, 1), sample(field, 2)), key=_sort_key)
        if low != high:
            found.append([field.name, high, low])
        if field.type in COUNTABLE:
            found += _far_apart(field)
        if not is_required(field) and field.type is not FieldType.YES_NO:
            found.append([field.name, high, None])
    return found


def _sort_key(value: Any) -> Any:
    """Texts as JavaScript compares them."""
    return value.encode("utf-16-be") if isinstance(value, str) else value


def _far_apart(field: AppField) -> list[list[Any]]:
    """Numbers that would be the other way round as texts."""
    low, high = bounds(field)
    start = max(math.ceil(low), 9)
    return [[field.name, 10, 9]] if start == 9 and high >= 10 else []


def csv_of(resource: Resource) -> str:
    names = ["id", *resource.parents, *(field.name for field in resource.fields), "created_at"]
    rows = [names]
    for number in (1, 2):
        values = body(resource, number)
        ids = [str(number)] * (1 + len(resource.parents))
        rows.append([*ids, *(_cell(values[field.name]) for field in resource.fields), ADDED_AT])
    return "".join(",".join(row) + "\r\n" for row in rows)


def _cell(value: Any) -> str:
    text = text_of(value)
    safe = f"'{text}" if isinstance(value, str) and text.startswith(("=", "+", "-", "@")) else text
    return '"' + safe.replace('"', '""') + '"' if any(mark in safe for mark in '",\r\n') else safe


def money_of(spec: AppSpec) -> dict[str, Any] | None:
    """An amount that is not a whole number of anything but cents."""
    for resource in spec.resources:
        for field in resource.fields:
            if field.type is FieldType.MONEY:
                low, high = bounds(field)
                value = 1.15 if low <= 1.15 <= high else whole(low)
                return {
                    "resource": resource.name,
                    "field": field.name,
                    "value": text_of(value),
                    "cents": round(value * 100),
                }
    return None


def formula_of(spec: AppSpec) -> dict[str, Any] | None:
    """A resource with a table, in which a text can be anything."""
    for resource in spec.resources:
        texts = [field for field in resource.fields if field.type is FieldType.TEXT]
        if resource.csv and texts and not any(field.unique for field in resource.fields if field is not texts[0]):
            return {"resource": resource.name, "field": texts[0].name}
    return None
