"""The service as it is, but for one thing: told to, it kills itself at a chosen boundary of a step.

Usage: python -m benchmarks.crash_service [BOUNDARY COUNT]
"""

import os
import signal
import sys

from app import run_service
from settings import Settings


class Killer:
    """Kills this process, as hard as can be, when a boundary is reached for the nth time."""

    def __init__(self, boundary: str, count: int) -> None:
        self._boundary = boundary
        self._left = count

    def __call__(self, name: str) -> None:
        if name == self._boundary:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    chosen = sys.argv[1:]
    settings = Settings.from_sources(os.environ)
    boundary = Killer(chosen[0], int(chosen[1])) if chosen else (lambda name: None)
    raise SystemExit(run_service(settings, boundary))
