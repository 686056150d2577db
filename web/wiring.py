"""Puts everything on a Flask application: routes, guard, errors, the outermost layer."""

from collections.abc import Callable
from functools import cache
from typing import Any

import flask
import orjson
from flask.json.provider import JSONProvider
from werkzeug.routing import Rule

from web import (
    admin,
    apps,
    commands,
    credentials,
    deployments,
    docs_page,
    events,
    logs,
    memory,
    panel,
    projects,
    session,
    tasks,
    timeline,
)
from web.deps import Deps
from web.errors import register_errors
from web.front import Front
from web.guard import guard_app
from web.parts import Body
from web.routes import Route, dump

CONCERNS = (
    commands,
    tasks,
    timeline,
    projects,
    apps,
    memory,
    logs,
    credentials,
    deployments,
    events,
    session,
    admin,
    panel,
    docs_page,
)
ROUTES: tuple[Route, ...] = tuple(route for concern in CONCERNS for route in concern.ROUTES)


def register(app: flask.Flask, deps: Deps, *, version: str) -> None:
    """Whoever ends the service calls `deps.feed.stop()` first, so that open streams return."""
    app.json = OrjsonProvider(app)
    app.url_rule_class = MatchOnly
    app.url_map.merge_slashes = False
    app.url_map.strict_slashes = False
    open_endpoints = set()
    for concern in CONCERNS:
        name = concern.__name__.rpartition(".")[2]
        blueprint = flask.Blueprint(name, __name__, template_folder="templates")
        open_endpoints |= {f"{name}.{route.name}" for route in concern.ROUTES if route.open}
        for route in concern.ROUTES:
            blueprint.add_url_rule(route.path, route.name, route.bind(deps), methods=[route.method])
        app.register_blueprint(blueprint)
    app.extensions[docs_page.DOCUMENT] = cache(lambda: api_document(version))
    guard_app(app, deps.settings, deps.token, open_endpoints)
    register_errors(app)
    app.wsgi_app = Front(app.wsgi_app, deps.log, deps.counts)  # type: ignore[method-assign]


def api_document(version: str) -> Body:
    from web.openapi import document  # noqa: PLC0415  start-up does not pay for it

    return document(ROUTES, version)


class MatchOnly(Rule):
    """A rule that is only matched. Nobody builds addresses from rules here, and preparing for it costs start-up."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        return lambda *_: ("", "")


class OrjsonProvider(JSONProvider):
    """Flask's own JSON, written and read by orjson."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        return dump(obj).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        return orjson.loads(s)
