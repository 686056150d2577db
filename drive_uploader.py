"""Backups: every log, and the memory once a day, reach the chosen place once, sooner or later."""

import contextlib
import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import chain, islice
from pathlib import Path
from typing import Any

from backups.base import LOG_NAME, BackupTarget, Choice, Stored
from backups.choices import DriveChoice, DriveKeyChoice, FolderChoice
from backups.drive_access import GOOGLE
from backups.outbox import Outbox
from backups.restoring import Restored, restore
from backups.sender import Sender
from backups.sources import Sources
from contracts.errors import AppError, BadSettings, Failed, StoreDamaged, TooLarge, Unavailable
from contracts.times import stamp

__all__ = [
    "GOOGLE",
    "BackupTarget",
    "Choice",
    "DriveChoice",
    "DriveKeyChoice",
    "DriveUploader",
    "FolderChoice",
    "Patience",
    "Restored",
    "restore",
]

BATCH = 500
OFF = "Backups are off: no place for them is set"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that things may take."""

    settle: float = 1.0
    """A log is sent when it has not changed for so long."""
    first_pause: float = 2.0
    longest_pause: float = 900.0
    """After failures in a row the pause doubles up to this; a target that asks for a longer one gets it."""
    memory_every: float = 3600.0
    """Least time between two copies of the memory into the same day's folder."""
    closing: float = 5.0
    """How long the end of the service waits for what is being sent."""


