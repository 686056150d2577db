"""What Node apps have in common: values, a store in one JSON file, items and lists of them."""

from pathlib import Path

from contracts.app_spec import AppSpec
from scaffolds.base import render
from scaffolds.node_parts.description import Uses, describe
from scaffolds.node_parts.literals import literal

SOURCES = ("errors.js", "values.js", "store.js", "items.js")


def shared_files(spec: AppSpec, uses: Uses, *, tool: bool, version: int) -> dict[str, str]:
    """The files under `src/` that an API and a command-line tool have alike."""
    names = [*SOURCES, *(["lists.js"] if uses.lists else []), *(["csv.js"] if uses.csv else [])]
    files = {f"src/{name}": part(f"{name}.j2", spec, uses, tool=tool, version=version) for name in names}
    described = literal([describe(resource, uses, tool=tool) for resource in spec.resources])
    files["src/resources.js"] = part("resources.js.j2", spec, uses, tool=tool, described=described)
    return files


def part(template: str, spec: AppSpec, uses: Uses, **more: object) -> str:
    return render(Path(__file__).parent, template, spec=spec, uses=uses, **more)
