"""What of a front end an app has a use for: nothing else is put into its files."""

from dataclasses import dataclass
from typing import Any

from contracts.app_spec import COUNTABLE, AppField, AppSpec, FieldType, Resource
from scaffolds.base import script_literal

ICONS = {
    "plus": "M12 5v14M5 12h14",
    "search": "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
    "filter": "M4 7h16M7 12h10M10 17h4",
    "download": "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14",
    "edit": "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
    "trash": "M5 7h14M10 7V4.5h4V7M7 7l.75 12.5h8.5L17 7",
    "close": "M6 6l12 12M18 6L6 18",
}
"""Drawn by us, as the path of an SVG of 24 by 24."""
FLAGS = {
    "search": "search",
    "filter": "filter",
    "sort": "sort",
    "paging": "paging",
    "csv": "csv",
    "quick_add": "quickAdd",
    "append_only": "appendOnly",
}
"""What a resource may have or not, by its name in the spec and in the front end."""
INPUTS = {
    FieldType.NUMBER: 'type: "number", step: "any", inputmode: "decimal"',
    FieldType.INTEGER: 'type: "number", step: "1", inputmode: "numeric"',
    FieldType.MONEY: 'type: "number", step: "0.01", inputmode: "decimal"',
    FieldType.DATE: 'type: "date"',
    FieldType.TIME: 'type: "time"',
    FieldType.EMAIL: 'type: "email", inputmode: "email"',
    FieldType.URL: 'type: "url", inputmode: "url"',
}
PLAIN = frozenset({FieldType.TEXT, FieldType.TIME})
"""Shown as they are."""


@dataclass(frozen=True, slots=True)
class Uses:
    """Each is about all resources together: whether any of them has it."""

    search: bool
    filter: bool
    sort: bool
    paging: bool
    csv: bool
    views: bool
    parents: bool
    quick_add: bool
    some_append_only: bool
    some_unsorted: bool
    dialog_new: bool
    changes: bool
    toggles: bool
    select: bool
    range: bool
    today: bool

    @property
    def dialog(self) -> bool:
        return self.dialog_new or self.changes

    @property
    def toolbar(self) -> bool:
        return self.search or self.filter or self.sort

    @property
    def query(self) -> bool:
        """Whether a list can be asked for in more than one way."""
        return self.toolbar or self.paging


def uses_of(spec: AppSpec) -> Uses:
    resources = spec.resources
    fields = [field for resource in resources for field in resource.fields]
    return Uses(
        search=any(resource.search for resource in resources),
        filter=any(resource.filter for resource in resources),
        sort=any(resource.sort for resource in resources),
        paging=any(resource.paging for resource in resources),
        csv=any(resource.csv for resource in resources),
        views=any(resource.views for resource in resources),
        parents=any(resource.belongs_to for resource in resources),
        quick_add=any(resource.quick_add for resource in resources),
        some_append_only=any(resource.append_only for resource in resources),
        some_unsorted=not all(resource.sort for resource in resources),
        dialog_new=not all(resource.quick_add for resource in resources),
        changes=not all(resource.append_only for resource in resources),
        toggles=any(_can_toggle(resource) for resource in resources),
        select=_selects(resources),
        range=any(field.minimum is not None or field.maximum is not None for field in fields),
        today=any(field.type is FieldType.DATE and field.default == "today" for field in fields),
    )


def _selects(resources: tuple[Resource, ...]) -> bool:
    """Whether something is chosen from a list: a value, what an item belongs to, or yes, no or both in a filter."""
    return any(
        resource.belongs_to
        or field.type is FieldType.CHOICE
        or (field.type is FieldType.YES_NO and any(other.filter for other in resources))
        for resource in resources
        for field in resource.fields
    )


def _can_toggle(resource: Resource) -> bool:
    return not resource.append_only and any(field.type is FieldType.YES_NO for field in resource.fields)


def context(spec: AppSpec) -> dict[str, Any]:
    """What the templates of both kinds of front end are given."""
    uses = uses_of(spec)
    found = {field.type for resource in spec.resources for field in resource.fields}
    types = [type_ for type_ in FieldType if type_ in found]
    return {
        "spec": spec,
        "uses": uses,
        "types": types,
        "shown_types": [type_ for type_ in types if type_ not in PLAIN],
        "number_types": [type_ for type_ in types if type_ in COUNTABLE],
        "typed_inputs": {type_: INPUTS[type_] for type_ in types if type_ in INPUTS},
        "flags": [{"name": name, "js": word} for name, word in FLAGS.items() if _any(spec, name)],
        "icons": {name: path for name, path in ICONS.items() if _needed(name, uses)},
        "auth": spec.login is not None or spec.api_key,
        "many": len(spec.resources) > 1,
        "properties": properties,
        "names_of_forms": _forms(uses),
    }


def _any(spec: AppSpec, flag: str) -> bool:
    return any(getattr(resource, flag) for resource in spec.resources)


def _forms(uses: Uses) -> list[str]:
    found = {"EditDialog": uses.changes, "NewDialog": uses.dialog_new, "NewForm": uses.quick_add}
    return [name for name, used in found.items() if used]


def _needed(icon: str, uses: Uses) -> bool:
    return {
        "plus": uses.dialog_new,
        "search": uses.search,
        "filter": uses.filter,
        "download": uses.csv,
        "edit": uses.changes,
        "trash": uses.changes,
        "close": uses.dialog,
    }[icon]


def properties(field: AppField) -> str:
    """A field as the inside of an object in JavaScript."""
    values: dict[str, Any] = {
        "name": field.name,
        "label": field.label,
        "type": field.type.value,
        "required": field.required,
        "default": field.default,
        "choices": field.choices or None,
        "minimum": field.minimum,
        "maximum": field.maximum,
    }
    return ", ".join(f"{name}: {script_literal(value)}" for name, value in values.items() if value is not None)
