"""What is online where, what became of each deployment, and the zips that were made."""

from typing import Annotated

import flask
from pydantic import Field

from contracts.paths import ProjectName
from contracts.words import counted
from web.deployment_shapes import Deployment, Place
from web.deps import Deps
from web.routes import Input, Reply, Route, Said, said

ZIP = "application/zip"
DeploymentId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_.-]{1,100}$", description="A deployment's id, as `/deployments` gives it.")
]
ExportName = Annotated[
    str, Field(pattern=r"^[a-z0-9][A-Za-z0-9-]{1,200}\.zip$", description="A zip's name, as its deployment gives it.")
]


class DeploymentQuery(Input):
    project: ProjectName | None = None


class DeploymentList(Reply):
    deployments: list[Deployment]
    places: list[Place]


class DeploymentLog(Reply):
    deployment: Deployment
    lines: list[str]
    matters: Annotated[list[str], Field(description="Of one that failed, the lines that say why.")]


def deployments(deps: Deps, query: DeploymentQuery) -> Said:
    """List what was put online, the newest first, and where each project is now."""
    found = deps.deployments.overview(query.project)
    live = sum(1 for place in found["places"] if place["live"])
    words = f"{counted(len(found['deployments']), 'deployment')}; {counted(live, 'place is', 'places are')} live"
    return said(words, **found)


def deployment_log(deps: Deps, id: DeploymentId) -> Said:
    """Read what was done for one deployment and what its host printed."""
    found = deps.deployments.log(id)
    return said(str(found["deployment"].get("note") or ""), **found)


def export(deps: Deps, name: ExportName) -> flask.Response:
    """Download a zip that `deploy_app` with `export` made."""
    return flask.send_file(deps.deployments.export(name), ZIP, as_attachment=True, download_name=name)


ROUTES = (
    Route("GET", "/deployments", deployments, {200: DeploymentList}),
    Route("GET", "/deployments/<id>/log", deployment_log, {200: DeploymentLog}),
    Route("GET", "/exports/<name>", export, {}, media=(ZIP,)),
)
