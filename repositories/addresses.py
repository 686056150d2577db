"""Addresses of repositories elsewhere: clean, without a password, over https only."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from contracts.errors import InvalidParams
from contracts.paths import shown

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
SHORT_SSH = re.compile(r"(?:[\w.-]+@)(?P<host>[\w.-]+):(?!//)(?P<path>[^\s]+)")
PATH = re.compile(r"(?:/[\w.~+@-]*[\w~+@-][\w.~+@-]*)+")
HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|::1")
LONGEST = 500
EXAMPLE = "Give it as `https://github.com/someone/notes.git`"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a history is pushed to. Nothing in it is secret."""

    url: str
    host: str

    @property
    def same_as(self) -> str:
        """Equal for two addresses that lead to the same repository."""
        return self.url.removesuffix("/").removesuffix(".git").lower()

    def __str__(self) -> str:
        return self.url


def address_of(text: str) -> Address:
    """The address in a text; raises InvalidParams, in which nothing of a password is repeated."""
    text = text.strip()
    if len(text) > LONGEST:
        raise InvalidParams("That address is too long", hint=EXAMPLE)
    if not text.isprintable():
        raise InvalidParams("That is not the address of a repository", hint=EXAMPLE)
    if short := SHORT_SSH.fullmatch(text):
        raise _no_ssh(short["host"], short["path"])
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise InvalidParams("That is not the address of a repository", hint=EXAMPLE) from None
    if parts.username is not None or parts.password is not None:
        raise InvalidParams(
            "The address holds a user name or password, which has no place in it",
            hint="Leave it out of the address, and store the token with `./agent credentials set` or in the panel",
        )
    if parts.scheme in {"ssh", "git+ssh"}:
        raise _no_ssh(host, parts.path)
    _check_scheme(parts.scheme, host)
    path = parts.path.rstrip("/")
    if not HOST.fullmatch(host) or not PATH.fullmatch(path) or parts.query or parts.fragment:
        raise InvalidParams(f"`{shown(text)}` is not the address of a repository", hint=EXAMPLE)
    default = {"https": 443, "http": 80}[parts.scheme]
    place = f"[{host}]" if ":" in host else host
    return Address(f"{parts.scheme}://{place}{f':{port}' if port not in {None, default} else ''}{path}", host)


def _check_scheme(scheme: str, host: str) -> None:
    if scheme == "https" or (scheme == "http" and host in LOOPBACK):
        return
    if scheme == "http":
        raise InvalidParams(
            "An address that begins with `http:` would send your token readable over the network",
            hint="Use the same address with `https:`",
        )
    raise InvalidParams("Only addresses that begin with `https:` can be pushed to", hint=EXAMPLE)


def _no_ssh(host: str, path: str) -> InvalidParams:
    instead = f"https://{host}/{path.strip('/')}"
    return InvalidParams(
        "Pushing over ssh is not supported, because it would need your private key",
        hint=f"Use `{shown(instead)}` with a token instead",
    )
