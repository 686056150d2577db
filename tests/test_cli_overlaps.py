"""What a terminal shows of edits that stand in the way of a change: where, and both sides, never too much."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cli
from tests.scripted_service import ScriptedService, error, scripted_service


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedService]:
    monkeypatch.setenv("AGENT_HOME", str(tmp_path))
    monkeypatch.setenv("AGENT_TOKEN", "a-very-secret-token")
    with scripted_service() as running:
        yield running


def marked(yours: str, new: str) -> str:
    return f"<<<<<<< yours\n{yours}=======\n{new}>>>>>>> new\n"


def shown(service: ScriptedService, conflicts: dict[str, str], capsys: pytest.CaptureFixture[str], **more: Any) -> str:
    service.on("POST /run", (409, error("conflict", "Nothing was changed", conflicts=conflicts, **more)))
    assert cli.main(["run", "update_app", "-p", "bakery", "change=x", "--url", service.url]) == 5
    return "".join(capsys.readouterr())


def test_each_place_is_named_by_file_and_line_with_both_sides(
    service: ScriptedService, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = marked("cake\n", "rolls\n"), marked("", "more\n")
    text = shown(service, {"index.html": f"a\nb\n{first}c\n{second}d\n"}, capsys, lines={"index.html": [3, 5]})
    assert "index.html, line 3\n    yours: cake\n    new:   rolls\n" in text
    assert "index.html, line 5\n    yours: (nothing)\n    new:   more\n" in text
    assert "<<<<" not in text and ">>>>" not in text


def test_a_file_that_is_gone_is_told_in_the_words_of_the_service(
    service: ScriptedService, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "app.py: You deleted this file" in shown(service, {"app.py": "You deleted this file"}, capsys)


def test_long_and_many_places_are_counted_rather_than_shown(
    service: ScriptedService, capsys: pytest.CaptureFixture[str]
) -> None:
    long = marked("".join(f"line {number}\n" for number in range(40)), "one\n")
    text = shown(service, {f"{name}.py": long for name in range(9)}, capsys)
    assert "yours: line 4\n    yours: and 35 more lines\n" in text and "line 5\n" not in text
    assert "  5.py\n" in text and "6.py" not in text and "and 3 more places" in text


def test_what_was_cut_off_or_is_hostile_does_nothing_to_the_terminal(
    service: ScriptedService, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(service, {"\x1b[2Ja.py": f"<<<<<<< yours\n{'x' * 500}\x1b[2J\n"}, capsys)
    assert "\x1b" not in text and "a.py\n" in text and "x" * 200 not in text
