"""What any host promises. A host joins with a `Stand` of its own: `class TestX(Contract)` and a fixture `stand`."""

import threading
from typing import Any, Protocol

import pytest
import requests

from cloud_fakes.loopback import Loopback
from contracts.deployments import Parcel, ReleaseState
from contracts.errors import AppError, Conflict, Failed, NotFound, TooMany, Unauthorized, Unavailable
from providers.base import Provider

GOOD = "tok-good-1234567890"
BAD = "tok-expired-0987654321"


class Stand(Protocol):
    """One provider in front of its fake."""

    @property
    def fake(self) -> Loopback: ...

    def provider(self, token: str = GOOD, *, url: str = "") -> Provider:
        """A new one, as after a restart. It waits by letting its clock jump; `url` is another address."""

    def parcel(self, mark: str, **changes: Any) -> Parcel:
        """Something that this host can run; `mark` makes its content differ and is in what it shows at `/`."""

    def upset_making(self, **trouble: Any) -> None:
        """Trouble with the next request that makes a deployment."""

    def making(self) -> int:
        """How many such requests there were."""

    def made(self, name: str) -> list[str]:
        """The keys of all that was ever deployed under this name, in its order, as the host itself knows it."""

    def add_foreign(self, name: str) -> None:
        """A place of this name in the same account, made by somebody else, with something live on it."""

    def fail_next_build(self) -> str:
        """The next build fails; gives the words of its log that say why."""


class Waits:
    """Time for a provider under test: pausing lets it jump."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []
        self._lock = threading.Lock()

    def pause(self, seconds: float) -> None:
        with self._lock:
            self.now += seconds
            self.pauses.append(seconds)

    def clock(self) -> float:
        return self.now


class Heard:
    """Listens to a provider at work."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.ticks = 0

    def say(self, line: str) -> None:
        self.lines.append(line)

    def tick(self) -> None:
        self.ticks += 1

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Stopped(Exception):
    pass


def shown(url: str) -> str:
    return requests.get(url, timeout=60).text


def changing(fake: Loopback) -> list[str]:
    """The requests that were more than questions."""
    return [line for line in fake.requests if not line.startswith("GET ")]


def ship(stand: Stand, mark: str, key: str, name: str = "shop", **changes: Any) -> Any:
    heard = Heard()
    return stand.provider().ship(stand.parcel(mark, **changes), name, key, say=heard.say, tick=heard.tick)


