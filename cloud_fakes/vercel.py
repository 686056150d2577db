"""A Vercel on this machine: as strict as the real one where that is known, with faults on demand.

`python -m cloud_fakes.vercel --port 8100 --token demo` serves until it is ended.
"""

import hashlib
import re
import secrets
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from cloud_fakes.alone import serve_alone
from cloud_fakes.live_sites import Host, LiveSites
from cloud_fakes.loopback import Asked, Loopback, Reply, Trouble, as_json
from cloud_fakes.vercel_requests import (
    DEPLOYMENT_FIELDS,
    PROJECT_FIELDS,
    SETTINGS,
    check_variable,
    checked_body,
    checked_settings,
    listed_files,
    page_size,
)
from cloud_fakes.vercel_state import Deployment, Project, Refused, Script, VercelState

ME = "ada"
DAY = 24 * 60 * 60 * 1000
UPLOAD_BYTES = 100 * 10**6
PROJECTS = 200
"""Both on the free plan."""
Answerer = Callable[["FakeVercel", str, Asked, "re.Match[str]"], Reply]


class FakeVercel(Loopback):
    """`with FakeVercel() as vercel:` serves at `vercel.url`. `vercel.state` is what it holds, `vercel.script` its plan.

    A token stands for a person, who may be in teams. Each has projects of their own.
    """

    def __init__(self, *, host: Host | None = None, port: int = 0, clock: Callable[[], float] = time.time) -> None:
        super().__init__(port)
        self.script = Script()
        self.sites = LiveSites(host)
        self.state = VercelState(self.sites, self.script, clock)
        self.tokens: dict[str, str] = {}
        """Whom each token stands for."""
        self.teams: dict[str, tuple[str, set[str]]] = {}
        """By id: the slug and who is in it."""
        self.allowance = 500
        self._lock = threading.RLock()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        super().__exit__(kind, error, at)
        self.sites.close()

    def add_token(self, token: str = "", who: str = ME) -> str:
        token = token or secrets.token_hex(12)
        self.tokens[token] = who
        return token

    def add_team(self, slug: str, *members: str) -> str:
        id = f"team_{secrets.token_hex(8)}"
        self.teams[id] = (slug, set(members or (ME,)))
        return id

    def add_project(self, name: str, scope: str = ME) -> Project:
        """One that somebody else made, with something live on it."""
        with self._lock:
            project = self.state.add_project(scope, name, {"framework": None}, ssoProtection=None)
            made = self.state.deploy(project, {"index.html": b"not yours"}, {"target": "production"})
            made.created -= 2 * DAY
            while not made.assigned:
                self.state.advance(made)
            return project

    def keys(self, name: str, meta: str = "taskAgentKey", scope: str = ME) -> list[str]:
        """What is in the meta of every deployment of a project under a name, in the order in which they were made."""
        project = self.state.find(scope, name)
        return [deployment.meta.get(meta, "") for deployment in project.deployments] if project else []

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
        more: dict[str, Any] = {}
        if trouble.status == 429:
            more["limit"] = _limit(60, 100)
        return Refused(trouble.status, trouble.code or "internal_server_error", "", trouble.headers, **more).reply()

    def _routed(self, asked: Asked) -> Reply:
        who = self.tokens.get(asked.bearer)
        if who is None:
            raise Refused(403, "forbidden", "Not authorized", invalidToken=True)
        scope = self._scope(who, asked)
        for method, pattern, queries, answerer in ROUTES:
            found = re.fullmatch(pattern, asked.path)
            if found and method == asked.method:
                unknown = set(asked.query) - queries - {"teamId", "slug"}
                if unknown:
                    raise Refused(400, "bad_request", f"Invalid request: unknown query {sorted(unknown)}")
                return answerer(self, scope, asked, found)
        raise Refused(404, "not_found", "The requested endpoint was not found")

    def _scope(self, who: str, asked: Asked) -> str:
        team = asked.query.get("teamId") or asked.query.get("slug")
        if not team:
            return who
        for id, (slug, members) in self.teams.items():
            if team == (id if "teamId" in asked.query else slug) and who in members:
                return id
        raise Refused(403, "team_unauthorized", "Not authorized: you do not have access to this team")


