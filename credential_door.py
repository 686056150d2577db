"""Keeps secrets out of commands: what a command says is remembered, logged and shown, and a secret must not be."""

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from contracts.errors import SecretInCommand
from credential_kinds import KINDS, Kind
from credentials import where_to_enter
from found_keys import keys_in

FOUND = {kind.finds: kind for kind in KINDS}
SHORTEST = 8
"""No secret is shorter, so shorter texts need no search."""


class SecretDoor:
    """Refuses what holds a secret that is stored here, or looks like one of a host that has a place for it here."""

    def __init__(self, secrets: Callable[[], list[tuple[Kind, str]]], hide: Callable[[str], None]) -> None:
        self._secrets = secrets
        self._hide = hide

    def __call__(self, said: Any) -> None:
        """Look through everything that was said: bytes, or any JSON. Raises SecretInCommand."""
        known = [(kind, secret.encode()) for kind, secret in self._secrets()]
        for data in _pieces(said):
            for kind, secret in known:
                if secret in data:
                    raise _refusal(f"what opens your account at {kind.title}", kind)
            for key, words in keys_in(data, only=FOUND.keys()).items():
                self._hide(key.decode("ascii"))
                raise _refusal(words, FOUND[words])


def _pieces(said: Any) -> Iterator[bytes]:
    """Every text in a JSON value, names included, and the content of files that are sent as base64."""
    if isinstance(said, bytes):
        yield said
    elif isinstance(said, str):
        if len(said) >= SHORTEST:
            yield said.encode("utf-8", "surrogatepass")
    elif isinstance(said, Mapping):
        yield _decoded(said)
        yield from _pieces([*said.keys(), *said.values()])
    elif isinstance(said, list):
        for value in said:
            yield from _pieces(value)


def _decoded(said: Mapping[str, Any]) -> bytes:
    text = said.get("content")
    if said.get("encoding") != "base64" or not isinstance(text, str):
        return b""
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""  # whoever takes it will say that it is not base64


def _refusal(words: str, kind: Kind) -> SecretInCommand:
    return SecretInCommand(
        f"This holds {words}, and commands are remembered and logged; nothing was done, and it was not kept",
        hint=f"{where_to_enter(kind)}, and leave it out here."
        " If others may have seen it where you wrote it, make a new one",
        details={"account": kind.name},
    )
