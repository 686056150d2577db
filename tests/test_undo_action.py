"""Undo through the whole house: the last change, back to before a task, one change alone, and undoing the undo."""

from pathlib import Path

import pytest

from tests.desk import Desk


@pytest.fixture
def three(desk: Desk) -> list[str]:
    """Three changes in a row: a, b, and an edit of a."""
    desk.allow("create_file", "modify_file", "append_file")
    first = desk.do("create_file", path="a.txt", content="1\n2\n3\n4\n5\n6\n7\n8\n")
    second = desk.do("create_file", path="b.txt", content="b\n")
    third = desk.do("modify_file", path="a.txt", search="8", replace="eight")
    return [first["id"], second["id"], third["id"]]


def status(desk: Desk, task: str) -> str:
    return str(desk.get(f"/tasks/{task}")["task"]["status"])


def test_with_nothing_done_there_is_nothing_to_undo(desk: Desk) -> None:
    assert "nothing to undo" in desk.post("/rollback", status=409)["message"]


def test_undoing_again_and_again_walks_back(desk: Desk, three: list[str]) -> None:
    assert "Change `a.txt`" in desk.post("/rollback")["message"]
    assert desk.text("a.txt").endswith("8\n") and status(desk, three[2]) == "undone"
    desk.post("/rollback")
    assert not desk.file("b.txt").exists()
    desk.post("/rollback")
    assert not desk.file("a.txt").exists()
    reply = desk.post("/rollback", status=409)
    assert "nothing left" in reply["message"] and "undo the undo" in reply["error"]["hint"]


def test_undoing_the_undo_brings_it_back(desk: Desk, three: list[str]) -> None:
    undo = desk.post("/rollback")
    redo = desk.post("/rollback", {"id": undo["id"]})
    assert redo["message"] == "Brought back: Change `a.txt`" and desk.text("a.txt").endswith("eight\n")
    assert status(desk, three[2]) == "succeeded" and status(desk, undo["id"]) == "undone"
    assert desk.post("/rollback", {"id": redo["id"]})["message"] == "Took back: Change `a.txt`"
    assert desk.text("a.txt").endswith("8\n") and status(desk, three[2]) == "undone"


def test_back_to_before_a_task_lists_the_later_ones_and_asks(desk: Desk, three: list[str]) -> None:
    asked = desk.post("/rollback", {"id": three[0]})
    assert asked["confirmationNeeded"] and "3 changes" in asked["decision"]["reasons"][0]
    assert desk.file("a.txt").exists()
    done = desk.post("/confirm", {"approve": True})
    assert done["success"] and not desk.file("a.txt").exists() and not desk.file("b.txt").exists()
    assert [status(desk, task) for task in three] == ["undone"] * 3
    desk.post("/rollback", {"id": asked["id"]})
    assert desk.text("a.txt").endswith("eight\n") and desk.text("b.txt") == "b\n"
    assert [status(desk, task) for task in three] == ["succeeded"] * 3


def test_one_change_alone_is_taken_out_from_under_later_ones(desk: Desk, three: list[str]) -> None:
    top = desk.do("modify_file", path="a.txt", search="1\n", replace="one\n")
    reply = desk.post("/rollback", {"id": three[2], "only": True})
    assert reply["success"] and desk.text("a.txt") == "one\n2\n3\n4\n5\n6\n7\n8\n"
    assert status(desk, three[2]) == "undone" and status(desk, top["id"]) == "succeeded"


def test_one_change_alone_that_conflicts_changes_nothing(desk: Desk, three: list[str]) -> None:
    desk.do("modify_file", path="a.txt", search="eight", replace="EIGHT")
    reply = desk.post("/rollback", {"id": three[2], "only": True}, status=409)
    assert reply["error"]["code"] == "undo_conflict" and "EIGHT" in desk.text("a.txt")


def test_what_someone_else_changed_meanwhile_is_kept_and_reported(desk: Desk, three: list[str]) -> None:
    desk.file("b.txt").write_text("mine\n")
    asked = desk.post("/rollback", {"id": three[1]})
    done = desk.post("/confirm", {"id": asked["id"], "approve": True})
    assert done["result"]["data"]["kept"] == ["b.txt"] and desk.text("b.txt") == "mine\n"
    assert desk.text("a.txt").endswith("8\n")


def test_exact_takes_back_edits_by_hand_too_after_asking_and_can_be_undone(desk: Desk, three: list[str]) -> None:
    desk.file("b.txt").write_text("mine\n")
    desk.file("extra.txt").write_text("extra\n")
    asked = desk.post("/rollback", {"id": three[2], "exact": True})
    assert asked["confirmationNeeded"]
    assert desk.post("/confirm", {"approve": True})["success"]
    assert desk.text("b.txt") == "b\n" and not desk.file("extra.txt").exists()
    desk.post("/rollback", {"id": asked["id"]})
    assert desk.text("b.txt") == "mine\n" and desk.text("extra.txt") == "extra\n"


