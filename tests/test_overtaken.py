"""Two hands at once: steps cancelled, edited, rejected or adopted while they are made ready, and stops in between."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app import Outside
from context_manager import ContextManager
from contracts.actions import Action, ActionContext, ActionResult, Inspection
from contracts.errors import Conflict, Failed, Unavailable
from contracts.tasks import Status
from contracts.trust import Effect
from running import steps as step_runner
from tests.desk import Desk
from tests.test_plans import queue, steps


class Held:
    """Stops whoever comes by until let go."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.go = threading.Event()

    def __call__(self, *_: Any) -> Inspection:
        self.reached.set()
        assert self.go.wait(60)
        return Inspection()


def hold(desk: Desk, intent: str) -> Held:
    """Make every call of this kind stop while it is made ready."""
    held = Held()
    actions = desk.agent.catalogue._actions
    actions[intent] = Action(**{**vars(actions[intent]), "inspect": held})
    return held


def in_background(call: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.append(call()))
    thread.start()
    return thread, got


@pytest.fixture
def allowed(desk: Desk) -> Desk:
    desk.allow("create_file", "write_file")
    return desk


def test_a_step_cancelled_while_it_is_made_ready_never_starts(allowed: Desk) -> None:
    held = hold(allowed, "create_file")
    asked, got = in_background(lambda: allowed.agent.runner.run_agent(steps("a")[0], wait=0))
    asked.join()
    assert held.reached.wait(60)
    task_id = got[0].body["id"]
    assert allowed.post("/cancel_plan", {"id": task_id})["cancelled"] == [task_id]
    held.go.set()
    allowed.agent.runner.steps.waiters.wait_for(task_id, 60)
    allowed.agent.stop()
    assert allowed.agent.memory.task(task_id).status is Status.CANCELLED and not allowed.file("a").exists()


def test_a_yes_that_comes_with_a_cancel_starts_nothing(desk: Desk) -> None:
    asked = desk.run("create_file", path="a")
    held = hold(desk, "create_file")
    thread, got = in_background(lambda: desk.send("POST", "/confirm", {"id": asked["id"], "approve": True}))
    assert held.reached.wait(60)
    desk.post("/cancel_plan", {"id": asked["id"]})
    held.go.set()
    thread.join()
    assert got[0][0] == 409 and got[0][1]["error"]["code"] == "not_waiting" and not desk.file("a").exists()


def test_a_step_edited_while_it_is_made_ready_runs_as_edited(allowed: Desk) -> None:
    (step,) = queue(allowed, "a")
    held = hold(allowed, "create_file")
    thread, _ = in_background(allowed.agent.runner.run_next)
    assert held.reached.wait(60)
    assert allowed.send("PATCH", f"/tasks/{step}", {"step": steps("b")[0]})[0] == 200
    held.go.set()
    thread.join()
    assert allowed.file("b").exists() and not allowed.file("a").exists()


def test_a_step_moved_to_another_project_runs_in_that_projects_lane(allowed: Desk) -> None:
    (step,) = queue(allowed, "a")
    held = hold(allowed, "create_file")
    thread, _ = in_background(lambda: allowed.agent.runner.run_next(wait=60))
    assert held.reached.wait(60)
    allowed.send("PATCH", f"/tasks/{step}", {"step": steps("a", project="other")[0]})
    held.go.set()
    thread.join()
    allowed.agent.runner.steps.waiters.wait_for(step, 60)
    assert allowed.file("a", "other").exists() and not allowed.file("a").exists()


def test_a_no_that_comes_after_the_yes_is_told_so_and_counts_nothing(allowed: Desk) -> None:
    done = allowed.run("create_file", path="a")
    with pytest.raises(Conflict):
        allowed.agent.memory.track_rejected(done["id"], reason="late")
    assert allowed.get("/memory/summary")["rejected_count"] == 0


def test_two_run_alls_at_once_make_one_plan_of_the_queue(desk: Desk) -> None:
    queue(desk, "a", "b")
    held = hold(desk, "create_file")
    calls = [in_background(desk.agent.runner.run_all) for _ in range(2)]
    assert held.reached.wait(60)
    held.go.set()
    for thread, _ in calls:
        thread.join()
    plans = [task for task in desk.get("/tasks")["tasks"] if task["intent"] == "plan"]
    assert len(plans) == 1 and len(plans[0]["children"]) == 2
    assert {got[0].body["id"] for _, got in calls} == {plans[0]["id"]}


def test_skipping_a_step_that_waits_for_its_lane_lets_its_plan_go_on(allowed: Desk) -> None:
    held = hold(allowed, "write_file")
    busy, _ = in_background(lambda: allowed.run("write_file", path="first"))
    assert held.reached.wait(60)
    plan = allowed.agent.runner.execute_plan(steps("a", "b"), wait=0).body["id"]
    first = allowed.get("/queue")["steps"][0]["id"]
    assert allowed.send("DELETE", f"/tasks/{first}")[0] == 200
    held.go.set()
    busy.join()
    assert allowed.agent.runner.steps.waiters.wait_for(plan, 60).body["status"] == "succeeded"
    assert allowed.file("b").exists() and not allowed.file("a").exists()


