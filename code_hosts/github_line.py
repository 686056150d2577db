"""Requests to GitHub: one version of its API, its rules about limits, its refusals in plain words."""

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from contracts.deployments import Tick
from contracts.errors import AppError, Conflict, Forbidden, NotFound, TooMany, Unauthorized
from contracts.words import counted
from providers.http import ONCE, Answer, Line, Retry

VERSION = "2022-11-28"
READS = Retry(times=3, statuses=frozenset({500, 502, 503, 504}), after_cut=True)
CALM = 1.0
"""Seconds between two requests that change something, as GitHub asks for."""
UNTOLD = 60.0
"""Seconds to wait after a limit that does not say for how long; twice as many the next time."""
LONGEST_WAIT = 150.0
LIMIT_TRIES = 3
NEXT = re.compile(r'<([^<>]+)>;\s*rel="next"')


class GitHubLine:
    """Threads may share it."""

    def __init__(
        self, base_url: str, token: str, *, pause: Callable[[float], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": VERSION}
        self._line = Line("GitHub", base_url, token, pause=pause, headers=headers)
        self._clock = clock
        self._changing = threading.Lock()
        self._changed = -CALM

    def get(self, path: str, *, query: Mapping[str, str | int] | None = None, tick: Tick) -> Answer:
        return self._within_limits(lambda: self._line.send("GET", path, query=query, retry=READS, tick=tick), tick)

    def change(self, method: str, path: str, body: object, *, tick: Tick) -> Answer:
        """One at a time, with a pause in between. Raises LineCut if no answer came."""
        with self._changing:
            self._line.wait(CALM - (self._clock() - self._changed), tick)
            try:
                return self._within_limits(
                    lambda: self._line.send(method, path, body=body, retry=ONCE, tick=tick), tick
                )
            finally:
                self._changed = self._clock()

    def pages(self, path: str, query: Mapping[str, str | int], *, tick: Tick, doing: str) -> Iterator[Any]:
        """Item by item, over all pages."""
        while True:
            answer = self.get(path, query=query, tick=tick)
            if not answer.ok:
                raise self.refusal(answer, doing)
            yield from answer.list
            following = self._following(answer)
            if following is None:
                return
            path, query = following

    def follow(self, answer: Answer, tick: Tick) -> Answer:
        """What is at the new address of something that was renamed, as long as that is GitHub itself."""
        location = answer.headers.get("location", "")
        if answer.status not in {301, 302, 307} or not self._is_ours(location):
            return answer
        parts = urlsplit(location.removeprefix(self._line.base_url))
        return self.get(parts.path, query=dict(parse_qsl(parts.query)), tick=tick)

    def _following(self, answer: Answer) -> tuple[str, dict[str, str | int]] | None:
        found = NEXT.search(answer.headers.get("link", ""))
        if found is None or not self._is_ours(found[1]):
            return None
        parts = urlsplit(found[1].removeprefix(self._line.base_url))
        return parts.path, dict(parse_qsl(parts.query))

    def _is_ours(self, url: str) -> bool:
        return url.startswith(self._line.base_url + "/")

    def _within_limits(self, send: Callable[[], Answer], tick: Tick) -> Answer:
        """Nothing is done by a request that comes over a limit, so it can be sent again when the limit has passed."""
        attempt = 0
        while (seconds := limit_wait(answer := send(), attempt)) is not None:
            attempt += 1
            if attempt == LIMIT_TRIES or seconds > LONGEST_WAIT:
                minutes = max(1, round(seconds / 60))
                raise TooMany(
                    "GitHub says that it was asked too often",
                    hint=f"Try again in about {counted(minutes, 'minute')}",
                    details={"retry_after": round(seconds), "said": self.said(answer)},
                )
            self._line.wait(seconds, tick)
        return answer

    def refusal(self, answer: Answer, doing: str, *, about: str = "") -> AppError:
        """An answer that is an error, as one of ours. `doing` completes `to ...`, `about` is the repository."""
        said = self.said(answer)
        details: dict[str, Any] = {"status": answer.status, "said": said}
        if answer.status == 401:
            return Unauthorized(
                f"GitHub does not accept the token, so it was not possible to {doing}",
                hint="It may have ended. Make a new one and set it with `./agent credentials set github`, or in the "
                "panel under Settings",
                details=details,
            )
        if answer.status == 403:
            return _forbidden(answer, doing, said, details)
        if answer.status == 404:
            wanted = needed(answer)
            lacks = f"the permission {wanted} for it" if wanted else "access to it"
            return NotFound(
                f"GitHub has no `{about or 'such thing'}`, or the token may not see it",
                hint=f"GitHub answers the same in both cases. Check the name; if it is right, the token lacks {lacks}",
                details={**details, "permission": wanted},
            )
        if answer.status == 410:
            return Conflict(f"`{about}` does not take issues: they are switched off there", details=details)
        return self._line.refusal(answer, said, doing=doing)

    def said(self, answer: Answer) -> str:
        """GitHub's own words, with what it found wrong about each field."""
        found = answer.object
        errors = found.get("errors") or []
        parts = [found.get("message") or "", *map(_one_error, errors if isinstance(errors, list) else [])]
        return self._line.clean("; ".join(part for part in parts if part))


def limit_wait(answer: Answer, attempt: int) -> float | None:
    """Seconds to wait because of a limit; None if the answer is about anything else."""
    if answer.status not in {403, 429}:
        return None
    out_of_requests = answer.headers.get("x-ratelimit-remaining") == "0"
    words = str(answer.object.get("message", "")).lower()
    if answer.status == 403 and "retry-after" not in answer.headers and not out_of_requests:
        if "rate limit" not in words:
            return None
    if "retry-after" in answer.headers or out_of_requests:
        asked = answer.asked_wait()
        if asked is not None:
            return max(asked, 1.0)
    return UNTOLD * 2.0**attempt


def needed(answer: Answer) -> str:
    """The permission that would have been enough, in words; empty if GitHub does not say."""
    sets = [one for one in answer.headers.get("x-accepted-github-permissions", "").split(";") if one.strip()]
    words = [" and ".join(_permission(one) for one in each.split(",") if one.strip()) for each in sets]
    if words:
        return " or ".join(words)
    scopes = answer.headers.get("x-accepted-oauth-scopes", "").strip()
    # Only tokens of the older kind are told about scopes.
    return f"`{scopes.split(',')[0].strip()}`" if scopes and "x-oauth-scopes" in answer.headers else ""


def _permission(text: str) -> str:
    name, _, level = text.strip().partition("=")
    return f"{name.replace('_', ' ').capitalize()}: {level or 'read'}"


def _forbidden(answer: Answer, doing: str, said: str, details: dict[str, Any]) -> Forbidden:
    wanted = needed(answer)
    if "x-github-sso" in answer.headers:
        return Forbidden(
            f"The organisation wants this token to be approved before it can be used to {doing}",
            hint="Open your tokens on GitHub, choose Configure SSO beside this one, and authorise it",
            details=details,
        )
    if wanted:
        return Forbidden(
            f"The GitHub token may not {doing}: it lacks the permission {wanted}",
            hint="Change the token at github.com/settings/personal-access-tokens, give it that permission for this "
            "repository, and try again; it need not be entered anew",
            details={**details, "permission": wanted},
        )
    return Forbidden(
        f"GitHub does not allow to {doing}: {said or 'it gives no reason'}",
        hint="See that the token covers this repository, and that the repository is not archived",
        details=details,
    )


def _one_error(error: object) -> str:
    if isinstance(error, str):
        return error
    if not isinstance(error, dict):
        return ""
    return str(error.get("message") or f"{error.get('field', '')} {error.get('code', '')}".strip())
