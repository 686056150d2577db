"""What the fake of Render holds: services with their variables, and deploys that go on a step at each look."""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from cloud_fakes.live_sites import CannotHost, LiveSites, Version
from cloud_fakes.loopback import Reply, as_json

RUNNING = ("created", "build_in_progress", "update_in_progress", "live")
Source = Callable[[str, str], Mapping[str, bytes] | None]
"""The files of a repository at a commit; None if there is no such thing. An empty commit is the newest one."""


class Refused(Exception):
    """An answer that is an error, in the flat shape that Render gives it."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        self.status = status
        self.message = message
        self.headers = headers or {}

    def reply(self) -> Reply:
        return as_json({"id": "err-1", "message": self.message}, self.status, **self.headers)


@dataclass(slots=True)
class Deploy:
    id: str
    trigger: str
    created: str
    commit: str = ""
    image: str = ""
    status: str = "created"
    finished: str = ""
    version: Version | None = None
    log: list[tuple[str, str]] = field(default_factory=list)
    """When and what."""
    fails: tuple[str, ...] = ()

    def shown(self, *, late: bool = False) -> dict[str, Any]:
        about_commit = {"id": self.commit, "message": "A change", "createdAt": self.created}
        commit = {"commit": about_commit} if self.commit and (self.finished or not late) else {}
        image = {"image": {"ref": self.image, "sha": "sha256:0"}} if self.image else {}
        ended = {"finishedAt": self.finished} if self.finished else {}
        about = {"id": self.id, "status": self.status, "trigger": self.trigger}
        return {**about, **commit, **image, "createdAt": self.created, "updatedAt": self.created, **ended}


@dataclass(slots=True)
class Service:
    id: str
    owner: str
    name: str
    type: str
    repo: str
    image: str
    details: dict[str, Any]
    created: str
    env: dict[str, str] = field(default_factory=dict)
    suspended: bool = False
    deploys: list[Deploy] = field(default_factory=list)
    """The oldest first."""

    @property
    def live(self) -> Deploy | None:
        return next((deploy for deploy in self.deploys if deploy.status == "live"), None)


@dataclass(slots=True)
class Script:
    """What is to happen."""

    fail: tuple[str, ...] = ()
    """The lines of the log with which the next build fails."""
    fail_at_start: bool = False
    """The next one is built, and then does not start."""
    card_needed: bool = False
    late_commits: bool = False
    """It is told which commit a deploy is about only when it is live."""
    queue: bool = False
    """Deploys that are asked for are only queued at first."""


class RenderState:
    def __init__(self, sites: LiveSites, source: Source) -> None:
        self.services: list[Service] = []
        self.script = Script()
        self.sites = sites
        self._source = source
        self._numbers = itertools.count(1)
        self._now = datetime(2026, 11, 17, 10, tzinfo=UTC)

    def tick(self) -> str:
        """Time goes on by a second with everything that happens."""
        self._now += timedelta(seconds=1)
        return self._now.isoformat().replace("+00:00", "Z")

    def new_id(self, kind: str) -> str:
        return f"{kind}-{next(self._numbers):020d}"

    def files(self, repo: str, commit: str) -> Mapping[str, bytes] | None:
        return self._source(repo, commit)

    def service(self, id: str) -> Service:
        for service in self.services:
            if service.id == id:
                return service
        raise Refused(404, "service not found")

    def begin(self, service: Service, trigger: str, *, commit: str = "", image: str = "") -> Deploy:
        """A deploy, with what will come of it."""
        deploy = Deploy(self.new_id("dep"), trigger, self.tick(), commit, image)
        deploy.fails, self.script.fail = self.script.fail, ()
        service.deploys.append(deploy)
        return deploy

    def advance(self, service: Service, deploy: Deploy) -> None:
        if deploy.status not in RUNNING[:-1]:
            return
        deploy.status = RUNNING[RUNNING.index(deploy.status) + 1]
        if deploy.status == "build_in_progress":
            self._say(deploy, "==> Cloning the repository", "==> Running build command")
        elif deploy.status == "update_in_progress":
            self._build(service, deploy)
        elif self.script.fail_at_start:
            self.script.fail_at_start = False
            self._say(deploy, "==> Exited with status 1")
            self._end(deploy, "update_failed")
        else:
            self._go_live(service, deploy)

    def _build(self, service: Service, deploy: Deploy) -> None:
        if deploy.fails:
            self._say(deploy, *deploy.fails)
            self._end(deploy, "build_failed")
            return
        if deploy.version is None:
            try:
                deploy.version = self._version(service, deploy)
            except CannotHost as why:
                self._say(deploy, *str(why).splitlines())
                self._end(deploy, "build_failed")
                return
        self._say(deploy, "==> Build successful")

    def _version(self, service: Service, deploy: Deploy) -> Version:
        files = self.files(service.repo, deploy.commit) or {}
        static = service.type == "static_site"
        if static:
            folder = service.details["publishPath"].strip("./")
            above = f"{folder}/" if folder else ""
            files = {path.removeprefix(above): data for path, data in files.items() if path.startswith(above)}
        words = f"The app from {deploy.image or deploy.commit}"
        return self.sites.build(files, service.env, static=static, words=words)

    def _go_live(self, service: Service, deploy: Deploy) -> None:
        before = service.live
        deploy.status = "live"
        if before is not None and before is not deploy:
            before.status = "deactivated"
        deploy.finished = self.tick()
        self.sites.show(service.id, deploy.version)

    def _end(self, deploy: Deploy, status: str) -> None:
        deploy.status, deploy.finished = status, self.tick()

    def _say(self, deploy: Deploy, *lines: str) -> None:
        deploy.log += [(self.tick(), line) for line in lines]

    def shown(self, service: Service) -> dict[str, Any]:
        source = {"imagePath": service.image} if service.image else {"repo": service.repo, "branch": "main"}
        return {
            "id": service.id,
            "ownerId": service.owner,
            "name": service.name,
            "slug": service.name,
            "type": service.type,
            **source,
            "autoDeploy": "no",
            "autoDeployTrigger": "off",
            "suspended": "suspended" if service.suspended else "not_suspended",
            "suspenders": ["user"] if service.suspended else [],
            "createdAt": service.created,
            "updatedAt": service.created,
            "dashboardUrl": f"https://dashboard.render.com/web/{service.id}",
            "serviceDetails": {**service.details, "url": f"http://{self.sites.address(service.id)}"},
        }
