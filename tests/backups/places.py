"""Places for backups that tests use: a folder, and a Google Drive on this machine."""

import io
import json
import time
from collections.abc import Callable
from pathlib import Path

from backups.base import BackupTarget, Choice, Stored, Upload, sums_of
from backups.choices import DriveChoice, FolderChoice
from cloud_fakes.google_drive import FakeDrive

AGENT = "a1b2c3d4e5f6"
DAY = "2026-11-17"
PERSON = "ada@example.org"
ROBOT = "robot@project.iam.gserviceaccount.com"


class DrivePlace:
    """A folder in the Drive of a person who signed in."""

    name = "Google Drive"

    def __init__(self, drive: FakeDrive, folder: Path, *, own_top: bool = False) -> None:
        self.drive = drive
        self.info = drive.tokens.add_person(PERSON, drive.token_uri)
        self.top = "" if own_top else drive.files.add_folder("Backups", PERSON)
        folder.mkdir(parents=True, exist_ok=True)
        self.key_file = folder / "key.json"
        self.key_file.write_text(json.dumps(self.info))
        self.choice: Choice = DriveChoice(self.key_file, self.top, url=drive.url)

    def contents(self) -> dict[str, bytes]:
        ours = [f for f in self.drive.files.stored() if f.meta.get("appProperties", {}).get("ta_top") == self._mark]
        return {f.meta["appProperties"]["ta_path"]: f.content for f in ours}

    def count(self) -> int:
        """Files, those of the same path each for itself."""
        ours = [f for f in self.drive.files.stored() if f.meta.get("appProperties", {}).get("ta_top") == self._mark]
        return len(ours)

    def damage(self, path: str) -> None:
        for file in self.drive.files.stored():
            if file.meta["appProperties"]["ta_path"] == path:
                file.content = b"{}"

    @property
    def _mark(self) -> str:
        return self.top or "own"


class FolderPlace:
    name = "folder"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.choice: Choice = FolderChoice(folder)

    def contents(self) -> dict[str, bytes]:
        files = [path for path in self.folder.glob("*/*.json") if not path.name.startswith(".")]
        return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in files}

    def count(self) -> int:
        return len(self.contents())

    def damage(self, path: str) -> None:
        (self.folder / path).write_bytes(b"{}")


Place = DrivePlace | FolderPlace


def upload(content: bytes, name: str = "101500-t1.json", day: str = DAY, agent: str = AGENT) -> Upload:
    file = io.BytesIO(content)
    return Upload(agent, f"{day}/{name}", file, sums_of(file))


def store(target: BackupTarget, item: Upload) -> Stored:
    """As a sender does it, without an outbox."""
    folder = target.reserve(item.folder)
    assert target.make_folder(item.agent, item.folder, folder, target.top)
    stored = target.put(item, target.reserve(item.path), folder, replaces=False)
    assert stored
    return stored


def write_log(home: Path, name: str, content: str, day: str = DAY) -> Path:
    """As the agent writes logs: whole, moved into place."""
    path = home / "logs" / day / name
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{name}.new")
    beside.write_text(content)
    return beside.replace(path)


def until(true: Callable[[], object], seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)