class DriveUploader:
    """One thread that sleeps until something changes. What is still to be sent is known again after any kill."""

    def __init__(
        self,
        home: Path,
        choice: Choice | None = None,
        *,
        zone: tzinfo | None = None,
        patience: Patience | None = None,
        tell: Callable[[str, str], None] = lambda state, words: None,
        boundary: Callable[[str], None] = lambda name: None,
    ) -> None:
        """`tell` gets each new state (`working`, `waiting`, `stopped`) with what it means in words."""
        self._home = home
        self._zone = zone
        self._choice = choice
        self._patience = patience or Patience()
        self._tell_outside = tell
        self._boundary = boundary
        self._wake = threading.Condition()
        self._changed: dict[str, float] = {}
        self._closed = False
        self._asked = False
        """Somebody wants it tried now: at the start, by `retry`, or because another place was chosen."""
        self._thread: threading.Thread | None = None
        self._outbox: Outbox | None = None
        self._target: BackupTarget | None = None
        self._sender: Sender | None = None
        self._key = ""
        self._begun = False
        self._sources = Sources(home, "", zone)
        self._memory_sent = 0.0
        self._failures = 0
        self._resting_until = 0.0
        self._state = "working"
        self._error: AppError | None = None

    def start(self) -> None:
        """Look for what was not sent before, and from now on send what changes. Does nothing while no place is set."""
        with self._wake:
            if self._choice is None or self._thread is not None or self._closed:
                return
            self._asked = True
            self._thread = threading.Thread(target=self._run, name="backups", daemon=True)
            self._thread.start()

    def changed(self, log_file: Path) -> None:
        """A log was written. Costs next to nothing, and never fails."""
        path = self._sources.path_of(log_file)
        if path is not None and self._choice is not None:
            with self._wake:
                self._changed.setdefault(path, time.monotonic() + self._patience.settle)
                self._wake.notify()

    def retry(self) -> None:
        """Try now, whatever stood in the way."""
        with self._wake:
            self._asked = True
            self._wake.notify()

    def use(self, choice: Choice | None) -> None:
        """From now on, this place. What it does not have yet is sent there."""
        with self._wake:
            self._choice = choice
            self._asked = True
            self._wake.notify()
        self.start()

    def status(self) -> dict[str, Any]:
        choice, outbox, error = self._choice, self._outbox, self._error
        if choice is None:
            return {"configured": False, "state": "off", "pending": 0, "uploaded": 0, "words": OFF}
        counts = None
        with contextlib.suppress(AppError):
            # The outbox may be closed meanwhile, or its disk be full; the rest of the status holds all the same.
            counts = outbox.counts(choice.key, time.monotonic()) if outbox else None
        with self._wake:
            pending = len(self._changed) + (counts.pending if counts else 0)
        return {
            "configured": True,
            "state": self._state,
            "target": choice.words,
            "pending": pending,
            "uploaded": counts.uploaded if counts else 0,
            "last_success": counts.last_success if counts else "",
            "last_error": error.message if error else "",
            "hint": error.hint if error else "",
            "words": self._words(choice, pending, error),
        }

    def list_recent_drive_logs(self, limit: int = 20) -> list[dict[str, str]]:
        """The logs that the target got last. Raises BadSettings if no place is set, or what keeps it from answering."""
        choice = self._choice
        if choice is None:
            raise BadSettings(OFF, hint="`docs/backups.md` says how to set one")
        in_use = self._target
        target = in_use or choice.open()
        try:
            return [_shown(stored) for stored in target.recent_logs(max(1, min(limit, 1000)))]
        finally:
            if target is not in_use:
                target.close()

    list_recent_logs = list_recent_drive_logs

    def close(self) -> None:
        """What is not sent by then is sent after the next start."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(self._patience.closing)

    def _run(self) -> None:
        try:
            while not self._closed:
                try:
                    self._round()
                except AppError as error:
                    self._failed(error)
                except OSError as error:
                    self._failed(Unavailable(f"What is to be backed up cannot be read: {error.strerror or error}"))
        finally:
            if not self._closed:
                self._note("stopped", Failed("Backups ended by a mistake in the program", hint="Restart the service"))
            self._let_go()
            outbox, self._outbox = self._outbox, None
            if outbox:
                outbox.close()

    def _round(self) -> None:
        """Take in what was asked and changed, then send one file or sleep until there is something to do."""
        with self._wake:
            asked, self._asked = self._asked, False
        if asked:
            self._let_go()
            self._begun, self._failures, self._resting_until, self._state = False, 0, 0.0, "working"
        choice = self._choice
        if choice is None or self._state == "stopped" or self._resting_until > time.monotonic():
            self._write_down_changes()
            self._sleep(self._resting_until if self._state == "waiting" else None)
            return
        outbox = self._begin(choice)
        sender = self._sender or self._connect(choice, outbox)
        self._write_down_changes()
        first = outbox.next(self._key)
        if first is None or first[1] > time.monotonic():
            self._sleep(first[1] if first else None)
        else:
            self._send(sender, outbox, first[0])

    def _begin(self, choice: Choice) -> Outbox:
        """Once for each place that is chosen: find what it may lack."""
        if self._outbox is None:
            self._outbox = Outbox(self._home / "outbox")
            self._sources = Sources(self._home, self._outbox.agent, self._zone)
        if not self._begun:
            self._key = choice.key
            outbox, found = self._outbox, chain(self._sources.logs(), filter(None, [self._sources.memory()]))
            missing = ((path, 0.0) for path, stat in found if outbox.item(self._key, path).stat != stat)
            while some := list(islice(missing, BATCH)):
                outbox.mark(self._key, some)
            outbox.hurry(self._key)
            self._begun = True
        return self._outbox

    def _connect(self, choice: Choice, outbox: Outbox) -> Sender:
        self._target = choice.open()
        sender = Sender(self._key, self._target, outbox, self._sources, _now, self._boundary)
        sender.learn()
        self._sender = sender
        return sender

    def _write_down_changes(self) -> None:
        outbox = self._outbox
        if outbox is None or not self._begun:
            return
        with self._wake:
            changed, self._changed = self._changed, {}
        if changed:
            if memory := self._sources.memory():
                # The memory changes with every log, but is not sent each time.
                known = outbox.item(self._key, memory[0]).sent
                earliest = self._memory_sent + self._patience.memory_every if known else 0.0
                changed[memory[0]] = max(*changed.values(), earliest)
            outbox.mark(self._key, changed.items())

    def _send(self, sender: Sender, outbox: Outbox, path: str) -> None:
        try:
            sent = sender.send(path)
        except (Failed, TooLarge) as error:
            # Only this file is in trouble; the others go on.
            self._postpone(outbox, path, error)
            return
        except OSError as error:
            self._postpone(outbox, path, Failed(f"`{path}` cannot be read: {error.strerror}"))
            return
        if not LOG_NAME.fullmatch(path.partition("/")[2]):
            self._memory_sent = time.monotonic()
        self._failures = 0
        if sent:
            log.info("backed up", extra={"event": "backed_up", "data": {"path": path}})
        if not outbox.in_trouble(self._key):
            self._note("working", None)

    def _postpone(self, outbox: Outbox, path: str, error: AppError) -> None:
        pause = self._pause(outbox.item(self._key, path).attempts)
        outbox.postpone(self._key, path, time.monotonic() + pause)
        self._note("working", error)

    def _failed(self, error: AppError) -> None:
        """The target cannot be used, for a while or until a person has done something."""
        self._let_go()
        about_one_request = isinstance(error, Failed) and not isinstance(error, StoreDamaged)
        if not error.retryable and not about_one_request:
            self._note("stopped", error)
            return
        asked = error.details.get("retry_after")
        pause = max(self._pause(self._failures), float(asked) if asked is not None else 0.0)
        self._failures += 1
        self._resting_until = time.monotonic() + pause
        self._note("waiting", error)

    def _pause(self, failures: int) -> float:
        longest: float = min(self._patience.longest_pause, self._patience.first_pause * 2.0 ** min(failures, 30))
        return longest * random.uniform(0.5, 1.0)  # noqa: S311  spreads agents out, protects nothing

    def _note(self, state: str, error: AppError | None) -> None:
        news = (state, error.message if error else "") != (self._state, self._error.message if self._error else "")
        self._state, self._error = state, error
        if news:
            words = f"{error.message}. {error.hint}".rstrip(". ") if error else "Backups work again"
            if error:
                log.warning("backups: %s", words, extra={"event": f"backups_{state}", "data": {"code": error.code}})
            try:
                self._tell_outside(state, words)
            except AppError as untold:
                log.warning("nobody could be told about backups: %s", untold)

    def _sleep(self, until: float | None) -> None:
        """Until the time comes, or somebody changes or asks something."""
        with self._wake:
            if not (self._closed or self._asked or (self._changed and self._begun)):
                self._wake.wait(None if until is None else max(0.0, until - time.monotonic()))

    def _let_go(self) -> None:
        target, self._target, self._sender = self._target, None, None
        if target is not None:
            with contextlib.suppress(AppError):
                target.close()

    def _words(self, choice: Choice, pending: int, error: AppError | None) -> str:
        if error is not None and self._state == "stopped":
            return f"Backups to {choice.words} have stopped, {pending} waiting: {error.message}"
        if error is not None:
            return f"Backups to {choice.words} are being tried again, {pending} waiting: {error.message}"
        return f"Backups go to {choice.words}" + (f", {pending} waiting" if pending else ", all is there")


def _shown(stored: Stored) -> dict[str, str]:
    return {"id": stored.id, "name": stored.path, "time": stored.modified, "link": stored.link}


def _now() -> str:
    return stamp(datetime.now(UTC))
