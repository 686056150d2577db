"""Who may come in to a preview, and which headers go through to the app and back."""

import hmac
import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

Headers = list[tuple[bytes, bytes]]
HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::\d{0,5})?")
HOP_BY_HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding "
    b"upgrade".split()
)
OPENER = b"Cross-Origin-Opener-Policy"
NEVER_NAMED = frozenset({b"content-length", b"host", b"cookie", b"authorization", b"content-security-policy"})
"""A `Connection` header cannot take these away: a request without its length would be read as another one."""
OWN_COOKIES = b"task-agent-"
KEY = "preview_key"
KEY_HEADER = b"x-preview-key"
COOKIE_DAYS = 30


@dataclass(frozen=True, slots=True)
class Door:
    """Who may come in: those who call it by its name and, where there is a key, who have that."""

    hosts: frozenset[str] = frozenset()
    """Names besides those of this machine's loopback."""
    key: str = ""
    cookie: str = "task-agent-key"

    def knows(self, host: str) -> bool:
        """A page elsewhere whose name was bound to this machine's address calls it by another name."""
        name = host_of(host)
        if name in self.hosts or name == "localhost" or name.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return False

    def opens(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Whether the key is in a cookie or in a header."""
        if not self.key:
            return True
        return any(
            self._same(value)
            for name, header in headers
            for value in (_cookie(header, self.cookie) if name.lower() == b"cookie" else [header])
            if name.lower() in {b"cookie", KEY_HEADER}
        )

    def entrance(self, target: str) -> str | None:
        """Where to go on without the key in the address, if it is there and right."""
        path, _, query = target.partition("?")
        fields = parse_qsl(query, keep_blank_values=True)
        if not self.key or not any(name == KEY and self._same(value.encode()) for name, value in fields):
            return None
        rest = urlencode([(name, value) for name, value in fields if name != KEY])
        return "/" + path.lstrip("/") + (f"?{rest}" if rest else "")

    def invitation(self, *, secure: bool) -> str:
        """The cookie that keeps the door open. Behind https the panel may be another site, and frame it."""
        where = "SameSite=None; Secure; Partitioned" if secure else "SameSite=Lax"
        return f"{self.cookie}={self.key}; Path=/; Max-Age={COOKIE_DAYS * 86_400}; HttpOnly; {where}"

    def _same(self, value: bytes) -> bool:
        return hmac.compare_digest(value, self.key.encode())


def host_of(header: str) -> str:
    """The name or address in a Host header, without port or brackets; `` if it is not one."""
    found = HOST.fullmatch(header)
    return (found["address"] or found["name"]).lower().rstrip(".") if found else ""


def wants_upgrade(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    every = list(headers)
    named = _listed(every, b"connection")
    return b"upgrade" in named and any(name.lower() == b"upgrade" for name, _ in every)


def to_app(headers: Sequence[tuple[bytes, bytes]], *, token: str, upgrade: bool) -> Headers:
    """A request's headers without those for this connection alone and without the agent's own secrets."""
    out: Headers = []
    chunked = any(name.lower() == b"transfer-encoding" for name, _ in headers)
    gone = _hop_by_hop(headers) | {b"expect", KEY_HEADER} | ({b"content-length"} if chunked else set())
    for name, value in headers:
        low = name.lower()
        if low in gone or (low == b"authorization" and _is_token(value, token)):
            continue
        kept = _foreign_cookies(value) if low == b"cookie" else value
        if kept or low != b"cookie":
            out.append((name, kept))
    if chunked:
        out.append((b"Transfer-Encoding", b"chunked"))
    if not upgrade:
        return [*out, (b"Connection", b"close")]
    return [*out, (b"Connection", b"Upgrade"), *((n, v) for n, v in headers if n.lower() == b"upgrade")]


def to_visitor(headers: Sequence[tuple[bytes, bytes]], *, ancestors: str, upgraded: bool = False) -> Headers:
    """An answer's headers, with who may frame it. A second policy can only forbid more than the app's own.

    A browser takes the panel and an app on another port for the same site. So a window of the app is always one apart:
    when the panel's address is typed into it, or somebody goes back to the panel, the app keeps no hold on it.
    """
    chunked = any(name.lower() == b"transfer-encoding" for name, _ in headers)
    gone = _hop_by_hop(headers) | {b"server", b"via", OPENER.lower()} | ({b"content-length"} if chunked else set())
    out = [
        (name, value)
        for name, value in headers
        if name.lower() not in gone and not (name.lower() == b"set-cookie" and _own(value))
    ]
    if upgraded:
        return [*out, (b"Connection", b"Upgrade"), *((n, v) for n, v in headers if n.lower() == b"upgrade")]
    return [*out, (b"Content-Security-Policy", f"frame-ancestors {ancestors}".encode()), (OPENER, b"same-origin")]


def _hop_by_hop(headers: Sequence[tuple[bytes, bytes]]) -> set[bytes]:
    return set(HOP_BY_HOP | (_listed(headers, b"connection") - NEVER_NAMED))


def _listed(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> set[bytes]:
    return {part.strip().lower() for name, value in headers if name.lower() == wanted for part in value.split(b",")}


def _is_token(value: bytes, token: str) -> bool:
    scheme, _, given = value.partition(b" ")
    return bool(token) and scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), token.encode())


def _foreign_cookies(value: bytes) -> bytes:
    """Without those of the agent. A browser sends a cookie to every port of a host."""
    return b"; ".join(pair.strip() for pair in value.split(b";") if pair.strip() and not _own(pair))


def _own(pair: bytes) -> bool:
    return pair.strip().lower().startswith(OWN_COOKIES)


def _cookie(header: bytes, wanted: str) -> list[bytes]:
    pairs = (pair.strip().partition(b"=") for pair in header.split(b";"))
    return [value for name, _, value in pairs if name == wanted.encode()]
