"""The parts under the sandboxes: cgroups, users, workers kept ready, processes and what a job sees of the machine."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contracts.errors import Unavailable
from sandboxes.base import MIB, Job, Limits
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.cgroups import Cgroups, Place, find_places, open_cgroups
from sandboxes.landlock import used
from sandboxes.processes import First, end_orphans, spent, threads_of, users_with_processes, with_children
from sandboxes.tool_environment import pytest_environment
from sandboxes.uids import Uids, highest_mapped, reachable
from sandboxes.userland import make_etc
from sandboxes.warm_pool import WarmPool
from tests.sandboxes.conftest import as_root
from tests.sandboxes.traces import groups, settled

CHECKOUT = Path(__file__).resolve().parent.parent.parent
USERS = 10_000 + os.getpid() % 10_000 * 4
"""Numbers of users that no other run of the tests has at the same time."""
HYBRID = """25 1 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw
26 25 0:23 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory
27 25 0:24 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
28 25 0:25 /outer /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct
29 25 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw"""
MODERN = "30 24 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"


def test_version_two_is_found_where_the_service_stands() -> None:
    [place] = find_places("0::/user.slice/app.scope\n", MODERN)
    assert place == Place(2, dict.fromkeys(("memory", "pids", "cpu"), Path("/sys/fs/cgroup/user.slice/app.scope")))


def test_on_a_hybrid_machine_both_versions_are_tried() -> None:
    second, first = find_places("4:memory:/job\n3:pids:/\n2:cpu,cpuacct:/outer/x\n0::/\n", HYBRID)
    assert second.version == 2
    assert first.folders == {
        "memory": Path("/sys/fs/cgroup/memory/job"),
        "pids": Path("/sys/fs/cgroup/pids"),
        "cpu": Path("/sys/fs/cgroup/cpu,cpuacct/x"),
    }


def test_without_memory_and_processes_there_is_no_place() -> None:
    assert find_places("2:cpu:/\n", HYBRID.splitlines()[3]) == []


def test_a_place_that_cannot_be_written_to_is_passed_over(tmp_path: Path) -> None:
    nowhere = Place(1, {"memory": tmp_path / "none", "pids": tmp_path / "none"})
    assert open_cgroups([nowhere]) is None
    plain = Place(1, dict.fromkeys(("memory", "pids"), tmp_path))
    assert open_cgroups([plain]) is None
    assert list(tmp_path.iterdir()) == []


def test_version_two_without_its_controllers_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").write_text("hugetlb\n")
    assert open_cgroups([Place(2, dict.fromkeys(("memory", "pids", "cpu"), tmp_path))]) is None


@pytest.fixture
def cgroups() -> Cgroups:
    found = open_cgroups()
    if found is None:
        pytest.skip("cgroup: this machine gives the service none")
    return found


def test_groups_are_used_again_and_all_are_removed(cgroups: Cgroups) -> None:
    others = groups() - {str(folder) for folder in cgroups.folders}
    first, second = cgroups.acquire(), cgroups.acquire()
    assert first is not second
    cgroups.release(second)
    assert cgroups.acquire() is second
    cgroups.close()
    assert groups() == others


def test_a_group_can_be_bounded_tighter_and_wider_again(cgroups: Cgroups) -> None:
    group = cgroups.acquire()
    for memory in (512, 64, 1024):
        group.limit(Limits(memory=memory * MIB))
    cgroups.close()


def test_what_is_still_in_a_group_is_ended_with_it(cgroups: Cgroups) -> None:
    group = cgroups.acquire()
    with subprocess.Popen(["sleep", "600"]) as process:
        group.add(process.pid)
        assert group.pids() == {process.pid}
        cgroups.release(group)
        assert process.wait() == -signal.SIGKILL
    cgroups.close()


def test_groups_of_services_that_are_gone_are_removed(cgroups: Cgroups) -> None:
    code = """
