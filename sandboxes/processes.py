"""Processes of a sandbox as the machine sees them: whether they are gone, and what they have used."""

import os
import select
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from contracts.errors import Unavailable

END_SECONDS = 60.0
PAUSE = 0.02


class First:
    """The first process of a sandbox: it has ended only when all others in there have."""

    def __init__(self, pid: int | None) -> None:
        """Raises Unavailable or OSError if there is no such process."""
        if not pid:
            raise Unavailable("the sandbox did not say which process is its first")
        self._pid = pid
        self._handle = os.pidfd_open(pid)

    def end(self) -> None:
        """Raises Unavailable if it does not end."""
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        deadline = time.monotonic() + END_SECONDS
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        while not poll.poll(100):
            if time.monotonic() > deadline:
                raise Unavailable("a sandbox did not end", hint="Look for processes that hang in the kernel")
        with suppress(ChildProcessError):  # ours only where the service is itself the first process of a container
            os.waitpid(self._pid, os.WNOHANG)

    def close(self) -> None:
        os.close(self._handle)


def with_children(pid: int) -> list[int]:
    """A process and its direct children."""
    try:
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    except OSError:
        return [pid]


def spent(pids: Iterable[int]) -> tuple[float, int]:
    """Processor seconds and the most memory in KiB that these processes have used so far."""
    ticks = peak = 0
    for pid in pids:
        with suppress(OSError, ValueError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
            status = Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2]
            peak = max(peak, int(status.split(maxsplit=1)[0]) if status else 0)
    return ticks / os.sysconf("SC_CLK_TCK"), peak


def processes_of(uid: int) -> list[int]:
    """Every process that runs as this user and has not ended."""
    return [pid for pid, status in _statuses(uid) if "\nState:\tZ" not in status]


def threads_of(uid: int) -> int:
    """How many threads this user has, as the limit on processes counts them."""
    return sum(int(status.partition("\nThreads:\t")[2].split("\n")[0]) for _, status in _statuses(uid))


def users_with_processes() -> set[int]:
    return {int(status.partition("\nUid:\t")[2].split(maxsplit=1)[0]) for _, status in _statuses()}


def _statuses(uid: int | None = None) -> Iterator[tuple[int, str]]:
    """Number and status of each process of a user, or of all."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                status = (entry / "status").read_text()
                if uid is None or f"\nUid:\t{uid}\t" in status:
                    yield int(entry.name), status


def end_all_of(uid: int) -> None:
    """End every process of a user that only jobs have. Raises Unavailable if one stays."""
    deadline = time.monotonic() + END_SECONDS
    while found := processes_of(uid):
        if time.monotonic() > deadline:
            break
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE)
    else:
        return
    raise Unavailable(
        "processes of an earlier job could not be ended", hint="Look for processes that hang in the kernel"
    )


def end_orphans(uid: int, program: str) -> None:
    """End first processes of sandboxes whose outer process is gone.

    A service that is killed while bubblewrap starts leaves one that waits for ever and has not begun to run anything.
    """
    for pid, status in _statuses(uid):
        with suppress(OSError):
            parent = status.partition("\nPPid:\t")[2].split("\n")[0]
            first = status.partition("\nNSpid:\t")[2].split("\n")[0].split()[1:] == ["1"]
            if first and _runs(pid, program) and not _runs(int(parent), program):
                os.kill(pid, signal.SIGKILL)


def _runs(pid: int, program: str) -> bool:
    return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(program.encode() + b"\0")
