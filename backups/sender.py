"""Sends one file after the other to one target, so that a kill at any moment leaves nothing lost and nothing twice."""

import logging
from collections.abc import Callable

from backups.base import TOP, BackupTarget, Upload, sums_of
from backups.outbox import Outbox
from backups.sources import Sources
from contracts.errors import Failed

ROUNDS = 4
"""How often a new id is taken for what somebody removed at the target meanwhile."""

log = logging.getLogger(__name__)


class Sender:
    """Before anything is created, its id is on disk here; so whoever comes after a kill creates the very same thing."""

    def __init__(
        self,
        key: str,
        target: BackupTarget,
        outbox: Outbox,
        sources: Sources,
        clock: Callable[[], str],
        boundary: Callable[[str], None],
    ) -> None:
        self._key = key
        self._target = target
        self._outbox = outbox
        self._sources = sources
        self._clock = clock
        self._boundary = boundary
        self._there: dict[str, str] = {}
        """Folders that were seen at the target since the start, by path."""

    def learn(self) -> None:
        """Ask the target what it has, if that is not known: the outbox may be new, or its file may have been lost."""
        if not self._outbox.knows(self._key):
            self._outbox.adopt(self._key, self._target.everything())
            self._boundary("learned")

    def send(self, path: str) -> bool:
        """Have the target hold the file as it is now. False: it did so before, or there is no such file any more."""
        try:
            with self._sources.open(path) as (file, stat):
                sums = sums_of(file)
                if self._outbox.item(self._key, path).sent == sums.sha256:
                    self._outbox.sent(self._key, path, sums.sha256, stat, None, "")
                    return False
                self._store(Upload(self._outbox.agent, path, file, sums), stat)
                return True
        except FileNotFoundError:
            log.warning("A file was removed before it was backed up", extra={"data": {"path": path}})
            self._outbox.drop(self._key, path)
            return False

    def _store(self, upload: Upload, stat: str) -> None:
        for _ in range(ROUNDS):
            folder = self._folder(upload.folder)
            item = self._outbox.item(self._key, upload.path)
            id = item.remote or self._reserve(upload.path)
            self._boundary("sending")
            stored = self._target.put(upload, id, folder, replaces=bool(item.remote and item.sent))
            self._boundary("stored")
            if stored:
                self._outbox.sent(self._key, upload.path, upload.sums.sha256, stat, stored, self._clock())
                self._boundary("recorded")
                return
            self._there.clear()
            self._outbox.assign(self._key, upload.path, "")
        raise Failed(f"`{upload.path}` was removed at the target each time", hint="It is tried again later")

    def _folder(self, path: str) -> str:
        if path == TOP and self._target.top:
            return self._target.top
        for _ in range(ROUNDS):
            if path in self._there:
                return self._there[path]
            parent = "" if path == TOP else self._folder(TOP)
            id = self._outbox.item(self._key, path).remote or self._reserve(path)
            if self._target.make_folder(self._outbox.agent, path, id, parent):
                self._boundary("folder made")
                self._there[path] = id
            else:
                self._there.clear()
                self._outbox.assign(self._key, path, "")
        raise Failed(f"The folder `{path}` was removed at the target each time", hint="It is tried again later")

    def _reserve(self, path: str) -> str:
        id = self._target.reserve(path)
        self._outbox.assign(self._key, path, id)
        self._boundary("reserved")
        return id
