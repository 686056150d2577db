"""Waiting for Render: until a deploy is live or has failed, with its build log passed on."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from contracts.deployments import Say, Tick
from contracts.errors import AppError, Failed, NotFound, Unavailable
from providers.render_api import Json, RenderApi

FAILED = {"build_failed", "pre_deploy_failed", "update_failed", "canceled"}
LIVE, REPLACED = "live", "deactivated"
SCHEDULE = ((30.0, 2.0), (120.0, 5.0))
"""Until so many seconds have passed, ask every so many; then every 10."""
LONGEST = 60 * 60.0
STATUSES = {
    "created": "Render begins",
    "queued": "It waits in Render's queue",
    "build_in_progress": "Render builds it",
    "pre_deploy_in_progress": "Render prepares it",
    "update_in_progress": "Render has built it and starts it",
    "live": "It is live",
}
WHY = {
    "build_failed": "The build on Render failed",
    "pre_deploy_failed": "What Render runs before the app failed",
    "update_failed": "Render built the app, but it does not start there",
    "canceled": "The deploy was stopped on Render",
}
TELLING = re.compile(r"error|exception|traceback|fatal|failed|not found|cannot|could not|no module|exited", re.I)
LINES = 12


def is_running(deploy: Json) -> bool:
    return str(deploy.get("status")) not in {*FAILED, LIVE, REPLACED}


@dataclass(slots=True)
class _Seen:
    status: str = ""
    entries: set[str] = field(default_factory=set)


class Waiting:
    def __init__(self, api: RenderApi, clock: Callable[[], float]) -> None:
        self._api = api
        self._clock = clock

    def until_live(self, owner: str, service: str, id: str, say: Say, tick: Tick) -> Json:
        """The deploy once it is live, or was and has been replaced. Raises Failed with the lines that matter."""
        began, seen = self._clock(), _Seen()
        while True:
            tick()
            deploy = self._api.deploy(service, id, tick)
            if deploy is None:
                raise NotFound("Render does not have that deploy any more", hint="Deploy again")
            status = str(deploy.get("status"))
            self._pass_on(owner, service, deploy, seen, say, tick)
            if status != seen.status:
                seen.status = status
                say(STATUSES.get(status, f"Render says: {self._api.line.clean(status)}"))
            if status in FAILED:
                raise self.failure(owner, service, deploy)
            if status in {LIVE, REPLACED}:
                return deploy
            self._wait_on(began, tick)

    def _wait_on(self, began: float, tick: Tick) -> None:
        elapsed = self._clock() - began
        if elapsed > LONGEST:
            raise Unavailable(
                "Render is still not done after an hour", hint="It is found again when the same is tried later"
            )
        self._api.line.wait(next((every for until, every in SCHEDULE if elapsed <= until), 10.0), tick)

    def _pass_on(self, owner: str, service: str, deploy: Json, seen: _Seen, say: Say, tick: Tick) -> None:
        for entry in self._entries(owner, service, deploy, tick):
            if str(entry.get("id")) not in seen.entries:
                seen.entries.add(str(entry.get("id")))
                say(self._api.line.clean(entry.get("message") or ""))

    def lines(self, owner: str, service: str, deploy: Json) -> list[str]:
        """Its build log, oldest first."""
        return [self._api.line.clean(entry.get("message") or "") for entry in self._entries(owner, service, deploy)]

    def _entries(self, owner: str, service: str, deploy: Json, tick: Tick | None = None) -> list[Json]:
        start = str(deploy.get("createdAt") or "")
        end = str(deploy.get("finishedAt") or "")
        return self._api.build_log(owner, service, start, end, tick) if start else []

    def failure(self, owner: str, service: str, deploy: Json) -> AppError:
        lines = self.lines(owner, service, deploy)
        telling = [line for line in lines if TELLING.search(line)][-LINES:] or lines[-LINES:]
        what = WHY[str(deploy.get("status"))]
        why = f": {telling[-1]}" if telling else ""
        return Failed(
            f"{what}{why}",
            hint="What was live before still is. Repair what the log names, then deploy again",
            details={"log": telling, "release": str(deploy.get("id"))},
        )
