"""A Netlify on this machine: as strict as the real one where that is known, with faults on demand.

`python -m cloud_fakes.netlify --port 8200 --token demo` serves until it is ended.
"""

import hashlib
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, unquote

from cloud_fakes.alone import serve_alone
from cloud_fakes.live_sites import LiveSites
from cloud_fakes.loopback import Asked, Loopback, Reply, Trouble, as_json

ME = "ada@example.org"
DEPLOY_FIELDS = {"files", "functions", "draft", "async", "branch", "framework", "environment", "zip"}
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
Answerer = Callable[["FakeNetlify", str, Asked, "re.Match[str]"], Reply]


class Refused(Exception):
    """An answer that is an error, in the shape that Netlify gives it."""

    def __init__(self, status: int, message: str, body: Any = None, headers: dict[str, str] | None = None) -> None:
        self.status = status
        self.body = body or {"code": status, "message": message}
        self.headers = headers or {}

    def reply(self) -> Reply:
        return as_json(self.body, self.status, **self.headers)


@dataclass(slots=True)
class Script:
    """How deployments go from now on."""

    states: tuple[str, ...] = ("uploaded", "processing", "ready")
    """What a deployment is once all its files are there, question by question."""
    seconds: float = 0.0
    """If not 0, it is ready so many seconds after the last file came, whatever is asked."""
    fail: str = ""
    """Why the next deployment fails."""
    publishes: bool = True
    """Whether what is ready is published by itself; not so where the owner has locked what is there."""
    list_lag: int = 0
    """For so many listings a new deployment is not shown yet."""
    plan: str = "Free"


@dataclass(slots=True)
class Deploy:
    id: str
    site: "Site"
    title: str
    files: dict[str, str]
    required: list[str]
    created: str
    states: list[str]
    hidden: int
    error: str = ""
    published: str = ""
    ready_at: float = 0.0

    @property
    def state(self) -> str:
        return "uploading" if self.required else self.states[0]


@dataclass(slots=True)
class Site:
    id: str
    name: str
    owner: str
    blobs: dict[str, bytes] = field(default_factory=dict)
    deploys: list[Deploy] = field(default_factory=list)
    published: Deploy | None = None


