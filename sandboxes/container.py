"""Jobs in containers of Docker or podman, through the interface that they share: a boundary that others keep too."""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from contracts.errors import Unavailable
from sandboxes.base import MIB, Availability, Job, JobResult, Level, OnOutput, Service, Tick
from sandboxes.cgroups import Events
from sandboxes.image import IMAGE
from sandboxes.packing import HEADER
from sandboxes.seccomp import NAMESPACED, filter_path
from sandboxes.service import Listener, RunningService
from sandboxes.session import Driving, Outcome, Session

INSIDE = Path(__file__).parent / "inside"
LABEL = "task-agent-sandbox"
PREFIX = "container-"
USER = 65534
TMP_SIZE, SHM_SIZE, NO_ROOM = 64 * MIB, 32 * MIB, MIB
LAUNCHER_PROCESSES = 3
START_SECONDS = 60.0
API_SECONDS = 60
KILLED = 137
CONNECT = """
import _socket
control = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
control.connect("/control/launcher.sock")
handles = control.recvmsg(1, _socket.CMSG_SPACE(16))[1][0][2]
handles = [int.from_bytes(handles[at:at + 4], sys.byteorder) for at in range(0, len(handles), 4)]
for number, handle in enumerate(handles[:3]):
    os.dup2(handle, number)
    os.close(handle)
for handle in handles[3:]:
    os.dup2(handle, LISTENER)
main(control.detach())
"""
LISTENER = 100
ENV = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/work",
    "TMPDIR": "/tmp",  # noqa: S108 - the job's own
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}
MEMORY_EVENTS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")
NO_DATA = "the container sandbox cannot keep data for an app"
MAKE_IMAGE = "Make it with `python -m sandboxes.image.make_image`"


class Door:
    """A socket that a container can reach and nobody else: its folder is closed to all but the service."""

    def __init__(self, root: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=root))
        self.inner = self.folder / "control"
        self.inner.mkdir()
        self.inner.chmod(0o755)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.inner / "launcher.sock"))
        (self.inner / "launcher.sock").chmod(0o666)
        self._listener.listen(1)
        self._listener.settimeout(START_SECONDS)

    def accept(self) -> socket.socket:
        """Raises TimeoutError if nobody comes."""
        return self._listener.accept()[0]

    def close(self) -> None:
        self._listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class ContainerWorker:
    """A container whose launcher has come through the door and waits for its job."""

    exited = -1

    def __init__(self, container: Any, door: Door, listener: int) -> None:
        """Raises Unavailable if the launcher does not come."""
        self._container = container
        self._door = door
        self._killed = False
        self._listener = listener
        self.control = socket.socket()
        read_in, self.stdin = os.pipe()
        self.stdout, write_out = os.pipe()
        self.stderr, write_err = os.pipe()
        theirs = [read_in, write_out, write_err]
        try:
            with translated("start a container"):
                container.start()
            self.control.close()
            self.control = door.accept()
            socket.send_fds(self.control, [b"F"], theirs + ([listener] if listener >= 0 else []))
            self.control.settimeout(START_SECONDS)
            if len(self.control.recv(HEADER)) < HEADER:
                raise Unavailable("no launcher answered")
        except (OSError, Unavailable) as error:
            said = self._said()
            self.kill()
            self.close()
            details = {"stderr": said or str(error)}
            raise Unavailable("a container could not be started", hint=MAKE_IMAGE, details=details) from error
        finally:
            for handle in theirs:
                os.close(handle)

    def prepare(self, job: Job) -> Mapping[str, Any]:
        blob = filter_path(NAMESPACED)
        confine = {
            "source": (INSIDE / "confine.py").read_text(),
            "landlock": False,
            "seccomp": blob.read_bytes() if blob else b"",
        }
        return {
            "work": "/work",
            "env": ENV,
            "disks": ["/work", "/tmp", "/dev/shm"],  # noqa: S108
            "listener": LISTENER,
            "confine": confine,
            "watch": True,
            "memory_events": MEMORY_EVENTS,
        }

    def kill(self) -> None:
        if self._killed:
            return
        self._killed = True
        import docker  # type: ignore[import-untyped]  # noqa: PLC0415 - only who uses containers needs it

        with suppress(docker.errors.APIError):  # it has ended already
            self._container.kill()
        with translated("remove a container"), suppress(docker.errors.NotFound):
            self._container.remove(force=True)

    def outcome(self) -> Outcome:
        return Outcome(KILLED, 0.0)

    def events(self) -> Events:
        return Events()

    def close(self) -> None:
        self.control.close()
        for handle in (self.stdin, self.stdout, self.stderr):
            if handle >= 0:
                os.close(handle)
        self.stdin = self.stdout = self.stderr = -1
        self._door.close()

    def _said(self) -> str:
        with suppress(Unavailable), translated("read a container's log"):
            return bytes(self._container.logs()).decode(errors="replace")
        return ""


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turns the library's errors into Unavailable."""
    import docker  # noqa: PLC0415
    import requests  # noqa: PLC0415

    try:
        yield
    except (docker.errors.DockerException, requests.RequestException) as error:
        raise Unavailable(
            f"could not {what}",
            hint="Look whether Docker or podman is running",
            details={"stderr": str(error)[-1000:]},
        ) from error


