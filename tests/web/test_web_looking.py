"""Looking back and ahead over HTTP: the line of actions, what each changed, what an undo would take back, search."""

import io
import zipfile
from typing import Any

import pytest

from tests.web.web_desk import Desk


def write(desk: Desk, path: str, content: str, project: str = "notes") -> Any:
    return desk.do("write_file", project, path=path, content=content)


def test_the_timeline_tells_what_each_action_came_to(desk: Desk) -> None:
    write(desk, "a.txt", "one\ntwo\n")
    write(desk, "a.txt", "one\nthree\nfour\n")
    desk.do("list_files")
    desk.post("/confirm", {"id": desk.post("/run", _delete("a.txt"))["id"], "approve": False, "reason": "keep it"})
    newest = desk.get("/timeline?project=notes")["entries"]
    assert [entry["status"] for entry in newest] == ["rejected", "succeeded", "succeeded", "succeeded"]
    assert "keep it" in newest[0]["message"]
    assert [(e["files"], e["added"], e["removed"], e["can_undo"]) for e in newest[1:]] == [
        (0, None, None, False),
        (1, 2, 1, True),
        (1, 2, 0, True),
    ]
    assert newest[2]["by"] == "owner"
    assert [e["id"] for e in desk.get("/timeline?changes=true")["entries"]] == [newest[2]["id"], newest[3]["id"]]


def _delete(path: str, project: str = "notes") -> dict[str, str]:
    return {"intent": "delete_file", "project": project, "path": path}


def test_the_timeline_comes_in_pages_and_says_what_was_undone_and_by_what(desk: Desk) -> None:
    done = [write(desk, f"{n}.txt", "x")["id"] for n in range(5)]
    undo = desk.post("/rollback")["id"]
    pages, before = [], ""
    while True:
        page = desk.get(f"/timeline?limit=2{before}")
        pages += page["entries"]
        if page["next"] is None:
            break
        before = f"&before={page['next']}"
    assert [entry["id"] for entry in pages] == [undo, *reversed(done)]
    taken = next(entry for entry in pages if entry["id"] == done[-1])
    assert (taken["undone"], taken["undone_by"], taken["can_undo"]) == (True, undo, False)
    assert pages[0]["undoes"] == [done[-1]]
    assert pages[0]["can_undo"] is True
    desk.post("/rollback", {"id": undo})
    again = next(entry for entry in desk.get("/timeline")["entries"] if entry["id"] == done[-1])
    assert (again["undone"], again["undone_by"]) == (False, None)


def test_the_steps_of_a_plan_stand_on_the_line_under_its_name(desk: Desk) -> None:
    steps = [{"intent": "create_file", "project": "notes", "path": p, "content": "x\n"} for p in ("a.txt", "b.txt")]
    plan = desk.post("/run", {"goal": "two notes", "steps": steps})
    desk.post("/confirm", {"id": plan["id"], "approve": True})
    entries = desk.get("/timeline")["entries"]
    assert [(e["root"], e["plan"], e["by"]) for e in entries] == [(plan["id"], "two notes", "plan")] * 2
    whole = desk.get(f"/tasks/{plan['id']}/diff")
    assert ([f["path"] for f in whole["files"]], whole["added"], whole["ahead"]) == (["a.txt", "b.txt"], 2, False)
    one = desk.get(f"/tasks/{entries[0]['id']}/diff")
    assert [f["path"] for f in one["files"]] == ["b.txt"]


def test_a_diff_shows_texts_moves_and_what_cannot_be_shown(desk: Desk) -> None:
    write(desk, "old name.txt", "some text\n")
    moved = desk.do("move_file", path="old name.txt", to="new.txt")["id"]
    [file] = desk.get(f"/tasks/{moved}/diff")["files"]
    assert (file["path"], file["change"], file["moved_from"]) == ("new.txt", "moved", "old name.txt")
    changed = write(desk, "new.txt", "other text\n")["id"]
    shown = desk.get(f"/tasks/{changed}/diff/file?path=new.txt")["file"]
    assert (shown["before"], shown["after"]) == ("some text\n", "other text\n")
    binary = desk.do("write_file", path="b.bin", content="AAECAw==", encoding="base64")["id"]
    assert desk.get(f"/tasks/{binary}/diff")["files"][0]["binary"] is True
    assert desk.get(f"/tasks/{binary}/diff/file?path=b.bin")["file"]["after"] is None
    large = write(desk, "large.txt", "x" * 1_500_000)["id"]
    shown = desk.get(f"/tasks/{large}/diff/file?path=large.txt")["file"]
    assert (shown["too_large"], shown["after_bytes"], shown["after"]) == (True, 1_500_000, None)
    missing = desk.send("GET", f"/tasks/{large}/diff/file?path=none.txt")
    assert (missing.status_code, missing.get_json()["error"]["code"]) == (404, "not_found")
    assert desk.send("GET", "/tasks/nope/diff").status_code == 404


