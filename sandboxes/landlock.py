"""The fallback where there is no bubblewrap: Landlock, seccomp and limits from Python alone. Reduced, and called so."""

import ctypes
import os
import signal
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from contracts.errors import Unavailable
from sandboxes.base import Availability, Job, JobResult, Level, OnOutput, Service, StoppedBy, Tick
from sandboxes.cgroups import Cgroups, open_cgroups
from sandboxes.local_worker import LocalWorker, Plan, compile_launcher
from sandboxes.processes import END_SECONDS, processes_of, threads_of
from sandboxes.seccomp import LANDLOCKED, filter_path
from sandboxes.session import Driving, Session
from sandboxes.spawner import Spawner
from sandboxes.uids import FIRST, Uids, become
from sandboxes.userland import Userland, look_around

INSIDE = Path(__file__).parent / "inside"
UIDS_FIRST, UIDS = FIRST + 1000, 8
CREATE_RULESET, ASK_VERSION = 444, 1
SCOPED_SIGNALS = 6
"""The version of Landlock from which on signals stay inside; without it the job needs a user of its own."""
POLITE_SECONDS = 5.0
MOST_ENTRIES, DEEPEST = 20_000, 200
NICENESS = 5
PREFIX = "landlock-"
READABLE = (
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
    "/dev/random",
    "/dev/urandom",
)
WRITABLE = ("/dev/null", "/dev/zero", "/dev/full")
ENV = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}
NO_TOTAL = {
    "memory_many": "memory is limited for each process only, because this machine gives the service no cgroup",
}
NO_DATA = "the landlock sandbox cannot keep data for an app"
NO_NETWORK = "the landlock sandbox cannot give a program a network of its own"


