"""What the tests of a tool type, and what must come of it, worked out here and not by the tool."""

import shlex
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from contracts.app_spec import SEARCHABLE, AppField, AppSpec, Condition, FieldType, Op, Resource, View

MANY = 24
LIST_OPTIONS = frozenset({"json", "search", "view"})
"""Options of lists that are not about a field, and so come before a field of the same name."""
STEPS = {FieldType.NUMBER: Fraction(1, 4), FieldType.INTEGER: Fraction(1), FieldType.MONEY: Fraction(1, 100)}
TEXTS = {
    FieldType.TEXT: "Word {0}",
    FieldType.LONG_TEXT: "Line {0}\nand another",
    FieldType.EMAIL: "person{0}@example.com",
    FieldType.URL: "https://example.com/{0}",
}
BAD: dict[FieldType, list[str]] = {
    FieldType.TEXT: ["two\nlines"],
    FieldType.LONG_TEXT: ["\ud800"],
    FieldType.NUMBER: ["many", "nan", "inf"],
    FieldType.INTEGER: ["many", "1.5", "9007199254740992", "-9007199254740992"],
    FieldType.DATE: ["2026-02-30", "17.11.2026", "2026-1-5"],
    FieldType.TIME: ["24:00", "09:60", "9:30"],
    FieldType.EMAIL: ["ada", "ada@example", "a da@example.com", "a@b@example.com"],
    FieldType.URL: ["example.com", "ftp://example.com", "https://"],
    FieldType.MONEY: ["many", "1.234", "1000000000.01", "-1000000000.01"],
}
GOOD: dict[FieldType, list[str]] = {
    FieldType.NUMBER: ["-1.5", "1e3"],
    FieldType.INTEGER: ["9007199254740991", "-9007199254740991"],
    FieldType.DATE: ["2024-02-29"],
    FieldType.TIME: ["00:00", "23:59"],
    FieldType.URL: ["http://localhost"],
    FieldType.MONEY: ["1000000000", "-1000000000", "0.1"],
}


def of(spec: AppSpec, resource: Resource, *, done: bool) -> dict[str, Any]:
    fields = resource.fields
    values = {field.name: _values(field) for field in fields}
    single = [field for field in fields if field.unique]
    return {
        "command": [resource.path] if len(spec.resources) > 1 else [],
        "plural": resource.plural,
        "called": resource.name.replace("_", " "),
        "called_all": resource.plural.replace("_", " "),
        "main": resource.main.name,
        "names": ["id", *resource.parents, *(field.name for field in fields), "created_at"],
        "parents": {f"{name}_id": spec.resource(name).plural for name in resource.belongs_to},
        "switches": _switches(fields),
        "words": values,
        "json": {field.name: [_as_json(field, word) for word in values[field.name]] for field in fields},
        "good": {field.name: _good(field) for field in fields},
        "bad": {field.name: _bad(field) for field in fields if _bad(field)},
        "needed": [field.name for field in fields if needed(field)],
        "given": [field.name for field in fields if needed(field) or (field.unique and field.default is not None)],
        "defaults": {field.name: _default(field) for field in fields if not needed(field)},
        "required": [field.name for field in fields if field.required and field.type is not FieldType.YES_NO],
        "optional": [field.name for field in fields if not field.required and field.type is not FieldType.YES_NO],
        "types": {field.name: field.type.value for field in fields},
        "more": [*(["done"] if done else []), *(["export"] if resource.csv else [])],
        "unique": [field.name for field in single],
        "room": min((len(values[field.name]) for field in single), default=MANY),
        "fixed": resource.append_only,
        **_lists(resource, values),
    }


def needed(field: AppField) -> bool:
    return field.required and field.default is None and field.type is not FieldType.YES_NO


def _switches(fields: Iterable[AppField]) -> dict[str, list[str]]:
    """What is typed for yes and for no."""
    names = {field.name for field in fields}
    made = {}
    for field in fields:
        if field.type is FieldType.YES_NO:
            dashed, opposite = field.name.replace("_", "-"), "not" if f"no_{field.name}" in names else "no"
            made[field.name] = [f"--{dashed}", f"--{opposite}-{dashed}"]
    return made


def _values(field: AppField) -> list[str]:
    """Different ones that fit, as they are typed; many where no two items may have the same."""
    count = MANY if field.unique else 3
    if field.type in STEPS:
        return [_text(number) for number in _numbers(field, count)]
    if field.type is FieldType.CHOICE:
        return choices_of(field)[:count]
    if field.type is FieldType.YES_NO:
        return ["yes", "no"]
    if field.type is FieldType.DATE:
        return [f"2026-01-{number + 1:02d}" for number in range(count)]
    if field.type is FieldType.TIME:
        return [f"{number:02d}:30" for number in range(count)]
    return [TEXTS[field.type].format(number + 10) for number in range(count)]


def choices_of(field: AppField) -> list[str]:
    """Those that can be typed as they are."""
    return [choice for choice in field.choices if choice == choice.strip()] or list(field.choices)


