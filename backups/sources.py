"""What is backed up: the logs, and the memory once a day."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import IO

from backups.base import DATE, LOG_NAME


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of a home that are kept elsewhere too, each under the path that it has there."""

    home: Path
    agent: str
    zone: tzinfo | None = None

    def logs(self) -> Iterator[tuple[str, str]]:
        """Every log with its stat."""
        for day in _sorted(self.home / "logs"):
            if DATE.fullmatch(day.name) and day.is_dir():
                for entry in _sorted(Path(day.path)):
                    if LOG_NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                        yield f"{day.name}/{entry.name}", stat_of(entry.stat(follow_symlinks=False))

    def memory(self) -> tuple[str, str] | None:
        """Today's path of `context.json` and its stat, if there is one."""
        try:
            status = (self.home / "context.json").stat()
        except OSError:
            return None
        return f"{datetime.now(self.zone):%Y-%m-%d}/context-{self.agent}.json", stat_of(status)

    def path_of(self, log: Path) -> str | None:
        """The path under which a log is stored; None for any other file."""
        day, name = log.parent.name, log.name
        ours = log.parent.parent == self.home / "logs" and DATE.fullmatch(day) and LOG_NAME.fullmatch(name)
        return f"{day}/{name}" if ours else None

    @contextmanager
    def open(self, path: str) -> Iterator[tuple[IO[bytes], str]]:
        """The file as it is now. Whoever writes puts a new one in its place, so this one does not change."""
        day, _, name = path.partition("/")
        local = self.home / "logs" / day / name if LOG_NAME.fullmatch(name) else self.home / "context.json"
        descriptor = os.open(local, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            yield file, stat_of(os.fstat(descriptor))


def stat_of(status: os.stat_result) -> str:
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ino}"


def _sorted(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return []