class Container:
    """Each job gets a container of its own, made for it and removed after it."""

    name = "container"
    level = Level.FULL

    def __init__(self, root: Path, socket_url: str, *, image: str = IMAGE) -> None:
        self._root = root
        self._url = socket_url
        self._image = image
        self._client: Any = None

    def available(self) -> Availability:
        if filter_path(NAMESPACED) is None:
            return Availability(False, "there is no filter for this machine's processor", "Use x86_64 or aarch64")
        try:
            client = self._connect()
            with translated("ask for the image"):
                images = client.images.list(name=self._image)
                version = str(client.version().get("Version", "?"))
        except Unavailable as error:
            return Availability(False, error.message, error.hint, {"said": str(error.details.get("stderr", ""))})
        if not images:
            return Availability(False, f"the image `{self._image}` has not been made yet", MAKE_IMAGE)
        return Availability(
            True, "containers work; memory is limited for all processes together", details={"version": version}
        )

    def unclaimed(self) -> Mapping[str, str]:
        return {}

    def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult:
        worker = self._worker(job, -1)
        return Session(Driving(worker, job, self.name, self.level, on_output, tick)).run()

    def start(self, job: Job, port: int, *, on_output: OnOutput | None = None) -> Service:
        listener = Listener()
        try:
            worker = self._worker(job, listener.socket.fileno())
        except BaseException:
            listener.close()
            raise
        relay = (INSIDE / "relay.py").read_text()
        return RunningService(Driving(worker, job, self.name, self.level, port=port, relay=relay), listener, on_output)

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _connect(self) -> Any:
        if self._client is None:
            try:
                import docker  # noqa: PLC0415
            except ImportError as error:
                raise Unavailable("the Python package `docker` is missing", hint="`pip install docker`") from error
            with translated("reach Docker or podman"):
                client = docker.DockerClient(base_url=self._url, timeout=API_SECONDS)
                self._clear(client)
                self._client = client
        return self._client

    def _clear(self, client: Any) -> None:
        """Remove containers of services that are gone."""
        for container in client.containers.list(all=True, filters={"label": LABEL}):
            owner = container.labels.get(LABEL, "")
            if not Path(f"/proc/{owner}").exists():
                container.remove(force=True)

    def _worker(self, job: Job, listener: int) -> ContainerWorker:
        if job.data:
            raise Unavailable(NO_DATA, hint="Use the bubblewrap sandbox for apps that keep data")
        client = self._connect()
        self._root.mkdir(parents=True, exist_ok=True)
        door = Door(self._root)
        try:
            with translated("make a container"):
                container = client.containers.create(self._image, **self._options(job, door))
        except BaseException:
            door.close()
            raise
        return ContainerWorker(container, door, listener)

    def _options(self, job: Job, door: Door) -> dict[str, Any]:
        import docker  # noqa: PLC0415

        limits = job.limits
        source = (INSIDE / "launch.py").read_text() + CONNECT.replace("LISTENER", str(LISTENER))
        memory = limits.memory + limits.disk
        mounts = {str(path): {"bind": str(path), "mode": "ro"} for path in job.mounts}
        return {
            "command": ["python3", "-I", "-S", "-X", "utf8", "-c", source],
            "user": f"{USER}:{USER}",
            "network_mode": "none",
            "read_only": True,
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges"],
            "mem_limit": memory,
            "memswap_limit": memory,
            "pids_limit": limits.processes + LAUNCHER_PROCESSES,
            "nano_cpus": int(limits.cores * 1e9),
            "shm_size": SHM_SIZE,
            "ulimits": [
                docker.types.Ulimit(name="nofile", soft=1024, hard=1024),
                docker.types.Ulimit(name="nproc", soft=4096, hard=4096),
                docker.types.Ulimit(name="core", soft=0, hard=0),
            ],
            "tmpfs": {
                "/work": f"rw,exec,nosuid,nodev,mode=1777,size={limits.disk}",
                "/tmp": f"rw,exec,nosuid,nodev,mode=1777,size={TMP_SIZE}",  # noqa: S108
                "/var/tmp": f"rw,noexec,nosuid,nodev,size={NO_ROOM}",  # noqa: S108 - podman's own has no bound
                "/run": f"rw,noexec,nosuid,nodev,size={NO_ROOM}",
            },
            "volumes": {str(door.inner): {"bind": "/control", "mode": "ro"}, **mounts},
            "working_dir": "/work",
            "hostname": "sandbox",
            "environment": {"PATH": ENV["PATH"]},
            "labels": {LABEL: str(os.getpid())},
            "entrypoint": [],
            "detach": True,
        }
