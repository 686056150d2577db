"""Plans and the queue: asked about once, run in order, kept where they stop, changed until they start."""

from pathlib import Path
from typing import Any

import pytest

from app import Outside
from contracts.actions import NOTHING_TO_UNDO, Action, ActionContext, ActionResult, Params
from contracts.errors import AppError, Conflict, Unavailable
from contracts.trust import Effect
from tests.desk import Desk


def steps(*names: str, project: str = "notes", **more: Any) -> list[dict[str, Any]]:
    return [{"intent": "create_file", "project": project, "path": name, **more} for name in names]


def queue(desk: Desk, *names: str, project: str = "notes") -> list[str]:
    desk.run("queue_task", None, steps=steps(*names, project=project))
    return [step["id"] for step in desk.get("/queue")["steps"]]


def test_an_empty_queue_says_so_plainly(desk: Desk) -> None:
    assert desk.post("/run_next")["message"] == "No queued tasks"
    assert desk.post("/run_all")["message"] == "No queued tasks"


def test_next_steps_read_as_step_and_timestamp(desk: Desk) -> None:
    queue(desk, "a", "b")
    read = desk.get("/memory")["next_steps"]
    assert [entry["step"]["path"] for entry in read] == ["a", "b"] and all(entry["timestamp"] for entry in read)


def test_the_queue_says_which_plan_a_step_belongs_to(desk: Desk) -> None:
    queue(desk, "loose")
    plan = desk.post("/run", {"steps": steps("a", "b"), "goal": "Make both"})
    named = {"id": plan["id"], "title": "Make both", "status": "awaiting_approval"}
    assert [step["plan"] for step in desk.get("/queue")["steps"]] == [None, named, named]


def test_run_next_gates_the_first_step_alone(desk: Desk) -> None:
    first, _second = queue(desk, "a", "b")
    asked = desk.post("/run_next")
    assert asked["id"] == first and asked["confirmationNeeded"]
    desk.post("/confirm", {"approve": True})
    assert desk.file("a").exists() and not desk.file("b").exists()


def test_run_all_asks_once_for_ten_steps_and_runs_them_in_order(desk: Desk) -> None:
    names = [f"{n}.txt" for n in range(10)]
    queue(desk, *names)
    asked = desk.post("/run_all")
    assert asked["confirmationNeeded"] and len(asked["card"]["what"]["steps"]) == 10
    assert len(asked["card"]["what"]["files"]) == 10
    done = desk.post("/confirm", {"approve": True})
    assert done["status"] == "succeeded" and [step["status"] for step in done["steps"]] == ["succeeded"] * 10
    titles = [commit["title"] for commit in desk.get("/projects/notes/history")["commits"]]
    assert titles == [f"Create {name}" for name in reversed(names)]


def test_a_plan_sent_as_steps_is_approved_once_and_its_steps_build_on_each_other(desk: Desk) -> None:
    plan = [
        {"intent": "create_file", "project": "notes", "path": "a.txt", "content": "one\n"},
        {"intent": "modify_file", "project": "notes", "path": "a.txt", "search": "one", "replace": "two"},
        {"intent": "move_file", "project": "notes", "path": "a.txt", "to": "b.txt"},
    ]
    asked = desk.post("/run", {"steps": plan, "goal": "Make b"})
    assert asked["title"] == "Make b" and [f["path"] for f in asked["card"]["what"]["files"]] == ["b.txt"]
    done = desk.post("/confirm", {"id": asked["id"], "approve": True})
    assert done["success"] and desk.text("b.txt") == "two\n" and not desk.file("a.txt").exists()
    trust = {record["intent"] for record in desk.get("/trust")["records"]}
    assert {"create_file", "modify_file", "move_file"} <= trust


def test_a_plan_with_a_step_that_cannot_work_is_refused_before_it_starts(desk: Desk) -> None:
    plan = [*steps("a"), {"intent": "modify_file", "project": "notes", "path": "gone", "search": "x", "replace": "y"}]
    reply = desk.post("/run", {"steps": plan}, status=404)
    assert reply["message"].startswith("Step 2 of 2") and not desk.file("a").exists()
    assert desk.get("/queue")["steps"] == []


