"""Node tools: code that has no more than it needs, tests that catch mistakes, and commands that people can guess."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from contracts.app_spec import Kind, Language, Migration
from scaffolds.node_tool import generate
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

SPECS = node_specs(Kind.CLI_TOOL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tools, each in a folder of its name."""
    made = tmp_path_factory.mktemp("node_tools")
    for name, spec in SPECS.items():
        write(generate(spec), made / name)
    return made


class Tool:
    """A tool with data of its own."""

    def __init__(self, folder: Path, data: Path) -> None:
        self._folder, self._data = folder, data

    def run(self, *words: str) -> CompletedProcess[str]:
        return run(self._data, "node", str(self._folder / "main.js"), *words, env={"DATA_DIR": str(self._data)})

    def json(self, *words: str) -> Any:
        ran = self.run(*words, "--json")
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)


@pytest.fixture
def things(folder: Path, tmp_path: Path) -> Tool:
    return Tool(folder / "everything", tmp_path)


@pytest.fixture
def library(folder: Path, tmp_path: Path) -> Tool:
    return Tool(folder / "library", tmp_path)


@pytest.mark.parametrize("name", SPECS)
def test_the_code_is_well_formed_and_all_of_it_is_used(name: str) -> None:
    files = generate(SPECS[name])
    assert not list(misformed(files))
    assert not list(unused(files))
    changed = generate(SPECS[name], (Migration(name="change_2", sql=()),))
    assert {path for path in files if changed[path] != files[path]} == {"src/store.js"}
    assert "VERSION = 1;" in files["src/store.js"] and "VERSION = 2;" in changed["src/store.js"]


def test_a_tool_has_what_people_expect_of_it() -> None:
    files = generate(SPECS["library"])
    package = json.loads(files["package.json"])
    assert package["type"] == "module"
    assert "dependencies" not in package
    assert {"README.md", ".gitignore", ".env.example", "main.js"} <= files.keys()
    assert "node main.js books add 'title 1' --author-id 1 --shelf-id 1" in files["README.md"]
    assert "/my-app.json*" in files[".gitignore"]


def test_a_tool_called_package_does_not_keep_its_data_in_its_package_file() -> None:
    files = generate(specs.spec(Kind.CLI_TOOL, specs.notes(), name="package", language=Language.NODE))
    assert '"package-data.json"' in files["main.js"]
    assert "/package-data.json*" in files[".gitignore"]


def test_all_modules_load(folder: Path) -> None:
    assert_loads(folder)


@pytest.mark.parametrize("name", ["library", "hostile"])
def test_the_tests_of_a_tool_pass(folder: Path, name: str) -> None:
    code, said = run_node_tests(folder / name)
    assert code == 0, said


MUTATIONS = [
    ("commands", "src/commands.js", "error instanceof Usage ? 2 : 1", "1"),
    ("commands", "src/items.js", "table.next += 1;", ""),
    ("commands", "src/options.js", "= false", "= true"),
    ("commands", "src/lines.js", '? "yes" : "no"', '? "no" : "yes"'),
    ("lists", "src/commands.js", "resource.paging ?", "!resource.paging ?"),
    ("store", "src/store.js", "const tables = read(this.#file);", "const tables = this.#tables;"),
    ("values", "src/options.js", 'text.trim() === "" ? null : ', ""),
]


@pytest.mark.parametrize(("test", "path", "before", "after"), MUTATIONS, ids=[change[2] for change in MUTATIONS])
def test_the_tests_of_a_tool_catch_mistakes(folder: Path, test: str, path: str, before: str, after: str) -> None:
    assert_node_tests_catch(folder / "mistakes", test, path, before, after)


def test_values_are_given_in_any_usual_way(things: Tool) -> None:
    required = ["--story", "x", "--height=-1.5", "--ends-at", "09:30", "--colour", "red", "--cost", "-3.10"]
    added = things.run("add", *required, "--done", "--no-wanted", "--", "-5 degrees")
    assert (added.returncode, added.stdout) == (0, "Added thing 1: -5 degrees\n"), added.stderr
    item = things.json("show", "1")
    assert (item["height"], item["cost"], item["done"], item["wanted"]) == (-1.5, -3.1, True, False)
    assert item["status"] == "open"
    assert [one["id"] for one in things.json("list", "--done", "yes", "--sort", "-ends-at")] == [1]
    assert things.json("list", "--done", "no") == []
    assert things.run("edit", "1", "--status", "").returncode == 0
    assert things.json("show", "1")["status"] is None
    assert things.run("done", "1").stdout == "Done: thing 1: -5 degrees\n"


def test_what_is_wrong_is_said_by_its_option(things: Tool) -> None:
    refused = things.run("add", "x", "--due-date", "tomorrow", "--price", "1001")
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert "--due-date must be a date such as 2026-11-17" in refused.stderr
    assert "--price must be at most 1000" in refused.stderr
    assert "--story is required" in refused.stderr


def test_commands_stand_behind_what_they_are_about(library: Tool) -> None:
    assert library.run("books", "list").stdout == "No books yet\n"
    assert library.run("authors", "add", "Ada").stdout == "Added author 1: Ada\n"
    assert library.run("shelves", "add", "Attic").stdout == "Added shelf 1: Attic\n"
    added = library.run("books", "add", "--author-id", "1", "--shelf-id", "1", "Notes on the engine")
    assert added.stdout == "Added book 1: Notes on the engine\n"
    assert library.run("books", "list").stdout == "1  Notes on the engine  (author: 1, shelf: 1, Lent: no)\n"
    assert library.run("reviews", "add", "--book-id", "1", "5").stdout == "Added review 1: 5\n"
    assert library.run("reviews", "edit", "1").returncode == 2
    assert library.run("authors", "remove", "1").returncode == 0
    assert library.json("books", "list") == []


def test_a_closed_pipe_is_no_mistake(folder: Path, tmp_path: Path) -> None:
    data = {"version": 1, "tables": {"notes": {"next_id": 20_001, "items": []}}}
    stamp = "2026-11-17T10:00:00Z"
    data["tables"]["notes"]["items"] = [  # type: ignore[index]
        {"id": number, "title": "x" * 50, "created_at": stamp} for number in range(1, 20_001)
    ]
    (tmp_path / "my-app.json").write_text(json.dumps(data))
    main = folder / "notes" / "main.js"
    ran = run(tmp_path, "sh", "-c", f"node {main} list | head -n 1", env={"DATA_DIR": str(tmp_path)})
    assert ran.stdout.startswith("    1  x")
    assert ran.stderr == ""


def test_many_at_once_lose_nothing(folder: Path, tmp_path: Path) -> None:
    tool = Tool(folder / "notes", tmp_path)
    with ThreadPoolExecutor(4) as pool:
        ran = list(pool.map(lambda number: tool.run("add", f"note {number}"), range(8)))
    assert all(one.returncode == 0 for one in ran), ran
    assert {item["title"] for item in tool.json("list")} == {f"note {number}" for number in range(8)}
    assert [path.name for path in tmp_path.iterdir()] == ["my-app.json"]


def test_names_that_lists_have_for_themselves_come_first(folder: Path, tmp_path: Path) -> None:
    """`odd_words` has a field `json` that can be filtered by, and a list is printed as JSON all the same."""
    assert any(field.name == "json" for resource in specs.odd_words() for field in resource.fields)
    assert Tool(folder / "odd_words", tmp_path).json("groups", "list") == []
