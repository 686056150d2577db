"""GitHub: repositories, pull requests and issues over its REST interface, with a token of the owner's."""

import re
import time
from collections.abc import Callable
from itertools import islice
from typing import Any
from urllib.parse import quote

from code_hosts.base import IssueState
from code_hosts.github_line import GitHubLine
from code_hosts.slugs import GITHUB, LARGEST_FILE, SLUG, is_slug, slug_at
from contracts.code_hosting import Issue, PullRequest, Repository
from contracts.deployments import Account, Tick
from contracts.errors import AppError, Conflict, Failed, InvalidParams, Unavailable
from providers.http import Answer, LineCut

API_URL = "https://api.github.com"
TAKEN = "already exists"
LONGEST_BODY = 4000
LOOKED_AT = 50
"""How many of one's own newest issues are looked at to find one again."""


def no_tick() -> None:
    pass


class GitHub:
    """One account. What is asked for is looked for first, so that nothing is made twice after a lost answer."""

    name = "github"
    title = "GitHub"
    largest_file = LARGEST_FILE
    git_user = "x-access-token"
    """The user name that goes with a token when git asks for one."""

    def __init__(
        self,
        token: str,
        *,
        base_url: str = API_URL,
        web_url: str = GITHUB,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._line = GitHubLine(base_url, token, pause=pause, clock=clock)
        self._web_url = web_url.rstrip("/")
        self._login = ""

    def check(self) -> Account:
        answer = self._line.get("/user", tick=no_tick)
        if not answer.ok:
            raise self._line.refusal(answer, "see whose it is")
        self._login = str(answer.object.get("login") or "")
        if not self._login:
            raise Unavailable("GitHub did not say whose token it is", hint="Try again in some minutes")
        return Account(self._login)

    def address_of(self, slug: str) -> str:
        return f"{self._web_url}/{self._full(slug)}.git"

    def slug_of(self, address: str) -> str:
        return slug_at(self._web_url, address)

    def repository(self, slug: str, *, tick: Tick) -> Repository:
        found = self._find_repository(slug, tick)
        if isinstance(found, Answer):
            raise self._line.refusal(found, "look at it", about=slug)
        return found

    def create_repository(self, slug: str, *, private: bool, description: str, tick: Tick) -> Repository:
        full = self._full(slug)
        owner, _, name = full.partition("/")
        own = owner.lower() == self._me().lower()
        body = {"name": name, "private": private, "description": description, "auto_init": False}
        try:
            answer = self._line.change("POST", "/user/repos" if own else f"/orgs/{owner}/repos", body, tick=tick)
        except LineCut:
            # Whether it was made before the line broke is seen by looking.
            found = self._find_repository(full, tick)
            if isinstance(found, Answer):
                raise
            return found
        if answer.status == 201:
            return self._repository(answer, new=True)
        if answer.status == 422 and TAKEN in self._line.said(answer):
            return self.repository(full, tick=tick)
        raise self._line.refusal(answer, "make a repository", about=owner)

    def open_pull_request(self, slug: str, branch: str, base: str, title: str, body: str, *, tick: Tick) -> PullRequest:
        slug = self._full(slug)
        if there := self._find_pull_request(slug, branch, base, tick):
            return there
        sent = {"title": title, "body": body, "head": branch, "base": base}
        try:
            answer = self._line.change("POST", f"/repos/{slug}/pulls", sent, tick=tick)
        except LineCut:
            if there := self._find_pull_request(slug, branch, base, tick):
                return there
            raise
        if answer.status == 201:
            return self._pull_request(slug, answer.object, new=True)
        if answer.status == 422 and TAKEN in self._line.said(answer):
            if there := self._find_pull_request(slug, branch, base, tick):
                return there
        raise self._no_pull_request(answer, slug, branch, base)

    def issues(self, slug: str, *, state: IssueState, limit: int, tick: Tick) -> list[Issue]:
        slug = self._full(slug)
        query: dict[str, str | int] = {"state": state, "per_page": min(100, limit + 20)}
        listed = self._line.pages(f"/repos/{slug}/issues", query, tick=tick, doing=f"list the issues of {slug}")
        # GitHub lists pull requests among the issues.
        return [self._issue(slug, item) for item in islice((i for i in listed if "pull_request" not in i), limit)]

    def create_issue(self, slug: str, title: str, body: str, labels: tuple[str, ...], key: str, *, tick: Tick) -> Issue:
        slug = self._full(slug)
        sent = {"title": title, "body": f"{body}\n\n{_mark(key)}", "labels": list(labels)}
        try:
            answer = self._line.change("POST", f"/repos/{slug}/issues", sent, tick=tick)
        except LineCut:
            if there := self.find_issue(slug, key, tick=tick):
                return there
            raise
        if answer.status != 201:
            raise self._line.refusal(answer, "open an issue", about=slug)
        return self._issue(slug, answer.object)

    def find_issue(self, slug: str, key: str, *, tick: Tick) -> Issue | None:
        slug = self._full(slug)
        query: dict[str, str | int] = {"state": "all", "creator": self._me(), "sort": "created", "per_page": LOOKED_AT}
        answer = self._line.get(f"/repos/{slug}/issues", query=query, tick=tick)
        if not answer.ok:
            raise self._line.refusal(answer, f"list the issues of {slug}", about=slug)
        return next((self._issue(slug, item) for item in answer.list if _mark(key) in str(item.get("body"))), None)

    def _me(self) -> str:
        return self._login or self.check().who

    def _full(self, slug: str) -> str:
        """Owner and name; a bare name is one of one's own."""
        found = SLUG.fullmatch(slug.strip())
        if found is None:
            raise InvalidParams(
                f"`{slug[:80]}` is not the name of a repository",
                hint="Give it as `someone/notes`, or `notes` for one of yours: letters, digits, `.`, `-` and `_`",
            )
        return f"{found['owner'] or self._me()}/{found['name'].removesuffix('.git')}"

    def _find_repository(self, slug: str, tick: Tick) -> Repository | Answer:
        answer = self._line.get(f"/repos/{self._full(slug)}", tick=tick)
        answer = self._line.follow(answer, tick)
        return self._repository(answer) if answer.ok else answer

    def _repository(self, answer: Answer, *, new: bool = False) -> Repository:
        found = answer.object
        slug = str(found.get("full_name", ""))
        if not is_slug(slug):
            raise Failed("GitHub described a repository in a way that is not understood here")
        return Repository(
            slug=slug,
            address=f"{self._web_url}/{slug}.git",
            page=f"{self._web_url}/{slug}",
            private=bool(found.get("private")),
            default_branch=str(found.get("default_branch") or "main"),
            owner=slug.partition("/")[0],
            may_push=bool((found.get("permissions") or {}).get("push", new)) and not found.get("archived"),
            new=new,
        )

    def _find_pull_request(self, slug: str, branch: str, base: str, tick: Tick) -> PullRequest | None:
        query: dict[str, str | int] = {"state": "open", "head": f"{slug.partition('/')[0]}:{branch}", "base": base}
        answer = self._line.get(f"/repos/{slug}/pulls", query=query, tick=tick)
        if not answer.ok:
            raise self._line.refusal(answer, "look at its pull requests", about=slug)
        same = [item for item in answer.list if (item.get("head") or {}).get("ref") == branch]
        return self._pull_request(slug, same[0]) if same else None

    def _no_pull_request(self, answer: Answer, slug: str, branch: str, base: str) -> AppError:
        said = self._line.said(answer)
        if answer.status == 422 and "No commits between" in said:
            return Conflict(
                f"`{branch}` has nothing that `{base}` does not have already, so there is nothing to propose",
                hint="Change something first",
            )
        if answer.status == 422 and "history in common" in said:
            return Conflict(
                f"`{branch}` and `{base}` in `{slug}` have no commit in common, so GitHub cannot compare them",
                hint="A pull request needs a project that began as a copy of that repository; push to a new one",
            )
        if answer.status == 422 and "base" in said and "invalid" in said:
            return InvalidParams(
                f"`{slug}` has no branch `{base}`", hint="Leave `base` out to use the branch it works on"
            )
        return self._line.refusal(answer, "open a pull request", about=slug)

    def _pull_request(self, slug: str, found: dict[str, Any], *, new: bool = False) -> PullRequest:
        number = int(found.get("number") or 0)
        return PullRequest(
            number=number,
            title=str(found.get("title") or ""),
            page=f"{self._web_url}/{slug}/pull/{number}",
            branch=str((found.get("head") or {}).get("ref") or ""),
            base=str((found.get("base") or {}).get("ref") or ""),
            new=new,
        )

    def _issue(self, slug: str, found: dict[str, Any]) -> Issue:
        number = int(found.get("number") or 0)
        labels = [label.get("name") if isinstance(label, dict) else label for label in found.get("labels") or []]
        body = re.sub(r"\s*<!-- task-agent: [^>]* -->\s*$", "", str(found.get("body") or ""))
        return Issue(
            number=number,
            title=str(found.get("title") or ""),
            state=str(found.get("state") or ""),
            author=str((found.get("user") or {}).get("login") or ""),
            created=str(found.get("created_at") or ""),
            page=f"{self._web_url}/{slug}/issues/{number}",
            body=body if len(body) <= LONGEST_BODY else body[: LONGEST_BODY - 1] + "…",
            labels=tuple(str(label) for label in labels if label),
            comments=int(found.get("comments") or 0),
        )


def _mark(key: str) -> str:
    """A comment that people do not see."""
    return f"<!-- task-agent: {quote(key, safe='')} -->"
