"""Every route does what it says, and says what is wrong when it cannot."""

import base64
import io
import json
import zipfile
from typing import Any

import pytest

from tests.web.web_desk import Desk, Open

NOTE = {"intent": "create_file", "project": "notes", "path": "a.txt", "content": "hi"}


def zipped(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def approved(desk: Desk, said: Any) -> Any:
    return desk.post("/confirm", {"id": said["id"], "approve": True}) if said["confirmationNeeded"] else said


def test_a_command_waits_for_approval_and_then_runs(desk: Desk) -> None:
    asked = desk.post("/run", NOTE)
    assert asked["confirmationNeeded"] is True
    assert asked["decision"]["verdict"] == "ask"
    assert asked["card"]["what"]["files"][0]["path"] == "a.txt"
    done = desk.post("/confirm", {"approve": True})
    assert (done["id"], done["status"]) == (asked["id"], "succeeded")
    assert desk.get("/projects/notes/files/a.txt")["text"] == "hi"


def test_a_rejected_command_changes_nothing_and_keeps_the_reason(desk: Desk) -> None:
    asked = desk.post("/run", NOTE)
    desk.post("/confirm", {"id": asked["id"], "approve": False, "reason": "not that name"})
    assert desk.get(f"/tasks/{asked['id']}")["task"]["status"] == "rejected"
    assert "not that name" in str(desk.get("/memory")["failure_patterns"])
    assert desk.send("GET", "/projects/notes/files/a.txt").status_code == 404


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "application/json", ""])
def test_a_body_that_is_json_is_taken_whatever_it_is_called(desk: Desk, kind: str) -> None:
    body = b'{"intent": "list_files", "project": "notes", "path": ""}'
    desk.do("create_project")
    assert desk.send("POST", "/run", body, headers={"Content-Type": kind}).get_json()["status"] == "succeeded"


def test_parameters_may_stand_apart(desk: Desk) -> None:
    said = desk.post("/run", {"intent": "create_file", "project": "notes", "params": {"path": "b.txt", "content": ""}})
    assert said["title"] == "Create `b.txt`"


def test_a_retried_request_acts_once(desk: Desk) -> None:
    key = {"Idempotency-Key": "once-1"}
    first, second = (desk.send("POST", "/run", NOTE, headers=key).get_json() for _ in range(2))
    assert first["id"] == second["id"]
    assert len(desk.get("/tasks")["tasks"]) == 1


@pytest.mark.parametrize("key", ["x" * 65, "with space", "é"])
def test_a_key_that_is_too_long_or_odd_is_refused(still_desk: Desk, key: str) -> None:
    answer = still_desk.send("POST", "/run", NOTE, headers={"Idempotency-Key": key})
    assert answer.status_code == 400
    assert answer.get_json()["error"]["details"]["fields"][0]["field"] == "Idempotency-Key"


@pytest.mark.parametrize(
    ("body", "line", "column"),
    [(b"{", 1, 2), (b'{"a": 1,}', 1, 8), (b'{\n "a": tru\n}', 2, 7), (b"\xff", 1, 1), (b"NaN", 1, 1)],
)
def test_json_that_breaks_is_shown_where(still_desk: Desk, body: bytes, line: int, column: int) -> None:
    answer = still_desk.send("POST", "/run", body)
    assert answer.status_code == 400
    details = answer.get_json()["error"]["details"]
    assert (details["line"], details["column"]) == (line, column)


