import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import BadInput
from terminal.input import command, params

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,20}", fullmatch=True)


def test_an_action_with_values_becomes_the_body_of_run() -> None:
    body = command(["create_file", "path=a.txt", "content=x = 1"], project="notes")
    assert body == {"intent": "create_file", "project": "notes", "path": "a.txt", "content": "x = 1"}


def test_one_word_is_an_action_and_a_sentence_is_a_goal() -> None:
    assert command(["list_files"]) == {"intent": "list_files"}
    assert command(["make a page about cats"]) == {"goal": "make a page about cats"}
    assert command(["make", "a", "page"], project="cats") == {"goal": "make a page", "project": "cats"}


def test_a_sentence_that_mentions_an_equals_sign_is_still_a_goal() -> None:
    assert command(["explain why x=1 holds"]) == {"goal": "explain why x=1 holds"}


def test_json_values_keep_their_type() -> None:
    assert params(["recursive:=true", 'edits:=[{"search": "a"}]', "text=5"]) == {
        "recursive": True,
        "edits": [{"search": "a"}],
        "text": "5",
    }


@pytest.mark.parametrize(
    "words",
    [["create_file", "oops"], ["create_file", "path:={"], ["create_file", "=x"], ["create_file", "--=x"], [" "]],
)
def test_what_cannot_be_understood_is_named_and_nothing_is_guessed(words: list[str]) -> None:
    with pytest.raises(BadInput):
        command(words)


def test_a_value_comes_from_a_file_and_binary_is_sent_as_base64(tmp_path: Path) -> None:
    text, binary = tmp_path / "a.txt", tmp_path / "a.png"
    text.write_text("grüß\r\n", newline="")
    binary.write_bytes(b"\x89PNG\xff")
    assert params([], files=[f"content=@{text}"]) == {"content": "grüß\r\n"}
    assert params([], files=[f"content=@{binary}"]) == {
        "content": base64.b64encode(b"\x89PNG\xff").decode(),
        "encoding": "base64",
    }


@pytest.mark.parametrize("word", ["content", "content=a.txt", "=@a.txt", "content=@", "content=@/no/such/file"])
def test_a_file_that_is_not_there_is_wrong_input(word: str) -> None:
    with pytest.raises(BadInput):
        params([], files=[word])


def test_parameters_as_one_json_object_are_overruled_by_single_ones() -> None:
    assert command(["create_file", "path=b"], json_params='{"path": "a", "content": "x"}') == {
        "intent": "create_file",
        "path": "b",
        "content": "x",
    }


@pytest.mark.parametrize("text", ["", "[1]", "{", "null"])
def test_parameters_that_are_not_an_object_are_wrong_input(text: str) -> None:
    with pytest.raises(BadInput):
        command(["create_file"], json_params=text)


@given(st.dictionaries(NAMES, st.text()))
def test_any_text_reaches_the_service_as_it_was_typed(values: dict[str, str]) -> None:
    assert params([f"{name}={value}" for name, value in values.items()]) == values


SIMPLE = st.none() | st.booleans() | st.integers() | st.text(max_size=20)


@given(st.dictionaries(NAMES, SIMPLE | st.lists(SIMPLE, max_size=5), max_size=5))
def test_any_json_reaches_the_service_as_it_was_meant(values: dict[str, object]) -> None:
    assert params([f"{name}:={json.dumps(value)}" for name, value in values.items()]) == values
