"""File actions through the whole house."""

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import EditMismatch
from tests.desk import Desk
from text_edits import nearest_lines, replace_once


@pytest.fixture
def open_desk(desk: Desk) -> Desk:
    names = ("create_file", "write_file", "modify_file", "append_file", "move_file", "delete_file", "create_directory")
    desk.allow(*names)
    return desk


def test_text_and_binary_are_written_and_read_back(open_desk: Desk) -> None:
    open_desk.do("create_file", path="ä/ü.txt", content="Grüße\r\n")
    read = open_desk.do("read_file", path="ä/ü.txt")["result"]["data"]
    assert read["content"] == "Grüße\r\n" and read["encoding"] == "text"
    raw = bytes(range(256))
    open_desk.do("create_file", path="b.bin", content=base64.b64encode(raw).decode(), encoding="base64")
    assert open_desk.file("b.bin").read_bytes() == raw
    data = open_desk.do("read_file", path="b.bin")["result"]["data"]
    assert data["encoding"] == "base64" and base64.b64decode(data["content"]) == raw
    assert open_desk.run("read_file", status=400, path="b.bin", encoding="text")["error"]["hint"]


@pytest.mark.parametrize("content", ["!!", "aGk", "aGk=\n=", "ä"])
def test_bad_base64_is_refused(open_desk: Desk, content: str) -> None:
    reply = open_desk.run("create_file", status=400, path="a", content=content, encoding="base64")
    assert "base64" in reply["message"]


def test_too_large_is_refused_before_anything_is_written(open_desk: Desk) -> None:
    reply = open_desk.run("create_file", status=413, path="a", content="x" * 2_000_001)
    assert reply["error"]["code"] == "too_large" and not open_desk.file("a").exists()
    open_desk.do("create_file", path="a", content="x" * 1_999_999)
    assert open_desk.run("append_file", status=413, path="a", content="yy")["error"]["code"] == "too_large"


def test_several_edits_are_all_made_or_none(open_desk: Desk) -> None:
    open_desk.do("create_file", path="a.py", content="one\ntwo\nthree\n")
    good = [{"search": "one", "replace": "1"}, {"search": "1\ntwo", "replace": "1 2"}]
    open_desk.do("modify_file", path="a.py", edits=good)
    assert open_desk.text("a.py") == "1 2\nthree\n"
    bad = [{"search": "three", "replace": "3"}, {"search": "absent", "replace": ""}]
    reply = open_desk.run("modify_file", status=409, path="a.py", edits=bad)
    assert reply["error"]["code"] == "edit_mismatch" and "edit 2 of 2" in reply["message"]
    assert open_desk.text("a.py") == "1 2\nthree\n"


def test_a_miss_shows_the_nearest_lines_and_a_double_hit_shows_where(open_desk: Desk) -> None:
    open_desk.do("create_file", path="a.py", content="def area(width):\n    return width\n\nx = 1\nx = 1\n")
    missed = open_desk.run("modify_file", status=409, path="a.py", search="def area(with):", replace="x")
    assert missed["error"]["details"]["nearest"][0] == {
        "line": 1,
        "text": "def area(width):",
        "alike": pytest.approx(0.97, abs=0.03),
    }
    twice = open_desk.run("modify_file", status=409, path="a.py", search="x = 1", replace="x = 2")
    assert twice["error"]["details"] == {"matches": 2, "lines": [4, 5]}
    done = open_desk.run("modify_file", status=409, path="a.py", search="y = 1", replace="x = 1")
    assert "already" in done["error"]["hint"]


@pytest.mark.parametrize(
    "params",
    [
        {"path": "a"},
        {"path": "a", "search": "x"},
        {"path": "a", "search": "x", "replace": "y", "edits": [{"search": "x", "replace": "y"}]},
        {"path": "a", "edits": []},
        {"path": "a", "edits": [{"search": "", "replace": "y"}]},
    ],
)
def test_edits_said_in_no_way_or_in_two_are_refused(open_desk: Desk, params: dict[str, Any]) -> None:
    error = open_desk.run("modify_file", status=400, **params)["error"]
    assert error["hint"] and error["code"] == "invalid_params"


def test_move_delete_and_folders(open_desk: Desk) -> None:
    open_desk.do("create_directory", path="d/e")
    open_desk.do("create_file", path="d/a.txt", content="a")
    open_desk.do("move_file", path="d", to="f")
    assert open_desk.text("f/a.txt") == "a" and open_desk.file("f/e").is_dir() and not open_desk.file("d").exists()
    assert open_desk.run("delete_file", status=409, path="f")["error"]["hint"]
    open_desk.do("delete_file", path="f", recursive=True)
    assert not open_desk.file("f").exists()
    open_desk.post("/rollback")
    assert open_desk.text("f/a.txt") == "a" and open_desk.file("f/e").is_dir()


