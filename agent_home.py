"""The home of one agent: its lock, its token and the note that tells others where it listens."""

import fcntl
import os
import secrets
from pathlib import Path
from typing import Any

import orjson

from contracts.errors import Failed, HomeLocked


class AgentHome:
    """Only the holder of the lock executes anything. The lock goes with the process, however it ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def take(self) -> None:
        """Make the home if it is not there, and lock it. Raises HomeLocked if another process has it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path / "service.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Failed(
                f"The folder `{self.path}` cannot be used: {error.strerror}",
                hint="Choose another one with `AGENT_HOME`, or make room",
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise HomeLocked(
                "Another service is already at work here", hint="`./agent status` shows it, `./agent stop` ends it"
            ) from None
        self._lock = descriptor

    def release(self) -> None:
        """Free when this returns. Closing is not enough: a program that another thread is starting has a copy."""
        if self._lock is not None:
            fcntl.flock(self._lock, fcntl.LOCK_UN)
            os.close(self._lock)
            self._lock = None

    def token(self) -> str:
        """The token made at first start, readable by the owner alone."""
        path = self.path / "token"
        try:
            known = path.read_text("ascii").strip()
            path.chmod(0o600)
            if known:
                return known
        except FileNotFoundError:
            pass
        made = secrets.token_urlsafe(32)
        write_private(path, made.encode() + b"\n")
        return made

    def announce(self, note: dict[str, Any]) -> None:
        write_private(self.path / "service.json", orjson.dumps(note, option=orjson.OPT_INDENT_2))

    def withdraw(self) -> None:
        (self.path / "service.json").unlink(missing_ok=True)


def write_private(path: Path, data: bytes) -> None:
    """A file only the owner can read, whole or not at all, and still there after a power cut."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
