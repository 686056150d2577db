"""Render against its fake: the promises of every host, and what is its own."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from cloud_fakes.render import FakeRender
from cloud_fakes.render_state import Service
from contracts.deployments import Parcel, Release, ReleaseState
from contracts.errors import BadInput, Conflict, Failed, Forbidden, Unauthorized, Unavailable
from tests.providers.contract import GOOD, Contract, Heard, shown
from tests.providers.render_stand import REPOSITORY, RenderStand


def ship_parcel(stand: RenderStand, parcel: Parcel, key: str) -> Release:
    heard = Heard()
    return stand.provider().ship(parcel, "shop", key, say=heard.say, tick=heard.tick)


@pytest.fixture
def stand() -> Iterator[RenderStand]:
    with FakeRender() as fake:
        yield RenderStand(fake)


class TestRender(Contract):
    """Everything that any host promises."""


def service(stand: RenderStand, name: str = "shop") -> Service:
    [found] = [one for one in stand.fake.state.services if one.name == name]
    return found


def test_an_app_is_made_on_the_free_plan_and_never_deployed_by_itself(stand: RenderStand) -> None:
    parcel = stand.app(env={"SECRET_KEY": "s3cret-value-1"})
    release = ship_parcel(stand, parcel, "key-1")
    made = service(stand)
    assert made.type == "web_service" and made.repo == REPOSITORY
    assert made.details["plan"] == "free" and made.details["runtime"] == "python"
    assert made.details["envSpecificDetails"] == {
        "buildCommand": "pip install -r requirements.txt gunicorn",
        "startCommand": "gunicorn --bind 0.0.0.0:$PORT app:app",
    }
    assert made.env["SECRET_KEY"] == "s3cret-value-1" and made.env["TASK_AGENT_PROJECT"] == "shop"
    assert release.commit == "commit-app" and release.details["page"].startswith("https://dashboard.render.com/")


def test_a_node_app_is_told_to_listen_to_everybody(stand: RenderStand) -> None:
    files = {"package.json": b'{"scripts": {"start": "node server.js"}}', "package-lock.json": b"{}"}
    ship_parcel(stand, stand.parcel("n", files=files, framework="node"), "key-1")
    made = service(stand)
    assert made.env["HOST"] == "0.0.0.0" and made.details["runtime"] == "node"
    assert made.details["envSpecificDetails"] == {"buildCommand": "npm ci", "startCommand": "npm start"}


def test_an_image_is_run_as_it_is(stand: RenderStand) -> None:
    image = "ghcr.io/me/shop:1"
    parcel = replace(stand.app(), repository="", image=image)
    assert stand.provider().unfit(parcel) == ""
    ship_parcel(stand, parcel, "key-1")
    assert service(stand).image == image
    again = ship_parcel(stand, replace(parcel, image="ghcr.io/me/shop:2"), "key-2")
    assert stand.made("shop") == ["key-1", "key-2"] and again.state is ReleaseState.LIVE


def test_without_a_repository_it_says_how_to_get_one(stand: RenderStand) -> None:
    parcel = replace(stand.parcel("one"), repository="")
    words = stand.provider().unfit(parcel)
    assert "Connect GitHub" in words and "push_project" in words
    with pytest.raises(BadInput, match="Connect GitHub"):
        ship_parcel(stand, parcel, "key-1")
    assert stand.fake.requests == []


@pytest.mark.parametrize(
    ("files", "framework", "words"),
    [
        ({"notes.txt": b""}, "", "nothing in it that could be opened"),
        ({"about.html": b""}, "static", "no `index.html`"),
        ({"app.py": b"print('hello')"}, "flask", "no Flask app"),
        ({"package.json": b"{}"}, "node", "how it is started"),
        ({"package.json": b"not json"}, "node", "how it is started"),
    ],
)
def test_what_it_cannot_run_is_said(stand: RenderStand, files: dict[str, bytes], framework: str, words: str) -> None:
    assert words in stand.provider().unfit(stand.parcel("x", files=files, framework=framework))


def test_the_commit_that_was_meant_is_deployed_though_the_branch_has_moved_on(stand: RenderStand) -> None:
    wanted = stand.parcel("one")
    stand.parcel("of-somebody-else")
    release = ship_parcel(stand, wanted, "key-1")
    assert "one" in shown(release.url) and release.commit == "commit-one"
    first, second = service(stand).deploys
    assert first.status == "canceled" and second.status == "live"


def test_a_commit_that_render_names_late_is_still_the_one_that_was_meant(stand: RenderStand) -> None:
    stand.fake.state.script.late_commits = True
    wanted = stand.parcel("one")
    stand.parcel("of-somebody-else")
    for _ in range(2):
        release = ship_parcel(stand, wanted, "key-1")
        assert "one" in shown(release.url) and release.commit == "commit-one"
    assert stand.made("shop") == ["", "key-1"]


def test_variables_are_set_one_by_one_and_those_of_the_owner_stay(stand: RenderStand) -> None:
    ship_parcel(stand, stand.parcel("one"), "key-1")
    service(stand).env["OWNERS_OWN"] = "stays"
    ship_parcel(stand, stand.parcel("two", env={"MODE": "light"}), "key-2")
    assert service(stand).env["OWNERS_OWN"] == "stays" and service(stand).env["MODE"] == "light"
    assert not [line for line in stand.fake.requests if line.startswith("PUT") and line.endswith("/env-vars")]
    before = stand.fake.counted("/env-vars/MODE")
    ship_parcel(stand, stand.parcel("three", env={"MODE": "light"}), "key-3")
    assert stand.fake.counted("/env-vars/MODE") == before, "what is right already is not sent again"


def test_a_variable_that_is_refused_is_named_but_not_shown(stand: RenderStand) -> None:
    ship_parcel(stand, stand.parcel("one"), "key-1")
    stand.fake.trouble("/env-vars/SECRET_KEY", status=400, code="invalid value: s3cret-value-1")
    with pytest.raises(Failed, match="`SECRET_KEY`") as caught:
        ship_parcel(stand, stand.parcel("two", env={"SECRET_KEY": "s3cret-value-1"}), "key-2")
    assert "s3cret-value-1" not in f"{caught.value} {caught.value.details}"


def test_how_it_is_built_follows_the_app(stand: RenderStand) -> None:
    ship_parcel(stand, stand.parcel("one"), "key-1")
    moved = stand.parcel(
        "two", files={"public/index.html": b"<h1>two</h1>"}, repository="https://github.com/me/new.git"
    )
    assert "two" in shown(ship_parcel(stand, moved, "key-2").url)
    assert service(stand).repo == "https://github.com/me/new.git"


def test_an_app_of_another_kind_is_not_put_in_the_place_of_a_site(stand: RenderStand) -> None:
    ship_parcel(stand, stand.parcel("one"), "key-1")
    with pytest.raises(Conflict, match="another kind"):
        ship_parcel(stand, stand.app(), "key-2")


def test_the_place_of_another_project_is_not_written_over(stand: RenderStand) -> None:
    ship_parcel(stand, stand.parcel("one"), "key-1")
    with pytest.raises(Conflict, match="not made for this project"):
        ship_parcel(stand, stand.parcel("two", project="other"), "key-2")


def test_a_card_that_is_asked_for_is_said_plainly(stand: RenderStand) -> None:
    stand.fake.state.script.card_needed = True
    with pytest.raises(Forbidden, match="payment card") as caught:
        ship_parcel(stand, stand.parcel("one"), "key-1")
    assert caught.value.details["card_needed"] and "nothing was charged" in caught.value.hint
    assert stand.making() == 1


def test_a_repository_that_render_cannot_see_is_explained(stand: RenderStand) -> None:
    parcel = stand.parcel("one")
    stand.fake.sources.clear()
    with pytest.raises(BadInput, match=r"cannot use `https://github.com/me/shop.git`") as caught:
        ship_parcel(stand, parcel, "key-1")
    assert "connect GitHub" in caught.value.hint


def test_a_key_for_several_workspaces_needs_one_to_be_named(stand: RenderStand) -> None:
    stand.fake.add_key(GOOD, "ada", "crew")
    with pytest.raises(Unauthorized, match="several workspaces") as caught:
        stand.provider().check()
    assert "`tea-crew` (crew)" in caught.value.hint
    assert stand.provider(owner="tea-crew").check().team == "crew"
    with pytest.raises(Unauthorized, match="not for the Render workspace `tea-other`"):
        stand.provider(owner="tea-other").check()


def test_a_deploy_that_is_only_queued_is_found(stand: RenderStand) -> None:
    ship_parcel(stand, stand.parcel("one"), "key-1")
    stand.fake.state.script.queue = True
    assert "two" in shown(ship_parcel(stand, stand.parcel("two"), "key-2").url)
    assert stand.made("shop") == ["key-1", "key-2"]


def test_an_app_that_does_not_start_leaves_the_one_before(stand: RenderStand) -> None:
    live = ship_parcel(stand, stand.parcel("one"), "key-1")
    stand.fake.state.script.fail_at_start = True
    with pytest.raises(Failed, match="does not start there"):
        ship_parcel(stand, stand.parcel("two"), "key-2")
    assert "one" in shown(live.url)


def test_a_suspended_service_is_said_to_be(stand: RenderStand) -> None:
    ship_parcel(stand, stand.parcel("one"), "key-1")
    service(stand).suspended = True
    assert stand.provider().live("shop") is None
    with pytest.raises(Conflict, match="suspended"):
        ship_parcel(stand, stand.parcel("two"), "key-2")


def cut_before_the_key_is_kept(stand: RenderStand, parcel: Parcel, key: str) -> None:
    """As after a kill between asking for a deploy and writing down which one it was."""
    stand.fake.trouble("/env-vars/TASK_AGENT_RELEASES", status=400)
    with pytest.raises(Failed):
        ship_parcel(stand, parcel, key)


def test_a_kill_before_the_key_is_kept_makes_no_second_deploy(stand: RenderStand) -> None:
    cut_before_the_key_is_kept(stand, stand.parcel("one"), "key-1")
    ship_parcel(stand, stand.parcel("one"), "key-1")
    cut_before_the_key_is_kept(stand, stand.parcel("two"), "key-2")
    found = stand.provider().find("shop", "key-2")
    assert found and found.commit == "commit-two"
    ship_parcel(stand, stand.parcel("two"), "key-2")
    assert stand.made("shop") == ["key-1", "key-2"]


def test_what_was_cut_off_is_still_known_after_the_next_one(stand: RenderStand) -> None:
    cut_before_the_key_is_kept(stand, stand.parcel("one"), "key-1")
    ship_parcel(stand, stand.parcel("two"), "key-2")
    assert stand.made("shop") == ["key-1", "key-2"]
    found = stand.provider().find("shop", "key-1")
    assert found and found.commit == "commit-one"


def test_a_deploy_that_somebody_made_by_hand_is_not_taken_for_ours(stand: RenderStand) -> None:
    ship_parcel(stand, stand.parcel("one"), "key-1")
    stand.parcel("two")
    stand.fake.trouble("POST /v1/services", status=500, times=9)
    with pytest.raises(Unavailable):
        ship_parcel(stand, stand.parcel("two"), "key-2")
    stand.fake.troubles.clear()
    stand.fake.state.begin(service(stand), "manual", commit="commit-two")
    assert stand.provider().find("shop", "key-2") is None
    ship_parcel(stand, stand.parcel("two"), "key-2")
    assert stand.made("shop") == ["key-1", "", "key-2"]


def test_a_way_back_that_was_cut_off_goes_back_once(stand: RenderStand) -> None:
    first = ship_parcel(stand, stand.parcel("one"), "key-1")
    ship_parcel(stand, stand.parcel("two"), "key-2")
    stand.fake.trouble("/rollback", cut_answer=True)
    heard = Heard()
    for _ in range(2):
        back = stand.provider().bring_back("shop", first, "undo-1", say=heard.say, tick=heard.tick)
        assert "one" in shown(back.url)
    assert stand.made("shop") == ["key-1", "key-2", "undo-1"] and stand.fake.counted("/rollback") == 1


def test_a_quote_tells_what_sleep_and_a_lost_disk_mean(stand: RenderStand) -> None:
    quote = stand.provider().quote(stand.app(), "shop")
    assert quote.free and quote.price == "free tier, no cost expected" and "shop.onrender.com" in quote.public
    assert "0 free apps" in quote.standing and "750 free hours" in quote.standing
    assert any("asleep" in words for words in quote.warnings) and any("not kept" in words for words in quote.warnings)
    assert stand.provider().quote(stand.parcel("one"), "site").warnings == ()
    ship_parcel(stand, stand.app(), "key-1")
    service(stand).details["plan"] = "standard"
    paid = stand.provider().quote(stand.app(), "shop")
    assert not paid.free and "`standard`" in paid.price


def test_a_long_log_is_read_over_all_its_pages(stand: RenderStand) -> None:
    release = ship_parcel(stand, stand.parcel("one"), "key-1")
    deploy = service(stand).deploys[0]
    deploy.log = [(f"2026-11-17T10:00:{number / 10:06.3f}Z", f"line {number}") for number in range(250)]
    deploy.created, deploy.finished = "2026-11-17T09:59:59Z", "2026-11-17T10:59:59Z"
    lines = stand.provider().log(release)
    assert lines[0] == "line 0" and lines[-1] == "line 249" and len(set(lines)) == 250


def test_the_address_of_a_repository_alone_deploys_its_newest_commit_where_there_is_a_service(
    stand: RenderStand,
) -> None:
    bare = Parcel("shop", "", {}, repository=REPOSITORY)
    stand.parcel("one")
    with pytest.raises(BadInput, match="does not tell how"):
        ship_parcel(stand, bare, "key-0")
    ship_parcel(stand, stand.parcel("one"), "key-1")
    stand.parcel("two")
    release = ship_parcel(stand, bare, "key-2")
    assert "two" in shown(release.url) and release.commit == "commit-two" and stand.made("shop") == ["key-1", "key-2"]
