"""The API document, OpenAPI 3.1, made from the routes and their models; nothing in it is written by hand."""

import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

from pydantic import TypeAdapter

from web.models import ErrorReply
from web.routes import JSON, Route
from web.shapes import EventShape

EVENTS = "text/event-stream"
REFERENCE = "#/components/schemas/{model}"
Key = tuple[str, str]
Schema = dict[str, Any]


def document(routes: Iterable[Route], version: str) -> Schema:
    listed = list(routes)
    adapters = {key: adapter for route in listed for key, adapter in _adapters(route)}
    adapters["", "error"] = TypeAdapter(ErrorReply)
    adapters["", "event"] = TypeAdapter(EventShape)
    schemas, shared = TypeAdapter.json_schemas(
        [(key, "validation", adapter) for key, adapter in adapters.items()], ref_template=REFERENCE
    )
    found = {key: schema for (key, _), schema in schemas.items()}
    components = shared.get("$defs", {})
    paths: dict[str, Schema] = {}
    for route in listed:
        operation = _operation(route, found, components)
        paths.setdefault(address(route), {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Task Agent",
            "version": version,
            "description": "Every answer has `success` and `message`; every error also has `error`.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def address(route: Route) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.path)


def _adapters(route: Route) -> Iterator[tuple[Key, TypeAdapter[Any]]]:
    """Every type that the route takes or gives, each under a name of its own."""
    name = route.name
    for part in route.parts:
        yield (name, f"path.{part}"), TypeAdapter(route.hints[part])
    for place in ("body", "query", "headers"):
        if place in route.hints and route.hints[place] is not bytes:
            yield (name, place), TypeAdapter(route.hints[place])
    for status, model in route.answers.items():
        yield (name, str(status)), TypeAdapter(model)


def _operation(route: Route, schemas: dict[Key, Schema], components: Schema) -> Schema:
    operation: Schema = {
        "operationId": route.name,
        "summary": route.summary,
        "parameters": list(_parameters(route, schemas, components)),
        "responses": _responses(route, schemas),
        "security": [] if route.open else [{"token": []}],
    }
    if route.upload:
        operation["requestBody"] = {
            "required": True,
            "content": {route.upload: {"schema": {"type": "string", "format": "binary"}}},
        }
    elif "body" in route.hints:
        operation["requestBody"] = {"content": {JSON: {"schema": schemas[route.name, "body"]}}}
    return operation


def _parameters(route: Route, schemas: dict[Key, Schema], components: Schema) -> Iterator[Schema]:
    for part in route.parts:
        yield _parameter(part, "path", schemas[route.name, f"path.{part}"], required=True)
    for place, kind in (("query", "query"), ("headers", "header")):
        if place not in route.hints:
            continue
        model = resolved(schemas[route.name, place], components)
        for name, schema in model.get("properties", {}).items():
            yield _parameter(name, kind, _present(schema), required=name in model.get("required", ()))


def _parameter(name: str, kind: str, schema: Schema, *, required: bool) -> Schema:
    described = {"description": schema["description"]} if "description" in schema else {}
    return {"name": name, "in": kind, "required": required, "schema": schema, **described}


def _present(schema: Schema) -> Schema:
    """A parameter is there or not; it is never null."""
    kept = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    if len(kept) != 1:
        return schema
    rest = {key: value for key, value in schema.items() if key not in {"anyOf", "default"}}
    return {**kept[0], **rest}


def resolved(schema: Schema, components: Schema) -> Schema:
    reference = schema.get("$ref")
    return components[reference.rsplit("/", 1)[-1]] if reference else schema


def _responses(route: Route, schemas: dict[Key, Schema]) -> Schema:
    found: Schema = {}
    for status in route.answers:
        found[str(status)] = _response(status, {JSON: {"schema": schemas[route.name, str(status)]}})
    if route.media:
        good = found.setdefault("200", _response(200, {}))
        good["content"] |= {media: {"schema": {"type": _type_of(media)}} for media in route.media}
        if EVENTS in good["content"]:
            good["content"][EVENTS]["schema"]["x-event"] = schemas["", "event"]
    for status in sorted(route.statuses()):
        found[str(status)] = _response(status, {JSON: {"schema": schemas["", "error"]}})
    return found


def _type_of(media: str) -> str:
    return "object" if media.endswith("+json") else "string"


def _response(status: int, content: Schema) -> Schema:
    return {"description": HTTPStatus(status).phrase, "content": content}