def test_cancelling_the_step_that_asks_lets_its_plan_go_on(desk: Desk) -> None:
    desk.do("create_file", path="old")
    desk.send("PUT", "/trust/overrides", {"intent": "delete_file", "verdict": "ask"})
    delete = {"intent": "delete_file", "project": "notes", "path": "old"}
    plan = desk.post("/run", {"steps": [*steps("a"), delete, *steps("c")]})["id"]
    asked = desk.post("/confirm", {"id": plan, "approve": True})
    assert asked["confirmationNeeded"] and asked["plan"] == plan
    desk.post("/cancel_plan", {"id": asked["id"]})
    assert desk.agent.runner.steps.waiters.wait_for(plan, 60).body["status"] == "succeeded"
    assert desk.file("c").exists() and desk.file("old").exists()


def test_what_is_answered_with_an_id_is_stored(allowed: Desk) -> None:
    held = hold(allowed, "create_file")
    reply = allowed.post("/run", {**steps("a")[0], "wait": 0}, status=202)
    assert held.reached.wait(60)
    assert allowed.get(f"/tasks/{reply['id']}")["task"]["status"] == "queued"
    held.go.set()
    assert allowed.agent.runner.steps.waiters.wait_for(reply["id"], 60).body["status"] == "succeeded"


def test_a_yes_to_a_busy_project_says_that_it_was_heard(allowed: Desk) -> None:
    asked = allowed.run("create_directory", path="d")
    held = hold(allowed, "write_file")
    busy, _ = in_background(lambda: allowed.run("write_file", path="first"))
    assert held.reached.wait(60)
    reply = allowed.post("/confirm", {"id": asked["id"], "approve": True, "wait": 0}, status=202)
    assert not reply["confirmationNeeded"] and "Heard your yes" in reply["message"]
    held.go.set()
    busy.join()


def test_stopping_wakes_the_requests_whose_turn_never_came(allowed: Desk) -> None:
    held = hold(allowed, "write_file")
    busy, _ = in_background(lambda: allowed.agent.runner.run_agent({**steps("first")[0], "intent": "write_file"}))
    assert held.reached.wait(60)
    behind, got = in_background(lambda: allowed.agent.runner.run_agent(steps("a")[0], wait=60))
    while allowed.agent.runner.steps.lanes.counts()["waiting"] == 0:
        assert behind.is_alive()
    allowed.agent.runner.stop(timeout=0)
    behind.join(60)
    assert not behind.is_alive() and got[0].status == 202
    held.go.set()
    busy.join()


def test_a_request_waiting_on_another_ones_key_hears_that_it_was_wrong(desk: Desk) -> None:
    runner = desk.agent.runner
    runner._keys.claim("k", "first", {"goal": "x"})

    def again() -> str:
        with pytest.raises(Unavailable) as told:
            runner.run_agent("x", idempotency_key="k")
        return told.value.message

    thread, got = in_background(again)
    while not runner.steps.waiters._tickets:
        assert thread.is_alive()
    runner.steps.waiters.settle("first", Unavailable("No room"))
    thread.join(60)
    assert got == ["No room"]


def test_the_key_of_a_task_that_left_memory_is_answered_at_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path, AGENT_RECENT_TASKS="10")
    desk.allow("create_file")
    runner = desk.agent.runner
    first = runner.run_agent(steps("a")[0], idempotency_key="once").body
    for _ in range(11):
        desk.run("list_files")
    again = runner.run_agent(steps("a")[0], idempotency_key="once").body
    assert again["id"] == first["id"] and "log" in again["message"]
    desk.close()


class FullDisk:
    """A memory that can be written `room` times more, and again when it has refused `refuses` times."""

    def __init__(self, memory: ContextManager, refuses: int = 1_000_000) -> None:
        self.room = 1_000_000
        self.refuses = refuses
        self._write = memory.store.transaction
        memory.transaction = self._transaction  # type: ignore[method-assign]

    def _transaction(self) -> Any:
        if self.room == 0:
            self.refuses -= 1
            self.room = 0 if self.refuses else 1_000_000
            raise Unavailable("The journal could not be written, so nothing was changed: No space left on device")
        self.room -= 1
        return self._write()


@pytest.fixture
def soon() -> Iterator[None]:
    before = step_runner.RETRY_SECONDS
    step_runner.RETRY_SECONDS = 0.05
    yield
    step_runner.RETRY_SECONDS = before


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("refused", [1, 3])
def test_a_plan_goes_on_once_a_full_disk_has_room_again(tmp_path: Path, refused: int) -> None:
    """The first step is done and committed, but cannot be written down until there is room."""
    disk: list[FullDisk] = []

    def fill(name: str) -> None:
        if name == "recorded" and disk and not done:
            done.append(name)
            disk[0].room = 0

    done: list[str] = []
    desk = Desk(tmp_path, Outside(boundary=fill))
    desk.allow("create_file")
    disk.append(FullDisk(desk.agent.memory, refused))
    plan = desk.agent.runner.execute_plan(steps("a", "b"), wait=0).body["id"]
    ended = desk.agent.runner.steps.waiters.wait_for(plan, 60)
    assert done == ["recorded"]
    assert ended.body["status"] == "succeeded" and [s["status"] for s in ended.body["steps"]] == ["succeeded"] * 2
    titles = [commit["title"] for commit in desk.get("/projects/notes/history")["commits"]]
    assert titles == ["Create b", "Create a"]
    desk.close()


