"""A deployment whose host is not connected waits, and goes on by itself once the credential is entered."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from app import Outside
from cloud_fakes.vercel import FakeVercel
from credentials import Values
from providers.base import Provider
from providers.vercel import Vercel
from tests.deploying.scripted_host import Cloud
from tests.deploying.shop import Shop
from tests.desk import Reply
from tests.web.live import until

TOKEN = "vcp_" + "A1b2C3d4" * 4


@pytest.fixture
def vercel() -> Iterator[FakeVercel]:
    with FakeVercel() as fake:
        fake.add_token(TOKEN)
        yield fake


def outside(fake: FakeVercel, **environ: str) -> Outside:
    def connect(values: Values) -> Provider:
        return Vercel(values["token"], team=values.get("team", ""), base_url=fake.url, pause=lambda seconds: None)

    return Outside(hosts={"vercel": connect}, environ=environ)


@pytest.fixture
def shop(tmp_path: Path, vercel: FakeVercel) -> Iterator[Shop]:
    opened = Shop(tmp_path / "home", Cloud(), outside(vercel), connected=False)
    opened.build()
    yield opened
    opened.close()


def enter(shop: Shop, token: str = TOKEN) -> tuple[int, Reply]:
    return shop.send("PUT", "/credentials/vercel", {"values": {"token": token}})


def task(shop: Shop, id: str) -> dict[str, Any]:
    return shop.agent.runner.task(id)


def wait_for(shop: Shop, id: str, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The task as soon as that holds of it."""
    until(lambda: holds(task(shop, id)), "the step to go on")
    return task(shop, id)


def test_it_waits_asks_for_the_credential_and_says_where_to_enter_it(shop: Shop, vercel: FakeVercel) -> None:
    parked = shop.run("deploy_app", provider="vercel")
    assert parked["confirmationNeeded"]
    assert "./agent credentials set vercel" in parked["card"]["blocked"]
    status, refused = shop.send("POST", "/confirm", {"id": parked["id"], "approve": True})
    assert status == 409
    assert refused["error"]["details"]["credential"] == "vercel"
    assert task(shop, parked["id"])["status"] == "awaiting_approval"
    assert vercel.counted("POST /v13/deployments") == 0


def test_once_the_credential_is_entered_it_asks_what_is_left_and_a_yes_puts_it_online(
    shop: Shop, vercel: FakeVercel
) -> None:
    parked = shop.run("deploy_app", provider="vercel")
    assert enter(shop)[0] == 200
    ready = wait_for(shop, parked["id"], lambda found: not found["card"].get("blocked"))
    assert ready["status"] == "awaiting_approval"
    done = shop.post("/confirm", {"id": parked["id"], "approve": True})
    assert done["success"], done
    assert requests.get(done["result"]["data"]["url"], timeout=60).status_code == 200


def test_where_nothing_is_left_to_ask_it_goes_online_by_itself(shop: Shop, vercel: FakeVercel) -> None:
    shop.send("PUT", "/trust/overrides", {"intent": "deploy_app", "verdict": "auto", "lift_floor": True})
    parked = shop.run("deploy_app", provider="vercel")
    assert task(shop, parked["id"])["status"] == "awaiting_approval"
    assert enter(shop)[0] == 200
    done = wait_for(shop, parked["id"], lambda found: found["finished"])
    assert done["status"] == "succeeded", done["result"]
    assert requests.get(done["result"]["data"]["url"], timeout=60).status_code == 200
    assert len(vercel.keys(shop.place()["name"])) == 1


def test_a_credential_that_the_host_does_not_take_leaves_it_waiting(shop: Shop, vercel: FakeVercel) -> None:
    parked = shop.run("deploy_app", provider="vercel")
    status, refused = enter(shop, "vcp_" + "0" * 32)
    assert (status, refused["error"]["code"]) == (400, "credential_refused")
    assert task(shop, parked["id"])["card"]["blocked"]
    assert not (shop.home / "credentials.json").exists()


def test_it_still_waits_after_a_restart_and_then_goes_on(tmp_path: Path, shop: Shop, vercel: FakeVercel) -> None:
    parked = shop.run("deploy_app", provider="vercel")
    shop.close()
    again = Shop(tmp_path / "home", Cloud(), outside(vercel), connected=False)
    try:
        assert task(again, parked["id"])["card"]["blocked"]
        assert enter(again)[0] == 200
        wait_for(again, parked["id"], lambda found: not found["card"].get("blocked"))
        assert again.post("/confirm", {"id": parked["id"], "approve": True})["success"]
    finally:
        again.close()


def test_a_credential_that_came_with_the_environment_of_a_restart_lets_it_go_on(
    tmp_path: Path, shop: Shop, vercel: FakeVercel
) -> None:
    parked = shop.run("deploy_app", provider="vercel")
    shop.close()
    again = Shop(tmp_path / "home", Cloud(), outside(vercel, VERCEL_TOKEN=TOKEN), connected=False)
    try:
        wait_for(again, parked["id"], lambda found: not found["card"].get("blocked"))
        assert again.post("/confirm", {"id": parked["id"], "approve": True})["success"]
    finally:
        again.close()


def test_a_token_that_has_ended_parks_the_next_deployment_until_a_new_one_is_there(
    shop: Shop, vercel: FakeVercel
) -> None:
    enter(shop)
    assert shop.deploy()["success"]
    del vercel.tokens[TOKEN]
    shop.change()
    parked = shop.run("deploy_app", provider="vercel")
    assert "does not take the credential any more" in parked["card"]["blocked"]
    fresh = vercel.add_token("vcp_" + "Z9y8X7w6" * 4)
    assert enter(shop, fresh)[0] == 200
    wait_for(shop, parked["id"], lambda found: not found["card"].get("blocked"))
    assert shop.post("/confirm", {"id": parked["id"], "approve": True})["success"]
    assert len(vercel.keys(shop.place()["name"])) == 2


def test_the_token_is_nowhere_but_in_its_file(shop: Shop, vercel: FakeVercel) -> None:
    enter(shop)
    assert shop.deploy()["success"]
    shop.agent.log_file.flush()
    files = [path for path in shop.home.rglob("*") if path.is_file() and path.name != "credentials.json"]
    assert not [path for path in files if TOKEN.encode() in path.read_bytes()]
