"""The control panel for a browser: its page under every address of its own, and its files."""

from typing import Annotated, Protocol

import flask
from pydantic import Field

from contracts.errors import NotFound
from web.panel_files import NONCE, PanelFiles, new_nonce
from web.routes import Reply, Route, Said, said

HTML = "text/html"
FOREVER = "public, max-age=31536000, immutable"
APART = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Cuts off the window that opened this one, for which a browser starts another process: 45 ms before anything shows."""
OPENED_BY_NOBODY_ELSE = frozenset({"none", "same-origin"})
"""What a browser says of an address typed, kept or opened by a program, and of the panel's own pages."""
ISOLATED = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
WORKER = "/notifications-worker.js"
"""Its place never changes: a browser that knows it would go on with an old one otherwise."""
MISSING = frozenset({404})
PanelPath = Annotated[str, Field(max_length=2000, description="Where in the panel, such as `approvals`.")]
AssetName = Annotated[str, Field(max_length=200, description="Name of a file of the panel.")]


class Panel(Protocol):
    """What these routes need of what is behind them."""

    @property
    def panel(self) -> PanelFiles: ...

    @property
    def panel_policy(self) -> "Policy": ...


class Policy(Protocol):
    def header(self, nonce: str, host: str) -> str: ...


def is_browser() -> bool:
    """Whether the one who asks would rather have a page than JSON."""
    return flask.request.accept_mimetypes.best_match(["application/json", HTML]) == HTML


def home(deps: Panel) -> Said | flask.Response:
    """Give the panel to a browser, and to everyone else the word that the service runs."""
    return _page(deps) if is_browser() else said("Task Agent is running")


def panel_home(deps: Panel) -> flask.Response:
    """Give the panel's page for the addresses that the panel itself makes sense of."""
    return _page(deps)


def panel_page(deps: Panel, path: PanelPath) -> flask.Response:
    """Give the panel's page, which shows what the address names."""
    return _page(deps)


def panel_asset(deps: Panel, name: AssetName) -> flask.Response:
    """Give a file of the panel; its name changes with its content, so a browser may keep it for good."""
    accepted = flask.request.accept_encodings
    found = deps.panel.asset(name, lambda encoding: accepted[encoding] > 0)
    if found is None:
        raise NotFound("There is no such file of the panel", hint="Load the page again")
    headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding", **ISOLATED}
    if found.encoding:
        headers["Content-Encoding"] = found.encoding
    return flask.Response(found.data, content_type=found.kind, headers=headers)


def favicon(deps: Panel) -> flask.Response:
    """Give the panel's icon."""
    return _beside(deps, "favicon.svg")


def manifest(deps: Panel) -> flask.Response:
    """Give the panel's manifest, by which a phone keeps it like an app."""
    return _beside(deps, "site.webmanifest")


def notifications_worker(deps: Panel) -> flask.Response:
    """Give the script by which a browser shows the panel's notifications on a phone; it loads and keeps nothing."""
    # Looked at anew each time: a browser runs what it has until it is told otherwise.
    return _beside(deps, "notifications-worker.js", kept="no-cache")


def _beside(deps: Panel, name: str, kept: str = "public, max-age=3600") -> flask.Response:
    found = deps.panel.beside(name)
    if found is None:
        raise NotFound("The panel is not built, or has no such file", hint="`./run` builds it")
    headers = {"Cache-Control": kept, **ISOLATED}
    return flask.Response(found.data, content_type=found.kind, headers=headers)


def _page(deps: Panel) -> flask.Response:
    page = deps.panel.page
    if page is None:
        return flask.Response(flask.render_template("home.html"), content_type=f"{HTML}; charset=utf-8")
    nonce = new_nonce()
    policy = deps.panel_policy.header(nonce, flask.request.environ.get("HTTP_HOST", ""))
    headers = {"Content-Security-Policy": policy, "Vary": "Accept, Sec-Fetch-Site", **ISOLATED}
    # Only a page of somebody else could keep a hold on this window; a browser that does not say is taken for one.
    if flask.request.headers.get("Sec-Fetch-Site") not in OPENED_BY_NOBODY_ELSE:
        headers |= APART
    return flask.Response(page.replace(NONCE, nonce), content_type=f"{HTML}; charset=utf-8", headers=headers)


ROUTES = (
    Route("GET", "/", home, {200: Reply}, open=True, media=(HTML,)),
    Route("GET", "/app", panel_home, {}, open=True, media=(HTML,)),
    Route("GET", "/app/<path:path>", panel_page, {}, open=True, media=(HTML,)),
    Route("GET", "/assets/<name>", panel_asset, {}, open=True, media=("*/*",), errors=MISSING),
    Route("GET", "/favicon.svg", favicon, {}, open=True, media=("image/svg+xml",), errors=MISSING),
    Route("GET", "/site.webmanifest", manifest, {}, open=True, media=("application/manifest+json",), errors=MISSING),
    Route("GET", WORKER, notifications_worker, {}, open=True, media=("text/javascript",), errors=MISSING),
)
