"""The app of a project: whether it runs, what it prints, how it was proven, what it looks like."""

from typing import Annotated, Literal

import flask
from pydantic import Field

from contracts.errors import NotFound
from contracts.paths import ProjectName
from web.deps import Deps
from web.preview_links import seen_from_here
from web.routes import Input, Reply, Route, Said, said
from web.shapes import LogLine, Preview, ProofShape

PICTURE = "image/webp"


class PreviewQuery(Input):
    lines: int = Field(100, ge=0, le=2000, description="How many of the last lines that it printed to give.")


class PictureQuery(Input):
    size: Literal["small", "large"] = "small"


class PreviewReply(Reply):
    preview: Preview
    log: Annotated[list[LogLine], Field(description="What it printed, and what was said about it, oldest first.")]


class ProofReply(Reply):
    proof: Annotated[ProofShape | None, Field(description="Null if nothing was proven yet.")]


def preview(deps: Deps, project: ProjectName, query: PreviewQuery) -> Said:
    """Show whether the project's app runs, where, and what it prints; `start_app` and `stop_app` change that."""
    _must_exist(deps, project)
    found = seen_from_here(deps, deps.showing.preview(project))
    return said(found["words"], preview=found, log=deps.showing.app_log(project, query.lines))


def project_proof(deps: Deps, project: ProjectName) -> Said:
    """Show how the project's app was proven: every check, with the real requests and answers."""
    _must_exist(deps, project)
    found = deps.showing.proof(project)
    return said(found["words"] if found else "Nothing was proven yet", proof=found)


def picture(deps: Deps, project: ProjectName, query: PictureQuery) -> flask.Response:
    """Give a picture of the project's app, taken when it was started last."""
    _must_exist(deps, project)
    data = deps.showing.picture(project, query.size)
    return flask.Response(data, content_type=PICTURE, headers={"Cache-Control": "private, no-cache"})


def _must_exist(deps: Deps, project: str) -> None:
    if not deps.projects.exists(project):
        raise NotFound(f"There is no project `{project}`", hint="`GET /projects` lists them")


ROUTES = (
    Route("GET", "/projects/<project>/preview", preview, {200: PreviewReply}),
    Route("GET", "/projects/<project>/proof", project_proof, {200: ProofReply}, errors=frozenset({409})),
    Route("GET", "/projects/<project>/picture", picture, {}, media=(PICTURE,)),
)
