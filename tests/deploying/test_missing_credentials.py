"""A host that is asked for and not connected: what plans and cards say of it, and where things go meanwhile."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploying.scripted_host import Cloud
from tests.deploying.shop import Shop


@pytest.fixture
def shop(tmp_path: Path, cloud: Cloud) -> Iterator[Shop]:
    opened = Shop(tmp_path / "home", cloud, connected=False)
    opened.build()
    yield opened
    opened.close()


def test_the_card_says_which_credential_is_missing_and_how_to_get_it(shop: Shop) -> None:
    asked = shop.run("deploy_app", provider="vercel")
    card = asked["card"]
    assert asked["confirmationNeeded"] and "Vercel is not connected yet" in card["blocked"]
    assert "./agent credentials set vercel" in card["blocked"] and card["what"]["credential"] == "vercel"
    assert card["what"]["guide"] and not shop.cloud.shipped


def test_nobody_is_sent_for_a_credential_of_a_host_that_cannot_run_the_app(shop: Shop) -> None:
    shop.cloud.unfit = "it runs no bakeries"
    status, refused = shop.send("POST", "/run", {"intent": "deploy_app", "project": "bakery", "provider": "vercel"})
    assert status == 409 and "cannot go to Vercel: it runs no bakeries" in refused["message"]


def test_an_app_is_not_built_for_a_host_that_cannot_run_it(shop: Shop) -> None:
    shop.cloud.unfit = "it runs no choirs"
    status, refused = shop.send("POST", "/run", {"goal": "Build a static site for a choir and put it on Vercel"})
    assert status == 409 and "`choir` cannot go to Vercel: it runs no choirs" in refused["message"]
    assert not shop.get("/queue")["steps"]


def test_a_plan_names_the_missing_credential_before_it_starts(shop: Shop) -> None:
    reply = shop.post("/run", {"goal": "Build a static site for a chess club and put it on Vercel"})
    assert reply["confirmationNeeded"]
    assert [need["what"] for need in reply["needs"]] == ["Vercel is not connected yet"]
    assert "credentials set vercel" in reply["needs"][0]["remedy"]
    assert reply["plannedSteps"][-1]["provider"] == "vercel"


def test_what_is_to_be_online_stays_here_without_a_host_and_says_how_to_change_that(shop: Shop) -> None:
    reply = shop.post("/run", {"goal": "Build a static site for a chess club and put it online"})
    assert reply["plannedSteps"][-1]["provider"] == "auto" and not reply.get("needs")
    assert any("No host on the internet is connected" in words for words in reply["assumptions"])
    shop.connect()
    reply = shop.post("/run", {"goal": "Build a static site for a rowing club and put it online"})
    assert not any("No host" in words for words in reply.get("assumptions", []))


def test_what_nobody_asked_to_put_online_stays_here(shop: Shop) -> None:
    shop.connect()
    reply = shop.post("/run", {"goal": "Build a static site for a chess club"})
    assert reply["plannedSteps"][-1] == {"intent": "deploy_app", "project": "chess-club", "provider": "local"}


def test_a_host_can_be_named_beside_the_sentence(shop: Shop) -> None:
    reply = shop.post("/run", {"goal": "Build a static site for a chess club", "online": "demo"})
    assert reply["plannedSteps"][-1]["provider"] == "demo"
    assert "demo cloud on this machine, which nobody else can reach" in reply["understood"]
