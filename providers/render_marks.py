"""How releases are found again on Render, whose deploys carry no word of ours: by variables of the service itself.

Before a deploy is asked for, the service notes its key and which deploy was the newest; after it, which deploy has the
key. So whatever happens in between, what was made is recognised: a newer deploy of the same commit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from providers.render_api import Json, inner

PROJECT, NEXT, RELEASES = "TASK_AGENT_PROJECT", "TASK_AGENT_NEXT", "TASK_AGENT_RELEASES"
NONE = "-"
OF_OTHERS = frozenset(
    {"blueprint_sync", "deploy_hook", "deployed_by_render", "manual", "new_commit", "service_resumed"}
)
"""Why a deploy was made, where it was not because this agent asked for it."""
KEPT = 60


@dataclass(frozen=True, slots=True)
class Wanted:
    """A deploy that was about to be asked for."""

    key: str
    after: str
    """The newest deploy before it; `-` if there was none."""
    source: str
    """The commit or image of it; `-` if it is whatever is the newest."""

    def __str__(self) -> str:
        return f"{self.key} {self.after} {self.source}"


@dataclass(frozen=True, slots=True)
class Marks:
    project: str = ""
    """The project that the service was made for; empty if it was not made by this agent."""
    wanted: Wanted | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    """Of each deploy that is known."""

    @classmethod
    def read(cls, variables: Mapping[str, str]) -> "Marks":
        words = variables.get(NEXT, "").split()
        pairs = [pair.partition("=") for pair in variables.get(RELEASES, "").split()]
        wanted = Wanted(*words) if len(words) == 3 else None
        return cls(variables.get(PROJECT, ""), wanted, {deploy: key for deploy, _, key in pairs})

    def deploy_of(self, key: str, deploys: Iterable[Json]) -> str:
        """The id of the deploy with this key, if it was made; the deploys are the newest first."""
        for deploy, known in self.keys.items():
            if known == key:
                return deploy
        wanted = self.wanted
        if wanted is None or wanted.key != key:
            return ""
        newer = takewhile(lambda one: one.get("id") != wanted.after, deploys)
        same = [one for one in newer if self._is(one, wanted)]
        return str(same[-1]["id"]) if same else ""

    def _is(self, deploy: Json, wanted: Wanted) -> bool:
        if str(deploy["id"]) in self.keys or deploy.get("trigger") in OF_OTHERS:
            return False
        # Render may not know the commit yet, and writes the name of an image its own way.
        commit = inner(deploy, "commit").get("id")
        return not commit or wanted.source in {commit, NONE}

    def with_key(self, deploy: str, key: str) -> str:
        """The value of the variable that knows the keys, with one more."""
        others = [(one, known) for one, known in self.keys.items() if known != key]
        pairs = [*others, (deploy, key)][-KEPT:]
        return " ".join(f"{one}={known}" for one, known in pairs)


def source_of(deploy: Json) -> str:
    """The commit or image that a deploy was made from."""
    return str(inner(deploy, "commit").get("id") or inner(deploy, "image").get("ref") or "")
