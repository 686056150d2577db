import ast
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.app_spec import AppField, AppSpec, Condition, FieldType, Kind, Op, Resource
from scaffolds import table_changes, tables
from scaffolds.base import width
from scaffolds.typer_tool import generate
from tests.scaffolds import generated
from tests.scaffolds.specs import (
    HOSTILE,
    everything,
    field,
    hostile,
    library,
    notes,
    odd_words,
    resource,
    spec,
    view,
    wide,
)

STORAGES = ("json", "sqlite")


def tool(*resources: Resource, storage: str = "json", **more: Any) -> AppSpec:
    return spec(Kind.CLI_TOOL, *resources, storage=storage, **more)


def tasks(**features: Any) -> Resource:
    overdue = view(
        "overdue", Condition(field="due", op=Op.BEFORE_TODAY), Condition(field="done", op=Op.IS, value=False)
    )
    fields = (field("title", required=True), field("done", "yes_no"), field("due", "date"))
    return resource("task", "tasks", *fields, **{"views": (overdue,), **features})


def long_names() -> tuple[Resource, ...]:
    """As long as names can be, and ones that the commands use themselves."""
    parent = resource("p" * 40, "q" * 40, field("r" * 40, required=True), field("s" * 39 + "1"))
    child = resource(
        "t" * 40,
        "u" * 40,
        *(field(name, required=True) for name in ("typer", "actions", "app", "item_id", "file", "view", "wanted")),
        *(field(name) for name in ("as_json", "given", "search", "cls", "option", "done")),
        field("v" * 40, "yes_no"),
        field("lent", "yes_no"),
        field("no_lent"),
        belongs_to=("p" * 40,),
        search=True,
        filter=True,
        csv=True,
    )
    return parent, child


RESOURCES: dict[str, tuple[Resource, ...]] = {
    "notes": (notes(),),
    "tasks": (tasks(),),
    "everything": (everything(),),
    "library": library(),
    "odd words": odd_words(),
    "hostile": hostile(),
    "wide": (wide(),),
    "long names": long_names(),
    **{
        name: (tasks(views=(), **{name: True}),)
        for name in ("search", "filter", "sort", "paging", "csv", "append_only")
    },
}
TEXTS = {"hostile": {"title": HOSTILE, "summary": HOSTILE}}
SPECS = {
    f"{name} in {storage}": tool(*resources, storage=storage, **TEXTS.get(name, {}))
    for name, resources in RESOURCES.items()
    for storage in STORAGES
}
TESTED = ("everything in json", "library in sqlite", "long names in json", "append_only in sqlite")
"""Their own tests are run too."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them side by side."""
    place = tmp_path_factory.mktemp("tools")
    for name, wanted in SPECS.items():
        generated.write(generate(wanted), place / name)
    return place


@pytest.mark.parametrize("name", SPECS)
def test_the_form_is_as_ruff_wants_it(folder: Path, name: str) -> None:
    generated.assert_ruff_is_content(folder / name)


def test_bandit_finds_nothing(folder: Path) -> None:
    for storage in STORAGES:
        generated.assert_bandit_is_content(folder / f"library in {storage}")


@pytest.mark.parametrize("name", TESTED)
def test_its_own_tests_pass(folder: Path, name: str) -> None:
    generated.assert_own_tests_pass(folder / name)


def test_the_same_spec_gives_the_same_files() -> None:
    for wanted in SPECS.values():
        assert generate(wanted) == generate(AppSpec.model_validate(wanted.to_json()))


@pytest.mark.parametrize(
    ("storage", "name", "before", "after"),
    [
        ("json", "actions.py", "raise typer.Exit(1)", "raise typer.Exit(2)"),
        ("json", "store.py", "fcntl.flock(lock, fcntl.LOCK_EX)", "pass"),
        ("json", "store.py", 'table["next_id"] += 1', "pass"),
        ("json", "store.py", 'and kept["id"] < table["next_id"]', ""),
        ("json", "lists.py", "if value is None:\n        return False", "if False:\n        return False"),
        ("sqlite", "store.py", 'database.execute("BEGIN IMMEDIATE")', "pass"),
        ("sqlite", "store.py", "if writing or file.exists()", "if True"),
        ("sqlite", "given.py", "name.upper() if name == argument", "name.upper() if name != argument"),
    ],
)
def test_its_own_tests_catch_a_mistake(folder: Path, storage: str, name: str, before: str, after: str) -> None:
    generated.assert_own_tests_catch(folder / f"tasks in {storage}", name, before, after)


