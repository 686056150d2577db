"""Where an app goes when nobody says, and what is said about it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from contracts.deployments import Parcel, Quote
from contracts.errors import InvalidParams, Unauthorized
from deploying.choosing import Host, choose, connected, host_named
from providers.base import Provider
from tests.deploying.scripted_host import Cloud, ScriptedHost
from tests.deploying.shop import Shop, outside

PARCEL = Parcel("books", "c0ffee", {"app.py": b""}, framework="flask")


class SomeHosts:
    def __init__(self, **clouds: Cloud) -> None:
        self._clouds = clouds

    def known(self) -> tuple[Host, ...]:
        names = ("vercel", "netlify", "render")
        return (*(Host(name, name.capitalize()) for name in names), Host("export", "a zip", here=True))

    def connect(self, name: str) -> Provider | None:
        return ScriptedHost(self._clouds[name], name=name) if name in self._clouds else None

    def unfit(self, name: str, parcel: Parcel) -> str:
        provider = self.connect(name)
        return provider.unfit(parcel) if provider else ""

    def forgot(self, name: str, place: str) -> bool:
        return False

    def remedy(self, name: str) -> Mapping[str, Any]:
        return {"credential": name, "remedy": "Enter it"}


def test_vercel_comes_first_where_it_fits_and_is_connected() -> None:
    chosen = choose(SomeHosts(netlify=Cloud(), vercel=Cloud()), PARCEL, "books")
    assert chosen.name == "vercel" and chosen.why == "Vercel is connected, fits this app and is free"


def test_the_next_host_is_taken_where_the_first_does_not_fit_and_the_sentence_says_why() -> None:
    hosts = SomeHosts(vercel=Cloud(unfit="it runs no such apps"), netlify=Cloud())
    chosen = choose(hosts, PARCEL, "books")
    assert chosen.name == "netlify" and "Vercel: it runs no such apps" in chosen.why


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        (Quote(True, "free", "", "", card_needed=True), "wants a payment method"),
        (Quote(False, "$7 a month", "", ""), "not free there ($7 a month)"),
    ],
)
def test_a_host_that_costs_something_is_never_chosen_unasked(quote: Quote, why: str) -> None:
    chosen = choose(SomeHosts(render=Cloud(quote=quote)), PARCEL, "books")
    assert chosen.name == "local" and why in chosen.why


def test_a_host_that_refuses_its_credential_is_passed_over() -> None:
    broken = Cloud(troubles={"quote": [Unauthorized("The token has ended")]})
    chosen = choose(SomeHosts(vercel=broken, netlify=Cloud()), PARCEL, "books")
    assert chosen.name == "netlify" and "The token has ended" in chosen.why


def test_without_any_host_it_stays_here_and_says_how_to_connect_one() -> None:
    chosen = choose(SomeHosts(), PARCEL, "books")
    assert chosen.name == "local" and "./agent credentials set vercel" in chosen.why
    assert connected(SomeHosts()) == []


def test_a_host_that_nobody_knows_is_named_with_those_that_are() -> None:
    with pytest.raises(InvalidParams) as wrong:
        host_named(SomeHosts(), "geocities")
    assert "`vercel`" in wrong.value.hint and "`export`" in wrong.value.hint


def test_what_auto_means_is_settled_at_the_gate_and_kept_with_the_task(shop: Shop) -> None:
    asked = shop.run("deploy_app")
    assert asked["card"]["call"] == {
        "intent": "deploy_app",
        "project": "bakery",
        "provider": "vercel",
        "name": "bakery",
    }
    task = shop.get(f"/tasks/{asked['id']}")["task"]
    assert task["params"]["provider"] == "vercel" and task["title"] == "Put it on Vercel"
    assert "Vercel is connected, fits this app and is free" in " ".join(asked["card"]["what"]["notes"])


def test_auto_stays_with_the_host_where_it_is_already(tmp_path: Path) -> None:
    clouds = {"vercel": Cloud(), "netlify": Cloud()}
    with clouds["vercel"], clouds["netlify"] as netlify:
        made = outside(clouds["vercel"], netlify=lambda values: ScriptedHost(netlify, values["token"], "netlify"))
        shop = Shop(tmp_path, clouds["vercel"], made)
        shop.agent.credentials.put("netlify", {"token": "nfp_" + "a1" * 20})
        shop.build()
        assert shop.deploy(provider="netlify")["success"]
        shop.change()
        assert shop.run("deploy_app")["card"]["what"]["provider"] == "netlify"
        shop.close()
