"""What opens the owner's accounts elsewhere: tested when it is entered, kept readable by the owner alone, never shown.

What is stored wins over the environment: it was entered here on purpose and tested, while names such as `GITHUB_TOKEN`
are in many environments for other reasons.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from contracts.deployments import Account
from contracts.errors import (
    AppError,
    Conflict,
    CredentialRefused,
    Failed,
    Forbidden,
    InvalidParams,
    NotFound,
    Unauthorized,
)
from credential_file import CredentialFile, Entries
from credential_kinds import INNER_SECRETS, KINDS, Field, Kind, kind_of
from found_keys import keys_in
from logging_setup import Redactor

Values = Mapping[str, str]
Check = Callable[[str, Values], Account]
"""Asks the host whose credential it is: its name and values. Raises Unauthorized or Forbidden if it does not work."""
FILE = "credentials.json"
SHORTEST_SECRET = 8
LONGEST_VALUE = 4096
LONGEST_FILE = 16 * 1024
NOTHING: Mapping[str, str] = MappingProxyType({})


class State(StrEnum):
    MISSING = "missing"
    UNTESTED = "untested"
    """It is there, from the environment or a file, and has not been tried."""
    WORKS = "works"
    REFUSED = "refused"
    """The host does not take it (any more)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a credential did when it was last tried."""

    state: State = State.UNTESTED
    who: str = ""
    team: str = ""
    tested: str = ""
    words: str = ""
    """Why it was refused."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One credential as it is used now."""

    values: Values
    standing: Standing
    source: str
    """`stored` or `environment`."""