def run(app: Path, place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return generated.python(app, "main.py", *words, env={"DATA_DIR": str(place), "HOME": ""})


@pytest.mark.parametrize("storage", STORAGES)
def test_tasks_are_kept_as_was_agreed(folder: Path, tmp_path: Path, storage: str) -> None:
    app = folder / f"tasks in {storage}"
    assert run(app, tmp_path, "list").stdout == "No tasks yet\n"
    assert run(app, tmp_path, "add", "Buy milk", "--due", "2001-01-01").stdout == "Added task 1: Buy milk\n"
    assert run(app, tmp_path, "add", "Nap").stdout == "Added task 2: Nap\n"
    assert run(app, tmp_path, "done", "2").returncode == 0
    items = json.loads(run(app, tmp_path, "list", "--json").stdout)
    assert [{**item, "created_at": ""} for item in items] == [
        {"id": 1, "title": "Buy milk", "done": False, "due": "2001-01-01", "created_at": ""},
        {"id": 2, "title": "Nap", "done": True, "due": None, "created_at": ""},
    ]
    assert [item["id"] for item in json.loads(run(app, tmp_path, "list", "--view", "overdue", "--json").stdout)] == [1]
    gone, wrong = run(app, tmp_path, "show", "9"), run(app, tmp_path, "add", "x", "--due", "soon")
    assert (gone.returncode, gone.stderr) == (1, "Error: There is no task 9\n")
    assert wrong.returncode == 2
    assert "Invalid value for '--due': must be a date" in wrong.stderr
    ending = {"json": "json", "sqlite": "db"}[storage]
    assert f"my-app.{ending}" in {path.name for path in tmp_path.iterdir()}


def test_what_is_said_has_no_colours_and_no_boxes(folder: Path, tmp_path: Path) -> None:
    for words in (["--help"], ["add"], ["add", "--help"], ["list", "--no-such"], ["no-such"]):
        ran = run(folder / "everything in json", tmp_path, *words)
        assert (ran.stdout + ran.stderr).isascii(), words
        assert "\x1b" not in ran.stdout + ran.stderr


@pytest.mark.parametrize("storage", STORAGES)
def test_commands_at_the_same_time_lose_nothing(folder: Path, tmp_path: Path, storage: str) -> None:
    app = folder / f"notes in {storage}"
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    started = [
        subprocess.Popen([sys.executable, "main.py", "add", f"Note {number}"], cwd=app, env=environment, stdout=-3)
        for number in range(6)
    ]
    assert [process.wait(60) for process in started] == [0] * 6
    items = json.loads(run(app, tmp_path, "list", "--json").stdout)
    assert [item["id"] for item in items] == [1, 2, 3, 4, 5, 6]
    assert {item["title"] for item in items} == {f"Note {number}" for number in range(6)}


def test_a_later_tool_goes_on_with_the_data_of_an_earlier_one(tmp_path: Path) -> None:
    before = tool(notes(), storage="sqlite")
    after = tool(
        resource("note", "notes", field("title", required=True), field("stars", "integer", default=3)), storage="sqlite"
    )
    step, _ = table_changes.migrate(before, after, 2)
    assert step is not None
    first = generated.write(generate(before), tmp_path / "first")
    second = generated.write(generate(after, (tables.initial(before), step)), tmp_path / "second")
    run(first, tmp_path, "add", "One")
    items = json.loads(run(second, tmp_path, "list", "--json").stdout)
    assert [(item["id"], item["title"], item["stars"]) for item in items] == [(1, "One", 3)]
    assert run(second, tmp_path, "add", "Two", "--stars", "5").returncode == 0
    with sqlite3.connect(tmp_path / "my-app.db") as database:
        assert database.execute("PRAGMA user_version").fetchone() == (2,)
    database.close()


LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=120)


@settings(max_examples=30, deadline=None)
@given(title=LINES, label=LINES, choices=st.lists(LINES, min_size=1, max_size=5, unique=True))
def test_nothing_that_a_person_wrote_becomes_code(title: str, label: str, choices: list[str]) -> None:
    kind = AppField(name="kind", label=label, type=FieldType.CHOICE, choices=tuple(choices))
    row = Resource(name="row", plural="lines", label=label, plural_label=title, fields=(field("amount"), kind))
    for storage in STORAGES:
        files = generate(tool(row, storage=storage, title=title, summary=label))
        for name, text in files.items():
            if name.endswith(".py"):
                assert all(width(line) <= 88 for line in text.split("\n")), name
                ast.parse(text)
        texts = [node.value for node in ast.walk(ast.parse(files["resources.py"])) if isinstance(node, ast.Constant)]
        assert label in texts
        assert set(choices) <= set(texts)
        assert f"{title}: {label}" in [
            node.value for node in ast.walk(ast.parse(files["main.py"])) if isinstance(node, ast.Constant)
        ]
