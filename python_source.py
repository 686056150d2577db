"""Reads Python source as a tree, from any number of threads."""

import ast
import threading
import time

TURN = threading.Lock()
TRIES = 20
PAUSE = 0.02


def parse(text: str) -> ast.Module:
    """As `ast.parse`, whatever other threads do.

    CPython 3.11 counts the depth of what it reads for all threads together: two that read at the same time, be it by
    `compile` in a library, can make each other fail. One reads at a time here, and one that was disturbed tries again.
    """
    with TURN:
        for _ in range(TRIES):
            try:
                return ast.parse(text)
            except SystemError:
                time.sleep(PAUSE)
        return ast.parse(text)
