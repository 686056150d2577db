"""Remembers what steps left out of commits, so that it is known later for the agent's own and not someone's work."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from repositories.objects import Changed, Entry, Item

MOST = 2000


class Uncommitted:
    """For each path: the content that a step left there uncommitted, and what HEAD had there at that time."""

    def __init__(self, git: Path) -> None:
        self._file = git / "agent" / "uncommitted.json"
        self._known = self._read()

    def _read(self) -> dict[str, list[str]]:
        try:
            known = json.loads(self._file.read_text())
        except (FileNotFoundError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def is_own(self, path: str, before: Entry | None, head: Item | None) -> bool:
        """Whether all that sets the path apart from HEAD is a step's doing."""
        return self._known.get(path) == _pair(before, head)

    def note(self, changes: Iterable[Changed], own: Mapping[str, Item | None], left_out: set[str]) -> None:
        """Take over what became of a step: `own` has what HEAD had at the paths that nobody else has touched."""
        known = dict(self._known)
        for change in changes:
            known.pop(change.path, None)
            if change.path in own and change.path in left_out:
                known[change.path] = _pair(change.after, own[change.path])
        if known == self._known:
            return
        self._known = dict(list(known.items())[-MOST:])
        self._file.parent.mkdir(exist_ok=True)
        new = self._file.with_suffix(".new")
        new.write_text(json.dumps(self._known))
        new.replace(self._file)


def _pair(entry: Entry | None, head: Item | None) -> list[str]:
    return [entry.oid.hex() if entry else "", head.oid.hex() if head else ""]
