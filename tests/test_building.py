"""Apps through the whole house: built, proven, shown, changed beside edits, taken back and brought back."""

import json
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.app_spec import AppSpec, Kind, Page, Section
from tests.desk import Desk, Reply
from tests.running_apps import preview_ports

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

WAIT = 120


def site(**more: Any) -> dict[str, Any]:
    home = Page(slug="index", title="Welcome", sections=(Section(heading="Hello", text="We bake bread."),))
    spec = AppSpec(kind=Kind.SITE, name="bakery", title="Bakery", summary="A bakery.", pages=(home,))
    return {**spec.to_json(), **more}


def with_page(spec: dict[str, Any], slug: str, title: str) -> dict[str, Any]:
    return {**spec, "pages": [*spec["pages"], {"slug": slug, "title": title}]}


@pytest.fixture(scope="module")
def sandbox_root() -> Iterator[Path]:
    """Shared, so that what is installed or tested once need not be again."""
    root = Path(tempfile.mkdtemp(prefix="building-tests-"))
    root.chmod(0o711)
    yield root
    shutil.rmtree(root, ignore_errors=True)


def opened(home: Path, sandbox_root: Path) -> Desk:
    return Desk(home, None, AGENT_SANDBOX_ROOT=str(sandbox_root), **preview_ports())


@pytest.fixture
def desk(tmp_path: Path, sandbox_root: Path) -> Iterator[Desk]:
    made = opened(tmp_path / "home", sandbox_root)
    yield made
    made.close()


def build(desk: Desk, **command: Any) -> Reply:
    """Have it done, with one yes to its plan."""
    reply = desk.post("/run", {"wait": WAIT, **command})
    assert reply["confirmationNeeded"], reply
    return desk.post("/confirm", {"id": reply["id"], "approve": True, "wait": WAIT})


