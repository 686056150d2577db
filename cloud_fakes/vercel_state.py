"""What the fake of Vercel holds: projects with their variables and deployments, and files by their digests."""

import itertools
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cloud_fakes.live_sites import CannotHost, LiveSites, Version
from cloud_fakes.loopback import Reply, as_json
from cloud_fakes.vercel_builds import Built, build, event

NAME = re.compile(r"(?!.*---)[a-z0-9][a-z0-9._-]{0,99}")
LOGIN = (
    401,
    {"content-type": "text/html", "server": "Vercel", "set-cookie": "_vercel_sso_nonce=x; Path=/; HttpOnly"},
    b'<!doctype html><title>Authentication Required</title><script>location="https://vercel.com/sso-api?url=x"</script>',
)
ENDED = {"READY", "ERROR", "CANCELED", "BLOCKED"}


class Refused(Exception):
    """An answer that is an error, in the shape that Vercel gives it."""

    def __init__(
        self, status: int, code: str, message: str = "", headers: dict[str, str] | None = None, **more: Any
    ) -> None:
        self.status = status
        self.error = {"code": code, "message": message or code, **more}
        self.headers = headers or {}

    def reply(self) -> Reply:
        return as_json({"error": self.error}, self.status, **self.headers)


@dataclass(slots=True)
class Script:
    """How deployments go from now on. Counts are of questions after which the next thing happens."""

    states: tuple[str, ...] = ("QUEUED", "BUILDING", "READY")
    """What a deployment is, question by question; the last but for a failed build, which is ERROR."""
    alias_polls: int = 1
    job_polls: int = 1
    seconds: float = 0.0
    """If not 0, a deployment is ready so many seconds after it was made, whatever is asked."""
    fail: tuple[str, ...] = ()
    """Lines of the log of a build that fails, the next time only."""
    alias_error: str = ""
    alias_job: str = "succeeded"
    """How jobs that move an alias end."""
    nested_events: bool = False
    list_lag: int = 0
    """For so many listings a new deployment is not shown yet."""
    per_day: int = 100
    plan: str = "hobby"
    protects: bool = True
    """Whether projects are protected unless they are made with `ssoProtection: null`."""
    bad_variables: set[str] = field(default_factory=set)
    """Keys of variables that are refused, in an answer that is a success."""


@dataclass(slots=True)
class Deployment:
    id: str
    project: "Project"
    created: int
    meta: dict[str, str]
    target: str | None
    files: dict[str, bytes]
    built: Built
    states: list[str]
    alias_polls: int
    alias_error: str
    ready_at: float
    hidden: int
    version: Version | None = None
    promoted: bool = False
    assigned: bool = False
    deleted: bool = False
    url: str = ""

    @property
    def state(self) -> str:
        return self.states[0]


@dataclass(slots=True)
class Project:
    id: str
    name: str
    scope: str
    settings: dict[str, Any] | None
    protection: dict[str, Any] | None
    env: dict[str, dict[str, Any]] = field(default_factory=dict)
    deployments: list[Deployment] = field(default_factory=list)
    production: Deployment | None = None
    previous: Deployment | None = None
    auto_assign: bool = True
    job: dict[str, Any] | None = None
    job_polls: int = 0


