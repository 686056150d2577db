"""Words that nobody guesses, made once for each app and kept for its owner alone."""

import json
import os
import secrets
import threading
from collections.abc import Iterable
from pathlib import Path

from contracts.errors import Failed
from logging_setup import Redactor


class AppSecrets:
    """One file that only the owner can read. Every word in it is blanked wherever something is shown."""

    def __init__(self, path: Path, redactor: Redactor) -> None:
        self.path = path
        self._redactor = redactor
        self._lock = threading.Lock()

    def of(self, project: str, names: Iterable[str]) -> dict[str, str]:
        """A word for each name, the same each time."""
        wanted = list(names)
        if not wanted:
            return {}
        with self._lock:
            kept = self._read()
            own = kept.setdefault(project, {})
            made = {name: secrets.token_urlsafe(32) for name in wanted if name not in own}
            if made:
                own |= made
                self._write(kept)
            found = {name: own[name] for name in wanted}
        for word in found.values():
            self._redactor.add(word)
        return found

    def hide(self, word: str) -> None:
        """Blank a word that somebody else keeps."""
        self._redactor.add(word)

    def _read(self) -> dict[str, dict[str, str]]:
        try:
            kept: dict[str, dict[str, str]] = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise Failed(f"`{self.path}` is damaged", hint="Move it away; the apps get new keys then") from error
        return kept

    def _write(self, kept: dict[str, dict[str, str]]) -> None:
        part = self.path.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(kept, file, indent=2, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.path)
