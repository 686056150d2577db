"""Whole items for the tests of a generated app: some that can stand beside each other, and some in and out of views."""

import operator
from collections.abc import Callable
from datetime import date
from typing import Any

from contracts.app_spec import AppField, AppSpec, Condition, FieldType, Op, Resource, View
from scaffolds.base import whole
from scaffolds.python_parts.examples import edges, mistakes, samples, steps_within, unfit
from scaffolds.python_parts.uses import searched

MANY = 23
"""A page of a list, and a bit of the next."""


def examples(spec: AppSpec) -> list[dict[str, Any]]:
    """What the tests know of each resource. Parents come before their children."""
    return [_example(spec, resource) for resource in spec.resources]


def _example(spec: AppSpec, resource: Resource) -> dict[str, Any]:
    fields = resource.fields
    return {
        "path": resource.path,
        "parents": {f"{name}_id": spec.resource(name).path for name in resource.belongs_to},
        "bodies": bodies(resource),
        "defaults": {field.name: default(field) for field in fields},
        "fields": [field.name for field in fields],
        "needed": [field.name for field in fields if field.required and default(field) is None],
        "mistakes": [[field.name, value, words] for field in fields for value, words in mistakes(field)],
        "edges": [[field.name, value, kept] for field in fields for value, kept in edges(field)],
        "unfit": [[field.name, text] for field in fields for text in unfit(field)] if resource.filter else [],
        "unique": [field.name for field in fields if field.unique],
        "many": many(resource),
        "searched": [field.name for field in searched(resource)],
        "filter": resource.filter,
        "sort": resource.sort,
        "paging": resource.paging,
        "csv": resource.csv,
        "append_only": resource.append_only,
        "views": {view.slug: view_bodies(resource, view) for view in resource.views},
    }


def default(field: AppField) -> Any:
    """What a field is if nothing is given."""
    if field.type is FieldType.DATE and field.default == "today":
        return {"day": 0}
    if field.type is FieldType.YES_NO:
        return bool(field.default)
    return whole(field.default)


def bodies(resource: Resource) -> list[dict[str, Any]]:
    """Up to three items that can be there together: two with all fields, and one with only those that are needed."""
    found = [{field.name: _sample(field, number) for field in resource.fields} for number in range(2)]
    small = {field.name: _sample(field, 2) for field in resource.fields if field.required and default(field) is None}
    return _compatible(resource, [*found, small])


def _sample(field: AppField, number: int) -> Any:
    """Values of unique fields differ from each other and from the default."""
    found = samples(field, number + 2)
    if field.unique:
        found = [value for value in found if value != default(field)] or found
    return found[min(number, len(found) - 1)]


def _compatible(resource: Resource, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of them in which no unique value is twice."""
    unique = [field for field in resource.fields if field.unique]
    kept: list[dict[str, Any]] = []
    taken: set[tuple[str, str]] = set()
    for body in found:
        values = {(field.name, repr(body.get(field.name, default(field)))) for field in unique}
        values = {(name, value) for name, value in values if value != "None"}
        if taken.isdisjoint(values):
            kept.append(body)
            taken |= values
    return kept


def many(resource: Resource) -> list[dict[str, Any]]:
    """As many small items as a list with several pages has; only the unique fields differ."""
    if not resource.paging:
        return []
    unique = [field for field in resource.fields if field.unique]
    small = {field.name: samples(field)[0] for field in resource.fields if field.required and default(field) is None}
    values = {field.name: samples(field, MANY) for field in unique}
    count = min([MANY, *(len(found) for found in values.values())])
    return [{**small, **{name: found[number] for name, found in values.items()}} for number in range(count)]


def view_bodies(resource: Resource, view: View) -> dict[str, list[dict[str, Any]]]:
    """Values with which a view shows an item, and with which not: for each condition, such as miss only that."""
    inside = {condition.field: _value(resource, view, condition.field) for condition in view.conditions}
    if any(value is MISSING for value in inside.values()):
        return {"in": [], "out": []}
    outside = []
    for condition in view.conditions:
        for value in _outside(resource.field(condition.field), condition):
            others = [other for other in view.conditions if other.field == condition.field and other is not condition]
            if all(holds(other, value) for other in others):
                outside.append({**inside, condition.field: value})
    return {"in": [inside], "out": outside}


MISSING = object()


def _value(resource: Resource, view: View, name: str) -> Any:
    """A value for which all conditions on a field hold."""
    field = resource.field(name)
    conditions = [condition for condition in view.conditions if condition.field == name]
    fitting = (value for value in candidates(field, conditions) if all(holds(one, value) for one in conditions))
    return next(fitting, MISSING)


def _outside(field: AppField, condition: Condition) -> list[Any]:
    """Values for which a condition does not hold: one just beside it, and none at all where that is allowed."""
    found = [value for value in candidates(field, [condition]) if not holds(condition, value)]
    nothing = [] if field.required or field.type is FieldType.YES_NO else [None]
    return [*found[:2], *nothing]


def candidates(field: AppField, conditions: list[Condition]) -> list[Any]:
    """Values that fit the field, those at the limits of the conditions first."""
    days = {Op.BEFORE_TODAY, Op.TODAY, Op.AFTER_TODAY}
    if any(condition.op in days for condition in conditions):
        return [{"day": days} for days in (-1, 0, 1)]
    limits = [condition.value for condition in conditions]
    near: list[Any] = list(limits)
    if field.type in {FieldType.NUMBER, FieldType.INTEGER, FieldType.MONEY}:
        step = 1 if field.type is FieldType.INTEGER else 0.01
        near += [round(float(limit or 0) + sign * step, 2) for limit in limits for sign in (-1, 1)]
        low, high = steps_within(field)
        near = [whole(value) for value in near if isinstance(value, int | float) and _within(field, value, low, high)]
    return [*near, *samples(field, 4)]


def _within(field: AppField, value: float, low: int, high: int) -> bool:
    minimum = field.minimum if field.minimum is not None else value
    maximum = field.maximum if field.maximum is not None else value
    return minimum <= value <= maximum and (field.type is not FieldType.INTEGER or low <= value <= high)


def holds(condition: Condition, value: Any) -> bool:
    if value is None:
        return False
    if condition.op in {Op.BEFORE_TODAY, Op.TODAY, Op.AFTER_TODAY}:
        day = value["day"] if isinstance(value, dict) else (date.fromisoformat(value) - date.max).days
        return {Op.BEFORE_TODAY: day < 0, Op.TODAY: day == 0, Op.AFTER_TODAY: day > 0}[condition.op]
    if isinstance(value, dict):
        return False
    return bool(_COMPARE[condition.op](value, condition.value))


_COMPARE: dict[Op, Callable[[Any, Any], Any]] = {
    Op.IS: operator.eq,
    Op.IS_NOT: operator.ne,
    Op.ABOVE: operator.gt,
    Op.BELOW: operator.lt,
}
