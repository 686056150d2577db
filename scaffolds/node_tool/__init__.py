"""Command-line tools in Node without any dependency, with all data in one JSON file."""

from pathlib import Path

from contracts.app_spec import AppSpec, FieldType, Migration, Resource
from scaffolds.base import render
from scaffolds.node_parts import shared_files
from scaffolds.node_parts.description import Uses, uses_of
from scaffolds.node_parts.expected import formula_of, money_of
from scaffolds.node_parts.literals import constant, literal
from scaffolds.node_tool.examples import examples
from scaffolds.node_tool.test_data import samples_of

SOURCES = ("commands.js", "lines.js", "options.js", "usage.js")
TESTS = ("support.js", "samples.js", "commands.test.js", "store.test.js", "values.test.js")
REST = {"package.json": "package.json", ".gitignore": "gitignore", ".env.example": "env.example"}


def generate(spec: AppSpec, migrations: tuple[Migration, ...] = ()) -> dict[str, str]:
    """All files of the tool. Migrations are only counted: what items lack reads as its default."""
    uses = uses_of(spec)
    rest = {path: _part(name, spec=spec, data_file=data_file(spec)) for path, name in REST.items()}
    shared = shared_files(spec, uses, tool=True, version=len(migrations) + 1)
    return {**_sources(spec, uses), **shared, **_tests(spec, uses), **rest}


def _sources(spec: AppSpec, uses: Uses) -> dict[str, str]:
    lists = {"choose": uses.chooses, "inView": uses.views, "paged": uses.paging}
    values = {
        "spec": spec,
        "uses": uses,
        "data_file": data_file(spec),
        "several": len(spec.resources) > 1,
        "done": any(_is_ticked_off(resource) for resource in spec.resources),
        "lists_take": uses.lists,
        "varied": (uses.append_only and uses.changes) or uses.csv or any(map(_is_ticked_off, spec.resources)),
        "list_names": ", ".join(name for name, wanted in lists.items() if wanted),
        "title": constant("TITLE", spec.title),
        "summary": constant("SUMMARY", spec.summary),
    }
    readme = _part(
        "README.md", spec=spec, data_file=data_file(spec), examples=lambda resource: examples(spec, resource)
    )
    files = {"main.js": _part("main.js", **values), "README.md": readme}
    return files | {f"src/{name}": _part(name, **values) for name in SOURCES}


def _tests(spec: AppSpec, uses: Uses) -> dict[str, str]:
    values = {
        "spec": spec,
        "uses": uses,
        "data_file": data_file(spec),
        "several": len(spec.resources) > 1,
        "done": any(_is_ticked_off(resource) for resource in spec.resources),
        "samples": literal(samples_of(spec, uses)),
        "formula": formula_of(spec),
        "money": money_of(spec),
    }
    names = [*TESTS, *(["lists.test.js"] if uses.lists or uses.csv else [])]
    return {f"tests/{name}": _part(f"tests/{name}", **values) for name in names}


def data_file(spec: AppSpec) -> str:
    """Beside `main.js` there is a `package.json` already."""
    return f"{spec.name}-data.json" if spec.name in {"package", "package-lock"} else f"{spec.name}.json"


def _is_ticked_off(resource: Resource) -> bool:
    """Whether there is a command that says that an item is done."""
    ticks = any(field.name == "done" and field.type is FieldType.YES_NO for field in resource.fields)
    return ticks and not resource.append_only


def _part(template: str, **values: object) -> str:
    return render(Path(__file__).parent, f"{template}.j2", **values)
