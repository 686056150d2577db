"""The spec as plain data for the generated code, and which parts of that code it needs at all."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from contracts.app_spec import COUNTABLE, SEARCHABLE, AppField, AppSpec, FieldType, Op, Resource, Value

FEATURES = {
    "search": "search",
    "filter": "filter",
    "sort": "sort",
    "paging": "paging",
    "csv": "csv",
    "appendOnly": "append_only",
}
"""What it is called in the generated code, and what in the spec."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What at least one resource has. Code for anything else is not written."""

    types: frozenset[str]
    ops: frozenset[str]
    search: bool
    filter: bool
    sort: bool
    paging: bool
    csv: bool
    views: bool
    relations: bool
    unique: bool
    append_only: bool
    changes: bool
    required: bool
    defaults: bool
    today: bool
    minimum: bool
    maximum: bool

    @property
    def lists(self) -> bool:
        """Whether a list is ever anything but all items."""
        return self.search or self.filter or self.sort or self.paging or self.views

    @property
    def queries(self) -> bool:
        """Whether a list can be asked for in a way that does not make sense."""
        return self.filter or self.sort or self.paging

    @property
    def chooses(self) -> bool:
        """Whether some items of a list can be asked for."""
        return self.search or self.filter or self.sort

    @property
    def numbers(self) -> bool:
        return bool(self.types & {kind.value for kind in COUNTABLE})

    @property
    def texts(self) -> bool:
        """Whether there are values that are kept as text."""
        return bool(self.types - {"yes_no"} - {kind.value for kind in COUNTABLE})

    @property
    def reads(self) -> bool:
        """Whether there are values that are not texts, but may come as such."""
        return self.numbers or "yes_no" in self.types

    @property
    def presets(self) -> bool:
        """Whether a value that is not given is ever anything but null."""
        return self.defaults or "yes_no" in self.types

    @property
    def patterns(self) -> bool:
        return bool(self.types & {"text", "date", "time", "email", "url"})

    @property
    def lengths(self) -> bool:
        return bool(self.types & {"text", "long_text", "email", "url"})

    @property
    def bounds(self) -> bool:
        return self.minimum or self.maximum

    @property
    def day(self) -> bool:
        """Whether it matters which day it is."""
        return self.today or self.day_ops

    @property
    def day_ops(self) -> bool:
        return bool(self.ops & {Op.BEFORE_TODAY, Op.TODAY, Op.AFTER_TODAY})

    @property
    def searched(self) -> str:
        return _listed([kind.value for kind in FieldType if kind in SEARCHABLE and kind.value in self.types])

    @property
    def counted(self) -> list[str]:
        return [kind.value for kind in FieldType if kind in COUNTABLE and kind.value in self.types]

    @property
    def type_union(self) -> str:
        return " | ".join(f'"{kind.value}"' for kind in FieldType if kind.value in self.types)

    @property
    def op_union(self) -> str:
        return " | ".join(f'"{op.value}"' for op in Op if op.value in self.ops)


def _listed(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def uses_of(spec: AppSpec) -> Uses:
    resources = spec.resources
    fields = [field for resource in resources for field in resource.fields]
    views = [view for resource in resources for view in resource.views]

    def has(question: Callable[[Resource], bool]) -> bool:
        return any(question(resource) for resource in resources)

    return Uses(
        types=frozenset(field.type.value for field in fields),
        ops=frozenset(condition.op.value for view in views for condition in view.conditions),
        search=has(lambda resource: resource.search),
        filter=has(lambda resource: resource.filter),
        sort=has(lambda resource: resource.sort),
        paging=has(lambda resource: resource.paging),
        csv=has(lambda resource: resource.csv),
        views=bool(views),
        relations=has(lambda resource: bool(resource.belongs_to)),
        unique=any(field.unique for field in fields),
        append_only=has(lambda resource: resource.append_only),
        changes=has(lambda resource: not resource.append_only),
        required=any(is_required(field) for field in fields),
        defaults=any(field.default is not None for field in fields),
        today=any(is_today(field) for field in fields),
        minimum=any(field.minimum is not None for field in fields),
        maximum=any(field.maximum is not None for field in fields),
    )


def is_today(field: AppField) -> bool:
    return field.type is FieldType.DATE and field.default == "today"


def is_required(field: AppField) -> bool:
    """A yes or no is never null, so that there is nothing to require."""
    return field.required and field.type is not FieldType.YES_NO


def describe(resource: Resource, uses: Uses, *, tool: bool) -> dict[str, Any]:
    """Without what is not so."""
    told: dict[str, Any] = {"name": resource.name, "plural": resource.plural}
    if tool:
        told["main"] = resource.main.name
    else:
        told |= {"path": resource.path, "label": resource.label, "pluralLabel": resource.plural_label}
    if uses.relations:
        told["parents"] = [{"name": f"{name}_id", "of": name} for name in resource.belongs_to]
    told["fields"] = [_field(field) for field in resource.fields]
    told |= {key: True for key, feature in FEATURES.items() if getattr(resource, feature)}
    if uses.views:
        told["views"] = [view.model_dump(mode="json", exclude_none=True) for view in resource.views]
    return told


def _default(field: AppField) -> Value | None:
    """As it would be kept."""
    text = field.type is not FieldType.CHOICE and isinstance(field.default, str)
    return str(field.default).strip() or None if text else field.default


def _field(field: AppField) -> dict[str, Any]:
    told: dict[str, Any] = {"name": field.name, "label": field.label, "type": field.type.value}
    if is_required(field):
        told["required"] = True
    if field.unique:
        told["unique"] = True
    extra = {"default": _default(field), "minimum": field.minimum, "maximum": field.maximum}
    told |= {name: value for name, value in extra.items() if value is not None}
    return told | ({"choices": list(field.choices)} if field.choices else {})