def test_undo_demotes_and_never_the_undo_itself(desk: Desk, three: list[str]) -> None:
    desk.post("/rollback")
    records = {record["intent"]: record for record in desk.get("/trust")["records"]}
    assert records["modify_file"]["demoted"] == 10
    assert "rollback" not in records, "an undo follows a rule of its own, not a record"


def test_back_to_a_commit_asks_first(desk: Desk, three: list[str]) -> None:
    commits = desk.get("/projects/notes/history")["commits"]
    asked = desk.post("/rollback", {"commit": commits[-1]["id"], "project": "notes"})
    assert asked["confirmationNeeded"]
    desk.post("/confirm", {"approve": True})
    assert desk.text("a.txt").endswith("8\n") and not desk.file("b.txt").exists()


def test_last_good_needs_a_proven_version(desk: Desk, three: list[str]) -> None:
    assert "no proven" in desk.post("/rollback", {"to": "last_good"}, status=404)["message"]
    commits = desk.get("/projects/notes/history")["commits"]
    desk.agent.git.open("notes").mark_good(commits[1]["id"])
    desk.post("/rollback", {"to": "last_good"})
    desk.post("/confirm", {"approve": True})
    assert desk.text("a.txt").endswith("8\n") and desk.file("b.txt").exists()


def test_a_whole_plan_is_undone_by_its_id(desk: Desk) -> None:
    plan = desk.post("/run", {"steps": [{"intent": "create_file", "project": "p", "path": n} for n in "abc"]})
    desk.post("/confirm", {"approve": True})
    asked = desk.post("/rollback", {"id": plan["id"]})
    desk.post("/confirm", {"id": asked["id"], "approve": True})
    assert not any(desk.file(name, "p").exists() for name in "abc")


def test_the_last_change_of_all_projects_is_the_one_undone(desk: Desk, three: list[str]) -> None:
    desk.do("create_file", "other", path="x.txt")
    reply = desk.post("/rollback")
    assert reply["project"] == "other"
    assert desk.post("/rollback", {"project": "notes"})["project"] == "notes"


def test_a_task_that_changed_nothing_cannot_be_undone(desk: Desk, three: list[str]) -> None:
    read = desk.run("read_file", path="a.txt")
    assert desk.post("/rollback", {"id": read["id"]}, status=404)["error"]["code"] == "not_found"
    assert desk.post("/rollback", {"id": "nonsense"}, status=404)["error"]["code"] == "not_found"


def test_a_plan_over_two_projects_is_undone_in_both_and_brought_back(desk: Desk) -> None:
    steps = [{"intent": "create_file", "project": project, "path": "a"} for project in ("one", "two")]
    plan = desk.post("/run", {"steps": steps})["id"]
    desk.post("/confirm", {"id": plan, "approve": True})
    undo = desk.post("/rollback", {"id": plan})
    assert undo["status"] == "succeeded" and len(undo["steps"]) == 2
    assert not desk.file("a", "one").exists() and not desk.file("a", "two").exists()
    assert desk.post("/rollback", {"id": plan}, status=409)["message"].endswith("is undone already")
    assert desk.post("/rollback", {"id": undo["id"]})["status"] == "succeeded"
    assert desk.file("a", "one").exists() and desk.file("a", "two").exists()


def test_undoing_again_and_again_walks_back_through_all_projects(desk: Desk) -> None:
    desk.do("create_file", "one", path="a")
    desk.do("create_file", "two", path="a")
    assert [desk.post("/rollback", {})["project"] for _ in range(2)] == ["two", "one"]
    assert "nothing left" in desk.post("/rollback", {}, status=409)["message"]


def test_undo_demotes_even_when_the_task_has_left_memory(tmp_path: Path) -> None:
    desk = Desk(tmp_path, AGENT_RECENT_TASKS="10")
    for number in range(10):
        desk.do("create_file", path=str(number))
    assert not desk.run("create_file", path="alone")["confirmationNeeded"]
    for _ in range(12):
        desk.run("list_files")
    desk.post("/rollback", {})
    assert desk.run("create_file", path="again")["decision"]["code"] == "demoted"
    desk.close()


@pytest.mark.parametrize(
    ("verdict", "code", "state"),
    [("ask", "asked_by_owner", "awaiting_approval"), ("refuse", "refused_by_owner", "rejected")],
)
def test_the_owners_word_about_undoing_goes_before_its_own_rule(
    desk: Desk, three: list[str], verdict: str, code: str, state: str
) -> None:
    desk.send("PUT", "/trust/overrides", {"intent": "rollback", "verdict": verdict})
    _, reply = desk.send("POST", "/rollback")
    assert (reply["status"], reply["decision"]["code"]) == (state, code)
    assert desk.text("a.txt").endswith("eight\n")