class FakeNetlify(Loopback):
    """`with FakeNetlify() as netlify:` serves at `netlify.url`. `netlify.sites` is what it holds."""

    def __init__(self, *, port: int = 0) -> None:
        super().__init__(port)
        self.script = Script()
        self.sites: list[Site] = []
        self.tokens: dict[str, str] = {}
        """Whom each token stands for."""
        self.allowance = 500
        self.live = LiveSites()
        self._lock = threading.RLock()

    @property
    def url(self) -> str:
        return f"{super().url}/api/v1"

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        super().__exit__(kind, error, at)
        self.live.close()

    def add_token(self, token: str = "", who: str = ME) -> str:
        token = token or secrets.token_hex(12)
        self.tokens[token] = who
        return token

    def add_site(self, name: str, owner: str = ME, *, empty: bool = False) -> Site:
        """One that somebody made by other means, with something live on it."""
        site = Site(str(secrets.token_hex(8)), name, owner)
        self.sites.append(site)
        if not empty:
            content = b"not yours"
            sha = hashlib.sha1(content, usedforsecurity=False).hexdigest()
            site.blobs[sha] = content
            deploy = self.add_deploy(site, "by hand", {"/index.html": sha})
            deploy.states[:] = ["ready"]
            self.publish(deploy)
        return site

    def add_deploy(self, site: Site, title: str, files: dict[str, str]) -> Deploy:
        required = sorted({sha for sha in files.values() if sha not in site.blobs})
        states = list(self.script.states)
        deploy = Deploy(secrets.token_hex(12), site, title, files, required, _now(), states, self.script.list_lag)
        if self.script.fail:
            deploy.states[-1], deploy.error, self.script.fail = "error", self.script.fail, ""
        site.deploys.append(deploy)
        self.when_whole(deploy)
        return deploy

    def when_whole(self, deploy: Deploy) -> None:
        if not deploy.required and self.script.seconds:
            deploy.ready_at = time.time() + self.script.seconds

    def publish(self, deploy: Deploy) -> None:
        deploy.published = deploy.published or _now()
        site = deploy.site
        site.published = deploy
        contents = {path.lstrip("/"): site.blobs[sha] for path, sha in deploy.files.items()}
        self.live.show(site.name, self.live.build(contents, {}, static=True, words=""))

    def keys(self, name: str) -> list[str]:
        """What the titles of a site's deployments call their key, in the order in which they were made."""
        found = [site for site in self.sites if site.name == name]
        titles = [deploy.title for site in found for deploy in site.deploys]
        return ["".join(parse_qs(title.partition(" ")[2]).get("key", [])) for title in titles]

    def answer(self, asked: Asked) -> Reply:
        with self._lock:
            try:
                status, headers, body = self._routed(asked)
            except Refused as refused:
                status, headers, body = refused.reply()
            self.allowance -= 1
            limits = {
                "x-ratelimit-limit": "500",
                "x-ratelimit-remaining": str(max(self.allowance, 0)),
                "x-ratelimit-reset": str(int(time.time()) + 60),
            }
            return status, {**limits, **headers}, body

    def refused(self, trouble: Trouble) -> Reply:
        return Refused(trouble.status, trouble.code or "trouble", headers=trouble.headers).reply()

    def _routed(self, asked: Asked) -> Reply:
        who = self.tokens.get(asked.bearer)
        if who is None:
            raise Refused(401, "Access Denied")
        if not asked.headers.get("user-agent"):
            raise Refused(403, "Send a User-Agent")
        if self.allowance <= 0:
            raise Refused(429, "Too many requests")
        for method, pattern, queries, answerer in ROUTES:
            found = re.fullmatch(f"/api/v1{pattern}", asked.path)
            if found and method == asked.method:
                if unknown := set(asked.query) - queries:
                    raise Refused(400, f"Unknown query: {sorted(unknown)}")
                return answerer(self, who, asked, found)
        raise Refused(404, "Not Found")

    def site(self, who: str, id: str) -> Site:
        for site in self.sites:
            if site.id == id and site.owner == who:
                return site
        raise Refused(404, "Not Found")

    def deploy(self, who: str, id: str) -> Deploy:
        for site in self.sites:
            for deploy in site.deploys:
                if deploy.id == id and site.owner == who:
                    return deploy
        raise Refused(404, "Not Found")

    def shown(self, deploy: Deploy) -> dict[str, Any]:
        address = f"http://{self.live.address(deploy.site.name)}"
        return {
            "id": deploy.id,
            "site_id": deploy.site.id,
            "state": deploy.state,
            "name": deploy.site.name,
            "title": deploy.title,
            "required": deploy.required,
            "required_functions": [],
            "error_message": deploy.error if deploy.state == "error" else None,
            "created_at": deploy.created,
            "published_at": deploy.published or None,
            "context": "production",
            "draft": False,
            "ssl_url": address,
            "deploy_ssl_url": f"{address}/?deploy={deploy.id}",
            "admin_url": f"https://app.netlify.com/projects/{deploy.site.name}",
        }

    def shown_site(self, site: Site) -> dict[str, Any]:
        return {
            "id": site.id,
            "name": site.name,
            "state": "current",
            "ssl_url": f"http://{self.live.address(site.name)}",
            "admin_url": f"https://app.netlify.com/projects/{site.name}",
            "published_deploy": self.shown(site.published) if site.published else None,
        }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _user(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    return as_json({"id": f"u-{who}", "email": who, "full_name": who.partition("@")[0].title()})


def _accounts(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    return as_json([{"id": "a-1", "name": who, "slug": "ada", "type_name": netlify.script.plan}])


def _list_sites(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    mine = [s for s in netlify.sites if s.owner == who and asked.query.get("name", "") in s.name]
    return as_json([netlify.shown_site(site) for site in _page(mine, asked.query)])


def _page(entries: list[Any], query: dict[str, str]) -> list[Any]:
    size, page = int(query.get("per_page", "100")), int(query.get("page", "1"))
    if not 1 <= size <= 100 or page < 1:
        raise Refused(400, "per_page is from 1 to 100")
    return entries[(page - 1) * size : page * size]


def _make_site(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    body = _object(asked, {"name", "custom_domain"})
    name = body.get("name") or f"clever-{secrets.token_hex(4)}"
    if not NAME.fullmatch(name):
        raise Refused(422, "", {"errors": {"subdomain": ["is invalid"]}})
    if any(site.name == name for site in netlify.sites):
        raise Refused(422, "", {"errors": {"subdomain": ["must be unique"]}})
    site = netlify.add_site(name, who, empty=True)
    return as_json(netlify.shown_site(site), 201)


def _get_site(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    return as_json(netlify.shown_site(netlify.site(who, found["id"])))


def _delete_site(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    site = netlify.site(who, found["id"])
    netlify.sites.remove(site)
    netlify.live.show(site.name, None)
    return 204, {}, b""


def _list_deploys(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    shown = []
    for deploy in reversed(netlify.site(who, found["id"]).deploys):
        if deploy.hidden:
            deploy.hidden -= 1
        else:
            shown.append(deploy)
    # A list does not say what is still wanted of each.
    return as_json([{**netlify.shown(deploy), "required": None} for deploy in _page(shown, asked.query)])


def _deploy(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    site, body = netlify.site(who, found["id"]), _object(asked, DEPLOY_FIELDS)
    files = body.get("files")
    if not isinstance(files, dict) or not files:
        raise Refused(400, "`files` is missing")
    for path, sha in files.items():
        if not path.startswith("/") or "//" in path or "#" in path or "?" in path:
            raise Refused(422, f"Invalid path: {path}")
        if not re.fullmatch(r"[0-9a-f]{40}", sha):
            raise Refused(422, f"Invalid digest: {sha}")
    return as_json(netlify.shown(netlify.add_deploy(site, asked.query.get("title", ""), files)))


def _upload(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    deploy, path = netlify.deploy(who, found["id"]), "/" + unquote(found["path"])
    if asked.headers.get("content-type") != "application/octet-stream":
        raise Refused(400, "Content-Type has to be application/octet-stream")
    sha = deploy.files.get(path)
    if sha is None:
        raise Refused(404, f"No such file in this deploy: {path}")
    if hashlib.sha1(asked.body, usedforsecurity=False).hexdigest() != sha:
        raise Refused(422, "The content does not match its digest")
    deploy.site.blobs[sha] = asked.body
    if sha in deploy.required:
        deploy.required.remove(sha)
        netlify.when_whole(deploy)
    return as_json({"id": path, "path": path, "sha": sha, "size": len(asked.body)})


def _get_deploy(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    deploy = netlify.deploy(who, found["id"])
    said = netlify.shown(deploy)
    waits = deploy.ready_at and time.time() < deploy.ready_at
    if not deploy.required and not waits:
        if deploy.ready_at:
            del deploy.states[:-1]
            said = netlify.shown(deploy)
        if len(deploy.states) > 1:
            del deploy.states[0]
        elif deploy.state == "ready" and netlify.script.publishes and not deploy.published:
            netlify.publish(deploy)
    return as_json(said)


def _delete_deploy(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    deploy = netlify.deploy(who, found["id"])
    deploy.site.deploys.remove(deploy)
    return 204, {}, b""


def _restore(netlify: FakeNetlify, who: str, asked: Asked, found: "re.Match[str]") -> Reply:
    deploy = netlify.deploy(who, found["deploy"])
    if deploy.site is not netlify.site(who, found["id"]) or deploy.state != "ready":
        raise Refused(422, "This deploy cannot be published")
    netlify.publish(deploy)
    return as_json(netlify.shown(deploy), 201)


def _object(asked: Asked, fields: set[str]) -> dict[str, Any]:
    body = asked.json
    if not asked.headers.get("content-type", "").startswith("application/json") or not isinstance(body, dict):
        raise Refused(400, "The body has to be JSON")
    if unknown := set(body) - fields:
        raise Refused(400, f"Unknown fields: {sorted(unknown)}")
    return body


ROUTES: tuple[tuple[str, str, set[str], Answerer], ...] = (
    ("GET", "/user", set(), _user),
    ("GET", "/accounts", {"minimal"}, _accounts),
    ("GET", "/sites", {"name", "filter", "page", "per_page"}, _list_sites),
    ("POST", "/sites", {"configure_dns"}, _make_site),
    ("GET", r"/sites/(?P<id>\w+)", set(), _get_site),
    ("DELETE", r"/sites/(?P<id>\w+)", set(), _delete_site),
    ("GET", r"/sites/(?P<id>\w+)/deploys", {"page", "per_page"}, _list_deploys),
    ("POST", r"/sites/(?P<id>\w+)/deploys", {"title"}, _deploy),
    ("POST", r"/sites/(?P<id>\w+)/deploys/(?P<deploy>\w+)/restore", set(), _restore),
    ("GET", r"/deploys/(?P<id>\w+)", set(), _get_deploy),
    ("DELETE", r"/deploys/(?P<id>\w+)", set(), _delete_deploy),
    ("PUT", r"/deploys/(?P<id>\w+)/files/(?P<path>.+)", {"size"}, _upload),
)


if __name__ == "__main__":
    raise SystemExit(serve_alone(__doc__, lambda port: FakeNetlify(port=port)))
