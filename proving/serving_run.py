"""The app under proof, running in the sandbox, where it can be switched off and on again.

A small program of ours starts it inside, each time in a fresh copy of its files and with the same folder for data, and
passes connections on. So what survives is what the app keeps where it should, and nothing of it touches this machine.
"""

import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from environments.base import Environment
from proving.wire import NoAnswer, SocketVisitor
from sandbox_runner import AppStart, SandboxRunner
from sandboxes.base import FilesIn
from sandboxes.readiness import wait_ready

OUTER_PORT = 18_765
READY_SECONDS = 30.0
ANSWER_SECONDS = 10.0
KEEPER = r"""
import os, shutil, signal, socket, subprocess, sys, threading
outer, inner, word, data = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode(), sys.argv[4]
argv, home = sys.argv[5:], os.getcwd()
app, count, lock = None, 0, threading.Lock()

def start():
    global app, count
    with lock:
        if app is not None:
            os.killpg(app.pid, signal.SIGKILL)
            app.wait()
            shutil.rmtree("/tmp/app-%d" % count, ignore_errors=True)
        count += 1
        copy = "/tmp/app-%d" % count
        shutil.copytree(home, copy, symlinks=True)
        app = subprocess.Popen(argv, cwd=copy, start_new_session=True)
        threading.Thread(target=watch, args=(app,), daemon=True).start()

def watch(one):
    code = one.wait()
    with lock:
        if one is app:
            os._exit(code if 0 < code < 128 else 1)

def pump(source, target):
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
    except OSError:
        pass
    try:
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass

def serve(caller):
    with caller:
        first = caller.recv(65536)
        if first == b"RESTART " + word + b"\n":
            start()
            caller.sendall(b"STARTED\n")
            return
        try:
            onward = socket.create_connection(("127.0.0.1", inner))
        except OSError:
            return
        with onward:
            onward.sendall(first)
            other = threading.Thread(target=pump, args=(caller, onward), daemon=True)
            other.start()
            pump(onward, caller)

os.makedirs(data, exist_ok=True)
start()
door = socket.create_server(("127.0.0.1", outer), backlog=64)
while True:
    caller, _ = door.accept()
    threading.Thread(target=serve, args=(caller,), daemon=True).start()
"""
DATA_FOLDER = "/tmp/app-data"  # noqa: S108  inside the sandbox, which has a folder for this of its own


@dataclass(frozen=True, slots=True)
class Start:
    """How the app is started, as found out from its files."""

    argv: tuple[str, ...]
    port: int = 8000
    ready: str = "/"
    """What is asked until something answers."""


class RunningVisitor(SocketVisitor):
    """Visits an app in the sandbox, and can switch it off and on again."""

    restarts = True

    def __init__(self, socket_path: Path, word: str, ready: str) -> None:
        super().__init__(socket_path)
        self._socket_path = socket_path
        self._word = word
        self._ready = ready

    def restart(self) -> None:
        said = b""
        with suppress(OSError), socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(ANSWER_SECONDS)
            caller.connect(str(self._socket_path))
            caller.sendall(f"RESTART {self._word}\n".encode())
            said = caller.recv(64)
        if said != b"STARTED\n":
            raise NoAnswer("the app could not be switched off and on again")
        if not wait_ready(self._socket_path, self._ready, READY_SECONDS, lambda: True):
            raise NoAnswer("the app does not answer after it was switched off and on again")


@contextmanager
def running(
    sandbox: SandboxRunner, start: Start, files: FilesIn, environment: Environment, env: Mapping[str, str]
) -> Iterator[tuple[AppStart, RunningVisitor]]:
    """The app for a while, and a way to it; it may not have become ready."""
    word = secrets.token_hex(16)
    keeper = ("python3", "-I", "-c", KEEPER, str(OUTER_PORT), str(start.port), word, DATA_FOLDER)
    started = sandbox.serve_app(
        (*keeper, *start.argv),
        files,
        port=OUTER_PORT,
        ready=start.ready,
        ready_seconds=READY_SECONDS,
        env={"PORT": str(start.port), "DATA_DIR": DATA_FOLDER, **environment.env, **env},
        environments=environment.mounts,
        links=environment.links,
    )
    try:
        yield started, RunningVisitor(started.service.socket_path, word, start.ready)
    finally:
        started.service.stop()
