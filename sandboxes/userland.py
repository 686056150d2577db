"""What of this machine a job gets to see: its programs and libraries, read-only, and an `/etc` that says nothing."""

import os
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sandboxes.base import Availability
from sandboxes.uids import reachable

TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
PYTHONS = ("/usr/bin/python3", "/usr/local/bin/python3")
NODES = ("/usr/bin/node", "/usr/bin/nodejs", "/usr/local/bin/node")
ETC = {
    "passwd": "root:x:0:0:root:/:/usr/sbin/nologin\nsandbox:x:{uid}:{uid}:sandbox:/work:/bin/sh\n",
    "group": "root:x:0:\nsandbox:x:{uid}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    "resolv.conf": "",
}
COPIED = ("ld.so.cache", "localtime", "mime.types")
INSIDE_UID = 65534


@dataclass(frozen=True, slots=True)
class Userland:
    python: str
    node: str | None
    folders: tuple[Path, ...]
    """Shown at their own path."""
    links: tuple[tuple[str, str], ...]
    """Top-level links, as (where, to what)."""
    etc: Path


def find_userland(root: Path, uid: int) -> Userland | None:
    """None where this user finds no Python that it could run."""
    prefix = Path(sys.base_prefix).resolve()
    own = str(prefix / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")
    python = next((path for path in (*PYTHONS, own) if _runs(path, uid)), None)
    if python is None:
        return None
    top = [Path("/") / name for name in TOP]
    extra = (prefix,) if python == own and not prefix.is_relative_to("/usr") else ()
    return Userland(
        python=python,
        node=next((path for path in NODES if _runs(path, uid)), None),
        folders=(Path("/usr"), *(path for path in top if path.is_dir() and not path.is_symlink()), *extra),
        links=tuple((str(path), str(path.readlink())) for path in top if path.is_symlink()),
        etc=make_etc(root / "etc"),
    )


def look_around(root: Path, uid: int) -> Userland | Availability:
    """What this user can be shown, or why it cannot be shown anything."""
    try:
        land = find_userland(make_root(root), uid)
    except OSError as error:
        return Availability(False, f"`{root}` cannot be used: {error.strerror}", "Name another folder")
    if land is None:
        return Availability(
            False, "there is no Python that the sandbox's user could run", "Install one with `sudo apt install python3`"
        )
    return land


def _runs(path: str, uid: int) -> bool:
    return os.access(path, os.X_OK) and reachable(Path(path), uid)


def make_etc(folder: Path) -> Path:
    """A folder that stands in for `/etc`: made anew at each start, so that it follows the machine's libraries."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ETC.items():
        _put(folder / name, text.format(uid=INSIDE_UID).encode())
    for name in COPIED:
        with suppress(FileNotFoundError, PermissionError):
            _put(folder / name, (Path("/etc") / name).read_bytes())
    alternatives = folder / "alternatives"
    alternatives.mkdir(exist_ok=True)
    with suppress(PermissionError):
        for link in Path("/etc/alternatives").glob("*"):
            if link.is_symlink():
                _link(alternatives / link.name, link.readlink())
    for path in (folder, alternatives):
        path.chmod(0o755)
    return folder


def _link(path: Path, target: Path) -> None:
    if not path.is_symlink() or path.readlink() != target:
        fresh = _beside(path)
        fresh.symlink_to(target)
        fresh.replace(path)


def _put(path: Path, data: bytes) -> None:
    fresh = _beside(path)
    fresh.write_bytes(data)
    fresh.chmod(0o644)
    fresh.replace(path)


def _beside(path: Path) -> Path:
    """A name that no other service uses which starts at the same moment: as root they share the folder."""
    return path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.new")


def make_root(root: Path) -> Path:
    """The folder for what sandboxes need on the disk: anyone may pass through it, nobody may list it.

    Raises OSError where it cannot be made.
    """
    root.mkdir(parents=True, exist_ok=True)
    if stat.S_IMODE(root.stat().st_mode) != 0o711:
        root.chmod(0o711)
    return root