class Contract:
    def test_it_says_whose_credential_it_is(self, stand: Stand) -> None:
        assert stand.provider().check().who
        assert changing(stand.fake) == []

    def test_a_credential_that_does_not_work_is_said_without_showing_it(self, stand: Stand) -> None:
        with pytest.raises(Unauthorized) as caught:
            stand.provider(BAD).check()
        assert BAD not in f"{caught.value} {caught.value.hint} {caught.value.details}"
        assert caught.value.hint

    @pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "törtchen"])
    def test_a_text_that_can_be_no_credential_is_refused_before_it_is_sent(self, stand: Stand, token: str) -> None:
        with pytest.raises(Unauthorized):
            stand.provider(token).check()
        assert stand.fake.requests == []

    def test_a_host_that_cannot_be_reached_is_said(self, stand: Stand) -> None:
        with pytest.raises(Unavailable):
            stand.provider(url="http://127.0.0.1:9").check()

    def test_a_quote_changes_nothing_and_says_what_becomes_public(self, stand: Stand) -> None:
        quote = stand.provider().quote(stand.parcel("one"), "shop")
        assert quote.price and quote.public
        assert changing(stand.fake) == []

    def test_what_is_shipped_is_live_and_found_by_its_key(self, stand: Stand) -> None:
        heard = Heard()
        provider = stand.provider()
        assert provider.unfit(stand.parcel("one")) == ""
        release = provider.ship(stand.parcel("one"), "shop", "key-1", say=heard.say, tick=heard.tick)
        assert (release.state, release.key, release.provider) == (ReleaseState.LIVE, "key-1", provider.name)
        assert "one" in shown(release.url)
        assert heard.lines and heard.ticks
        again = stand.provider()
        found, live = again.find("shop", "key-1"), again.live("shop")
        assert found and live
        assert (found.id, found.state, found.url) == (live.id, live.state, live.url)
        assert (live.id, live.state, live.place) == (release.id, ReleaseState.LIVE, release.place)
        assert live.created.endswith("Z")
        [place] = [place for place in again.places() if place.name == "shop"]
        assert place.ours and place.id == release.place

    def test_nothing_is_there_before(self, stand: Stand) -> None:
        provider = stand.provider()
        assert provider.find("shop", "key-1") is None
        assert provider.live("shop") is None
        assert provider.releases("shop") == []

    def test_the_same_key_is_never_shipped_twice(self, stand: Stand) -> None:
        first, second = ship(stand, "one", "key-1"), ship(stand, "one", "key-1")
        assert first.id == second.id
        assert stand.made("shop") == ["key-1"]

    def test_another_key_takes_the_place_of_the_first(self, stand: Stand) -> None:
        first, second = ship(stand, "one", "key-1"), ship(stand, "two", "key-2")
        assert first.place == second.place
        assert "two" in shown(second.url)
        releases = stand.provider().releases("shop")
        assert [(release.key, release.state) for release in releases] == [
            ("key-2", ReleaseState.LIVE),
            ("key-1", ReleaseState.REPLACED),
        ]
        assert [release.key for release in stand.provider().releases("shop", limit=1)] == ["key-2"]

    def test_an_earlier_release_comes_back_and_the_later_one_too(self, stand: Stand) -> None:
        first, second = ship(stand, "one", "key-1"), ship(stand, "two", "key-2")
        heard = Heard()
        back = stand.provider().bring_back("shop", first, "undo-1", say=heard.say, tick=heard.tick)
        assert back.state is ReleaseState.LIVE
        assert "one" in shown(back.url)
        forth = stand.provider().bring_back("shop", second, "redo-1", say=heard.say, tick=heard.tick)
        assert "two" in shown(forth.url)
        live = stand.provider().live("shop")
        assert live and live.id == forth.id

    def test_after_going_back_something_new_can_be_shipped(self, stand: Stand) -> None:
        first, _ = ship(stand, "one", "key-1"), ship(stand, "two", "key-2")
        heard = Heard()
        stand.provider().bring_back("shop", first, "undo-1", say=heard.say, tick=heard.tick)
        assert "three" in shown(ship(stand, "three", "key-3").url)

    def test_bringing_back_what_is_live_does_nothing(self, stand: Stand) -> None:
        release = ship(stand, "one", "key-1")
        before = len(changing(stand.fake))
        heard = Heard()
        again = stand.provider().bring_back("shop", release, "undo-1", say=heard.say, tick=heard.tick)
        assert again.id == release.id
        assert len(changing(stand.fake)) == before

    def test_what_is_taken_down_is_gone_and_taking_it_down_again_does_nothing(self, stand: Stand) -> None:
        ship(stand, "one", "key-1")
        stand.provider().take_down("shop")
        assert stand.provider().live("shop") is None
        stand.provider().take_down("shop")
        assert "two" in shown(ship(stand, "two", "key-2").url)

    def test_a_place_that_is_not_ours_is_never_written_over(self, stand: Stand) -> None:
        stand.add_foreign("shop")
        with pytest.raises(Conflict) as caught:
            ship(stand, "one", "key-1")
        assert "shop" in str(caught.value) and caught.value.hint
        with pytest.raises(Conflict):
            stand.provider().take_down("shop")
        assert changing(stand.fake) == []
        assert [place.ours for place in stand.provider().places()] == [False]

    def test_a_cut_after_the_deployment_was_made_makes_no_second_one(self, stand: Stand) -> None:
        stand.upset_making(cut_answer=True)
        assert "one" in shown(ship(stand, "one", "key-1").url)
        assert stand.made("shop") == ["key-1"]

    def test_a_cut_before_the_deployment_was_made_still_makes_one(self, stand: Stand) -> None:
        stand.upset_making(cut_after=10)
        assert "one" in shown(ship(stand, "one", "key-1").url)
        assert stand.made("shop") == ["key-1"]

    def test_over_the_limit_of_deployments_it_is_not_tried_again(self, stand: Stand) -> None:
        stand.upset_making(status=429, times=5, headers={"retry-after": "60"})
        with pytest.raises(TooMany) as caught:
            ship(stand, "one", "key-1")
        assert caught.value.hint
        assert stand.making() == 1

    def test_a_build_that_fails_says_why_and_leaves_the_live_one(self, stand: Stand) -> None:
        live = ship(stand, "one", "key-1")
        why = stand.fail_next_build()
        with pytest.raises(Failed) as caught:
            ship(stand, "two", "key-2")
        assert why in f"{caught.value} {caught.value.details}"
        assert "one" in shown(live.url)
        found = stand.provider().find("shop", "key-2")
        assert found and found.state is ReleaseState.FAILED and found.words

    def test_a_key_that_has_failed_fails_again_and_is_not_shipped_again(self, stand: Stand) -> None:
        stand.fail_next_build()
        for _ in range(2):
            with pytest.raises(Failed):
                ship(stand, "one", "key-1")
        assert stand.made("shop") == ["key-1"]

    def test_whoever_waits_can_stop(self, stand: Stand) -> None:
        ticks = iter(range(3))

        def tick() -> None:
            if next(ticks, None) is None:
                raise Stopped

        with pytest.raises(Stopped):
            stand.provider().ship(stand.parcel("one"), "shop", "key-1", say=Heard().say, tick=tick)
        assert "one" in shown(ship(stand, "one", "key-1").url)
        assert stand.made("shop") == ["key-1"]

    def test_the_log_of_a_release_can_be_read(self, stand: Stand) -> None:
        release = ship(stand, "one", "key-1")
        lines = stand.provider().log(release)
        assert lines
        assert stand.provider().log(release, limit=1) == lines[-1:]

    def test_a_host_in_trouble_is_asked_again(self, stand: Stand) -> None:
        stand.fake.trouble("GET ", status=503, times=2, headers={"retry-after": "1"})
        assert stand.provider().check().who

    def test_a_name_in_any_script_becomes_one_that_the_host_takes(self, stand: Stand) -> None:
        for number, name in enumerate(("Café Größe", "小店", "My_App!!")):
            release = ship(stand, "one", f"key-{number}", name)
            assert "one" in shown(release.url)
            live = stand.provider().live(name)
            assert live and live.id == release.id

    def test_bringing_back_what_is_gone_is_said(self, stand: Stand) -> None:
        release = ship(stand, "one", "key-1")
        stand.provider().take_down("shop")
        with pytest.raises((NotFound, Conflict)):
            stand.provider().bring_back("shop", release, "undo-1", say=Heard().say, tick=Heard().tick)

    def test_no_error_shows_the_credential(self, stand: Stand) -> None:
        stand.upset_making(status=400, code=f"echo {GOOD}")
        with pytest.raises(AppError) as caught:
            ship(stand, "one", "key-1")
        assert GOOD not in f"{caught.value} {caught.value.hint} {caught.value.details}"