def seen(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=60) as page:
            return str(page.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return str(error.code)
    except urllib.error.URLError:
        return "nobody there"


def eventually(url: str, words: str) -> bool:
    deadline = time.monotonic() + 90
    while words not in seen(url):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def test_an_app_is_built_proven_shown_changed_and_all_of_it_taken_back(tmp_path: Path, sandbox_root: Path) -> None:
    desk = opened(tmp_path / "home", sandbox_root)
    made = build(desk, intent="create_app", project="bakery", spec=site())
    url = made["result"]["data"]["url"]
    assert (
        made["status"] == "succeeded" and made["message"].startswith("“Bakery” is ready: ") and url in made["message"]
    )
    assert "We bake bread." in seen(url)
    proof = desk.agent.memory.proof_of("bakery")
    assert proof is not None and proof["ok"]
    assert desk.agent.git.open("bakery").last_good() == desk.get("/projects/bakery/history")["commits"][0]["id"]

    page = desk.file("index.html", "bakery")
    page.write_text(page.read_text().replace("We bake bread.", "We bake bread. And cake."))
    changed = build(desk, intent="update_app", project="bakery", spec=with_page(site(), "hours", "Opening hours"))
    assert changed["status"] == "succeeded", changed
    assert "We bake bread. And cake." in seen(url) and "Opening hours" in seen(f"{url}hours.html")

    took_back = desk.post("/rollback", {"project": "bakery", "wait": WAIT})
    assert took_back["success"] and eventually(f"{url}hours.html", "404")
    assert "We bake bread. And cake." in seen(url)

    desk.close()
    desk = opened(tmp_path / "home", sandbox_root)
    desk.agent.open_for_code()
    assert eventually(url, "We bake bread. And cake."), "it is shown again after a restart"

    gone = desk.post("/rollback", {"id": made["id"], "exact": True, "wait": WAIT})
    if gone["confirmationNeeded"]:
        gone = desk.post("/confirm", {"id": gone["id"], "approve": True, "wait": WAIT})
    assert gone["success"] and not desk.file("index.html", "bakery").exists()
    assert eventually(url, "503"), seen(url)

    back = desk.post("/rollback", {"id": gone["id"], "wait": WAIT})
    assert back["success"] and eventually(url, "We bake bread. And cake.")
    desk.close()


def test_a_plan_shows_its_steps_and_checks_before_anything_happens(desk: Desk) -> None:
    reply = desk.post("/run", {"intent": "create_app", "project": "bakery", "spec": site()})
    assert reply["planGenerated"] and reply["confirmationNeeded"]
    assert [step["intent"] for step in reply["plannedSteps"]] == ["create_app", "test_app", "deploy_app"]
    assert reply["card"]["checks"] and reply["card"]["cost"] == "free"
    assert "index.html" in reply["card"]["what"]["diff"]
    assert desk.get("/projects")["projects"] == []


def test_without_deploy_nothing_is_started(desk: Desk) -> None:
    reply = desk.post("/run", {"intent": "create_app", "project": "bakery", "spec": site(), "deploy": "no"})
    assert [step["intent"] for step in reply["plannedSteps"]] == ["create_app", "test_app"]


def test_what_is_queued_is_whole_too(desk: Desk) -> None:
    step = {"intent": "create_app", "project": "bakery", "spec": site()}
    desk.post("/run", {"intent": "queue_task", "step": step})
    assert [one["step"]["intent"] for one in desk.get("/queue")["steps"]] == ["create_app", "test_app", "deploy_app"]


def queued(desk: Desk) -> list[tuple[str, str]]:
    return [(one["step"]["intent"], one["step"].get("project")) for one in desk.get("/queue")["steps"]]


def test_a_step_that_is_put_in_or_edited_is_whole_too(desk: Desk) -> None:
    note = {"intent": "create_file", "project": "notes", "path": "a.txt", "content": "hi"}
    desk.post("/run", {"intent": "queue_task", "step": note})
    first = desk.get("/queue")["steps"][0]["id"]
    bakery = {"intent": "create_app", "project": "bakery", "spec": site()}
    put_in = desk.post(f"/tasks/{first}/insert", {"step": bakery})
    whole = [("create_app", "bakery"), ("test_app", "bakery"), ("deploy_app", "bakery")]
    assert queued(desk) == [*whole, ("create_file", "notes")] and "what belongs to it" in put_in["message"]

    status, _ = desk.send("PATCH", f"/tasks/{put_in['id']}", {"step": {**bakery, "deploy": "no"}})
    assert status == 200 and queued(desk) == [*whole, ("create_file", "notes")], "what is planned is not planned twice"

    shop = {"intent": "create_app", "project": "shop", "spec": site(name="shop"), "deploy": "no"}
    status, _ = desk.send("PATCH", f"/tasks/{first}", {"step": shop})
    assert status == 200 and queued(desk) == [*whole, ("create_app", "shop"), ("test_app", "shop")]


def test_what_is_put_into_a_plan_belongs_to_that_plan_with_its_proof(desk: Desk) -> None:
    plan = desk.post("/run", {"intent": "create_app", "project": "bakery", "spec": site()})
    first = desk.get("/queue")["steps"][0]["id"]
    desk.post(
        f"/tasks/{first}/insert", {"step": {"intent": "create_app", "project": "shop", "spec": site(name="shop")}}
    )
    children = desk.get(f"/tasks/{plan['id']}")["children"]
    assert [(child["intent"], child["project"]) for child in children] == [
        *((intent, project) for project in ("shop", "bakery") for intent in ("create_app", "test_app", "deploy_app"))
    ]


def written(desk: Desk) -> None:
    """An app whose files are there, without the time that proving it takes."""
    desk.allow("create_app")
    calls = [{"intent": "create_app", "project": "bakery", "spec": site(), "deploy": "no"}]
    desk.post("/run", {"intent": "queue_task", "steps": calls})
    assert desk.post("/run_next", {"wait": WAIT})["status"] == "succeeded"
    desk.post("/cancel_plan", {})


def test_overlapping_edits_stop_a_change_and_are_shown(desk: Desk) -> None:
    written(desk)
    page = desk.file("index.html", "bakery")
    page.write_text(page.read_text().replace("We bake bread.", "We bake cake."))
    own = next(number for number, line in enumerate(page.read_text().splitlines(), 1) if "We bake cake." in line)
    spec = site()
    spec["pages"][0]["sections"][0]["text"] = "We bake rolls."
    command = {"intent": "update_app", "project": "bakery", "spec": spec}
    refused = desk.post("/run", command, status=409)
    assert "nothing was changed" in refused["message"]
    shown = refused["error"]["details"]["conflicts"]["index.html"]
    assert "We bake cake." in shown and "We bake rolls." in shown
    assert refused["error"]["details"]["lines"]["index.html"] == [own]
    assert "\n<<<<<<< yours\n" in shown and "\n>>>>>>> new\n" in shown
    assert "We bake cake." in page.read_text()
    assert (
        "We bake cake." not in desk.post("/run", {**command, "conflicts": "new"})["card"]["what"]["diff"].split("+")[0]
    )


def test_a_record_that_was_changed_by_hand_is_not_proven(desk: Desk) -> None:
    written(desk)
    record = desk.file(".task-agent/app.json", "bakery")
    raw = json.loads(record.read_text())
    raw["spec"]["title"] = "Something else"
    record.write_text(json.dumps(raw))
    desk.allow("test_app")
    reply = desk.run("test_app", "bakery", status=409)
    assert "another app than was agreed" in reply["message"]


def test_a_broken_app_is_not_done_and_the_rest_of_the_plan_is_kept(desk: Desk) -> None:
    written(desk)
    page = desk.file("index.html", "bakery")
    page.write_text(page.read_text().replace("<h1", "<p").replace("</h1>", "</p>"))
    steps = [{"intent": "test_app", "project": "bakery"}, {"intent": "deploy_app", "project": "bakery"}]
    reply = build(desk, steps=steps, goal="Prove and show it")
    assert reply["status"] == "failed" and "Not proven" in reply["message"] and "2 steps are kept" in reply["message"]
    assert desk.agent.git.open("bakery").last_good() is None


def test_a_plan_that_stopped_at_its_proof_is_proven_anew_when_it_goes_on(desk: Desk) -> None:
    written(desk)
    page = desk.file("index.html", "bakery")
    whole = page.read_text()
    page.write_text(whole.replace("<h1", "<p").replace("</h1>", "</p>"))
    steps = [{"intent": "test_app", "project": "bakery"}, {"intent": "deploy_app", "project": "bakery"}]
    build(desk, steps=steps, goal="Prove and show it")
    page.write_text(whole)
    reply = desk.post("/run_all", {"project": "bakery", "wait": 120})
    assert reply["success"] and [step["status"] for step in reply["steps"]] == ["succeeded", "succeeded"]


def test_a_project_that_was_not_built_here_cannot_be_changed_as_a_whole(desk: Desk) -> None:
    desk.do("create_file", path="a.txt", content="hi")
    reply = desk.post("/run", {"intent": "update_app", "project": "notes", "spec": site()}, status=409)
    assert "not built by me" in reply["message"]


def test_an_app_is_not_written_over_something_else(desk: Desk) -> None:
    desk.do("create_file", path="a.txt", content="hi")
    reply = desk.post("/run", {"intent": "create_app", "project": "notes", "spec": site()}, status=409)
    assert "something in `notes` already" in reply["message"]


def test_a_change_that_was_planned_on_another_version_does_not_undo_what_came_between(desk: Desk) -> None:
    written(desk)
    command = {"intent": "update_app", "project": "bakery", "base": "0" * 64, "spec": with_page(site(), "a", "A")}
    reply = desk.post("/run", command, status=409)
    assert "changed since this was planned" in reply["message"]


def test_each_app_gets_its_own_proof_whatever_else_is_planned(desk: Desk) -> None:
    steps = [
        {"intent": "create_app", "project": "a", "params": {"spec": site(), "deploy": "no"}},
        {"intent": "test_app", "project": "b"},
    ]
    desk.post("/run", {"intent": "queue_task", "steps": steps})
    queued = [(one["step"]["intent"], one["step"]["project"]) for one in desk.get("/queue")["steps"]]
    assert queued == [("create_app", "a"), ("test_app", "a"), ("test_app", "b")]


def test_steps_that_are_none_are_refused_in_words(desk: Desk) -> None:
    for odd in ({"intent": ["x"]}, {"intent": None}, "text", 3):
        reply = desk.post("/run", {"steps": [odd], "goal": "x"}, status=400)
        assert reply["error"]["hint"] or reply["message"]


def test_an_app_that_was_edited_since_its_proof_is_not_put_where_people_use_it(desk: Desk) -> None:
    written(desk)
    desk.allow("deploy_app")
    refused = desk.run("deploy_app", "bakery", status=409)
    assert "not proven as it stands" in refused["message"] and "test_app" in refused["error"]["hint"]
    plan = desk.post("/run", {"steps": [{"intent": "deploy_app", "project": "bakery"}], "goal": "Show it"})
    assert plan["card"]["what"]["steps"][0]["title"] == "Prove that the app works"


def test_a_change_is_not_built_on_a_record_that_was_edited_by_hand(desk: Desk) -> None:
    written(desk)
    record = desk.file(".task-agent/app.json", "bakery")
    record.write_text(record.read_text().replace("We bake bread.", "We bake nothing."))
    reply = desk.post("/run", {"intent": "update_app", "project": "bakery", "spec": site()}, status=409)
    assert "another app than was agreed" in reply["message"]
