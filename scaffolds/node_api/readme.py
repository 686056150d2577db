"""The examples in the README of an API: commands with the fields that it really has."""

import json
import shlex
from collections.abc import Callable
from typing import Any

from contracts.app_spec import AppField, AppSpec, Resource
from scaffolds.node_parts.description import is_required
from scaffolds.node_parts.samples import sample


def words(spec: AppSpec) -> dict[str, str | Callable[[Resource], str]]:
    """What the template asks for."""
    return {
        "key": ' -H "X-API-Key: $KEY"' if spec.api_key else "",
        "example": _example,
        "example_change": _example_change,
        "ways": _ways,
    }


def _example(resource: Resource) -> str:
    """The body that adds an item, as a shell takes it."""
    shown = [field for field in resource.fields if is_required(field)] or [resource.main]
    values: dict[str, Any] = dict.fromkeys(resource.parents, 1)
    return _quoted(values | {field.name: sample(field, 1) for field in shown})


def _example_change(resource: Resource) -> str:
    field: AppField = resource.main
    return _quoted({field.name: sample(field, 2)})


def _quoted(values: dict[str, Any]) -> str:
    return shlex.quote(json.dumps(values, ensure_ascii=True))


def _ways(resource: Resource) -> str:
    field = resource.main.name
    ways = [
        ("`?q=words` (search)", resource.search),
        (f"`?{field}=value` for any field (filter)", resource.filter),
        (f"`?sort={field}` or `?sort=-{field}` (order)", resource.sort),
        ("`?page=2&per_page=50` (pages)", resource.paging),
    ]
    return ", ".join(text for text, there in ways if there)
