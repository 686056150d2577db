"""The line to a host: carries the credential to it and nobody else, tries again by rules, says faults plainly."""

import email.utils
import ipaddress
import json
import math
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter

from contracts.deployments import Tick
from contracts.errors import (
    AppError,
    BadSettings,
    Conflict,
    Failed,
    Forbidden,
    NotFound,
    TooLarge,
    TooMany,
    Unauthorized,
    Unavailable,
)

AGENT = "task-agent"
CONNECT_SECONDS = 10.0
READ_SECONDS = 60.0
ANSWER_BYTES = 64 * 2**20
BEGINNING = 2**16
"""How much of a page is looked at, which may have no end."""
WORDS = 300
"""How much of a host's own words is passed on."""
SLICE = 1.0
"""Whoever waits looks up after so many seconds, to see whether it should go on."""
READABLE = re.compile(r"[^\x00-\x1f\x7f]+")


class LineCut(Unavailable):
    """No answer came. Whether the host did what it was asked is not known, unless `reached` is False."""

    reached = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host answered, whatever it was."""

    status: int
    headers: Mapping[str, str]
    """Their names in small letters."""
    text: str

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def json(self) -> Any:
        """None if it is not JSON."""
        try:
            return json.loads(self.text)
        except ValueError:
            return None

    @property
    def object(self) -> dict[str, Any]:
        """Empty if it is anything but a JSON object."""
        found = self.json
        return found if isinstance(found, dict) else {}

    @property
    def list(self) -> list[Any]:
        """Empty if it is anything but a JSON array."""
        found = self.json
        return found if isinstance(found, list) else []

    def asked_wait(self) -> float | None:
        """The seconds after which the host wants to be asked again, if it says so."""
        asked = self.headers.get("retry-after", "")
        if asked.strip().isdigit():
            return float(asked)
        return self._until_reset() if (moment := _moment(asked)) is None else moment - time.time()

    def _until_reset(self) -> float | None:
        for name in ("x-ratelimit-reset", "ratelimit-reset"):
            said = self.headers.get(name, "")
            if re.fullmatch(r"\d{1,12}(\.\d+)?", said):
                seconds = float(said)
                # Some hosts give a moment, some the seconds until then.
                return seconds - time.time() if seconds > 1e9 else seconds
            if (moment := _moment(said)) is not None:
                return moment - time.time()
        return None


@dataclass(frozen=True, slots=True)
class Retry:
    """When a request is sent again. Only for what does no harm if it is done twice."""

    times: int = 0
    statuses: frozenset[int] = frozenset()
    after_cut: bool = False
    first: float = 1.0
    factor: float = 2.0
    asked: tuple[float, float] = (1.0, 60.0)
    """The shortest and the longest wait at the word of the host."""
    jitter: float = 0.0
    """So many seconds at most are added to a wait that the host asked for, so that not everybody comes back at once."""

    def wait(self, attempt: int, answer: Answer | None) -> float:
        """The seconds before the next attempt, after the one with this number (from 0)."""
        if answer is not None and answer.status in {429, 503}:
            low, high = self.asked
            asked = answer.asked_wait()
            wanted = min(max(low if asked is None else asked, low), high)
            return wanted + random.SystemRandom().uniform(0.0, self.jitter)
        return self.first * math.pow(self.factor, attempt)


ONCE = Retry()
READS = Retry(times=4, statuses=frozenset({429, 500, 502, 503, 504}), after_cut=True)
"""For questions, which change nothing."""
QUICK = Retry(times=2, statuses=READS.statuses, after_cut=True, first=0.5, asked=(1.0, 5.0))
"""For questions while somebody waits at a form."""


class Line:
    """Requests to one host with one credential. Threads may share it.

    Redirects are not followed, since the credential would go along; nor is anything of this machine's `.netrc` used.
    """

    def __init__(
        self,
        title: str,
        base_url: str,
        token: str,
        *,
        pause: Callable[[float], None] = time.sleep,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Raises Unauthorized for a text that can be no token, BadSettings for an address that it must not go to."""
        if not re.fullmatch(r"[\x21-\x7e]{1,4096}", token):
            raise Unauthorized(
                f"That is not a {title} token: it is empty, or has characters in it that no token has",
                hint="Copy it once more, without spaces around it",
            )
        if not is_safe(base_url):
            raise BadSettings(
                f"The address of {title} must begin with https://", hint="Leave it out to use the usual one"
            )
        self.title = title
        self.base_url = base_url.rstrip("/")
        self._token = token
        self._pause = pause
        self._headers = {"User-Agent": AGENT, "Accept": "application/json", **(headers or {})}
        self._idle: list[requests.Session] = []
        self._lock = threading.Lock()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str | int] | None = None,
        body: object = None,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        retry: Retry = ONCE,
        tick: Tick | None = None,
    ) -> Answer:
        """What the host answers, errors included. `body` goes as JSON, `data` as it is. Raises LineCut."""
        sent = dict(self._headers | dict(headers or {}))
        if body is not None:
            data = json.dumps(body, ensure_ascii=False).encode()
            sent["Content-Type"] = "application/json"
        for attempt in range(retry.times + 1):
            last = attempt == retry.times
            try:
                answer = self._once(method, path, dict(query or {}), data, sent)
            except LineCut:
                if last or not retry.after_cut:
                    raise
                self.wait(retry.wait(attempt, None), tick)
                continue
            if last or answer.status not in retry.statuses:
                return answer
            self.wait(retry.wait(attempt, answer), tick)
        raise AssertionError("the last attempt returns or raises")

    def wait(self, seconds: float, tick: Tick | None = None) -> None:
        """Pause in slices, with a look up in between."""
        left = max(seconds, 0.0)
        while True:
            if tick is not None:
                tick()
            if left <= 0:
                return
            self._pause(min(left, SLICE))
            left -= SLICE

    def address(self, host: str) -> str:
        """The URL of a host's name that the vendor gave without a scheme."""
        return host if "://" in host else f"{urlsplit(self.base_url).scheme}://{host}"

    def visit(self, url: str) -> Answer:
        """The beginning of what a stranger gets there: no credential, no redirects. Raises LineCut."""
        request = requests.Request("GET", url, headers={"User-Agent": AGENT}, auth=_unsigned)
        with self._session() as session:
            return self._exchange(session, request, most=BEGINNING)

    def clean(self, text: object) -> str:
        """A host's own words, fit to be shown: one line, not long, without the credential."""
        line = " ".join(READABLE.findall(str(text).replace(self._token, "***")))
        line = re.sub(r"\s+", " ", line).strip()
        return line if len(line) <= WORDS else line[: WORDS - 1] + "…"

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for session in idle:
            session.close()

    def _once(
        self, method: str, path: str, query: dict[str, str | int], data: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        url = self.base_url + path
        with self._session() as session:
            return self._exchange(
                session, requests.Request(method, url, params=query, data=data, headers=dict(headers), auth=self._sign)
            )

    def _exchange(self, session: requests.Session, request: requests.Request, most: int = 0) -> Answer:
        prepared = session.prepare_request(request)
        settings = session.merge_environment_settings(prepared.url, {}, True, None, None)
        if urlsplit(prepared.url or "").scheme == "http":
            # What stays on this machine has no use for its proxy.
            settings["proxies"] = {}
        try:
            with session.send(
                prepared, timeout=(CONNECT_SECONDS, READ_SECONDS), allow_redirects=False, **settings
            ) as response:
                content = self._read(response, most)
                headers = {name.lower(): value for name, value in response.headers.items()}
                return Answer(response.status_code, headers, content.decode("utf-8", "replace"))
        except requests.exceptions.ConnectTimeout:
            raise self._cut("did not answer in time", reached=False) from None
        except requests.exceptions.Timeout:
            raise self._cut("took too long to answer") from None
        except requests.exceptions.SSLError:
            raise self._cut("could not prove who it is", reached=False) from None
        except requests.exceptions.RequestException as error:
            raise self._cut(*_how(error)) from None

    def _read(self, response: requests.Response, most: int) -> bytes:
        content = bytearray()
        for chunk in response.iter_content(2**16):
            content += chunk
            if most and len(content) >= most:
                break
            if len(content) > ANSWER_BYTES:
                raise Unavailable(f"{self.title} sent an answer without an end")
        return bytes(content)

    def _cut(self, what: str, reached: bool = True) -> LineCut:
        cut = LineCut(f"{self.title} {what}", hint="Check the connection to the internet, then try again")
        cut.reached = reached
        return cut

    def _sign(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request

    @contextmanager
    def _session(self) -> Iterator[requests.Session]:
        """A session that nobody else uses meanwhile; its connection is kept for the next one."""
        with self._lock:
            session = self._idle.pop() if self._idle else None
        if session is None:
            session = requests.Session()
            session.mount("https://", HTTPAdapter(pool_maxsize=1, max_retries=0))
            session.mount("http://", HTTPAdapter(pool_maxsize=1, max_retries=0))
        try:
            yield session
        finally:
            session.cookies.clear()
            with self._lock:
                self._idle.append(session)

    def refusal(self, answer: Answer, said: object = "", *, doing: str = "") -> AppError:
        """An answer that is an error, as one of ours. `said` are the host's own words, `doing` is what was tried."""
        words = self.clean(said) or f"status {answer.status}"
        details: dict[str, Any] = {"status": answer.status}
        if 300 <= answer.status < 400:
            return Unavailable(f"{self.title} sends us elsewhere, where its token must not go", details=details)
        kind, what, hint = REFUSALS.get(answer.status, BROKEN if answer.status >= 500 else REFUSED)
        if answer.status in {429, 503} and (asked := answer.asked_wait()) is not None:
            details["retry_after"] = max(math.ceil(asked), 1)
        tried = f" (tried: {doing})" if doing else ""
        return kind(f"{self.title} {what}: {words}{tried}", hint=hint, details=details)


Kind = tuple[type[AppError], str, str]
REFUSED: Kind = (Failed, "did not accept what was sent", "")
BROKEN: Kind = (Unavailable, "is in trouble itself", "Try again in some minutes")
REFUSALS: dict[int, Kind] = {
    401: (
        Unauthorized,
        "does not accept the token",
        "Make a new token there and set it here; the old one stays unused",
    ),
    402: (Forbidden, "wants to be paid for that", "Look at the plan of the account there, or choose another host"),
    403: (Forbidden, "does not allow that", "Give the token the right to do it, or use one that has it"),
    404: (NotFound, "does not have that", ""),
    409: (Conflict, "says that this collides with something there", ""),
    413: (TooLarge, "says that this is too large", "Leave large files out of the project"),
    429: (TooMany, "says that it was asked too often", "Try again later"),
}


def _moment(said: str) -> float | None:
    """A date as HTTP writes it, or as `2026-01-27 22:20:17 UTC`, which some hosts send in its place."""
    try:
        date = email.utils.parsedate_to_datetime(said)
    except ValueError:
        try:
            date = datetime.strptime(said, "%Y-%m-%d %H:%M:%S UTC").replace(tzinfo=UTC)
        except ValueError:
            return None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def is_safe(url: str) -> bool:
    """Whether a credential may be sent there: encrypted, or not leaving this machine."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme != "http":
        return parts.scheme == "https" and bool(host)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _unsigned(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """In the place of what requests would look up for itself."""
    return request


def _how(error: requests.exceptions.RequestException) -> tuple[str, bool]:
    """What became of a connection, and whether the request may have arrived."""
    if "NewConnectionError" in repr(error) or "NameResolutionError" in repr(error):
        return "cannot be reached", False
    return "broke off the connection", True
