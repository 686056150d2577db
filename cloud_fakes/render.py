"""A Render on this machine: as strict as the real one where that is known, with faults on demand."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any

from cloud_fakes.live_sites import Host, LiveSites
from cloud_fakes.loopback import Asked, Loopback, Reply, Trouble, as_json
from cloud_fakes.render_state import Deploy, Refused, RenderState, Service, Source

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
SERVICE_FIELDS = {
    *("type", "name", "ownerId", "repo", "branch", "image", "autoDeploy", "autoDeployTrigger", "envVars"),
    *("secretFiles", "rootDir", "buildFilter", "environmentId", "serviceDetails"),
}
PATCH_FIELDS = {"name", "repo", "branch", "image", "autoDeploy", "autoDeployTrigger", "rootDir", "serviceDetails"}
WEB_FIELDS = {"runtime", "plan", "region", "healthCheckPath", "numInstances", "envSpecificDetails"}
STATIC_FIELDS = {"buildCommand", "publishPath", "headers", "routes"}
NATIVE = {"python", "node", "go", "ruby", "rust", "elixir"}
DEPLOY_FIELDS = {"clearCache", "commitId", "imageUrl", "deployMode", "buildId"}
TRIGGERS = {None, "commit", "checksPass", "off"}
CACHES = {None, "clear", "do_not_clear"}
MODES = {None, "build_and_deploy", "deploy_only"}
LOG_OPTIONS = {
    *("ownerId", "resource", "type", "level", "text", "startTime", "endTime", "direction", "limit"),
    *("instance", "host", "path"),
}


class FakeRender(Loopback):
    """The interface is at `api_url`. `render.state` is what it holds, `render.sources` the repositories that it sees.

    `source` gives the files of repositories that are not in `sources`.
    """

    def __init__(self, *, source: Source | None = None, host: Host | None = None, port: int = 0) -> None:
        super().__init__(port)
        self.sites = LiveSites(host)
        self.sources: dict[str, dict[str, Mapping[str, bytes]]] = {}
        """By address: the commits, the newest last, and the files of each."""
        self.state = RenderState(self.sites, self._files)
        self.owners: dict[str, list[dict[str, Any]]] = {}
        """The workspaces of each key."""
        self._source = source
        self._lock = threading.RLock()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        super().__exit__(kind, error, at)
        self.sites.close()

    @property
    def api_url(self) -> str:
        return f"{self.url}/v1"

    def add_key(self, key: str, *names: str) -> list[str]:
        """The ids of the workspaces that it opens."""
        found = [{"id": f"tea-{name}", "name": name, "email": f"{name}@example.org", "type": "team"} for name in names]
        self.owners[key] = found
        return [str(one["id"]) for one in found]

    def add_service(self, name: str, owner: str) -> Service:
        """One that somebody else made."""
        created = self.state.tick()
        details = {"publishPath": "public"}
        service = Service(self.state.new_id("srv"), owner, name, "static_site", "https://x/y", "", details, created)
        deploy = self.state.begin(service, "new_commit", commit="c0")
        while deploy.status != "live":
            self.state.advance(service, deploy)
        self.state.services.append(service)
        return service

    def _files(self, repo: str, commit: str) -> Mapping[str, bytes] | None:
        if repo in self.sources:
            commits = self.sources[repo]
            return commits.get(commit) if commit else next(reversed(commits.values()), None)
        return self._source(repo, commit) if self._source else None

    def refused(self, trouble: Trouble) -> Reply:
        return Refused(trouble.status, trouble.code or "something is wrong", dict(trouble.headers)).reply()

    def answer(self, asked: Asked) -> Reply:
        with self._lock:
            try:
                owners = self.owners.get(asked.bearer)
                if owners is None:
                    raise Refused(401, "Unauthorized")
                if not re.search(r"application/json|\*/\*", asked.headers.get("accept", "*/*")):
                    raise Refused(406, "Unable to generate preferred media type")
                return _Request(self, owners, asked).reply()
            except Refused as refused:
                return refused.reply()


class _Request:
    """Answers one request whose sender is known."""

    def __init__(self, render: FakeRender, owners: list[dict[str, Any]], asked: Asked) -> None:
        self._render = render
        self._state = render.state
        self._owners = owners
        self._ids = {str(owner["id"]) for owner in owners}
        self._asked = asked

    def reply(self) -> Reply:
        one = r"/v1/services/(srv-\d+)"
        routes: list[tuple[str, str, Callable[..., Reply]]] = [
            ("GET", r"/v1/owners", self._list_owners),
            ("GET", r"/v1/services", self._list),
            ("POST", r"/v1/services", self._create),
            ("GET", one, self._get),
            ("PATCH", one, self._change),
            ("DELETE", one, self._delete),
            ("POST", one + r"/(suspend|resume)", self._suspend),
            ("GET", one + r"/env-vars", self._variables),
            ("PUT", one + r"/env-vars", self._replace_variables),
            ("GET", one + r"/env-vars/([A-Za-z_]\w*)", self._variable),
            ("PUT", one + r"/env-vars/([A-Za-z_]\w*)", self._set_variable),
            ("GET", one + r"/deploys", self._deploys),
            ("POST", one + r"/deploys", self._trigger),
            ("GET", one + r"/deploys/(dep-\d+)", self._deploy),
            ("POST", one + r"/deploys/(dep-\d+)/cancel", self._cancel),
            ("POST", one + r"/rollback", self._roll_back),
            ("GET", r"/v1/logs", self._logs),
        ]
        for method, pattern, answer in routes:
            if method == self._asked.method and (found := re.fullmatch(pattern, self._asked.path)):
                return answer(*found.groups())
        raise Refused(404, "not found")

    def _list_owners(self) -> Reply:
        self._options({"name", "email", "cursor", "limit"})
        return self._page("owner", self._owners)

    def _list(self) -> Reply:
        options = self._options({"name", "ownerId", "type", "suspended", "includePreviews", "cursor", "limit"})
        mine = [s for s in self._state.services if s.owner in self._ids]
        mine = [s for s in mine if options.get("ownerId") in (None, s.owner) and options.get("name") in (None, s.name)]
        return self._page("service", [self._state.shown(service) for service in mine])

    def _create(self) -> Reply:
        sent = self._body(SERVICE_FIELDS)
        name, owner = sent.get("name"), sent.get("ownerId")
        if owner not in self._ids:
            raise Refused(400, "invalid ownerID")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise Refused(400, "invalid name")
        self._check_options(sent)
        if any(one.name == name and one.owner == owner for one in self._state.services):
            raise Refused(409, f"name already in use: {name}")
        if self._state.script.card_needed:
            raise Refused(402, "Payment information is required to complete this request")
        details = self._checked_details(sent)
        image, repo = self._checked_source(sent, owner, details)
        created = self._state.tick()
        id = self._state.new_id("srv")
        service = Service(id, owner, name, sent["type"], repo, image, details, created)
        service.env = {one["key"]: one.get("value", "made by Render") for one in sent.get("envVars", [])}
        self._state.services.append(service)
        deploy = self._state.begin(service, "other", commit=self._newest(repo), image=image)
        return as_json({"service": self._state.shown(service), "deployId": deploy.id}, 201)

    def _check_options(self, sent: dict[str, Any]) -> None:
        if "autoDeploy" in sent and "autoDeployTrigger" in sent:
            raise Refused(400, "autoDeploy and autoDeployTrigger exclude each other")
        if sent.get("autoDeployTrigger") not in TRIGGERS:
            raise Refused(400, "invalid autoDeployTrigger")
        for one in sent.get("envVars", []):
            if set(one) not in ({"key", "value"}, {"key", "generateValue"}):
                raise Refused(400, "invalid envVars")

    def _checked_details(self, sent: dict[str, Any]) -> dict[str, Any]:
        details = sent.get("serviceDetails")
        if not isinstance(details, dict):
            raise Refused(400, "serviceDetails is required")
        if sent.get("type") == "static_site":
            self._known(details, STATIC_FIELDS)
            return {"publishPath": "public", "buildCommand": "", **details}
        if sent.get("type") != "web_service":
            raise Refused(400, "invalid type")
        self._known(details, WEB_FIELDS)
        commands = details.get("envSpecificDetails") or {}
        if details.get("runtime") in NATIVE:
            if not commands.get("buildCommand") or not commands.get("startCommand"):
                raise Refused(400, "buildCommand and startCommand are required")
        elif details.get("runtime") not in {"docker", "image"}:
            raise Refused(400, "invalid runtime")
        return {"plan": "starter", "region": "oregon", **details}

    def _checked_source(self, sent: dict[str, Any], owner: str, details: dict[str, Any]) -> tuple[str, str]:
        image, repo = sent.get("image"), sent.get("repo")
        if bool(image) == bool(repo):
            raise Refused(400, "either a repo or an image is required")
        if image:
            if image.get("ownerId") != owner or details.get("runtime") != "image":
                raise Refused(400, "invalid image")
            return str(image["imagePath"]), ""
        if self._state.files(str(repo), "") is None:
            raise Refused(400, f"invalid or unfetchable git repository: {repo}")
        return "", str(repo)

    def _newest(self, repo: str) -> str:
        return next(reversed(self._render.sources.get(repo, {})), "") if repo else ""

    def _service(self, id: str) -> Service:
        service = self._state.service(id)
        if service.owner not in self._ids:
            raise Refused(404, "service not found")
        return service

    def _get(self, id: str) -> Reply:
        return as_json(self._state.shown(self._service(id)))

    def _change(self, id: str) -> Reply:
        service = self._service(id)
        sent = self._body(PATCH_FIELDS)
        service.repo = str(sent.get("repo", service.repo))
        details = sent.get("serviceDetails", {})
        self._known(details, STATIC_FIELDS if service.type == "static_site" else WEB_FIELDS)
        service.details |= details
        return as_json(self._state.shown(service))

    def _delete(self, id: str) -> Reply:
        service = self._service(id)
        self._state.services.remove(service)
        self._state.sites.show(service.id, None)
        return 204, {}, b""

    def _suspend(self, id: str, what: str) -> Reply:
        service = self._service(id)
        service.suspended = what == "suspend"
        live = service.live
        self._state.sites.show(service.id, None if service.suspended or live is None else live.version)
        return 202, {}, b""

    def _variables(self, id: str) -> Reply:
        self._options({"cursor", "limit"})
        return self._page("envVar", [{"key": k, "value": v} for k, v in self._service(id).env.items()])

    def _replace_variables(self, id: str) -> Reply:
        """All of them: what is not named is gone, as on Render."""
        self._service(id).env = {one["key"]: one["value"] for one in self._asked.json}
        return self._variables(id)

    def _variable(self, id: str, name: str) -> Reply:
        env = self._service(id).env
        if name not in env:
            raise Refused(404, "env var not found")
        return as_json({"key": name, "value": env[name]})

    def _set_variable(self, id: str, name: str) -> Reply:
        service = self._service(id)
        sent = self._body({"value", "generateValue"})
        if not isinstance(sent.get("value"), str):
            raise Refused(400, "value is required")
        service.env[name] = sent["value"]
        return as_json({"key": name, "value": sent["value"]})

    def _deploys(self, id: str) -> Reply:
        options = self._options({"status", "cursor", "limit", "createdBefore", "createdAfter"})
        found = [d for d in reversed(self._service(id).deploys) if options.get("status") in (None, d.status)]
        return self._page("deploy", [deploy.shown(late=self._state.script.late_commits) for deploy in found])

    def _trigger(self, id: str) -> Reply:
        service = self._service(id)
        sent = self._body(DEPLOY_FIELDS)
        if sum(name in sent for name in ("commitId", "imageUrl", "buildId")) > 1:
            raise Refused(400, "commitId, imageUrl and buildId exclude each other")
        if sent.get("clearCache") not in CACHES or sent.get("deployMode") not in MODES:
            raise Refused(400, "invalid clearCache or deployMode")
        if sent.get("deployMode") == "deploy_only" and {"commitId", "imageUrl", "clearCache"} & set(sent):
            raise Refused(400, "deploy_only excludes commitId, imageUrl and clearCache")
        commit = str(sent.get("commitId") or self._newest(service.repo))
        if service.repo and self._state.files(service.repo, commit) is None:
            raise Refused(404, f"commit {commit} not found")
        image = str(sent.get("imageUrl") or service.image)
        if image.partition(":")[0] != service.image.partition(":")[0]:
            raise Refused(400, "the image must be the configured one")
        if service.suspended:
            raise Refused(409, "service is suspended")
        deploy = self._state.begin(service, "api", commit=commit if service.repo else "", image=image)
        if self._state.script.queue:
            return 202, {}, b""
        return as_json(deploy.shown(late=self._state.script.late_commits), 201)

    def _find(self, service: Service, id: str) -> Deploy:
        for deploy in service.deploys:
            if deploy.id == id:
                return deploy
        raise Refused(404, "deploy not found")

    def _deploy(self, id: str, deploy_id: str) -> Reply:
        service = self._service(id)
        deploy = self._find(service, deploy_id)
        self._state.advance(service, deploy)
        return as_json(deploy.shown(late=self._state.script.late_commits))

    def _cancel(self, id: str, deploy_id: str) -> Reply:
        deploy = self._find(self._service(id), deploy_id)
        if deploy.finished:
            raise Refused(409, "the deploy has ended")
        deploy.status, deploy.finished = "canceled", self._state.tick()
        return as_json(deploy.shown(late=self._state.script.late_commits))

    def _roll_back(self, id: str) -> Reply:
        service = self._service(id)
        sent = self._body({"deployId"})
        old = self._find(service, str(sent.get("deployId")))
        if old.version is None:
            raise Refused(400, "this deploy cannot be rolled back to")
        deploy = self._state.begin(service, "rollback", commit=old.commit, image=old.image)
        deploy.version = old.version
        return as_json(deploy.shown(late=self._state.script.late_commits), 201)

    def _logs(self) -> Reply:
        options = self._options(LOG_OPTIONS)
        if options.get("ownerId") not in self._ids or "resource" not in options:
            raise Refused(400, "ownerId and resource are required")
        service = self._service(options["resource"])
        limit = self._limit()
        start, end = options.get("startTime", ""), options.get("endTime", "9")
        lines = sorted({(when, line) for deploy in service.deploys for when, line in deploy.log})
        chosen = [(when, line) for when, line in lines if start <= when <= end]
        if options.get("direction", "backward") == "backward":
            chosen = chosen[-limit:]
        page, rest = chosen[:limit], chosen[limit:]
        logs = [{"id": f"log-{when}", "message": line, "timestamp": when, "labels": []} for when, line in page]
        following = rest[0][0] if rest else end
        return as_json({"hasMore": bool(rest), "nextStartTime": following, "nextEndTime": end, "logs": logs})

    def _body(self, known: set[str]) -> dict[str, Any]:
        sent = self._asked.json
        if self._asked.headers.get("content-type") != "application/json" or not isinstance(sent, dict):
            raise Refused(400, "invalid JSON")
        self._known(sent, known)
        return sent

    def _known(self, sent: Iterable[str], known: set[str]) -> None:
        if unknown := set(sent) - known:
            raise Refused(400, f"unknown fields: {sorted(unknown)}")

    def _options(self, known: set[str]) -> dict[str, str]:
        self._known(self._asked.query, known)
        return self._asked.query

    def _limit(self) -> int:
        limit = int(self._asked.query.get("limit", "20"))
        if not 1 <= limit <= 100:
            raise Refused(400, "limit must be between 1 and 100")
        return limit

    def _page(self, name: str, items: list[dict[str, Any]]) -> Reply:
        start = int(self._asked.query.get("cursor", "0"))
        chosen = items[start : start + self._limit()]
        return as_json([{name: item, "cursor": str(start + n + 1)} for n, item in enumerate(chosen)])
