"""A GitHub on this machine: its REST interface as strict as is known, and real git behind it."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cloud_fakes.git_http import GIT_PATH, GitRepositories, is_push, login_of
from cloud_fakes.github_places import Actor, Place
from cloud_fakes.loopback import Asked, Loopback, Reply, Trouble, as_json

API = "/api"
VERSIONS = {"2022-11-28", "2026-03-10"}
REPO_FIELDS = {"name", "description", "private", "auto_init", "has_issues", "visibility"}
NAME = re.compile(r"(?!\.{1,2}$)[\w.-]{1,100}", re.ASCII)


class Refused(Exception):
    """An answer that is an error, in the shape that GitHub gives it."""

    def __init__(
        self, status: int, message: str, errors: list[Any] | None = None, headers: dict[str, str] | None = None
    ) -> None:
        self.status = status
        self.message = message
        self.errors = errors
        self.headers = headers or {}

    def reply(self) -> Reply:
        body = {
            "message": self.message,
            "documentation_url": "https://docs.github.com/rest",
            "status": str(self.status),
        }
        return as_json(body | ({"errors": self.errors} if self.errors is not None else {}), self.status, **self.headers)


class FakeGitHub(Loopback):
    """The interface is at `api_url`, repositories for people and git at `url`."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        super().__init__(port)
        self.git = GitRepositories(folder)
        self.actors: dict[str, Actor] = {}
        """By their tokens."""
        self.members: dict[str, frozenset[str]] = {}
        """Organisations and who belongs to them."""
        self.places: dict[str, Place] = {}
        self.moved: dict[str, str] = {}
        """Old names of repositories and their new ones."""
        self._numbers = itertools.count(1)

    @property
    def api_url(self) -> str:
        return self.url + API

    def add(self, slug: str, **about: Any) -> Place:
        """A repository that is there already."""
        place = self.places[slug.lower()] = Place(slug, id=next(self._numbers), **about)
        self.git.create(place.git_name, branch=place.default_branch)
        return place

    def rename(self, old: str, new: str) -> None:
        place = self.places.pop(old.lower())
        (self.git.folder / place.git_name).rename(self.git.folder / f"{new}.git")
        place.slug = new
        self.places[new.lower()] = place
        self.moved[old.lower()] = new

    def refused(self, trouble: Trouble) -> Reply:
        return Refused(trouble.status, trouble.code or "Something is wrong", None, dict(trouble.headers)).reply()

    def answer(self, asked: Asked) -> Reply:
        if found := GIT_PATH.fullmatch(asked.path):
            return self._answer_git(asked, found["name"])
        try:
            self._check_headers(asked)
            actor = self.actors.get(asked.bearer)
            if actor is None:
                raise Refused(401, "Bad credentials")
            return _Request(self, actor, asked).reply()
        except Refused as refused:
            return refused.reply()

    def _check_headers(self, asked: Asked) -> None:
        if not asked.headers.get("user-agent"):
            raise Refused(
                403, "Request forbidden by administrative rules. Please make sure your request has a User-Agent"
            )
        if asked.headers.get("x-github-api-version") not in VERSIONS:
            raise Refused(400, "API version is not supported")
        if asked.headers.get("accept") != "application/vnd.github+json":
            raise Refused(415, "Unsupported 'Accept' header")

    def _answer_git(self, asked: Asked, name: str) -> Reply:
        login = login_of(asked)
        actor = self.actors.get(login[1]) if login else None
        if login is None or actor is None:
            return 401, {"www-authenticate": 'Basic realm="GitHub"'}, b"Invalid username or token."
        place = self.places.get(name.removesuffix(".git").lower())
        if place is None or not place.sees(actor, self.members_of(place)):
            return 404, {}, b"Repository not found."
        level = "write" if is_push(asked) else "read"
        allowed = actor.may("contents", level) and (level == "read" or place.writes(actor, self.members_of(place)))
        if not allowed:
            return 403, {}, b"Write access to repository not granted."
        return self.git.answer(asked, login[0])

    def members_of(self, place: Place) -> frozenset[str]:
        return self.members.get(place.owner, frozenset())

    def next_number(self, place: Place) -> int:
        return len(place.pulls) + len(place.issues) + 1


