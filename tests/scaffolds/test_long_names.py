"""The longest names, titles and summaries that a spec allows still make code that is formatted and clean."""

from pathlib import Path

import pytest

import code_generator
from contracts.app_spec import AppSpec, Kind, Login, Resource
from tests.scaffolds import generated, specs

LONG = {"name": "-".join(("a" * 13, "b" * 13, "c" * 12)), "title": "T" * 110, "summary": "S" * 118}
APPS = {
    "api": specs.spec(Kind.API, *specs.library(), login=Login()),
    "web app": specs.spec(Kind.WEB_APP, *specs.library(), login=Login()),
    "full stack": specs.spec(Kind.FULL_STACK, *specs.library(), ui="html"),
    "tool on JSON": specs.spec(Kind.CLI_TOOL, *specs.library(), storage="json"),
    "tool on SQLite": specs.spec(Kind.CLI_TOOL, *specs.library(), storage="sqlite"),
    "hello": specs.spec(Kind.HELLO_API),
}


@pytest.mark.parametrize("name", APPS)
def test_long_names_fit_into_their_lines(name: str, tmp_path: Path) -> None:
    spec = AppSpec.model_validate({**APPS[name].to_json(), **LONG})
    generated.write(code_generator.generate_app_code(spec), tmp_path)
    generated.assert_ruff_is_content(tmp_path)


def long_things() -> tuple[Resource, Resource]:
    """As long as names become when they are made from words."""
    names = [one.model_copy(update={"name": f"{one.name}_{'x' * 40}"[:40]}) for one in specs.everything().fields]
    flags = dict.fromkeys(("search", "filter", "sort", "paging", "csv", "quick_add"), True)
    first = specs.resource("a" * 32, "b" * 40, *names, **flags)
    return first, specs.resource("c" * 32, "d" * 40, specs.field("e" * 40, unique=True), belongs_to=("a" * 32,))


@pytest.mark.parametrize("name", [name for name in APPS if name != "hello"])
def test_long_names_of_things_fit_too(name: str, tmp_path: Path) -> None:
    spec = APPS[name].model_copy(update={"resources": long_things()})
    generated.write(code_generator.generate_app_code(AppSpec.model_validate(spec.to_json())), tmp_path)
    generated.assert_ruff_is_content(tmp_path)
