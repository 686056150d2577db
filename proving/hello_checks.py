"""Checks of an API that says hello."""

from collections.abc import Iterable

from proving.api_checks import health
from proving.api_door import error_of
from proving.check import Check, Trial, came, expect, expect_status, object_of
from proving.wire import query

LONGEST_NAME = 100


def hello_checks() -> Iterable[Check]:
    yield Check("health", "The app says that it is well", health)
    yield Check("hello", "It says `Hello, World!`", _hello)
    yield Check("greeting", "It greets whoever gives a name, as it is written", _greets)
    yield Check("long-name", "A name of more than 100 characters is refused, one of 100 is greeted", _long_name)
    yield Check("nothing-there", "Where nothing is, the app says so", _nothing_there)


def _message(trial: Trial, path: str) -> str:
    reply = expect_status(trial.send("GET", path), 200, f"`GET {path}`")
    message = object_of(reply, f"`GET {path}`").get("message")
    expect(isinstance(message, str), f'`GET {path}` should have a "message"; what came is {came(reply)}')
    return str(message)


def _hello(trial: Trial) -> None:
    message = _message(trial, "/")
    expect(message == "Hello, World!", f"`GET /` should say `Hello, World!`, and says `{message[:100]}`")


def _greets(trial: Trial) -> None:
    for name in ("Ada", f"Zoë {trial.values.marker}", '<b>"O\'Neil" & 日本</b>'):
        message = _message(trial, query("/", {"name": name}))
        expect(name in message and "Hello" in message, f"`{name}` should be greeted, and is told `{message[:200]}`")


def _long_name(trial: Trial) -> None:
    name = "x" * LONGEST_NAME
    expect(name in _message(trial, query("/", {"name": name})), "a name of 100 characters should be greeted")
    what = "`GET /` with a name of 101 characters"
    error_of(expect_status(trial.send("GET", query("/", {"name": name + "x"})), 422, what), what)


def _nothing_there(trial: Trial) -> None:
    error_of(
        expect_status(trial.send("GET", "/no-such-address"), 404, "`GET /no-such-address`"), "`GET /no-such-address`"
    )
