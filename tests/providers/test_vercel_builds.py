"""Vercel at work: builds, logs, addresses, going back, lists, teams and prices."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from cloud_fakes.loopback import Asked, Loopback, Reply
from cloud_fakes.vercel import FakeVercel
from contracts.deployments import ReleaseState
from contracts.errors import AppError, Conflict, Failed, NotFound, Unauthorized
from tests.providers.contract import BAD, GOOD, Heard, changing, ship, shown
from tests.providers.vercel_stand import VercelStand, flask_app, site


@pytest.fixture
def stand() -> Iterator[VercelStand]:
    with FakeVercel() as fake:
        yield VercelStand(fake)


def failing(stand: VercelStand, **changes: Any) -> AppError:
    with pytest.raises(Failed) as caught:
        ship(stand, "one", "key-1", **changes)
    return caught.value


# Builds and their logs


@pytest.mark.parametrize("nested", [False, True])
def test_the_lines_of_a_log_are_passed_on_once_each_in_either_shape(stand: VercelStand, nested: bool) -> None:
    stand.fake.script.nested_events = nested
    stand.fake.script.states = ("QUEUED", "BUILDING", "BUILDING", "READY")
    heard = Heard()
    release = stand.provider().ship(site("one"), "shop", "key-1", say=heard.say, tick=heard.tick)
    log = stand.provider().log(release)
    assert len(log) == 3
    assert [heard.lines.count(line) for line in log] == [1, 1, 1]
    assert "It waits in Vercel's queue" in heard.lines and "Vercel builds it" in heard.lines


@pytest.mark.parametrize("nested", [False, True])
def test_a_failed_build_is_told_by_the_lines_that_matter(stand: VercelStand, nested: bool) -> None:
    stand.fake.script.nested_events = nested
    stand.fake.script.fail = ("Collecting flask", "ModuleNotFoundError: No module named 'flaks'")
    error = failing(stand)
    assert error.details["lines"] == ["Collecting flask", "ModuleNotFoundError: No module named 'flaks'"]
    assert "build on Vercel failed" in str(error) and error.hint
    assert error.details["release"].startswith("dpl_") and error.details["page"].startswith("https://")


def test_an_entry_point_that_only_vercel_misses_is_explained(stand: VercelStand) -> None:
    files = {"shop.py": b"app = 1", "pyproject.toml": b"[tool.vercel]\nentrypoint = 'shop:app'\n# flask"}
    error = failing(stand, files=files, framework="flask")
    assert "found no Flask app" in str(error) and "`app.py`" in error.hint


@pytest.mark.parametrize(
    ("state", "words"), [("CANCELED", "cancelled"), ("BLOCKED", "fair use limits"), ("BUILDING_ERROR", "failed")]
)
def test_other_bad_ends_are_ends(stand: VercelStand, state: str, words: str) -> None:
    stand.fake.script.states = ("QUEUED", state)
    assert words in str(failing(stand))
    found = stand.provider().find("shop", "key-1")
    assert found and found.state is ReleaseState.FAILED


def test_an_address_that_cannot_be_given_is_a_failure(stand: VercelStand) -> None:
    stand.fake.script.alias_error = "domain_in_use"
    assert "no public address" in str(failing(stand))


def test_a_state_that_nobody_knows_is_waited_out(stand: VercelStand) -> None:
    stand.fake.script.states = ("QUEUED", "ANALYZING", "DEPLOYING", "READY")
    assert ship(stand, "one", "key-1").state is ReleaseState.LIVE


def test_it_is_live_only_when_it_has_its_address(stand: VercelStand) -> None:
    stand.fake.script.alias_polls = 5
    release = ship(stand, "one", "key-1")
    assert "one" in shown(release.url)


def test_a_long_build_is_asked_about_less_and_less_often(stand: VercelStand) -> None:
    stand.fake.script.states = (*["BUILDING"] * 40, "READY")
    stand.fake.script.alias_polls = 0
    asked: list[float] = []

    def tick() -> None:
        polls = stand.fake.counted("GET /v13/deployments/")
        if polls > len(asked):
            asked.append(stand.waits.now)

    stand.provider().ship(site("one"), "shop", "key-1", say=Heard().say, tick=tick)
    gaps = [round(later - earlier) for earlier, later in itertools.pairwise(asked)]
    assert gaps[:16] == [1] * 16
    assert sorted(set(gaps)) == [1, 5, 15] and gaps == sorted(gaps)


def test_a_build_without_an_end_is_given_up_and_found_again(stand: VercelStand) -> None:
    stand.fake.script.states = (*["BUILDING"] * 10_000, "READY")
    with pytest.raises(AppError, match="still not done after an hour"):
        ship(stand, "one", "key-1")
    stand.fake.state.projects[0].deployments[0].states[:] = ["READY"]
    assert ship(stand, "one", "key-1").state is ReleaseState.LIVE
    assert stand.made("shop") == ["key-1"]


# Who may see it


class Refusing(Loopback):
    """An app that wants a key of its own."""

    def answer(self, asked: Asked) -> Reply:
        return 401, {"content-type": "text/plain"}, b"no key"


def test_what_is_shipped_is_open_to_everybody(stand: VercelStand) -> None:
    assert stand.fake.script.protects
    assert "protected" not in ship(stand, "one", "key-1").details


def test_a_sign_in_before_the_app_is_recognised(stand: VercelStand) -> None:
    ship(stand, "one", "key-1")
    stand.fake.state.projects[0].protection = {"deploymentType": "all"}
    release = ship(stand, "two", "key-2")
    assert release.details["protected"] is True
    assert "Deployment Protection" in release.words


def test_an_app_that_asks_for_a_key_itself_is_not_taken_for_protected() -> None:
    def runs(files: Any, env: Any) -> str:
        return app.url

    with FakeVercel(host=runs) as fake, Refusing() as app:
        stand = VercelStand(fake)
        release = stand.provider().ship(flask_app(), "shop", "key-1", say=Heard().say, tick=Heard().tick)
        assert "protected" not in release.details
        assert shown(release.url) == "no key"


# Variables


def test_variables_are_set_for_what_is_built_afterwards(stand: VercelStand) -> None:
    ship(stand, "one", "key-1", env={"API_KEY": "s3cret-value"})
    ship(stand, "two", "key-2", env={"API_KEY": "changed"})
    variable = stand.fake.state.projects[0].env["API_KEY"]
    assert (variable["value"], variable["type"]) == ("changed", "encrypted")
    assert "production" in variable["target"]


def test_a_variable_that_is_not_taken_is_said_without_its_value(stand: VercelStand) -> None:
    stand.fake.script.bad_variables = {"API_KEY"}
    error = failing(stand, env={"API_KEY": "s3cret-value", "OTHER": "x"})
    assert "`API_KEY`" in str(error) and "s3cret-value" not in f"{error} {error.details}"
    assert stand.made("shop") == []


# Going back


def test_going_back_builds_and_sends_nothing(stand: VercelStand) -> None:
    first = ship(stand, "one", "key-1")
    ship(stand, "two", "key-2")
    before = (stand.fake.counted("POST /v2/files"), stand.making())
    stand.provider().bring_back("shop", first, "undo", say=Heard().say, tick=Heard().tick)
    assert (stand.fake.counted("POST /v2/files"), stand.making()) == before
    assert stand.fake.counted("POST /v1/projects") == 1


def test_going_back_further_than_the_free_plan_rolls_is_a_promotion(stand: VercelStand) -> None:
    first = ship(stand, "one", "key-1")
    ship(stand, "two", "key-2")
    ship(stand, "three", "key-3")
    back = stand.provider().bring_back("shop", first, "undo", say=Heard().say, tick=Heard().tick)
    assert "one" in shown(back.url)
    assert stand.fake.counted("/promote/") == 1


def test_a_slow_move_of_the_address_is_waited_for(stand: VercelStand) -> None:
    first = ship(stand, "one", "key-1")
    ship(stand, "two", "key-2")
    stand.fake.script.job_polls = 7
    back = stand.provider().bring_back("shop", first, "undo", say=Heard().say, tick=Heard().tick)
    assert "one" in shown(back.url)


def test_a_move_of_the_address_that_fails_is_said(stand: VercelStand) -> None:
    first, second = ship(stand, "one", "key-1"), ship(stand, "two", "key-2")
    stand.fake.script.alias_job = "failed"
    with pytest.raises(Failed):
        stand.provider().bring_back("shop", first, "undo", say=Heard().say, tick=Heard().tick)
    assert "two" in shown(second.url)


def test_a_release_that_was_deleted_cannot_come_back(stand: VercelStand) -> None:
    first = ship(stand, "one", "key-1")
    ship(stand, "two", "key-2")
    stand.provider().delete(first)
    stand.provider().delete(first)
    with pytest.raises(NotFound):
        stand.provider().bring_back("shop", first, "undo", say=Heard().say, tick=Heard().tick)
    assert [release.key for release in stand.provider().releases("shop")] == ["key-2"]


# Lists


def test_a_key_is_found_behind_many_others(stand: VercelStand) -> None:
    ship(stand, "one", "key-1")
    project = stand.fake.state.projects[0]
    for number in range(130):
        stand.fake.state.deploy(project, {"index.html": b"x"}, {"meta": {"taskAgentKey": f"later-{number}"}})
    found = stand.provider().find("shop", "key-1")
    assert found and found.commit == "commit-one"
    assert len(stand.provider().releases("shop", limit=120)) == 120


def test_all_projects_are_listed(stand: VercelStand) -> None:
    for number in range(105):
        stand.fake.add_project(f"theirs-{number}")
    ship(stand, "one", "key-1")
    places = stand.provider().places()
    assert len(places) == 106
    assert [place.name for place in places if place.ours] == ["shop"]
    assert all(place.url.startswith("http://127.0.0.1:") for place in places)


# Teams and tokens


def test_every_call_is_in_the_scope_of_the_team(stand: VercelStand) -> None:
    team = stand.fake.add_team("crew")
    for given, query in ((team, f"teamId={team}"), ("crew", "slug=crew")):
        stand.fake.requests.clear()
        provider = stand.provider(team=given)
        heard = Heard()
        release = provider.ship(site("one"), "shop", f"key-{given}", say=heard.say, tick=heard.tick)
        assert "one" in shown(release.url)
        assert [line for line in stand.fake.requests if query not in line] == []
        assert provider.check().team == "crew"
    assert stand.provider().live("shop") is None


def test_a_team_that_the_token_is_not_for_is_said(stand: VercelStand) -> None:
    stand.fake.add_team("crew")
    stand.fake.add_team("others", "eve")
    provider = stand.provider(team="others")
    with pytest.raises(Unauthorized) as caught:
        provider.check()
    assert "`others`" in str(caught.value) and "`crew`" in caught.value.hint
    with pytest.raises(Unauthorized):
        provider.ship(site("one"), "shop", "key-1", say=Heard().say, tick=Heard().tick)
    assert changing(stand.fake) == []


def test_a_token_that_has_expired_ends_a_deployment(stand: VercelStand) -> None:
    ship(stand, "one", "key-1")
    stand.fake.tokens.clear()
    stand.fake.requests.clear()
    with pytest.raises(Unauthorized) as caught:
        ship(stand, "two", "key-2")
    assert "vercel.com" in caught.value.hint
    assert changing(stand.fake) == []


@pytest.mark.parametrize("token", [GOOD, BAD])
def test_a_token_never_shows_in_what_is_kept(stand: VercelStand, token: str) -> None:
    assert token not in repr(stand.provider(token)) + repr(vars(stand.provider(token)))


# Prices


def test_a_quote_counts_what_was_deployed_today(stand: VercelStand) -> None:
    ship(stand, "one", "key-1")
    quote = stand.provider().quote(site("two"), "shop")
    assert quote.free and quote.price == "free tier, no cost expected"
    assert quote.standing.startswith("1 of 100 free deployments made in the last 24 hours, as of ")
    assert "all 4 files of the site" in quote.public
    assert any("personal" in warning for warning in quote.warnings)


def test_a_paid_plan_is_not_called_free(stand: VercelStand) -> None:
    team = stand.fake.add_team("crew")
    stand.fake.script.plan = "pro"
    quote = stand.provider(team=team).quote(site("one"), "shop")
    assert not quote.free and "Pro plan" in quote.price
    assert quote.warnings == ()


def test_data_that_does_not_last_is_said_before(stand: VercelStand) -> None:
    files = {**flask_app().files, "service/db.py": b"import sqlite3\n", ".env.example": b"# SECRET_KEY=x\n"}
    warnings = stand.provider().quote(flask_app(files=files), "shop").warnings
    assert any("not kept" in words for words in warnings)
    assert any("`SECRET_KEY`" in words for words in warnings)
    given = stand.provider().quote(flask_app(files=files, env={"SECRET_KEY": "x"}), "shop").warnings
    assert not any("`SECRET_KEY`" in words for words in given)


def test_a_quote_for_a_place_that_is_not_ours_says_so(stand: VercelStand) -> None:
    stand.add_foreign("shop")
    with pytest.raises(Conflict):
        stand.provider().quote(site("one"), "shop")
