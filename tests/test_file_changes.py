"""Applying a change set: all of it or nothing, whatever is done to the files meanwhile."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contracts.errors import Conflict, Failed, UnsafePath
from contracts.files import Change, ChangeSet, Draft, Kind, Node
from project_files import Workspace
from tests.file_tree import Seen, appear, tree
from workspaces.safe_open import Kernel


@pytest.fixture(params=["openat2", "step by step"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", strict_open=request.param == "openat2")
    workspace.create("notes")
    return workspace


@pytest.fixture(params=["with history", "without history"])
def home(request: pytest.FixtureRequest, workspace: Workspace) -> Path:
    home = workspace.path("notes")
    if request.param == "with history":
        (home / ".git").mkdir()
        (home / ".git" / "HEAD").write_bytes(b"ref")
    (home / "src" / "empty").mkdir(parents=True)
    (home / "src" / "app.py").write_bytes(b"print()\n")
    (home / "src" / "app.py").chmod(0o4750)
    (home / "src" / "link").symlink_to("app.py")
    os.mkfifo(home / "src" / "pipe", 0o640)
    (home / "src").chmod(0o711)
    (home / "readme.md").write_bytes(b"hello")
    return home


def nothing_left(workspace: Workspace, home: Path) -> bool:
    places = (home / ".git" / "agent", home.parent / ".stage" / "notes")
    return not any(list(place.iterdir()) for place in places if place.exists())


def without_history(seen: Seen) -> Seen:
    return {path: what for path, what in seen.items() if path.split("/")[0] != ".git"}


def test_everything_is_put_in_place_with_its_exact_mode(workspace: Workspace, home: Path) -> None:
    draft = workspace.draft("notes")
    draft.move("src", "lib/src")
    draft.write("lib/src/app.py", b"pass\n")
    draft.write("secret", b"x", mode=0o600)
    draft.put("lib/src/empty", Node(Kind.DIRECTORY, 0o1777, 0))
    draft.remove("readme.md")
    draft.put("readme.md/pipe", Node(Kind.FIFO, 0o622, 0))
    draft.put("readme.md/link", Node(Kind.SYMLINK, 0, 5), lambda: b"../x\xff")
    previous = os.umask(0o077)
    try:
        workspace.apply("notes", draft.changes(), stage="1")
    finally:
        os.umask(previous)
    assert without_history(tree(home)) == {
        "lib": (Kind.DIRECTORY, 0o755, b""),
        "lib/src": (Kind.DIRECTORY, 0o711, b""),
        "lib/src/app.py": (Kind.FILE, 0o4750, b"pass\n"),
        "lib/src/empty": (Kind.DIRECTORY, 0o1777, b""),
        "lib/src/link": (Kind.SYMLINK, 0o777, b"app.py"),
        "lib/src/pipe": (Kind.FIFO, 0o640, b""),
        "readme.md": (Kind.DIRECTORY, 0o755, b""),
        "readme.md/link": (Kind.SYMLINK, 0o777, b"../x\xff"),
        "readme.md/pipe": (Kind.FIFO, 0o622, b""),
        "secret": (Kind.FILE, 0o600, b"x"),
    }
    assert nothing_left(workspace, home)


def test_a_moved_file_is_renamed_and_not_copied(workspace: Workspace, home: Path) -> None:
    os.truncate(home / "readme.md", 1 << 42)
    inode = (home / "readme.md").stat().st_ino
    draft = workspace.draft("notes")
    draft.move("readme.md", "huge")
    workspace.apply("notes", draft.changes(), stage="1")
    assert (home / "huge").stat().st_ino == inode


def test_two_files_can_change_places(workspace: Workspace, home: Path) -> None:
    draft = workspace.draft("notes")
    draft.move("readme.md", "aside")
    draft.move("src/app.py", "readme.md")
    draft.move("aside", "src/app.py")
    workspace.apply("notes", draft.changes(), stage="1")
    assert (home / "readme.md").read_bytes() == b"print()\n"
    assert (home / "src" / "app.py").read_bytes() == b"hello"


def test_folders_that_a_set_does_not_name_are_made(workspace: Workspace, home: Path) -> None:
    new = Change("a/b/c.txt", None, Node(Kind.FILE, 0o644, 1), load=lambda: b"x")
    workspace.apply("notes", ChangeSet((new,)), stage="1")
    assert tree(home)["a/b"] == (Kind.DIRECTORY, 0o755, b"")
    assert tree(home)["a/b/c.txt"] == (Kind.FILE, 0o644, b"x")


def test_odd_names_and_long_paths_are_put_back(workspace: Workspace, home: Path) -> None:
    deep = "/".join(["d" * 100] * 60)
    draft = workspace.draft("notes")
    for path in ("sub/.git/HEAD", os.fsdecode(b"caf\xe9\n"), "a:b", "README.md", deep):
        draft.put(path, Node(Kind.FILE, 0o600, 1), lambda: b"x")
    workspace.apply("notes", draft.changes(), stage="1")
    again = workspace.draft("notes")
    assert again.node(deep) == Node(Kind.FILE, 0o600, 1)
    assert (home / "sub" / ".git" / "HEAD").read_bytes() == b"x"
    assert os.fsdecode(b"caf\xe9\n") in {path.name for path in home.iterdir()}
    again.remove("d" * 100)
    workspace.apply("notes", again.changes(), stage="2")
    assert not (home / ("d" * 100)).exists()


@pytest.mark.parametrize("path", [".git", ".git/HEAD", ".git/new", "", "../x", "/x", "a/../.git/x"])
def test_a_set_that_would_leave_the_project_or_touch_its_history_is_refused(
    workspace: Workspace, home: Path, path: str
) -> None:
    before = tree(home.parent)
    new = Change(path, None, Node(Kind.FILE, 0o644, 1), load=lambda: b"x")
    with pytest.raises(UnsafePath):
        workspace.apply("notes", ChangeSet((new,)), stage="1")
    assert without_stages(tree(home.parent)) == without_stages(before)


def test_the_history_is_recognised_under_another_name(workspace: Workspace) -> None:
    """As on a disk that ignores case; here a hard link stands in for it."""
    home = workspace.path("notes")
    (home / ".git").write_bytes(b"gitdir: elsewhere")
    (home / ".GIT").hardlink_to(home / ".git")
    draft = workspace.draft("notes")
    draft.put(".GIT", None)
    with pytest.raises(UnsafePath, match="history"):
        workspace.apply("notes", draft.changes(), stage="1")
    assert (home / ".GIT").exists()


def without_stages(seen: Seen) -> Seen:
    return {path: what for path, what in seen.items() if ".stage" not in path and ".git/agent" not in path}


def replace_with_link(path: Path) -> None:
    path.rename(path.with_name("was"))
    path.symlink_to("was")


def replace_with_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def rewrite(path: Path) -> None:
    """Other bytes of the same length in the same inode, with the old time of change put back."""
    times = path.stat()
    path.write_bytes(b"HELLO")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def draft_much(draft: Draft) -> None:
    draft.write("readme.md", draft.read("readme.md") + b" world")
    draft.move("src", "lib")
    draft.write("new/file.txt", b"new")


MEANWHILE: dict[str, Callable[[Path], object]] = {
    "a file grew": lambda home: (home / "readme.md").write_bytes(b"hello you"),
    "a file was rewritten in place": lambda home: rewrite(home / "readme.md"),
    "a file went": lambda home: (home / "readme.md").unlink(),
    "a file became a link": lambda home: replace_with_link(home / "readme.md"),
    "a file became a folder": lambda home: replace_with_folder(home / "readme.md"),
    "a mode changed": lambda home: (home / "src" / "app.py").chmod(0o600),
    "a moved folder got a file": lambda home: (home / "src" / "empty" / "more").touch(),
    "a moved folder became a link": lambda home: replace_with_link(home / "src"),
    "a new path was taken": lambda home: (home / "new").write_bytes(b""),
    "a new path was taken by a link": lambda home: (home / "new").symlink_to("/tmp"),
    "a target was taken": lambda home: (home / "lib").mkdir(),
}


@pytest.mark.parametrize("meddle", MEANWHILE.values(), ids=MEANWHILE)
def test_what_changed_since_the_draft_is_a_conflict_and_nothing_is_done(
    workspace: Workspace, home: Path, meddle: Callable[[Path], object]
) -> None:
    draft = workspace.draft("notes")
    draft_much(draft)
    asked: list[str] = []

    def load() -> bytes:
        asked.append("content, although it was clear that nothing can be done")
        return b"x"

    draft.put("zzz", Node(Kind.FILE, 0o644, 1), load)
    changes = draft.changes()
    meddle(home)
    before = tree(home)
    with pytest.raises((Conflict, UnsafePath)):
        workspace.apply("notes", changes, stage="1")
    assert not asked
    assert without_stages(tree(home)) == without_stages(before)
    assert nothing_left(workspace, home)


LATE = MEANWHILE | {
    "a last new path was taken": lambda home: (home / "zzz").write_bytes(b"mine"),
    "a last new path was taken by a link": lambda home: (home / "zzz").symlink_to("/tmp"),
}


@pytest.mark.parametrize("meddle", LATE.values(), ids=LATE)
def test_what_changes_in_the_middle_of_it_is_a_conflict_and_all_is_put_back(
    workspace: Workspace, home: Path, meddle: Callable[[Path], object]
) -> None:
    """The content of the last file is asked for when everything has been verified, and then meddles."""
    draft = workspace.draft("notes")
    draft_much(draft)
    after: list[Seen] = []

    def load() -> bytes:
        meddle(home)
        after.append(tree(home))
        return b"x"

    draft.put("zzz", Node(Kind.FILE, 0o644, 1), load)
    changes = draft.changes()
    with pytest.raises((Conflict, UnsafePath)):
        workspace.apply("notes", changes, stage="1")
    assert without_stages(tree(home)) == without_stages(after[0])
    assert nothing_left(workspace, home)


def test_content_that_cannot_be_had_changes_nothing(workspace: Workspace, home: Path) -> None:
    before = tree(home)

    def broken() -> bytes:
        raise Failed("the snapshot is damaged")

    for load in (broken, lambda: b"short"):
        draft = workspace.draft("notes")
        draft_much(draft)
        draft.put("zzz", Node(Kind.FILE, 0o644, 100), load)
        with pytest.raises(Failed):
            workspace.apply("notes", draft.changes(), stage="1")
        assert without_stages(tree(home)) == without_stages(before)


IN_A_CHILD = """
import os, resource, signal, sys
from pathlib import Path
from contracts.errors import Failed
from contracts.files import Kind, Node
from project_files import Workspace

