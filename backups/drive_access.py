"""What signing in to Google Drive and finding the place takes: a key and a folder. Loads nothing of Google's."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contracts.errors import BadSettings

GOOGLE = "https://www.googleapis.com/"
NEEDED = {
    "service_account": ("client_email", "private_key", "token_uri"),
    "authorized_user": ("client_id", "client_secret", "refresh_token"),
}
FOLDER_LINK = re.compile(r"https://drive\.google\.com/(?:drive/)?(?:u/\d+/)?folders/([\w-]+)(?:[/?#].*)?")
FOLDER_ID = re.compile(r"[\w-]{1,200}")


@dataclass(frozen=True, slots=True)
class DriveAccess:
    """All that is needed to sign in and find the place. `info` is what the key file holds."""

    info: Mapping[str, Any] = field(repr=False)
    folder: str = ""
    subject: str = ""
    url: str = GOOGLE

    @property
    def is_service_account(self) -> bool:
        return self.info.get("type") == "service_account"

    @property
    def who(self) -> str:
        """Whom to share a folder with, as far as the key says."""
        return self.subject or str(self.info.get("client_email") or "the person who gave access")


def folder_id(text: str) -> str:
    """Raises BadSettings if it is neither an id nor a link."""
    link = FOLDER_LINK.fullmatch(text.strip())
    found = link[1] if link else text.strip()
    if found and not FOLDER_ID.fullmatch(found):
        raise BadSettings(
            "The folder for backups in Google Drive must be its link or the id in it",
            hint="Open the folder in a browser and copy the address, `https://drive.google.com/drive/folders/...`",
        )
    return found


def read_key(path: Path) -> dict[str, Any]:
    """Raises BadSettings that says what is wrong with the file, never what is in it."""
    try:
        info = json.loads(path.read_bytes())
    except OSError as error:
        raise BadSettings(
            f"The key file for Google Drive, `{path}`, cannot be read: {error.strerror}",
            hint="Put the JSON file there that Google Cloud gave you, readable by the agent's user",
        ) from None
    except ValueError:
        info = None
    return checked_key(info, f"`{path}`")


def checked_key(info: Any, where: str) -> dict[str, Any]:
    """What a key file holds, if it is one. Raises BadSettings, as above."""
    if not isinstance(info, dict) or info.get("type") not in NEEDED:
        raise BadSettings(
            f"{where[:1].upper()}{where[1:]} is not a key file for Google Drive",
            hint="It must be the JSON of a service account, or of type `authorized_user` with a refresh token",
        )
    missing = [name for name in NEEDED[info["type"]] if not isinstance(info.get(name), str) or not info[name]]
    if missing:
        raise BadSettings(
            f"In {where} something is missing: {', '.join(f'`{name}`' for name in missing)}",
            hint="Download the file again; do not edit it by hand",
        )
    return info