import os
from sandboxes.cgroups import open_cgroups
groups = open_cgroups()
groups.acquire()
assert any(folder.exists() for folder in groups.folders)
print(os.getpid(), flush=True)
os._exit(0)
"""
    gone = subprocess.run([sys.executable, "-c", code], check=True, cwd=CHECKOUT, capture_output=True, text=True)
    left = [folder.parent / f"task-agent-{gone.stdout.strip()}-*" for folder in cgroups.folders]
    again = open_cgroups()
    assert again is not None
    again.close()
    cgroups.close()
    assert settled(lambda: not any(list(pattern.parent.glob(pattern.name)) for pattern in left))


def test_the_largest_user_of_a_namespace_is_found() -> None:
    assert highest_mapped("         0          0 4294967295\n") == 4294967294
    assert highest_mapped("0 1000 1\n1 100000 65536\n") == 65536


@as_root
def test_no_two_services_share_a_user(tmp_path: Path) -> None:
    one, other = (Uids(USERS, 4, tmp_path / "locks") for _ in range(2))
    taken = [one.acquire(), one.acquire(), other.acquire(), other.acquire()]
    assert sorted(taken) == [USERS, USERS + 1, USERS + 2, USERS + 3]
    waiting = threading.Thread(target=lambda: taken.append(one.acquire()))
    waiting.start()
    one.release(taken[0])
    waiting.join()
    assert taken[-1] == taken[0]
    other.close()
    assert one.acquire() in taken[2:4]
    one.close()


@as_root
def test_what_a_killed_service_left_of_a_user_is_ended(tmp_path: Path) -> None:
    with subprocess.Popen(["setpriv", f"--reuid={USERS + 1}", "--clear-groups", "sleep", "600"]) as left:
        users = Uids(USERS, 4, tmp_path / "locks")
        assert settled(lambda: USERS + 1 in users_with_processes())
        users.clear()
        assert left.wait() == -signal.SIGKILL
        assert users.acquire() == USERS + 1
        users.close()


def test_a_first_process_without_its_outer_one_is_ended(bubblewrap: Bubblewrap) -> None:
    program = bubblewrap.available().details["program"]
    command = [program, "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "sleep", "600"]
    with subprocess.Popen(command) as outer:
        assert settled(lambda: len(with_children(outer.pid)) > 1)
        first = with_children(outer.pid)[1]
        end_orphans(os.getuid(), program)
        assert Path(f"/proc/{first}").exists()
        outer.kill()
    end_orphans(os.getuid(), program)
    assert settled(lambda: "Z" in state_of(first))


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@as_root
def test_what_another_user_can_reach_is_known_beforehand(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    assert not reachable(tmp_path, 12345)
    assert not reachable(Path("/nowhere"), 12345)
    assert reachable(Path("/usr/bin/env"), 12345)
    assert not reachable(Path("/etc/shadow"), 12345)


def test_the_etc_of_a_job_names_no_one_of_this_machine(tmp_path: Path) -> None:
    folder = make_etc(tmp_path / "etc")
    assert make_etc(tmp_path / "etc") == folder
    assert (folder / "passwd").read_text().count("\n") == 2
    assert "shadow" not in {path.name for path in folder.iterdir()}
    assert folder.stat().st_mode & 0o777 == 0o755


def test_services_that_start_at_the_same_moment_share_one_etc(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: make_etc(tmp_path / "etc"), range(40)))
    assert set(made) == {tmp_path / "etc"}
    assert [path.name for path in (tmp_path / "etc").rglob("*.new")] == []


def test_pytest_for_jobs_is_copied_once(tmp_path: Path) -> None:
    tmp_path.chmod(0o711)
    folder = pytest_environment(tmp_path)
    assert (folder / "_pytest" / "__init__.py").is_file() and (folder / "pluggy").is_dir()
    assert not list(folder.rglob("*.pyc"))
    stamp = folder.stat().st_mtime_ns
    assert pytest_environment(tmp_path) == folder and folder.stat().st_mtime_ns == stamp
    assert [path.name for path in (tmp_path / "environments").iterdir()] == [folder.name]


class Fake:
    """A worker that only remembers what became of it."""

    def __init__(self) -> None:
        self.alive = True
        self.closed = False

    def kill(self) -> None:
        self.alive = False

    def close(self) -> None:
        self.closed = True


def test_a_worker_is_handed_out_once_and_made_up_for() -> None:
    made: list[Fake] = []

    def start() -> Fake:
        made.append(Fake())
        return made[-1]

    pool = WarmPool(start, 3)
    taken = []
    for _ in range(5):
        assert pool.wait_full(60)
        taken.append(pool.take())
    assert len({id(worker) for worker in taken}) == 5
    pool.close()
    assert [worker.closed for worker in made if worker not in taken] == [True] * (len(made) - 5)
    assert not any(worker.closed for worker in taken if worker)


def test_a_worker_that_has_died_is_passed_over() -> None:
    pool = WarmPool(Fake, 2)
    assert pool.wait_full(60)
    first = pool.take()
    assert first and pool.wait_full(60)
    for worker in pool._ready:
        worker.alive = False
    assert pool.take() is None or first.alive
    pool.close()


def test_an_empty_pool_does_not_make_anyone_wait() -> None:
    pool = WarmPool(Fake, 0)
    assert pool.take() is None
    pool.close()


def test_a_pool_whose_workers_do_not_start_can_be_closed(caplog: pytest.LogCaptureFixture) -> None:
    tried = threading.Event()

    def fail() -> Fake:
        tried.set()
        raise Unavailable("no more room")

    pool = WarmPool(fail, 1)
    assert tried.wait(60)
    assert pool.take() is None
    pool.close()
    assert "no more room" in caplog.text


def test_ready_workers_are_used_for_ordinary_jobs_and_made_up_for(root: Path) -> None:
    sandbox = Bubblewrap(root, pool_size=2)
    try:
        assert sandbox.available().ok
        pool = sandbox._pool
        assert pool and pool.wait_full(60)
        before = list(pool._ready)
        assert all(sandbox.run(Job(code="print(1)")).ok for _ in range(3))
        assert pool.wait_full(60)
        assert not [worker for worker in before if worker in pool._ready]
    finally:
        sandbox.close()


def test_the_first_process_is_ended_and_known_to_have() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        first = First(process.pid)
        first.end()
        first.close()
    with pytest.raises(Unavailable):
        First(None)


def test_what_processes_use_is_read_from_outside() -> None:
    cpu, peak = spent([os.getpid()])
    assert cpu > 0 and peak > 1000
    assert spent([2**22 + 1]) == (0.0, 0)
    over = threading.Event()
    waiting = [threading.Thread(target=over.wait) for _ in range(3)]
    for thread in waiting:
        thread.start()
    assert threads_of(os.getuid()) > len(waiting)
    over.set()
    for thread in waiting:
        thread.join()


def test_the_size_of_a_folder_counts_everything_and_gives_up_on_mazes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_bytes(b"x" * 100_000)
    (tmp_path / "link").symlink_to("/usr")
    assert 100_000 <= used(tmp_path) < 300_000
    deep = tmp_path
    for _ in range(210):
        deep /= "d"
        deep.mkdir()
    assert used(tmp_path) > 1 << 59
    assert settled(lambda: used(tmp_path) > 0)
