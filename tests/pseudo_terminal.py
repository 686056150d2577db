"""The command line in a real terminal, typed into and read from."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _hear_ctrl_c() -> None:
    """Tests that run in the background of a shell are started with it switched off, and would pass that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A program in a pseudo-terminal of 80 columns."""

    def __init__(self, *words: str, **environ: str) -> None:
        self._ours, theirs = pty.openpty()
        base = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}}
        # Opened by a process that leads a new session, it becomes the terminal whose Ctrl-C reaches the program.
        shell = ["/bin/sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(theirs)]
        self._process = subprocess.Popen(
            [*shell, sys.executable, "-m", "cli", *words],
            cwd=ROOT,
            env={**base, "TERM": "xterm-256color", **environ},
            start_new_session=True,
            preexec_fn=_hear_ctrl_c,  # noqa: PLW1509  it only sets a signal
        )
        self._theirs = theirs
        self.shown = ""

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._ours)
        os.close(self._theirs)

    def until(self, words: str) -> None:
        deadline = time.monotonic() + 60
        while words not in self.shown:
            assert time.monotonic() < deadline, self.shown
            ended = self._process.poll() is not None
            assert self._read() or not ended, f"ended without {words!r}:\n{self.shown}"

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        while self._process.poll() is None:
            self._read()
        while self._read():
            pass
        return self._process.returncode

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 0.02)
        if ready:
            self.shown += os.read(self._ours, 65536).decode(errors="replace")
        return bool(ready)
