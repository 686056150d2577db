"""Where each project is online: what visitors see there now, and what they saw before."""

from typing import Any

RELEASES = 20
DEPLOYMENTS = 200


def key_of(project: str, provider: str) -> str:
    return f"{project}@{provider}"


def remember_deployment(places: dict[str, dict[str, Any]], event: dict[str, Any]) -> None:
    """What one deployment changed. Events of older versions, which name no project, change nothing here."""
    project, provider = event.get("project"), event.get("provider")
    if not isinstance(project, str) or not isinstance(provider, str):
        return
    place = places.setdefault(
        key_of(project, provider),
        {"project": project, "provider": provider, "name": "", "url": "", "live": None, "releases": [], "shipped": []},
    )
    place["name"] = event.get("name") or place["name"]
    place |= {name: event.get(name) for name in ("outcome", "note", "at", "source")}
    if event.get("shipped"):
        place["shipped"] = [*place["shipped"], event["at"]][-DEPLOYMENTS:]
    if "live" in event:
        place["live"] = event["live"]
        place["url"] = (event["live"] or {}).get("url", "")
        _keep(place, event)


def _keep(place: dict[str, Any], event: dict[str, Any]) -> None:
    """The releases in the order in which visitors first saw them, the newest last."""
    live = event["live"]
    if live is None:
        return
    known = [release for release in place["releases"] if release["id"] != live["id"]]
    if len(known) == len(place["releases"]):
        known.append({**live, "at": event["at"], "task": event.get("source")})
        place["releases"] = known[-RELEASES:]
