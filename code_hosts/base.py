"""The contract of a code host: what is there is found before it is made, so that nothing is made twice."""

from typing import Literal, Protocol

from contracts.code_hosting import Issue, PullRequest, Repository
from contracts.deployments import Account, Tick

IssueState = Literal["open", "closed", "all"]


class CodeHost(Protocol):
    """One host with one credential. Raises AppErrors in plain words, in which no secret ever is.

    `Unauthorized` for a credential that does not work, `Forbidden` with the name of the permission that it lacks,
    `NotFound` for what is not there or may not be seen, `TooMany` over a limit that lasts longer than one waits.
    """

    @property
    def name(self) -> str:
        """As people and scripts write it, such as `github`."""

    @property
    def title(self) -> str:
        """As it is shown, such as `GitHub`."""

    @property
    def git_user(self) -> str:
        """The user name that goes with a token when git asks for one."""

    @property
    def largest_file(self) -> int:
        """Bytes that a file in a repository may have."""

    def check(self) -> Account:
        """Whose credential it is. Raises Unauthorized if it does not work."""

    def address_of(self, slug: str) -> str:
        """Where git finds a repository, whether it exists or not."""

    def slug_of(self, address: str) -> str:
        """The owner and name of a repository of this host; empty if the address belongs to another."""

    def repository(self, slug: str, *, tick: Tick) -> Repository:
        """Raises NotFound."""

    def create_repository(self, slug: str, *, private: bool, description: str, tick: Tick) -> Repository:
        """A new, empty repository, or the one of that name if it is there already. A bare name is one of one's own."""

    def open_pull_request(self, slug: str, branch: str, base: str, title: str, body: str, *, tick: Tick) -> PullRequest:
        """One from a branch of the same repository; the open one for that branch, if there is one already."""

    def issues(self, slug: str, *, state: IssueState, limit: int, tick: Tick) -> list[Issue]:
        """The newest first. Raises Conflict where issues are switched off."""

    def create_issue(self, slug: str, title: str, body: str, labels: tuple[str, ...], key: str, *, tick: Tick) -> Issue:
        """A new one. `key` marks it where people do not see it, so that `find_issue` finds it after a crash."""

    def find_issue(self, slug: str, key: str, *, tick: Tick) -> Issue | None:
        """The issue with this mark."""