def test_a_failing_step_stops_the_plan_and_keeps_the_rest(desk: Desk) -> None:
    desk.run("queue_task", None, steps=[*steps("a"), *steps("a"), *steps("c")])
    desk.post("/run_all")
    stopped = desk.post("/confirm", {"approve": True})
    assert not stopped["success"] and stopped["status"] == "failed"
    assert "1 of 3" in stopped["message"] and "1 step is kept" in stopped["message"]
    assert [step["step"]["path"] for step in desk.get("/queue")["steps"]] == ["c"]
    failed = next(step["id"] for step in stopped["steps"] if step["status"] == "failed")
    assert desk.get(f"/tasks/{failed}")["task"]["result"]["error"]["code"] == "already_exists"
    assert desk.post("/run_next")["success"] and desk.file("c").exists(), "the plan's yes still covers its steps"


def test_no_to_a_plan_drops_its_steps(desk: Desk) -> None:
    queue(desk, "a", "b")
    asked = desk.post("/run_all")
    desk.post("/confirm", {"id": asked["id"], "approve": False, "reason": "not like this"})
    assert desk.get("/queue")["steps"] == [] and not desk.file("a").exists()


def test_cancel_plan_takes_a_waiting_plan_and_the_queue(desk: Desk) -> None:
    queue(desk, "a", "b")
    plan = desk.post("/run_all")["id"]
    reply = desk.post("/cancel_plan", {"id": plan})
    assert len(reply["cancelled"]) == 3
    queue(desk, "c")
    assert len(desk.post("/cancel_plan")["cancelled"]) == 1
    assert desk.post("/cancel_plan")["message"] == "There is nothing to cancel"
    assert desk.post("/run_all")["message"] == "No queued tasks"


def test_a_queued_step_can_be_edited_skipped_moved_and_preceded(desk: Desk) -> None:
    desk.allow("create_file")
    a, b, c = queue(desk, "a", "b", "c")
    assert desk.send("PATCH", f"/tasks/{a}", {"step": steps("a2")[0]})[0] == 200
    assert desk.send("DELETE", f"/tasks/{b}")[0] == 200
    assert desk.post(f"/tasks/{c}/move", {"before": a})["success"]
    new = desk.post(f"/tasks/{a}/insert", {"step": steps("new")[0]})["id"]
    assert [step["id"] for step in desk.get("/queue")["steps"]] == [c, new, a]
    desk.post("/run_all")
    titles = [commit["title"] for commit in desk.get("/projects/notes/history")["commits"]]
    assert titles == ["Create a2", "Create new", "Create c"]
    assert desk.send("PATCH", f"/tasks/{a}", {"step": steps("z")[0]})[0] == 409


def test_steps_inside_a_waiting_plan_can_still_be_changed_and_the_card_follows(desk: Desk) -> None:
    queue(desk, "a", "b")
    asked = desk.post("/run_all")
    first = desk.get("/queue")["steps"][0]["id"]
    desk.send("PATCH", f"/tasks/{first}", {"step": steps("changed")[0]})
    stale = desk.post("/confirm", {"id": asked["id"], "approve": True}, status=409)
    assert [f["path"] for f in stale["error"]["details"]["card"]["what"]["files"]] == ["b", "changed"]
    assert desk.post("/confirm", {"id": asked["id"], "approve": True})["success"]
    assert desk.file("changed").exists() and not desk.file("a").exists()


def test_a_plan_over_several_projects_runs_them_side_by_side(desk: Desk) -> None:
    queue(desk, "a", "b", project="one")
    queue(desk, "a", "b", project="two")
    desk.post("/run_all")
    assert desk.post("/confirm", {"approve": True})["status"] == "succeeded"
    assert desk.file("b", "one").exists() and desk.file("b", "two").exists()


def test_bad_steps_are_refused_when_they_are_queued(desk: Desk) -> None:
    assert desk.run("queue_task", None, status=400, step={"intent": "nonsense"})["error"]["code"] == "unknown_intent"
    assert desk.run("queue_task", None, status=400, step={"path": "x"})["error"]["code"] == "invalid_params"
    assert desk.run("queue_task", None, status=400)["error"]["code"]
    assert desk.post("/run", {"steps": []}, status=400)["error"]
    assert desk.get("/queue")["steps"] == []


