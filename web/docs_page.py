"""The API's documentation, as a page for people and as a document for programs. No script, nothing from elsewhere."""

from typing import Any

import flask
from typing_extensions import TypedDict

from web.deps import Deps
from web.parts import Body
from web.routes import Route, Said

DOCUMENT = "agent.api_document"
"""Name of the extension that gives the application's API document."""
HTML = "text/html"
CSS = "text/css"


class ApiDocument(TypedDict):
    """An OpenAPI document."""

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]


def docs(deps: Deps) -> flask.Response:
    """Read about every address of the service."""
    from web.reference import entries  # noqa: PLC0415  start-up does not pay for it

    document = _document()
    return _page(flask.render_template("docs.html", entries=list(entries(document)), about=document["info"]), HTML)


def docs_style(deps: Deps) -> flask.Response:
    """Give the look of the pages."""
    return _page(flask.render_template("docs.css"), CSS)


def openapi(deps: Deps) -> Said:
    """Give the API document, OpenAPI 3.1."""
    return Said(_document())


def _document() -> Body:
    found: Body = flask.current_app.extensions[DOCUMENT]()
    return found


def _page(text: str, media: str) -> flask.Response:
    return flask.Response(text, content_type=f"{media}; charset=utf-8")


ROUTES = (
    Route("GET", "/docs", docs, {}, open=True, media=(HTML,)),
    Route("GET", "/docs.css", docs_style, {}, open=True, media=(CSS,)),
    Route("GET", "/openapi.json", openapi, {200: ApiDocument}),
)