class Credentials:
    """All of them, in one file of the home. Changes by other processes are seen at the next look."""

    def __init__(
        self,
        home: Path,
        *,
        check: Check,
        redactor: Redactor,
        clock: Callable[[], str],
        environ: Mapping[str, str] = NOTHING,
    ) -> None:
        self.on_change: Callable[[str], None] = lambda name: None
        """Told the name after a credential was set or forgotten, so that what waits for it goes on."""
        self.tell: Callable[[str, State, str], None] = lambda name, state, who: None
        """Told the name, how it stands and whose it is, for the record."""
        self._file = CredentialFile(home / FILE)
        self._check = check
        self._redactor = redactor
        self._clock = clock
        self._environ = environ
        self._tried: dict[str, tuple[Values, Standing]] = {}
        """How those from the environment did; they are kept nowhere."""
        self._listed: tuple[Entries | None, list[tuple[Kind, str]]] = (None, [])
        """The secrets of the file as it was last seen: every request is held against them."""

    def get(self, name: str) -> Values | None:
        """Its values by field, for whoever talks to the host; None if it is not set. Raises NotFound for the name."""
        kept = self._kept(kind_of(name))
        return kept.values if kept else None

    def has(self, name: str) -> bool:
        return self.get(name) is not None

    def put(self, name: str, values: Values) -> dict[str, Any]:
        """Test it and keep it in place of the one before; if the test fails, nothing changes."""
        kind = kind_of(name)
        given = accepted(kind, values)
        self._hide(kind, given)
        try:
            standing = self._asked(kind, given)
        except (Unauthorized, Forbidden) as error:
            hint = error.hint or "Check that all of it was copied, and that it has not ended"
            raise CredentialRefused(error.message, hint=f"Nothing was stored. {hint}") from error
        self._file.change(name, _entry(given, standing))
        self._changed(kind)
        return self.describe_one(name)

    def test(self, name: str) -> dict[str, Any]:
        """Try the one that is used now, and remember how it did. Raises NotFound if there is none."""
        kind = kind_of(name)
        kept = self._kept(kind)
        if kept is None:
            raise NotFound(f"{kind.title} is not set up yet", hint=where_to_enter(kind))
        try:
            standing = self._asked(kind, kept.values)
        except (Unauthorized, Forbidden) as error:
            standing = Standing(State.REFUSED, tested=self._clock(), words=_one_line(error.message))
        if kept.source == "stored":
            self._file.change(name, _entry(kept.values, standing), only_if=kept.values)
        else:
            self._tried[name] = (kept.values, standing)
        if standing.state is not kept.standing.state:
            self.tell(name, standing.state, standing.who)
        return self.describe_one(name)

    def forget(self, name: str) -> dict[str, Any]:
        """Remove what is stored. Raises NotFound if there is nothing, Conflict if it comes from the environment."""
        kind = kind_of(name)
        kept = self._kept(kind)
        if kept is None:
            raise NotFound(f"{kind.title} is not set up, so there is nothing to forget")
        if kept.source != "stored":
            names = " and ".join(f"`{f.environment}`" for f in kind.fields if f.name in kept.values)
            raise Conflict(
                f"The access to {kind.title} comes from the environment, which cannot be changed from here",
                hint=f"Take {names} out of the environment or `.env`, and start the service again",
            )
        self._file.change(name, None)
        self._changed(kind)
        return self.describe_one(name)

    def describe(self) -> list[dict[str, Any]]:
        """Every kind with how it stands and how to get it; never a secret."""
        return [self.describe_one(kind.name) for kind in KINDS]

    def describe_one(self, name: str) -> dict[str, Any]:
        kind = kind_of(name)
        kept = self._kept(kind)
        standing = kept.standing if kept else Standing(State.MISSING)
        return {
            "name": kind.name,
            "title": kind.title,
            "purpose": kind.purpose,
            "set": kept is not None,
            "source": kept.source if kept else "",
            **asdict(standing),
            "words": _words(kind, kept, self._from_environment(kind) is not None),
            "fields": [_shown(field, kept.values if kept else NOTHING) for field in kind.fields],
            "guide": list(kind.guide),
        }

    def notices(self) -> list[str]:
        """What the owner has to know about the file itself."""
        try:
            self._file.entries()
        except Failed as error:
            return [f"{error.message}. {error.hint}"]
        return [
            f"The file with your credentials was damaged and is kept as `{path.name}`. Enter them again; then delete"
            " that file, because it may still hold secrets"
            for path in self._file.put_aside()
        ]

    def secrets(self) -> list[tuple[Kind, str]]:
        """Every secret that is known now, with what it is for. All of them are blanked from here on."""
        try:
            entries = self._file.entries()
        except Failed:
            entries = {}  # what cannot be read here cannot be used or shown here either; `notices` tells the owner
        seen, known = self._listed
        if seen is not entries:
            every = [
                (kind, kept) for kind in KINDS for kept in (self._read(kind, entries), self._from_environment(kind))
            ]
            known = [(kind, secret) for kind, kept in every if kept for secret in self._hide(kind, kept.values)]
            self._listed = (entries, known)
        return known

    def _kept(self, kind: Kind) -> Kept | None:
        kept = self._stored(kind) or self._from_environment(kind)
        if kept:
            self._hide(kind, kept.values)
        return kept

    def _stored(self, kind: Kind) -> Kept | None:
        return self._read(kind, self._file.entries())

    def _read(self, kind: Kind, entries: Entries) -> Kept | None:
        entry = entries.get(kind.name)
        if entry is None:
            return None
        try:
            return Kept(accepted(kind, entry.get("values")), _standing(entry), "stored")
        except InvalidParams:
            return None  # written by hand, or by another version; it can be entered anew

    def _from_environment(self, kind: Kind) -> Kept | None:
        try:
            values = accepted(kind, {field.name: self._environ.get(field.environment, "") for field in kind.fields})
        except InvalidParams:
            return None
        tried, standing = self._tried.get(kind.name, (None, Standing()))
        return Kept(values, standing if tried == values else Standing(), "environment")

    def _hide(self, kind: Kind, values: Values) -> list[str]:
        secrets = [secret for name, value in values.items() if name in kind.secrets for secret in _each(value)]
        for secret in secrets:
            self._redactor.add(secret)
        return secrets

    def _asked(self, kind: Kind, values: Values) -> Standing:
        """Have the host say whose it is. Its errors are passed on without the secret, should they repeat it."""
        blank = self._redactor
        try:
            account = self._check(kind.name, values)
        except AppError as error:
            error.message, error.hint = blank.text(error.message), blank.text(error.hint)
            error.details = blank.value(error.details)
            raise
        who, team = (_one_line(blank.text(text)) for text in (account.who, account.team))
        return Standing(State.WORKS, who, team, self._clock())

    def _changed(self, kind: Kind) -> None:
        kept = self._kept(kind)
        self.tell(kind.name, kept.standing.state if kept else State.MISSING, kept.standing.who if kept else "")
        self.on_change(kind.name)


