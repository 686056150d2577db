"""Asks an app for what its page wants to load: from its own origin, by looking only, within bounds."""

import http.client
import time
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

MOST_REQUESTS = 300
LARGEST_ANSWER = 16 * 2**20
LARGEST_TOTAL = 64 * 2**20
CHUNK = 2**16
LOOKS = frozenset({"GET", "HEAD"})
NOT_PASSED = frozenset(
    "connection content-encoding content-length keep-alive set-cookie strict-transport-security "
    "transfer-encoding".split()
)
KEY = "preview_key"
KEY_HEADER = "X-Preview-Key"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(slots=True)
class Visitor:
    """One visit to the app at one address of this machine."""

    link: str
    """Where the visit begins; the key of the app stands in it, where one is needed."""
    patience: float = 10.0
    """Seconds for one answer, however it comes."""
    _asked: int = 0
    _room: int = LARGEST_TOTAL
    _key: str = field(init=False)

    def __post_init__(self) -> None:
        self._key = parse_qs(urlsplit(self.link).query).get(KEY, [""])[0]

    @property
    def start(self) -> str:
        return urlsplit(self.link)._replace(query="", fragment="").geturl()

    @property
    def origin(self) -> tuple[str, str]:
        place = urlsplit(self.link)
        return place.scheme, place.netloc

    def ask(self, method: str, url: str) -> Answer | None:
        """What the app answers; None for everything that is not a look at the app itself, or too much."""
        place = urlsplit(url)
        if (place.scheme, place.netloc) != self.origin or method not in LOOKS or self._asked >= MOST_REQUESTS:
            return None
        self._asked += 1
        target = place._replace(scheme="", netloc="", fragment="").geturl() or "/"
        headers = {"Accept-Encoding": "identity", "User-Agent": "task-agent-picture", "Accept": "*/*"}
        if self._key:
            headers[KEY_HEADER] = self._key
        line = http.client.HTTPConnection(place.netloc, timeout=self.patience)
        until = time.monotonic() + self.patience
        try:
            line.request(method, target, headers=headers)
            return self._taken(line.getresponse(), until)
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            line.close()

    def _taken(self, response: http.client.HTTPResponse, until: float) -> Answer | None:
        most = min(LARGEST_ANSWER, self._room)
        body = bytearray()
        # A little at a time: an app that sends a byte now and then would never be silent, and never be done.
        while chunk := response.read1(CHUNK):
            body += chunk
            if len(body) > most or time.monotonic() > until:
                return None
        self._room -= len(body)
        kept = tuple((name, value) for name, value in response.getheaders() if name.lower() not in NOT_PASSED)
        return Answer(response.status, kept, bytes(body))
