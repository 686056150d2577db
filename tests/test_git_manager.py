"""Snapshots hold everything, byte for byte, and touch nothing; commits hold what git would."""

import mmap
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.errors import Conflict, NotFound, UnsafePath
from contracts.files import Draft
from git_manager import GitManager
from tests.real_project import RealProject, git, standing


@pytest.fixture
def project(tmp_path: Path) -> RealProject:
    return RealProject(tmp_path)


def there_and_back(project: RealProject, change: Callable[[], object]) -> None:
    """What anyone does to the files between two snapshots is taken back exactly, and brought again exactly."""
    before = project.standing()
    task = project.begin()
    change()
    project.repo.record(task, "Changed")
    after = project.standing()
    assert after != before
    undo, taken = project.take_back(task)
    assert not taken.kept
    assert project.standing() == before
    project.take_back(undo)
    assert project.standing() == after
    assert "error" not in project.git("fsck", "--strict")


def test_a_repository_is_made_on_main_with_nothing_in_it(project: RealProject) -> None:
    assert not project.manager.exists("p")
    assert project.repo.history() == []
    assert project.manager.exists("p")
    assert project.git("symbolic-ref", "HEAD").strip() == "refs/heads/main"


def test_a_step_is_one_commit_that_names_its_task(project: RealProject) -> None:
    task, recorded, _ = project.step(lambda draft: draft.write("src/a.py", b"a = 1\n"), "Created `src/a.py`")
    assert recorded.changed == ("src", "src/a.py")
    assert recorded.left_out == ()
    assert project.git("rev-parse", "HEAD").strip() == recorded.commit
    assert project.git("log", "--format=%B|%an <%ae>").strip() == (
        f"Created `src/a.py`\n\nTask: {task}\n|Task Agent <agent@localhost>"
    )
    assert project.status() == []
    assert project.repo.history()[0].task_id == task


def test_snapshots_leave_head_the_index_and_branches_alone(project: RealProject) -> None:
    project.put("a.txt")
    index = (project.path / ".git/index").read_bytes()
    log = project.git("log", "--all", "--format=%H", "--branches", "HEAD")
    project.write("b.txt")
    project.repo.snapshot("one")
    project.repo.fingerprint()
    assert (project.path / ".git/index").read_bytes() == index
    assert project.git("log", "--format=%H", "--branches", "HEAD") in log
    assert project.status() == ["?? b.txt"]


def test_an_unchanged_project_needs_no_new_objects(project: RealProject) -> None:
    project.put("a.txt")
    one = project.repo.snapshot("one")
    objects = project.git("count-objects")
    assert project.repo.snapshot("two") == one
    assert project.git("count-objects") == objects


def test_crlf_stays_crlf_whatever_the_attributes_say(project: RealProject) -> None:
    project.put(".gitattributes", b"* text=auto\n*.bat text eol=crlf\n")
    project.put("run.bat", b"echo 1\r\necho 2\r\n")
    project.put("notes.txt", b"one\r\ntwo\r\n")
    assert project.status() == []
    assert project.git("show", "HEAD:run.bat") == "echo 1\necho 2\n"
    there_and_back(project, lambda: project.write("run.bat", b"echo 1\r\necho 3\r\n"))
    there_and_back(project, lambda: project.write("notes.txt", b"one\ntwo\n"))
    assert project.status() == []


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o700, 0o755, 0o444, 0o4755])
def test_any_mode_comes_back(project: RealProject, mode: int) -> None:
    project.put("a.txt")
    there_and_back(project, lambda: (project.path / "a.txt").chmod(mode))
    there_and_back(project, lambda: project.write("new/b.txt", mode=mode))
    there_and_back(project, lambda: (project.path / "new").chmod(0o700))


def test_empty_folders_come_back(project: RealProject) -> None:
    (project.path / "kept/deep").mkdir(parents=True)
    there_and_back(project, (project.path / "kept/deep").rmdir)
    there_and_back(project, lambda: (project.path / "other/deep").mkdir(parents=True))


