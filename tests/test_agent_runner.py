"""Commands through the gate: asked, approved, rejected, earned, refused, retried."""

import threading
from pathlib import Path
from typing import Any

import orjson
import pytest

from app import Outside, trust_policy
from context_manager import ContextManager
from memory.state import MemoryFold
from stores.json_file import JsonFileStore
from tests.desk import Desk, status_of
from tests.web.live import until


def test_a_first_change_waits_and_touches_nothing(desk: Desk) -> None:
    reply = desk.run("create_file", path="a.txt", content="hi")
    assert reply["confirmationNeeded"] and reply["status"] == "awaiting_approval"
    assert not desk.file("").exists()
    card = reply["card"]
    assert card["what"]["files"][0]["path"] == "a.txt" and "+hi" in card["what"]["diff"]
    assert card["undo"].startswith("yes") and card["cost"] == "free" and card["worst"]
    assert card["call"] == {"intent": "create_file", "project": "notes", "path": "a.txt", "content": "hi"}


def test_a_yes_runs_exactly_the_stored_call(desk: Desk) -> None:
    asked = desk.run("create_file", path="a.txt", content="hi")
    done = desk.post("/confirm", {"id": asked["id"], "approve": True})
    assert done["success"] and done["status"] == "succeeded" and done["id"] == asked["id"]
    assert desk.text("a.txt") == "hi"
    summary = desk.get("/memory/summary")
    assert (summary["confirmed_count"], summary["auto_confirmed_count"]) == (1, 0)


def test_enough_good_outcomes_let_the_same_kind_run_alone(desk: Desk) -> None:
    asked = 0
    for number in range(20):
        reply = desk.run("create_file", path=f"{number}.txt", content="x")
        if not reply["confirmationNeeded"]:
            break
        asked += 1
        desk.post("/confirm", {"id": reply["id"], "approve": True})
    assert 5 <= asked <= 10
    decision = reply["decision"]
    assert decision["verdict"] == "auto" and decision["score"] >= decision["threshold"] and decision["reasons"]
    assert desk.get("/memory/summary")["auto_confirmed_count"] == 1


def test_a_no_counts_demotes_and_is_remembered_with_its_reason(desk: Desk) -> None:
    for number in range(9):
        desk.do("create_file", path=f"{number}.txt")
    desk.send("PUT", "/trust/overrides", {"intent": "create_file", "verdict": "ask"})
    asked = desk.run("create_file", path="no.txt")
    reply = desk.post("/confirm", {"id": asked["id"], "approve": False, "reason": "wrong place"})
    assert reply["status"] == "rejected" and not desk.file("no.txt").exists()
    desk.send("PUT", "/trust/overrides", {"intent": "create_file", "verdict": None})
    again = desk.run("create_file", path="again.txt")
    assert again["confirmationNeeded"] and again["decision"]["code"] == "demoted"
    memory = desk.get("/memory")
    assert memory["rejected_count"] == 1
    assert memory["failure_patterns"][-1]["message"] == "wrong place"


def test_confirming_without_an_id_needs_exactly_one_waiting_task(desk: Desk) -> None:
    assert desk.post("/confirm", {"approve": True}, status=404)["error"]["code"] == "not_found"
    first = desk.run("create_file", path="a.txt")
    second = desk.run("create_file", path="b.txt")
    reply = desk.post("/confirm", {"approve": True}, status=409)
    assert reply["error"]["code"] == "several_waiting"
    assert {task["id"] for task in reply["error"]["details"]["waiting"]} == {first["id"], second["id"]}
    assert not desk.file("a.txt").exists()
    desk.post("/confirm", {"id": first["id"], "approve": True})
    assert desk.post("/confirm", {"approve": True})["id"] == second["id"]


def test_a_card_goes_stale_when_someone_else_changes_the_project(desk: Desk) -> None:
    desk.do("create_file", path="a.txt", content="one\n")
    asked = desk.run("modify_file", path="a.txt", search="one", replace="two")
    desk.file("b.txt").write_text("by hand")
    stale = desk.post("/confirm", {"id": asked["id"], "approve": True}, status=409)
    assert stale["error"]["code"] == "stale_approval" and stale["error"]["details"]["card"]
    assert desk.text("a.txt") == "one\n"
    assert desk.post("/confirm", {"id": asked["id"], "approve": True})["success"]
    assert desk.text("a.txt") == "two\n"


