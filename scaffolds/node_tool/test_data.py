"""What the tests of a tool type, and what they expect of it, as data."""

import re
from collections.abc import Iterator
from typing import Any

from contracts.app_spec import COUNTABLE, AppField, AppSpec, FieldType, Resource
from scaffolds.node_parts.description import Uses, is_required, is_today
from scaffolds.node_parts.expected import csv_of, filter_cases, search_cases, sort_cases, wrong_filters
from scaffolds.node_parts.literals import Code
from scaffolds.node_parts.samples import accepted, body, preset, refused, view_cases
from scaffolds.node_tool.examples import text_of


def samples_of(spec: AppSpec, uses: Uses) -> dict[str, Any]:
    several = len(spec.resources) > 1
    return {resource.name: _sample(resource, uses, several=several) for resource in spec.resources}


def _sample(resource: Resource, uses: Uses, *, several: bool) -> dict[str, Any]:
    fields, main = resource.fields, resource.main
    needed = [field.name for field in fields if is_required(field) and field.default is None]
    told: dict[str, Any] = {"command": [resource.path] if several else [], "table": resource.plural}
    told |= {"main": main.name, "commands": _commands(resource), "words": _words(resource)}
    if uses.relations:
        told["parents"] = {f"{name}_id": name for name in resource.belongs_to}
    bodies = [body(resource, 1), body(resource, 2)]
    told["line"] = _line(resource, bodies[0])
    told["bodies"] = bodies
    told["given"] = [{field.name: typed(field, one[field.name]) for field in fields} for one in bodies]
    told["presets"] = {field.name: preset(field) for field in fields if field.name not in needed}
    told["needed"] = needed
    if uses.today:
        told["days"] = [field.name for field in fields if is_today(field)]
    if uses.unique:
        told["unique"] = [field.name for field in fields if field.unique]
    told["accepted"] = {field.name: cases for field in fields if (cases := list(_accepted(resource, field)))}
    told["refused"] = {field.name: cases for field in fields if (cases := list(_refused(resource, field)))}
    return told | _lists(resource, uses)


def _words(resource: Resource) -> list[str]:
    """What one and several are called in sentences."""
    return [resource.name.replace("_", " "), resource.plural.replace("_", " ")]


def _line(resource: Resource, values: dict[str, Any]) -> str:
    """The first item as it stands in a list."""
    parents = [f"{name.replace('_', ' ')}: 1" for name in resource.belongs_to]
    others = [field for field in resource.fields if field != resource.main]
    parts = [*parents, *(f"{field.label}: {_plain(values[field.name])}" for field in others)]
    title = f"1  {_plain(values[resource.main.name])}"
    return f"{title}  ({', '.join(parts)})" if parts else title


def _plain(value: Any) -> str:
    return re.sub(r"[\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+", " ", text_of(value))


def _commands(resource: Resource) -> list[str]:
    found = ["add", "list", "show"]
    if not resource.append_only:
        found += ["edit", "remove"]
        found += [field.name for field in resource.fields if field.name == "done" and field.type is FieldType.YES_NO]
    return [*found, "export"] if resource.csv else found


def typed(field: AppField, value: Any) -> Any:
    """As it is typed: a text, or for yes or no whether to use the option or its opposite."""
    return value if field.type is FieldType.YES_NO else text_of(value)


def _accepted(resource: Resource, field: AppField) -> Iterator[list[Any]]:
    if field.type is FieldType.YES_NO:
        if field == resource.main:
            yield from (["yes", True], ["No", False], ["true", True], ["false", False])
        return
    for given, kept in accepted(field):
        if given is not None:
            yield [given if isinstance(given, Code) else text_of(given), kept]
    if field.type in COUNTABLE and not is_required(field):
        yield ["", None]


def _refused(resource: Resource, field: AppField) -> Iterator[list[Any]]:
    if field.type is FieldType.YES_NO:
        if field == resource.main:
            yield ["maybe", "must be yes or no"]
        return
    for given, words in refused(field):
        number = isinstance(given, int | float) and not isinstance(given, bool)
        if isinstance(given, str | Code) if field.type not in COUNTABLE else number:
            yield [given if isinstance(given, Code) else text_of(given), words]
    if field.type in COUNTABLE:
        wrong = {
            FieldType.NUMBER: "must be a number",
            FieldType.INTEGER: "must be a whole number",
            FieldType.MONEY: "must be an amount such as 9.99",
        }
        yield ["many", wrong[field.type]]
        if is_required(field):
            yield ["", "is required"]


def _lists(resource: Resource, uses: Uses) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if uses.search:
        told["searched"] = _typed(resource, search_cases(resource), 1) if resource.search else None
    if uses.filter:
        told["filtered"] = _filtered(resource) if resource.filter else None
        told["wrongFilters"] = _open(wrong_filters(resource)) if resource.filter else []
    if uses.sort:
        told["sorted"] = _sorted(resource) if resource.sort else None
    if uses.paging:
        told["paging"] = resource.paging
    if uses.views:
        told["views"] = [
            [view.slug, _given(resource, case.values), case.inside]
            for view in resource.views
            for case in view_cases(resource, view)
        ]
    if uses.csv:
        told["csv"] = csv_of(resource) if resource.csv else None
    return told


OWN = ("json", "search", "sort", "page", "view")
"""Options of lists that are not about a field, and so come before a field of the same name."""


def _open(cases: list[list[Any]]) -> list[list[Any]]:
    return [case for case in cases if case[0] not in OWN]


def _given(resource: Resource, values: dict[str, Any]) -> dict[str, Any]:
    return {name: "" if value is None else typed(resource.field(name), value) for name, value in values.items()}


def _typed(resource: Resource, cases: list[list[Any]], *places: int) -> list[list[Any]]:
    """The cases with values as they are typed."""
    found = []
    for case in cases:
        field = resource.field(case[0])
        found.append([typed(field, item) if place in places else item for place, item in enumerate(case)])
    return found


def _filtered(resource: Resource) -> list[list[Any]]:
    """In an address it is `true`, on a command line `yes`."""
    found = []
    for name, value, other, _ in _open(filter_cases(resource)):
        field = resource.field(name)
        found.append([name, typed(field, value), typed(field, other), text_of(value)])
    return found


def _sorted(resource: Resource) -> list[list[Any]]:
    found = []
    for name, value, lower in sort_cases(resource):
        field = resource.field(name)
        found.append([name, typed(field, value), "" if lower is None else typed(field, lower)])
    return found
