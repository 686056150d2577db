"""What the tests of an API add, ask for and expect, as data."""

from typing import Any

from contracts.app_spec import AppSpec, Resource
from scaffolds.node_parts.description import Uses, is_required, is_today
from scaffolds.node_parts.expected import csv_of, filter_cases, search_cases, sort_cases, wrong_filters
from scaffolds.node_parts.samples import accepted, body, preset, refused, view_cases


def samples_of(spec: AppSpec, uses: Uses) -> dict[str, Any]:
    return {resource.name: _sample(resource, uses) for resource in spec.resources}


def _sample(resource: Resource, uses: Uses) -> dict[str, Any]:
    fields = resource.fields
    needed = [field.name for field in fields if is_required(field) and field.default is None]
    told: dict[str, Any] = {"path": f"/{resource.path}", "table": resource.plural}
    if uses.relations:
        told["parents"] = {f"{name}_id": name for name in resource.belongs_to}
    if uses.append_only:
        told["appendOnly"] = resource.append_only
    told["bodies"] = [body(resource, 1), body(resource, 2)]
    told["presets"] = {field.name: preset(field) for field in fields if field.name not in needed}
    told["needed"] = needed
    if uses.today:
        told["days"] = [field.name for field in fields if is_today(field)]
    if uses.unique:
        told["unique"] = [field.name for field in fields if field.unique]
    told["accepted"] = {field.name: [list(case) for case in accepted(field)] for field in fields}
    told["refused"] = {field.name: [list(case) for case in refused(field)] for field in fields}
    return told | _lists(resource, uses)


def _lists(resource: Resource, uses: Uses) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if uses.search:
        told["searched"] = search_cases(resource) if resource.search else None
    if uses.filter:
        told["filtered"] = filter_cases(resource) if resource.filter else None
        told["wrongFilters"] = wrong_filters(resource) if resource.filter else []
    if uses.sort:
        told["sorted"] = sort_cases(resource) if resource.sort else None
    if uses.paging:
        told["paging"] = resource.paging
    if uses.views:
        told["views"] = [
            [view.slug, case.values, case.inside] for view in resource.views for case in view_cases(resource, view)
        ]
    if uses.csv:
        told["csv"] = csv_of(resource) if resource.csv else None
    return told


def routes_of(spec: AppSpec) -> list[str]:
    """Every method and path that the app answers."""
    found = ["GET /", "GET /health", "GET /openapi.json"]
    for resource in spec.resources:
        base = f"/{resource.path}"
        found += [f"GET {base}", f"POST {base}", f"GET {base}/{{id}}"]
        if not resource.append_only:
            found += [f"{method} {base}/{{id}}" for method in ("PUT", "PATCH", "DELETE")]
        if resource.csv:
            found.append(f"GET {base}.csv")
        found += [f"GET {base}/{view.slug}" for view in resource.views]
        found += [f"GET {base}/{{id}}/{child.path}" for child in spec.children_of(resource)]
    return found
