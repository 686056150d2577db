"""A sandbox that is a process of this machine: started, bounded by a cgroup, and ended with everything in it."""

import json
import os
import socket
import struct
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contracts.errors import Unavailable
from sandboxes.base import Job, Limits
from sandboxes.cgroups import Cgroups, Events, Group
from sandboxes.packing import HEADER
from sandboxes.processes import First, spent, with_children
from sandboxes.session import Outcome
from sandboxes.spawner import Process, Spawn, Spawner

LAUNCHER = Path(__file__).parent / "inside" / "launch.py"
START_SECONDS = 60.0
CREDENTIALS = struct.Struct("3i")
COMPILE = "import sys,marshal;sys.stdout.buffer.write(marshal.dumps(compile(sys.stdin.read(),'launch','exec')))"
STUB = """import os, marshal
code, size = b"", int(os.read({fd}, 8))
while len(code) < size: code += os.read({fd}, size - len(code))
exec(marshal.loads(code))
main({fd})
"""


def compile_launcher(python: str, preload: tuple[str, ...]) -> bytes:
    """The launcher as the sandbox's own Python compiles it, which saves a third of the time of each start.

    Raises Unavailable if that Python does not work.
    """
    source = LAUNCHER.read_text() + "".join(f"\nimport {name}" for name in preload)
    try:
        done = subprocess.run(  # noqa: S603 - a fixed program with fixed text
            [python, "-I", "-S", "-c", COMPILE], input=source.encode(), capture_output=True, check=True, env={}
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(f"`{python}` does not work", hint="Install Python again") from error
    return b"%08d" % len(done.stdout) + done.stdout


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How to start one."""

    name: str
    python: list[str]
    """The command that runs the sandbox's Python."""
    launcher: bytes
    place: Mapping[str, Any]
    limits: Callable[[Limits], dict[str, int]]
    wrapper: tuple[str, ...] = ()
    """Bubblewrap with all its options but those that carry descriptors."""
    filter: Path | None = None
    listener: int = -1
    release: Callable[[], None] = field(default=lambda: None)
    """Gives back whatever was taken for it, once all of it has ended."""


class LocalWorker:
    """Waits for one job from the moment it is made."""

    def __init__(self, plan: Plan, spawner: Spawner, groups: Cgroups | None) -> None:
        """Raises Unavailable when no launcher answers."""
        self._plan = plan
        self._groups = groups
        self._group: Group | None = None
        self._process: Process | None = None
        self._first: First | None = None
        self._killed = False
        self._launcher = 0
        self._spent = (0.0, 0)
        self.control, self._inner = socket.socketpair()
        self.control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._theirs: list[int] = []
        self._info = -1
        self.stdin = self.stdout = self.stderr = self.exited = -1
        try:
            self._launch(spawner)
        except (OSError, ValueError, Unavailable) as error:  # what it says of itself may break off in the middle
            self.kill()
            details = {"stderr": self._said()}
            self.close()
            raise Unavailable(
                f"the {plan.name} sandbox could not be started", hint="Run its self-test", details=details
            ) from error

    def _launch(self, spawner: Spawner) -> None:
        plan = self._plan
        read_in, self.stdin = os.pipe()
        self.stdout, write_out = os.pipe()
        self.stderr, write_err = os.pipe()
        self._theirs = [read_in, write_out, write_err]
        control = self._inner.fileno()
        wrapper, keep = self._wrapper()
        argv = [*wrapper, *plan.python, "-c", STUB.format(fd=control)]
        self._process = spawner.spawn(Spawn(argv, read_in, write_out, write_err, (control, *keep)))
        self.exited = os.pidfd_open(self._process.pid)
        self._close_theirs()
        self.control.sendall(plan.launcher)
        self._join_group()
        self._find_first()

    def _wrapper(self) -> tuple[list[str], list[int]]:
        """What stands before the command, and the descriptors that it needs."""
        plan = self._plan
        listener = [plan.listener] if plan.listener >= 0 else []
        if plan.filter is None:
            return [], listener
        self._info, write_info = os.pipe()
        blob = os.open(plan.filter, os.O_RDONLY | os.O_CLOEXEC)
        self._theirs += [write_info, blob]
        return [*plan.wrapper, "--info-fd", str(write_info), "--seccomp", str(blob), "--"], [
            write_info,
            blob,
            *listener,
        ]

    def _find_first(self) -> None:
        with os.fdopen(self._info, "rb") as said:
            self._info = -1
            self._first = First(json.loads(said.read() or b"{}").get("child-pid"))

    def _join_group(self) -> None:
        """Only the launcher matters, since all else comes from it. Adding the outer process first, while the rest still
        starts, takes the kernel's wait for a quiet moment off the way.
        """
        if self._groups:
            self._group = self._groups.acquire()
            with suppress(ProcessLookupError):
                self._group.add(self._process.pid if self._process else 0)
        self._launcher = self._hello()
        if self._group:
            self._group.add(self._launcher)

    def _hello(self) -> int:
        """The launcher's process number, as the kernel vouches for it. Raises Unavailable if it does not come."""
        self.control.settimeout(START_SECONDS)
        got, ancillary, _, _ = self.control.recvmsg(HEADER, socket.CMSG_SPACE(CREDENTIALS.size))
        if len(got) < HEADER or not ancillary:
            raise Unavailable("no launcher answered")
        return int(CREDENTIALS.unpack(ancillary[0][2])[0])

    def prepare(self, job: Job) -> Mapping[str, Any]:
        if self._group:
            try:
                self._group.limit(job.limits)
            except OSError as error:
                raise Unavailable("the job's memory and processes could not be bounded") from error
        return {**self._plan.place, "listener": self._plan.listener, "limits": self._plan.limits(job.limits)}

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        if self._killed:
            return
        self._killed = True
        if self._launcher:
            self._spent = spent(self._group.pids() if self._group else with_children(self._launcher))
        self._end()

    def _end(self) -> None:
        if self._first:
            self._first.end()
        elif self._process:
            self._process.kill()

    def outcome(self) -> Outcome:
        """The exit code is that of the main process; what it used is what was seen just before it was ended."""
        code = self._process.wait() if self._process else 1
        return Outcome(code, *self._spent)

    def events(self) -> Events:
        return self._group.events() if self._group else Events()

    def close(self) -> None:
        self.control.close()
        self._close_theirs()
        for handle in (self.stdin, self.stdout, self.stderr, self.exited, self._info):
            if handle >= 0:
                os.close(handle)
        self.stdin = self.stdout = self.stderr = self.exited = self._info = -1
        if self._first:
            self._first.close()
            self._first = None
        if self._process:  # ends by itself once it has taken leave of the first one; killed sooner, it leaves an orphan
            self._process.wait()
        if self._group and self._groups:
            self._groups.release(self._group)
            self._group = None
        self._plan.release()

    def _close_theirs(self) -> None:
        self._inner.close()
        for handle in self._theirs:
            os.close(handle)
        self._theirs = []

    def _said(self) -> str:
        """What a sandbox that did not come up has printed."""
        self._close_theirs()
        if self.stderr < 0:
            return ""
        os.set_blocking(self.stderr, False)
        with suppress(BlockingIOError):
            return os.read(self.stderr, 65_536).decode(errors="replace")
        return ""
