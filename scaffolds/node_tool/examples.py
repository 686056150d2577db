"""Commands for the README of a tool, with the fields that it really has."""

import shlex
from typing import Any

from contracts.app_spec import AppField, AppSpec, FieldType, Resource
from scaffolds.node_parts.description import is_required
from scaffolds.node_parts.samples import sample


def examples(spec: AppSpec, resource: Resource) -> list[str]:
    words = ["node main.js", *([resource.path] if len(spec.resources) > 1 else [])]
    start = " ".join(words)
    lines = [f"{start} add {' '.join(adding(resource, 1))}", f"{start} list", f"{start} show 1"]
    lines += [f"{start} list --view {view.slug}" for view in resource.views]
    if not resource.append_only:
        lines += [f"{start} edit 1 {' '.join(option(resource.main, sample(resource.main, 2)))}", f"{start} remove 1"]
    return [*lines, f"{start} export {resource.path}.csv"] if resource.csv else lines


def adding(resource: Resource, number: int) -> list[str]:
    """The least that adds an item, as a shell takes it."""
    main = resource.main
    parts = [shlex.quote(text_of(sample(main, number)))]
    for name in resource.parents:
        parts += [f"--{name.replace('_', '-')}", "1"]
    for field in resource.fields:
        if is_required(field) and field.default is None and field != main:
            parts += option(field, sample(field, number))
    return parts


def option(field: AppField, value: Any) -> list[str]:
    name = field.name.replace("_", "-")
    if field.type is FieldType.YES_NO:
        return [f"--{name}" if value else f"--no-{name}"]
    return [f"--{name}", shlex.quote(text_of(value))]


def text_of(value: Any) -> str:
    """As it is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
