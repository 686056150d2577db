"""Log files of tasks: one a root, whole at every moment, listed newest first, private."""

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from contracts.errors import NotFound
from contracts.tasks import Status, Task
from running.task_logs import TaskLogs


def made(task_id: str, created: str = "2026-03-01T23:30:00.000Z", **more: object) -> Task:
    task = Task(task_id, "create_file", {"path": "a"}, Status.SUCCEEDED, "Create `a`", created, project="p")
    for name, value in more.items():
        setattr(task, name, value)
    return task


@pytest.fixture
def logs(tmp_path: Path) -> TaskLogs:
    return TaskLogs(tmp_path, lambda value: value, ZoneInfo("Europe/Berlin"))


def test_the_day_and_time_in_the_name_follow_the_timezone(logs: TaskLogs, tmp_path: Path) -> None:
    assert logs.write([made("abc")]) == tmp_path / "2026-03-02" / "003000-abc.json"


def test_a_log_is_private_and_leaves_nothing_beside_it(logs: TaskLogs) -> None:
    path = logs.write([made("abc")])
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_plan_is_one_log_with_its_steps_costs_and_commits(logs: TaskLogs) -> None:
    plan = made("plan", children=["s1", "s2"])
    steps = [made("s1", commit="c1", cost=0.1), made("s2", commit="c2", cost=0.2)]
    logs.write([plan, *steps])
    entry = logs.entries()[0]
    log = logs.read(entry["date"], entry["name"])
    assert log["commits"] == ["c1", "c2"] and log["cost"] == pytest.approx(0.3)
    assert [step["id"] for step in log["steps"]] == ["s1", "s2"]


def test_rewriting_keeps_the_whole_input_that_memory_has_shortened(logs: TaskLogs) -> None:
    whole = {"intent": "create_file", "path": "a", "content": "x" * 9000}
    logs.write([made("abc")], {"abc": whole})
    logs.write([made("abc", undone_by="later")])
    entry = logs.entries()[0]
    log = logs.read(entry["date"], entry["name"])
    assert log["input"] == whole and log["undone_by"] == "later"


def test_newest_come_first_and_the_limit_holds(logs: TaskLogs) -> None:
    for day in range(1, 4):
        for hour in range(3):
            logs.write([made(f"t{day}{hour}", f"2026-03-0{day}T0{hour}:00:00.000Z")])
    assert [entry["id"] for entry in logs.entries(limit=4)] == ["t32", "t31", "t30", "t22"]
    assert [entry["id"] for entry in logs.entries(date="2026-03-01")] == ["t12", "t11", "t10"]
    assert logs.entries(date="2030-01-01") == []


@pytest.mark.parametrize(("date", "name"), [("..", "x.json"), ("2026-03-01", "../../etc/passwd"), ("2026-03-01", "a")])
def test_nothing_outside_the_logs_can_be_read(logs: TaskLogs, date: str, name: str) -> None:
    with pytest.raises(NotFound):
        logs.read(date, name)


def test_a_damaged_log_is_listed_as_such_and_written_anew(logs: TaskLogs) -> None:
    path = logs.write([made("abc")])
    path.write_bytes(b"")
    logs.write([made("def")])
    assert [entry["title"] for entry in logs.entries()] == ["Create `a`", "This log is damaged"]
    with pytest.raises(NotFound, match="damaged"):
        logs.read(path.parent.name, path.name)
    logs.write([made("abc")])
    assert logs.read(path.parent.name, path.name)["input"]["path"] == "a"


def test_rewriting_keeps_the_whole_result_of_what_had_ended(logs: TaskLogs) -> None:
    logs.write([made("abc", finished="now", result={"message": "long text"})])
    path = logs.write([made("abc", finished="now", result={"message": "long…"}, status=Status.UNDONE)])
    log = logs.read(path.parent.name, path.name)
    assert log["result"] == {"message": "long text"} and log["status"] == "undone"


def test_a_step_edited_while_it_waits_is_logged_as_edited(logs: TaskLogs) -> None:
    logs.write([made("abc", status=Status.QUEUED)])
    path = logs.write([made("abc", status=Status.QUEUED, params={"path": "b"})])
    assert logs.read(path.parent.name, path.name)["input"]["path"] == "b"