def test_the_agents_own_changes_make_a_card_stale_only_if_they_alter_what_it_does(desk: Desk) -> None:
    desk.do("create_file", path="a.txt", content="one\n")
    edit = desk.run("modify_file", path="a.txt", search="one", replace="two")
    other = desk.run("append_file", path="a.txt", content="more\n")
    new = desk.run("create_file", path="new.txt")
    assert desk.post("/confirm", {"id": new["id"], "approve": True})["success"]
    assert desk.post("/confirm", {"id": edit["id"], "approve": True})["success"]
    assert desk.post("/confirm", {"id": other["id"], "approve": True}, status=409)["error"]["code"] == "stale_approval"


def test_confirming_twice_runs_once(desk: Desk) -> None:
    asked = desk.run("create_file", path="a.txt")
    results: list[int] = []
    threads = [
        threading.Thread(
            target=lambda: results.append(desk.send("POST", "/confirm", {"id": asked["id"], "approve": True})[0])
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [200, 409, 409, 409]
    assert len(desk.get("/projects/notes/history")["commits"]) == 1


@pytest.mark.parametrize("near", ["creat_file", "create-file", "createfile"])
def test_an_unknown_intent_names_the_nearest_and_makes_no_task(desk: Desk, near: str) -> None:
    reply = desk.run(near, status=400, path="a.txt")
    assert reply["error"]["code"] == "unknown_intent" and "create_file" in reply["error"]["details"]["nearest"]
    assert desk.get("/tasks")["tasks"] == []


@pytest.mark.parametrize(
    ("params", "word"),
    [
        ({}, "path"),
        ({"path": "../a"}, "path"),
        ({"path": "a", "contents": "x"}, "contents"),
        ({"path": "a", "content": 3}, "content"),
        ({"path": ".git/config"}, ".git"),
    ],
)
def test_wrong_parameters_are_named_and_make_no_task(desk: Desk, params: dict[str, Any], word: str) -> None:
    reply = desk.run("create_file", status=400, **params)
    assert word in reply["message"] and reply["error"]["hint"]
    assert desk.get("/tasks")["tasks"] == []


def test_a_missing_project_is_asked_for(desk: Desk) -> None:
    assert "project" in desk.run("create_file", None, status=400, path="a.txt")["message"]
    assert desk.run("read_file", "nowhere", status=404, path="a.txt")["error"]["code"] == "not_found"


def test_a_step_that_cannot_be_done_is_a_failed_task_that_costs_no_trust(desk: Desk) -> None:
    desk.do("create_file", path="a.txt")
    reply = desk.run("create_file", status=409, path="a.txt")
    assert reply["error"]["code"] == "already_exists" and "write_file" in reply["error"]["hint"]
    assert desk.get(f"/tasks/{reply['id']}")["task"]["status"] == "failed"
    assert desk.get("/memory")["failure_patterns"][-1]["intent"] == "create_file"
    assert [record["demoted"] for record in desk.get("/trust")["records"]] == [0]


def test_a_repeated_key_answers_without_acting_again(desk: Desk) -> None:
    desk.allow("append_file", "create_file")
    desk.do("create_file", path="a.txt")
    body = {"intent": "append_file", "project": "notes", "path": "a.txt", "content": "x"}
    first = desk.post("/run", body, key="k1")
    second = desk.post("/run", body, key="k1")
    assert first["id"] == second["id"] and desk.text("a.txt") == "x"
    other = desk.post("/run", {**body, "content": "y"}, status=409, key="k1")
    assert "Idempotency-Key" in other["message"]


def test_a_key_is_honoured_when_both_requests_come_at_once(desk: Desk) -> None:
    desk.allow("append_file", "create_file")
    desk.do("create_file", path="a.txt")
    body = {"intent": "append_file", "project": "notes", "path": "a.txt", "content": "x"}
    barrier = threading.Barrier(8)

    def go() -> None:
        barrier.wait()
        desk.send("POST", "/run", body, key="same")

    threads = [threading.Thread(target=go) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert desk.text("a.txt") == "x"


def test_a_key_survives_a_restart(tmp_path: Path) -> None:
    body = {"intent": "append_file", "project": "notes", "path": "a.txt", "content": "x"}
    first = Desk(tmp_path)
    first.allow("append_file", "create_file")
    first.do("create_file", path="a.txt")
    first.post("/run", body, key="k")
    first.close()
    second = Desk(tmp_path)
    second.post("/run", body, key="k")
    assert second.text("a.txt") == "x"
    second.close()


def test_ask_all_asks_for_what_was_earned_but_never_for_looking(desk: Desk) -> None:
    desk.allow("create_file")
    desk.run("create_file", path="a.txt")
    desk.send("PUT", "/settings", {"always_confirm": True})
    assert desk.run("create_file", path="b.txt")["decision"]["code"] == "ask_all"
    assert not desk.run("read_file", path="a.txt")["confirmationNeeded"]
    assert desk.get("/memory")["always_confirm"] is True


def test_allow_all_is_for_a_time_and_shows_in_the_summary(desk: Desk) -> None:
    status, _ = desk.send("PUT", "/settings", {"autonomy": "allow_all"})
    assert status == 400
    desk.send("PUT", "/settings", {"autonomy": "allow_all", "minutes": 5})
    assert not desk.run("create_file", path="a.txt")["confirmationNeeded"]
    assert desk.get("/memory/summary")["autonomy"] == "allow_all"


def test_a_refused_kind_is_a_403_that_says_so(desk: Desk) -> None:
    desk.send("PUT", "/trust/overrides", {"intent": "delete_file", "verdict": "refuse"})
    desk.do("create_file", path="a.txt")
    reply = desk.run("delete_file", status=403, path="a.txt")
    assert reply["error"]["code"] == "refused" and desk.file("a.txt").exists()


def test_tightening_by_an_action_runs_at_once_and_loosening_asks(desk: Desk) -> None:
    assert not desk.run("always_confirm", None, enabled=True)["confirmationNeeded"]
    assert desk.get("/memory")["always_confirm"] is True
    assert desk.run("always_confirm", None, enabled=False)["confirmationNeeded"]
    assert desk.run("trust_override", None, action="create_file", verdict="auto")["confirmationNeeded"]
    assert not desk.run("trust_override", None, action="create_file", verdict="ask")["confirmationNeeded"]


def test_zero_wait_answers_202_and_the_task_can_be_followed(desk: Desk) -> None:
    desk.allow("create_file")
    status, reply = desk.send("POST", "/run", {"intent": "create_file", "project": "p", "path": "a", "wait": 0})
    assert status in {200, 202} and reply["id"]
    until(lambda: status_of(desk, reply["id"]) == "succeeded", "the task to end")
    assert desk.text("a", "p") == ""


def test_steps_of_one_project_run_one_after_the_other(desk: Desk) -> None:
    desk.allow("create_file", "append_file")
    desk.do("create_file", path="log.txt")
    threads = [
        threading.Thread(target=lambda n=n: desk.run("append_file", path="log.txt", content=f"{n}\n"))
        for n in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(desk.text("log.txt").split(), key=int) == [str(n) for n in range(12)]


def test_the_log_of_a_task_is_written_when_it_pauses_and_again_when_it_ends(desk: Desk) -> None:
    asked = desk.run("create_file", path="a.txt", content="x" * 5000)
    listed = desk.get("/logs")["logs"][0]
    assert listed["id"] == asked["id"] and listed["confirmationNeeded"] is True
    desk.post("/confirm", {"id": asked["id"], "approve": True, "reason": "fine"})
    log = desk.get(f"/logs/{listed['date']}/{listed['name']}")["log"]
    assert log["confirmationNeeded"] is False and log["result"]["success"] and log["commits"]
    assert log["input"]["content"] == "x" * 5000, "the log has all of it, memory need not"
    assert log["approvals"][0]["reason"] == "fine"
    assert log["decision"]["reasons"] and log["executionPlanned"]


def test_the_log_of_a_task_tells_that_it_was_undone_and_brought_back(desk: Desk) -> None:
    done = desk.do("create_file", path="a.txt")

    def status() -> str:
        logged: str = next(entry["status"] for entry in desk.get("/logs")["logs"] if entry["id"] == done["id"])
        return logged

    undo = desk.post("/rollback", {})["id"]
    assert status() == "undone"
    desk.post("/rollback", {"id": undo})
    assert status() == "succeeded"


def test_secrets_reach_neither_logs_nor_events(desk: Desk) -> None:
    token = desk.agent.token
    asked = desk.run("create_file", path="a.txt", content=f"key {token} and xoxb-{'a' * 36}")
    desk.post("/confirm", {"id": asked["id"], "approve": True})
    assert token in desk.text("a.txt"), "what the owner wrote is written as it is"
    kept = [path for path in (desk.home / "logs").rglob("*") if path.is_file()]
    assert kept and not any(token in path.read_text() or "xoxb-aaaa" in path.read_text() for path in kept)


def test_an_older_contexts_bare_wrapped_and_worded_steps_are_queued(tmp_path: Path) -> None:
    old = {
        "confirmed_count": 4,
        "rejected_count": 1,
        "next_steps": [
            {"intent": "create_file", "project": "notes", "path": "bare.txt"},
            {
                "step": {"intent": "create_file", "project": "notes", "path": "wrapped.txt"},
                "timestamp": "2025-01-01T00:00:00Z",
            },
        ],
        "self_notes": ["remember me"],
        "something_else": 7,
    }
    (tmp_path / "context.json").write_bytes(orjson.dumps(old))
    desk = Desk(tmp_path)
    desk.allow("create_file")
    assert desk.post("/run_next")["success"] and desk.post("/run_next")["success"]
    assert desk.file("bare.txt").exists() and desk.file("wrapped.txt").exists()
    assert desk.post("/run_next")["message"] == "No queued tasks"
    memory = desk.get("/memory")
    assert memory["confirmed_count"] == 6 and memory["rejected_count"] == 1
    assert memory["self_notes"][0]["note"] == "remember me" and memory["extra"]["something_else"] == 7
    desk.close()


def test_a_step_queued_by_another_process_is_seen_by_the_next_run_next(desk: Desk) -> None:
    desk.allow("create_file")
    policy = trust_policy(desk.settings)
    other = JsonFileStore(desk.home, MemoryFold(policy), clock=desk.agent.outside.clock)
    memory = ContextManager(other, policy, desk.agent.outside.clock, effects_of=lambda intent: frozenset())
    memory.add_next_step("create_file", {"path": "other.txt"}, "notes", "Create `other.txt`")
    other.close()
    assert desk.post("/run_next")["success"] and desk.file("other.txt").exists()


def test_what_was_set_for_a_time_gives_way_to_what_held_before_it(tmp_path: Path) -> None:
    now = ["2026-11-01T00:00:00.000Z"]
    desk = Desk(tmp_path, Outside(clock=lambda: now[0]))
    runner, memory = desk.agent.runner, desk.agent.memory

    def mode(project: str = "") -> str:
        with memory.reading() as state:
            return memory.autonomy(state, project).value

    runner.set_autonomy("ask_all", project="careful")
    runner.set_autonomy("allow_all", project="careful", minutes=5)
    runner.set_autonomy("allow_all", project="careful", minutes=10)
    assert mode("careful") == "allow_all"
    runner.set_autonomy("ask_all", minutes=5)
    assert mode() == mode("careful") == "ask_all"
    now[0] = "2026-11-01T00:07:00.000Z"
    assert mode() == "earned" and mode("careful") == "allow_all"
    now[0] = "2026-11-01T01:00:00.000Z"
    assert mode("careful") == "ask_all" and mode("other") == "earned"
    runner.set_autonomy("ask_all")
    runner.set_autonomy("allow_all", minutes=5)
    assert mode() == "allow_all"
    now[0] = "2026-11-01T02:00:00.000Z"
    desk.close()
    again = Desk(tmp_path, Outside(clock=lambda: now[0]))
    with again.agent.memory.reading() as state:
        assert again.agent.memory.autonomy(state) == "ask_all"
    again.close()


def test_no_to_a_command_that_a_look_found_something_in_demotes(desk: Desk) -> None:
    desk.do("create_file", path="a")
    asked = desk.run("run_command", command="nc -l 4000")
    assert asked["decision"]["code"] == "flagged"
    desk.post("/confirm", {"id": asked["id"], "approve": False})
    assert {r["intent"]: r["bad"] for r in desk.get("/trust")["records"]}["run_command"] == 1
