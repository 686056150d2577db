"""What the OpenAPI document of an app has to say, for the app's own test of it."""

from typing import Any

from contracts.app_spec import AppField, AppSpec, FieldType, Resource
from scaffolds.base import whole
from scaffolds.python_parts.example_items import default
from scaffolds.python_parts.examples import LARGEST_INTEGER, MOST_MONEY
from scaffolds.python_parts.uses import searched

NUMBER = {"type": "integer", "minimum": 1}
RULES: dict[FieldType, dict[str, Any]] = {
    FieldType.TEXT: {"type": "string", "maxLength": 200},
    FieldType.LONG_TEXT: {"type": "string", "maxLength": 10_000},
    FieldType.NUMBER: {"type": "number"},
    FieldType.INTEGER: {"type": "integer", "minimum": -LARGEST_INTEGER, "maximum": LARGEST_INTEGER},
    FieldType.YES_NO: {"type": "boolean"},
    FieldType.DATE: {"type": "string", "format": "date"},
    FieldType.TIME: {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"},
    FieldType.EMAIL: {"type": "string", "maxLength": 254, "pattern": r"^[^@\s]+@[^@\s]+\.[^@\s]+$"},
    FieldType.URL: {"type": "string", "maxLength": 2000, "pattern": r"^https?://([^\s/?#@]*@)?[^\s/?#@:]\S*$"},
    FieldType.MONEY: {"type": "number", "minimum": -MOST_MONEY, "maximum": MOST_MONEY},
    FieldType.CHOICE: {"type": "string"},
}


def operations(spec: AppSpec) -> dict[str, Any]:
    """For each address and method: its statuses, whose list it asks for, and what is sent and answered."""
    found = _general(spec)
    for resource in spec.resources:
        found |= _of_resource(spec, resource)
    return found


def _general(spec: AppSpec) -> dict[str, Any]:
    home = _said(["302"]) if spec.ui else _said(["200", "401"] if spec.api_key else ["200"], answers="object")
    open_to_all = _said(["200"], answers="object")
    found = {"/": {"get": home}, "/health": {"get": open_to_all}, "/openapi.json": {"get": open_to_all}}
    if spec.login:
        person = _said([], sends="object", answers="object")
        found["/register"] = {"post": {**person, "statuses": ["201", "400", "409", "413", "422"]}}
        found["/login"] = {"post": {**person, "statuses": ["200", "400", "401", "413", "422", "429"]}}
        found["/logout"] = {"post": _said(["204", "401"])}
    return found


def _said(
    statuses: list[str], asks: str = "", sends: str = "", answers: str = "", headers: tuple[str, ...] = ()
) -> dict[str, Any]:
    return {"statuses": statuses, "asks": asks, "sends": sends, "answers": answers, "headers": list(headers)}


def _of_resource(spec: AppSpec, resource: Resource) -> dict[str, Any]:
    name, path = resource.name, f"/{resource.path}"
    allowed = ["401"] if spec.login or spec.api_key else []
    asks, refused = (name, ["422"]) if parameters(resource) else ("", [])
    problems = ["400", *(["409"] if any(field.unique for field in resource.fields) else []), "413", "422"]
    listed = _said(["200", *allowed, *refused], asks, answers=f"{name}.list")
    children = {**listed, "statuses": ["200", *allowed, "404", *refused]}
    added = _said(["201", *allowed, *problems], sends=f"{name}.new", answers=name, headers=("Location",))
    changed = _said(["200", *allowed, "404", *problems], sends=f"{name}.new", answers=name)
    one = {"get": _said(["200", *allowed, "404"], answers=name)}
    if not resource.append_only:
        one |= {"put": changed, "patch": {**changed, "sends": f"{name}.changes"}}
        one["delete"] = _said(["204", *allowed, "404"])
    found: dict[str, Any] = {path: {"get": listed, "post": added}, f"{path}/{{number}}": one}
    found |= {f"{path}/{view.slug}": {"get": listed} for view in resource.views}
    found |= {f"/{spec.resource(parent).path}/{{number}}{path}": {"get": children} for parent in resource.belongs_to}
    file = {**listed, "answers": "text/csv", "headers": ["Content-Disposition"]}
    return found | ({f"{path}.csv": {"get": file}} if resource.csv else {})


def parameters(resource: Resource) -> dict[str, Any]:
    """What the address of a list can ask for."""
    found: dict[str, Any] = {"q": {"type": "string"}} if searched(resource) else {}
    if resource.filter:
        found |= dict.fromkeys(resource.parents, NUMBER)
        found |= {field.name: rules(field) for field in resource.fields}
    if resource.sort:
        names = ["id", *(field.name for field in resource.fields), "created_at"]
        found["sort"] = {"type": "string", "enum": [sign + name for name in names for sign in ("", "-")]}
    if resource.paging:
        found["page"] = {**NUMBER, "maximum": 1_000_000, "default": 1}
        found["per_page"] = {**NUMBER, "maximum": 100, "default": 20}
    return found


def schemas(spec: AppSpec) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for resource in spec.resources:
        found |= _schemas_of(resource)
    return found


def _schemas_of(resource: Resource) -> dict[str, Any]:
    values = dict.fromkeys(resource.parents, NUMBER) | {field.name: described(field) for field in resource.fields}
    item = {"id": NUMBER, **values, "created_at": {"type": "string", "format": "date-time"}}
    each = {"type": "array", "items": {"$ref": f"#/components/schemas/{resource.name}"}}
    listed = {"items": each, "total": {"type": "integer", "minimum": 0}}
    listed |= {"page": NUMBER, "per_page": NUMBER, "pages": listed["total"]} if resource.paging else {}
    defaults = {
        field.name: {**described(field), "default": default(field)}
        for field in resource.fields
        if default(field) is not None
    }
    needed = [field.name for field in resource.fields if field.required and field.name not in defaults]
    found = {
        resource.name: _object(item, list(item)),
        f"{resource.name}.list": _object(listed, list(listed)),
        f"{resource.name}.new": _object(values | defaults, [*resource.parents, *needed]),
    }
    return found if resource.append_only else found | {f"{resource.name}.changes": _object(values, [])}


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    needed = {"required": required} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def described(field: AppField) -> dict[str, Any]:
    said = {"title": field.label, **rules(field)}
    if field.required or field.type is FieldType.YES_NO:
        return said
    return {**said, **({"enum": [*field.choices, None]} if field.choices else {}), "nullable": True}


def rules(field: AppField) -> dict[str, Any]:
    found = dict(RULES[field.type])
    if field.required and field.type in {FieldType.TEXT, FieldType.LONG_TEXT}:
        found["minLength"] = 1
    bounds = {"minimum": whole(field.minimum), "maximum": whole(field.maximum)}
    found |= {name: value for name, value in bounds.items() if value is not None}
    return {**found, **({"enum": list(field.choices)} if field.choices else {})}
