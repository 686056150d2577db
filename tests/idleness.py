"""Whether threads really sleep, told from how often the system gave them the processor."""

import threading
import time
from collections.abc import Iterable
from pathlib import Path

WINDOW, WINDOWS = 0.7, 60


def sleeps(threads: Iterable[threading.Thread]) -> bool:
    """Whether there comes a time in which none of them wakes even once; a busy machine may need long until then."""
    watched = list(threads)
    for _ in range(WINDOWS):
        before = _switches(watched)
        time.sleep(WINDOW)
        if _switches(watched) == before:
            return True
    return False


def _switches(threads: list[threading.Thread]) -> list[str]:
    found = []
    for thread in threads:
        lines = Path(f"/proc/self/task/{thread.native_id}/status").read_text().splitlines()
        found += [line for line in lines if "ctxt_switches" in line]
    return found
