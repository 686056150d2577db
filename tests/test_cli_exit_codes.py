"""What each answer of the service, and each way of not getting one, means to a script."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import cli
from terminal.client import ANSWER_SECONDS, PLANNING_SECONDS, Client
from tests.scripted_service import OK, ScriptedService, error, scripted_service

DONE: dict[str, Any] = {"success": True, "message": "Created `a.txt`", "id": "t1", "status": "succeeded"}
CARD = {"title": "Create `a.txt`", "what": {"summary": "1 file", "diff": "+hi"}, "undo": "yes"}
WAITS: dict[str, Any] = {
    **{"success": True, "message": "I ask first", "id": "t1", "status": "awaiting_approval"},
    **{"confirmationNeeded": True, "card": CARD, "decision": {"verdict": "ask", "reasons": ["it is new to me"]}},
}
GONE = "http://127.0.0.1:1"


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    with scripted_service() as running:
        yield running


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AGENT_HOME", str(tmp_path))
    monkeypatch.setenv("AGENT_TOKEN", "a-very-secret-token")
    monkeypatch.delenv("AGENT_URL", raising=False)
    return tmp_path


@pytest.fixture(params=[False, True], ids=["words", "json"])
def as_json(request: pytest.FixtureRequest) -> list[str]:
    return ["--json"] if request.param else []


def announce(home: Path, url: str, pid: int) -> None:
    (home / "service.json").write_text(json.dumps({"url": url, "pid": pid}))


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (200, DONE, 0),
        (200, {**DONE, "success": False, "status": "failed", "message": "2 tests are red"}, 1),
        (200, WAITS, 3),
        (400, error("invalid_params", fields=[{"field": "path", "problem": "it is needed"}]), 2),
        (401, error("unauthorized"), 7),
        (403, error("forbidden"), 7),
        (404, error("not_found"), 4),
        (409, error("already_exists"), 5),
        (413, error("too_large"), 2),
        (429, error("too_many_requests"), 6),
        (500, error("failed"), 1),
        (503, error("unavailable"), 6),
    ],
)
def test_the_exit_code_says_what_the_answer_means(
    service: ScriptedService,
    capsys: pytest.CaptureFixture[str],
    as_json: list[str],
    status: int,
    body: dict[str, Any],
    code: int,
) -> None:
    service.on("POST /run", (status, body))
    assert cli.main(["run", "create_file", "path=a.txt", "--url", service.url, *as_json]) == code
    shown = capsys.readouterr()
    if as_json:
        assert json.loads(shown.out) == body
    else:
        assert str(body.get("card", body).get("title", body["message"])) in shown.out + shown.err
        assert "a-very-secret-token" not in shown.out + shown.err


def test_the_request_carries_the_token_a_key_and_exactly_what_was_typed(service: ScriptedService) -> None:
    service.on("POST /run", (200, DONE))
    assert cli.main(["run", "create_file", "-p", "notes", "path=a.txt", "content=hi", "--url", service.url]) == 0
    health, asked = service.asked
    assert "Authorization" not in health.headers
    assert asked.headers["Authorization"] == "Bearer a-very-secret-token"
    assert len(asked.headers["Idempotency-Key"]) == 32
    wait = asked.body.pop("wait")
    assert wait > 0
    assert asked.body == {"intent": "create_file", "project": "notes", "path": "a.txt", "content": "hi"}


@pytest.mark.parametrize("answer", [(200, b"<html>hello</html>"), (200, b"[1]"), (301, b""), (200, {"ok": 1})])
def test_another_program_at_the_address_is_not_taken_for_the_agent_and_gets_no_token(
    service: ScriptedService, as_json: list[str], answer: tuple[int, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    service.on("GET /health", answer)
    assert cli.main(["status", "--url", service.url, *as_json]) == 6
    assert not any("Authorization" in asked.headers for asked in service.asked)
    assert "not the agent" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("url", "code"),
    [
        *((GONE, 6), (f"https{GONE[4:]}", 6), ("http://a b", 6), ("http://" + "ü" * 70, 6)),
        *(("ftp://x", 2), ("http://", 2), ("http://[", 2), ("http://x:99999", 2), ("", 2)),
    ],
)
def test_an_address_where_nothing_answers_is_unreachable_and_what_is_none_is_wrong(
    url: str, code: int, as_json: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_URL", "nonsense:nonsense")
    assert cli.main(["status", "--url", url, *as_json]) == code
    out = capsys.readouterr().out
    if as_json:
        assert json.loads(out)["success"] is False


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["run"],
        ["run", "create_file", "--nope"],
        ["run", "create_file", "oops", "--url", GONE],
        ["show"],
        ["trust", "set", "create_file", "maybe", "--url", GONE],
        ["autonomy", "wild", "--url", GONE],
        ["undo", "--to", "yesterday", "--url", GONE],
        ["history", "--commits", "--url", GONE],
        ["history", "--limit", "0"],
    ],
)
def test_wrong_usage_is_said_before_anything_is_asked(
    words: list[str], as_json: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*words, *as_json]) == 2
    shown = capsys.readouterr()
    if as_json:
        assert json.loads(shown.out)["error"]["code"] == "bad_input"
    else:
        assert shown.out == ""
        assert shown.err


def test_work_that_takes_longer_is_followed_to_its_end(
    service: ScriptedService, capsys: pytest.CaptureFixture[str]
) -> None:
    running = {**DONE, "status": "running", "message": "Still working"}
    task = {"id": "t1", "title": "A plan", "status": "running"}
    steps = [{"id": "t2", "title": "one", "status": "succeeded"}, {"id": "t3", "title": "two", "status": "running"}]
    ended = {**task, "status": "succeeded", "result": {"success": True, "message": "All is done", "data": {}}}
    service.on("POST /run_all", (202, running))
    service.on(
        "GET /tasks/t1",
        (404, error("not_found")),
        (200, {**OK, "task": task, "children": steps}),
        (200, {**OK, "task": ended, "children": steps}),
    )
    assert cli.main(["all", "--url", service.url]) == 0
    shown = capsys.readouterr()
    assert "All is done" in shown.out
    assert "Step 2 of 2: two" in shown.err


def test_followed_work_that_fails_gives_the_same_code_as_if_it_had_failed_at_once(service: ScriptedService) -> None:
    gone = {"status": 404, "code": "not_found", "hint": "", "details": {}}
    task = {"id": "t1", "status": "failed", "result": {"success": False, "message": "There is no `a`", "error": gone}}
    service.on("POST /run", (202, {**DONE, "status": "running"}))
    service.on("GET /tasks/t1", (200, {**OK, "task": task, "children": []}))
    assert cli.main(["run", "read_file", "path=a", "--url", service.url]) == 4


def test_a_step_that_asks_in_the_middle_of_a_plan_speaks_for_it(
    service: ScriptedService, capsys: pytest.CaptureFixture[str]
) -> None:
    step = {"id": "t2", "title": "two", "status": "awaiting_approval", "card": CARD}
    task = {"id": "t1", "title": "A plan", "status": "running"}
    service.on("POST /run_all", (202, {**DONE, "status": "running"}))
    service.on("GET /tasks/t1", (200, {**OK, "task": task, "children": [step]}))
    assert cli.main(["all", "--url", service.url, "--json"]) == 3
    body = json.loads(capsys.readouterr().out)
    assert (body["id"], body["plan"], body["card"]) == ("t2", "t1", CARD)


def test_wait_0_gives_back_the_id_at_once(service: ScriptedService, capsys: pytest.CaptureFixture[str]) -> None:
    service.on("POST /run", (202, {**DONE, "status": "running"}))
    assert cli.main(["run", "list_files", "--wait", "0", "--url", service.url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "t1"
    assert len(service.asked) == 2


def test_several_waiting_are_listed_and_nothing_is_approved(
    service: ScriptedService, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting = [{"id": "t1", "title": "one"}, {"id": "t2", "title": "two"}]
    service.on("POST /confirm", (409, error("several_waiting", "2 tasks wait", waiting=waiting)))
    assert cli.main(["approve", "--url", service.url]) == 5
    shown = "".join(capsys.readouterr())
    assert "t1  one" in shown
    assert "t2  two" in shown


@pytest.mark.parametrize(("words", "named"), [([], {}), (["t1"], {"id": "t1"})])
def test_questions_are_answered_with_or_without_the_id_of_their_plan(
    service: ScriptedService, words: list[str], named: dict[str, str]
) -> None:
    service.on("POST /answer", (200, DONE))
    assert cli.main(["answer", *words, "about=books", "login=yes", "--url", service.url]) == 0
    [sent] = service.bodies("/answer")
    assert {name: sent[name] for name in sent if name != "wait"} == {
        **named,
        "answers": {"about": "books", "login": "yes"},
    }


def test_after_a_yes_to_one_step_its_plan_is_followed(
    service: ScriptedService, capsys: pytest.CaptureFixture[str]
) -> None:
    step = {"id": "t1", "title": "one", "status": "succeeded", "parent_id": "p1"}
    plan = {"id": "p1", "title": "A plan", "status": "running"}
    ended = {**plan, "status": "succeeded", "result": {"success": True, "message": "All is done"}}
    service.on("POST /confirm", (200, DONE))
    service.on("GET /tasks/t1", (200, {**OK, "task": step, "children": []}))
    service.on("GET /tasks/p1", (200, {**OK, "task": plan, "children": [step]}))
    assert cli.main(["approve", "t1", "--wait", "0.2", "--url", service.url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "running"
    service.on("GET /tasks/p1", (200, {**OK, "task": ended, "children": [step]}))
    assert cli.main(["approve", "t1", "--url", service.url, "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["id"], body["message"], len(body["steps"])) == ("p1", "All is done", 1)


def test_a_stale_approval_shows_the_new_card(service: ScriptedService, capsys: pytest.CaptureFixture[str]) -> None:
    service.on("POST /confirm", (409, error("stale_approval", "The project changed", card=CARD)))
    assert cli.main(["approve", "t1", "--url", service.url]) == 5
    assert "+hi" in "".join(capsys.readouterr())


def test_saying_no_is_done_when_the_no_was_heard(service: ScriptedService) -> None:
    service.on("POST /confirm", (200, {**DONE, "status": "rejected", "message": "Not done"}))
    assert cli.main(["reject", "t1", "--reason", "not now", "--url", service.url]) == 0
    assert service.asked[-1].body["reason"] == "not now"
    assert service.asked[-1].body["approve"] is False


def test_undo_of_several_without_a_person_waits_and_with_yes_is_approved_once(service: ScriptedService) -> None:
    service.on("POST /rollback", (200, WAITS))
    service.on("POST /confirm", (200, DONE))
    service.on("GET /tasks/t1", (200, {**OK, "task": {"id": "t1"}, "children": []}))
    assert cli.main(["undo", "t0", "--url", service.url]) == 3
    assert service.bodies("/confirm") == []
    assert cli.main(["undo", "t0", "--yes", "--url", service.url]) == 0
    [approved] = service.bodies("/confirm")
    assert (approved["id"], approved["approve"]) == ("t1", True)
    assert "--yes" in approved["reason"]


def test_yes_never_approves_anything_but_the_card_that_it_was_given_for(service: ScriptedService) -> None:
    service.on("POST /rollback", (200, WAITS))
    service.on("POST /confirm", (409, error("stale_approval", "The project changed", card=CARD)))
    assert cli.main(["undo", "--yes", "--url", service.url]) == 5
    service.on("POST /confirm", (200, {**WAITS, "id": "t9"}))
    assert cli.main(["undo", "--yes", "--url", service.url]) == 3
    assert [body["id"] for body in service.bodies("/confirm")] == ["t1", "t1"]


def test_yes_never_covers_what_others_would_see(service: ScriptedService) -> None:
    service.on("POST /rollback", (200, {**WAITS, "decision": {"effects": ["execute_sandboxed", "network"]}}))
    assert cli.main(["undo", "t0", "--yes", "--url", service.url]) == 3
    assert service.bodies("/confirm") == []


def test_redo_takes_back_the_newest_undo_that_still_stands(service: ScriptedService) -> None:
    tasks = [
        {"id": "t5", "undoes": ["t4"], "redoes": ["t1"], "status": "succeeded"},
        {"id": "t4", "undoes": ["t1"], "redoes": [], "status": "undone", "undone_by": "t5"},
        {"id": "t3", "undoes": ["t2"], "redoes": [], "status": "succeeded"},
        {"id": "t2", "undoes": [], "redoes": [], "status": "undone"},
    ]
    service.on("GET /tasks", (200, {**OK, "tasks": tasks}))
    service.on("POST /rollback", (200, DONE))
    assert cli.main(["redo", "--url", service.url]) == 0
    assert service.bodies("/rollback")[0]["id"] == "t3"
    service.on("GET /tasks", (200, {**OK, "tasks": tasks[:2]}))
    assert cli.main(["redo", "--url", service.url]) == 4


def test_the_service_of_the_home_is_found_by_its_own_note(service: ScriptedService, home: Path) -> None:
    announce(home, service.url, os.getpid())
    service.on("GET /queue", (200, {**OK, "steps": []}))
    assert cli.main(["queue"]) == 0


def test_a_note_of_a_process_that_is_gone_leads_nowhere(service: ScriptedService, home: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    announce(home, service.url, gone.pid)
    assert cli.main(["open"]) == 6
    assert cli.main(["stop"]) == 0
    assert service.asked == []


@pytest.mark.parametrize("note", ["", "{", "[]", '{"url": 1, "pid": 2}', '{"url": "http://127.0.0.1:1", "pid": -1}'])
def test_a_damaged_note_is_as_good_as_none(home: Path, note: str) -> None:
    (home / "service.json").write_text(note)
    assert cli.main(["open"]) == 6


def test_the_token_alone_is_printed(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.main(["token"]) == 0
    assert capsys.readouterr().out == "a-very-secret-token\n"
    monkeypatch.delenv("AGENT_TOKEN")
    (home / "token").write_text("made-token\n")
    assert cli.main(["token", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["token"] == "made-token"


@pytest.mark.parametrize("token", ["two words", "line\nbreak", "schlüssel"])
def test_a_token_that_cannot_be_one_is_sent_nowhere(
    service: ScriptedService, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_TOKEN", token)
    assert cli.main(["queue", "--url", service.url]) == 7
    assert [asked.path for asked in service.asked] == ["/health"]


def test_a_link_to_sign_in_is_printed_for_a_script_and_not_opened(
    service: ScriptedService, capsys: pytest.CaptureFixture[str]
) -> None:
    link = {**OK, "url": "http://127.0.0.1:5000/#code=x", "code": "x", "expires": "2026-11-16T03:00:00Z"}
    service.on("POST /admin/link", (200, link))
    assert cli.main(["open", "--url", service.url]) == 0
    assert capsys.readouterr().out == "http://127.0.0.1:5000/#code=x\n"


def test_work_is_waited_for_longer_than_anything_else_since_a_plan_looks_up_its_packages() -> None:
    class Silent:
        """Notes how long each request would wait for its answer."""

        address: str | None = None

        def __init__(self) -> None:
            self.waits: dict[str, float] = {}

        def send(
            self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout: float
        ) -> tuple[int, bytes]:
            self.waits[path] = timeout
            return 200, b'{"success": true}'

        def close(self) -> None: ...

    silent = Silent()
    client = Client(silent, None)
    client.get("/status")
    client.act("/run", {"goal": "a full-stack app"}, limit=None, watch=lambda seen: None)
    assert silent.waits["/status"] == ANSWER_SECONDS
    assert silent.waits["/run"] > PLANNING_SECONDS > 5 * ANSWER_SECONDS