def accepted(kind: Kind, values: Any) -> Values:
    """The values as they will be used, without empty ones. Raises InvalidParams, which never repeats a value."""
    known = {field.name: field for field in kind.fields}
    if not isinstance(values, Mapping) or not all(isinstance(value, str) for value in values.values()):
        raise _wrong(kind, next(iter(known)), "the values are texts by the names of the fields")
    if not set(values) <= set(known):
        raise _wrong(kind, "values", f"{kind.title} has only these fields: {', '.join(known)}")
    found = {name: text for name, field in known.items() if (text := _value(kind, field, values.get(name, "")))}
    for field in kind.fields:
        if field.required and field.name not in found:
            raise _wrong(kind, field.name, "it is needed")
    return MappingProxyType(found)


def _value(kind: Kind, field: Field, given: str) -> str:
    text = given.strip()
    if not text:
        return ""
    if field.file:
        return _file(kind, field, text)
    if len(text) > LONGEST_VALUE:
        raise _wrong(kind, field.name, f"it is longer than {LONGEST_VALUE:,} characters")
    if not re.fullmatch(r"[\x21-\x7e]+", text):
        raise _wrong(kind, field.name, "it has spaces or characters that no such value has")
    if field.secret and len(text) < SHORTEST_SECRET:
        raise _wrong(kind, field.name, "it is too short; was all of it copied?")
    if not field.secret and keys_in(text.encode()):
        raise _wrong(kind, field.name, "this is a secret, and it belongs into another field")
    return text


def _file(kind: Kind, field: Field, text: str) -> str:
    """A key that came as a file, in one line."""
    try:
        found = json.loads(text) if len(text) <= LONGEST_FILE else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise _wrong(kind, field.name, "it is not the text of a JSON file; was all of it copied?")
    return json.dumps(found, separators=(",", ":"))


def _each(value: str) -> list[str]:
    """A secret, and those inside of it if it is a file: as they are, and as JSON writes them."""
    if not value.startswith("{"):
        return [value]
    inner = [str(text) for name, text in json.loads(value).items() if name in INNER_SECRETS]
    plain = [secret for text in inner for secret in (text, json.dumps(text)[1:-1]) if len(secret) >= SHORTEST_SECRET]
    return list(dict.fromkeys([value, *plain]))


def _wrong(kind: Kind, field: str, problem: str) -> InvalidParams:
    return InvalidParams(
        f"`{field}` is wrong: {problem}",
        hint=f"Nothing was stored. `GET /credentials` says what {kind.title} needs and where to get it",
        details={"fields": [{"field": field, "problem": problem}]},
    )


def where_to_enter(kind: Kind) -> str:
    """The one remedy, wherever a credential is missing or was put into the wrong place."""
    return f"Enter it in the panel under Settings, or with `./agent credentials set {kind.name}`"


def _words(kind: Kind, kept: Kept | None, in_environment: bool) -> str:
    """How it stands, for a person."""
    if kept is None:
        return "Not set up"
    if kept.source == "environment":
        names = ", ".join(f"`{field.environment}`" for field in kind.fields if field.name in kept.values)
        place = f"from the environment ({names})"
    else:
        place = "stored here" + (", and used instead of the one in the environment" if in_environment else "")
    standing = kept.standing
    team = f", team {standing.team}" if standing.team else ""
    if standing.state is State.WORKS:
        return f"Works as {standing.who}{team}; {place}"
    if standing.state is State.REFUSED:
        return f"Refused: {standing.words}; {place}"
    return f"Set but not tested; {place}"


def _shown(field: Field, values: Values) -> dict[str, Any]:
    about = {**asdict(field), "set": field.name in values}
    return about if field.secret else {**about, "value": values.get(field.name, "")}


def _entry(values: Values, standing: Standing) -> dict[str, Any]:
    return {"values": dict(values), **asdict(standing)}


def _standing(entry: Mapping[str, Any]) -> Standing:
    """What is remembered of the last test; anything odd counts as not tested."""
    texts = {name: entry.get(name) for name in ("who", "team", "tested", "words")}
    known = entry.get("state") in list(State) and all(isinstance(text, str) for text in texts.values())
    return Standing(State(entry["state"]), **{k: str(v) for k, v in texts.items()}) if known else Standing()


def _one_line(text: str) -> str:
    """What a host says about itself is its own word: kept short and without control characters."""
    return "".join(char if char.isprintable() else " " for char in text)[:200].strip()
