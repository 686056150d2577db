"""Who may ask: the Host header, the bearer token, the rate, and which other web pages."""

import hmac
import ipaddress
import re
import time
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

import flask

from contracts.errors import Forbidden, TooMany, Unauthorized
from settings import Settings

REMEMBERED = 4096
HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::\d{0,5})?")
OWNER = "agent.owner"
"""Set in the WSGI environment of a request that carries the token."""
HEADERS = ["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"]


class Hosts:
    """The names under which the service is addressed. A page whose name was rebound to this machine uses another."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = frozenset(host_of(name) for name in allowed) | {"localhost"}
        self._seen: set[str] = set()

    def __contains__(self, header: str) -> bool:
        if header in self._seen:
            return True
        known = self._known(host_of(header))
        if known and len(self._seen) < REMEMBERED:
            self._seen.add(header)
        return known

    def _known(self, host: str) -> bool:
        if host in self._allowed:
            return True
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False


def host_of(header: str) -> str:
    """The name or address in a Host header, without port or brackets; `` if it is not one."""
    found = HOST.fullmatch(header)
    return (found["address"] or found["name"]).lower().rstrip(".") if found else ""


class Rate:
    """At most so many requests a minute from one client; a whole minute's worth may come at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap = 60.0 / per_minute
        self._clock = clock
        self._due: dict[str, float] = {}

    def wait(self, client: str) -> float:
        """Seconds that this client is too early; 0 if it may go on, and then it is counted."""
        now = self._clock()
        due = max(self._due.get(client, now), now)
        early = due + self._gap - now - 60.0
        if early > 1e-9:
            return early
        if len(self._due) >= REMEMBERED:
            self._forget(now)
        self._due[client] = due + self._gap
        return 0.0

    def _forget(self, now: float) -> None:
        """Clients whose debt is over; if there are too many others, all: a moment of leniency, never of memory."""
        self._due = {client: due for client, due in self._due.copy().items() if due > now}
        if len(self._due) >= REMEMBERED:
            self._due = {}


class Guard:
    """Runs before every request, so it reads the bare WSGI environment and makes nothing it does not need."""

    def __init__(self, settings: Settings, token: str, open_endpoints: Iterable[str]) -> None:
        public = [settings.public_url] if settings.public_url else []
        self._hosts = Hosts([*settings.allowed_hosts, *(urlsplit(url).netloc for url in public)])
        self._rate = Rate(settings.rate_limit)
        self._token = token.encode()
        self._open = frozenset(open_endpoints)

    def __call__(self) -> None:
        request = flask.request
        environ = request.environ
        if environ.get("HTTP_HOST", "") not in self._hosts:
            raise Forbidden(
                "The service does not answer under this name",
                hint="Use its own address, or name this one in `AGENT_ALLOWED_HOSTS`",
            )
        header = environ.get("HTTP_AUTHORIZATION", "")
        owner = bool(header) and self._carries_token(header)
        early = self._rate.wait("owner" if owner else environ.get("REMOTE_ADDR", ""))
        if early:
            raise TooMany(
                "Too many requests at once",
                hint="Wait a moment; `AGENT_RATE_LIMIT` sets how many a minute are taken",
                details={"retry_after": round(early, 3)},
            )
        if owner:
            environ[OWNER] = True
        elif request.endpoint not in self._open and request.method != "OPTIONS":
            raise Unauthorized(
                "This needs the token" if not header else "The token is not the right one",
                hint="Send it as `Authorization: Bearer <token>`; `./agent token` shows it",
            )

    def _carries_token(self, header: str) -> bool:
        scheme, _, given = header.partition(" ")
        same = hmac.compare_digest(given.strip().encode("utf-8", "surrogateescape"), self._token)
        return same and scheme.lower() == "bearer"


def guard_app(app: flask.Flask, settings: Settings, token: str, open_endpoints: Iterable[str]) -> None:
    """Put the guard before every route, and let pages of the configured origins call the service."""
    app.before_request(Guard(settings, token, open_endpoints))
    if settings.cors_origins:
        from flask_cors import CORS  # noqa: PLC0415  few need it, and it costs start-up time

        CORS(
            app,
            origins=list(settings.cors_origins),
            allow_headers=HEADERS,
            expose_headers=["Retry-After", "Content-Disposition"],
            methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            max_age=600,
        )
