"""Backups in a folder of this machine: another disk, or one that something else carries away."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from backups.base import BLOCK, DATE, FILE_PATH, TOP, Stored, Upload
from contracts.errors import NotFound, Unavailable
from contracts.times import stamp

SUMS = ".{name}.sha256"
OWNER = ".{name}.agent"


class FolderTarget:
    """Files named `<date>/<name>`. Beside each stands a hidden one with its sums, and one that says whose it is."""

    def __init__(self, folder: Path, boundary: Callable[[str], None] = lambda name: None) -> None:
        self._folder = folder
        self._boundary = boundary

    @property
    def top(self) -> str:
        return TOP

    def reserve(self, path: str) -> str:
        return path

    def make_folder(self, agent: str, path: str, id: str, parent: str) -> bool:
        with self._reached():
            (self._folder / path).mkdir(mode=0o700, exist_ok=True)
            _sync(self._folder)
        return True

    def put(self, upload: Upload, id: str, folder: str, *, replaces: bool) -> Stored | None:
        path = self._folder / id
        with self._reached():
            if not path.parent.is_dir():
                return None
            # Written before the file: whenever this ends, what is there has one of these sums.
            sums = dict.fromkeys([upload.sums.sha256, *self._sums(path)[:1]])
            _write(_beside(path, SUMS), "\n".join(sums).encode())
            _write(_beside(path, OWNER), upload.agent.encode())
            self._boundary("sums written")
            _copy(upload.file, path)
            return self._stored(path)

    def everything(self) -> Iterator[Stored]:
        with self._reached():
            for day in sorted(self._folder.iterdir()):
                if DATE.fullmatch(day.name) and day.is_dir():
                    yield Stored(day.name, day.name, "", "", is_folder=True)
                    for path in sorted(day.iterdir()):
                        if FILE_PATH.fullmatch(f"{day.name}/{path.name}") and path.is_file():
                            yield self._stored(path)

    def recent_logs(self, limit: int) -> list[Stored]:
        logs = [stored for stored in self.everything() if stored.is_log]
        return sorted(logs, key=lambda stored: (stored.modified, stored.path), reverse=True)[:limit]

    def fetch(self, id: str, into: IO[bytes]) -> None:
        with self._reached(), (self._folder / id).open("rb") as file:
            while block := file.read(BLOCK):
                into.write(block)

    def close(self) -> None:
        """Nothing stays open between calls."""

    def _stored(self, path: Path) -> Stored:
        status = path.stat()
        owner = ""
        with suppress(FileNotFoundError):
            owner = _beside(path, OWNER).read_text("ascii", "replace").strip()
        name = f"{path.parent.name}/{path.name}"
        modified = stamp(datetime.fromtimestamp(status.st_mtime, UTC))
        link = path.absolute().as_uri()
        return Stored(name, name, owner, modified, status.st_size, link, tuple(self._sums(path)))

    def _sums(self, path: Path) -> list[str]:
        try:
            return _beside(path, SUMS).read_text("ascii", "replace").split()
        except FileNotFoundError:
            return []

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Turn what goes wrong with files into words. A disk that is not there may come back, and room be made."""
        try:
            if not self._folder.is_dir():
                raise NotFound(
                    f"The folder `{self._folder}` for backups is not there",
                    hint="Make the folder or mount its disk, then have backups try again; or choose another folder",
                )
            yield
        except OSError as error:
            raise Unavailable(
                f"The folder `{self._folder}` for backups cannot be used: {error.strerror}",
                hint="Make room there, or let the agent's user write to it",
            ) from error


def _beside(path: Path, pattern: str) -> Path:
    return path.with_name(pattern.format(name=path.name))


def _write(path: Path, data: bytes) -> None:
    with _whole(path) as file:
        file.write(data)


def _copy(source: IO[bytes], path: Path) -> None:
    source.seek(0)
    with _whole(path) as file:
        while block := source.read(BLOCK):
            file.write(block)


@contextmanager
def _whole(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of another in one step. What a kill left half written is overwritten."""
    beside = path.with_name(f".{path.name}.part")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
