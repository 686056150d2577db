"""What is really on the disk, read without the code under test."""

import os
import stat
from pathlib import Path

from contracts.files import Kind

Seen = dict[str, tuple[Kind, int, bytes]]
KINDS = {stat.S_IFREG: Kind.FILE, stat.S_IFDIR: Kind.DIRECTORY, stat.S_IFLNK: Kind.SYMLINK, stat.S_IFIFO: Kind.FIFO}


def tree(home: Path) -> Seen:
    """Everything below a folder: kind, mode, and bytes or target."""
    seen: Seen = {}
    for folder, folders, files in os.walk(home):
        for name in [*folders, *files]:
            path = Path(folder) / name
            mode = path.lstat().st_mode
            kind = KINDS[stat.S_IFMT(mode)]
            data = path.read_bytes() if kind is Kind.FILE else b""
            data = os.fsencode(path.readlink()) if kind is Kind.SYMLINK else data
            seen[str(path.relative_to(home))] = (kind, stat.S_IMODE(mode), data)
    return seen


def appear(path: Path) -> bytes:
    """Content that puts an empty file of its own where it is to go."""
    path.touch()
    return b""
