"""The outbox: which files are still to be sent, and under which ids they were stored. It outlives any kill."""

import os
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from agent_home import write_private
from backups.base import Stored
from contracts.errors import StoreDamaged, Unavailable

SCHEMA = """
CREATE TABLE IF NOT EXISTS items (
    target TEXT NOT NULL, path TEXT NOT NULL,
    remote TEXT NOT NULL DEFAULT '', link TEXT NOT NULL DEFAULT '',
    sent TEXT NOT NULL DEFAULT '', sent_at TEXT NOT NULL DEFAULT '', stat TEXT NOT NULL DEFAULT '',
    pending INTEGER NOT NULL DEFAULT 0, due REAL NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (target, path)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS waiting ON items (target, due) WHERE pending;
CREATE TABLE IF NOT EXISTS targets (target TEXT PRIMARY KEY) WITHOUT ROWID;
"""
BATCH = 500
DAMAGED = "The outbox of the backups cannot be read"


@dataclass(frozen=True, slots=True)
class Item:
    """What is known of a file or folder at the target. Folders have a path without `/`."""

    path: str
    remote: str = ""
    """The id that it has or will have there; empty if none was reserved yet."""
    sent: str = ""
    """The SHA-256 of what was stored last."""
    stat: str = ""
    """Size and time of the file when that was read."""
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    pending: int
    uploaded: int
    last_success: str


class Outbox:
    """One SQLite file in the home, readable by its owner alone. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        """Raises StoreDamaged or Unavailable if it cannot be read or written."""
        self._lock = threading.Lock()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
            self.agent = _identity(folder / "agent")
            self._path = folder / "outbox.db"
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
            self._path.chmod(0o600)
        except OSError as error:
            raise Unavailable(f"The outbox of the backups cannot be kept in `{folder}`: {error.strerror}") from error
        try:
            self._db = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
            # EXTRA also syncs the folder, so that what was committed stays so when the power goes.
            self._db.executescript(f"PRAGMA synchronous = EXTRA; PRAGMA journal_mode = DELETE; {SCHEMA}")
        except sqlite3.Error as error:
            raise _unreadable(error, self._path) from error

    def knows(self, target: str) -> bool:
        """Whether it was written down what that target has."""
        return bool(self._rows("SELECT 1 FROM targets WHERE target = ?", target))

    def adopt(self, target: str, found: Iterable[Stored]) -> None:
        """Take over what a target has, as if this outbox had stored it; of two of the same path, the newer one."""
        rest = iter(found)
        while some := list(islice(rest, BATCH)):
            with self._transaction() as db:
                db.executemany(
                    "INSERT INTO items (target, path, remote, link, sent, sent_at) VALUES (?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET remote = excluded.remote, link = excluded.link, sent = excluded.sent,"
                    " sent_at = excluded.sent_at WHERE excluded.sent_at >= items.sent_at",
                    [(target, s.path, s.id, s.link, self._sum(s), s.modified) for s in some],
                )
        with self._transaction() as db:
            db.execute("INSERT OR IGNORE INTO targets VALUES (?)", (target,))

    def _sum(self, stored: Stored) -> str:
        """What another agent stored is stored anew, so that it becomes ours."""
        return stored.sums[0] if stored.agent == self.agent and len(stored.sums) == 1 else ""

    def item(self, target: str, path: str) -> Item:
        rows = self._rows(
            "SELECT path, remote, sent, stat, attempts FROM items WHERE target = ? AND path = ?", target, path
        )
        return Item(*rows[0]) if rows else Item(path)

    def mark(self, target: str, changes: Iterable[tuple[str, float]]) -> None:
        """These are to be sent, each from the given time on."""
        with self._transaction() as db:
            db.executemany(
                "INSERT INTO items (target, path, pending, due) VALUES (?, ?, 1, ?)"
                " ON CONFLICT DO UPDATE SET pending = 1,"
                " due = CASE WHEN pending THEN min(due, excluded.due) ELSE excluded.due END",
                [(target, path, due) for path, due in changes],
            )

    def next(self, target: str) -> tuple[str, float] | None:
        """What is to be sent first, and from when on."""
        rows = self._rows("SELECT path, due FROM items WHERE target = ? AND pending ORDER BY due, path LIMIT 1", target)
        return (rows[0][0], rows[0][1]) if rows else None

    def hurry(self, target: str) -> None:
        """Nothing waits any longer for its time."""
        with self._transaction() as db:
            db.execute("UPDATE items SET due = 0, attempts = 0 WHERE target = ? AND pending", (target,))

    def assign(self, target: str, path: str, remote: str) -> None:
        """From now on the path is stored under that id and no other."""
        with self._transaction() as db:
            db.execute(
                "INSERT INTO items (target, path, remote) VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET remote = excluded.remote, sent = '', link = ''",
                (target, path, remote),
            )

    def sent(self, target: str, path: str, sha256: str, stat: str, stored: Stored | None, at: str) -> None:
        """The target has this content. Without `stored` it had it before."""
        with self._transaction() as db:
            db.execute(
                "UPDATE items SET pending = 0, attempts = 0, sent = ?, stat = ? WHERE target = ? AND path = ?",
                (sha256, stat, target, path),
            )
            if stored:
                db.execute(
                    "UPDATE items SET link = ?, sent_at = ? WHERE target = ? AND path = ?",
                    (stored.link, at, target, path),
                )

    def drop(self, target: str, path: str) -> None:
        """There is nothing to send any more, because the file is gone."""
        with self._transaction() as db:
            db.execute("UPDATE items SET pending = 0 WHERE target = ? AND path = ?", (target, path))

    def postpone(self, target: str, path: str, due: float) -> None:
        with self._transaction() as db:
            db.execute(
                "UPDATE items SET due = ?, attempts = attempts + 1 WHERE target = ? AND path = ?", (due, target, path)
            )

    def in_trouble(self, target: str) -> bool:
        """Whether a file waits because it could not be sent before."""
        return bool(self._rows("SELECT 1 FROM items WHERE target = ? AND pending AND attempts LIMIT 1", target))

    def counts(self, target: str, now: float) -> Counts:
        """A copy of the memory whose time has not come yet is not counted as waiting."""
        rows = self._rows(
            "SELECT coalesce(sum(pending AND NOT (path LIKE '%/context-%' AND attempts = 0 AND due > ?)), 0),"
            " coalesce(sum(sent != ''), 0), coalesce(max(sent_at), '')"
            " FROM items WHERE target = ? AND path LIKE '%/%'",
            *(now, target),
        )
        return Counts(*rows[0])

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _unreadable(error, self._path) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield self._db
                except BaseException:
                    self._db.execute("ROLLBACK")
                    raise
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                raise _unreadable(error, self._path) from error


def _unreadable(error: sqlite3.Error, path: Path) -> StoreDamaged | Unavailable:
    if isinstance(error, sqlite3.OperationalError):
        return Unavailable(f"The outbox of the backups cannot be used: {error}", hint="Make room on its disk")
    return StoreDamaged(
        f"{DAMAGED}: {error}", hint=f"Remove `{path}`; what the target has is found again, nothing is sent twice"
    )


def _identity(path: Path) -> str:
    """Whose backups these are: made once, and taken along when a home is restored elsewhere."""
    try:
        known = path.read_text("ascii").strip()
        if len(known) == 12 and set(known) <= set("0123456789abcdef"):
            return known
    except FileNotFoundError:
        pass
    made = secrets.token_hex(6)
    write_private(path, made.encode() + b"\n")
    return made
