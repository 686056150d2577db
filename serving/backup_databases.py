"""Copies the databases in a folder that untrusted code writes to. A program of its own, started by `serving.data`.

It runs as the owner of the folder, changes nothing there, and can be killed when a database is never free. SQLite opens
files by name, so whether a name led elsewhere can only be seen afterwards, on the files that are open: with no other
file open, all of them must lie in the two folders.
"""

import json
import os
import resource
import sqlite3
import sys
from pathlib import Path
from urllib.parse import quote

DESCRIPTORS = Path("/proc/self/fd")
LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
BUSY = "busy"


def main() -> None:
    order = json.load(sys.stdin)
    os.fchdir(order["folder"])
    os.close(order["folder"])
    resource.setrlimit(resource.RLIMIT_FSIZE, (order["most"], order["most"]))
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(order["owner"])
        os.setuid(order["owner"])
    here, place = Path.cwd(), Path(order["place"])
    copies = [copy(here, name, place / str(at), order["patience"]) for at, name in enumerate(order["names"])]
    json.dump(copies, sys.stdout)


def copy(here: Path, name: str, to: Path, patience: float) -> str:
    """What is wrong, or nothing."""
    address = f"file:{quote(os.fsencode(here / name))}?mode=ro"
    try:
        source = sqlite3.connect(address, uri=True, isolation_level=None, timeout=patience)
        target = sqlite3.connect(to, isolation_level=None)
        try:
            source.execute("BEGIN").execute("PRAGMA schema_version").fetchone()
            source.execute("ROLLBACK")
            if not only_in(here, to.parent):
                return "it leads elsewhere"
            source.backup(target)
        finally:
            target.close()
            source.close()
    except sqlite3.Error as error:
        return BUSY if getattr(error, "sqlite_errorcode", 0) in LOCKED else str(error) or "it cannot be read"
    return ""


def only_in(*folders: Path) -> bool:
    """Whether every file that is open, but for the standard streams, is in one of these folders."""
    for entry in list(DESCRIPTORS.iterdir()):
        try:
            target = entry.readlink()
        except FileNotFoundError:  # that of the listing itself
            continue
        if int(entry.name) > 2 and not any(target.is_relative_to(folder) for folder in folders):
            return False
    return True


if __name__ == "__main__":
    main()