def test_the_summary_tells_the_last_plan_step_by_step(desk: Desk) -> None:
    desk.post("/run", {"steps": steps("a", "b"), "goal": "Two files"})
    desk.post("/confirm", {"approve": True})
    plan = desk.get("/memory/summary")["last_plan"]
    assert plan["title"] == "Two files" and [step["status"] for step in plan["steps"]] == ["succeeded", "succeeded"]


def test_a_plan_goes_on_after_a_restart(tmp_path: Path) -> None:
    first = Desk(tmp_path)
    queue(first, *[f"{n}" for n in range(10)])
    asked = first.post("/run_all")
    first.close()
    second = Desk(tmp_path)
    assert [task["id"] for task in second.get("/tasks?status=awaiting_approval")["tasks"]] == [asked["id"]]
    assert second.post("/confirm", {"approve": True})["status"] == "succeeded"
    assert len(list(second.file("").glob("[0-9]"))) == 10
    second.close()


def test_the_goal_of_a_running_plan_is_told_step_by_step(desk: Desk) -> None:
    asked = desk.post("/run", {"steps": steps("a", "b"), "goal": "Two files"})
    with desk.agent.memory.transaction() as tx:
        tx.emit("step_started", asked["id"])
        tx.emit("drain_set", asked["id"], on=True)
    assert desk.agent.memory.get_current_goal() == "Executing plan: step 1 of 2 - Create `a`"


def test_a_goal_that_was_reached_is_no_longer_the_current_one(desk: Desk) -> None:
    desk.post("/run", {"steps": steps("a"), "goal": "One file"})
    assert desk.get("/memory/summary")["current_goal"] == "One file"
    desk.post("/confirm", {"approve": True})
    assert desk.get("/memory/summary")["current_goal"] is None


def test_run_all_passes_over_what_failed_and_goes_on_with_the_rest(desk: Desk) -> None:
    desk.run("queue_task", None, steps=[*steps("a"), *steps("a"), *steps("c"), *steps("c"), *steps("e")])
    desk.post("/run_all")
    assert desk.post("/confirm", {"approve": True})["result"]["data"]["kept"] == 3
    stopped = desk.post("/run_all")
    assert desk.file("c").exists() and not desk.file("e").exists()
    assert stopped["message"].startswith("2 of 5 steps are done. Stopped at “Create `c`”")
    ended = desk.post("/run_all")
    assert desk.file("e").exists() and ended["message"].startswith("3 of 5 steps are done. Not done:")
    assert desk.post("/run_all")["message"] == "No queued tasks"


def test_no_to_a_plan_demotes_the_kinds_of_its_steps(desk: Desk) -> None:
    for number in range(10):
        desk.do("create_file", path=str(number))
    assert not desk.run("create_file", path="alone")["confirmationNeeded"]
    desk.do("create_directory", path="d")
    asked = desk.post("/run", {"steps": [*steps("x"), {"intent": "create_directory", "project": "notes", "path": "y"}]})
    desk.post("/confirm", {"id": asked["id"], "approve": False})
    assert desk.run("create_file", path="again")["decision"]["code"] == "demoted"
    assert "plan" not in {record["intent"] for record in desk.get("/trust")["records"]}


def test_a_step_changed_or_put_in_after_the_yes_asks_for_itself(desk: Desk) -> None:
    desk.run("queue_task", None, steps=[*steps("a"), *steps("a"), *steps("c"), *steps("d")])
    desk.post("/run_all")
    desk.post("/confirm", {"approve": True})
    third, fourth = (step["id"] for step in desk.get("/queue")["steps"])
    desk.send("PATCH", f"/tasks/{third}", {"step": steps("changed")[0]})
    new = desk.post(f"/tasks/{fourth}/insert", {"step": steps("new")[0]})["id"]
    asked = desk.post("/run_all")
    assert asked["id"] == third and asked["confirmationNeeded"]
    asked = desk.post("/confirm", {"id": third, "approve": True})
    asked = desk.agent.runner.steps.waiters.wait_for(desk.get(f"/tasks/{new}")["task"]["parent_id"], 20).body
    assert asked["id"] == new and asked["confirmationNeeded"] and not desk.file("d").exists()


def test_a_refused_kind_in_the_queue_leaves_the_queue_as_it_was(desk: Desk) -> None:
    queue(desk, "a", "b")
    desk.send("PUT", "/trust/overrides", {"intent": "create_file", "verdict": "refuse"})
    assert "Skip or change" in desk.post("/run_all", status=403)["error"]["hint"]
    assert len(desk.get("/queue")["steps"]) == 2
    assert desk.post("/run", {"steps": steps("c")}, status=403)["error"]["code"] == "refused"


