"""Node APIs: code that has no more than it needs, tests that catch mistakes, and a description that is kept to."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from contracts.app_spec import AppField, AppSpec, Kind, Language, Migration, Resource
from scaffolds.node_api import generate
from scaffolds.node_parts.literals import LINE, literal
from scaffolds.node_parts.samples import accepted, body, fits, refused
from tests.scaffolds import specs
from tests.scaffolds.generated import run, write
from tests.scaffolds.node_apps import (
    assert_loads,
    assert_node_tests_catch,
    misformed,
    node_specs,
    run_node_tests,
    unused,
)

HELLO = specs.spec(Kind.HELLO_API, language=Language.NODE)
SPECS = {**node_specs(Kind.API), "hello": HELLO}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
lines = st.text(min_size=1, max_size=120).filter(lambda text: not re.search(r"[\x00-\x1f\x7f]", text))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All apps, each in a folder of its name."""
    made = tmp_path_factory.mktemp("node_apis")
    for name, spec in SPECS.items():
        write(generate(spec), made / name)
    return made


@pytest.mark.parametrize("name", SPECS)
def test_the_code_is_well_formed_and_all_of_it_is_used(name: str) -> None:
    files = generate(SPECS[name])
    assert not list(misformed(files))
    assert not list(unused(files))


def test_the_same_spec_gives_the_same_files() -> None:
    spec = SPECS["everything"]
    again = AppSpec.model_validate(json.loads(spec.model_dump_json()))
    files, changed = generate(spec), generate(spec, (Migration(name="change_2", sql=()),))
    assert files == generate(again)
    assert {path for path in files if changed[path] != files[path]} <= {"src/store.js"}


def test_an_app_has_what_people_expect_of_it() -> None:
    files = generate(SPECS["odd_words"])
    package = json.loads(files["package.json"])
    assert package["type"] == "module"
    assert package["scripts"] == {"start": "node server.js", "test": "node --test"}
    assert "dependencies" not in package
    assert {"README.md", ".gitignore", ".env.example", "server.js", "src/key.js", "src/csv.js"} <= files.keys()
    assert "API_KEY=" in files[".env.example"]
    assert "data/" in files[".gitignore"]
    assert "src/csv.js" not in generate(SPECS["notes"])
    assert "src/key.js" not in generate(SPECS["notes"])


def test_examples_in_the_readme_have_the_fields_of_the_app() -> None:
    readme = generate(SPECS["library"])["README.md"]
    assert """curl http://127.0.0.1:3000/reviews -d '{"book_id": 1, "stars": 2}'""" in readme
    assert "curl http://127.0.0.1:3000/books/lent-out" in readme
    assert "`?q=words`" in readme
    assert '-H "X-API-Key: $KEY"' in generate(SPECS["odd_words"])["README.md"]


def test_all_modules_load(folder: Path) -> None:
    assert_loads(folder)


@pytest.mark.parametrize("name", ["everything", "library", "hello"])
def test_the_tests_of_an_app_pass(folder: Path, name: str) -> None:
    code, said = run_node_tests(folder / name)
    assert code == 0, said


MUTATIONS = [
    ("http", "src/http.js", "1024 * 1024", "1024 * 1000"),
    ("items", "src/items.js", "parent.of === resource.name", "parent.of !== resource.name"),
    ("items", "src/items.js", "other.id !== item.id", "other.id === item.id"),
    ("http", "src/app.js", '["GET", "HEAD"]', '["GET"]'),
    ("lists", "src/lists.js", "a < b ? -1 : 1", "a < b ? 1 : -1"),
    ("lists", "src/lists.js", "number > most", "number >= most"),
    ("values", "src/resources.js", "required: true, ", ""),
    ("values", "src/values.js", "value < field.minimum", "value <= field.minimum"),
    ("store", "src/store.js", "this.#tables = tables;\n    return", "return"),
    ("server", "server.js", "process.exit(1)", "process.exit(0)"),
]


@pytest.mark.parametrize(("test", "path", "before", "after"), MUTATIONS, ids=[change[2] for change in MUTATIONS])
def test_the_tests_of_an_app_catch_mistakes(folder: Path, test: str, path: str, before: str, after: str) -> None:
    assert_node_tests_catch(folder / "mistakes", test, path, before, after)


@pytest.fixture(scope="module")
def address(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app with everything listens."""
    data = tmp_path_factory.mktemp("data")
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "PORT": "0", "DATA_DIR": str(data)}
    process = subprocess.Popen(
        ["node", "server.js"], cwd=folder / "everything", env=environment, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield found[0]
        process.terminate()


def test_made_up_requests_are_answered_as_described(address: str) -> None:
    document = schemathesis.openapi.from_url(f"{address}/openapi.json")
    seen = 0
    for found in document.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]
        seen += 1

        @given(case=operation.as_strategy())
        @settings(
            max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None
        )
        def holds(case: "schemathesis.Case[Any]") -> None:
            case.call_and_validate(base_url=address, checks=CHECKS)

        holds()
    assert seen == 16


@given(st.lists(lines | st.text(), min_size=1, max_size=40))
@settings(max_examples=5, deadline=None)
def test_any_text_is_the_same_in_javascript(texts: list[str]) -> None:
    value = {text: [text, {"__proto__": text}] for text in texts}
    script = f"process.stdout.write(JSON.stringify({literal(value)}))"
    ran = run(Path.cwd(), "node", "--input-type=module", "--eval", script)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == value


@settings(max_examples=30)
@given(
    st.recursive(st.booleans() | st.integers() | lines, lambda inner: st.lists(inner) | st.dictionaries(lines, inner))
)
def test_data_that_fits_a_line_is_on_one(value: Any) -> None:
    text = literal(value, 4, 10)
    first = text.split("\n")[0]
    assert "\n" in text or len(first) <= LINE or isinstance(value, str | int)


def test_no_text_of_a_person_is_code() -> None:
    """All that people wrote stands in strings, so that taking the strings away leaves nothing of it."""
    strings = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
    files = {path: text for path, text in generate(SPECS["hostile"]).items() if path.endswith(".js")}
    assert "{% raw %}" in files["src/resources.js"]
    assert not [path for path, text in files.items() if "{% raw %}" in strings.sub("", text)]


@pytest.mark.parametrize("field", [field for resource in SPECS["everything"].resources for field in resource.fields])
def test_samples_fit_and_what_is_to_be_refused_does_not(field: AppField) -> None:
    resource = Resource(name="one", plural="ones", label="One", plural_label="Ones", fields=(field,))
    assert all(fits(field, body(resource, number)[field.name]) for number in (1, 2))
    assert body(resource, 1) != body(resource, 2)
    assert accepted(field)
    assert refused(field)
