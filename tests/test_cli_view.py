import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from terminal import answers, pages
from terminal.view import View, clean, one_line, progress, when

NASTY = "\x1b[2J\x1b]0;owned\x07 [bold]b[/bold] \u202eevil\u2066 \x9b31m \ud800 :smile:"
TASK: dict[str, Any] = {
    "id": "019a8b3c4d5e6f7",
    "intent": "create_file",
    "title": "Create `a.txt`",
    "status": "awaiting_approval",
    "project": "notes",
    "created": "2026-11-16T03:00:00Z",
}
CARD: dict[str, Any] = {
    "title": "Create `a.txt`",
    "where": "in the project `notes`",
    "what": {
        "summary": "1 new file",
        "files": [{"path": "a.txt", "change": "new", "before_bytes": None, "after_bytes": 3}],
        "more": 2,
        "diff": "--- a.txt\n+++ a.txt\n@@ -0,0 +1 @@\n+hi\n",
    },
    "undo": "yes: one click",
    "cost": "free",
    "worst": "The file is not as you want it",
}


@given(st.text(alphabet=st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "L", "Zs"])))
def test_no_text_of_the_service_can_steer_the_terminal(text: str) -> None:
    harmless = clean(text)
    assert not any(c < " " and c not in "\n\t" for c in harmless)
    assert not {"\x1b", "\x9b", "\u202e", "\u2066", "\u2028"} & set(harmless)
    harmless.encode()


@given(st.text(min_size=1), st.integers(2, 80))
def test_one_line_is_one_line_and_no_longer_than_asked(text: str, most: int) -> None:
    line = one_line(text, most)
    assert "\n" not in line
    assert len(line) <= most


def test_a_time_is_shown_as_the_readers_clock_has_it_and_nonsense_is_shown_as_it_is() -> None:
    assert when("2026-11-16T03:00:00Z")[:8] == "2026-11-"
    assert when("yesterday") == "yesterday"
    assert when(None) == ""


def test_progress_names_the_step_that_is_being_taken() -> None:
    steps = [{"status": "succeeded", "title": "one"}, {"status": "running", "title": "two"}, {"status": "queued"}]
    assert progress({"task": {"title": "plan"}, "children": steps}) == "Step 2 of 3: two"
    assert progress({"task": {"title": "alone"}, "children": []}) == "alone"


Page = Callable[[View], None]
PAGES: dict[str, Page] = {
    "answer": lambda v: answers.answer(
        v, {"success": True, "message": NASTY, "result": {"data": {"content": NASTY, "kept": [NASTY], "url": NASTY}}}
    ),
    "waiting": lambda v: answers.answer(
        v, {"confirmationNeeded": True, "id": NASTY, "card": {"title": NASTY, "what": {"diff": NASTY}, "worst": NASTY}}
    ),
    "refused": lambda v: answers.refused(
        v, {"message": NASTY, "error": {"hint": NASTY, "details": {"waiting": [TASK]}}}
    ),
    "tasks": lambda v: pages.history(v, {"tasks": [{**TASK, "title": NASTY, "status": NASTY}]}),
    "task": lambda v: pages.task(
        v, {"task": {**TASK, "title": NASTY, "card": CARD}, "children": [{**TASK, "id": NASTY}]}, lambda i: {}
    ),
    "trust": lambda v: pages.trust(v, {"records": [{"intent": NASTY, "score": 0.5, "threshold": 0.7}]}),
    "memory": lambda v: pages.memory(v, {"current_goal": NASTY, "waiting": [{"id": NASTY, "title": NASTY}]}),
    "queue": lambda v: pages.queue(v, {"steps": [{"id": "1", "step": {"project": NASTY}, "title": NASTY}]}),
    "logs": lambda v: pages.logs(v, {"logs": [{"date": NASTY, "name": NASTY, "title": NASTY, "status": NASTY}]}),
    "json": lambda v: pages.as_json(v, {"log": {"a": NASTY}}),
}


@pytest.mark.parametrize("columns", ["30", "80", "200"])
@pytest.mark.parametrize("page", list(PAGES))
def test_pages_stay_plain_text_at_any_width(
    page: str, columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    PAGES[page](View())
    captured = capsys.readouterr()
    shown = captured.out + captured.err
    assert "1b" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("columns", ["40", "100"])
def test_an_id_is_never_cut_however_narrow_the_terminal(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    pages.history(View(), {"tasks": [{**TASK, "title": "word " * 30}]})
    assert TASK["id"] in capsys.readouterr().out


def test_a_card_says_what_changes_where_whether_it_can_be_undone_and_the_worst(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers.card(View(), CARD)
    shown = capsys.readouterr().out
    for words in (
        "Create `a.txt`",
        "in the project `notes`",
        "new a.txt (3 bytes)",
        "and 2 more",
        "+hi",
        "free",
        "yes:",
    ):
        assert words in shown


def test_a_document_is_one_json_value_even_if_it_cannot_be_printed_as_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    View(as_json=True).document({"message": NASTY})
    assert json.loads(capsys.readouterr().out) == {"message": NASTY}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "meant"), [("\n", "y"), ("No\n", "n"), ("what\nl\n", "l"), ("", "l"), ("Y\n", "y")])
def test_enter_means_yes_and_the_end_of_the_input_means_later(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    view = View(stdin=Terminal(typed))
    assert view.ask("Go ahead?", "ynl") == meant
    assert capsys.readouterr().out == ""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
DETAILS = st.dictionaries(st.sampled_from(["fields", "nearest", "waiting", "card", "lines"]), JSON)


@given(DETAILS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_the_details_of_an_error_are_it_is_shown(
    capsys: pytest.CaptureFixture[str], details: dict[str, Any]
) -> None:
    answers.refused(View(), {"message": "It broke", "error": {"hint": "Mend it", "details": details}})
    assert capsys.readouterr().err.startswith("It broke\nMend it\n")
