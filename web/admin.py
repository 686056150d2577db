"""The service itself: is it well, what does it count, end it."""

import re
from typing import Annotated

import flask
from pydantic import Field
from typing_extensions import TypedDict

from web.deps import Deps
from web.routes import Reply, Route, Said, said
from web.task_shapes import Mode, Time

TEXT = "text/plain"
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class Metrics(Reply):
    metrics: dict[str, float]


class Workers(TypedDict):
    running: int
    waiting: int


class Probe(TypedDict):
    """One attack on a sandbox."""

    name: str
    what: str
    stopped: bool
    required: bool
    detail: str


class SandboxTest(TypedDict):
    sandbox: str
    level: str
    ok: bool
    message: str
    seconds: float
    probes: list[Probe]


class Sandbox(TypedDict):
    """Whether code can be run here, and behind which wall."""

    ok: bool
    message: str
    sandbox: str | None
    level: str | None
    checked: bool
    tests: list[SandboxTest]


class Health(Reply, total=False):
    """All but the message only for who carries the token."""

    version: str
    uptime: float
    queue: int
    waiting: Annotated[int, Field(description="How many tasks wait for the owner.")]
    workers: Workers
    autonomy: Mode
    autonomy_until: Time | None
    last_seq: Annotated[int, Field(description="Number of the newest event.")]
    notices: list[str]
    sandbox: Sandbox
    backups: str


def health(deps: Deps, owner: bool) -> Said:
    """Say whether the service is well; with the token also how much it has to do."""
    return said("ok", **deps.health()) if owner else said("ok")


def metrics(deps: Deps) -> Said | flask.Response:
    """Show counters and timings, as JSON or, for `Accept: text/plain`, as Prometheus reads them."""
    found = {**deps.counts.as_metrics(), "http_streams": float(deps.feed.streams), **deps.metrics()}
    if flask.request.accept_mimetypes.best_match(["application/json", TEXT]) == TEXT:
        lines = [f"agent_{re.sub(r'[^A-Za-z0-9_]', '_', name)} {value}\n" for name, value in found.items()]
        return flask.Response("".join(lines), content_type=PROMETHEUS)
    return said(f"{len(found)} figures", metrics=found)


def admin_stop(deps: Deps) -> Said:
    """End the service; what is under way is finished or parked first."""
    deps.stop()
    return said("The service is stopping")


class SelfTest(Reply):
    sandbox: Sandbox


def admin_selftest(deps: Deps) -> Said:
    """Attack the sandbox in every known way and say which attacks it stopped; one that fails is not used any more."""
    found = deps.selftest()
    return said(str(found["message"]), success=bool(found["ok"]), sandbox=found)


ROUTES = (
    Route("GET", "/health", health, {200: Health}, open=True),
    Route("GET", "/metrics", metrics, {200: Metrics}, media=(TEXT,)),
    Route("POST", "/admin/stop", admin_stop, {200: Reply}),
    Route("POST", "/admin/selftest", admin_selftest, {200: SelfTest}),
)
