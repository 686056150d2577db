"""What memory says of a project on a host: what is live, what was before, how much was sent today."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from context_manager import ContextManager
from contracts.errors import Conflict, NotFound
from contracts.words import counted

SPENT = frozenset({"failed", "wrong"})
"""Outcomes after which trying again needs a key of its own: the host has a release with this one, and it is no good."""
EXPORT = "export"
"""The host whose releases are files on this machine, which nobody visits."""
HEALTH = {
    "live": "It worked when it was put there",
    "wrong": "The last one put there did not work",
    "unchecked": "It was put there and not tried to the end",
    "guarded": "Visitors are asked to sign in at the host before they see it",
    "failed": "The last one could not be built, so nothing changed for visitors",
    "refused": "The last one was not taken, so nothing changed for visitors",
    "unknown": "It is not known what became of the last one; trying again finds out",
    "brought back": "An earlier release was brought back",
    "taken down": "It was taken offline",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """One project on one host."""

    project: str
    provider: str
    name: str = ""
    live: Mapping[str, Any] | None = None
    releases: tuple[Mapping[str, Any], ...] = ()
    """The newest last; the live one may be any of them."""
    raw: Mapping[str, Any] = field(default_factory=dict)

    @property
    def before(self) -> Mapping[str, Any] | None:
        """The release that visitors saw before the live one."""
        if self.live is None:
            return self.releases[-1] if self.releases else None
        ids = [release["id"] for release in self.releases]
        at = ids.index(self.live["id"]) if self.live["id"] in ids else len(ids)
        return self.releases[at - 1] if at > 0 else None

    def previous(self) -> Mapping[str, Any]:
        """The release to go back to. Raises NotFound if there is none."""
        before = self.before
        if before is None:
            raise NotFound(
                f"There is no earlier release of `{self.project}` on {self.provider}",
                hint="`take_down_app` takes it offline",
            )
        return before

    def release(self, wanted: str) -> Mapping[str, Any]:
        """A release by its id, its task, or the beginning of its commit. Raises NotFound."""
        newest_first: list[Mapping[str, Any]] = list(reversed(self.releases))
        for release in newest_first:
            if wanted in (release["id"], release.get("task"), release.get("key")):
                return release
            if len(wanted) >= 4 and str(release.get("commit", "")).startswith(wanted):
                return release
        raise NotFound(
            f"There is no release `{wanted}` of `{self.project}` on {self.provider}",
            hint="`GET /deployments` and `./agent deployments` list them",
        )


class Ledger:
    def __init__(self, memory: ContextManager) -> None:
        self._memory = memory

    def standing(self, project: str, provider: str) -> Standing:
        for place in self._memory.places(project):
            if place["provider"] == provider:
                return Standing(project, provider, place["name"], place["live"], tuple(place["releases"]), raw=place)
        return Standing(project, provider)

    def online(self, project: str, provider: str | None, *, live: bool = True) -> Standing:
        """The place that is meant where none, or only a host, is named. Raises NotFound or Conflict."""
        places = [place for place in self._memory.places(project) if provider in (None, place["provider"])]
        found = [place for place in places if place["live"] or (not live and place["releases"])]
        if not found:
            where = f" on {provider}" if provider else ""
            raise NotFound(f"`{project}` is not online{where}", hint="`deploy_app` puts it there")
        if len(found) > 1:
            names = ", ".join(f"`{place['provider']}`" for place in found)
            raise Conflict(f"`{project}` is in several places: {names}", hint="Say which `provider` is meant")
        return self.standing(project, found[0]["provider"])

    def sent_today(self, provider: str, today: str) -> int:
        places = [place for place in self._memory.places() if place["provider"] == provider]
        return sum(at.startswith(today) for place in places for at in place["shipped"])

    def key(self, task_id: str) -> str:
        """The key of a task's deployment: the same after a crash, another one after a release that is no good."""
        spent = [
            event
            for event in self._memory.deployments()
            if event.get("source") == task_id and event.get("outcome") in SPENT
        ]
        return task_id if not spent else f"{task_id}-{len(spent) + 1}"

    def overview(self, project: str | None, forgot: Callable[[str, str], bool]) -> dict[str, Any]:
        """`forgot` says of a host and a place there whether it is not shown any more, whatever was noted."""
        places = [self._described(place, forgot) for place in self._memory.places(project)]
        return {"deployments": self._memory.deployments(project), "places": places}

    def entry(self, deployment_id: str) -> dict[str, Any]:
        for event in self._memory.deployments():
            if deployment_id in (event.get("id"), event.get("release")):
                return event
        raise NotFound(f"There is no deployment `{deployment_id}`", hint="`GET /deployments` lists them")

    @staticmethod
    def _described(place: Mapping[str, Any], forgot: Callable[[str, str], bool]) -> dict[str, Any]:
        live = place["live"]
        packed = live and place["provider"] == EXPORT
        words = "It was packed" if packed else HEALTH.get(str(place.get("outcome")), "")
        if live and forgot(place["provider"], place["name"]):
            live, words = None, "What was shown on this machine alone has ended since; putting it there again shows it"
        state = f"{'kept' if packed else 'live'} at {live['url']}" if live else "offline"
        count = counted(len(place["releases"]), "release")
        return {
            **{name: place.get(name) for name in ("project", "provider", "name", "note", "at")},
            "url": place.get("url") if live else "",
            "live": live,
            "state": "live" if live else "offline",
            "health": f"{words}; it is {state}",
            "current": live,
            "releases": list(reversed(place["releases"])),
            "words": f"`{place['project']}` on {place['provider']}: {state} ({count})",
        }
