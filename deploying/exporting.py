"""An app as a zip that runs anywhere: its files, how to start it, and a Dockerfile. Kept in a folder of the home."""

import io
import os
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from contracts.deployments import Account, Parcel, Place, Quote, Release, ReleaseState, Say, Tick
from contracts.errors import NotFound
from contracts.words import counted
from deploying.export_guides import guides
from deploying.parcels import pack, plain_files

BEGINNING_OF_TIME = (1980, 1, 1, 0, 0, 0)
"""Every entry's date, so that the same files always give the same zip."""
FILE = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)--(?P<number>\d{6})--(?P<key>[A-Za-z0-9-]+)\.zip")


def zip_directory(source_dir: str | Path) -> bytes:
    """Everything in a folder that may leave this machine, as a zip. Raises TooLarge, and Conflict if it holds keys."""
    return zipped(pack(plain_files(Path(source_dir))).files)


def zipped(files: Mapping[str, bytes], above: str = "") -> bytes:
    """The same files always give the same bytes."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{above}{path}", BEGINNING_OF_TIME)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return target.getvalue()


class Export:
    """The zips of this home as a host: each export is a release, the newest one is the one that counts."""

    name, title = "export", "a zip file"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def check(self) -> Account:
        return Account("this machine")

    def places(self) -> list[Place]:
        names = sorted({found["name"] for found in map(FILE.fullmatch, self._files()) if found})
        return [Place(self.name, name, name, ours=True) for name in names]

    def unfit(self, parcel: Parcel) -> str:
        return "" if parcel.files else "there is nothing to pack"

    def quote(self, parcel: Parcel, name: str) -> Quote:
        return Quote(True, "free", "", "nothing: the file stays on this machine until you pass it on")

    def ship(self, parcel: Parcel, name: str, key: str, *, say: Say, tick: Tick) -> Release:
        known = self.find(name, key)
        if known is not None:
            return known
        tick()
        say(f"Packing {counted(len(parcel.files), 'file')}")
        data = zipped({**parcel.files, **guides(parcel)}, f"{name}/")
        newest = max((int(found["number"]) for found in self._matches(name)), default=0)
        path = self._folder / f"{name}--{newest + 1:06}--{key}.zip"
        self._folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        return self._release(path.name, parcel.commit)

    def find(self, name: str, key: str) -> Release | None:
        return next((self._release(found.string) for found in self._matches(name) if found["key"] == key), None)

    def live(self, name: str) -> Release | None:
        found = self.releases(name, 1)
        return found[0] if found else None

    def releases(self, name: str, limit: int = 20) -> list[Release]:
        matches = sorted(self._matches(name), key=lambda found: found["number"], reverse=True)
        return [self._release(found.string) for found in matches[:limit]]

    def bring_back(self, name: str, release: Release, key: str, *, say: Say, tick: Tick) -> Release:
        """The zips that were made after it go."""
        number = next((found["number"] for found in self._matches(name) if found.string == release.id), "")
        if not number:
            raise NotFound(f"The file `{release.id}` is no longer there", hint="Export the app again")
        for found in self._matches(name):
            if found["number"] > number:
                self._folder.joinpath(found.string).unlink(missing_ok=True)
        return self._release(release.id)

    def take_down(self, name: str) -> None:
        for found in self._matches(name):
            self._folder.joinpath(found.string).unlink(missing_ok=True)

    def log(self, release: Release, limit: int = 500) -> list[str]:
        return []

    def _files(self) -> list[str]:
        return sorted(path.name for path in self._folder.iterdir()) if self._folder.is_dir() else []

    def _matches(self, name: str) -> list[re.Match[str]]:
        return [found for found in map(FILE.fullmatch, self._files()) if found and found["name"] == name]

    def _release(self, file: str, commit: str = "") -> Release:
        found = FILE.fullmatch(file)
        key, name = (found["key"], found["name"]) if found else ("", "")
        url = f"/exports/{file}"
        path = self._folder / file
        return Release(
            self.name, file, name, url, ReleaseState.LIVE, commit, key, details={"path": str(path)}, words=str(path)
        )
