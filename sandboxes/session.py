"""Drives one job in a started sandbox: sends it in, reads what comes out, and ends it at the first limit it meets."""

import contextlib
import marshal
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Protocol

from contracts.errors import TooLarge, Unavailable
from sandboxes.base import Job, JobResult, Level, OnOutput, StoppedBy, Stream, Tick, Usage
from sandboxes.capture import Capture
from sandboxes.cgroups import Events
from sandboxes.packing import Malformed, Unpacker, pack

READ_SIZE = 256 * 1024
TICK = 0.2
LONGEST_WAIT = 3600.0
SETUP_SECONDS = 60.0
OPEN_FILES = 1024
MUCH, BREATH = 32 * 1024, 0.02
"""A program without a limit on its output is read no faster than this, or it would keep the service busy."""
SIGNALLED = 128


class Outcome(NamedTuple):
    """How a job ended, as its outside saw it."""

    exit_code: int
    cpu: float
    max_rss: int = 0
    """In KiB, as the kernel counts; 0 if it is not known."""


class Worker(Protocol):
    """A started sandbox in which a launcher waits for one job."""

    control: socket.socket
    stdin: int
    stdout: int
    stderr: int
    exited: int
    """A descriptor that becomes readable when the job's main process has ended; -1 if that shows on `control`."""

    def prepare(self, job: Job) -> Mapping[str, Any]:
        """Set the bounds that are kept from outside, and say what the launcher has to know of this sandbox."""

    def kill(self) -> None:
        """End every process in it; none is left when this returns."""

    def outcome(self) -> Outcome:
        """Once, after `kill`, and only if the launcher did not report."""

    def events(self) -> Events:
        """Bounds kept from outside that the job ran into."""

    def close(self) -> None:
        """Let go of everything, after `kill`."""


@dataclass(slots=True)
class Driving:
    """What one run is about."""

    worker: Worker
    job: Job
    name: str
    level: Level
    on_output: OnOutput | None = None
    tick: Tick | None = None
    port: int = 0
    relay: str = ""
    watch: Callable[[], StoppedBy | None] | None = None
    """Asked a few times a second for a limit that only a look from outside can see."""
    stop: int = -1
    """A descriptor that becomes readable when the job shall be ended."""