def test_nesting_without_end_is_refused(still_desk: Desk) -> None:
    assert still_desk.send("POST", "/run", b"[" * 100_000).status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "/confirm", {}, "approve"),
        ("POST", "/confirm", {"approve": "yes"}, "approve"),
        ("POST", "/confirm", {"approve": True, "wait": -1}, "wait"),
        ("POST", "/confirm", {"approve": True, "id": "../x"}, "id"),
        ("POST", "/confirm", {"approve": True, "aprove": True}, "aprove"),
        ("POST", "/rollback", {"to": "yesterday"}, "to"),
        ("POST", "/projects", {"name": "../x"}, "name"),
        ("GET", "/tasks?status=sleeping", None, "status"),
        ("GET", "/tasks?limit=0", None, "limit"),
        ("GET", "/tasks?lmit=5", None, "lmit"),
        ("GET", "/tasks/a%20b", None, "id"),
        ("GET", "/logs?date=today", None, "date"),
        ("GET", "/events?after=x", None, "after"),
        ("PUT", "/trust/overrides", {"intent": "create_file", "verdict": "maybe"}, "verdict"),
        ("PUT", "/settings", {"autonomy": "free"}, "autonomy"),
        ("PATCH", "/tasks/abc", {"step": {}}, "step"),
    ],
)
def test_wrong_input_is_named_by_its_field(still_desk: Desk, method: str, path: str, body: Any, field: str) -> None:
    answer = still_desk.send(method, path, body)
    said = answer.get_json()
    assert answer.status_code == 400, said
    assert said["error"]["code"] == "invalid_params"
    assert said["error"]["details"]["fields"][0]["field"] == field
    assert f"`{field}`" in said["message"]


@pytest.mark.parametrize("body", [[], 5, None, True])
def test_a_body_that_is_not_an_object_is_refused(still_desk: Desk, body: Any) -> None:
    assert still_desk.send("POST", "/confirm", json.dumps(body).encode()).status_code == 400


def test_an_unknown_intent_names_the_nearest(still_desk: Desk) -> None:
    answer = still_desk.send("POST", "/run", {"intent": "creat_file", "project": "notes"})
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] == "unknown_intent"
    assert "create_file" in answer.text


def test_a_request_that_says_nothing_is_told_what_is_missing(still_desk: Desk) -> None:
    answer = still_desk.send("POST", "/run", {})
    assert answer.status_code == 400
    assert "`intent`, `goal` or `steps`" in answer.get_json()["message"]


def test_an_empty_queue_says_so_plainly(still_desk: Desk) -> None:
    for path in ("/run_next", "/run_all"):
        said = still_desk.post(path)
        assert (said["success"], said["message"]) == (True, "No queued tasks")


def test_the_queue_can_be_changed_until_a_step_starts(desk: Desk) -> None:
    for name in "abc":
        desk.do("queue_task", step={**NOTE, "path": f"{name}.txt"})
    first, second, third = (step["id"] for step in desk.get("/queue")["steps"])
    edited = desk.send("PATCH", f"/tasks/{first}", {"step": {**NOTE, "path": "z.txt"}})
    assert edited.status_code == 200, edited.text
    assert desk.send("DELETE", f"/tasks/{second}").status_code == 200
    assert desk.post(f"/tasks/{third}/move", {"before": first})["success"]
    added = desk.post(f"/tasks/{first}/insert", {"step": {**NOTE, "path": "n.txt"}})
    assert [step["id"] for step in desk.get("/queue")["steps"]] == [third, added["id"], first]
    assert [step["step"]["path"] for step in desk.get("/queue")["steps"]] == ["c.txt", "n.txt", "z.txt"]
    assert desk.post("/cancel_plan")["cancelled"]
    assert desk.get("/queue")["steps"] == []


def test_a_task_that_is_not_there_is_not_found(still_desk: Desk) -> None:
    for method, path, body in (
        ("GET", "/tasks/nope", None),
        ("PATCH", "/tasks/nope", {"step": NOTE}),
        ("DELETE", "/tasks/nope", None),
        ("POST", "/tasks/nope/move", {"before": None}),
        ("POST", "/tasks/nope/insert", {"step": NOTE}),
        ("POST", "/confirm", {"id": "nope", "approve": True}),
        ("POST", "/rollback", {"id": "nope"}),
    ):
        answer = still_desk.send(method, path, body)
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (404, "not_found"), path


def test_tasks_are_listed_with_their_steps(desk: Desk) -> None:
    desk.post("/run", {"goal": "two notes", "steps": [NOTE, {**NOTE, "path": "b.txt"}]})
    done = desk.post("/confirm", {"approve": True})
    plan = next(task for task in desk.get("/tasks")["tasks"] if task["children"])
    shown = desk.get(f"/tasks/{plan['id']}")
    assert [child["status"] for child in shown["children"]] == ["succeeded", "succeeded"], done
    assert [task["id"] for task in desk.get("/tasks?status=queued")["tasks"]] == []
    page = desk.get("/tasks?limit=1")["tasks"]
    assert desk.get(f"/tasks?limit=5&after={page[0]['id']}")["tasks"][0]["id"] != page[0]["id"]


