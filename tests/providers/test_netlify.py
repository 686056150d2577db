"""Netlify against its fake: the promises of every host, and what is its own."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests

from cloud_fakes.netlify import FakeNetlify
from contracts.deployments import Parcel, ReleaseState
from contracts.errors import AppError, BadInput, Conflict, Failed, Forbidden, TooMany, Unavailable
from providers.netlify import AT_ONCE, Netlify
from tests.providers.contract import GOOD, Contract, Heard, Stopped, Waits, changing, ship, shown
from tests.providers.vercel_stand import flask_app, site

MAKING = "/deploys?title="


class NetlifyStand:
    def __init__(self, fake: FakeNetlify) -> None:
        self.fake = fake
        fake.add_token(GOOD)
        self.waits = Waits()

    def provider(self, token: str = GOOD, *, url: str = "") -> Netlify:
        return Netlify(token, base_url=url or self.fake.url, pause=self.waits.pause, clock=self.waits.clock)

    def parcel(self, mark: str, **changes: Any) -> Parcel:
        return site(mark, **changes)

    def upset_making(self, **trouble: Any) -> None:
        self.fake.trouble(MAKING, **trouble)

    def making(self) -> int:
        return self.fake.counted(MAKING)

    def made(self, name: str) -> list[str]:
        return self.fake.keys(name)

    def add_foreign(self, name: str) -> None:
        self.fake.add_site(name)

    def fail_next_build(self) -> str:
        self.fake.script.fail = "Invalid _redirects file"
        return "Invalid _redirects file"


@pytest.fixture
def stand() -> Iterator[NetlifyStand]:
    with FakeNetlify() as fake:
        yield NetlifyStand(fake)


class TestNetlify(Contract):
    """Everything that any host promises."""


def refused(stand: NetlifyStand, **changes: Any) -> AppError:
    with pytest.raises(AppError) as caught:
        ship(stand, "one", "key-1", **changes)
    return caught.value


def uploads(stand: NetlifyStand) -> int:
    return stand.fake.counted("PUT ")


def many(count: int, changed: str = "") -> dict[str, bytes]:
    files = {f"page-{number}.html": f"<h1>{number}</h1>".encode() for number in range(count)}
    return files | {"index.html": changed.encode(), "twin.html": b"same", "other/twin.html": b"same"}


def test_only_what_netlify_does_not_have_is_sent_and_equal_files_once(stand: NetlifyStand) -> None:
    ship(stand, "", "key-1", files=many(30, "one"))
    assert uploads(stand) == 32
    ship(stand, "", "key-2", files=many(30, "two"))
    assert uploads(stand) == 33
    ship(stand, "", "key-3", files=many(30, "two"))
    assert uploads(stand) == 33


def test_files_are_sent_at_the_same_time_within_bounds(stand: NetlifyStand) -> None:
    stand.fake.delays["PUT "] = 0.02
    ship(stand, "", "key-1", files=many(30))
    assert 1 < stand.fake.most_at_once <= AT_ONCE


def test_names_of_any_script_arrive(stand: NetlifyStand) -> None:
    release = ship(stand, "one", "key-1")
    assert "Über uns 漢字" in requests.get(f"{release.url}/über uns.html", timeout=60).content.decode()
    assert requests.get(f"{release.url}/img/größe/ä.svg", timeout=60).ok


def test_a_site_in_a_folder_of_its_own_is_served_from_there(stand: NetlifyStand) -> None:
    files = {"dist/index.html": b"built", "src/a.ts": b"1", "README.md": b"x"}
    release = ship(stand, "", "key-1", files=files)
    assert shown(release.url) == "built"
    assert set(stand.fake.sites[0].deploys[0].files) == {"/index.html"}


def test_a_connection_cut_in_the_middle_of_a_file_is_taken_up_again(stand: NetlifyStand) -> None:
    stand.fake.trouble("PUT ", cut_after=3, times=2)
    stand.fake.trouble("PUT ", cut_answer=True)
    stand.fake.trouble("PUT ", status=502)
    stand.fake.trouble("PUT ", status=429)
    assert "one" in shown(ship(stand, "one", "key-1").url)
    assert stand.made("shop") == ["key-1"]


def test_what_was_cut_off_is_completed_and_not_made_anew(stand: NetlifyStand) -> None:
    stand.fake.trouble("PUT ", cut_after=0, times=100)
    assert isinstance(refused(stand), Unavailable)
    stand.fake.troubles.clear()
    before = uploads(stand)
    assert "one" in shown(ship(stand, "one", "key-1").url)
    assert stand.made("shop") == ["key-1"]
    assert uploads(stand) - before == 4


def test_it_can_be_stopped_anywhere_and_goes_on_without_doing_anything_twice(stand: NetlifyStand) -> None:
    for stop in range(1, 40):
        left = iter(range(stop))

        def tick(left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Stopped

        name, heard = f"shop-{stop}", Heard()
        parcel = site("one", project=name)
        try:
            stand.provider().ship(parcel, name, "key", say=heard.say, tick=tick)
        except Stopped:
            ship(stand, "one", "key", name, project=name)
            assert stand.made(name) == ["key"]
        else:
            assert stop > 5
            return
    raise AssertionError("it never came to its end")


@pytest.mark.parametrize("lag", [0, 1, 2])
def test_a_deployment_that_lists_do_not_show_yet_is_not_made_twice(stand: NetlifyStand, lag: int) -> None:
    stand.fake.script.list_lag = lag
    stand.upset_making(cut_answer=True)
    ship(stand, "one", "key-1")
    assert stand.made("shop") == ["key-1"]


def test_a_name_that_somebody_else_has_is_said(stand: NetlifyStand) -> None:
    stand.fake.add_site("shop", "eve@example.org")
    error = refused(stand)
    assert isinstance(error, Conflict) and "`shop`" in str(error) and "another name" in error.hint
    assert [line for line in changing(stand.fake) if "/deploys" in line] == []


def test_a_site_whose_making_was_not_answered_is_found_again(stand: NetlifyStand) -> None:
    stand.fake.trouble("POST /api/v1/sites", cut_answer=True)
    ship(stand, "one", "key-1")
    assert len(stand.fake.sites) == 1


def test_a_site_with_nothing_on_it_is_used_but_not_deleted(stand: NetlifyStand) -> None:
    stand.fake.add_site("shop", empty=True)
    stand.provider().take_down("shop")
    assert len(stand.fake.sites) == 1
    assert ship(stand, "one", "key-1").state is ReleaseState.LIVE


def test_two_projects_whose_names_become_the_same_do_not_share_a_place(stand: NetlifyStand) -> None:
    ship(stand, "one", "key-1", "my_shop", project="my_shop")
    with pytest.raises(Conflict):
        ship(stand, "two", "key-2", "My Shop", project="My Shop")


def test_what_is_not_published_by_itself_is_published_by_asking(stand: NetlifyStand) -> None:
    stand.fake.script.publishes = False
    assert "one" in shown(ship(stand, "one", "key-1").url)
    assert stand.fake.counted("/restore") == 1


def test_a_key_whose_release_was_replaced_stays_replaced(stand: NetlifyStand) -> None:
    ship(stand, "one", "key-1")
    ship(stand, "two", "key-2")
    assert ship(stand, "one", "key-1").state is ReleaseState.REPLACED
    live = stand.provider().live("shop")
    assert live and live.key == "key-2"


def test_going_back_sends_nothing(stand: NetlifyStand) -> None:
    first = ship(stand, "one", "key-1")
    ship(stand, "two", "key-2")
    before = (uploads(stand), stand.making())
    stand.provider().bring_back("shop", first, "undo", say=Heard().say, tick=Heard().tick)
    assert (uploads(stand), stand.making()) == before


def test_a_release_can_be_deleted(stand: NetlifyStand) -> None:
    first = ship(stand, "one", "key-1")
    ship(stand, "two", "key-2")
    stand.provider().delete(first)
    stand.provider().delete(first)
    assert [release.key for release in stand.provider().releases("shop")] == ["key-2"]
    assert stand.provider().log(first) == []


def test_used_up_credits_are_said(stand: NetlifyStand) -> None:
    stand.upset_making(status=403, code="Account credit usage exceeded")
    error = refused(stand)
    assert isinstance(error, Forbidden) and "credits of this month" in str(error)


def test_a_refusal_is_said_and_not_tried_again(stand: NetlifyStand) -> None:
    stand.upset_making(status=422, code="no", times=5)
    assert isinstance(refused(stand), Failed)
    assert stand.making() == 1


@pytest.mark.parametrize(
    ("parcel", "words"),
    [
        (flask_app(), "runs no app of this kind"),
        (site("", files={"a.txt": b"x"}), "no `index.html`"),
        (site("", files={"index.html": b"x", "what?.html": b"x"}), "`what?.html`"),
    ],
)
def test_what_netlify_cannot_show_is_said_and_not_sent(stand: NetlifyStand, parcel: Parcel, words: str) -> None:
    assert words in stand.provider().unfit(parcel)
    with pytest.raises(BadInput):
        stand.provider().ship(parcel, "shop", "key-1", say=Heard().say, tick=Heard().tick)
    assert stand.fake.requests == []


def test_a_quote_tells_the_credits(stand: NetlifyStand) -> None:
    ship(stand, "one", "key-1")
    quote = stand.provider().quote(site("two"), "shop")
    assert quote.free and quote.price.startswith("free tier, no cost expected") and "15 of 300 credits" in quote.price
    assert quote.standing.startswith("1 deployment of this site in the last 30 days (15 credits), as of ")
    assert "until the next month" in quote.warnings[0]
    stand.fake.script.plan = "Pro"
    paid = stand.provider().quote(site("two"), "shop")
    assert not paid.free and "Pro plan" in paid.price


def test_all_sites_are_listed(stand: NetlifyStand) -> None:
    for number in range(105):
        stand.fake.add_site(f"theirs-{number}")
    stand.fake.allowance = 5000
    ship(stand, "one", "key-1")
    places = stand.provider().places()
    assert len(places) == 106
    assert [place.name for place in places if place.ours] == ["shop"]


def test_over_the_rate_limit_questions_wait_until_it_is_over(stand: NetlifyStand) -> None:
    stand.fake.allowance = 0
    with pytest.raises(AppError):
        stand.provider().releases("shop")
    assert 100 < stand.waits.now <= 4 * 61


def test_whoever_waits_at_a_form_is_told_soon(stand: NetlifyStand) -> None:
    stand.fake.allowance = 0
    with pytest.raises(TooMany):
        stand.provider().check()
    assert stand.waits.now <= 10