workspace = Workspace(Path(sys.argv[1]))
draft = workspace.draft("notes")
draft.write("readme.md", b"changed")
draft.move("src", "lib")
if sys.argv[2] == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    draft.write("zzz", b"x" * 5000)
else:
    draft.put("zzz", Node(Kind.FILE, 0o644, 1), lambda: os.kill(os.getpid(), signal.SIGKILL))
try:
    workspace.apply("notes", draft.changes(), stage="1")
except Failed as error:
    print(error.message)
    sys.exit(3)
"""


def in_a_child(workspace_root: Path, what: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", IN_A_CHILD, str(workspace_root), what]
    return subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False)


def test_a_disk_that_takes_no_more_changes_nothing(workspace: Workspace, home: Path) -> None:
    before = tree(home)
    ended = in_a_child(home.parent, "full")
    assert (ended.returncode, ended.stdout) == (3, "`zzz` is larger than this system allows a file to be\n"), (
        ended.stderr
    )
    assert without_stages(tree(home)) == without_stages(before)
    assert nothing_left(workspace, home)


def test_what_a_killed_one_left_behind_can_be_cleared(workspace: Workspace, home: Path) -> None:
    before = tree(home)
    assert in_a_child(home.parent, "kill").returncode == -signal.SIGKILL
    assert not nothing_left(workspace, home)
    assert workspace.names() == ["notes"]
    workspace.clear_stage("notes")
    assert nothing_left(workspace, home)
    assert without_stages(tree(home)) == without_stages(before)
    workspace.clear_stage("notes")


def test_a_stage_of_the_same_name_that_was_left_behind_is_in_nobodys_way(workspace: Workspace, home: Path) -> None:
    in_a_child(home.parent, "kill")
    draft = workspace.draft("notes")
    draft_much(draft)
    workspace.apply("notes", draft.changes(), stage="1")
    assert (home / "lib" / "app.py").exists()
    assert nothing_left(workspace, home)
    with pytest.raises(ValueError, match="stage"):
        workspace.apply("notes", draft.changes(), stage="../x")


@pytest.fixture
def as_nobody() -> Iterator[Workspace]:
    """A workspace of somebody who is not root, and that somebody."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    me = os.geteuid()
    try:
        if me == 0:
            os.chown(folder, 65534, 65534)
            os.setegid(65534)
            os.seteuid(65534)
        yield Workspace(folder / "workspace")
    finally:
        os.seteuid(me)
        os.setegid(os.getgid())
        subprocess.run(["chmod", "-R", "u+rwx", str(folder)], check=True)
        shutil.rmtree(folder)


