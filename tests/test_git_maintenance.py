"""Repositories stay small, forget what is old, and lose nothing else; locks of a killed service go."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contracts.errors import NotFound
from git_manager import GitManager
from tests.real_project import RealProject

OLD = time.time() - 3600


@pytest.fixture
def project(tmp_path: Path) -> RealProject:
    return RealProject(tmp_path)


def loose(project: RealProject) -> int:
    return int(project.git("count-objects").split()[0])


def locks(project: RealProject) -> list[str]:
    git = project.path / ".git"
    return sorted(str(path.relative_to(git)) for path in git.rglob("*.lock"))


def make_locks(project: RealProject, when: float) -> list[str]:
    names = ["HEAD.lock", "index.lock", "packed-refs.lock", "refs/agent/t1/before.lock", "refs/heads/main.lock"]
    for name in names:
        path = project.path / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (when, when))
    return names


def test_locks_of_a_killed_service_are_removed_at_start(project: RealProject) -> None:
    project.put("a.txt")
    names = make_locks(project, OLD)
    halves = ["objects/pack/pack_git2_a1b2c3", "objects/tmp_object_git2_a1b2c3"]
    for name in halves:
        (project.path / ".git" / name).write_bytes(b"half")
        os.utime(project.path / ".git" / name, (OLD, OLD))
    again = RealProject(project.root)
    assert again.repo.clear_stale_locks() == sorted([*names, *halves])
    assert locks(project) == []
    again.put("b.txt")


def test_a_lock_younger_than_the_service_is_left(project: RealProject) -> None:
    project.put("a.txt")
    names = make_locks(project, time.time() + 5)
    assert RealProject(project.root).repo.clear_stale_locks() == []
    assert locks(project) == sorted(names)


def test_nothing_is_cleared_while_someones_git_is_at_work(project: RealProject, tmp_path: Path) -> None:
    project.put("a.txt")
    names = make_locks(project, OLD)
    git = tmp_path / "git"
    git.symlink_to(sys.executable)
    with subprocess.Popen([git, "-c", "input()"], cwd=project.path, stdin=subprocess.PIPE) as process:
        while not Path(f"/proc/{process.pid}/comm").read_text().startswith("git"):
            time.sleep(0.01)
        assert RealProject(project.root).repo.clear_stale_locks() == []
        process.communicate(b"\n")
    assert locks(project) == sorted(names)


def test_a_service_killed_at_any_moment_leaves_nothing_in_the_way(project: RealProject) -> None:
    project.put("a.txt")
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from tests.real_project import RealProject\n"
        "project = RealProject(Path(sys.argv[2]))\n"
        "number = 0\n"
        "while True:\n"
        "    number += 1\n"
        "    project.write('a.txt', b'%d' % number)\n"
        "    project.repo.snapshot(f'k{number}')\n"
        "    project.write('a.txt', b'%d!' % number)\n"
        "    project.repo.record(f'k{number}', 'Killed')\n"
        "    print(number, flush=True)\n"
    )
    for round_ in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", script, Path(__file__).parent.parent, project.root], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout
            process.stdout.readline()
            time.sleep(0.01 * round_)
            process.send_signal(signal.SIGKILL)
        again = RealProject(project.root)
        again.repo.clear_stale_locks()
        assert locks(project) == []
        done = again.put("b.txt", b"%d" % round_)
        again.take_back(done)
        assert "missing" not in project.git("fsck", "--strict")


def test_many_loose_objects_become_a_pack(project: RealProject) -> None:
    for number in range(12):
        project.put_all({f"d{number}/f{n}.txt": b"%d %d\n" % (number, n) for n in range(50)})
    tasks = [project.put("a.txt", b"%d" % number) for number in range(5)]
    before, prints = project.standing(), project.repo.fingerprint()
    assert loose(project) > 600
    project.repo.maintain()
    assert loose(project) == 0
    assert project.repo.fingerprint() == prints
    assert not [ref for ref in (project.path / ".git/refs/agent").rglob("*") if ref.is_file()]
    undo, _ = project.take_back(*reversed(tasks))
    assert "a.txt" not in project.standing()
    project.take_back(undo)
    assert project.standing() == before
    assert project.git("fsck", "--strict", "--connectivity-only") is not None


def test_a_small_repository_is_left_as_it_is(project: RealProject) -> None:
    project.put("a.txt")
    before = loose(project)
    project.repo.maintain()
    assert loose(project) == before
    project.put("b.txt")


def test_old_snapshots_are_forgotten_and_nothing_else_is(tmp_path: Path) -> None:
    old = RealProject(tmp_path, manager=GitManager(tmp_path, keep_days=90))
    old.write("note.txt", b"untracked, only in snapshots\n")
    first = old.put("a.txt", b"committed\n")
    old.put("ignored/b.txt", b"2\n")
    project = RealProject(tmp_path, manager=GitManager(tmp_path, keep_days=-1))
    project.write("note.txt", b"another\n")
    project.git("hash-object", "-w", "note.txt")
    project.write("staged.txt", b"staged, never committed\n")
    project.git("add", "staged.txt")
    project.git("stash", "push", "-q", "-m", "theirs", "--", "staged.txt")
    project.git("stash", "drop", "-q")
    blob = project.git("rev-parse", "refs/agent/t1/before:note.txt").strip()
    project.repo.maintain()
    assert project.git("for-each-ref", "refs/agent/") == ""
    with pytest.raises(NotFound):
        project.take_back(first)
    assert "missing" not in project.git("fsck", "--strict", "--full", "--no-dangling")
    assert project.git("cat-file", "-t", blob, check=False) == ""
    assert project.git("show", "HEAD~1:a.txt") == "committed\n"
    project.put("c.txt")
    assert "missing" not in project.git("fsck", "--strict", "--full", "--no-dangling")
    assert project.status() == ["?? note.txt"]


def test_nothing_is_maintained_while_git_holds_a_lock(project: RealProject) -> None:
    project.put_all({f"f{n}.txt": b"%d\n" % n for n in range(600)})
    before = loose(project)
    (project.path / ".git/index.lock").touch()
    project.repo.maintain()
    assert loose(project) == before
