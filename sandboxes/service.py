"""A program that goes on running in a sandbox, with its socket and its latest output."""

import os
import socket
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from contracts.errors import AppError
from sandboxes.base import Captured, JobResult, OnOutput, Stream, Usage
from sandboxes.capture import Ring
from sandboxes.session import Driving, Session

LOG_ROOM = 256 * 1024
PATIENCE = 128


class Listener:
    """A unix socket in a folder of its own that only the service may enter. The sandbox is given its descriptor."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="task-agent-app-")
        self.path = Path(self._folder.name) / "app.sock"
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(self.path))
        self.socket.listen(PATIENCE)

    def close(self) -> None:
        self.socket.close()
        self._folder.cleanup()


class RunningService:
    """Reads along in a thread of its own until the program ends or is stopped."""

    def __init__(self, driving: Driving, listener: Listener, on_output: OnOutput | None) -> None:
        self._ring = Ring(LOG_ROOM)
        self._on_output = on_output
        self._listener = listener
        self._stop = os.eventfd(0, os.EFD_CLOEXEC)
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._result = JobResult(exit_code=1, stdout=Captured(), stderr=Captured(), usage=Usage())
        session = Session(replace(driving, on_output=self._take, stop=self._stop))
        self._thread = threading.Thread(target=self._run, args=(session.run,), name="sandboxed-app", daemon=True)
        self._thread.start()

    @property
    def socket_path(self) -> Path:
        return self._listener.path

    @property
    def alive(self) -> bool:
        return not self._ended.is_set()

    def logs(self) -> str:
        return self._ring.text()

    def wait(self, timeout: float | None = None) -> JobResult | None:
        return self._result if self._ended.wait(timeout) else None

    def stop(self) -> JobResult:
        with self._lock:
            if self.alive:
                os.eventfd_write(self._stop, 1)
        self._thread.join()
        return self._result

    def _take(self, stream: Stream, data: bytes) -> None:
        self._ring.feed(data)
        if self._on_output:
            self._on_output(stream, data)

    def _run(self, run: Callable[[], JobResult]) -> None:
        try:
            self._result = run()
        except AppError as error:
            self._failed(f"{error.message}\n{error.details.get('stderr', '')}")
        except OSError as error:
            self._failed(f"the sandbox could not be driven any further: {error.strerror or error}\n")
        finally:
            self._listener.close()
            with self._lock:
                self._ended.set()
                os.close(self._stop)

    def _failed(self, text: str) -> None:
        self._ring.feed(text.encode())
        self._result = replace(self._result, stderr=Captured(text))
