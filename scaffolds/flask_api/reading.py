"""What the README of an API says about its fields, and the commands to try them."""

import json
import shlex
from typing import Any
from urllib.parse import quote

from contracts.app_spec import AppField, FieldType, Resource
from scaffolds.base import markdown_text, whole
from scaffolds.python_parts.examples import samples
from scaffolds.python_parts.uses import searched


def field_rules(field: AppField) -> str:
    """The rules of a field in a few words."""
    words = ["required"] if field.required and field.default is None else []
    words += ["unique"] if field.unique else []
    words += [f"one of {', '.join(field.choices)}"] if field.choices else []
    words += [f"at least {whole(field.minimum)}"] if field.minimum is not None else []
    words += [f"at most {whole(field.maximum)}"] if field.maximum is not None else []
    if field.default is not None:
        words.append(f"{_shown(field)} unless given")
    return markdown_text("; ".join(words))


def _shown(field: AppField) -> str:
    return json.dumps(field.default) if field.type is FieldType.YES_NO else str(whole(field.default))


def body_of(resource: Resource) -> dict[str, Any]:
    """What the first command sends."""
    return {**dict.fromkeys(resource.parents, 1), **{field.name: samples(field)[0] for field in resource.fields}}


def change_of(resource: Resource) -> dict[str, Any]:
    return {resource.main.name: samples(resource.main, 2)[-1]}


def asked_of(resource: Resource) -> str:
    """What the address of a list can ask for, as an example."""
    field = resource.main
    words = ["q=first"] if searched(resource) else []
    value = samples(field)[0]
    text = json.dumps(value) if isinstance(value, bool) else str(value)
    words += [f"{field.name}={quote(text)}"] if resource.filter else []
    words += [f"sort=-{field.name}"] if resource.sort else []
    words += ["page=1", "per_page=50"] if resource.paging else []
    return "&".join(words)


def shell(value: dict[str, Any]) -> str:
    """JSON as one argument of a command."""
    return shlex.quote(json.dumps(value, ensure_ascii=False))