def landlock_abi() -> int:
    """The version of Landlock that the kernel offers; 0 where there is none."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    return max(0, int(call(ctypes.c_long(CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint(ASK_VERSION))))


class LandlockWorker(LocalWorker):
    """Its launcher is outside the boundary and ends what is inside; a user of its own is swept besides."""

    uid: int = 0

    def _find_first(self) -> None:
        return

    def _end(self) -> None:
        """All at once where a user or a group holds nothing else; otherwise the launcher has to find them."""
        process = self._process
        if process is None:
            return
        if self.uid:
            sweep(self.uid)
        elif self._group:
            self._group.kill()
        else:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(POLITE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def sweep(uid: int) -> None:
    """End every process of a user that only jobs have. The shell that does it is that user and passes itself over."""
    command = [*become(uid), "/bin/sh", "-c", "kill -9 -1"]
    deadline = time.monotonic() + END_SECONDS
    while processes_of(uid):
        subprocess.run(command, stderr=subprocess.DEVNULL, check=False, env={})  # noqa: S603 - fixed text
        if time.monotonic() > deadline:
            break
    else:
        return
    raise Unavailable("processes of a job could not be ended", hint="Look for processes that hang in the kernel")


class Landlock:
    """One run at a time for each user; as a plain user that means one run at a time."""

    name = "landlock"
    level = Level.REDUCED

    def __init__(self, root: Path, *, cgroups: bool = True) -> None:
        self._root = root
        self._use_cgroups = cgroups
        self._groups: Cgroups | None = None
        self._uids = Uids(UIDS_FIRST, UIDS)
        self._alone = threading.Lock()
        self._lock = threading.Lock()
        self._spawner = Spawner("landlock")
        self._land: Userland | None = None
        self._launcher = b""

    def available(self) -> Availability:
        with self._lock:
            problem = self._problem()
            if problem:
                return problem
            if self._use_cgroups and self._groups is None:
                self._groups = open_cgroups()
        memory = "all processes together" if self._groups else "each process only"
        words = f"Landlock works, as a reduced sandbox; memory is limited for {memory}"
        user = "a number without an account" if self._uids.root else "the service's own"
        return Availability(True, words, details={"memory": memory, "user": user, "version": str(landlock_abi())})

    def unclaimed(self) -> Mapping[str, str]:
        return {} if self._groups else NO_TOTAL

    def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult:
        if self._land is None and not (state := self.available()).ok:
            raise Unavailable(state.words, hint=state.remedy)
        if job.data:
            raise Unavailable(NO_DATA, hint="Install bubblewrap with `sudo apt install bubblewrap`")
        with self._uids.one() as uid:
            if self._uids.root:
                return self._run(job, uid, on_output, tick)
            with self._alone:
                return self._run(job, uid, on_output, tick)

    def start(self, job: Job, port: int, *, on_output: OnOutput | None = None) -> Service:
        raise Unavailable(NO_NETWORK, hint="Install bubblewrap with `sudo apt install bubblewrap`")

    def close(self) -> None:
        self._spawner.close()
        self._uids.close()
        if self._groups:
            self._groups.close()

    def _problem(self) -> Availability | None:
        abi = landlock_abi() if hasattr(os, "O_PATH") else 0
        if abi == 0 or filter_path(LANDLOCKED) is None:
            return Availability(False, "this kernel has no Landlock", "Install bubblewrap, or use a newer kernel")
        if abi < SCOPED_SIGNALS and not self._uids.root:
            return Availability(
                False, "this kernel's Landlock cannot keep signals inside", "Install bubblewrap, or start it as root"
            )
        if not self._uids.possible:
            return Availability(False, "there is no other user that this root could become", "Start it as a user")
        land = look_around(self._root, self._uids.usual)
        if isinstance(land, Availability):
            return land
        self._uids.clear()
        clear(self._root)
        self._land = land
        self._launcher = compile_launcher(land.python, ())
        return None

    def _run(self, job: Job, uid: int, on_output: OnOutput | None, tick: Tick | None) -> JobResult:
        folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=self._root))
        try:
            for name in ("work", "tmp"):
                (folder / name).mkdir(mode=0o700)
                os.chown(folder / name, uid, uid if self._uids.root else -1)
            folder.chmod(0o711)
            worker = LandlockWorker(self._plan(job, uid, folder), self._spawner, self._groups)
            worker.uid = uid if self._uids.root else 0
            driving = Driving(worker, job, self.name, self.level, on_output, tick)
            driving.watch = lambda: StoppedBy.DISK if used(folder) > job.limits.disk else None
            return Session(driving).run()
        finally:
            remove(folder)

    def _plan(self, job: Job, uid: int, folder: Path) -> Plan:
        land, blob = self._land, filter_path(LANDLOCKED)
        if land is None or blob is None:
            raise Unavailable("landlock has not been looked for yet")
        work, tmp = str(folder / "work"), str(folder / "tmp")
        seen = [*map(str, land.folders), *(where for where, _ in land.links), *READABLE, *map(str, job.mounts)]
        confine = {
            "source": (INSIDE / "confine.py").read_text(),
            "landlock": True,
            "read": seen,
            "write": [work, tmp, *WRITABLE],
            "seccomp": blob.read_bytes(),
        }
        place = {
            "work": work,
            "env": {**ENV, "HOME": work, "TMPDIR": tmp},
            "disks": [],
            "nice": 0 if self._groups else NICENESS,
            "confine": confine,
            "adopt": (INSIDE / "adopt.py").read_text(),
        }
        return Plan(
            name=self.name,
            python=[*become(uid), land.python, "-I", "-S", "-X", "utf8"],
            launcher=self._launcher,
            place=place,
            limits=lambda limits: {"NPROC": limits.processes + (0 if self._uids.root else threads_of(uid))},
        )


def remove(folder: Path) -> None:
    """By a program that copes with folders of any depth."""
    subprocess.run(["/bin/rm", "-rf", "--", str(folder)], check=False)  # noqa: S603 - a folder made here


def clear(root: Path) -> None:
    """Remove what services that are gone have left."""
    with suppress(OSError):
        for folder in root.glob(f"{PREFIX}[0-9]*-*"):
            if not Path(f"/proc/{folder.name.removeprefix(PREFIX).split('-')[0]}").exists():
                remove(folder)


def used(folder: Path) -> int:
    """Bytes below a folder, by looking; more entries or levels than anyone needs count as without end."""
    total = entries = 0
    waiting = [(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW), 0)]
    while waiting:
        handle, depth = waiting.pop()
        try:
            with suppress(OSError), os.scandir(handle) as listing:
                for item in listing:
                    entries += 1
                    status = item.stat(follow_symlinks=False)
                    total += status.st_blocks * 512
                    if stat.S_ISDIR(status.st_mode) and depth < DEEPEST and entries < MOST_ENTRIES:
                        below = os.open(item.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
                        waiting.append((below, depth + 1))
                    elif stat.S_ISDIR(status.st_mode):
                        total += 1 << 60
        finally:
            os.close(handle)
    return total