def test_an_undo_and_its_undo(desk: Desk) -> None:
    desk.do(**NOTE)
    undone = approved(desk, desk.post("/rollback"))
    assert undone["status"] == "succeeded"
    assert desk.send("GET", "/projects/notes/files/a.txt").status_code == 404
    approved(desk, desk.post("/rollback", {"id": undone["id"]}))
    assert desk.get("/projects/notes/files/a.txt")["text"] == "hi"


def test_memory_trust_actions_and_settings_are_shown(desk: Desk) -> None:
    desk.do(**NOTE)
    assert desk.get("/memory")["confirmed_count"] == 1
    assert desk.get("/memory/summary")["recent_actions"][0]["title"] == "Create `a.txt`"
    record = desk.get("/trust?project=notes")["records"][0]
    assert (record["intent"], record["verdict"]) == ("create_file", "ask")
    assert "create_file" in {action["name"] for action in desk.get("/actions")["actions"]}
    shown = desk.get("/settings")["settings"]
    assert shown["token"] is False
    assert desk.agent.token not in str(shown)


def test_the_owner_can_override_trust_and_set_autonomy(desk: Desk) -> None:
    override = {"intent": "create_file", "project": "notes", "verdict": "auto"}
    assert desk.send("PUT", "/trust/overrides", override).status_code == 200
    assert desk.post("/run", NOTE)["status"] == "succeeded"
    said = desk.send("PUT", "/settings", {"always_confirm": True}).get_json()
    assert said["autonomy"]["mode"] == "ask_all"
    assert desk.post("/run", {**NOTE, "path": "b.txt"})["confirmationNeeded"] is True


def test_projects_are_listed_with_their_files_and_history(desk: Desk) -> None:
    desk.do(**NOTE)
    assert [(p["name"], p["files"], p["bytes"]) for p in desk.get("/projects")["projects"]] == [("notes", 1, 2)]
    assert desk.get("/projects/notes")["project"]["last_commit"]["title"]
    assert [e["path"] for e in desk.get("/projects/notes/files?recursive=true")["entries"]] == ["a.txt"]
    assert len(desk.get("/projects/notes/history?limit=5")["commits"]) >= 1
    for path in ("/projects/none", "/projects/none/files", "/projects/none/history", "/projects/none/archive"):
        assert desk.send("GET", path).status_code == 404, path


def test_a_project_is_made_empty(desk: Desk) -> None:
    assert approved(desk, desk.post("/projects", {"name": "fresh"}))["status"] == "succeeded"
    assert desk.get("/projects/fresh")["project"]["name"] == "fresh"
    assert desk.send("POST", "/projects", {"name": "fresh"}).status_code == 409


def test_files_go_up_and_down_byte_for_byte(desk: Desk) -> None:
    data = bytes(range(256)) * 20
    asked = desk.send("PUT", "/projects/notes/files/pic/a.bin", data).get_json()
    assert asked["confirmationNeeded"] is True
    desk.post("/confirm", {"id": asked["id"], "approve": True})
    shown = desk.get("/projects/notes/files/pic/a.bin")
    assert base64.b64decode(shown["base64"]) == data
    assert (shown["size"], shown["mode"]) == (len(data), "0644")
    raw = desk.send("GET", "/projects/notes/files/pic/a.bin?download=1")
    assert raw.data == data
    assert raw.headers["Content-Type"] == "application/octet-stream"
    assert raw.headers["Content-Disposition"].startswith("attachment")
    assert "sandbox" in raw.headers["Content-Security-Policy"]
    assert raw.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["..%2Fx", "a/../b", ".git/config", "%00", "con.txt", "a//b"])
def test_paths_that_leave_the_project_are_refused(still_desk: Desk, path: str) -> None:
    for method, body in (("GET", None), ("PUT", b"x")):
        answer = still_desk.send(method, f"/projects/notes/files/{path}", body)
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (400, "unsafe_path"), path


