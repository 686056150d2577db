"""`docs/cli.md` and the help texts say what the commands really are."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

import cli
from terminal.client import Exit

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "cli.md").read_text()
SHARED = {"--json", "--url", "--help"}


def commands(group: Any = None, above: str = "") -> Iterator[tuple[str, Any]]:
    """Every command that Typer knows, by its full name."""
    group = group or typer.main.get_command(cli.build())
    for name, found in group.commands.items():
        if hasattr(found, "commands"):
            yield from commands(found, f"{above}{name} ")
        else:
            yield f"{above}{name}", found


COMMANDS = dict(commands())
EXAMPLES = [line.split("  #")[0] for line in re.findall(r"^\./agent .+$", PAGE, re.MULTILINE)]


def section(name: str) -> str:
    found = re.search(rf"^### {re.escape(name)}\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no section for `{name}`"
    return found[1]


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_is_documented_with_an_example_and_all_its_options(name: str) -> None:
    text = section(name)
    assert f"./agent {name}" in text
    options = {option for param in COMMANDS[name].params for option in param.opts if option.startswith("--")}
    missing = {option for option in options - SHARED if option not in text and option not in section("run")}
    assert not missing
    assert options >= SHARED - {"--help"}


def test_no_command_is_documented_that_does_not_exist() -> None:
    assert set(re.findall(r"^### (.+)$", PAGE, re.MULTILINE)) == set(COMMANDS)


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_is_a_command_line_that_would_be_understood(line: str) -> None:
    words = shlex.split(line)[1:]
    if words[0] in cli.GROUPS:
        words = [" ".join(words[:2]), *words[2:]]
    COMMANDS[words[0]].make_context(words[0], words[1:])


def test_every_exit_code_is_documented_and_in_the_help() -> None:
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)}
    assert documented == set(Exit)
    assert {int(code) for code in re.findall(r"\b(\d+) [a-z]", cli.CODES)} == set(Exit)
    help_text = subprocess.run(
        [sys.executable, "-m", "cli", "run", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "Exit codes:" in help_text.stdout


@pytest.mark.parametrize("name", list(COMMANDS))
def test_help_is_one_plain_sentence_and_every_option_is_explained(name: str) -> None:
    found = COMMANDS[name]
    assert found.help
    assert found.help.endswith(".")
    assert all(param.help for param in found.params)


def test_starting_up_pays_for_nothing_that_a_command_does_not_need() -> None:
    code = "import sys, cli; cli.build(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    heavy = {"rich", "requests", "http.client", "flask", "pygit2", "pydantic", "orjson", "app", "settings"}
    assert heavy.isdisjoint(loaded.stdout.split())
