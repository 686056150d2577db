"""What was fetched, written beside it, so that what a person approved is what is installed later."""

from pathlib import Path

import orjson

from environments.base import Fetched, Package, Part
from environments.unpacking import put

FILE = "packages.json"


def write_record(folder: Path, packages: tuple[Package, ...]) -> None:
    put(folder / FILE, orjson.dumps(packages, option=orjson.OPT_INDENT_2).decode())


def read_record(folder: Path) -> tuple[Package, ...] | None:
    """None where nothing was written, or nothing that can be read."""
    try:
        found = orjson.loads((folder / FILE).read_bytes())
        return tuple(
            Package(**{**item, "required_by": tuple(item["required_by"]), "notes": tuple(item["notes"])})
            for item in found
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def fetched_before(part: Part, folder: Path, installed: Path) -> Fetched | None:
    """What was fetched and waits to be installed, or is installed already."""
    packages = read_record(folder)
    if packages is None:
        packages = read_record(installed)
    return None if packages is None else Fetched(part, folder, packages)