def test_what_is_queued_behind_a_step_that_asks_waits_for_it_in_its_project(desk: Desk) -> None:
    desk.do("create_file", path="a")
    desk.allow("create_file", "move_file")
    delete = {"intent": "delete_file", "project": "notes", "path": "a"}
    desk.run("queue_task", None, steps=[delete, *steps("a"), *steps("b", project="other")])
    asked = desk.post("/run_next")
    assert asked["title"] == "Delete `a`" and asked["confirmationNeeded"]
    assert desk.post("/run_next")["project"] == "other" and desk.file("b", "other").exists()
    assert desk.post("/run_next")["id"] == desk.post("/run_all")["id"] == asked["id"]
    assert desk.post("/confirm", {"approve": True})["success"] and not desk.file("a").exists()
    assert desk.post("/run_all")["success"] and desk.file("a").exists()


def test_a_waiting_plan_is_not_overtaken_by_what_was_queued_after_it(desk: Desk) -> None:
    delete = {"intent": "delete_file", "project": "notes", "path": "a"}
    desk.do("create_file", path="a")
    desk.allow("create_file")
    plan = desk.post("/run", {"steps": [delete]})["id"]
    queue(desk, "a")
    assert desk.post("/run_all")["id"] == plan and [s["status"] for s in desk.get("/tasks?limit=1")["tasks"]] == [
        "queued"
    ]


def test_a_step_is_not_moved_before_itself(desk: Desk) -> None:
    first, second = queue(desk, "a", "b")
    assert "before itself" in desk.post(f"/tasks/{first}/move", {"before": first}, status=409)["message"]
    assert [step["id"] for step in desk.get("/queue")["steps"]] == [first, second]


class Nothing(Params):
    """Takes nothing that matters."""

    text: str = ""


def shaky(fails: int, error: type[AppError]) -> Action[Nothing]:
    """Fails so often before it works."""
    left = [error("not now", hint="Wait")] * fails

    def work(params: Nothing, ctx: ActionContext) -> ActionResult:
        if left:
            raise left.pop()
        return ActionResult.done("It worked", length=len(params.text))

    return Action(
        name="shaky",
        summary="Works in the end.",
        params=Nothing,
        effects=frozenset({Effect.EXECUTE_SANDBOXED}),
        handler=work,
        undo=NOTHING_TO_UNDO,
        title=lambda p: "Try it",
        worst="Nothing",
        needs_project=False,
    )


@pytest.mark.parametrize(
    ("fails", "error", "outcome", "tries"),
    [(1, Unavailable, "succeeded", 2), (2, Unavailable, "failed", 2), (1, Conflict, "failed", 1)],
    ids=["a passing reason", "a reason that stays", "a reason that trying again does not change"],
)
def test_a_failed_step_is_tried_once_more_where_that_may_help(
    tmp_path: Path, fails: int, error: type[AppError], outcome: str, tries: int
) -> None:
    desk = Desk(tmp_path / "home", Outside(actions=(shaky(fails, error),)))
    asked = desk.post("/run", {"steps": [{"intent": "shaky"}, *steps("after.txt")], "goal": "Try"})
    got, reply = desk.send("POST", "/confirm", {"id": asked["id"], "approve": True})
    assert reply["status"] == outcome and got == 200, reply
    started = [
        e for e in desk.agent.store.events() if e.type == "step_started" and e.task_id == reply["steps"][0]["id"]
    ]
    assert len(started) == tries
    assert desk.file("after.txt").exists() == (outcome == "succeeded")
    assert len(desk.get("/queue")["steps"]) == (0 if outcome == "succeeded" else 1)
    desk.close()


def test_what_is_tried_again_is_the_whole_call(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "home", Outside(actions=(shaky(1, Unavailable),)))
    asked = desk.post("/run", {"steps": [{"intent": "shaky", "text": "x" * 5000}], "goal": "Try"})
    done = desk.post("/confirm", {"id": asked["id"], "approve": True})
    [step] = desk.get(f"/tasks/{done['id']}")["children"]
    assert step["retried"] and step["result"]["data"]["length"] == 5000
    desk.close()