def test_a_crash_while_a_plan_is_stored_leaves_no_plan_that_nobody_approved(tmp_path: Path) -> None:
    """A plan and what was decided about it are one write: after a crash both are there, or neither."""
    desk = Desk(tmp_path)
    disk = FullDisk(desk.agent.memory)
    disk.room = 1
    plan = desk.agent.runner.execute_plan(steps("a", "b")).body["id"]
    desk.close()
    again = Desk(tmp_path)
    assert again.get(f"/tasks/{plan}")["task"]["status"] == "awaiting_approval"
    assert again.post("/run_all")["confirmationNeeded"] and not again.file("a").exists()
    again.close()


Asked = Callable[[Any, ActionContext], ActionResult | None]


def outward(desk: Desk, intent: str, reconcile: Asked | None = None) -> None:
    """Let this kind of action reach out of the machine, so that a crash leaves it unknown."""
    actions = desk.agent.catalogue._actions

    def send(params: Any, ctx: ActionContext) -> ActionResult:
        return ActionResult.done("Sent")

    effects = frozenset({Effect.NETWORK})
    changed = {"effects": effects, "handler": send, "reconcile": reconcile}
    actions[intent] = Action(**{**vars(actions[intent]), **changed})


def cut_off(desk: Desk) -> str:
    """An outward step, alone, that was under way when the service stopped; taken up again."""
    desk.do("create_file", path="kept", content="")
    task = desk.run("create_directory", path="d")["id"]
    with desk.agent.memory.transaction() as tx:
        tx.emit("approval_given", task, by="owner")
        tx.emit("step_started", task, result={"paths": None})
    desk.agent.runner.resume()
    desk.agent.runner.steps.waiters.wait_for(task, 60)
    return str(task)


def test_an_outward_step_that_the_other_side_knows_of_ends_without_a_question(desk: Desk) -> None:
    def ask(params: Any, ctx: ActionContext) -> ActionResult:
        desk.file("by_hand").write_text("written meanwhile")
        ctx.files.write("receipt", b"there already")
        return ActionResult.done(f"It had reached the other side: {params.path}, {ctx.task_id}")

    outward(desk, "create_directory", ask)
    task = cut_off(desk)
    shown = desk.get(f"/tasks/{task}")["task"]
    assert shown["status"] == "succeeded"
    assert shown["result"]["message"] == f"It had reached the other side: d, {task}"
    assert desk.text("receipt") == "there already" and desk.text("by_hand")
    assert not desk.get("/memory/summary")["waiting"]


@pytest.mark.parametrize(("silent", "words"), [(True, "cannot be asked now"), (False, "not known how far")])
def test_an_outward_step_asks_where_the_other_side_cannot_tell(desk: Desk, silent: bool, words: str) -> None:
    def ask(params: Any, ctx: ActionContext) -> ActionResult | None:
        if silent:
            raise Unavailable("The host does not answer")
        return None

    outward(desk, "create_directory", ask)
    task = cut_off(desk)
    shown = desk.get(f"/tasks/{task}")["task"]
    assert shown["status"] == "interrupted" and words in shown["result"]["message"]
    assert desk.post("/confirm", {"id": task, "approve": True})["message"] == "Sent"


def test_an_outward_step_that_the_other_side_calls_failed_has_failed(desk: Desk) -> None:
    def ask(params: Any, ctx: ActionContext) -> ActionResult:
        raise Failed("The build broke")

    outward(desk, "create_directory", ask)
    shown = desk.get(f"/tasks/{cut_off(desk)}")["task"]
    assert shown["status"] == "failed" and shown["result"]["message"] == "The build broke"


def test_an_outward_step_cut_off_in_a_plan_asks_and_the_plan_waits_for_it(desk: Desk) -> None:
    outward(desk, "create_directory")
    folder = {"intent": "create_directory", "project": "notes", "path": "d"}
    plan = desk.post("/run", {"steps": [folder, *steps("b")]})["id"]
    with desk.agent.memory.transaction() as tx:
        first = tx.state.tasks[plan].children[0]
        covered = tx.state.tasks[plan].children
        tx.emit("approval_given", plan, by="owner", projects=["notes"], steps=covered)
        tx.emit("step_started", plan)
        tx.emit("drain_set", plan, on=True)
        tx.emit("step_started", first, result={"paths": None})
    desk.agent.runner.resume()
    asked = desk.agent.runner.steps.waiters.wait_for(plan, 60).body
    assert asked["id"] == first and asked["confirmationNeeded"] and asked["status"] == "interrupted"
    assert [task["id"] for task in desk.get("/memory/summary")["waiting"]] == [first]
    desk.post("/confirm", {"approve": True})
    assert desk.agent.runner.steps.waiters.wait_for(plan, 60).body["status"] == "succeeded" and desk.file("b").exists()