def _user(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    who = vercel.tokens[asked.bearer]
    return as_json({"user": {"id": f"u-{who}", "username": who, "email": f"{who}@example.org", "name": who.title()}})


def _teams(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    who, plan = vercel.tokens[asked.bearer], vercel.script.plan
    mine = [
        {"id": id, "slug": slug, "name": slug.title(), "billing": {"plan": plan}}
        for id, (slug, members) in vercel.teams.items()
        if who in members
    ]
    return as_json({"teams": mine, "pagination": {"count": len(mine), "next": None, "prev": None}})


def _upload(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    digest = asked.headers.get("x-vercel-digest") or asked.headers.get("x-now-digest") or ""
    if asked.headers.get("content-type") != "application/octet-stream":
        raise Refused(400, "bad_request", "The `Content-Type` has to be `application/octet-stream`")
    if not asked.headers.get("content-length") and not asked.headers.get("x-now-size"):
        raise Refused(400, "bad_request", "The `Content-Length` is missing")
    if not re.fullmatch(r"[0-9a-f]{40}", digest):
        raise Refused(400, "bad_request", "The header `x-vercel-digest` is missing or no SHA1")
    if hashlib.sha1(asked.body, usedforsecurity=False).hexdigest() != digest:
        raise Refused(400, "bad_request", "The digest does not match the file")
    vercel.state.blobs[(scope, digest)] = asked.body
    return as_json({"urls": []})


def _deploy(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    body, state = checked_body(asked, DEPLOYMENT_FIELDS), vercel.state
    name = body.get("project") or body.get("name")
    if not isinstance(body.get("name"), str) or not isinstance(name, str):
        raise Refused(400, "bad_request", "`name` is required")
    if body.get("target") not in (None, "production", "staging"):
        raise Refused(400, "bad_request", f"No such target: {body['target']}")
    meta = body.get("meta") or {}
    if not all(isinstance(value, str) for value in meta.values()):
        raise Refused(400, "bad_request", "`meta` holds texts")
    _within_a_day(vercel, scope)
    if body.get("gitSource"):
        raise Refused(400, "bad_request", "`files` and `gitSource` exclude each other")
    files = listed_files(body.get("files"))
    _within_the_plan(vercel, sum(size for _, size in files.values()))
    settings = checked_settings(body.get("projectSettings"))
    project = state.find(scope, name)
    if settings is None and (project is None or not project.deployments):
        words = "The `projectSettings` object is required for new projects, but is missing"
        raise Refused(400, "missing_project_settings", words)
    _same_framework(project, settings, asked)
    contents = _contents(vercel, scope, files)
    if project is None:
        project = state.add_project(scope, name, settings)
    elif settings is not None:
        project.settings = {**(project.settings or {}), **settings}
    twin = None if asked.query.get("forceNew") else _twin(project, contents, body.get("target"))
    return as_json(state.shown(twin or state.deploy(project, contents, body)))


def _within_a_day(vercel: FakeVercel, scope: str) -> None:
    since = vercel.state.now() - DAY
    mine = [d for p in vercel.state.projects if p.scope == scope for d in p.deployments if d.created > since]
    if len(mine) >= vercel.script.per_day:
        total = vercel.script.per_day
        limit = _limit(3600, total)
        words = f'Resource is limited - try again in 1 hour (more than {total}, code: "api-deployments-free-per-day").'
        raise Refused(429, "api-deployments-free-per-day", words, {"retry-after": "3600"}, limit=limit)


def _within_the_plan(vercel: FakeVercel, size: int) -> None:
    if vercel.script.plan == "hobby" and size > UPLOAD_BYTES:
        raise Refused(400, "size_limit_exceeded", "The upload is too large", sizeLimit=UPLOAD_BYTES)


def _limit(seconds: int, total: int) -> dict[str, int]:
    """How Vercel tells when a limit ends: as a moment, in seconds and in milliseconds."""
    end = time.time() + seconds
    return {"remaining": 0, "reset": int(end), "resetMs": int(end * 1000), "total": total}


def _contents(vercel: FakeVercel, scope: str, files: dict[str, tuple[str, int]]) -> dict[str, bytes]:
    blobs = vercel.state.blobs
    missing = sorted({sha for sha, _ in files.values() if (scope, sha) not in blobs})
    if missing:
        raise Refused(400, "missing_files", "Missing files", missing=missing)
    wrong = [path for path, (sha, size) in files.items() if len(blobs[(scope, sha)]) != size]
    if wrong:
        raise Refused(400, "bad_request", f"Wrong sizes: {wrong}")
    return {path: blobs[(scope, sha)] for path, (sha, _) in files.items()}


def _same_framework(project: Project | None, settings: dict[str, Any] | None, asked: Asked) -> None:
    if project is None or project.settings is None or settings is None:
        return
    if settings.get("framework") != project.settings.get("framework"):
        if asked.query.get("skipAutoDetectionConfirmation") != "1":
            raise Refused(400, "bad_request", "The framework differs from the one of the project")


def _twin(project: Project, files: dict[str, bytes], target: str | None) -> Deployment | None:
    """Vercel gives back what it has already, unless it is told not to."""
    same = [d for d in project.deployments if d.files == files and d.target == target and not d.deleted]
    return same[-1] if same else None


def _get_deployment(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    deployment = vercel.state.deployment(scope, found["id"])
    vercel.state.advance(deployment)
    return as_json(vercel.state.shown(deployment))


def _delete_deployment(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    deployment = vercel.state.deployment(scope, found["id"])
    deployment.deleted = True
    vercel.sites.show(deployment.id, None)
    if deployment.project.production is deployment:
        vercel.sites.show(f"{scope}/{deployment.project.name}", None)
    return as_json({"state": "DELETED", "uid": deployment.id})


def _events(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    events = vercel.state.events(vercel.state.deployment(scope, found["id"]))
    since, limit = int(asked.query.get("since", "0")), int(asked.query.get("limit", "1000"))
    events = [event for event in events if event["created"] >= since]
    if asked.query.get("direction", "forward") == "backward":
        events.reverse()
    return as_json(events if limit == -1 else events[:limit])


def _list_deployments(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    query = asked.query
    limit = page_size(query)
    since, until = int(query.get("since", "0")), int(query.get("until", str(2**60)))
    chosen = []
    for deployment in [d for p in vercel.state.projects if p.scope == scope for d in p.deployments]:
        if deployment.hidden:
            deployment.hidden -= 1
        elif (
            query.get("projectId") in (None, deployment.project.id)
            and query.get("target") in (None, deployment.target)
            and (not query.get("state") or deployment.state in query["state"].split(","))
            and since <= deployment.created < until
            and not deployment.deleted
        ):
            chosen.append(deployment)
    chosen.sort(key=lambda deployment: -deployment.created)
    page, rest = chosen[:limit], chosen[limit:]
    following = page[-1].created if rest else None
    listed = [vercel.state.shown(deployment, listed=True) for deployment in page]
    return as_json({"deployments": listed, "pagination": {"count": len(page), "next": following, "prev": None}})


def _list_projects(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    limit, start = page_size(asked.query), int(asked.query.get("from", "0"))
    mine = [project for project in vercel.state.projects if project.scope == scope]
    page = [vercel.state.shown_project(project) for project in mine[start : start + limit]]
    following = start + limit if start + limit < len(mine) else None
    return as_json({"projects": page, "pagination": {"count": len(page), "next": following, "prev": None}})


def _make_project(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    body = checked_body(asked, PROJECT_FIELDS)
    if not isinstance(body.get("name"), str):
        raise Refused(400, "bad_request", "`name` is required")
    if vercel.script.plan == "hobby" and sum(p.scope == scope for p in vercel.state.projects) >= PROJECTS:
        raise Refused(400, "too_many_projects", f"At most {PROJECTS} projects")
    settings = checked_settings({name: body[name] for name in SETTINGS & set(body)}) or None
    given = {"ssoProtection": body["ssoProtection"]} if "ssoProtection" in body else {}
    project = vercel.state.add_project(scope, body["name"], settings, **given)
    for variable in body.get("environmentVariables", []):
        check_variable(variable)
        project.env[variable["key"]] = {"id": secrets.token_hex(8), **variable}
    return as_json(vercel.state.shown_project(project))


def _get_project(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    project = vercel.state.project(scope, found["id"])
    vercel.state.advance_job(project)
    return as_json(vercel.state.shown_project(project))


def _delete_project(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    vercel.state.remove(vercel.state.project(scope, found["id"]))
    return 204, {}, b""


def _variables(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    project = vercel.state.project(scope, found["id"])
    hidden = [{**v, "value": v["value"] if v["type"] == "plain" else "ENCRYPTED"} for v in project.env.values()]
    return as_json({"envs": hidden})


def _set_variables(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    project = vercel.state.project(scope, found["id"])
    given = asked.json if isinstance(asked.json, list) else [asked.json]
    created, failed = [], []
    for variable in given:
        check_variable(variable)
        key = variable["key"]
        if key in vercel.script.bad_variables:
            failed.append({"error": {"code": "BAD_REQUEST", "message": f"{key} is reserved", "key": key}})
        elif key in project.env and asked.query.get("upsert") != "true":
            failed.append({"error": {"code": "ENV_CONFLICT", "message": f"{key} already exists", "key": key}})
        else:
            project.env[key] = {"id": secrets.token_hex(8), **variable}
            created.append({"key": key})
    return as_json({"created": created, "failed": failed}, 201)


def _promote(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    checked_body(asked, set())
    deployment = vercel.state.deployment(scope, found["deployment"])
    if deployment.project is not vercel.state.project(scope, found["id"]) or deployment.state != "READY":
        raise Refused(422, "deployment_not_ready", "This cannot be promoted")
    vercel.state.move_alias(deployment, "promote")
    return as_json({}, 201)


def _roll_back(vercel: FakeVercel, scope: str, asked: Asked, found: "re.Match[str]") -> Reply:
    deployment = vercel.state.deployment(scope, found["deployment"])
    project = vercel.state.project(scope, found["id"])
    if deployment.project is not project or not deployment.promoted or deployment is project.production:
        raise Refused(422, "bad_request", "Only something that was live before can be rolled back to")
    if vercel.script.plan == "hobby" and deployment is not project.previous:
        raise Refused(402, "upgrade_required", "On Hobby, only the previous deployment can be rolled back to")
    vercel.state.move_alias(deployment, "rollback")
    return as_json({}, 201)


PROJECT = r"/v9/projects/(?P<id>[\w.-]+)"
DEPLOY_QUERY = {"forceNew", "skipAutoDetectionConfirmation", "withCache", "prebuilt"}
LIST_QUERY = {"projectId", "target", "state", "limit", "since", "until", "rollbackCandidate", "sha", "branch"}
EVENT_QUERY = {"direction", "follow", "limit", "name", "since", "until", "statusCode", "delimiter", "builds"}
ROUTES: tuple[tuple[str, str, set[str], Answerer], ...] = (
    ("GET", "/v2/user", set(), _user),
    ("GET", "/v2/teams", {"limit", "since", "until"}, _teams),
    ("POST", "/v2/files", set(), _upload),
    ("POST", "/v13/deployments", DEPLOY_QUERY, _deploy),
    ("GET", r"/v13/deployments/(?P<id>[\w.:-]+)", {"withGitRepoInfo"}, _get_deployment),
    ("DELETE", r"/v13/deployments/(?P<id>[\w.:-]+)", {"url"}, _delete_deployment),
    ("GET", r"/v3/deployments/(?P<id>[\w.:-]+)/events", EVENT_QUERY, _events),
    ("GET", r"/v[67]/deployments", LIST_QUERY, _list_deployments),
    ("GET", "/v10/projects", {"search", "limit", "from"}, _list_projects),
    ("POST", "/v11/projects", set(), _make_project),
    ("GET", PROJECT, set(), _get_project),
    ("DELETE", PROJECT, set(), _delete_project),
    ("GET", r"/v10/projects/(?P<id>[\w.-]+)/env", {"decrypt", "gitBranch"}, _variables),
    ("POST", r"/v10/projects/(?P<id>[\w.-]+)/env", {"upsert"}, _set_variables),
    ("POST", r"/v10/projects/(?P<id>[\w-]+)/promote/(?P<deployment>[\w-]+)", set(), _promote),
    ("POST", r"/v[19]/projects/(?P<id>[\w-]+)/rollback/(?P<deployment>[\w-]+)", {"description"}, _roll_back),
)


if __name__ == "__main__":
    raise SystemExit(serve_alone(__doc__, lambda port: FakeVercel(port=port)))
