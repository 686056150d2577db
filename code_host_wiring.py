"""Wires code hosts: where GitHub is, and how a credential for it or for another git server is tried out."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_hosts.slugs import GITHUB
from contracts.deployments import Account
from credentials import Check, Values
from git_manager import GitManager, Login, PushWish, address_of

if TYPE_CHECKING:
    from code_hosts.base import CodeHost


@dataclass(frozen=True, slots=True)
class GitHubAt:
    """GitHub itself, unless somebody says that it is elsewhere."""

    web_url: str = GITHUB
    api_url: str = "https://api.github.com"
    pause: Callable[[float], None] = time.sleep

    def connect(self, token: str) -> "CodeHost":
        from code_hosts.github import GitHub  # noqa: PLC0415  loaded when it is used

        return GitHub(token, base_url=self.api_url, web_url=self.web_url, pause=self.pause)


def check_code_hosts(github: GitHubAt, git: GitManager, others: Check) -> Check:
    """Asks a code host whose credential it is; `others` asks the hosts of every other kind."""

    def check(name: str, values: Values) -> Account:
        if name == "github":
            return github.connect(values["token"]).check()
        if name == "git":
            address = address_of(values["address"])
            git.enter(PushWish(address, Login(values.get("user") or "git", values["token"])))
            return Account(values.get("user") or address.host)
        return others(name, values)

    return check
