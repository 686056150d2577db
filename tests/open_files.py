"""Which files of a folder this process holds open. Others are the business of other threads."""

from contextlib import suppress
from pathlib import Path


def open_below(folder: Path) -> list[str]:
    found = []
    for handle in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            target = handle.readlink()
            if target.is_relative_to(folder.resolve()):
                found.append(str(target))
    return found
