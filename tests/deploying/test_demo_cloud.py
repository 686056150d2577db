"""From one sentence to an address on the demo cloud, where all checks are tried, and back by undo."""

import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import requests

from actions.packages import installed
from app import build_environments
from cloud_fakes.live_sites import CannotHost
from demo_cloud import Stage
from later import Later
from tests.deploying.scripted_host import Cloud
from tests.deploying.shop import Shop
from tests.desk import Desk, Reply
from tests.running_apps import preview_ports

WAIT = 240


@pytest.fixture(scope="module")
def sandbox_root() -> Iterator[Path]:
    root = Path(tempfile.mkdtemp(prefix="demo-tests-"))
    root.chmod(0o711)
    yield root
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def desk(tmp_path: Path, sandbox_root: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "home", None, AGENT_SANDBOX_ROOT=str(sandbox_root), **preview_ports())
    yield made
    made.close()


def approved(desk: Desk, asked: Reply) -> Reply:
    return desk.post("/confirm", {"id": asked["id"], "approve": True, "wait": WAIT})


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_one_sentence_ends_at_an_address_that_answers_and_undo_takes_it_down(desk: Desk) -> None:
    asked = desk.post("/run", {"goal": "Build a hello world API and put it online", "online": "demo", "wait": WAIT})
    assert asked["confirmationNeeded"] and asked["plannedSteps"][-1]["provider"] == "demo"
    done = approved(desk, asked)
    assert done["success"] and not done["confirmationNeeded"], done["message"]
    url = done["result"]["data"]["url"]
    assert requests.get(url, timeout=60).json() == {"message": "Hello, World!"}
    assert "demo cloud on this machine" in done["message"] and "all 5 checks hold at its address" in done["message"]
    undone = desk.post("/rollback", {"id": done["id"], "wait": WAIT})
    assert undone["success"] and not undone["confirmationNeeded"], undone
    assert requests.get(url, timeout=60).status_code == 404
    assert not (desk.home / "workspace" / "hello-api" / "app.py").exists()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_what_visitors_see_never_makes_room_for_another_version(desk: Desk) -> None:
    agent = desk.agent
    environments = build_environments(desk.settings, agent.sandbox)
    stage = Stage(desk.settings, agent.memory, agent.sandbox, partial(installed, Later(lambda: environments)), slots=2)
    ended: list[str] = []
    seen: set[str] = set()
    stage.seen, stage.end = lambda: seen, ended.append
    try:
        first = stage.host({"index.html": b"one"}, {})
        seen.add(first)
        second = stage.host({"index.html": b"two"}, {})
        assert not ended and requests.get(second, timeout=60).text == "two"
        third = stage.host({"index.html": b"three"}, {})
        assert ended == [second] and requests.get(first, timeout=60).text == "one"
        assert requests.get(third, timeout=60).text == "three"
        seen.add(third)
        with pytest.raises(CannotHost, match="Take one of them offline"):
            stage.host({"index.html": b"four"}, {})
    finally:
        stage.close()


def test_a_site_goes_there_again_and_back_to_the_release_before_without_a_question(shop: Shop) -> None:
    url = shop.deploy(provider="demo")["result"]["data"]["url"]
    shop.change("<p>newer</p>")
    shop.deploy(provider="demo")
    page = f"{url}/note-{len('<p>newer</p>')}.html"
    assert requests.get(page, timeout=60).text == "<p>newer</p>"
    undone = shop.post("/rollback")
    assert undone["success"] and not undone["confirmationNeeded"] and "is on this machine" in str(undone["decision"])
    assert requests.get(page, timeout=60).status_code == 404 and requests.get(url, timeout=60).status_code == 200


def test_who_wants_to_be_asked_about_going_back_is_asked(shop: Shop) -> None:
    shop.deploy(provider="demo")
    shop.change("<p>newer</p>")
    shop.deploy(provider="demo")
    shop.send("PUT", "/trust/overrides", {"intent": "roll_back_deployment", "verdict": "ask"})
    asked = shop.run("roll_back_deployment", provider="demo")
    assert asked["confirmationNeeded"] and asked["decision"]["code"] == "asked_by_owner"


def test_what_is_on_the_demo_cloud_goes_there_again_until_a_host_is_connected(tmp_path: Path, cloud: Cloud) -> None:
    shop = Shop(tmp_path / "home", cloud, connected=False)
    try:
        shop.build()
        assert shop.run("deploy_app")["card"]["call"]["provider"] == "local"
        shop.deploy(provider="demo")
        shop.change()
        asked = shop.run("deploy_app", provider="auto")
        assert asked["card"]["call"]["provider"] == "demo" and "it is there already" in str(asked["card"]["what"])
        plan = shop.post("/run", {"goal": "put it online", "project": "bakery"})
        assert "No host on the internet" not in str(plan["card"])
        shop.connect()
        assert shop.run("deploy_app", provider="auto")["card"]["call"]["provider"] == "vercel"
    finally:
        shop.close()


def test_the_demo_cloud_is_never_taken_for_the_internet(shop: Shop) -> None:
    asked = shop.run("deploy_app", provider="demo")
    told = str(asked["card"])
    assert "only this machine can open it" in told and "forgets everything when the service ends" in told
    assert "makes something public" not in told
    done = shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert "Vercel" not in str(shop.get(f"/deployments/{done['id']}/log")["lines"])


def test_after_a_restart_nothing_is_said_to_be_live_that_the_demo_cloud_forgot(tmp_path: Path, cloud: Cloud) -> None:
    shop = Shop(tmp_path / "home", cloud)
    shop.build()
    shop.deploy(provider="demo")
    (live,) = shop.get("/deployments")["places"]
    assert live["state"] == "live" and live["url"]
    shop.close()
    again = Desk(shop.home)
    (place,) = again.get("/deployments")["places"]
    again.close()
    assert place["state"] == "offline" and place["url"] == "" and place["releases"]
    assert "putting it there again" in place["health"]