class Session:
    """One job from its first byte to its last. Used once, by one thread."""

    def __init__(self, what: Driving) -> None:
        self._what = what
        self._limits = what.job.limits
        self._names: set[str] = set()
        self._incoming = Unpacker(self._limits.files_out, self._limits.files_out_count)
        self._captures = {"stdout": Capture(self._limits.shown), "stderr": Capture(self._limits.shown)}
        self._selector = selectors.DefaultSelector()
        self._stopped: StoppedBy | None = None
        self._over = self._asked = False
        self._listening = True
        self._began = self._deadline = 0.0
        self._pending = memoryview(b"")
        self._outgoing: Iterator[bytes] = iter(())
        self._stdin = memoryview(what.job.stdin)

    def run(self) -> JobResult:
        worker = self._what.worker
        try:
            self._open(worker)
            self._loop()
            wall = time.monotonic() - self._began
            worker.kill()
            self._drain(worker)
            return self._result(wall, worker)
        finally:
            self._selector.close()
            worker.kill()
            worker.close()

    def _open(self, worker: Worker) -> None:
        header = self._header(worker.prepare(self._what.job))
        packed = pack(self._what.job.files, self._what.job.also, self._limits.disk, self._names)
        self._outgoing = chain([len(header).to_bytes(8) + header], packed)
        self._began = time.monotonic()
        self._deadline = self._began + SETUP_SECONDS
        for handle in (worker.stdin, worker.stdout, worker.stderr):
            os.set_blocking(handle, False)
        worker.control.setblocking(False)
        read, write = selectors.EVENT_READ, selectors.EVENT_WRITE
        self._selector.register(worker.control, read | write, self._on_control)
        self._selector.register(worker.stdout, read, self._reader("stdout", worker.stdout))
        self._selector.register(worker.stderr, read, self._reader("stderr", worker.stderr))
        self._selector.register(worker.stdin, write, self._on_stdin)
        if worker.exited >= 0:
            self._selector.register(worker.exited, read, self._on_exit)
        if self._what.stop >= 0:
            self._selector.register(self._what.stop, read, self._on_stop)

    def _header(self, place: Mapping[str, Any]) -> bytes:
        """`marshal` in its oldest stable form: the launcher's Python may be another version."""
        job, limits = self._what.job, self._limits
        rlimits = {
            "CPU": limits.cpu,
            "FSIZE": limits.file_size,
            "NPROC": limits.processes,
            "NOFILE": OPEN_FILES,
            "CORE": 0,
            "MEMLOCK": 0,
            "DATA": limits.memory,
        }
        if limits.address_space:
            rlimits["AS"] = limits.memory
        header = {
            "argv": list(job.argv),
            "code": job.code,
            "env": {**dict(place["env"]), **job.env},
            "limits": {**rlimits, **place.get("limits", {})},
            "nice": place.get("nice", 0),
            "collect": list(job.collect) or (["."] if job.changes else []),
            "changes": job.changes,
            "ignore": [os.fsencode(path) for path in job.also],
            "files_out": limits.files_out,
            "files_out_count": limits.files_out_count,
            "port": self._what.port,
            "relay": self._what.relay,
            "listener": place.get("listener", -1),
            "work": place["work"],
            "disks": list(place["disks"]),
            "confine": place.get("confine"),
            "adopt": place.get("adopt"),
            "here": place.get("here", False),
            "watch": place.get("watch", False),
            "memory_events": list(place.get("memory_events", ())),
        }
        return marshal.dumps(header, 2)

    def _loop(self) -> None:
        looking = self._what.tick or self._what.watch
        longest = TICK if looking else LONGEST_WAIT
        while not self._over:
            self._look()
            left = self._deadline - time.monotonic()
            if left <= 0:
                return self._stop(StoppedBy.WALL)
            for key, events in self._selector.select(min(left, longest)):
                key.data(events)
                if self._over:
                    break
        return None

    def _look(self) -> None:
        if self._what.tick:
            self._what.tick()
        if self._what.watch and (found := self._what.watch()):
            self._stop(found)

    def _stop(self, why: StoppedBy | None = None) -> None:
        self._stopped = self._stopped or why
        self._over = True

    def _on_stop(self, _events: int) -> None:
        self._asked = True
        self._stop(StoppedBy.KILLED)

    def _on_exit(self, _events: int) -> None:
        """Whatever it sent before lies in the socket still."""
        self._selector.unregister(self._what.worker.exited)
        while not self._over and self._receive():
            pass
        self._stop()

    def _on_control(self, events: int) -> None:
        if events & selectors.EVENT_READ:
            self._receive()
        if events & selectors.EVENT_WRITE and self._listening and not self._over:
            self._send()

    def _receive(self) -> bool:
        """Take one piece of what the launcher sends; False if there is none."""
        started = self._incoming.started
        try:
            data = self._what.worker.control.recv(READ_SIZE)
            self._incoming.feed(data)
        except BlockingIOError:
            return False
        except (Malformed, ConnectionError):
            self._stop(StoppedBy.KILLED)
            return False
        if self._incoming.started and not started:
            self._began = time.monotonic()
            self._deadline = float("inf") if self._what.port else self._began + self._limits.wall
        if self._incoming.done:
            self._stop()
        if not data:
            self._on_silence()
        return bool(data)

    def _on_silence(self) -> None:
        """A job that closes the launcher's socket may go on; its end is seen on `exited`."""
        if self._what.worker.exited < 0:
            self._stop()
        elif self._listening:
            self._listening = False
            self._selector.unregister(self._what.worker.control)

    def _send(self) -> None:
        try:
            while True:
                if not self._pending:
                    self._pending = memoryview(next(self._outgoing))
                self._pending = self._pending[self._what.worker.control.send(self._pending) :]
        except BlockingIOError:
            return
        except (StopIteration, ConnectionError):  # a launcher that ended says why, or its end is seen
            if self._listening:
                self._selector.modify(self._what.worker.control, selectors.EVENT_READ, self._on_control)

    def _on_stdin(self, _events: int) -> None:
        handle = self._what.worker.stdin
        try:
            if self._stdin:
                self._stdin = self._stdin[os.write(handle, self._stdin) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._stdin = memoryview(b"")
        if not self._stdin:
            self._selector.unregister(handle)
            os.close(handle)
            self._what.worker.stdin = -1

    def _reader(self, stream: Stream, handle: int) -> Callable[[int], None]:
        def on_output(_events: int) -> None:
            if not self._read(stream, handle):
                self._selector.unregister(handle)

        return on_output

    def _read(self, stream: Stream, handle: int) -> bool:
        """Take one piece of output; False at its end."""
        try:
            data = os.read(handle, READ_SIZE)
        except BlockingIOError:
            return True
        self._captures[stream].feed(data)
        if data and self._what.on_output:
            self._what.on_output(stream, data)
        if self._what.port and len(data) >= MUCH:
            time.sleep(BREATH)
        if not self._what.port and sum(c.size for c in self._captures.values()) > self._limits.output:
            self._stop(StoppedBy.OUTPUT)
        return bool(data)

    def _drain(self, worker: Worker) -> None:
        """What lies in the pipes of a sandbox that has ended; nothing can be added to it any more."""
        for stream, handle in (("stdout", worker.stdout), ("stderr", worker.stderr)):
            capture = self._captures[stream]
            with contextlib.suppress(BlockingIOError):
                while capture.size <= self._limits.output and (data := os.read(handle, READ_SIZE)):
                    capture.feed(data)
                    if self._what.on_output:
                        self._what.on_output("stdout" if stream == "stdout" else "stderr", data)

    def _result(self, wall: float, worker: Worker) -> JobResult:
        incoming = self._incoming
        stdout, stderr = (self._captures[name].captured() for name in ("stdout", "stderr"))
        if not incoming.started:
            self._explain_no_start(stderr.text)
        (code, cpu, rss), full, out_of_memory = _reported(incoming.report) or (worker.outcome(), False, False)
        ended = self._stopped or _reason(code, full, out_of_memory, worker.events(), stderr.text)
        whole = incoming.done and ended not in {StoppedBy.WALL, StoppedBy.KILLED}
        return JobResult(
            exit_code=code if code >= 0 else SIGNALLED - code,
            stdout=stdout,
            stderr=stderr,
            usage=Usage(wall, cpu, rss * 1024),
            stopped_by=ended,
            files=incoming.files if whole else {},
            removed=tuple(path for path in incoming.removed if path in self._names) if whole else (),
            left_out=tuple(incoming.left_out) if whole else (),
            sandbox=self._what.name,
            level=self._what.level,
        )

    def _explain_no_start(self, stderr: str) -> None:
        if self._asked:
            return
        if self._incoming.refused:
            raise TooLarge(
                f"the files could not be put into the sandbox: {self._incoming.refused}",
                hint="Leave out large folders, or raise the disk limit",
            )
        raise Unavailable(
            f"the {self._what.name} sandbox ended before the job began",
            hint="Run the self-test of the sandbox; it says what is wrong",
            details={"stderr": stderr[-2000:]},
        )


def _reported(report: bytes | None) -> tuple[Outcome, bool, bool] | None:
    """What the launcher said, and whether a disk was full or memory ran out; nonsense counts as silence."""
    try:
        status, cpu, rss, full, out_of_memory = map(int, (report or b"").split())
        code = os.waitstatus_to_exitcode(status)
    except (ValueError, OverflowError):
        return None
    return Outcome(code, max(0, cpu) / 1e6, max(0, rss)), bool(full), bool(out_of_memory)


def _reason(code: int, full: bool, out_of_memory: bool, events: Events, stderr: str) -> StoppedBy | None:
    """The limit behind an ending that the service did not cause."""
    if code == 0:
        return None
    code = SIGNALLED - code if code > SIGNALLED else code
    if code == -signal.SIGXCPU:
        return StoppedBy.CPU
    if out_of_memory or events.out_of_memory or stderr.rstrip().rpartition("\n")[2].startswith("MemoryError"):
        return StoppedBy.MEMORY
    if full or code == -signal.SIGXFSZ:
        return StoppedBy.DISK
    if events.too_many_processes:
        return StoppedBy.PROCESSES
    return StoppedBy.KILLED if code == -signal.SIGKILL else None
