"""Ports of previews: each project has its own, and no other project ever gets it.

A browser keeps what a page stores under its origin, and the port is part of that. A port that is used again would show
one project what another one stored.
"""

import errno
from collections.abc import Callable, Iterator
from typing import Protocol

from contracts.errors import Unavailable

FIRST, LAST = 5100, 5999


class PortBook(Protocol):
    """What is known for good about who has which port."""

    def port_of(self, project: str) -> int | None:
        """The one that the project was given last."""

    def owner_of(self, port: int) -> str | None:
        """The project that has this port or ever had it."""

    def remember(self, project: str, port: int) -> None: ...


class Notebook:
    """A book that forgets everything with its process."""

    def __init__(self) -> None:
        self.ports: dict[str, int] = {}
        self.owners: dict[int, str] = {}

    def port_of(self, project: str) -> int | None:
        return self.ports.get(project)

    def owner_of(self, port: int) -> str | None:
        return self.owners.get(port)

    def remember(self, project: str, port: int) -> None:
        self.ports[project] = port
        self.owners[port] = project


class Ports:
    """Finds a port for a project. To be used by one thread at a time."""

    def __init__(self, book: PortBook, first: int = FIRST, last: int = LAST) -> None:
        self._book = book
        self._all = range(first, last + 1)

    def take(self, project: str, listen: Callable[[int], None]) -> tuple[int, str]:
        """Listen on the project's port; if another program has it, on the next free one. Says so in words.

        `listen` raises OSError if it cannot. Raises Unavailable if no port is left.
        """
        known = self._book.port_of(project)
        for port in self._candidates(project, known):
            if not self._free(port, listen):
                continue
            if port != known:
                self._book.remember(project, port)
            moved = known is not None and port != known
            return port, f"another program uses port {known}, so it moved to port {port}" if moved else ""
        raise Unavailable(
            f"there is no free port from {self._all.start} to {self._all.stop - 1} for `{project}`",
            hint="End a program that uses one of them, or allow more ports",
        )

    def _candidates(self, project: str, known: int | None) -> Iterator[int]:
        if known is not None:
            yield known
        for port in self._all:
            if port != known and self._book.owner_of(port) in {None, project}:
                yield port

    @staticmethod
    def _free(port: int, listen: Callable[[int], None]) -> bool:
        try:
            listen(port)
        except OSError as error:
            if error.errno in {errno.EADDRINUSE, errno.EACCES}:
                return False
            raise Unavailable(
                f"nothing can listen on port {port}: {error.strerror}", hint="Check `AGENT_BIND`"
            ) from error
        return True
