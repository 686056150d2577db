"""The default boundary: bubblewrap from a user without rights, with limits, seccomp and a disk in memory."""

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from contracts.errors import BadInput, Unavailable
from sandboxes.base import DATA, MIB, Availability, Job, JobResult, Level, Limits, OnOutput, Service, Tick
from sandboxes.cgroups import Cgroups, open_cgroups
from sandboxes.local_worker import LocalWorker, Plan, compile_launcher
from sandboxes.processes import end_orphans
from sandboxes.seccomp import NAMESPACED, filter_path
from sandboxes.service import Listener, RunningService
from sandboxes.session import Driving, Session
from sandboxes.spawner import Spawner
from sandboxes.uids import Uids, become, data_owners, reachable
from sandboxes.userland import INSIDE_UID, Userland, look_around
from sandboxes.warm_pool import WarmPool

INSIDE = Path(__file__).parent / "inside"
OLDEST = (0, 8, 0)
TMP_SIZE, SHM_SIZE = 64 * MIB, 32 * MIB
WITHOUT_CGROUP_PROCESSES = 16
WITHOUT_CGROUP_MEMORY = 256 * MIB
SPARE_PROCESSES = 8
ENV = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/work",
    "TMPDIR": "/tmp",  # noqa: S108 - the job's own
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}
INSTALL = "Install it once with `sudo apt install bubblewrap`"
APPARMOR = (
    "Allow it once with `sudo apt install apparmor-profiles && sudo install -m 0644 "
    "/usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && "
    "sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict`, or start the service as root"
)
APPARMOR_SWITCH = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
NO_TOTAL = {
    "memory_many": "memory is limited for each process only, because this machine gives the service no cgroup",
}


@dataclass(frozen=True, slots=True)
class Tools:
    """What was found on this machine, once."""

    program: str
    filter: Path
    userland: Userland
    launcher: bytes


def arguments(tools: Tools, job: Job, *, userns: bool) -> list[str]:
    """The boundary as bubblewrap takes it, but for the descriptors, which differ each time."""
    land = tools.userland
    args = [tools.program, "--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"]
    args += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    for folder in land.folders:
        args += ["--ro-bind", str(folder), str(folder)]
    for where, target in land.links:
        args += ["--symlink", target, where]
    args += ["--ro-bind", str(land.etc), "/etc", "--proc", "/proc", "--dev", "/dev"]
    for where, size in (("/dev/shm", SHM_SIZE), ("/tmp", TMP_SIZE), ("/work", job.limits.disk)):  # noqa: S108
        args += ["--size", str(size), "--perms", "1777", "--tmpfs", where]
    for folder in job.mounts:
        args += ["--ro-bind", str(folder), str(folder)]
    if job.data:
        args += ["--bind", str(job.data), DATA]
    args += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/work", "--cap-drop", "ALL"]
    if userns:
        return [*args, "--unshare-user", "--disable-userns", "--uid", str(INSIDE_UID), "--gid", str(INSIDE_UID)]
    for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
        args += ["--cap-add", capability]
    return args