def test_links_come_back_as_links_and_are_never_followed(project: RealProject, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("secret")
    project.put("a.txt")
    there_and_back(project, lambda: (project.path / "out").symlink_to(tmp_path / "outside"))
    there_and_back(project, lambda: (project.path / "dangling").symlink_to("nowhere"))
    assert sorted(path.name for path in (tmp_path / "outside").iterdir()) == ["secret"]
    project.repo.snapshot("one")
    assert "secret" not in project.git("ls-tree", "-r", "refs/agent/one/before")


def test_fifos_come_back_and_block_nobody(project: RealProject) -> None:
    project.put("a.txt")
    there_and_back(project, lambda: os.mkfifo(project.path / "pipe", 0o640))


def test_a_socket_is_left_aside(project: RealProject) -> None:
    task = project.begin()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(project.path / "s"))
        project.write("a.txt")
        project.repo.record(task, "Listened")
        _, taken = project.take_back(task)
    assert taken.kept == ("s",)
    assert list(project.standing()) == ["s"]


def test_a_file_can_become_a_folder_or_a_link_and_back(project: RealProject) -> None:
    project.put("x", b"file")

    def folder() -> None:
        (project.path / "x").unlink()
        project.write("x/y/z.txt")

    there_and_back(project, folder)

    def link() -> None:
        (project.path / "x/y/z.txt").unlink()
        (project.path / "x/y").rmdir()
        (project.path / "x").rmdir()
        (project.path / "x").symlink_to("y")

    there_and_back(project, link)
    assert project.status() == []


def test_names_that_are_not_text_come_back(project: RealProject) -> None:
    name = os.fsdecode(b"caf\xe9\n\xff")
    there_and_back(project, lambda: project.write(f"{name}/{name}", b"x", mode=0o600))
    there_and_back(project, lambda: project.write("%odd\\name", b"x", mode=0o600))
    there_and_back(project, lambda: project.write("%", b"x", mode=0o600))


@pytest.mark.parametrize("name", [".gitmodules", ".GIT", "git~1", ".git ", ".gitattributes", ".g\u200cit", "%.git"])
def test_names_that_git_forbids_come_back(project: RealProject, name: str) -> None:
    there_and_back(project, lambda: project.write(f"sub/{name}/config", b"[x]\n"))
    there_and_back(project, lambda: (project.path / f"sub/{name}/config").write_bytes(b"[y]\n"))
    there_and_back(project, lambda: (project.path / f"sub/{name}/link").symlink_to("config"))


@pytest.mark.parametrize("commits", [True, False])
def test_a_nested_repository_comes_back_with_its_history(project: RealProject, commits: bool) -> None:
    project.put("a.txt")

    def nested() -> None:
        project.write("vendor/lib/code.py", b"one\n")
        git(project.path / "vendor/lib", "init", "-q", "-b", "main")
        if commits:
            git(project.path / "vendor/lib", "add", "-A")
            git(project.path / "vendor/lib", "commit", "-qm", "first")

    there_and_back(project, nested)
    assert project.git("ls-files") == "a.txt\n"

    def more() -> None:
        project.write("vendor/lib/code.py", b"two\n")
        git(project.path / "vendor/lib", "add", "-A")
        git(project.path / "vendor/lib", "commit", "-qm", "second")

    there_and_back(project, more)
    assert git(project.path / "vendor/lib", "status", "--porcelain") == ""
    assert git(project.path / "vendor/lib", "fsck") is not None


def test_ignored_files_come_back_but_are_not_committed(project: RealProject) -> None:
    project.put(".gitignore", b"*.log\nbuild/\n")
    task, recorded, _ = project.step(lambda draft: draft.write("build/out.txt", b"1"))
    assert recorded.commit is None
    assert [(left.path, left.reason) for left in recorded.left_out] == [
        ("build/out.txt", "it is ignored by `.gitignore`")
    ]
    there_and_back(project, lambda: project.write("debug.log", b"2"))
    project.take_back(task)
    assert not (project.path / "build").exists()


def test_dependency_folders_are_left_aside(project: RealProject) -> None:
    project.write("node_modules/lib/index.js")
    task = project.put("src/app.js")
    project.write("src/__pycache__/x.pyc")
    assert not project.repo.covered("node_modules/lib/index.js")
    assert project.repo.covered("src/app.js")
    _, taken = project.take_back(task)
    assert taken.kept == ("src",)
    assert sorted(project.standing()) == [
        "node_modules",
        "node_modules/lib",
        "node_modules/lib/index.js",
        "src",
        "src/__pycache__",
        "src/__pycache__/x.pyc",
    ]


def test_a_write_of_the_same_size_within_one_tick_is_seen(project: RealProject) -> None:
    project.write("a.txt", b"0000")
    prints = set()
    for number in range(60):
        project.write("a.txt", b"%04d" % number)
        prints.add(project.repo.fingerprint())
    assert len(prints) == 60


