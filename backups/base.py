"""What every place for backups can do, and the words that they share."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Protocol

DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
LOG_NAME = re.compile(r"\d{6}-[A-Za-z0-9-]{1,64}\.json")
MEMORY_NAME = re.compile(r"context-([0-9a-f]{12})\.json")
FILE_PATH = re.compile(rf"{DATE.pattern}/(?:{LOG_NAME.pattern}|{MEMORY_NAME.pattern})")
TOP = "."
"""The path of the folder that holds the dated folders."""
BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Sums:
    """What tells whether bytes are the same ones: `md5` is what Drive computes, `sha256` is what we rely on."""

    size: int
    md5: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Upload:
    """One file on its way. `path` is `<date>/<name>`; `agent` says whose it is."""

    agent: str
    path: str
    file: IO[bytes]
    sums: Sums

    @property
    def folder(self) -> str:
        return self.path.partition("/")[0]

    @property
    def name(self) -> str:
        return self.path.partition("/")[2]


@dataclass(frozen=True, slots=True)
class Stored:
    """A file or folder that a target has."""

    id: str
    path: str
    agent: str
    modified: str
    size: int = 0
    link: str = ""
    sums: tuple[str, ...] = ()
    """SHA-256 sums of which the content has one; more than one if a replacement may have been cut off."""
    is_folder: bool = False

    @property
    def is_log(self) -> bool:
        return LOG_NAME.fullmatch(self.path.partition("/")[2]) is not None


class BackupTarget(Protocol):
    """A place for backups. One that could be used by several threads at once guards itself.

    Errors are AppErrors: with `retryable`, later may be better (`details["retry_after"]` says when); `Failed` and
    `TooLarge` are about one file; any other needs a person, and until then nothing else will work either.
    """

    @property
    def top(self) -> str:
        """The id of the folder that the owner chose; empty if one has to be made."""
        ...

    def reserve(self, path: str) -> str:
        """An id under which this path can be stored. Nothing is stored yet, and the same id may be used again."""
        ...

    def make_folder(self, agent: str, path: str, id: str, parent: str) -> bool:
        """Have a folder of that id, made now or before. False: that id cannot be used any more, so reserve another."""
        ...

    def put(self, upload: Upload, id: str, folder: str, *, replaces: bool) -> Stored | None:
        """Store the file under that id, whether or not it is there. None: the id or folder cannot be used any more.

        `replaces` says whether it is thought to be there, which saves a request if it is right.
        """
        ...

    def everything(self) -> Iterator[Stored]:
        """All files and folders that any agent stored here."""
        ...

    def recent_logs(self, limit: int) -> list[Stored]:
        """Logs, the one that was stored last first."""
        ...

    def fetch(self, id: str, into: IO[bytes]) -> None: ...

    def close(self) -> None: ...


class Choice(Protocol):
    """A target as the owner chose it, before anything is opened or loaded for it."""

    @property
    def key(self) -> str:
        """The same for the same place, however one signs in to it."""
        ...

    @property
    def words(self) -> str: ...

    def open(self) -> BackupTarget:
        """Raises AppError if what was chosen cannot be used."""
        ...


def sums_of(file: IO[bytes]) -> Sums:
    """Read the file from its start, in blocks."""
    file.seek(0)
    md5, sha256, size = hashlib.md5(usedforsecurity=False), hashlib.sha256(), 0
    while block := file.read(BLOCK):
        md5.update(block)
        sha256.update(block)
        size += len(block)
    file.seek(0)
    return Sums(size, md5.hexdigest(), sha256.hexdigest())
