"""Serves an application with granian: one worker process that dies with its parent and ends when asked."""

import errno
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.mp import MPServer, WorkerProcess

from contracts.errors import AppError, BadInput, HomeLocked

BACKLOG = 1024
IDLE_CONNECTION_MS = 15_000
IDLE_THREAD_SECONDS = 10
SPARE_THREADS = 64
SPARE_CONNECTIONS = 512

OK, BROKEN, USAGE, TAKEN = 0, 1, 2, 5
"""Exit codes: ended as asked; broke; wrong settings; the port or the home belongs to another service."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service listens; the port is the real one even if any free one was asked for."""

    host: str
    port: int

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Service:
    """What the worker serves, and how it ends."""

    app: Callable[..., Any]
    stop: Callable[[], None]
    """Called once, in a thread of its own, when the service is asked to end: streams and waiting requests return."""
    close: Callable[[], None] = lambda: None
    """Called after the last request has been answered."""


Load = Callable[[Address], Service]


def serve(load: Load, *, host: str, port: int, max_streams: int, stop_seconds: int = 20) -> int:
    """Serve until SIGTERM or SIGINT and give the exit code. `load` runs in the worker, after the port is ours."""
    try:
        listener = _listen(host, port)
    except OSError as error:
        return _cannot_listen(host, port, error)
    multiprocessing.set_start_method("fork", force=True)
    gc.disable()
    with listener:
        server = _Server(listener, max_streams, stop_seconds)
        worker = _Worker(load, Address(*listener.getsockname()[:2]), os.getpid(), stop_seconds)
        with suppress(SystemExit):
            server.serve(spawn_target=worker.run, target_loader=worker.load, wrap_loader=False)
        gc.enable()
        return server.exit_code()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that no other process can share, so that a taken port is an error and not a race for requests."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _cannot_listen(host: str, port: int, error: OSError) -> int:
    if error.errno == errno.EADDRINUSE:
        _say(
            f"The service cannot start: port {port} is taken by another program",
            "Stop the other program, or choose another port with `AGENT_PORT`",
        )
        return TAKEN
    if error.errno == errno.EACCES:
        _say(f"Port {port} may not be used without special rights", "Choose a port above 1023 with `AGENT_PORT`")
    else:
        _say(f"The service cannot listen on `{host}`: {error.strerror}", "Set `AGENT_BIND` to `127.0.0.1`")
    return USAGE


def _say(message: str, hint: str) -> None:
    sys.stderr.write(f"{message}\n{hint}\n" if hint else f"{message}\n")
    sys.stderr.flush()


class _Server(MPServer):
    """Granian's parent process on a socket of ours, with the worker's exit code kept."""

    def __init__(self, listener: socket.socket, max_streams: int, stop_seconds: int) -> None:
        threads = 2 * max_streams + SPARE_THREADS
        super().__init__(
            "",
            interface=Interfaces.WSGI,
            http=HTTPModes.http1,
            blocking_threads=threads,
            blocking_threads_idle_timeout=IDLE_THREAD_SECONDS,
            backlog=BACKLOG,
            backpressure=threads + SPARE_CONNECTIONS,
            http1_settings=HTTP1Settings(header_read_timeout=IDLE_CONNECTION_MS),
            websockets=False,
            log_enabled=False,
            workers_kill_timeout=stop_seconds + 5,
        )
        self._listener = listener
        self._worker: WorkerProcess | None = None

    def _init_shared_socket(self) -> None:
        # Granian would bind with SO_REUSEPORT, and two services would then share a port unnoticed.
        holder: Any = SocketHolder
        shared: dict[str, Any] = {"_ssp": None, "_shd": holder(self._listener.fileno(), False, BACKLOG), "_sso": None}
        vars(self).update(shared)

    def _spawn_worker(self, idx: Any, target: Any, callback_loader: Any, socket_loader: Any = None) -> WorkerProcess:
        self._worker = super()._spawn_worker(idx, target, callback_loader)
        return self._worker

    def exit_code(self) -> int:
        code = self._worker_code()
        if code == OK and self.interrupt_signal:
            return OK
        if code is not None and code > 0:
            return int(code)
        _say("The service ended unexpectedly", "Start it again: it goes on where it was")
        return BROKEN

    def _worker_code(self) -> int | None:
        """Two threads of granian wait for the worker; the one that was told how it ended may not have noted it yet."""
        for _ in range(1000):
            code = self._worker.inner.exitcode if self._worker else OK
            if code is not None:
                return int(code)
            time.sleep(0.005)
        return None


class _Worker:
    """The worker process: loads the application, serves it, and ends it in order."""

    def __init__(self, load: Load, address: Address, parent: int, stop_seconds: int) -> None:
        self._load = load
        self._address = address
        self._parent = parent
        self._stop_seconds = stop_seconds
        self._service: Service | None = None

    def run(self, *args: Any) -> None:
        """The process's whole life. Until it serves, a signal simply ends it."""
        # A terminal sends Ctrl-C to both; the parent passes it on as SIGTERM, and two at once can lock granian up.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        signal.signal(signal.SIGTERM, _quit)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGUSR2, lambda number, frame: None)
        die_with(self._parent)
        stopper = self._watch_signals()
        MPServer._spawn_wsgi_worker(*args)
        stopper.join(self._stop_seconds)
        if self._service:
            self._service.close()

    def load(self) -> Callable[..., Any]:
        """Runs in the worker before it accepts its first connection."""
        try:
            self._service = self._load(self._address)
        except AppError as error:
            _say(error.message, error.hint)
            sys.exit(_code(error))
        # What is loaded now stays for good; the collector need not look at it again, nor unshare its pages.
        gc.freeze()
        gc.enable()
        log = logging.getLogger("_granian")
        log.setLevel(logging.ERROR)
        log.handlers.clear()
        log.propagate = True
        return self._service.app

    def _watch_signals(self) -> threading.Thread:
        """A thread that tells the service to stop the moment a signal comes; granian then waits for open requests."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        thread = threading.Thread(target=self._stop_when_told, args=(reader,), name="stopper", daemon=True)
        thread.start()
        return thread

    def _stop_when_told(self, reader: int) -> None:
        while os.read(reader, 1)[0] != signal.SIGTERM:
            pass
        # Any thread may be given a signal, but only the main one handles it, and it sleeps until it gets one itself.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR2)
        if self._service:
            self._service.stop()


def _code(error: AppError) -> int:
    if isinstance(error, HomeLocked):
        return TAKEN
    return USAGE if isinstance(error, BadInput) else BROKEN


def _quit(number: int, frame: object) -> NoReturn:
    sys.exit(OK)


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies, however it dies."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415

        pr_set_pdeathsig = 1
        ctypes.CDLL(None, use_errno=True).prctl(pr_set_pdeathsig, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(BROKEN)