def test_a_write_with_its_times_set_back_is_seen(project: RealProject) -> None:
    project.write("a.txt", b"one")
    os.utime(project.path / "a.txt", ns=(10**18, 10**18))
    before = project.repo.fingerprint()
    project.write("a.txt", b"two")
    os.utime(project.path / "a.txt", ns=(10**18, 10**18))
    assert project.repo.fingerprint() != before


def test_writes_through_a_mapping_are_seen_however_often(project: RealProject) -> None:
    project.write("a.bin", bytes(8192))
    os.utime(project.path / "a.bin", ns=(10**18, 10**18))
    with (project.path / "a.bin").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        file.close()
        prints = {project.repo.fingerprint()}
        for number in range(1, 30):
            mapped[5000] = number
            prints.add(project.repo.fingerprint())
    assert len(prints) == 30
    project.repo.fingerprint()


def test_writes_through_another_process_mapping_are_seen(project: RealProject) -> None:
    project.write("a.bin", bytes(8192))
    script = (
        "import mmap, sys\n"
        "f = open(sys.argv[1], 'r+b'); m = mmap.mmap(f.fileno(), 0); f.close()\n"
        "for n, _ in enumerate(sys.stdin, 1):\n"
        "    m[0] = n; print(n, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, project.path / "a.bin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdin
        assert writer.stdout
        prints = {project.repo.fingerprint()}
        for _ in range(10):
            writer.stdin.write("\n")
            writer.stdin.flush()
            writer.stdout.readline()
            prints.add(project.repo.fingerprint())
    assert len(prints) == 11


def test_the_fingerprint_changes_with_anything_and_comes_back_with_it(project: RealProject) -> None:
    project.put("a.txt")
    first = project.repo.fingerprint()
    (project.path / "a.txt").chmod(0o600)
    second = project.repo.fingerprint()
    (project.path / "empty").mkdir()
    third = project.repo.fingerprint()
    assert len({first, second, third}) == 3
    (project.path / "empty").rmdir()
    (project.path / "a.txt").chmod(0o644)
    assert project.repo.fingerprint() == first
    project.write(".venv/bin/python")
    assert project.repo.fingerprint() == first
    assert RealProject(project.root).repo.fingerprint() == first


def test_large_files_come_back(project: RealProject) -> None:
    project.write("big.bin", b"one line\n" * (1 << 20))
    there_and_back(project, lambda: project.write("big.bin", b"other one\n" * (1 << 20)))


def test_only_named_paths_count_as_the_step_when_they_are_given(project: RealProject) -> None:
    project.put("mine.txt", b"1")
    task = project.begin()
    project.write("mine.txt", b"2")
    project.write("new/deep/mine.txt", b"2")
    project.write("theirs.txt", b"2")
    recorded = project.repo.record(task, "Mine", paths=["mine.txt", "new", "new/deep", "new/deep/mine.txt", "gone"])
    assert recorded.changed == ("mine.txt", "new", "new/deep", "new/deep/mine.txt")
    assert project.status() == ["?? theirs.txt"]
    assert project.repo.fingerprint() != recorded.tree
    project.take_back(task)
    assert project.standing() == {"mine.txt": ("-", 0o644, b"1"), "theirs.txt": ("-", 0o644, b"2")}


def test_an_edit_seen_by_another_thread_meanwhile_is_not_taken_for_the_steps(project: RealProject) -> None:
    project.put_all({"mine.txt": b"1", "d/theirs.txt": b"1", "d/old.txt": b"1"})
    task = project.begin()
    project.write("d/theirs.txt", b"2")
    project.write("e/theirs.txt", b"2")
    (project.path / "d").chmod(0o700)
    project.write("d/new/mine.txt", b"2")
    project.write("d/new/theirs.txt", b"2")
    (project.path / "d/old.txt").unlink()
    project.repo.fingerprint()
    recorded = project.repo.record(task, "Mine", paths=["d/new", "d/new/mine.txt", "d/old.txt"])
    assert recorded.changed == ("d/new", "d/new/mine.txt", "d/old.txt")
    assert project.status() == [" M d/theirs.txt", "?? d/new/theirs.txt", "?? e/"]
    _, taken = project.take_back(task)
    assert taken.kept == ("d/new",)
    assert project.standing()["d/old.txt"] == ("-", 0o644, b"1")
    assert "d/new/mine.txt" not in project.standing()


def test_objects_that_someone_cleaned_away_are_written_again(project: RealProject) -> None:
    project.put("a.txt", b"committed")
    project.write("loose.txt", b"in snapshots alone")
    project.repo.snapshot("one")
    project.git("for-each-ref", "--format=delete %(refname)", "refs/agent", "refs/agent-latest")
    for name in project.git("for-each-ref", "--format=%(refname)", "refs/agent*", "refs/agent").split():
        project.git("update-ref", "-d", name)
    project.git("-c", "gc.reflogExpire=now", "gc", "-q", "--prune=now")
    project.repo.snapshot("two")
    assert project.git("cat-file", "-p", "refs/agent/two/before:loose.txt") == "in snapshots alone"
    assert "missing" not in project.git("fsck", "--strict", check=False)


def test_a_repository_put_in_place_of_another_is_noticed(project: RealProject) -> None:
    project.put("a.txt")
    subprocess.run(["rm", "-rf", project.path / ".git"], check=True)
    project.git("init", "-q", "-b", "trunk")
    project.put("b.txt")
    assert project.git("ls-tree", "--name-only", "trunk").split() == ["b.txt"]
    assert "missing" not in project.git("fsck", "--strict", check=False)


def test_threads_can_read_while_another_works(project: RealProject) -> None:
    project.put("a.txt")
    failures: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(30):
                project.repo.history()
                project.repo.fingerprint()
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(10):
        project.put("a.txt", b"%d" % number)
    for thread in threads:
        thread.join()
    assert not failures
    assert project.status() == []


def test_history_and_diffs_say_what_happened(project: RealProject) -> None:
    one = project.put("a.txt", b"one\n")

    def both(draft: Draft) -> None:
        draft.write("a.txt", b"one\ntwo\n")
        draft.write("b.bin", b"\0" * 9)

    two = project.step(both)[0]
    assert [info.task_id for info in project.repo.history()] == [two, one]
    assert [info.task_id for info in project.repo.history(path="b.bin")] == [two]
    assert len(project.repo.history(limit=1)) == 1
    text, binary = project.repo.diff_of(two)
    assert (text.path, text.change, text.binary) == ("a.txt", "changed", False)
    assert "+two\n" in text.text
    assert (binary.path, binary.change, binary.binary, binary.text) == ("b.bin", "added", True, "")
    with pytest.raises(NotFound):
        project.repo.diff_of("nothing")


def test_long_diffs_are_cut(project: RealProject) -> None:
    task = project.put("long.txt", b"line\n" * 100_000)
    (diff,) = project.repo.diff_of(task)
    assert diff.cut
    assert len(diff.text) == 64 << 10


def test_the_last_good_version_can_be_gone_back_to(project: RealProject) -> None:
    assert project.repo.last_good() is None
    project.put("app.py", b"good\n")
    project.put("docs/readme.md", b"good\n")
    good = project.git("rev-parse", "HEAD").strip()
    project.repo.mark_good(good[:12])
    project.put("app.py", b"bad\n")
    project.put("extra/more.py", b"bad\n")
    project.step(lambda draft: draft.remove("docs"))
    project.write("untracked.txt", b"mine")
    assert project.repo.last_good() == good
    project.step(lambda draft: project.repo.to_commit(good, draft))
    assert project.git("diff", good, "--", ".") == ""
    assert set(project.standing()) == {"app.py", "docs", "docs/readme.md", "untracked.txt"}
    project.git("tag", "deploy/1")
    assert project.repo.last_good() == project.git("rev-parse", "HEAD").strip()


def test_going_to_a_commit_leaves_what_others_changed(project: RealProject) -> None:
    project.put("a.txt", b"one\n")
    good = project.git("rev-parse", "HEAD").strip()
    project.put("a.txt", b"two\n")
    project.write("a.txt", b"two and mine\n")
    _, _, taken = project.step(lambda draft: project.repo.to_commit(good, draft))
    assert taken.kept == ("a.txt",)
    assert (project.path / "a.txt").read_bytes() == b"two and mine\n"
    with pytest.raises(NotFound):
        project.step(lambda draft: project.repo.to_commit("0" * 40, draft))


def test_going_to_a_commit_keeps_line_endings_and_modes(project: RealProject) -> None:
    project.put(".gitattributes", b"*.bat text eol=crlf\n")
    project.put("run.bat", b"1\r\n")
    good = project.git("rev-parse", "HEAD").strip()
    project.put("run.bat", b"2\r\n")
    (project.path / "run.bat").chmod(0o600)
    project.step(lambda draft: project.repo.to_commit(good, draft))
    assert project.standing()["run.bat"] == ("-", 0o600, b"1\r\n")


@pytest.mark.parametrize("name", ["..", "a/b", ".git", ""])
def test_only_project_names_are_opened(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnsafePath):
        GitManager(tmp_path).open(name)


def test_unusual_repositories_are_refused_in_words(tmp_path: Path) -> None:
    manager = GitManager(tmp_path)
    git(tmp_path, "init", "-q", "plain")
    for name in ("file", "link", "elsewhere", "bare"):
        git(tmp_path, "init", "-q", name)
    (tmp_path / "file/.git").rename(tmp_path / "file/real")
    (tmp_path / "file/.git").write_text("gitdir: real\n")
    (tmp_path / "link/.git").rename(tmp_path / "link/real")
    (tmp_path / "link/.git").symlink_to("real")
    git(tmp_path / "elsewhere", "config", "core.worktree", str(tmp_path / "plain"))
    git(tmp_path / "bare", "config", "core.bare", "true")
    (tmp_path / "whole").symlink_to("plain")
    for name in ("file", "link", "elsewhere", "bare", "whole"):
        with pytest.raises(Conflict):
            manager.open(name)
    manager.open("plain")


def test_an_unfinished_start_is_finished(tmp_path: Path) -> None:
    (tmp_path / "p/.git/refs").mkdir(parents=True)
    project = RealProject(tmp_path)
    project.put("a.txt")
    assert project.status() == []


def test_a_repository_of_another_owner_is_opened(project: RealProject) -> None:
    project.put("a.txt")
    # Only root can give files away; for others this is as good as one more test of opening.
    subprocess.run(["chown", "-R", "12345:12345", project.path], check=False, capture_output=True)
    other = RealProject(project.root)
    other.put("b.txt")
    assert len(other.repo.history()) == 2


def test_snapshots_are_neither_cloned_nor_pushed(project: RealProject, tmp_path: Path) -> None:
    project.put("a.txt")
    git(tmp_path, "clone", "-q", "--no-local", str(project.path), "clone")
    git(tmp_path, "init", "-q", "--bare", "bare")
    project.git("push", "-q", str(tmp_path / "bare"), "main", "--follow-tags")
    for where in ("clone", "bare"):
        assert "agent" not in git(tmp_path / where, "for-each-ref")


def test_task_ids_cannot_name_other_references(project: RealProject) -> None:
    for task_id in ("../heads/main", "", "a/b", ".x", "x.lock", "a..b", "-x", "x\n"):
        with pytest.raises(NotFound):
            project.repo.snapshot(task_id)


def test_a_restart_remembers_nothing_and_finds_the_same(project: RealProject) -> None:
    project.write("deep/er/a.txt", mode=0o600)
    task = project.put("b.txt")
    before = project.standing()
    again = RealProject(project.root)
    undo, _, _ = again.step(lambda draft: again.repo.take_back([task], draft))
    assert "b.txt" not in again.standing()
    again.step(lambda draft: again.repo.take_back([undo], draft))
    assert again.standing() == before


WITHOUT_PRIVILEGES = """
import ctypes, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.real_project import RealProject
project = RealProject(Path(sys.argv[2]))
header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
assert ctypes.CDLL(None).capset(header, nothing) == 0
project.write("closed.txt", mode=0o000)
project.write("shut/in.txt")
(project.path / "shut").chmod(0o000)
task = project.put("a.txt")
_, taken = project.take_back(task)
assert taken.kept == (), taken
task = project.begin()
(project.path / "closed.txt").chmod(0o600)
(project.path / "shut").chmod(0o700)
recorded = project.repo.record(task, "Opened")
assert recorded.changed == ("closed.txt", "shut"), recorded
_, taken = project.take_back(task)
assert taken.kept == ("closed.txt", "shut"), taken
"""


def test_unreadable_files_and_folders_are_noted_and_left(project: RealProject) -> None:
    """In a process that gives up the right to read everything, if it has it."""
    here = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PRIVILEGES, here, project.root], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert set(project.standing()) == {"closed.txt", "shut", "shut/in.txt"}


def test_standing_is_what_the_tests_compare(project: RealProject) -> None:
    def many(draft: Draft) -> None:
        for number in range(30):
            draft.write(f"d{number % 3}/f{number}.txt", b"%d" % number)

    project.step(many)
    assert len(standing(project.path)) == 33
    assert project.status() == []
