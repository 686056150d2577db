"""The service on a host that keeps nothing and runs nothing long, such as Vercel: the panel for an agent elsewhere.

There is no agent behind it. It answers what it can know by itself and refuses everything else in plain words; it never
pretends to have done or to remember something.
"""

from dataclasses import dataclass
from pathlib import Path

import flask
from werkzeug.exceptions import MethodNotAllowed as WrongMethod
from werkzeug.exceptions import NotFound as NoRoute

from contracts.errors import NotHere
from settings import CHECKOUT
from web import panel
from web.errors import app_error, register_errors
from web.front import Counts, Front
from web.panel_files import PanelFiles, page_policy
from web.routes import json_response

STATUS = "This is the panel of Task Agent; the agent itself runs elsewhere"
REMEDY = "Start the agent with `./run` on a machine of your own, then enter its address in this panel"
REFUSAL = (
    "There is no agent at this address: a host like this cannot keep its memory, run code in a sandbox or work for long"
)
ANYWHERE = "https: http://127.0.0.1:* http://localhost:*"
"""An agent may be at any address; a page from https can reach only https and the reader's own machine."""


@dataclass(frozen=True)
class HostedPolicy:
    """The panel's page may call and show the agent that a person names, wherever it is."""

    def header(self, nonce: str, host: str) -> str:
        return page_policy(nonce, connect=f"'self' {ANYWHERE}", frames=ANYWHERE)


@dataclass(frozen=True)
class HostedPanel:
    """All that there is behind the routes."""

    panel: PanelFiles
    panel_policy: HostedPolicy


def hosted_app(dist: Path = CHECKOUT / "frontend" / "dist") -> flask.Flask:
    """An application that needs no home, no token and no writable folder."""
    app = flask.Flask(__name__, static_folder=None)
    parts = HostedPanel(PanelFiles(dist), HostedPolicy())

    def home() -> flask.Response:
        return _page(parts) if panel.is_browser() else _status(STATUS)

    def asset(name: str) -> flask.Response:
        found = panel.panel_asset(parts, name)
        found.headers["CDN-Cache-Control"] = panel.FOREVER
        return found

    app.add_url_rule("/", "home", home)
    app.add_url_rule("/health", "health", lambda: _status("ok"))
    app.add_url_rule("/app", "panel", lambda: _page(parts))
    app.add_url_rule("/app/<path:path>", "page", lambda path: _page(parts))
    app.add_url_rule("/assets/<name>", "asset", asset)
    app.add_url_rule("/favicon.svg", "favicon", lambda: panel.favicon(parts))
    app.add_url_rule("/site.webmanifest", "manifest", lambda: panel.manifest(parts))
    app.add_url_rule(panel.WORKER, "notifications", lambda: panel.notifications_worker(parts))
    register_errors(app)
    app.register_error_handler(NoRoute, _elsewhere)
    app.register_error_handler(WrongMethod, _elsewhere)
    app.wsgi_app = Front(app.wsgi_app, lambda *line: None, Counts())  # type: ignore[method-assign]
    return app


def _status(words: str) -> flask.Response:
    return json_response({"success": True, "message": words, "agent": False, "hint": REMEDY})


def _page(parts: HostedPanel) -> flask.Response:
    if not parts.panel.built:
        page = flask.render_template("hosted.html", status=STATUS, remedy=REMEDY)
        return flask.Response(page, content_type="text/html; charset=utf-8")
    return panel.panel_home(parts)


def _elsewhere(error: NoRoute | WrongMethod) -> flask.Response:
    return app_error(NotHere(REFUSAL, hint=REMEDY))
