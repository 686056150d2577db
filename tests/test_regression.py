"""The agent's own regression list: it passes as shipped, it can fail, and it never touches the owner's home."""

from pathlib import Path
from typing import Any

import orjson

from tests.desk import Desk


def suite(desk: Desk, *commands: dict[str, Any]) -> dict[str, Any]:
    document = {"cases": [{"name": "mine", "commands": list(commands)}]}
    (desk.home / "mine.json").write_bytes(orjson.dumps(document))
    return desk.post("/run_tests", {"file": "mine.json"})


def test_the_shipped_list_passes_and_leaves_the_home_alone(desk: Desk) -> None:
    reply = desk.post("/run_tests")
    assert reply["success"] and reply["failed"] == 0 and reply["passed"] >= 7, reply["results"]
    assert desk.get("/tasks")["tasks"] == [] and desk.get("/projects")["projects"] == []


def test_what_is_not_as_expected_is_named(desk: Desk) -> None:
    wrong = suite(desk, {"send": "GET /health", "expect": {"message": "nope"}})
    assert not wrong["success"] and "`message` is 'ok'" in wrong["results"][0]["detail"]
    status = suite(desk, {"send": "GET /nowhere"})
    assert "status 404 instead of 200" in status["results"][0]["detail"]


def test_a_broken_list_says_what_is_wrong(desk: Desk) -> None:
    assert desk.post("/run_tests", {"file": "absent.json"}, status=404)["error"]["hint"]
    assert desk.post("/run_tests", {"file": "../x.json"}, status=400)["error"]["hint"]
    Path(desk.home / "mine.json").write_text("{")
    assert "not a list of tests" in desk.post("/run_tests", {"file": "mine.json"}, status=400)["message"]
