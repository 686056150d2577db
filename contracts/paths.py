"""Names that are safe on every file system: project names and paths inside a project."""

import os
import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field

PROJECT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MAX_PATH = 1024
MAX_NAME_BYTES = 255
RESERVED = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {
    f"{d}{n}" for d in ("com", "lpt") for n in "123456789¹²³"
}
FORBIDDEN = set('<>:"|?*\\')


def check_name(name: str) -> str:
    """One path component; raises ValueError with what is wrong with it."""
    if name in {"", ".", ".."}:
        raise ValueError("a path may not contain an empty part, `.` or `..`")
    if len(os.fsencode(name)) > MAX_NAME_BYTES:
        raise ValueError(f"a name may have at most {MAX_NAME_BYTES} bytes")
    bad = sorted(c for c in set(name) if c in FORBIDDEN or unicodedata.category(c) in {"Cc", "Cs", "Cf", "Zl", "Zp"})
    if bad:
        raise ValueError(f"a name may not contain {', '.join(repr(c) for c in bad)}")
    if name[-1] in ". " or name[0] == " ":
        raise ValueError("a name may not end in a dot or a space, or begin with a space")
    folded = unicodedata.normalize("NFKC", name).casefold()
    if folded == ".git" or re.fullmatch(r"git~\d+", folded):
        raise ValueError("`.git` belongs to the history of the project and is not touched by file actions")
    if folded.split(".")[0].rstrip() in RESERVED:
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
    for name in path.rstrip("/").split("/"):
        check_name(name)
    return unicodedata.normalize("NFC", path.rstrip("/"))


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
    return os.fsencode(path).decode("utf-8", "backslashreplace")


ProjectPath = Annotated[
    str, AfterValidator(check_path), Field(description="Path inside the project, such as `src/app.py`.")
]
FolderPath = Annotated[
    str, AfterValidator(check_folder), Field(description="Folder inside the project; empty for the project itself.")
]
ProjectName = Annotated[str, AfterValidator(check_project), Field(description="Name of the project, such as `notes`.")]