class _Request:
    """Answers one request whose sender is known."""

    def __init__(self, hub: FakeGitHub, actor: Actor, asked: Asked) -> None:
        self._hub = hub
        self._actor = actor
        self._asked = asked
        self._path = asked.path.removeprefix(API)

    def reply(self) -> Reply:
        method = self._asked.method
        routes: list[tuple[str, str, Callable[..., Reply]]] = [
            ("GET", r"/user", self._user),
            ("POST", r"/user/repos", self._create),
            ("POST", r"/orgs/([\w-]+)/repos", self._create),
            ("GET", r"/repositories/(\d+)", self._by_id),
            ("GET", r"/repos/([\w-]+/[\w.-]+)", self._get),
            ("GET", r"/repos/([\w-]+/[\w.-]+)/pulls", self._pulls),
            ("POST", r"/repos/([\w-]+/[\w.-]+)/pulls", self._open_pull),
            ("GET", r"/repos/([\w-]+/[\w.-]+)/issues", self._issues),
            ("POST", r"/repos/([\w-]+/[\w.-]+)/issues", self._open_issue),
        ]
        for allowed, pattern, answer in routes:
            if method == allowed and (found := re.fullmatch(pattern, self._path)):
                return answer(*found.groups())
        raise Refused(404, "Not Found")

    def _user(self) -> Reply:
        return as_json({"login": self._actor.login, "id": 1, "type": "User"})

    def _create(self, owner: str = "") -> Reply:
        if owner and self._actor.login not in self._hub.members.get(owner, frozenset()):
            raise Refused(404, "Not Found")
        self._need("administration", "write")
        if self._actor.only is not None:
            raise Refused(403, "Resource not accessible by personal access token")
        sent = self._body(REPO_FIELDS)
        name = sent.get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise _invalid("Repository", "name", "missing_field")
        slug = f"{owner or self._actor.login}/{name}"
        if slug.lower() in self._hub.places:
            wrong = {"resource": "Repository", "code": "custom", "field": "name"}
            raise Refused(
                422, "Repository creation failed.", [{**wrong, "message": "name already exists on this account"}]
            )
        about = {"private": bool(sent.get("private")), "description": str(sent.get("description") or "")}
        place = self._hub.add(slug, **about)
        return as_json(place.shown(self._hub.api_url, True), 201)

    def _by_id(self, id: str) -> Reply:
        for place in self._hub.places.values():
            if place.id == int(id):
                return self._get(place.slug)
        raise Refused(404, "Not Found")

    def _get(self, slug: str) -> Reply:
        if (new := self._hub.moved.get(slug.lower())) and slug.lower() not in self._hub.places:
            location = f"{self._hub.api_url}/repositories/{self._hub.places[new.lower()].id}"
            raise Refused(301, "Moved Permanently", None, {"location": location})
        place = self._place(slug)
        return as_json(place.shown(self._hub.api_url, place.writes(self._actor, self._hub.members_of(place))))

    def _pulls(self, slug: str) -> Reply:
        place = self._place(slug)
        self._need("pull_requests", "read")
        options = self._options({"state", "head", "base", "per_page", "page"})
        owner, _, head = options.get("head", "").partition(":")
        if head and owner != place.owner:
            return as_json([])
        state, base = options.get("state", "open"), options.get("base")
        return self._page(
            [
                pull
                for pull in place.pulls
                if (state in {"all", pull["state"]})
                and (not head or pull["head"]["ref"] == head)
                and (not base or pull["base"]["ref"] == base)
            ]
        )

    def _open_pull(self, slug: str) -> Reply:
        place = self._place(slug)
        self._need("pull_requests", "write", place)
        sent = self._body({"title", "body", "head", "base", "draft"})
        title, head, base = (sent.get(name) for name in ("title", "head", "base"))
        if not isinstance(title, str) or not title:
            raise _invalid("PullRequest", "title", "missing_field")
        branches = self._hub.git.refs(place.git_name)
        for field, branch in (("head", head), ("base", base)):
            if f"refs/heads/{branch}" not in branches:
                raise _invalid("PullRequest", field, "invalid")
        self._compare(place, str(base), str(head))
        if any(p["head"]["ref"] == head and p["base"]["ref"] == base and p["state"] == "open" for p in place.pulls):
            raise _custom(f"A pull request already exists for {place.owner}:{head}.")
        number = self._hub.next_number(place)
        pull = {
            "number": number,
            "state": "open",
            "title": title,
            "body": sent.get("body"),
            "html_url": f"https://elsewhere.example/{place.slug}/pull/{number}",
            "user": {"login": self._actor.login},
            "head": {"ref": head, "label": f"{place.owner}:{head}"},
            "base": {"ref": base},
        }
        place.pulls.insert(0, pull)
        return as_json(pull, 201)

    def _compare(self, place: Place, base: str, head: str) -> None:
        git, folder = self._hub.git, self._hub.git.folder / place.git_name
        if git.run(folder, "merge-base", base, head).returncode:
            raise _custom(f"The {head} branch has no history in common with {base}")
        if git.git(folder, "rev-list", "--count", f"{base}..{head}").strip() == "0":
            raise _custom(f"No commits between {base} and {head}")

    def _issues(self, slug: str) -> Reply:
        place = self._place(slug)
        self._need("issues", "read")
        self._issues_on(place)
        options = self._options({"state", "creator", "sort", "direction", "per_page", "page"})
        state, creator = options.get("state", "open"), options.get("creator")
        also = [{**pull, "pull_request": {"url": "x"}, "labels": []} for pull in place.pulls]
        listed = sorted([*place.issues, *also], key=lambda item: int(item["number"]), reverse=True)
        return self._page([i for i in listed if state in {"all", i["state"]} and creator in {None, i["user"]["login"]}])

    def _open_issue(self, slug: str) -> Reply:
        place = self._place(slug)
        self._need("issues", "write", place)
        self._issues_on(place)
        sent = self._body({"title", "body", "labels", "assignees"})
        if not isinstance(sent.get("title"), str) or not sent["title"]:
            raise _invalid("Issue", "title", "missing_field")
        issue = {
            "number": self._hub.next_number(place),
            "state": "open",
            "title": sent["title"],
            "body": sent.get("body"),
            "labels": [{"name": name} for name in sent.get("labels", [])],
            "user": {"login": self._actor.login},
            "created_at": "2026-11-17T10:00:00Z",
            "comments": 0,
        }
        place.issues.insert(0, issue)
        return as_json(issue, 201)

    def _issues_on(self, place: Place) -> None:
        if not place.issues_on:
            raise Refused(410, "Issues are disabled for this repo")

    def _place(self, slug: str) -> Place:
        place = self._hub.places.get(slug.lower())
        if place is None or not place.sees(self._actor, self._hub.members_of(place)):
            raise Refused(404, "Not Found")
        return place

    def _need(self, permission: str, level: str, place: Place | None = None) -> None:
        covered = place is None or place.writes(self._actor, self._hub.members_of(place))
        if self._actor.may(permission, level) and covered:
            return
        if self._actor.classic:
            scopes = {"x-oauth-scopes": "gist", "x-accepted-oauth-scopes": "repo, public_repo"}
            raise Refused(403, "Must have admin rights to Repository.", None, scopes)
        accepted = {"x-accepted-github-permissions": f"{permission}={level}"}
        raise Refused(403, "Resource not accessible by personal access token", None, accepted)

    def _body(self, known: set[str]) -> dict[str, Any]:
        sent = self._asked.json
        if not isinstance(sent, dict):
            raise Refused(400, "Problems parsing JSON")
        if unknown := set(sent) - known:
            raise Refused(422, "Invalid request.", [f"{sorted(unknown)} is not a permitted key."])
        return sent

    def _options(self, known: set[str]) -> dict[str, str]:
        if unknown := set(self._asked.query) - known:
            raise Refused(422, "Invalid request.", [f"{sorted(unknown)} is not a permitted key."])
        return self._asked.query

    def _page(self, items: list[dict[str, Any]]) -> Reply:
        options = self._asked.query
        size, page = int(options.get("per_page", "30")), int(options.get("page", "1"))
        if not 1 <= size <= 100:
            raise Refused(422, "per_page is out of bounds")
        headers = {}
        if page * size < len(items):
            others = "".join(f"&{name}={value}" for name, value in options.items() if name not in {"page"})
            headers["link"] = f'<{self._hub.url}{self._asked.path}?page={page + 1}{others}>; rel="next"'
        return as_json(items[(page - 1) * size : page * size], 200, **headers)


def _invalid(resource: str, field: str, code: str) -> Refused:
    return Refused(422, "Validation Failed", [{"resource": resource, "field": field, "code": code}])


def _custom(message: str) -> Refused:
    return Refused(422, "Validation Failed", [{"resource": "PullRequest", "code": "custom", "message": message}])
