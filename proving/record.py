"""What was sent and what came back, for people to look at, without anything secret."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

LONGEST = 2000
MOST = 60
SHORTEST_SECRET = 6
BLANK = "•••"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
NAMED = re.compile(r'("(?:password|token|api_key|csrf_token)"\s*:\s*")[^"]*|(\b(?:password|csrf_token)=)[^&\s]*', re.I)
HIDDEN = re.compile(r'(name="csrf_token"[^>]*value=")[^"]*|(value=")[^"]*("[^>]*name="csrf_token")', re.I)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer, or one command and what came of it."""

    asked: str
    """`POST /books`, or `main.py add Milk`."""
    sent: str
    status: int | None
    """Of HTTP, or the exit code; None if there was no answer."""
    answered: str

    def to_json(self, longest: int = LONGEST) -> dict[str, Any]:
        return {
            "asked": cut(self.asked, max(200, longest // 4)),
            "sent": cut(self.sent, longest),
            "status": self.status,
            "answered": cut(self.answered, longest),
        }


class Recorder:
    """Takes down what goes to and fro in one check: the beginning and the end of a long one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = set(secrets)
        self._first: list[Exchange] = []
        self._last: list[Exchange] = []
        self._count = 0

    def hide(self, secret: str) -> None:
        """Blank this from now on."""
        if len(secret) >= SHORTEST_SECRET:
            self._secrets.add(secret)

    def add(self, asked: str, sent: str | bytes, status: int | None, answered: str | bytes) -> None:
        self._count += 1
        exchange = Exchange(self.clean(asked), self.clean(sent), status, self.clean(answered))
        if len(self._first) < MOST // 2:
            self._first.append(exchange)
        else:
            self._last = [*self._last[-(MOST // 2) + 1 :], exchange]

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return (*self._first, *self._last)

    @property
    def count(self) -> int:
        return self._count

    def clean(self, text: str | bytes) -> str:
        """Cut, and without what is secret or moves a cursor."""
        beginning = text[: 4 * LONGEST]
        shown = beginning.decode("utf-8", "replace") if isinstance(beginning, bytes) else beginning
        for secret in self._secrets:
            shown = shown.replace(secret, BLANK).replace(json.dumps(secret)[1:-1], BLANK)
        shown = NAMED.sub(lambda found: (found[1] or found[2]) + BLANK, shown)
        shown = HIDDEN.sub(lambda found: (found[1] or found[2]) + BLANK + (found[3] or ""), shown)
        more = len(text) > len(beginning)
        return cut(plain(shown), LONGEST) if not more else cut(plain(shown), LONGEST - 20) + " …"


def plain(text: str) -> str:
    """Without what would move a terminal's cursor."""
    return CONTROL.sub("�", text.encode("utf-8", "replace").decode("utf-8"))


def cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: max(0, longest - 1)] + "…"
