"""APIs in Node without any dependency, with all data in one JSON file."""

from pathlib import Path

from contracts.app_spec import AppSpec, Kind, Migration
from scaffolds.base import render
from scaffolds.node_api import readme
from scaffolds.node_api.test_data import routes_of, samples_of
from scaffolds.node_parts import shared_files
from scaffolds.node_parts.description import Uses, uses_of
from scaffolds.node_parts.expected import formula_of, money_of
from scaffolds.node_parts.literals import constant, entry, literal
from scaffolds.node_parts.samples import body

SOURCES = ("app.js", "http.js", "openapi.js", "routes.js", "schemas.js")
TESTS = (
    *("support.js", "samples.js", "http.test.js", "items.test.js", "lists.test.js"),
    *("server.test.js", "store.test.js", "values.test.js"),
)
REST = {"package.json": "package.json", ".gitignore": "gitignore", ".env.example": "env.example"}


def generate(spec: AppSpec, migrations: tuple[Migration, ...] = ()) -> dict[str, str]:
    """All files of the app. Migrations are only counted: what items lack reads as its default."""
    rest = {path: _part(name, spec=spec) for path, name in REST.items()}
    if spec.kind is Kind.HELLO_API:
        return {**_hello(spec), **rest}
    uses = uses_of(spec)
    shared = shared_files(spec, uses, tool=False, version=len(migrations) + 1)
    return {**_sources(spec, uses), **shared, **_tests(spec, uses), **rest}


def _part(template: str, **values: object) -> str:
    return render(Path(__file__).parent, f"{template}.j2", **values)


def _hello(spec: AppSpec) -> dict[str, str]:
    return {
        "README.md": _part("hello/README.md", spec=spec),
        "server.js": _part("server.js", spec=spec),
        "src/app.js": _part("hello/app.js", spec=spec),
        "src/http.js": _part("http.js", spec=spec),
        "tests/app.test.js": _part("hello/tests/app.test.js", spec=spec),
        "tests/server.test.js": _part("tests/server.test.js", spec=spec),
    }


def _sources(spec: AppSpec, uses: Uses) -> dict[str, str]:
    values = {
        "spec": spec,
        "uses": uses,
        "asks": uses.chooses or uses.paging,
        "name": constant("NAME", spec.title),
        "summary": constant("SUMMARY", spec.summary),
        "list_names": _names(choose=uses.chooses, inView=uses.views, paged=uses.paging),
        "value_names": _names(
            LARGEST_AMOUNT="money" in uses.types,
            LONGEST=uses.lengths,
            PATTERNS=bool(uses.types & {"text", "time", "email", "url"}),
        ),
        "never_null": " || ".join(_never_null(uses)),
    }
    files = {
        "README.md": _part("README.md", spec=spec, **readme.words(spec)),
        "server.js": _part("server.js", **values),
    }
    names = [*SOURCES, *(["key.js"] if spec.api_key else [])]
    return files | {f"src/{name}": _part(name, **values) for name in names}


def _names(**names: bool) -> str:
    return ", ".join(name for name, wanted in names.items() if wanted)


def _never_null(uses: Uses) -> list[str]:
    """What holds for fields that always have a value."""
    required = ["field.required"] if uses.required else []
    return [*required, *(['field.type === "yes_no"'] if "yes_no" in uses.types else [])]


def _tests(spec: AppSpec, uses: Uses) -> dict[str, str]:
    first = spec.resources[0]
    values = {
        "spec": spec,
        "uses": uses,
        "samples": literal(samples_of(spec, uses)),
        "routes": literal(routes_of(spec), used=len("export const ROUTES = ;")),
        "body_of": "await bodyOf(app, name)" if uses.relations else "bodyOf(name)",
        "other_body": "await bodyOf(app, name, 1)" if uses.relations else "bodyOf(name, 1)",
        "spread_body": "(await bodyOf(app, name))" if uses.relations else "bodyOf(name)",
        "spread_other": "(await bodyOf(app, name, 1))" if uses.relations else "bodyOf(name, 1)",
        "which_body": "await bodyOf(app, name, which)" if uses.relations else "bodyOf(name, which)",
        "formula": formula_of(spec),
        "money": money_of(spec),
        "title": entry("name: ", spec.title, 4),
        "summary": entry("summary: ", spec.summary, 4),
        "first_path": f"/{first.path}",
        "first_body": literal(body(first, 1), 2, len("const body = JSON.stringify();")),
    }
    return {f"tests/{name}": _part(f"tests/{name}", **values) for name in TESTS}
