"""The contract of a store: events are appended durably, and a state is folded from them."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from contracts.events import Event

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class Fold(Protocol[S]):
    """How events become a state. Pure: no clock, no I/O, no randomness."""

    def empty(self) -> S:
        """The state before any event."""

    def apply(self, state: S, event: Event) -> None:
        """Change the state in place. Never raises: an unknown or odd event is skipped."""

    def dump(self, state: S) -> dict[str, Any]:
        """The state as JSON-ready values with the fields that people read."""

    def load(self, raw: dict[str, Any]) -> S:
        """The state that `dump` or an older version of the product wrote. Raises ValueError if it is neither."""

    def current(self, raw: dict[str, Any]) -> bool:
        """Whether `raw` was written by this version of `dump`, so that loading it upgrades nothing."""


class Transaction(Protocol[S_co]):
    """Inside the store's lock, with everything that other threads and processes wrote already seen."""

    @property
    def state(self) -> S_co:
        """To be read only. What is emitted shows here after the transaction has ended."""

    def emit(self, type: str, task_id: str | None = None, **data: Any) -> None:
        """Append an event when the block ends without an exception."""


class Store(Protocol[S_co]):
    """Threads and processes may share one; nothing acknowledged is ever lost."""

    def transaction(self) -> AbstractContextManager[Transaction[S_co]]:
        """Lock, catch up, read, emit, append, fsync, release. An exception inside appends nothing."""

    def read(self) -> AbstractContextManager[S_co]:
        """The state, caught up, guarded against this process's writers for the length of the block."""

    def events(self, after: int = 0, limit: int = 1000) -> Iterable[Event]:
        """Events with a number above `after`, oldest first."""

    def last_seq(self) -> int:
        """The number of the newest event seen."""

    def wait(self, after: int, timeout: float) -> bool:
        """Sleep until there is an event with a number above `after`, or the time is up; says which."""

    def flush(self) -> None:
        """Bring the readable snapshot up to date now."""

    def notices(self) -> list[str]:
        """What was found damaged or upgraded when opening, in words for a person."""

    def close(self) -> None:
        """Flush and let go of files and threads."""
