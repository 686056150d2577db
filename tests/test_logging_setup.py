"""Log lines: their shape, their file and what must never be in them."""

import json
import logging
import os
import stat
import string
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logging_setup import HIDDEN, LogFile, Redactor, dumps, log_context, set_up_logging, take_down_logging

SECRET = "correct-horse-battery-staple"
LOOKS_LIKE_A_SECRET = [
    ("Authorization: Bearer ", "abc123def456ghi", ""),
    ("bearer ", "AAAAAAAAAAAAAAAAAAAAAAAA", ""),
    ("", "ghp_" + "a1B2" * 9, ""),
    ("", "github_pat_" + "a1B2_" * 9, ""),
    ("", "glpat-" + "a1B2" * 5, ""),
    ("key: ", "sk-proj-" + "a1B2" * 9, "."),
    ("", "sk_live_" + "a1B2" * 6, ""),
    ("", "AKIA" + "ABCD" * 4, ""),
    ("", "AIza" + "a1B2" * 9, ""),
    ("", "xoxb-" + "1234-" * 4, ""),
    ("", "npm_" + "a1B2" * 9, ""),
    ("", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", ""),
    ("https://someone:", "hunter2", "@example.org/x.git"),
    ("/callback?code=", "abcdef", "&state=1"),
    ("", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----", "\nafter"),
    ("", "-----BEGIN PRIVATE KEY-----\ncut off", ""),
    ('{"client_secret": "', "hunter2", '"}'),
]
ORDINARY = [
    "Created `src/app.py` in `notes`",
    "the bearer authentication scheme",
    "task sk-1 is done",
    "http://127.0.0.1:5000/health?wait=3",
    "mailto:someone@example.org at http://example.org/@someone",
    "Passed 12 tests; the token count is 300",
    "-----BEGIN CERTIFICATE-----",
]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[LogFile]:
    handler = LogFile(tmp_path / "logs" / "agent.log", max_bytes=10_000, keep=2, redactor=Redactor([SECRET]))
    yield handler
    handler.close()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_line_has_every_field(log: LogFile) -> None:
    with log_context(task_id="t1", phase="execute"), log_context(iteration=2):
        log.write("info", "step_started", "Writing `a.txt`", {"path": "a.txt"}, "task_executor")
    [line] = lines(log.path)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "level": "info",
        "task_id": "t1",
        "iteration": 2,
        "phase": "execute",
        "event": "step_started",
        "data": {"path": "a.txt"},
        "logger": "task_executor",
        "message": "Writing `a.txt`",
    }


def test_outside_a_context_a_line_belongs_to_no_task(log: LogFile) -> None:
    with log_context(task_id="t1"):
        pass
    log.write("info", None, "hello")
    assert lines(log.path)[0]["task_id"] is None


def test_modules_log_through_the_root_logger_with_traceback(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = root.level
    handler = set_up_logging(tmp_path / "agent.log", Redactor(), level="info")
    try:
        logger = logging.getLogger("some.module")
        logger.debug("too detailed")
        logger.info("started on %s", "127.0.0.1", extra={"event": "started", "data": {"port": 5000}})
        try:
            raise KeyError("gone")
        except KeyError:
            logger.exception("it failed", extra={"data": ["not", "a", "dict"]})
    finally:
        take_down_logging(handler)
        root.setLevel(before)
    started, failed = lines(handler.path)
    assert (started["event"], started["data"], started["logger"]) == ("started", {"port": 5000}, "some.module")
    assert failed["level"] == "error"
    assert "KeyError" in failed["data"]["traceback"]
    assert failed["data"]["value"] == ["not", "a", "dict"]
    assert handler not in root.handlers


def test_a_message_that_does_not_fit_its_arguments_is_logged_as_it_is(log: LogFile) -> None:
    log.handle(logging.makeLogRecord({"msg": "%d of %d", "args": ("one",), "levelname": "ODD"}))
    [line] = lines(log.path)
    assert (line["message"], line["level"]) == ("%d of %d", "odd")


def test_only_the_owner_can_read_the_file_even_if_it_was_open_to_all(log: LogFile) -> None:
    log.path.parent.mkdir()
    log.path.touch(0o644)
    log.write("info", None, "hello")
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600


def test_rotation_keeps_the_newest_files_and_loses_no_line_of_them(log: LogFile) -> None:
    for number in range(400):
        log.write("info", "count", "x", {"number": number})
    names = sorted(path.name for path in log.path.parent.iterdir())
    assert names == ["agent.log", "agent.log.1", "agent.log.2"]
    assert all(path.stat().st_size <= 10_000 for path in log.path.parent.iterdir())
    order = [log.path.with_name("agent.log.2"), log.path.with_name("agent.log.1"), log.path]
    numbers = [line["data"]["number"] for path in order for line in lines(path)]
    assert numbers == list(range(numbers[0], 400))


def test_without_kept_files_rotation_begins_anew(tmp_path: Path) -> None:
    handler = LogFile(tmp_path / "agent.log", max_bytes=1024, keep=0, redactor=Redactor())
    for _ in range(50):
        handler.write("info", None, "x" * 100)
    handler.close()
    assert [path.name for path in tmp_path.iterdir()] == ["agent.log"]
    assert handler.path.stat().st_size <= 1024


def test_a_file_that_somebody_removes_is_made_again(log: LogFile) -> None:
    log.write("info", None, "one")
    log.path.unlink()
    log.write("info", None, "two")
    assert [line["message"] for line in lines(log.path)] == ["two"]


def test_threads_do_not_mix_their_lines(tmp_path: Path) -> None:
    handler = LogFile(tmp_path / "agent.log", max_bytes=10**9, keep=1, redactor=Redactor())

    def work(name: str) -> None:
        for number in range(200):
            handler.write("info", None, name * 200, number)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    handler.close()
    assert sorted((line["message"][0], line["data"]) for line in lines(handler.path)) == [
        (name, number) for name in "abcd" for number in range(200)
    ]


def test_what_cannot_be_written_is_counted_and_does_not_raise(tmp_path: Path) -> None:
    (tmp_path / "target").touch()
    (tmp_path / "agent.log").symlink_to(tmp_path / "target")
    handler = LogFile(tmp_path / "agent.log", max_bytes=10_000, keep=1, redactor=Redactor())
    handler.write("info", None, "hello")
    assert handler.lost == 1
    assert (tmp_path / "target").read_bytes() == b""


def test_a_full_disk_loses_the_line_and_not_the_next_one() -> None:
    handler = LogFile(Path("/dev/full"), max_bytes=10_000, keep=1, redactor=Redactor())
    handler.write("info", None, "hello")
    handler.write("info", None, "hello")
    handler.close()
    assert handler.lost == 2


@pytest.mark.parametrize("value", [{1: "a"}, {"big": 2**70}, {"odd": "\ud800"}, {"path": Path("/x")}, b"raw", {1, 2}])
def test_odd_values_become_some_json(value: Any) -> None:
    json.loads(dumps(value))


def test_values_that_contain_themselves_become_some_json(log: LogFile) -> None:
    loop: list[Any] = []
    loop.append(loop)
    deep: Any = "bearer"
    for _ in range(5000):
        deep = [deep]
    log.write("info", None, "loop", loop)
    log.write("info", None, "deep", deep)
    assert len(lines(log.path)) == 2


@pytest.mark.parametrize(("before", "secret", "after"), LOOKS_LIKE_A_SECRET)
def test_what_looks_like_a_secret_is_blanked_and_nothing_else(before: str, secret: str, after: str) -> None:
    redactor = Redactor()
    assert redactor.text(before + secret + after) == before + HIDDEN + after
    assert redactor.value({"x": [f"\n{before}{secret}{after}"]}) == {"x": [f"\n{before}{HIDDEN}{after}"]}


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert Redactor([SECRET]).text(text) == text
    assert Redactor([SECRET]).value({"text": text}) == {"text": text}


def test_a_value_is_blanked_when_its_name_tells() -> None:
    assert Redactor().value({"user": "ann", "Password": "x", "inner": [{"api_key": "y", "token": None}]}) == {
        "user": "ann",
        "Password": HIDDEN,
        "inner": [{"api_key": HIDDEN, "token": None}],
    }


def test_the_address_of_a_service_keeps_all_but_the_password() -> None:
    assert Redactor().text("postgres://ann:pw@db:5432/x") == f"postgres://ann:{HIDDEN}@db:5432/x"


def test_a_short_secret_is_blanked_only_where_it_stands_alone() -> None:
    redactor = Redactor(["test", "abc"])
    assert redactor.text("test the latest test abc") == f"{HIDDEN} the latest {HIDDEN} abc"


def test_nothing_secret_means_the_same_object() -> None:
    redactor = Redactor([SECRET])
    value, text = {"a": [1, "b"]}, "nothing here"
    assert redactor.value(value) is value
    assert redactor.text(text) is text


@given(st.text(min_size=8, alphabet=st.characters(exclude_characters="[]hiden", exclude_categories=["Cs"])), st.data())
def test_a_known_secret_never_gets_through(secret: str, data: st.DataObject) -> None:
    redactor = Redactor([secret])
    before, after = data.draw(st.text(alphabet=string.printable)), data.draw(st.text(alphabet=string.printable))
    assert secret not in redactor.text(before + secret + after)
    cleaned = redactor.value({"k": [before + secret + after], secret: 1})
    assert secret not in cleaned["k"][0]
    assert secret not in cleaned


@given(JSON_VALUES)
def test_values_without_secrets_come_back_unchanged(value: Any) -> None:
    line = Redactor().json(dumps(value))
    assert json.loads(line) == json.loads(dumps(Redactor().value(value)))


def test_a_log_line_never_carries_a_registered_secret(log: LogFile) -> None:
    log.write("info", "x", f"token\n{SECRET}", {"deep": [{SECRET: f"a\\{SECRET}\t"}]})
    raw = log.path.read_text("utf-8")
    assert SECRET not in raw
    assert json.loads(raw)["message"] == f"token\n{HIDDEN}"


def test_the_log_is_not_inherited_by_programs_that_are_started(log: LogFile) -> None:
    log.write("info", None, "hello")
    links = [link for link in Path("/proc/self/fd").iterdir() if link.is_symlink() and link.readlink() == log.path]
    assert [os.get_inheritable(int(link.name)) for link in links] == [False]
