"""What the fake of GitHub holds: who may do what, repositories with their pull requests and issues."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ALL: Mapping[str, str] = {
    "administration": "write",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
}


@dataclass(slots=True)
class Actor:
    """Whom a token stands for, and what it was given."""

    login: str
    permissions: Mapping[str, str] = field(default_factory=lambda: dict(ALL))
    only: frozenset[str] | None = None
    """The repositories that it covers; None for all of the owner's."""
    classic: bool = False
    """A token of the older kind, which has scopes in the place of permissions."""

    def may(self, permission: str, level: str) -> bool:
        has = self.permissions.get(permission, "")
        return has == "write" or (has == "read" and level == "read")


@dataclass(slots=True)
class Place:
    """One repository."""

    slug: str
    private: bool = True
    default_branch: str = "main"
    issues_on: bool = True
    archived: bool = False
    description: str = ""
    id: int = 0
    pulls: list[dict[str, Any]] = field(default_factory=list)
    issues: list[dict[str, Any]] = field(default_factory=list)

    @property
    def owner(self) -> str:
        return self.slug.partition("/")[0]

    @property
    def git_name(self) -> str:
        return f"{self.slug}.git"

    def sees(self, actor: Actor, members: frozenset[str]) -> bool:
        theirs = actor.login == self.owner or actor.login in members
        covered = actor.only is None or self.slug in actor.only
        return not self.private or (theirs and covered)

    def writes(self, actor: Actor, members: frozenset[str]) -> bool:
        theirs = actor.login == self.owner or actor.login in members
        covered = actor.only is None or self.slug in actor.only
        return theirs and covered and not self.archived

    def shown(self, api: str, may_push: bool) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.slug.partition("/")[2],
            "full_name": self.slug,
            "private": self.private,
            "archived": self.archived,
            "description": self.description,
            "default_branch": self.default_branch,
            "owner": {"login": self.owner},
            "html_url": f"https://elsewhere.example/{self.slug}",
            "clone_url": f"https://elsewhere.example/{self.git_name}",
            "has_issues": self.issues_on,
            "permissions": {"admin": may_push, "push": may_push, "pull": True},
            "url": f"{api}/repos/{self.slug}",
        }
