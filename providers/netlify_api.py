"""The calls of Netlify's API that are used, and what its refusals mean."""

import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from contracts.deployments import Tick
from contracts.errors import AppError, Conflict, Forbidden, TooMany, Unauthorized
from providers.http import QUICK, READS, Answer, Line, Retry

TOKEN_PAGE = "https://app.netlify.com/user/applications#personal-access-tokens"  # noqa: S105  an address
HARMLESS = Retry(times=3, statuses=READS.statuses, after_cut=True)
"""For changes that may be asked for twice."""
UPLOADS = Retry(times=6, statuses=frozenset({429, 500, 502, 503, 504}), after_cut=True, first=0.1, factor=3.0)
"""Netlify takes 500 requests a minute, and a large site has more files than that: then there is a wait for the next."""
PAGE = 100
PAGES = 20

Json = dict[str, Any]


class NetlifyApi:
    def __init__(self, token: str, base_url: str, pause: Callable[[float], None] = time.sleep) -> None:
        self.line = Line("Netlify", base_url, token, pause=pause)

    def user(self) -> Json:
        return self._good(self.line.send("GET", "/user", retry=QUICK), "asking whose token it is").object

    def accounts(self) -> list[Json]:
        return _objects(self._good(self._ask("/accounts"), "asking about the plan").list)

    def sites(self, name: str = "", tick: Tick | None = None) -> list[Json]:
        """All of this account, or those that have something like this in their name."""
        return self._pages("/sites", {"filter": "all", **({"name": name} if name else {})}, tick=tick)

    def site(self, id: str, tick: Tick | None = None) -> Json | None:
        answer = self._ask(f"/sites/{id}", tick=tick)
        return None if answer.status == 404 else self._good(answer, "looking at the site").object

    def create_site(self, name: str) -> Answer:
        """Whatever comes: 422 means that the name is taken, by anybody."""
        return self.line.send("POST", "/sites", body={"name": name})

    def delete_site(self, id: str) -> None:
        answer = self.line.send("DELETE", f"/sites/{id}", retry=HARMLESS)
        if answer.status != 404:
            self._good(answer, "deleting the site")

    def create_deploy(self, site: str, title: str, files: Mapping[str, str]) -> Answer:
        """Whatever comes. Never sent again by itself: whoever calls looks first whether it arrived."""
        body = {"files": dict(files), "draft": False, "async": False}
        return self.line.send("POST", f"/sites/{site}/deploys", query={"title": title}, body=body)

    def upload(self, deploy: str, path: str, content: bytes) -> None:
        answer = self.line.send(
            "PUT",
            f"/deploys/{deploy}/files/{quote(path)}",
            data=content,
            headers={"Content-Type": "application/octet-stream"},
            retry=UPLOADS,
        )
        self._good(answer, "sending a file")

    def deploy(self, id: str, tick: Tick | None = None) -> Json | None:
        answer = self._ask(f"/deploys/{id}", tick=tick)
        return None if answer.status == 404 else self._good(answer, "asking how the deployment stands").object

    def deploys(self, site: str, limit: int = PAGE * PAGES, tick: Tick | None = None) -> list[Json]:
        """The newest first."""
        return self._pages(f"/sites/{site}/deploys", {}, limit=limit, tick=tick)

    def delete_deploy(self, id: str) -> None:
        answer = self.line.send("DELETE", f"/deploys/{id}", retry=HARMLESS)
        if answer.status != 404:
            self._good(answer, "deleting the deployment")

    def restore(self, site: str, deploy: str) -> None:
        """Visitors see this one from now on."""
        answer = self.line.send("POST", f"/sites/{site}/deploys/{deploy}/restore", retry=HARMLESS)
        self._good(answer, "making that release the live one")

    def refusal(self, answer: Answer, doing: str) -> AppError:
        said = answer.object
        words = said.get("message") or said.get("error_message") or said.get("errors") or ""
        if answer.status == 401:
            return Unauthorized(
                f"Netlify does not accept the token: {self.line.clean(words)}",
                hint=f"Make a new token at {TOKEN_PAGE} and set it here",
            )
        if answer.status == 429:
            error = self.line.refusal(answer, words)
            return TooMany(str(error), hint="Nothing was sent again by itself; try again later", details=error.details)
        if answer.status in {402, 403} and "credit" in str(words).lower():
            return Forbidden(
                f"The credits of this month are used up on Netlify: {self.line.clean(words)}",
                hint="Wait for the next month, look at the plan on netlify.com, or choose another host",
            )
        return self.line.refusal(answer, words, doing=doing)

    def _good(self, answer: Answer, doing: str) -> Answer:
        if not answer.ok:
            raise self.refusal(answer, doing)
        return answer

    def _ask(self, path: str, query: Mapping[str, str | int] | None = None, tick: Tick | None = None) -> Answer:
        return self.line.send("GET", path, query=query, retry=READS, tick=tick)

    def _pages(
        self, path: str, query: Mapping[str, str | int], *, limit: int = PAGE * PAGES, tick: Tick | None = None
    ) -> list[Json]:
        found: list[Json] = []
        size = min(limit, PAGE)
        for page in range(1, PAGES + 1):
            answer = self._ask(path, {**query, "page": page, "per_page": size}, tick)
            entries = _objects(self._good(answer, "reading a list").list)
            found += entries
            if len(entries) < size or len(found) >= limit:
                break
        return found[:limit]


def is_taken(answer: Answer) -> bool:
    """Whether this says that the name of a site is taken."""
    return answer.status == 422 and "unique" in answer.text


def taken(name: str) -> Conflict:
    return Conflict(
        f"The name `{name}` is taken on Netlify by a site that this agent did not make",
        hint="Choose another name, as names are shared by everybody there; what is there stays as it is",
    )


def _objects(entries: list[Any]) -> list[Json]:
    return [entry for entry in entries if isinstance(entry, dict)]
