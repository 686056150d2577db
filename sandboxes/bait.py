"""Things outside a sandbox that a probe tries to reach, each of which tells whether it was reached."""

import os
import secrets
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType

SLEEP = "import sys; sys.stdin.read()"


class Bait:
    """A folder that anyone may write to, listening sockets, and a process that stands for the service."""

    def __init__(self) -> None:
        self.secret = secrets.token_hex(16)
        self.marker = f"outlived-{secrets.token_hex(8)}"
        self._folder = tempfile.TemporaryDirectory(prefix="task-agent-bait-")
        self.folder = Path(self._folder.name)
        self.folder.chmod(0o777)
        self.file = self.folder / "secret.txt"
        self.file.write_text(self.secret)
        self.file.chmod(0o666)
        self.socket_path = self.folder / "service.sock"
        self.abstract = f"task-agent-{self.secret}"
        self._listeners = [_listening(socket.AF_INET, ("127.0.0.1", 0))]
        self.port: int = self._listeners[0].getsockname()[1]
        self._listeners.append(_listening(socket.AF_UNIX, str(self.socket_path)))
        self._listeners.append(_listening(socket.AF_UNIX, f"\0{self.abstract}"))
        self.socket_path.chmod(0o777)
        self._decoy = subprocess.Popen(  # noqa: S603 - the service's own interpreter with fixed text
            [sys.executable, "-I", "-S", "-c", SLEEP], stdin=subprocess.PIPE, env={"SERVICE_SECRET": self.secret}
        )

    @property
    def pid(self) -> int:
        return self._decoy.pid

    def __enter__(self) -> "Bait":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._decoy.kill()
        self._decoy.communicate()
        for listener in self._listeners:
            listener.close()
        self._folder.cleanup()

    def decoy_died(self) -> bool:
        return self._decoy.poll() is not None

    def file_changed(self) -> bool:
        names = {path.name for path in self.folder.iterdir()}
        return self.file.read_text() != self.secret or names != {self.file.name, self.socket_path.name}

    def was_called(self) -> bool:
        """Whether anything has connected to one of the sockets."""
        for listener in self._listeners:
            with suppress(BlockingIOError):
                listener.accept()[0].close()
                return True
        return False

    def outlived(self) -> bool:
        """Whether a process that carries the marker runs on this machine."""
        marker = self.marker.encode()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and entry.name != str(os.getpid()):
                with suppress(OSError):
                    if marker in (entry / "cmdline").read_bytes():
                        return True
        return False


def _listening(family: int, address: tuple[str, int] | str) -> socket.socket:
    listener = socket.socket(family)
    listener.bind(address)
    listener.listen()
    listener.setblocking(False)
    return listener
