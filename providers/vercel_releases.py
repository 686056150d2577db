"""Vercel's projects and deployments, read as places and releases."""

from datetime import UTC, datetime
from typing import Any

from contracts.deployments import Place, Release, ReleaseState
from contracts.times import stamp
from providers.http import Line
from providers.vercel_words import build_failure

Json = dict[str, Any]
MARK, KEY, COMMIT = "taskAgent", "taskAgentKey", "taskAgentCommit"
"""Names in the meta of a deployment: that it is ours and of which project, its key, what was shipped."""
ENDED_BADLY = {"ERROR", "CANCELED", "BLOCKED"}
WORDS = {
    ReleaseState.LIVE: "It is live",
    ReleaseState.REPLACED: "Another release took its place",
    ReleaseState.GONE: "It was deleted",
    ReleaseState.BUILDING: "Vercel is working on it",
}


def inner(value: Json, name: str) -> Json:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def production(project: Json) -> Json:
    """The deployment that visitors see; empty if there is none."""
    return inner(inner(project, "targets"), "production")


def meta_of(deployment: Json) -> Json:
    return inner(deployment, "meta")


def state_of(deployment: Json) -> str:
    return str(deployment.get("readyState") or deployment.get("state") or "")


def has_failed(deployment: Json) -> bool:
    return state_of(deployment) in ENDED_BADLY or state_of(deployment).endswith("_ERROR")


def address(line: Line, project: Json) -> str:
    """Where visitors find the project: under its own name if Vercel gave it that, else at the shortest address."""
    live = production(project)
    aliases = [str(alias) for alias in live.get("alias") or []]
    own = f"{project.get('name')}.vercel.app"
    host = own if own in aliases else min(aliases, key=len, default=str(live.get("url") or ""))
    return line.address(host) if host else ""


def place(line: Line, project: Json, *, ours: bool) -> Place:
    return Place("vercel", str(project["id"]), str(project["name"]), address(line, project), ours)


def release(line: Line, project: Json, deployment: Json) -> Release:
    id = str(deployment.get("id") or deployment.get("uid"))
    live = production(project).get("id") == id
    state = ReleaseState.LIVE if live else _state(deployment)
    meta = meta_of(deployment)
    created = int(deployment.get("createdAt") or deployment.get("created") or 0)
    failed = state is ReleaseState.FAILED
    return Release(
        provider="vercel",
        id=id,
        place=str(project["id"]),
        url=address(line, project) if live else line.address(str(deployment.get("url") or "")),
        state=state,
        commit=str(meta.get(COMMIT) or ""),
        key=str(meta.get(KEY) or ""),
        created=stamp(datetime.fromtimestamp(created / 1000, UTC)),
        words=str(build_failure(line, deployment, [])) if failed else WORDS[state],
        details={"name": project.get("name"), "page": deployment.get("inspectorUrl") or ""},
    )


def _state(deployment: Json) -> ReleaseState:
    if has_failed(deployment) or deployment.get("aliasError"):
        return ReleaseState.FAILED
    if state_of(deployment) == "DELETED":
        return ReleaseState.GONE
    if state_of(deployment) == "READY" and deployment.get("aliasAssigned"):
        return ReleaseState.REPLACED
    return ReleaseState.BUILDING
