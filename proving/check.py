"""What a check is, and what it is given: somebody outside of the app, values of its own, and a record of it all."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from contracts.app_spec import AppSpec
from proving.command import Ran, Terminal
from proving.eyes import Eyes
from proving.record import Recorder, cut, plain
from proving.values import Values
from proving.wire import NoAnswer, Reply, Request, Visitor

SHOWN = 160


class NotSo(Exception):
    """A promise that is not kept: what was expected and what came instead, in plain words."""


@dataclass(frozen=True, slots=True)
class Check:
    """One promise of the spec, tried from outside. `run` raises NotSo or NoAnswer where it is not kept."""

    id: str
    words: str
    run: "Callable[[Trial], None]"
    restarts: bool = False
    """Whether it needs somebody who can switch the app off and on again."""


@dataclass(slots=True)
class Person:
    """Somebody who uses the app, with what they are signed in by."""

    name: str
    password: str
    token: str = ""
    cookies: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Grounds:
    """What all checks of one proof share: the spec, the way in, and who is registered already."""

    spec: AppSpec
    salt: str
    """Makes the values of this proof other than those of an earlier one on the same address."""
    visitor: Visitor | None = None
    terminal: Callable[[Callable[[], None]], Terminal] | None = None
    """Opens a terminal with none of the data that earlier checks left, which calls what it is given now and then."""
    api_key: str = ""
    tick: Callable[[], None] = lambda: None
    """Called before each step; what it raises ends everything."""
    seconds: float = 60.0
    """How long one check may take."""
    people: dict[str, Person] = field(default_factory=dict)
    eyes: Eyes | None = None
    """Looks at pages in a browser, where there is one."""


class Trial:
    """One run of one check."""

    def __init__(self, grounds: Grounds, check_id: str) -> None:
        self.spec = grounds.spec
        self.grounds = grounds
        self.values = Values(f"{grounds.salt} {check_id}")
        self.recorder = Recorder([grounds.api_key] if grounds.api_key else [])
        self.person: Person | None = None
        self._id = check_id
        self._deadline = time.monotonic() + grounds.seconds
        self._terminal: Terminal | None = None
        for person in grounds.people.values():
            self.hide(person)

    def secret(self, name: str) -> str:
        """A word that nobody guesses, the same at each run."""
        return hashlib.sha256(f"{self.grounds.salt} {self._id} {name}".encode()).hexdigest()[:24]

    def hide(self, person: Person) -> None:
        for secret in (person.password, person.token, *person.cookies.values()):
            self.recorder.hide(secret)

    def send(
        self,
        method: str,
        path: str,
        *,
        value: Any = None,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Ask the app, as the person who is signed in, and take down what was said."""
        visitor = self._visitor()
        self._go_on()
        sent = {**self._identity(), **(headers or {})}
        if value is not None:
            body = json.dumps(value, ensure_ascii=False).encode()
            sent.setdefault("Content-Type", "application/json")
        request = Request(method, path, sent, body or b"")
        try:
            reply = visitor.send(request)
        except NoAnswer as error:
            self.recorder.add(f"{method} {path}", request.body, None, str(error))
            raise
        self._learn(reply)
        self.recorder.add(f"{method} {path}", request.body, reply.status, _told(reply))
        return reply

    def restart(self) -> None:
        visitor = self._visitor()
        self.recorder.add("The app is switched off and on again", "", None, "")
        visitor.restart()

    def run(self, *argv: str, stdin: bytes = b"", files: Mapping[str, bytes] | None = None) -> Ran:
        """Run the tool with these words, on what its earlier runs in this check left."""
        if self._terminal is None:
            if self.grounds.terminal is None:
                raise NoAnswer("there is no terminal in which the tool could be run")
            self._terminal = self.grounds.terminal(self.grounds.tick)
        self._go_on()
        ran = self._terminal.run(argv, stdin, files or {})
        sent = stdin or b"\n".join(b"[" + name.encode() + b"]\n" + data for name, data in (files or {}).items())
        self.recorder.add(" ".join(argv) or "(no words)", sent, ran.exit_code, f"{ran.stdout}\n{ran.stderr}".strip())
        return ran

    def _visitor(self) -> Visitor:
        if self.grounds.visitor is None:
            raise NoAnswer("there is no address at which the app could be asked")
        return self.grounds.visitor

    def _go_on(self) -> None:
        self.grounds.tick()
        if time.monotonic() > self._deadline:
            raise NotSo(f"the app is so slow that the check did not end in {self.grounds.seconds:g} seconds")

    def _identity(self) -> dict[str, str]:
        sent = {"X-API-Key": self.grounds.api_key} if self.grounds.api_key else {}
        if self.person and self.person.token:
            sent["Authorization"] = f"Bearer {self.person.token}"
        if self.person and self.person.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.person.cookies.items())
        return sent

    def _learn(self, reply: Reply) -> None:
        for name, value in reply.cookies.items():
            self.recorder.hide(value)
            if self.person:
                self.person.cookies[name] = value


def _told(reply: Reply) -> str:
    location = reply.header("Location")
    kind = reply.header("Content-Type").partition(";")[0]
    readable = not kind or kind.startswith("text/") or "json" in kind or "svg" in kind or "javascript" in kind
    text = reply.text if readable else f"({len(reply.body):,} bytes of {kind})"
    return f"to {location}\n{text}" if location else text


def came(reply: Reply) -> str:
    """What came, for a sentence."""
    return f"{reply.status} {shown(reply.text)}".strip()


def shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return cut(" ".join(plain(text).split()), SHOWN)


def expect(holds: object, words: str) -> None:
    """Raises NotSo with these words unless it holds."""
    if not holds:
        raise NotSo(words)


def expect_status(reply: Reply, status: int, what: str) -> Reply:
    expect(reply.status == status, f"{what} should be answered with {status}; what came is {came(reply)}")
    return reply


def object_of(reply: Reply, what: str) -> dict[str, Any]:
    """The JSON object in an answer."""
    try:
        found = reply.json()
    except ValueError:
        raise NotSo(f"{what} should be answered in JSON; what came is {came(reply)}") from None
    expect(isinstance(found, dict), f"{what} should be answered with a JSON object; what came is {came(reply)}")
    return dict(found)