def test_read_only_folders_are_moved_removed_and_made_by_their_owner(as_nobody: Workspace) -> None:
    as_nobody.create("notes")
    home = as_nobody.path("notes")
    draft = as_nobody.draft("notes")
    draft.put("cache", Node(Kind.DIRECTORY, 0o555, 0))
    draft.put("cache/inner", Node(Kind.DIRECTORY, 0o555, 0))
    draft.put("cache/inner/file", Node(Kind.FILE, 0o400, 1), lambda: b"x")
    as_nobody.apply("notes", draft.changes(), stage="1")
    made = tree(home)
    assert made["cache"] == (Kind.DIRECTORY, 0o555, b"")

    draft = as_nobody.draft("notes")
    draft.move("cache", "moved")
    draft.put("zzz", Node(Kind.FILE, 0o644, 0), lambda: b"not empty")
    with pytest.raises(Failed):
        as_nobody.apply("notes", draft.changes(), stage="2")
    draft.put("zzz", Node(Kind.FILE, 0o644, 0), lambda: appear(home / "zzz"))
    with pytest.raises(Conflict):
        as_nobody.apply("notes", draft.changes(), stage="3")
    (home / "zzz").unlink()
    assert tree(home) == made

    draft = as_nobody.draft("notes")
    draft.move("cache", "moved")
    as_nobody.apply("notes", draft.changes(), stage="4")
    assert tree(home) == {path.replace("cache", "moved"): what for path, what in made.items()}
    draft = as_nobody.draft("notes")
    draft.remove("moved")
    as_nobody.apply("notes", draft.changes(), stage="5")
    assert tree(home) == {}