def test_what_waits_shows_what_it_would_change(desk: Desk) -> None:
    write(desk, "a.txt", "one\n")
    waiting = desk.post("/run", {"intent": "write_file", "project": "notes", "path": "a.txt", "content": "one\ntwo\n"})
    found = desk.get(f"/tasks/{waiting['id']}/diff")
    assert (found["ahead"], found["added"], found["removed"]) == (True, 1, 0)
    assert desk.get(f"/tasks/{waiting['id']}/diff/file?path=a.txt")["file"]["after"] == "one\ntwo\n"
    steps = [{"intent": "create_file", "project": "notes", "path": p, "content": "x\n"} for p in ("b.txt", "c.txt")]
    plan = desk.post("/run", {"goal": "two notes", "steps": steps})
    assert [f["path"] for f in desk.get(f"/tasks/{plan['id']}/diff")["files"]] == ["b.txt", "c.txt"]
    assert desk.get("/projects/notes/files/a.txt")["text"] == "one\n"


def test_the_preview_of_an_undo_tells_what_goes_and_touches_nothing(desk: Desk) -> None:
    first = write(desk, "a.txt", "one\n")["id"]
    second = write(desk, "b.txt", "two\n")["id"]
    found = desk.get(f"/tasks/{first}/undo")["undo"]
    assert {change["id"] for change in found["changes"]} == {first, second}
    assert sorted((f["path"], f["change"]) for f in found["files"]) == [("a.txt", "removed"), ("b.txt", "removed")]
    assert found["asks"] is True
    only = desk.get(f"/tasks/{first}/undo?only=true")["undo"]
    assert ([change["id"] for change in only["changes"]], only["asks"]) == ([first], False)
    (desk.home / "workspace" / "notes" / "b.txt").write_text("by hand\n")
    assert desk.get(f"/tasks/{second}/undo")["undo"]["kept"] == ["b.txt"]
    assert desk.get("/projects/notes/files/a.txt")["text"] == "one\n"
    assert desk.send("GET", "/tasks/nope/undo").status_code == 404


def test_the_preview_of_undoing_an_undo_tells_what_comes_back(desk: Desk) -> None:
    first = write(desk, "a.txt", "one\n")["id"]
    undo = desk.post("/rollback")["id"]
    found = desk.get(f"/tasks/{undo}/undo")["undo"]
    assert ([change["id"] for change in found["brings_back"]], found["asks"]) == ([first], False)
    assert [(file["path"], file["change"]) for file in found["files"]] == [("a.txt", "added")]
    twice = desk.send("GET", f"/tasks/{first}/undo")
    assert (twice.status_code, "undone already" in twice.get_json()["message"]) == (409, True)


def test_ten_thousand_actions_stay_quick_to_page(desk: Desk) -> None:
    for hundred in range(100):
        with desk.agent.memory.transaction() as tx:
            for number in range(100):
                name = f"t{100 * hundred + number:05}"
                task = {"id": name, "intent": "read_file", "title": name, "created": "2026-11-16T00:00:00Z"}
                tx.emit("task_added", name, task={**task, "params": {}, "status": "queued"}, now=True)
                tx.emit("step_finished", name, status="succeeded", result={"success": True, "message": "Read"})
    page = desk.get("/timeline?limit=100")
    assert [page["entries"][0]["id"], page["entries"][-1]["id"]] == ["t09999", "t09900"]
    deep = desk.get("/timeline?limit=500&before=200")
    assert deep["entries"][-1]["id"] == "t00000"
    assert desk.get("/timeline/days")["days"][-1]["succeeded"] == 10_000


def test_days_count_how_actions_went(desk: Desk) -> None:
    write(desk, "a.txt", "one")
    desk.post("/rollback")
    days = desk.get("/timeline/days")["days"]
    assert len(days) in {1, 2}, "midnight may come in between"
    assert [sum(day[name] for day in days) for name in ("succeeded", "undone", "failed")] == [2, 1, 0]