class VercelState:
    """Not for several threads at once."""

    def __init__(self, sites: LiveSites, script: Script, clock: Callable[[], float] = time.time) -> None:
        self.script = script
        self.projects: list[Project] = []
        self.blobs: dict[tuple[str, str], bytes] = {}
        """By scope and digest."""
        self._sites = sites
        self._clock = clock
        self._last = 0
        self._numbers = itertools.count(1)

    def now(self) -> int:
        """Milliseconds, never the same twice."""
        self._last = max(self._last + 1, int(self._clock() * 1000))
        return self._last

    def find(self, scope: str, id_or_name: str) -> Project | None:
        return next((p for p in self.projects if p.scope == scope and id_or_name in (p.id, p.name)), None)

    def project(self, scope: str, id_or_name: str) -> Project:
        found = self.find(scope, id_or_name)
        if found is None:
            raise Refused(404, "not_found", "Project not found")
        return found

    def deployment(self, scope: str, id_or_url: str) -> Deployment:
        for project in self.projects:
            for deployment in project.deployments:
                if project.scope == scope and id_or_url in (deployment.id, deployment.url) and not deployment.deleted:
                    return deployment
        raise Refused(404, "deployment_not_found", "Deployment not found")

    def add_project(self, scope: str, name: str, settings: dict[str, Any] | None, **given: Any) -> Project:
        if not NAME.fullmatch(name):
            raise Refused(400, "bad_request", "Project names can be up to 100 characters, lowercase, without `---`")
        if self.find(scope, name):
            raise Refused(409, "conflict", f'Project "{name}" already exists, please use a new name.')
        usual = {"deploymentType": "all"} if self.script.protects else None
        made = Project(f"prj_{secrets.token_hex(12)}", name, scope, settings, given.get("ssoProtection", usual))
        self.projects.append(made)
        return made

    def deploy(self, project: Project, files: dict[str, bytes], body: Mapping[str, Any]) -> Deployment:
        script = self.script
        built = build(files, project.settings or {})
        if script.fail:
            lines = [("stdout", "Installing..."), *(("stderr", line) for line in script.fail)]
            built, script.fail = Built(lines, "BUILD_FAILED", 'Command "npm run build" exited with 1'), ()
        states = [script.states[0], *script.states]
        if built.error_code and states[-1] == "READY":
            states[-1] = "ERROR"
        made = Deployment(
            id=f"dpl_{secrets.token_hex(12)}",
            project=project,
            created=self.now(),
            meta=dict(body.get("meta") or {}),
            target=body.get("target"),
            files=files,
            built=built,
            states=states,
            alias_polls=script.alias_polls,
            alias_error=script.alias_error,
            ready_at=self._clock() + script.seconds if script.seconds else 0.0,
            hidden=script.list_lag,
        )
        made.url = self._sites.address(made.id)
        project.deployments.append(made)
        return made

    def advance(self, deployment: Deployment) -> None:
        """Somebody asked how it stands; time goes on."""
        timed = deployment.ready_at
        if timed and self._clock() < timed:
            return
        if timed:
            del deployment.states[:-1]
        elif len(deployment.states) > 1:
            del deployment.states[0]
        if deployment.state == "READY":
            self._ready(deployment)

    def _ready(self, deployment: Deployment) -> None:
        project = deployment.project
        if deployment.version is None:
            env = {key: variable["value"] for key, variable in project.env.items()}
            built = deployment.built
            words = f"{project.name} runs here, deployment {deployment.id}"
            try:
                deployment.version = self._sites.build(built.output, env, static=built.static, words=words)
            except CannotHost as error:
                lines = [*built.lines, *(("stderr", line) for line in str(error).splitlines())]
                deployment.built = Built(lines, "BUILD_FAILED", "The app does not start")
                deployment.states[:] = ["ERROR"]
                return
            self._sites.show(deployment.id, deployment.version)
            self._guard(project, deployment.id)
        if deployment.assigned or deployment.alias_error or deployment.target != "production":
            return
        if project.auto_assign:
            if deployment.alias_polls:
                deployment.alias_polls -= 1
            else:
                self.assign(deployment)

    def assign(self, deployment: Deployment) -> None:
        """Visitors of the project's address see this one from now on."""
        project = deployment.project
        if project.production is not deployment:
            project.previous, project.production = project.production, deployment
        deployment.assigned = deployment.promoted = True
        address = f"{project.scope}/{project.name}"
        self._sites.show(address, deployment.version)
        self._guard(project, address)

    def _guard(self, project: Project, address: str) -> None:
        self._sites.guard(address, LOGIN if project.protection else None)

    def alias_of(self, project: Project) -> str:
        return self._sites.address(f"{project.scope}/{project.name}")

    def move_alias(self, deployment: Deployment, kind: str) -> None:
        project = deployment.project
        current = project.production.id if project.production else None
        project.job_polls = self.script.job_polls
        project.job = {
            "fromDeploymentId": current,
            "toDeploymentId": deployment.id,
            "jobStatus": "pending",
            "requestedAt": self.now(),
            "type": kind,
        }

    def advance_job(self, project: Project) -> None:
        job = project.job
        if not job or job["jobStatus"] not in {"pending", "in-progress"}:
            return
        if project.job_polls:
            project.job_polls -= 1
            job["jobStatus"] = "in-progress"
            return
        job["jobStatus"] = self.script.alias_job
        if job["jobStatus"] == "succeeded":
            wanted = self.deployment(project.scope, job["toDeploymentId"])
            try:
                self._sites.wake(wanted.version)
            except CannotHost:
                job["jobStatus"] = "failed"
                return
            project.auto_assign = job["type"] == "promote"
            self.assign(wanted)

    def live_urls(self) -> set[str]:
        """Where those apps run that visitors see now."""
        live = (project.production.version for project in self.projects if project.production)
        return {version.url for version in live if version and not version.asleep}

    def remove(self, project: Project) -> None:
        self.projects.remove(project)
        self._sites.show(f"{project.scope}/{project.name}", None)
        for deployment in project.deployments:
            self._sites.show(deployment.id, None)

    def shown(self, deployment: Deployment, *, listed: bool = False) -> dict[str, Any]:
        """All that Vercel would say of a deployment; a listing calls its id otherwise."""
        project, built = deployment.project, deployment.built
        said: dict[str, Any] = {
            "uid" if listed else "id": deployment.id,
            "name": project.name,
            "projectId": project.id,
            "url": deployment.url,
            "created": deployment.created,
            "createdAt": deployment.created,
            "readyState": deployment.state,
            "target": deployment.target,
            "meta": deployment.meta,
            "inspectorUrl": f"https://vercel.com/{project.scope}/{project.name}/{deployment.id[4:]}",
            "aliasAssigned": deployment.created + 5 if deployment.assigned else False,
            "aliasError": None,
        }
        if not listed:
            said["plan"] = self.script.plan
        said["state" if listed else "alias"] = deployment.state if listed else []
        if deployment.state == "READY":
            said["readySubstate"] = "PROMOTED" if deployment.promoted else "STAGED"
            if deployment.alias_error:
                said["aliasError"] = {"code": deployment.alias_error, "message": "The alias could not be assigned"}
            if deployment.assigned and not listed:
                said["alias"] = [self.alias_of(project)]
        if deployment.state == "ERROR":
            said |= {"errorCode": built.error_code, "errorMessage": built.error_message, "errorStep": "buildStep"}
        if deployment.state == "BLOCKED":
            said["readyStateReason"] = "The account was blocked by fair use limits"
        return said

    def shown_project(self, project: Project) -> dict[str, Any]:
        said: dict[str, Any] = {
            "id": project.id,
            "name": project.name,
            "accountId": project.scope,
            "framework": (project.settings or {}).get("framework"),
            "ssoProtection": project.protection,
            "targets": {},
            "lastAliasRequest": project.job,
        }
        if project.production and not project.production.deleted:
            live = self.shown(project.production)
            said["targets"] = {"production": live}
        return said

    def events(self, deployment: Deployment) -> list[dict[str, Any]]:
        """As much of the log as there is at this moment."""
        lines = deployment.built.lines if deployment.state in ENDED else deployment.built.lines[:1]
        if deployment.state in {"QUEUED", "INITIALIZING"}:
            lines = []
        nested = self.script.nested_events
        return [
            event(number, kind, text, deployment.id, deployment.created + number, nested=nested)
            for number, (kind, text) in enumerate(lines)
        ]
