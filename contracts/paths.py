"""Names that are safe on every file system: project names and paths inside a project."""

import os
import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field

PROJECT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MAX_PATH = 1024
MAX_NAME_BYTES = 255
RESERVED = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {f"{d}{n}" for d in ("com", "lpt") for n in "123456789"}
FORBIDDEN = set('<>:"|?*\\')
UNPRINTABLE = {"Cc", "Cs", "Cf", "Zl", "Zp"}
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that some file systems leave out when they compare names."""


def fold(name: str) -> str:
    """Two names that some file system takes for one another have the same folded form."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())


def is_git(name: str) -> bool:
    """Whether some file system could take the name for `.git`, whatever its case or disguise."""
    if name.isascii() and "git" not in name.lower():
        return False
    plain = IGNORABLE.sub("", unicodedata.normalize("NFKC", name)).casefold()
    parts = [part.split(":")[0].rstrip(". ") for part in plain.split("\\")]
    return any(part == ".git" or re.fullmatch(r"git~\d+", part) for part in parts)


def check_name(name: str) -> str:
    """One path component; raises ValueError with what is wrong with it."""
    if name in {"", ".", ".."}:
        raise ValueError("a path may not contain an empty part, `.` or `..`")
    if is_git(name):
        raise ValueError("`.git` belongs to the history of the project and is not touched by file actions")
    bad = sorted(c for c in set(name) if c in FORBIDDEN or unicodedata.category(c) in UNPRINTABLE)
    if bad:
        raise ValueError(f"a name may not contain {', '.join(ascii(c) for c in bad)}")
    if len(name.encode()) > MAX_NAME_BYTES:
        raise ValueError(f"a name may have at most {MAX_NAME_BYTES} bytes")
    if name[-1] in ". " or name[0] == " ":
        raise ValueError("a name may not end in a dot or a space, or begin with a space")
    if unicodedata.normalize("NFKC", name).casefold().split(".")[0].rstrip() in RESERVED:
        raise ValueError(f"`{name}` is a reserved name on some systems")
    return name


def check_path(path: str) -> str:
    """A path inside a project, with `/` between its parts; raises ValueError."""
    if not path:
        raise ValueError("a path is needed")
    if len(path) > MAX_PATH:
        raise ValueError(f"a path may have at most {MAX_PATH} characters")
    if path.startswith(("/", "~")):
        raise ValueError("a path is relative to its project and may not begin with `/` or `~`")
    composed = unicodedata.normalize("NFC", path).rstrip("/")
    for name in composed.split("/"):
        check_name(name)
    return composed


def check_folder(path: str) -> str:
    """Like check_path, but the project's own folder may be named, as `` or `.`."""
    return "" if path in {"", ".", "./"} else check_path(path)


def check_project(name: str) -> str:
    """A project's name; raises ValueError."""
    if not PROJECT_NAME.fullmatch(name):
        raise ValueError(
            "a project name has 1 to 64 letters, digits, dots, dashes or underscores and begins with a letter or digit"
        )
    return check_name(name)


def shown(path: str) -> str:
    """A path as text that can be printed and put into JSON, whatever bytes its name has."""
    try:
        text = os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        text = path.encode("utf-8", "backslashreplace").decode()
    return "".join(ascii(c)[1:-1] if unicodedata.category(c) in UNPRINTABLE else c for c in text)


ProjectPath = Annotated[
    str, AfterValidator(check_path), Field(description="Path inside the project, such as `src/app.py`.")
]
FolderPath = Annotated[
    str, AfterValidator(check_folder), Field(description="Folder inside the project; empty for the project itself.")
]
ProjectName = Annotated[str, AfterValidator(check_project), Field(description="Name of the project, such as `notes`.")]
