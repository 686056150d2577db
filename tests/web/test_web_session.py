"""Signing in from a browser: a code works once, soon, and not by guessing."""

from tests.web.web_desk import Desk
from web.links import LIFETIME, MOST, TRIES, TRIES_WINDOW, Links


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_link_opens_the_door_once(desk: Desk) -> None:
    link = desk.post("/admin/link")
    assert link["url"].endswith(f"/#code={link['code']}")
    assert link["expires"].endswith("Z")
    bare = {"Authorization": ""}
    opened = desk.send("POST", "/session", {"code": link["code"]}, headers=bare)
    assert opened.get_json()["token"] == desk.agent.token
    again = desk.send("POST", "/session", {"code": link["code"]}, headers=bare)
    assert (again.status_code, again.get_json()["error"]["code"]) == (401, "unauthorized")


def test_guessing_is_stopped_and_shuts_nobody_out(desk: Desk) -> None:
    link = desk.post("/admin/link")
    guesses = [desk.send("POST", "/session", {"code": f"guess{n}"}) for n in range(TRIES + 2)]
    assert [guess.status_code for guess in guesses] == [401] * TRIES + [429] * 2
    assert int(guesses[-1].headers["Retry-After"]) <= TRIES_WINDOW
    assert desk.send("POST", "/session", {"code": link["code"]}).status_code == 200


def test_the_code_is_nowhere_in_the_home(desk: Desk) -> None:
    code = desk.post("/admin/link")["code"]
    desk.send("POST", "/session", {"code": code})
    assert not [path for path in desk.home.rglob("*") if path.is_file() and code.encode() in path.read_bytes()]


def test_a_code_is_worthless_after_its_time() -> None:
    clock = Clock()
    links = Links(clock)
    early, late = links.make(), links.make()
    clock.now += LIFETIME - 1
    assert links.redeem(early)
    clock.now += 2
    assert not links.redeem(late)


def test_only_so_many_codes_are_kept_and_the_newest_work() -> None:
    links = Links(Clock())
    codes = [links.make() for _ in range(MOST + 5)]
    assert not links.redeem(codes[0])
    assert all(links.redeem(code) for code in codes[-MOST:])


def test_wrong_tries_are_forgiven_after_a_while() -> None:
    clock = Clock()
    links = Links(clock)
    for _ in range(TRIES):
        links.redeem("x")
    wait = links.too_many_tries()
    assert wait > 0
    clock.now += wait + 0.001
    assert links.too_many_tries() == 0


def test_odd_codes_are_simply_wrong() -> None:
    assert not Links(Clock()).redeem("\ud800é")
