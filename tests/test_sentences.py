"""Plain words over HTTP and in a terminal: planned and shown, asked about, answered, refused; nothing built unasked."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk, Reply


@pytest.fixture(scope="module")
def sandbox_root() -> Iterator[Path]:
    """Shared, so that packages are fetched and the sandbox is tested once."""
    root = Path(tempfile.mkdtemp(prefix="sentence-tests-"))
    root.chmod(0o711)
    yield root
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(scope="module")
def one_desk(sandbox_root: Path) -> Iterator[Desk]:
    opened = Desk(sandbox_root / "home", None, AGENT_SANDBOX_ROOT=str(sandbox_root))
    yield opened
    opened.close()


@pytest.fixture
def desk(one_desk: Desk) -> Iterator[Desk]:
    """One agent for all, with nothing waiting and nothing allowed."""
    yield one_desk
    one_desk.post("/cancel_plan", {})
    one_desk.send("PUT", "/settings", {"autonomy": "earned"})


BOOKS = "Build a REST API for managing books with title, author and year"


def planned(desk: Desk, goal: Any, *, status: int = 200, **more: Any) -> Reply:
    return desk.post("/run", {"goal": goal, **more}, status=status)


def test_a_sentence_becomes_a_plan_that_says_what_it_understood_and_asks_once(desk: Desk) -> None:
    reply = planned(desk, BOOKS)
    assert reply["planGenerated"] and reply["confirmationNeeded"] and reply["price"] == 0
    assert "books" in reply["understood"] and reply["project"] == "books-api"
    assert [step["intent"] for step in reply["plannedSteps"]] == [
        *("create_app", "install_dependencies", "test_app", "deploy_app")
    ]
    assert reply["card"]["checks"] == reply["checks"] and len(reply["checks"]) > 5
    assert desk.get("/projects")["projects"] == []


@pytest.mark.parametrize("intent", ["plan", "plan_tasks", "goal"])
def test_all_names_of_planning_mean_the_same(desk: Desk, intent: str) -> None:
    reply = planned(desk, BOOKS, intent=intent)
    assert reply["planGenerated"] and reply["title"] == "Books API"


def test_a_planned_step_is_what_run_takes(desk: Desk) -> None:
    steps = planned(desk, "Make a website for my bakery with opening hours")["plannedSteps"]
    again = desk.post("/run", {"steps": steps, "goal": "The same by hand"})
    assert again["card"]["what"]["steps"][0]["title"].startswith("Write the app")
    assert len(again["card"]["what"]["steps"]) == len(steps)


def test_a_vague_goal_is_asked_about_and_the_answers_plan_it(desk: Desk) -> None:
    reply = planned(desk, "make me an app")
    assert not reply["planGenerated"] and not reply["confirmationNeeded"]
    assert 1 <= len(reply["questions"]) <= 3 and all(question["text"] for question in reply["questions"])
    answers = {question["key"]: question["default"] for question in reply["questions"]} | {"about": "books"}
    again = planned(desk, "make me an app", answers=answers)
    assert again["planGenerated"] and "book" in again["understood"]


def with_questions(desk: Desk) -> Reply:
    """A plan that has a default for everything, and still asks."""
    for goal in ("an app for my shop", "something for my club", "I need an app for customers", "app for our members"):
        _, reply = desk.send("POST", "/run", {"goal": goal})
        if reply.get("planGenerated") and reply.get("questions"):
            return reply
    pytest.fail("no goal has questions beside a plan")


def test_questions_of_a_plan_can_be_answered_and_it_is_planned_anew(desk: Desk) -> None:
    reply = with_questions(desk)
    first = reply["questions"][0]
    answer = first["options"][-1] if first["options"] else "name, email"
    again = desk.post("/answer", {"id": reply["id"], "answers": {first["key"]: answer}})
    assert again["planGenerated"] and again["id"] != reply["id"] and not again.get("questions")
    assert desk.get(f"/tasks/{reply['id']}")["task"]["status"] == "cancelled"


def test_answers_to_a_direct_call_keep_what_the_call_said(desk: Desk) -> None:
    call = {"intent": "create_app", "description": "something for my shop", "app_name": "Corner Store"}
    asked = desk.post("/run", {**call, "framework": "flask", "deploy": "no"})
    assert {question["key"] for question in asked["questions"]} == {"about", "login"}, "the framework says the kind"
    again = desk.post("/answer", {"id": asked["id"], "answers": {"about": "customers"}})
    first = again["plannedSteps"][0]
    assert again["project"] == "corner-store" and first["spec"]["title"] == "Corner Store"
    assert first["spec"]["kind"] == "api" and [one["name"] for one in first["spec"]["resources"]] == ["customer"]
    assert "deploy_app" not in {step["intent"] for step in again["plannedSteps"]} and not again.get("questions")


def test_a_vague_call_can_be_sent_again_with_its_answers(desk: Desk) -> None:
    call = {"intent": "create_app", "description": "make me an app", "app_name": "Shelf"}
    assert not desk.post("/run", call)["planGenerated"]
    again = desk.post("/run", {**call, "answers": {"about": "books", "kind": "API"}})
    assert again["planGenerated"] and again["project"] == "shelf" and again["plannedSteps"][0]["spec"]["kind"] == "api"


def test_a_call_with_something_that_it_does_not_take_is_not_carried_out_without_it(desk: Desk) -> None:
    reply = desk.post("/run", {"intent": "create_app", "description": "todo app", "colour": "red"}, status=400)
    assert "`colour`" in reply["message"]


def test_an_answer_to_nothing_is_refused_and_the_plan_stays(desk: Desk) -> None:
    reply = with_questions(desk)
    wrong = desk.post("/answer", {"id": reply["id"], "answers": {"colour": "red"}}, status=400)
    assert "no question `colour`" in wrong["message"]
    assert desk.get(f"/tasks/{reply['id']}")["task"]["status"] == "awaiting_approval"
    clear = planned(desk, BOOKS)
    assert (
        "no open questions" in desk.post("/answer", {"id": clear["id"], "answers": {"a": "b"}}, status=409)["message"]
    )


def test_answers_without_an_id_are_for_the_newest_plan_that_asks(desk: Desk) -> None:
    planned(desk, BOOKS)
    none = desk.post("/answer", {"answers": {"about": "customers"}}, status=404)
    assert none["message"] == "No plan has open questions" and "`/run`" in none["error"]["hint"]
    call = {"intent": "create_app", "description": "something for my shop", "project": "corner-store"}
    older, newer = desk.post("/run", call), desk.post("/run", {**call, "framework": "flask"})
    planned(desk, BOOKS)
    again = desk.post("/answer", {"answers": {"about": "customers"}})
    assert again["planGenerated"] and again["plannedSteps"][0]["spec"]["kind"] == "api"
    states = [desk.get(f"/tasks/{one['id']}")["task"]["status"] for one in (older, newer)]
    assert states == ["awaiting_approval", "cancelled"]


def test_answers_without_an_id_while_two_projects_ask_change_nothing_and_name_both(desk: Desk) -> None:
    call = {"intent": "create_app", "description": "something for my shop"}
    asked = [desk.post("/run", {**call, "project": name}) for name in ("corner-store", "book-store")]
    several = desk.post("/answer", {"answers": {"about": "customers"}}, status=409)
    assert several["error"]["code"] == "several_waiting" and "2 tasks have open questions" in several["message"]
    assert [task["id"] for task in several["error"]["details"]["waiting"]] == [one["id"] for one in asked]
    assert {desk.get(f"/tasks/{one['id']}")["task"]["status"] for one in asked} == {"awaiting_approval"}


def test_a_plan_with_questions_asks_however_much_is_trusted(desk: Desk) -> None:
    desk.send("PUT", "/settings", {"autonomy": "allow_all", "minutes": 5})
    reply = with_questions(desk)
    assert reply["confirmationNeeded"] and reply["decision"]["code"] == "flagged"


@pytest.mark.parametrize(
    ("goal", "code"),
    [
        ("", "not_understood"),
        ("   ", "not_understood"),
        ("asdf qwer zxcv", "not_understood"),
        ("Erstelle eine Webseite für meine Bücher mit Titel und Autor", "not_understood"),
        ("SELECT * FROM users; DROP TABLE users;", "not_understood"),
        ("Write a chatbot that answers my customers", "cannot_without_model"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words_and_nothing_is_kept(desk: Desk, goal: str, code: str) -> None:
    before = desk.get("/tasks")["tasks"]
    reply = planned(desk, goal, status=400)
    assert reply["error"]["code"] == code and reply["error"]["hint"]
    assert desk.get("/tasks")["tasks"] == before


def test_with_nothing_said_the_hello_api_is_built_without_a_question(desk: Desk) -> None:
    reply = desk.post("/run", {"intent": "create_app"})
    assert reply["planGenerated"] and not reply.get("questions")
    files = {file["path"] for file in reply["card"]["what"]["files"]}
    assert {"app.py", "requirements.txt"} <= files


def test_a_change_without_anything_to_change_is_said_plainly(desk: Desk) -> None:
    reply = planned(desk, "Add a new feature to the project: search", status=400)
    assert "no project" in reply["message"].lower()


def test_what_is_missing_for_a_plan_is_named_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", str(tools))
    desk = Desk(tmp_path / "home")
    reply = desk.post("/run", {"goal": "Build a Node API for notes"})
    assert {need["what"].split()[0] for need in reply["needs"]} == {"Node.js", "There"}
    assert all("apt-get install" in need["remedy"] for need in reply["card"]["needs"])
    desk.close()


def test_the_same_sentence_again_is_one_more_app(desk: Desk) -> None:
    desk.allow("create_app")
    step = {"intent": "create_app", "project": "books-api", "description": "", "deploy": "no"}
    desk.post("/run", {"intent": "queue_task", "step": step})
    desk.post("/run_next", {"wait": 60})
    assert planned(desk, BOOKS)["project"] == "books-api-2"


def test_a_tool_is_proven_before_it_is_said_how_to_use_it(desk: Desk) -> None:
    reply = planned(desk, "Create a CLI tool for managing TODO items stored in JSON")
    intents = [step["intent"] for step in reply["plannedSteps"]]
    assert intents == ["create_app", "install_dependencies", "test_app", "deploy_app"]