def test_logs_are_found_by_words_status_and_project(desk: Desk) -> None:
    write(desk, "shopping.txt", "Milch und Brot")
    write(desk, "b.txt", "x", project="other")
    desk.post("/confirm", {"id": desk.post("/run", _delete("b.txt", "other"))["id"], "approve": False, "reason": "no"})
    assert [log["title"] for log in desk.get("/logs?q=MILCH")["logs"]] == ["Write `shopping.txt`"]
    assert [log["status"] for log in desk.get("/logs?status=rejected")["logs"]] == ["rejected"]
    assert [log["title"] for log in desk.get("/logs?project=other")["logs"]] == ["Delete `b.txt`", "Write `b.txt`"]
    assert desk.get("/logs?q=nowhere")["logs"] == []
    first = desk.get("/logs?limit=2")
    rest = desk.get(f"/logs?before={first['next']}")
    assert len(first["logs"]) + len(rest["logs"]) == 3
    assert rest["next"] is None


def test_projects_tell_what_a_person_wants_to_know(desk: Desk) -> None:
    write(desk, "a.txt", "one")
    desk.post("/run", {"intent": "delete_file", "project": "notes", "path": "a.txt"})
    [project] = desk.get("/projects")["projects"]
    assert (project["title"], project["kind"], project["picture"]) == ("notes", None, None)
    assert (project["preview"]["state"], project["waiting_count"]) == ("none", 1)
    assert project["newest"]["status"] == "awaiting_approval"
    assert project["updated"] is not None
    assert desk.get("/projects/notes/preview")["log"] == []
    assert desk.get("/projects/notes/proof")["proof"] is None
    nothing = desk.send("GET", "/projects/notes/picture")
    assert (nothing.status_code, "Chromium" in nothing.get_json()["error"]["hint"]) == (404, True)
    for path in ("preview", "proof", "picture"):
        assert desk.send("GET", f"/projects/none/{path}").status_code == 404


def test_a_download_link_works_once_and_without_the_token(desk: Desk) -> None:
    write(desk, "a.txt", "hello")
    link = desk.post("/projects/notes/download", {"path": "a.txt"})["url"]
    first = desk.send("GET", link, headers={"Authorization": ""})
    assert (first.status_code, first.data) == (200, b"hello")
    assert first.headers["Content-Disposition"].startswith("attachment")
    again = desk.send("GET", link, headers={"Authorization": ""})
    assert (again.status_code, again.get_json()["message"]) == (404, "This link was used already or is too old")
    whole = desk.send("GET", desk.post("/projects/notes/download", {})["url"], headers={"Authorization": ""})
    assert zipfile.ZipFile(io.BytesIO(whole.data)).namelist() == ["a.txt"]
    assert desk.send("POST", "/projects/notes/download", {"path": "none"}).status_code == 404
    assert desk.send("POST", "/projects/none/download", {}).status_code == 404


def test_settings_are_told_in_words_and_secrets_are_not_told(desk: Desk) -> None:
    about = {item["name"]: item for item in desk.get("/settings")["about"]}
    assert about["port"]["variable"] == "AGENT_PORT"
    assert about["port"]["default"] == 5000
    assert about["port"]["words"].startswith("Port that the service")
    assert about["token"]["value"] is False


@pytest.mark.parametrize("query", ["before=-1", "limit=0", "limit=501", "project=../x"])
def test_a_wrong_question_about_the_timeline_is_explained(still_desk: Desk, query: str) -> None:
    answer = still_desk.send("GET", f"/timeline?{query}")
    assert answer.status_code == 400
    assert "is wrong" in answer.get_json()["message"]


def test_only_whole_tasks_are_listed_when_asked_so(desk: Desk) -> None:
    steps = [{"intent": "create_file", "project": "notes", "path": "a.txt", "content": "x"}]
    desk.post("/run", {"goal": "a note", "steps": steps})
    assert len(desk.get("/tasks")["tasks"]) == 2
    assert [task["intent"] for task in desk.get("/tasks?root=true")["tasks"]] == ["plan"]


def test_a_brief_list_of_tasks_leaves_out_what_is_long(desk: Desk) -> None:
    write(desk, "long.txt", "x" * 5000)
    desk.do("read_file", path="long.txt")
    whole, brief = (desk.get(f"/tasks?limit=1{more}")["tasks"][0] for more in ("", "&brief=true"))
    assert any(len(str(value)) >= 5000 for value in whole["result"]["data"].values())
    assert all(len(str(value)) < 2100 for value in brief["result"]["data"].values())
    assert brief["result"]["message"] == whole["result"]["message"]