def test_a_file_that_is_too_large_for_json_is_offered_as_a_download(open_desk: Open) -> None:
    desk = open_desk(max_body_bytes=2048)
    desk.do(**NOTE)
    (desk.home / "workspace" / "notes" / "big").write_bytes(bytes(5000))
    answer = desk.send("GET", "/projects/notes/files/big")
    assert answer.status_code == 413
    assert "download=1" in answer.get_json()["error"]["hint"]
    assert desk.send("GET", "/projects/notes/files/big?download=1").data == bytes(5000)


def test_an_upload_says_how_long_it_is_and_comes_whole(still_desk: Desk) -> None:
    answer = still_desk.send("PUT", "/projects/notes/files/a", b"abc", headers={"Transfer-Encoding": "chunked"})
    assert "how long" in answer.get_json()["message"]
    short = still_desk.send("PUT", "/projects/notes/files/a", b"abc", environ_overrides={"CONTENT_LENGTH": "5"})
    assert "ended before" in short.get_json()["message"]


def test_an_archive_comes_in_as_a_new_project_and_goes_out_again(desk: Desk) -> None:
    asked = desk.send("POST", "/projects/site/archive", zipped(**{"index.html": b"<p>", "js/a.js": b"1"})).get_json()
    assert asked["confirmationNeeded"] is True
    assert desk.post("/confirm", {"id": asked["id"], "approve": True})["status"] == "succeeded"
    out = desk.send("GET", "/projects/site/archive")
    assert out.headers["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(out.data)) as archive:
        assert archive.read("js/a.js") == b"1"
    again = desk.send("POST", "/projects/site/archive", zipped(x=b"1"))
    assert (again.status_code, again.get_json()["error"]["code"]) == (409, "already_exists")


def test_an_archive_that_is_not_fit_leaves_nothing_behind(desk: Desk) -> None:
    for data, status in ((b"not a zip", 400), (zipped(**{"../a": b"x"}), 400), (zipped(a=bytes(3_000_000)), 413)):
        assert desk.send("POST", "/projects/bad/archive", data).status_code == status
    assert desk.get("/projects")["projects"] == []
    assert not list(desk.home.glob("uploads/*"))


def test_logs_are_listed_and_read(desk: Desk) -> None:
    desk.do(**NOTE)
    entry = desk.get("/logs")["logs"][0]
    log = desk.get(f"/logs/{entry['date']}/{entry['name']}")["log"]
    assert (log["id"], log["status"]) == (entry["id"], "succeeded")
    assert desk.get(f"/logs?date={entry['date']}&limit=1")["logs"][0]["id"] == entry["id"]
    assert desk.send("GET", "/logs/2020-01-01/000000-x.json").status_code == 404
    assert desk.send("GET", "/logs/2020-01-01/..%2Fagent.log").status_code in {400, 404}


def test_metrics_come_as_json_and_as_text(desk: Desk) -> None:
    figures = desk.get("/metrics")["metrics"]
    assert figures["http_streams"] == 0
    desk.get("/queue")
    text = desk.send("GET", "/metrics", headers={"Accept": "text/plain"})
    assert text.headers["Content-Type"].startswith("text/plain")
    assert "agent_http_answers_200 2" in text.text


def test_the_service_can_be_asked_to_stop(desk: Desk) -> None:
    desk.post("/admin/stop")
    assert desk.stops == ["stop"]


def test_the_tests_of_a_file_are_run_on_an_agent_of_their_own(desk: Desk) -> None:
    case = {"name": "it is well", "commands": [{"send": "GET /health", "expect": {"message": "ok"}}]}
    wrong = {"name": "it is not", "commands": [{"send": "GET /health", "expect": {"message": "no"}}]}
    (desk.home / "tiny.json").write_text(json.dumps({"cases": [case, wrong]}))
    said = desk.post("/run_tests", {"file": "tiny.json"})
    assert (said["passed"], said["failed"], said["success"]) == (1, 1, False)
    assert [result["passed"] for result in said["results"]] == [True, False]
    assert desk.send("POST", "/run_tests", {"file": "nothing.json"}).status_code == 404


def test_head_and_options_are_answered(still_desk: Desk) -> None:
    head = still_desk.send("HEAD", "/health")
    assert (head.status_code, head.data) == (200, b"")
    assert "POST" in still_desk.send("OPTIONS", "/run").headers["Allow"]
