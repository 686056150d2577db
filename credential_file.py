"""The file that credentials are kept in: private from its first instant, whole or not at all, seen by every process."""

import fcntl
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from agent_home import write_private
from contracts.errors import Failed

Entries = Mapping[str, dict[str, Any]]
Mark = tuple[int, int, int, int]
"""By which a file that was changed is told from the one that was read."""
VERSION = 1


class CredentialFile:
    """Entries by name. Those that this version does not know are kept as they are."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guard = threading.RLock()
        self._is_alone = False
        self._mark: Mark | None = None
        self._entries: Entries = {}

    def entries(self) -> Entries:
        """All of them, read again if the file has changed. Raises Failed if it cannot be read."""
        with self._guard:
            self._look()
            return self._entries

    def change(self, name: str, entry: dict[str, Any] | None, *, only_if: Mapping[str, str] | None = None) -> None:
        """Write one entry, or take it out. With `only_if`, not if other values have come there meanwhile."""
        with self._guard, self._alone():
            self._look()
            there = self._entries.get(name, {})
            if only_if is not None and there.get("values") != dict(only_if):
                return
            entries = {**self._entries, name: entry}
            kept = {key: value for key, value in entries.items() if value is not None}
            try:
                for left in self._path.parent.glob(f".{self._path.name}.*"):
                    left.unlink()  # of a process that died while it wrote; it may hold secrets
                write_private(
                    self._path, orjson.dumps({"version": VERSION, "credentials": kept}, option=orjson.OPT_INDENT_2)
                )
            except OSError as error:
                raise self._unwritable(error) from error

    def put_aside(self) -> list[Path]:
        """Damaged files that were kept."""
        return sorted(self._path.parent.glob(f"{self._path.name}.damaged-*"))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process changes the file meanwhile. Only for the thread that has the guard."""
        if self._is_alone:
            yield
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._is_alone = True
            yield
        finally:
            self._is_alone = False
            os.close(lock)

    def _look(self) -> None:
        try:
            if self._mark is not None and _mark(os.lstat(self._path)) == self._mark:
                return
            raw, mark = _read(self._path)
        except FileNotFoundError:
            if self._mark is not None:
                self._entries, self._mark = {}, None
            return
        except OSError as error:
            raise Failed(
                f"The credentials in `{self._path}` cannot be read: {error.strerror}",
                hint="It must be a plain file that belongs to the one who runs the service",
            ) from error
        entries = _parsed(raw)
        if entries is None:
            self._put_aside(mark)
            self._entries, self._mark = {}, None
        else:
            self._entries, self._mark = entries, mark

    def _put_aside(self, mark: Mark) -> None:
        """Keep a damaged file for whoever can make sense of it, out of the way of new ones."""
        with self._alone():
            try:
                if _mark(os.lstat(self._path)) != mark:
                    return  # somebody has mended it meanwhile
                number = 1
                while (aside := self._path.with_name(f"{self._path.name}.damaged-{number}")).exists():
                    number += 1
                self._path.rename(aside)
            except FileNotFoundError:
                return
            except OSError as error:
                raise Failed(
                    f"The credentials in `{self._path}` are damaged and cannot be put aside: {error.strerror}",
                    hint="Move that file away, then enter them again",
                ) from error

    def _unwritable(self, error: OSError) -> Failed:
        return Failed(
            f"The credentials cannot be written to `{self._path}`: {error.strerror}",
            hint="Nothing was changed. Make room there, or see who may write to that folder",
        )


def _read(path: Path) -> tuple[bytes, Mark]:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(descriptor).st_mode & 0o077:
            os.fchmod(descriptor, 0o600)  # copied here by somebody whose files others may read
        return file.read(), _mark(os.fstat(descriptor))


def _mark(status: os.stat_result) -> Mark:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _parsed(raw: bytes) -> Entries | None:
    """The entries by name, those of other versions included; None if it is damaged."""
    try:
        entries = orjson.loads(raw)["credentials"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None
    whole = isinstance(entries, dict) and all(isinstance(entry, dict) for entry in entries.values())
    return entries if whole else None
