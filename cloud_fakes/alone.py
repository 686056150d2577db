"""A cloud's fake as a program of its own: it says where it is and runs until it is told to end."""

import argparse
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol


class Fake(Protocol):
    @property
    def url(self) -> str: ...

    def add_token(self, token: str) -> object: ...


def serve_alone(what: str | None, fake: Callable[[int], AbstractContextManager[Fake]]) -> int:
    """`fake` makes the server on a port; 0 is any that is free."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", required=True)
    options = parser.parse_args()
    ends = {signal.SIGINT, signal.SIGTERM}
    # Before the server starts its threads, which would be ended by them otherwise.
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    with fake(options.port) as cloud:
        cloud.add_token(options.token)
        sys.stdout.write(f"{cloud.url}\n")
        sys.stdout.flush()
        signal.sigwait(ends)
    return 0
