"""The places that an owner can choose, before anything is opened or loaded for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backups.base import BackupTarget
from backups.drive_access import GOOGLE, DriveAccess, checked_key, folder_id, read_key
from backups.folder import FolderTarget

if TYPE_CHECKING:
    from backups.google_drive import GoogleDrive


@dataclass(frozen=True, slots=True)
class DriveChoice:
    """Drive through a key file: that of a service account, or one with the refresh token of a person."""

    key_file: Path
    folder: str = ""
    """The id or link of a folder; empty if one is to be made in the Drive of whoever signs in."""
    subject: str = ""
    """The person that a service account acts for, where an administrator allowed that."""
    url: str = GOOGLE

    @property
    def key(self) -> str:
        """A folder is the same whoever signs in; without one, it depends on who does."""
        return f"drive {self.url} {self.folder or f'{self.subject} {self.key_file.absolute()}'}"

    @property
    def words(self) -> str:
        return "Google Drive"

    def open(self) -> BackupTarget:
        from backups.google_drive import GoogleDrive  # noqa: PLC0415  Google's client takes long to load

        return GoogleDrive(DriveAccess(read_key(self.key_file), folder_id(self.folder), self.subject, self.url))


@dataclass(frozen=True, slots=True)
class DriveKeyChoice:
    """Drive through a key that is kept among the credentials."""

    info: Mapping[str, Any] = field(repr=False)
    folder: str = ""
    subject: str = ""
    url: str = GOOGLE

    @property
    def key(self) -> str:
        who = self.info.get("client_email") or self.info.get("client_id")
        return f"drive {self.url} {self.folder or f'{self.subject} {who}'}"

    @property
    def words(self) -> str:
        return "Google Drive"

    def open(self) -> BackupTarget:
        return self.drive()

    def drive(self) -> "GoogleDrive":
        from backups.google_drive import GoogleDrive  # noqa: PLC0415  as above

        info = checked_key(self.info, "the key that was given")
        return GoogleDrive(DriveAccess(info, folder_id(self.folder), self.subject, self.url))


@dataclass(frozen=True, slots=True)
class FolderChoice:
    """A folder that is there already; it is not made, since it may lie on a disk that is not mounted."""

    path: Path

    @property
    def key(self) -> str:
        return f"folder {self.path.absolute()}"

    @property
    def words(self) -> str:
        return f"the folder `{self.path}`"

    def open(self) -> BackupTarget:
        return FolderTarget(self.path)
