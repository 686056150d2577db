"""The contract of a host: the same key ships once, every state can be asked for, and everything can be taken back."""

from typing import Protocol

from contracts.deployments import Account, Parcel, Place, Quote, Release, Say, Tick


class Provider(Protocol):
    """One host with one credential. Raises AppErrors in plain words: what happened, what it means, what to do.

    `Unauthorized` for a credential that does not work, `TooMany` over a limit (never tried again by itself when a
    deployment was to be made), `Conflict` for a name that is taken, `TooLarge`, `Unavailable` when the host cannot be
    reached or breaks, `Failed` with the lines that matter when a build fails. No secret is ever in an error.
    """

    @property
    def name(self) -> str:
        """As people and scripts write it, such as `vercel`."""

    @property
    def title(self) -> str:
        """As it is shown, such as `Vercel`."""

    def check(self) -> Account:
        """Whose credential it is. Raises Unauthorized if it does not work."""

    def places(self) -> list[Place]:
        """Everything that is there for this account, ours or not."""

    def unfit(self, parcel: Parcel) -> str:
        """Why this app cannot be put there, in words; empty if it can."""

    def quote(self, parcel: Parcel, name: str) -> Quote:
        """What putting it there under this name means, as far as the host tells without anything happening.

        Raises Conflict if what is there under this name is not ours.
        """

    def ship(self, parcel: Parcel, name: str, key: str, *, say: Say, tick: Tick) -> Release:
        """Put it there under this name and wait until it is live or has failed.

        Looks first whether a release with this key is there already, so that it can be called again after a crash or
        a cut connection without anything being shipped twice. Raises Conflict rather than write over a place that
        this agent did not make, and Failed also for a key whose release has failed before.
        """

    def find(self, name: str, key: str) -> Release | None:
        """The release with this key, whatever became of it."""

    def live(self, name: str) -> Release | None:
        """What visitors see now."""

    def releases(self, name: str, limit: int = 20) -> list[Release]:
        """The newest first."""

    def bring_back(self, name: str, release: Release, key: str, *, say: Say, tick: Tick) -> Release:
        """Make an earlier release the live one again, without building it anew where the host can do that."""

    def take_down(self, name: str) -> None:
        """Take it offline for good; nothing happens if it is not there. Raises Conflict if it is not ours."""

    def log(self, release: Release, limit: int = 500) -> list[str]:
        """The lines of its build log, oldest first."""
