"""What the tests of a generated web app type into its forms, and what they expect to see."""

from datetime import date
from typing import Any

from contracts.app_spec import AppField, AppSpec, FieldType, Resource
from scaffolds.base import class_name, inner
from scaffolds.python_parts.example_items import bodies, default, many, view_bodies
from scaffolds.python_parts.examples import edges, mistakes
from scaffolds.python_parts.uses import searched

NUMBERS = {FieldType.NUMBER, FieldType.INTEGER, FieldType.MONEY}
BARE = {*NUMBERS, FieldType.YES_NO, FieldType.TIME}
"""Types whose values need their label beside them to mean something."""
NOT_A_NUMBER = {
    FieldType.NUMBER: "must be a number",
    FieldType.INTEGER: "must be a whole number",
    FieldType.MONEY: "must be an amount such as 9.99",
}


def trials(spec: AppSpec) -> list[dict[str, Any]]:
    """For each resource; parents come before their children."""
    return [_trial(spec, resource) for resource in spec.resources]


def _trial(spec: AppSpec, resource: Resource) -> dict[str, Any]:
    fields = resource.fields
    found = bodies(resource)
    return {
        "name": resource.name,
        "path": resource.path,
        "label": resource.label,
        "plural_label": resource.plural_label,
        "inner": inner(resource.label),
        "inner_plural": inner(resource.plural_label),
        "main": resource.main.name,
        "parents": {f"{name}_id": spec.resource(name).path for name in resource.belongs_to},
        "children": {
            other.path: f"{name}_id" for other in spec.resources for name in other.belongs_to if name == resource.name
        },
        "labels": {field.name: field.label for field in fields},
        "columns": headings(spec, resource),
        "buttons": [field.name for field in columns(resource) if field.type is FieldType.YES_NO],
        "kinds": {field.name: field.type.value for field in fields},
        "needed": [field.name for field in fields if field.required and default(field) is None],
        "required": [field.name for field in fields if field.required and field.type is not FieldType.YES_NO],
        "bodies": found,
        "forms": [form(resource, body) for body in found],
        "titles": [title(resource.main, body[resource.main.name]) for body in found if resource.main.name in body],
        "shown": {name: shown(resource.field(name), value) for name, value in found[0].items()},
        "defaults": {field.name: typed(field, default(field)) for field in fields},
        "initial": {field.name: False if field.type is FieldType.YES_NO else default(field) for field in fields},
        "mistakes": [[field.name, *mistake] for field in fields for mistake in form_mistakes(field)],
        "edges": [[field.name, *edge] for field in fields for edge in form_edges(field)],
        "unique": [field.name for field in fields if field.unique],
        "many": [form(resource, body) for body in many(resource)],
        "searched": [field.name for field in searched(resource)],
        "choices": {field.name: list(field.choices) for field in fields if field.choices},
        "views": {view.slug: _view(resource, view.slug) for view in resource.views},
        "formulas": [field.name for field in fields if field.type is FieldType.TEXT],
        "append_only": resource.append_only,
        "quick_add": resource.quick_add,
        "filter": resource.filter,
        "sort": resource.sort,
        "paging": resource.paging,
        "csv": resource.csv,
    }


def _view(resource: Resource, slug: str) -> dict[str, Any]:
    view = next(view for view in resource.views if view.slug == slug)
    found = view_bodies(resource, view)
    return {"title": view.title, **{way: [form(resource, body) for body in found[way]] for way in ("in", "out")}}


def headings(spec: AppSpec, resource: Resource) -> list[str]:
    """Of a list: of the main field, of parents, and of others."""
    above = [spec.resource(name).label for name in resource.belongs_to]
    return [resource.main.label, *above, *(field.label for field in columns(resource))]


def columns(resource: Resource) -> list[AppField]:
    """The fields that a list shows besides the main one: as many as make six columns, long texts last."""
    others = [field for field in resource.fields if field != resource.main]
    others.sort(key=lambda field: field.type is FieldType.LONG_TEXT)
    return others[: max(0, 5 - len(resource.belongs_to))]


def form(resource: Resource, body: dict[str, Any]) -> dict[str, Any]:
    """The form that makes an item; a box without a tick is not sent."""
    fields = {name: resource.field(name) for name in body}
    return {
        name: typed(fields[name], value)
        for name, value in body.items()
        if fields[name].type is not FieldType.YES_NO or value
    }


def typed(field: AppField, value: Any) -> Any:
    """What one types for a value; days from today stay what they are."""
    if isinstance(value, dict):
        return value
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    return f"{value:.2f}" if field.type is FieldType.MONEY else str(value)