def test_what_the_system_denies_is_said_and_nothing_is_done(as_nobody: Workspace) -> None:
    as_nobody.create("notes")
    home = as_nobody.path("notes")
    (home / "locked").mkdir()
    (home / "locked" / "file").write_bytes(b"x")
    (home / "locked").chmod(0o555)
    before = tree(home)
    draft = as_nobody.draft("notes")
    draft.write("a.txt", b"x")
    draft.write("locked/file", b"changed")
    with pytest.raises(Failed, match="denies access to `locked/file`") as error:
        as_nobody.apply("notes", draft.changes(), stage="1")
    assert error.value.hint
    assert tree(home) == before


def test_hundreds_of_files_move_at_once(workspace: Workspace, home: Path) -> None:
    draft = workspace.draft("notes")
    for number in range(500):
        draft.write(f"big/{number % 20}/{number}.txt", b"%d" % number)
    workspace.apply("notes", draft.changes(), stage="1")
    before = {path[4:]: what for path, what in tree(home).items() if path.startswith("big/")}
    draft = workspace.draft("notes")
    draft.move("big", "deep/er/big")
    workspace.apply("notes", draft.changes(), stage="2")
    assert {path[12:]: what for path, what in tree(home).items() if path.startswith("deep/er/big/")} == before
    assert not (home / "big").exists()


def test_renaming_to_a_taken_name_is_refused_on_kernels_old_and_new(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").symlink_to("nowhere")
    at = os.open(tmp_path, os.O_RDONLY)
    try:
        for kernel in (Kernel(), Kernel(strict_open=False)):
            with pytest.raises(FileExistsError):
                kernel.rename_new(at, "a", at, "b")
            kernel.rename_new(at, "a", at, "c")
            kernel.rename_new(at, "c", at, "a")
    finally:
        os.close(at)
    assert (tmp_path / "a").read_bytes() == b"a"
