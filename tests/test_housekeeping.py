"""After many changes a project's history is packed, and everything can still be undone."""

from git_manager import GitManager
from running.housekeeping import Housekeeping
from running.lanes import Lanes
from tests.desk import Desk


def test_many_changes_leave_few_files_and_can_still_be_undone(desk: Desk) -> None:
    desk.allow("write_file")
    desk.agent.runner.steps.changed = Housekeeping(desk.agent.git, desk.agent.runner.steps.lanes, every=60).changed
    first = desk.do("write_file", path="a.txt", content="first")
    for number in range(250):
        desk.do("write_file", path=f"d{number % 9}/a.txt", content=f"{number}")
    desk.do("list_files")
    loose = sum(1 for _ in desk.file(".git/objects").glob("[0-9a-f][0-9a-f]/*"))
    assert loose < 1500
    assert list(desk.file(".git/objects/pack").glob("*.pack"))
    asked = desk.post("/rollback", {"id": first["id"]})
    assert desk.post("/confirm", {"id": asked["id"], "approve": True})["success"]
    assert [path.name for path in desk.file("").iterdir()] == [".git"]


def test_a_project_that_cannot_be_tidied_is_only_logged(desk: Desk) -> None:
    lanes = Lanes(1)
    Housekeeping(GitManager(desk.home / "nowhere"), lanes, every=1).changed("absent")
    assert lanes.stop(10)
