"""Builds the outbox for copies of logs and memory, and says where they go."""

from collections.abc import Callable

from context_manager import ContextManager
from drive_uploader import Choice, DriveChoice, DriveUploader, FolderChoice
from settings import Settings


def backup_choice(settings: Settings, source: str = "") -> Choice | None:
    """Where copies of logs and memory go; `source` says which, where both are set."""
    if settings.drive_key_file is not None and source != "folder":
        return DriveChoice(settings.drive_key_file, settings.drive_folder, settings.drive_subject)
    if settings.backup_folder is not None and source != "drive":
        return FolderChoice(settings.backup_folder)
    return None


def build_backups(settings: Settings, memory: ContextManager, boundary: Callable[[str], None]) -> DriveUploader:
    def tell(state: str, words: str) -> None:
        with memory.transaction() as tx:
            tx.emit("backup_state", state=state, words=words)

    choice = backup_choice(settings)
    return DriveUploader(settings.home, choice, zone=settings.zone, tell=tell, boundary=boundary)
