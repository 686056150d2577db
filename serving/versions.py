"""The data of an app goes with its version: going back to an earlier version brings back the data of then."""

import json
import os
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path

from serving.data import DataFolders

COPIES = 20
"""How many versions' data are kept; the oldest go first."""


@dataclass(frozen=True, slots=True)
class Version:
    """Which app data belongs to: a name for it, and how many versions came before."""

    key: str
    order: int


@dataclass(slots=True)
class _Note:
    """What is known of a project's data, kept beside its copies."""

    key: str
    order: int
    untouched: str = ""
    """The data's fingerprint when it was last put back; still the same if nobody has added anything since."""
    copies: dict[str, int] = field(default_factory=dict)
    """The versions whose data is kept, oldest copy first, each with its order."""
    restoring: str = ""
    """The version whose data is being put back; done again if that was cut off."""


class DataVersions:
    """Called before an app starts and while it does not run."""

    def __init__(self, data: DataFolders, root: Path) -> None:
        self._data = data
        self._root = root

    def fit(self, project: str, version: Version) -> str:
        """Make the project's data that of this version of its app; says what was done, or nothing.

        Forward, the app itself brings its data up to date, after a copy was made. Back, the data of then is put back,
        after a copy of the present was made, which comes again with the later version if nothing was added meanwhile.
        """
        note = self._read(project)
        if note is not None and note.restoring:
            self._put_back(project, note)
        if note is None or note.key == version.key:
            self._write(project, note or _Note(version.key, version.order))
            return ""
        forward = version.order > note.order
        unchanged = bool(note.untouched) and note.untouched == self._data.fingerprint(project)
        self._copy(project, note)
        note.untouched = ""
        if not forward:
            note.restoring = _nearest(note, version)
        elif unchanged and version.key in note.copies:
            note.restoring = version.key
        note.key, note.order = version.key, version.order
        self._write(project, note)
        return self._put_back(project, note)

    def _put_back(self, project: str, note: _Note) -> str:
        """Put back the data that the note says; what is put back is written down before and after."""
        if not note.restoring:
            return ""
        self._data.restore(project, self._place(project, note.restoring))
        note.untouched, note.restoring = self._data.fingerprint(project), ""
        self._write(project, note)
        return "its data is as it was when this version last ran"

    def _copy(self, project: str, note: _Note) -> None:
        place = self._place(project, note.key)
        beside = place.with_name(f".{place.name}.new")
        shutil.rmtree(beside, ignore_errors=True)
        self._data.snapshot(project, beside)
        shutil.rmtree(place, ignore_errors=True)
        beside.rename(place)
        note.copies.pop(note.key, None)
        note.copies[note.key] = note.order
        for key in list(note.copies)[:-COPIES]:
            shutil.rmtree(self._place(project, key), ignore_errors=True)
            del note.copies[key]
        self._write(project, note)

    def _place(self, project: str, key: str) -> Path:
        return self._root / project / key

    def _read(self, project: str) -> _Note | None:
        try:
            raw = json.loads((self._root / project / "versions.json").read_bytes())
            copies = {str(key): int(order) for key, order in raw["copies"].items()}
            return _Note(str(raw["key"]), int(raw["order"]), str(raw["untouched"]), copies, str(raw["restoring"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _write(self, project: str, note: _Note) -> None:
        folder = self._root / project
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside = folder / f".versions.{os.getpid()}"
        beside.write_text(json.dumps(asdict(note)), "utf-8")
        beside.replace(folder / "versions.json")


def _nearest(note: _Note, version: Version) -> str:
    """The copy of this version or, if it never ran, of the newest one before it; nothing if there is none."""
    if version.key in note.copies:
        return version.key
    earlier = [key for key, order in note.copies.items() if order <= version.order]
    return max(earlier, key=lambda key: note.copies[key]) if earlier else ""
