"""Flask APIs: one that says hello, and ones that keep things in SQLite, with or without a front end."""

from pathlib import Path
from typing import Any

from contracts.app_spec import AppSpec, Kind, Migration
from scaffolds import tables
from scaffolds.base import PYTHON_PINS, render, requirements
from scaffolds.flask_api.described import operations, parameters, schemas
from scaffolds.flask_api.reading import asked_of, body_of, change_of, field_rules, shell
from scaffolds.python_parts import parts
from scaffolds.python_parts.example_items import examples
from scaffolds.python_parts.uses import Uses

HERE = Path(__file__).parent
_PYTEST = {"pytest.ini": "[pytest]\npythonpath = .\ntestpaths = tests\n"}


def generate(spec: AppSpec, migrations: tuple[Migration, ...] = ()) -> dict[str, str]:
    """The files of an app of the kinds `hello_api`, `api` and `full_stack`, by path."""
    if spec.kind is Kind.HELLO_API:
        return _hello(spec)
    history = migrations or (tables.initial(spec),)
    values = _values(spec)
    files = parts(spec, history)
    names = ["answers", "openapi", "routes", "schemas"]
    names += ["key"] if spec.api_key else []
    names += ["login"] if spec.login else []
    files |= {f"service/{name}.py": render(HERE, f"service/{name}.py.j2", **values) for name in names}
    files["app.py"] = render(HERE, "app.py.j2", **values)
    files["requirements.txt"] = requirements("Flask")
    files |= _tests(spec, values)
    words = {"field_rules": field_rules, "shell": shell}
    words |= {"body_of": body_of, "change_of": change_of, "asked_of": asked_of}
    files["README.md"] = render(HERE, "README.md.j2", **values, **words)
    files |= {name: render(HERE, f"{name}.j2", **values) for name in (".env.example", ".gitignore")}
    return dict(sorted(files.items()))


def _tests(spec: AppSpec, values: dict[str, Any]) -> dict[str, str]:
    """The app's own tests."""
    uses = values["uses"]
    names = ["conftest", "clients", "examples", "described", "test_app", "test_items", "test_openapi"]
    names += ["test_changes"] if uses.change else []
    names += ["test_unique"] if uses.unique else []
    names += ["test_relations"] if uses.parents else []
    names += ["test_lists"] if uses.arguments or uses.views or uses.csv else []
    names += ["test_key"] if spec.api_key else []
    names += ["test_login"] if spec.login else []
    data = {
        "examples": examples(spec),
        "operations": operations(spec),
        "parameters": {resource.name: parameters(resource) for resource in spec.resources if parameters(resource)},
        "schemas": schemas(spec),
        "resource_paths": {resource.path: f"/{resource.path}" for resource in spec.resources},
        "owner_queries": {
            resource.name: f"SELECT owner_id FROM {tables.quoted(resource.plural)}"  # noqa: S608
            for resource in spec.resources
        },
    }
    files = {f"tests/{name}.py": render(HERE, f"tests/{name}.py.j2", **values, **data) for name in names}
    return {**files, **_PYTEST}


def _hello(spec: AppSpec) -> dict[str, str]:
    names = ("app.py", "README.md", "tests/test_app.py")
    files = {name: render(HERE, f"hello/{name}.j2", spec=spec, pins=PYTHON_PINS) for name in names}
    return dict(sorted({**files, **_PYTEST, "requirements.txt": requirements("Flask")}.items()))


def _values(spec: AppSpec) -> dict[str, Any]:
    uses = Uses(spec)
    guarded = bool(spec.login or spec.api_key)
    optional = [*(["key"] if spec.api_key else []), *(["login"] if spec.login else [])]
    return {
        "spec": spec,
        "uses": uses,
        "pins": PYTHON_PINS,
        "private": uses.private,
        "guarded": guarded,
        "act": "guarded" if guarded else "operation",
        "modules": ["answers", "db", *optional, "routes"],
    }
