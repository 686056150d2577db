"""Approval cards: true to what would happen, for plans and for steps that cannot be tried out before."""

import shutil
from typing import Any

import pytest

from tests.desk import Desk
from tests.test_plans import steps


def command(line: str, project: str = "notes") -> dict[str, Any]:
    return {"intent": "run_command", "project": project, "command": line}


@pytest.fixture
def notes(desk: Desk) -> Desk:
    desk.do("create_file", path="a.py", content="print(1)\n")
    return desk


def test_the_card_of_a_plan_of_commands_names_the_project_and_admits_what_it_cannot_know(notes: Desk) -> None:
    card = notes.post("/run", {"steps": [command("touch b"), command("touch c")]})["card"]
    assert (
        card["where"] == "in `notes`"
        and card["what"]["summary"] == "2 steps. What 2 steps change is known once they have run"
    )
    assert "It changes files of this project" in card["worst"]


def test_a_card_counts_files_and_folders_as_people_do(notes: Desk) -> None:
    plan = [
        {"intent": "write_file", "project": "notes", "path": "a.py", "content": "print(2)\n"},
        {"intent": "create_file", "project": "notes", "path": "b/c.py", "content": "x\n"},
        {"intent": "create_file", "project": "notes", "path": "b/d.py", "content": "x\n"},
    ]
    card = notes.post("/run", {"steps": plan})["card"]
    assert card["what"]["summary"] == "3 steps. 2 new files, 1 changed file, 1 new folder"


def test_the_worst_of_a_plan_is_that_of_its_gravest_steps(notes: Desk) -> None:
    plan = [
        {"intent": "create_file", "project": "notes", "path": "b.py", "content": "x\n"},
        {"intent": "delete_file", "project": "notes", "path": "a.py"},
    ]
    assert notes.post("/run", {"steps": plan})["card"]["worst"] == "It is gone from the project; undo brings it back"


def test_a_waiting_plan_whose_command_is_edited_is_shown_again(notes: Desk) -> None:
    plan = notes.post("/run", {"steps": [command("touch b"), command("touch c")]})["id"]
    first = notes.get("/queue")["steps"][0]["id"]
    notes.send("PATCH", f"/tasks/{first}", {"step": command("rm a.py")})
    stale = notes.post("/confirm", {"id": plan, "approve": True}, status=409)
    assert stale["error"]["details"]["card"]["call"]["steps"][0]["command"] == "rm a.py"
    assert notes.file("a.py").exists()


@pytest.mark.parametrize("plan", [True, False])
def test_a_command_is_shown_again_after_any_change_since_nobody_knows_what_it_does_now(notes: Desk, plan: bool) -> None:
    asked = notes.post("/run", {"steps": [command("python3 a.py")]} if plan else command("python3 a.py"))
    notes.do("write_file", path="a.py", content="print(2)\n")
    notes.post("/confirm", {"id": asked["id"], "approve": True}, status=409)


def test_the_card_of_a_plan_over_two_projects_tells_their_files_apart(desk: Desk) -> None:
    plan = [*steps("a", project="one", content="x\n"), *steps("a", project="two", content="y\n")]
    what = desk.post("/run", {"steps": plan})["card"]["what"]
    assert [(file["project"], file["path"]) for file in what["files"]] == [("one", "a"), ("two", "a")]
    assert what["diff"].index("In `one`:") < what["diff"].index("+x") < what["diff"].index("In `two`:")


def test_a_long_diff_says_that_it_was_cut(desk: Desk) -> None:
    long = "\n".join(str(number) for number in range(8000))
    plan = [*steps("a", project="one", content=long), *steps("a", project="two", content=long)]
    assert desk.post("/run", {"steps": plan})["card"]["what"]["diff"].endswith("too long to show here\n")


def test_a_card_for_a_project_that_was_taken_away_since_is_stale(desk: Desk) -> None:
    desk.file("by hand.txt", "foreign").parent.mkdir(parents=True)
    desk.file("by hand.txt", "foreign").write_text("mine")
    asked = desk.run("create_file", "foreign", path="a")
    shutil.rmtree(desk.file("", "foreign"))
    desk.post("/confirm", {"id": asked["id"], "approve": True}, status=409)
