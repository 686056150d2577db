"""The API document as people read it: one entry an operation, for the documentation page and `docs/api.md`."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from web.openapi import Schema, resolved

PLACES = {
    "project": "notes",
    "path": "a.txt",
    "id": "ID",
    "date": "2026-11-16",
    "name": "090000-ID.json",
    "code": "CODE",
    "account": "vercel",
}
"""What stands for the parts of a path in an example."""


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter or a part of a body, in one row."""

    name: str
    place: str
    kind: str
    needed: bool
    words: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One operation, ready to be shown."""

    method: str
    path: str
    summary: str
    open: bool
    fields: tuple[Field, ...]
    curl: str
    answers: tuple[str, ...]

    @property
    def anchor(self) -> str:
        return f"{self.method}-{self.path}".lower().translate(str.maketrans("/{}", "---")).strip("-")


def entries(document: Schema) -> Iterator[Entry]:
    """Every operation of an API document, in the document's order."""
    components = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield Entry(
                method=method.upper(),
                path=path,
                summary=operation["summary"],
                open=not operation["security"],
                fields=(*_parameters(operation, components), *_body(operation, components)),
                curl=_curl(method.upper(), path, operation, components),
                answers=tuple(_answers(operation, components)),
            )


def _parameters(operation: Schema, components: Schema) -> Iterator[Field]:
    for item in operation["parameters"]:
        kind = _kind(item["schema"], components)
        yield Field(item["name"], item["in"], kind, item["required"], item.get("description", ""))


def _content(operation: Schema) -> tuple[str, Schema]:
    """The media type and schema of the body; both empty if it takes none."""
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        return media, content["schema"]
    return "", {}


def _body(operation: Schema, components: Schema) -> Iterator[Field]:
    media, schema = _content(operation)
    if schema.get("format") == "binary":
        yield Field("", "body", f"bytes ({media})", True, "")
    for option in schema.get("anyOf", [schema]):
        model = resolved(option, components)
        for name, part in model.get("properties", {}).items():
            needed = name in model.get("required", ())
            yield Field(name, "body", _kind(part, components), needed, part.get("description", ""))


def _kind(schema: Schema, components: Schema) -> str:
    """A schema's type in a few words."""
    schema = resolved(schema, components)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_kind(option, components) for option in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}), components)}"
    return str(schema.get("type", "anything"))


def _answers(operation: Schema, components: Schema) -> Iterator[str]:
    """The good answers: their status, media types, and what JSON has besides `success` and `message`."""
    for status, response in operation["responses"].items():
        if int(status) >= 400:
            continue
        for media, content in response["content"].items():
            names = [name for name in resolved(content["schema"], components).get("properties", {})]
            more = [name for name in names if name not in {"success", "message"}]
            yield f"{status} {media}" + (f": {', '.join(more)}" if more else "")


def _curl(method: str, path: str, operation: Schema, components: Schema) -> str:
    """A command line that calls the operation."""
    parts = ["curl"]
    if operation["security"]:
        parts.append('-H "Authorization: Bearer $(./agent token)"')
    if method not in {"GET", "POST"}:
        parts.append(f"-X {method}")
    media, schema = _content(operation)
    if schema.get("format") == "binary":
        parts.append("--data-binary @FILE")
    elif media:
        parts.append(f"-d {shlex.quote(_example(schema, components))}")
    elif method == "POST":
        parts.append("-X POST")
    parts.append(f"http://127.0.0.1:5000{path.format_map(PLACES)}")
    return " ".join(parts)


def _example(schema: Schema, components: Schema) -> str:
    for option in schema.get("anyOf", [schema]):
        for example in resolved(option, components).get("examples", ()):
            return json.dumps(example, ensure_ascii=False)
    return "{}"
