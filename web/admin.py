"""The service itself: is it well, what does it count, end it."""

import re
from typing import Any

import flask

from web.deps import Deps
from web.routes import Reply, Route, Said, said

TEXT = "text/plain"
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class Metrics(Reply):
    metrics: dict[str, float]


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
    sandbox: dict[str, Any]


def admin_selftest(deps: Deps) -> Said:
    """Attack the sandbox in every known way and say which attacks it stopped; one that fails is not used any more."""
    found = deps.selftest()
    return said(str(found["message"]), success=bool(found["ok"]), sandbox=found)


ROUTES = (
    Route("GET", "/health", health, {200: Reply}, open=True),
    Route("GET", "/metrics", metrics, {200: Metrics}, media=(TEXT,)),
    Route("POST", "/admin/stop", admin_stop, {200: Reply}),
    Route("POST", "/admin/selftest", admin_selftest, {200: SelfTest}),
)