def test_existing_targets_and_missing_sources_are_told_apart(open_desk: Desk) -> None:
    open_desk.do("create_file", path="a", content="a")
    open_desk.do("create_file", path="b", content="b")
    assert open_desk.run("move_file", status=409, path="a", to="b")["error"]["code"] == "already_exists"
    missing = open_desk.run("delete_file", status=404, path="c")
    assert missing["error"]["details"]["has"] == ["a", "b"]
    assert open_desk.run("create_file", status=409, path="A")["error"]["code"] == "already_exists", (
        "differs in case only"
    )
    assert open_desk.run("create_directory", status=409, path="a")["error"]["code"] == "already_exists"
    assert open_desk.run("append_file", status=404, path="zz")["error"]["code"] == "not_found"


def test_write_file_replaces_and_says_so(open_desk: Desk) -> None:
    assert "Created" in open_desk.do("write_file", path="a", content="1")["message"]
    assert "Replaced" in open_desk.do("write_file", path="a", content="2")["message"]
    assert open_desk.text("a") == "2"


def test_listing_and_searching(open_desk: Desk) -> None:
    open_desk.do("create_file", path="src/a.py", content="# TODO Write\n")
    open_desk.do("create_file", path="b.txt", content="nothing\ntodo\n")
    listed = open_desk.do("list_files", recursive=True)["result"]["data"]
    assert [entry["path"] for entry in listed["entries"]] == ["b.txt", "src", "src/a.py"]
    found = open_desk.do("search_files", text="todo")["result"]["data"]["matches"]
    assert [(match["path"], match["line"]) for match in found] == [("b.txt", 2), ("src/a.py", 1)]
    exact = open_desk.do("search_files", text="todo", ignore_case=False)["result"]["data"]["matches"]
    assert [match["path"] for match in exact] == ["b.txt"]
    assert open_desk.do("search_files", text="absent")["message"] == "Found nothing"


def test_a_search_is_bounded_and_needs_a_folder_that_is_there(open_desk: Desk) -> None:
    open_desk.do("create_file", path="a", content="x\n" * 500)
    found = open_desk.do("search_files", text="x")
    assert found["message"] == "Found the first 200 lines in 1 file" and found["result"]["data"]["truncated"]
    assert open_desk.run("search_files", text="x", path="gone", status=404)["error"]["code"] == "not_found"


def test_a_file_that_grew_too_large_is_not_read_to_be_changed(open_desk: Desk) -> None:
    open_desk.do("create_file", path="a", content="x")
    open_desk.file("a").write_bytes(b"x" * 3_000_000)
    for intent, params in {
        "append_file": {"content": "y"},
        "modify_file": {"search": "xx", "replace": "y"},
        "read_file": {},
    }.items():
        reply = open_desk.run(intent, path="a", status=413, **params)
        assert "3,000,000 bytes" in reply["message"]


def test_a_change_that_changes_nothing_makes_no_commit(open_desk: Desk) -> None:
    open_desk.do("write_file", path="a", content="same")
    reply = open_desk.do("write_file", path="a", content="same")
    assert reply["success"] and len(open_desk.get("/projects/notes/history")["commits"]) == 1


def test_deleting_installed_packages_cannot_be_undone_and_always_asks(open_desk: Desk) -> None:
    open_desk.do("create_file", path="a", content="")
    folder = open_desk.file("node_modules/x")
    folder.mkdir(parents=True)
    (folder / "index.js").write_text("1")
    asked = open_desk.run("delete_file", path="node_modules", recursive=True)
    assert (
        asked["confirmationNeeded"] and asked["card"]["undo"].startswith("no") and asked["decision"]["code"] == "floor"
    )


@given(
    st.text(alphabet="ab\n", max_size=40),
    st.text(alphabet="ab\n", min_size=1, max_size=4),
    st.text(alphabet="abc", max_size=4),
)
def test_an_edit_replaces_the_only_match_or_raises(text: str, search: str, replace: str) -> None:
    count = sum(text.startswith(search, at) for at in range(len(text)))
    if text.count(search) == 1 and count == 1:
        head, tail = text.split(search)
        assert replace_once(text, search, replace, "it") == head + replace + tail
    else:
        with pytest.raises(EditMismatch):
            replace_once(text, search, replace, "it")
    nearest_lines(text, search)
