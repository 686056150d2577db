"""Builds the outbox for copies of logs and memory, says where they go, and tries out the key for them."""

import json
from collections.abc import Callable, Mapping

from context_manager import ContextManager
from contracts.deployments import Account
from contracts.errors import BadSettings, Failed, InvalidParams
from credentials import Check, Credentials, Values
from drive_uploader import GOOGLE, Choice, DriveChoice, DriveKeyChoice, DriveUploader, FolderChoice
from settings import Settings

DRIVE = "drive"
"""The account under which a key for Google Drive is kept."""


def backup_choice(
    settings: Settings, source: str = "", stored: Mapping[str, str] | None = None, url: str = GOOGLE
) -> Choice | None:
    """Where copies of logs and memory go; `source` says which, where both are set. What is stored comes first."""
    if stored is not None and source != "folder":
        return _drive(stored, url)
    if settings.drive_key_file is not None and source != "folder":
        return DriveChoice(settings.drive_key_file, settings.drive_folder, settings.drive_subject, url)
    if settings.backup_folder is not None and source != "drive":
        return FolderChoice(settings.backup_folder)
    return None


def chosen_place(settings: Settings, credentials: Credentials, url: str) -> Choice | None:
    """Where copies go now."""
    try:
        return backup_choice(settings, stored=credentials.get(DRIVE), url=url)
    except Failed:
        return backup_choice(settings, url=url)  # what cannot be read cannot be used; `notices` tells the owner


def build_backups(
    settings: Settings, memory: ContextManager, choice: Choice | None, boundary: Callable[[str], None]
) -> DriveUploader:
    def tell(state: str, words: str) -> None:
        with memory.transaction() as tx:
            tx.emit("backup_state", state=state, words=words)

    return DriveUploader(settings.home, choice, zone=settings.zone, tell=tell, boundary=boundary)


def check_drive(url: str, others: Check) -> Check:
    """Asks Google whose key it is, and whether the folder is there; `others` asks the hosts of every other kind."""

    def check(name: str, values: Values) -> Account:
        if name != DRIVE:
            return others(name, values)
        try:
            drive = _drive(values, url).drive()
        except BadSettings as wrong:
            raise InvalidParams(wrong.message, hint=f"Nothing was stored. {wrong.hint}") from wrong
        try:
            return Account(drive.check())
        finally:
            drive.close()

    return check


def _drive(values: Mapping[str, str], url: str) -> DriveKeyChoice:
    return DriveKeyChoice(json.loads(values["key"]), values.get("folder", ""), values.get("person", ""), url)