class Bubblewrap:
    """Jobs with the usual mounts and disk are given a worker that is ready; others start one."""

    name = "bubblewrap"
    level = Level.FULL

    def __init__(
        self,
        root: Path,
        *,
        pool_size: int = 4,
        limits: Limits | None = None,
        preload: tuple[str, ...] = (),
        userns: bool | None = None,
        cgroups: bool = True,
    ) -> None:
        self._root = root
        self._pool_size = pool_size
        self._usual = Job(code="", limits=limits or Limits())
        self._preload = preload
        self._userns = userns
        self._use_cgroups = cgroups
        self._lock = threading.Lock()
        self._tools: Tools | None = None
        self._groups: Cgroups | None = None
        self._uids = Uids()
        self._spawner = Spawner("bubblewrap")
        self._pool: WarmPool[LocalWorker] | None = None
        self._closed = False

    def available(self) -> Availability:
        with self._lock:
            if self._closed:
                return Availability(False, "this sandbox has been closed", "Start the service again")
            if self._pool:
                return self._try_once()
            found = self._find()
            if isinstance(found, Availability):
                return found
            self._end_leftovers(found.program)
            self._tools = found
            self._groups = self._groups or (open_cgroups() if self._use_cgroups else None)
            result = self._try_ways()
            if result.ok:
                self._pool = WarmPool(partial(self._start, self._usual), self._pool_size)
            return result

    def unclaimed(self) -> Mapping[str, str]:
        return {} if self._groups else NO_TOTAL

    def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult:
        worker = self._worker(job)
        return Session(Driving(worker, job, self.name, self.level, on_output, tick)).run()

    def start(self, job: Job, port: int, *, on_output: OnOutput | None = None) -> Service:
        self._check(job)
        listener = Listener()
        try:
            worker = self._start(job, listener.socket.fileno())
        except BaseException:
            listener.close()
            raise
        relay = (INSIDE / "relay.py").read_text()
        return RunningService(Driving(worker, job, self.name, self.level, port=port, relay=relay), listener, on_output)

    def wait_warm(self, timeout: float) -> bool:
        """Sleep until all workers are ready, or the time is up; says which."""
        return self._pool is not None and self._pool.wait_full(timeout)

    def close(self) -> None:
        with self._lock:  # a look that is under way would start workers that nobody ends
            self._closed = True
        if self._pool:
            self._pool.close()
        self._spawner.close()
        self._uids.close()
        if self._groups:
            self._groups.close()

    def _worker(self, job: Job) -> LocalWorker:
        self._check(job)
        if self._pool and not job.mounts and not job.data and job.limits.disk == self._usual.limits.disk:
            ready = self._pool.take()
            if ready:
                return ready
        return self._start(job)

    def _check(self, job: Job) -> None:
        if not self._tools:
            state = self.available()
            if not state.ok:
                raise Unavailable(state.words, hint=state.remedy)
        for mount in job.mounts:
            if not reachable(mount, self._uids.usual):
                raise BadInput(
                    f"`{mount}` cannot be shown to the sandbox: its user may not read it",
                    hint=f"Put it below `{self._root}`, which anyone may pass through",
                )
        if job.data:
            self._check_data(job.data)

    def _check_data(self, data: Path) -> None:
        owner = data.stat().st_uid
        if owner not in (data_owners() if self._uids.root else [self._uids.usual]) or not reachable(data, owner):
            raise BadInput(
                f"`{data}` cannot be kept by the sandbox: its user may not write there",
                hint=f"Put it below `{self._root}`, and give it an owner that is there for that",
            )

    def _find(self) -> Tools | Availability:
        blob = filter_path(NAMESPACED)
        program = find_program()
        if sys.platform != "linux" or blob is None:
            return Availability(False, "bubblewrap works on Linux on x86_64 and aarch64 only", "Use a container")
        if isinstance(program, Availability):
            return program
        if not self._uids.possible:
            return Availability(False, "there is no other user that this root could become", "Start it as a user")
        land = look_around(self._root, self._uids.usual)
        if isinstance(land, Availability):
            return land
        return Tools(program, blob, land, compile_launcher(land.python, self._preload))

    def _end_leftovers(self, program: str) -> None:
        """Of services that were killed while a sandbox was starting."""
        if self._uids.root:
            self._uids.clear()
        else:
            end_orphans(self._uids.usual, program)

    def _try_ways(self) -> Availability:
        """As root without user namespaces bubblewrap makes the others itself, and the user is changed inside."""
        ways = [True, False] if self._uids.root and self._userns is None else [self._userns is not False]
        result = Availability(False, "")
        for self._userns in ways:
            result = self._try_once()
            if result.ok:
                break
        return result

    def _try_once(self) -> Availability:
        try:
            worker = self._start(self._usual)
        except Unavailable as error:
            return explain(str(error.details.get("stderr", "")))
        worker.kill()
        worker.close()
        memory = "all processes together" if self._groups else "each process only"
        details = {
            "program": self._tools.program if self._tools else "",
            "memory": memory,
            "cgroup": f"version {self._groups.version}" if self._groups else "none",
            "user": "a number without an account" if self._uids.root else "the service's own, in a user namespace",
            "user namespace": "yes" if self._userns else "no: the user is changed inside",
        }
        return Availability(True, f"bubblewrap works; memory is limited for {memory}", details=details)

    def _start(self, job: Job, listener: int = -1) -> LocalWorker:
        """Raises Unavailable when no launcher answers."""
        tools = self._tools
        if tools is None:
            raise Unavailable("bubblewrap has not been looked for yet")
        uid, release = self._user(job)
        userns = self._userns is not False
        outside, inside = (become(uid), []) if userns else ([], become(uid))
        plan = Plan(
            name=self.name,
            wrapper=(*outside, *arguments(tools, job, userns=userns)),
            python=[*inside, tools.userland.python, "-I", "-S", "-X", "utf8"],
            launcher=tools.launcher,
            filter=tools.filter,
            listener=listener,
            place={"work": "/work", "env": ENV, "disks": ["/work", "/tmp", "/dev/shm"], "here": True},  # noqa: S108
            limits=self._bounds,
            release=release,
        )
        return LocalWorker(plan, self._spawner, self._groups)

    def _user(self, job: Job) -> tuple[int, Callable[[], None]]:
        """The number to run as, and how to give it back. What keeps data runs as the data's owner."""
        if job.data and self._uids.root:
            return job.data.stat().st_uid, lambda: None
        uid = self._uids.acquire()
        return uid, lambda: self._uids.release(uid)

    def _bounds(self, limits: Limits) -> dict[str, int]:
        """With a cgroup the number of processes is bounded there, and seen; without one, the product is the bound."""
        if self._groups:
            return {"NPROC": limits.processes + SPARE_PROCESSES}
        if not limits.address_space:
            return {}
        return {
            "NPROC": min(limits.processes, WITHOUT_CGROUP_PROCESSES),
            "AS": min(limits.memory, WITHOUT_CGROUP_MEMORY),
        }


def find_program() -> str | Availability:
    program = shutil.which("bwrap")
    if program is None:
        return Availability(False, "bubblewrap is not installed", INSTALL)
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    found = re.search(r"\d+\.\d+\.\d+", answer.stdout)
    version = found.group() if found else "0"
    if tuple(map(int, version.split("."))) < OLDEST:
        return Availability(False, f"bubblewrap {version} is too old: 0.8 is needed", INSTALL)
    return program


def explain(stderr: str) -> Availability:
    words = stderr.strip().splitlines()[-1] if stderr.strip() else "it ended without a word"
    restricted = APPARMOR_SWITCH.exists() and APPARMOR_SWITCH.read_text().strip() == "1"
    if restricted or "RTM_NEWADDR" in stderr or "uid map" in stderr:
        return Availability(
            False, "this system forbids the namespaces that bubblewrap needs", APPARMOR, {"said": words}
        )
    if "namespace" in stderr:
        return Availability(
            False,
            "this system does not let programs make namespaces",
            "Inside a container, give it `--security-opt seccomp=unconfined --cap-add SYS_ADMIN`, or set "
            "`sysctl user.max_user_namespaces=10000` on the machine",
            {"said": words},
        )
    return Availability(False, f"bubblewrap does not work here: {words}", INSTALL, {"said": words})