def shown(field: AppField, value: Any) -> str:
    """How a value stands on a page."""
    if value is None:
        return "–"
    if field.type is FieldType.DATE:
        day = date.fromisoformat(value)
        return f"{day.day} {day:%B %Y}"
    if field.type is FieldType.MONEY:
        return f"{value:,.2f}"
    if field.type in NUMBERS:
        plain = f"{value:,}".removesuffix(".0")
        return plain if abs(value) >= 10_000 else plain.replace(",", "")
    if field.type is FieldType.YES_NO:
        return "Yes" if value else "No"
    return " ".join(str(value).split())


def title(field: AppField, value: Any) -> str:
    """The words by which an item is known."""
    words = shown(field, value)
    return " ".join(f"{field.label}: {words}".split()) if field.type in BARE else words


def form_mistakes(field: AppField) -> list[tuple[Any, str]]:
    """What does not fit, as it is typed."""
    if field.type is FieldType.YES_NO:
        return []
    found = [(_as_text(field, value), words) for value, words in mistakes(field)]
    if field.type in NUMBERS:
        found.append(("x1", NOT_A_NUMBER[field.type]))
    return [(text, words) for text, words in found if text is not None]


def form_edges(field: AppField) -> list[tuple[Any, Any]]:
    """What just fits, as it is typed, and what is kept."""
    if field.type is FieldType.YES_NO:
        return []
    found = [(_as_text(field, value), kept) for value, kept in edges(field)]
    return [(text, kept) for text, kept in found if text is not None]


def _as_text(field: AppField, value: Any) -> Any:
    """None for what nobody can type, or what fits once it is typed."""
    if isinstance(value, dict):
        return value if "times" in value else str(float("inf")) if "digits" in value else value["float"]
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        half = any("\ud800" <= char <= "\udfff" for char in value)
        return None if half or (field.type in NUMBERS and value.strip()) else value
    whole_float = field.type is FieldType.INTEGER and isinstance(value, float) and value.is_integer()
    return repr(value) if field.type in NUMBERS and not whole_float else None


def chart_trials(spec: AppSpec) -> list[dict[str, Any]]:
    """What the page of charts says."""
    found = []
    for chart in spec.charts:
        resource = spec.resource(chart.resource)
        by, total = resource.field(chart.by), resource.field(chart.total) if chart.total else None
        whose = f"{total.label if total else 'Number'} of {inner(resource.plural_label)}"
        found.append(
            {
                "resource": resource.name,
                "title": f"{whose} by {inner(by.label)}",
                "by": by.name,
                "by_label": by.label,
                "total": chart.total,
                "measure": total.label if total else "Number",
            }
        )
    return found


_BAR_VALUES: dict[FieldType, tuple[str, str, str, str]] = {
    FieldType.DATE: ('"2026-01-01"', '"2026-02-01"', "1 January 2026", "1 February 2026"),
    FieldType.TIME: ('"08:00"', '"09:00"', "08:00", "09:00"),
    FieldType.YES_NO: ("False", "True", "No", "Yes"),
    FieldType.MONEY: ("1.5", "20000.0", "1.50", "20,000.00"),
    FieldType.NUMBER: ("1.5", "2.0", "1.5", "2"),
    FieldType.INTEGER: ("1", "20000", "1", "20,000"),
}


def chart_orders(kinds: set[FieldType]) -> list[tuple[str, str, str, str]]:
    """For each type that tells bars apart: a field, figures by value, the labels in order, and two values; as code."""
    made = []
    for kind in sorted(kinds):
        one, two, first, second = _BAR_VALUES.get(kind, ('"a"', '"b"', "a", "b"))
        more = f", choices=({two}, {one})" if kind is FieldType.CHOICE else ""
        field = f'{class_name(kind)}(name="x", label="X"{more})'
        labels = [first, second] if kind in {FieldType.DATE, FieldType.TIME} else [second, first]
        listed = ", ".join(f'"{label}"' for label in [*labels, "Not given"])
        small, large = (one, two) if kind is not FieldType.CHOICE else (two, one)
        made.append((field, f"{{None: 9, {small}: 0, {large}: 3}}", f"[{listed}]", f"{one}, {two}"))
    return made


def format_trials(types: set[str]) -> list[tuple[str, Any, str]]:
    """Values of each type that is written in a way of its own, and how they look."""
    known: list[tuple[str, str, Any, str]] = [
        ("date", "Date", "2026-11-07", "7 November 2026"),
        ("money", "Money", 1234567.5, "1,234,567.50"),
        ("money", "Money", -3, "-3.00"),
        ("number", "Number", 12.0, "12"),
        ("number", "Number", 9999.5, "9999.5"),
        ("number", "Number", 10000.25, "10,000.25"),
        ("integer", "Integer", 1987, "1987"),
        ("integer", "Integer", -9999, "-9999"),
        ("integer", "Integer", 10000, "10,000"),
        ("integer", "Integer", 1234567, "1,234,567"),
        ("yes_no", "YesNo", True, "Yes"),
        ("yes_no", "YesNo", False, "No"),
        ("text", "Text", "as it is", "as it is"),
    ]
    return [(kind, value, words) for name, kind, value, words in known if name in types]
