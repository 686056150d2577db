"""The line to a host: where the credential goes, what is tried again, and what is said of faults."""

import time
from collections.abc import Iterator
from email.utils import formatdate

import pytest

from cloud_fakes.loopback import Asked, Loopback, Reply, Trouble, as_json
from contracts.errors import BadSettings, TooMany, Unauthorized, Unavailable
from providers.http import READS, Answer, Line, LineCut, Retry, is_safe
from tests.providers.contract import Waits

TOKEN = "tok-1234567890"


class Echo(Loopback):
    def answer(self, asked: Asked) -> Reply:
        if asked.path == "/large":
            return 200, {"content-type": "text/html"}, b"x" * 2**20
        if asked.path == "/moved":
            return 302, {"location": "http://127.0.0.1:1/elsewhere"}, b""
        return as_json({"signed": asked.bearer == TOKEN, "query": asked.query, "body": asked.body.decode()})

    def refused(self, trouble: Trouble) -> Reply:
        return as_json({"message": trouble.code}, trouble.status, **trouble.headers)


@pytest.fixture
def echo() -> Iterator[Echo]:
    with Echo() as server:
        yield server


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def line(echo: Echo, waits: Waits) -> Iterator[Line]:
    opened = Line("Echo", echo.url, TOKEN, pause=waits.pause)
    yield opened
    opened.close()


def test_the_credential_goes_along_to_the_host_and_not_to_a_visited_page(echo: Echo, line: Line) -> None:
    assert line.send("POST", "/x", query={"a": "ä b"}, body={"n": "ü"}).object == {
        "signed": True,
        "query": {"a": "ä b"},
        "body": '{"n": "ü"}',
    }
    assert line.visit(echo.url + "/page").object["signed"] is False


def test_of_a_visited_page_only_the_beginning_is_read(echo: Echo, line: Line) -> None:
    assert 0 < len(line.visit(echo.url + "/large").text) < 2**18
    assert line.send("GET", "/x").ok


def test_what_this_machine_has_in_its_netrc_is_not_used(
    echo: Echo, line: Line, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path_factory.mktemp("home") / ".netrc"
    netrc.write_text("machine 127.0.0.1 login ada password hunter2\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    assert line.send("GET", "/x").object["signed"] is True


def test_a_redirect_is_not_followed_and_is_said(line: Line) -> None:
    answer = line.send("GET", "/moved")
    assert answer.status == 302
    assert isinstance(line.refusal(answer), Unavailable)


def test_a_cut_connection_is_told_from_one_that_was_never_made(echo: Echo, line: Line, waits: Waits) -> None:
    echo.trouble("POST", cut_answer=True)
    with pytest.raises(LineCut) as caught:
        line.send("POST", "/x")
    assert caught.value.reached
    with pytest.raises(LineCut) as caught:
        Line("Echo", "http://127.0.0.1:9", TOKEN, pause=waits.pause).send("POST", "/x")
    assert not caught.value.reached


def test_questions_are_asked_again_and_nothing_else_is(echo: Echo, line: Line, waits: Waits) -> None:
    echo.trouble("GET", cut_after=0)
    echo.trouble("GET", status=502)
    echo.trouble("GET", status=429, headers={"retry-after": "7"})
    assert line.send("GET", "/x", retry=READS).ok
    assert sum(waits.pauses) == pytest.approx(1 + 2 + 7)
    echo.trouble("POST", status=502)
    assert line.send("POST", "/x").status == 502
    assert echo.counted("POST") == 1


def test_after_the_last_attempt_the_answer_is_what_it_is(echo: Echo, line: Line) -> None:
    echo.trouble("GET", status=500, times=9)
    assert line.send("GET", "/x", retry=READS).status == 500
    assert echo.counted("GET") == READS.times + 1


def test_whoever_waits_is_asked_whether_to_go_on_each_second(echo: Echo, line: Line, waits: Waits) -> None:
    ticks: list[float] = []
    line.wait(3.5, lambda: ticks.append(waits.now))
    assert ticks == [0.0, 1.0, 2.0, 3.0, 3.5]


def said(status: int, **headers: str) -> Answer:
    return Answer(status, {name.replace("_", "-"): value for name, value in headers.items()}, "")


@pytest.mark.parametrize(
    ("answer", "seconds"),
    [
        (said(429, retry_after="7"), 7.0),
        (said(429, retry_after="0"), 5.0),
        (said(503, retry_after="86400"), 60.0),
        (said(429), 5.0),
        (said(429, retry_after="soon"), 5.0),
        (said(429, ratelimit_reset="30"), 30.0),
        (said(500), 10.0),
        (None, 10.0),
    ],
)
def test_a_wait_is_as_the_host_asks_within_bounds(answer: Answer | None, seconds: float) -> None:
    assert Retry(times=1, first=10.0, asked=(5.0, 60.0)).wait(0, answer) == seconds


def test_a_wait_can_be_asked_for_as_a_date_and_as_a_moment() -> None:
    later = time.time() + 40
    assert said(429, retry_after=formatdate(later, usegmt=True)).asked_wait() == pytest.approx(40, abs=3)
    assert said(429, x_ratelimit_reset=str(int(later))).asked_wait() == pytest.approx(40, abs=3)
    written = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(later))
    assert said(429, retry_after=written).asked_wait() == pytest.approx(40, abs=3)
    assert said(429, x_ratelimit_reset=written).asked_wait() == pytest.approx(40, abs=3)


@pytest.mark.parametrize("url", ["http://api.example.com", "ftp://x", "http://127.0.0.1.example.com", "", "https://"])
def test_a_credential_goes_only_where_the_way_is_safe(url: str) -> None:
    assert not is_safe(url)
    with pytest.raises(BadSettings):
        Line("Echo", url, TOKEN)


@pytest.mark.parametrize(
    "url", ["https://api.example.com", "http://127.0.0.1:80", "http://[::1]:1", "http://localhost"]
)
def test_ways_that_are_encrypted_or_stay_here_are_safe(url: str) -> None:
    assert is_safe(url)


def test_the_words_of_a_host_are_shown_in_one_line_without_the_credential(line: Line) -> None:
    error = line.refusal(said(429, retry_after="3"), f"no\n\x1b[31m {TOKEN} " + "x" * 1000)
    assert isinstance(error, TooMany)
    assert error.details["retry_after"] == 3
    assert TOKEN not in str(error) and "\x1b" not in str(error) and "\n" not in str(error)
    assert len(str(error)) < 400


def test_a_bad_token_is_said(line: Line) -> None:
    assert isinstance(line.refusal(said(401), "no"), Unauthorized)
