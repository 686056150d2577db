"""The system calls that a job may not make, as compiled filters: one a boundary and architecture."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent
NAMESPACED = "namespaced"
"""For jobs that have namespaces of their own: what could undo the boundary, trace, or hide memory."""
LANDLOCKED = "landlocked"
"""For jobs that share the machine's namespaces: also sockets, and whatever Landlock does not watch."""


def filter_path(kind: str) -> Path | None:
    """The compiled filter for this machine, or None where none is shipped for its architecture."""
    path = FOLDER / f"{kind}.{os.uname().machine}.bpf"
    return path if path.is_file() else None