def _numbers(field: AppField, count: int) -> list[Fraction]:
    step = STEPS[field.type]
    low, high = _bound(field.minimum), _bound(field.maximum)
    first = -(-(low if low is not None else min(Fraction(3), high or Fraction(3))) // step) * step
    numbers = [first + step * number for number in range(count)]
    if low is None and high is not None:
        numbers = [high // step * step - step * number for number in reversed(range(count))]
    return [number for number in numbers if high is None or number <= high] or [first]


def _bound(number: float | None) -> Fraction | None:
    return None if number is None else Fraction(str(number))


def _text(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.6f}".rstrip("0")


def _as_json(field: AppField, word: str) -> Any:
    if field.type is FieldType.INTEGER:
        return int(word)
    if field.type in STEPS:
        number = float(word)
        return int(number) if number.is_integer() else number
    return word == "yes" if field.type is FieldType.YES_NO else word.strip()


def _default(field: AppField) -> Any:
    if field.default is None and field.type is FieldType.YES_NO:
        return False
    return field.default.strip() if isinstance(field.default, str) else field.default


def _good(field: AppField) -> list[str]:
    """What fits only just."""
    good = GOOD.get(field.type, [])
    low, high = _bound(field.minimum), _bound(field.maximum)
    if low is None and high is None:
        return good
    ends = [_text(end) for end in (low, high) if end is not None and (end / STEPS[field.type]).denominator == 1]
    return ends + [word for word in good if _inside(field, Fraction(word))]


def _inside(field: AppField, number: Fraction) -> bool:
    low, high = _bound(field.minimum), _bound(field.maximum)
    return (low is None or low <= number) and (high is None or number <= high)


def _bad(field: AppField) -> list[str]:
    bad = list(BAD.get(field.type, []))
    if field.type is FieldType.CHOICE:
        bad = ["none of them"] if "none of them" not in field.choices else []
    low, high = _bound(field.minimum), _bound(field.maximum)
    bad += [] if low is None else [_text(Fraction(-(-low // 1) - 1))]
    bad += [] if high is None else [_text(Fraction(high // 1 + 1))]
    return bad


def _lists(resource: Resource, values: dict[str, list[str]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    searchable = [field.name for field in resource.fields if field.type in SEARCHABLE]
    if resource.search and searchable:
        made["searched"] = searchable
    if resource.filter:
        made["filters"] = {name: f"--{name.replace('_', '-')}" for name in values if name not in LIST_OPTIONS}
    if resource.sort:
        made["sorted"] = [field.name for field in resource.fields if len(values[field.name]) > 1]
    if resource.paging:
        made["paged"] = True
    if resource.views:
        made["views"] = [_view(resource, view) for view in resource.views]
    return made


def _view(resource: Resource, view: View) -> dict[str, Any]:
    """Values with which an item is in the view, and such with which one condition does not hold."""
    fits: dict[str, str] = {}
    fails: list[dict[str, str]] = []
    for name in dict.fromkeys(condition.field for condition in view.conditions):
        field = resource.field(name)
        asked = [condition for condition in view.conditions if condition.field == name]
        words = _candidates(field, asked)
        good = [word for word in words if all(_holds(field, condition, word) for condition in asked)]
        if not good or field.unique:
            return {"slug": view.slug, "fits": None, "fails": []}
        fits[name] = good[0]
        fails += [{name: word} for word in words if word not in good][:3]
    return {"slug": view.slug, "fits": fits, "fails": fails}


def _candidates(field: AppField, conditions: list[Condition]) -> list[str]:
    if field.type is FieldType.CHOICE:
        return choices_of(field)
    if field.type is FieldType.DATE:
        said = [str(condition.value) for condition in conditions if condition.value is not None]
        return ["today", *said, "2001-01-01", "2999-01-01"]
    said = []
    for condition in conditions:
        if field.type in STEPS and not isinstance(condition.value, str):
            value, step = Fraction(str(condition.value)), STEPS[field.type]
            said += [_text(number) for number in (value, value + step, value - step) if _inside(field, number)]
        elif field.type is not FieldType.YES_NO:
            said.append(str(condition.value))
    return list(dict.fromkeys([*said, *_values(field)]))


def _holds(field: AppField, condition: Condition, word: str) -> bool:
    if condition.op in {Op.BEFORE_TODAY, Op.TODAY, Op.AFTER_TODAY}:
        place = {"2001-01-01": -1, "today": 0, "2999-01-01": 1}.get(word)
        wanted = {Op.BEFORE_TODAY: -1, Op.TODAY: 0, Op.AFTER_TODAY: 1}
        return place == wanted[condition.op]
    value: Any = _as_json(field, word)
    asked: Any = condition.value
    if condition.op in {Op.IS, Op.IS_NOT}:
        return bool(value == asked) == (condition.op is Op.IS)
    if isinstance(value, str) != isinstance(asked, str) or word == "today":
        return False
    return bool(value > asked if condition.op is Op.ABOVE else value < asked)


def usage(resource: Resource) -> str:
    """What the README adds: all that is needed, as a shell understands it."""
    main = resource.main
    parents = [f"--{name.replace('_', '-')} 1" for name in resource.parents]
    others = [_typed(field) for field in resource.fields if needed(field) and field.name != main.name]
    word = f"My {resource.name.replace('_', ' ')}" if main.type is FieldType.TEXT else _values(main)[0]
    return " ".join([shlex.quote(word), *parents, *others])


def change(resource: Resource) -> str:
    if resource.main.type is not FieldType.TEXT:
        return _typed(resource.main)
    return f"--{resource.main.name.replace('_', '-')} {shlex.quote('Another ' + resource.name.replace('_', ' '))}"


def _typed(field: AppField) -> str:
    dashed = f"--{field.name.replace('_', '-')}"
    return dashed if field.type is FieldType.YES_NO else f"{dashed} {shlex.quote(_values(field)[-1])}"
