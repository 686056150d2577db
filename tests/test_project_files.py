"""The door to a project's files: what it refuses, with either way of opening, and what no race gets past it."""

import os
import socket
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contracts.errors import AlreadyExists, AppError, Conflict, NotFound, UnsafePath
from contracts.files import Draft, Kind, Node
from project_files import Workspace
from tests.open_files import open_below
from workspaces.safe_open import Kernel

OUTSIDE_PATHS = ["../x", "a/../../x", "/etc/passwd", "a//b", "./a", "a/.", "..", "a\0b", "\ud800"]
GIT_PATHS = [".git/config", ".GIT/config", "sub/.git/config", ".git./config", "git~1/config", ".g\u200cit/config"]
Using = Callable[[Draft, str], object]
READERS: dict[str, Using] = {
    "read": lambda draft, path: draft.read(path),
    "children": lambda draft, path: list(draft.children(path)),
}
WRITERS: dict[str, Using] = {
    "write": lambda draft, path: draft.write(path, b"x"),
    "make_directory": lambda draft, path: draft.make_directory(path),
    "remove": lambda draft, path: draft.remove(path),
    "move from": lambda draft, path: draft.move(path, "elsewhere"),
    "move to": lambda draft, path: draft.move("plain.txt", path),
}
PUTTERS: dict[str, Using] = {
    "node": lambda draft, path: draft.node(path),
    "put": lambda draft, path: draft.put(path, Node(Kind.FILE, 0o644, 1), lambda: b"x"),
    "put nothing": lambda draft, path: draft.put(path, None),
}
EVERY = READERS | WRITERS | PUTTERS


@pytest.fixture(params=["openat2", "step by step"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    strict = request.param == "openat2"
    if strict and not Kernel().strict:
        pytest.skip("this kernel has no openat2")
    workspace = Workspace(tmp_path / "workspace", strict_open=strict)
    workspace.create("notes")
    (workspace.path("notes") / "plain.txt").write_bytes(b"plain")
    return workspace


@pytest.fixture
def home(workspace: Workspace) -> Path:
    return workspace.path("notes")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.txt").write_bytes(b"secret")
    return folder


def refused(using: Using, draft: Draft, path: str) -> AppError:
    with pytest.raises(UnsafePath) as error:
        using(draft, path)
    assert error.value.hint
    assert not draft.changes()
    return error.value


@pytest.mark.parametrize("path", OUTSIDE_PATHS)
@pytest.mark.parametrize("using", EVERY.values(), ids=EVERY)
def test_a_path_that_leaves_the_project_is_refused(workspace: Workspace, using: Using, path: str) -> None:
    refused(using, workspace.draft("notes"), path)
    with pytest.raises(UnsafePath):
        workspace.open_file("notes", path)


@pytest.mark.parametrize("path", GIT_PATHS)
@pytest.mark.parametrize("using", (READERS | WRITERS).values(), ids=READERS | WRITERS)
def test_the_history_is_refused_in_every_disguise(workspace: Workspace, home: Path, using: Using, path: str) -> None:
    (home / path).parent.mkdir(parents=True, exist_ok=True)
    (home / path).write_bytes(b"token")
    refused(using, workspace.draft("notes"), path)
    with pytest.raises(UnsafePath):
        workspace.open_file("notes", path)


@pytest.mark.parametrize("target", ["../../outside", "real"])
@pytest.mark.parametrize("using", EVERY.values(), ids=EVERY)
def test_nothing_is_reached_through_a_linked_folder(
    workspace: Workspace, home: Path, outside: Path, using: Using, target: str
) -> None:
    (home / "real").mkdir()
    (home / "real" / "secret.txt").write_bytes(b"x")
    (home / "link").symlink_to(target)
    error = refused(using, workspace.draft("notes"), "link/secret.txt")
    assert "`link" in error.message
    with pytest.raises(UnsafePath):
        workspace.open_file("notes", "link/secret.txt")


@pytest.mark.parametrize("name", ["read", "children", "write", "make_directory"])
def test_a_link_itself_is_neither_read_nor_written(workspace: Workspace, home: Path, outside: Path, name: str) -> None:
    (home / "link").symlink_to(outside / "secret.txt")
    refused(EVERY[name], workspace.draft("notes"), "link")
    with pytest.raises(UnsafePath):
        workspace.open_file("notes", "link")
    assert workspace.draft("notes").node("link") == Node(Kind.SYMLINK, 0o777, len(str(outside / "secret.txt")))


def test_a_link_can_be_moved_and_removed_without_its_target(workspace: Workspace, home: Path, outside: Path) -> None:
    (home / "link").symlink_to(outside)
    draft = workspace.draft("notes")
    draft.move("link", "sub/other")
    workspace.apply("notes", draft.changes(), stage="1")
    assert (home / "sub" / "other").readlink() == outside
    draft = workspace.draft("notes")
    draft.remove("sub/other")
    workspace.apply("notes", draft.changes(), stage="2")
    assert list((home / "sub").iterdir()) == []
    assert list(outside.iterdir()) == [outside / "secret.txt"]


@pytest.fixture(params=["fifo", "socket", "device"])
def odd(request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if request.param == "fifo":
        os.mkfifo(home / "odd")
    elif request.param == "device":
        if os.geteuid() != 0:
            pytest.skip("only root makes devices")
        os.mknod(home / "odd", 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    with socket.socket(socket.AF_UNIX) as listening:
        if request.param == "socket":
            monkeypatch.chdir(home)  # the address of a socket must be short
            listening.bind("odd")
        yield "odd"


def test_fifos_sockets_and_devices_are_not_opened(workspace: Workspace, odd: str) -> None:
    for name in ("read", "write"):
        refused(EVERY[name], workspace.draft("notes"), odd)
    with pytest.raises(UnsafePath):
        workspace.open_file("notes", odd)


def test_they_can_be_moved_and_removed(workspace: Workspace, home: Path, odd: str) -> None:
    before = (home / odd).lstat()
    draft = workspace.draft("notes")
    draft.move(odd, "sub/moved")
    workspace.apply("notes", draft.changes(), stage="1")
    assert ((home / "sub/moved").lstat().st_ino, (home / "sub/moved").lstat().st_mode) == (
        before.st_ino,
        before.st_mode,
    )
    draft = workspace.draft("notes")
    draft.remove("sub")
    workspace.apply("notes", draft.changes(), stage="2")
    assert list(home.iterdir()) == [home / "plain.txt"]


def test_a_hard_link_outside_keeps_its_content(workspace: Workspace, home: Path, outside: Path) -> None:
    (home / "hard.txt").hardlink_to(outside / "secret.txt")
    draft = workspace.draft("notes")
    draft.write("hard.txt", b"changed")
    workspace.apply("notes", draft.changes(), stage="1")
    assert (home / "hard.txt").read_bytes() == b"changed"
    assert (outside / "secret.txt").read_bytes() == b"secret"


FLIP = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
while libc.renameat2(-100, b"d", -100, b"other", 2) == 0:
    pass
"""


def test_no_race_leads_outside(workspace: Workspace, home: Path, outside: Path) -> None:
    (home / "d").mkdir()
    (home / "d" / "secret.txt").write_bytes(b"inside")
    (home / "other").symlink_to(outside)
    seen: Counter[str] = Counter()
    with subprocess.Popen([sys.executable, "-c", FLIP], cwd=home) as flipping:
        try:
            for turn in range(5000):
                seen.update((race_to_read(workspace), race_to_write(workspace, turn), race_to_remove(workspace)))
                if turn >= 1000 and {"unsafe_path", "read", "written", "removed"} <= set(seen):
                    break
        finally:
            assert flipping.poll() is None
            flipping.kill()
    assert {"unsafe_path", "read", "written", "removed"} <= set(seen)
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"secret.txt": b"secret"}
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755


def race_to_read(workspace: Workspace) -> str:
    try:
        with workspace.open_file("notes", "d/secret.txt") as file:
            assert file.read() == b"inside"
        assert workspace.draft("notes").read("d/secret.txt") == b"inside"
    except AppError as error:
        return error.code
    return "read"


def race_to_write(workspace: Workspace, turn: int) -> str:
    try:
        draft = workspace.draft("notes")
        draft.write(f"d/sub/{turn}.txt", b"x")
        workspace.apply("notes", draft.changes(), stage=str(turn))
    except AppError as error:
        return error.code
    return "written"


def race_to_remove(workspace: Workspace) -> str:
    try:
        draft = workspace.draft("notes")
        draft.remove("d/sub")
        workspace.apply("notes", draft.changes(), stage="gone")
    except AppError as error:
        return error.code
    return "removed"


def test_names_are_those_of_real_folders_in_order(workspace: Workspace, tmp_path: Path, outside: Path) -> None:
    workspace.create("app")
    (tmp_path / "workspace" / "linked").symlink_to(outside)
    (tmp_path / "workspace" / "file").touch()
    (tmp_path / "workspace" / ".hidden").mkdir()
    (tmp_path / "workspace" / "a b").mkdir()
    assert workspace.names() == ["app", "notes"]
    assert [name for name in ("app", "linked", "file", ".hidden", "a b", "none", "..") if workspace.exists(name)] == [
        "app"
    ]


def test_a_workspace_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "deep" / "workspace")
    assert workspace.names() == []
    assert not workspace.exists("notes")
    workspace.create("notes")
    assert workspace.names() == ["notes"]


def test_a_project_that_is_a_link_is_refused(workspace: Workspace, tmp_path: Path, outside: Path) -> None:
    (tmp_path / "workspace" / "linked").symlink_to(outside)
    for using in (workspace.draft, workspace.walk, workspace.clear_stage):
        with pytest.raises(UnsafePath):
            using("linked")
    with pytest.raises(UnsafePath):
        workspace.open_file("linked", "secret.txt")


@pytest.mark.parametrize("name", ["notes", "Notes", "NOTES"])
def test_a_project_is_made_once_whatever_its_case(workspace: Workspace, name: str) -> None:
    with pytest.raises(AlreadyExists, match="`notes`"):
        workspace.create(name)


@pytest.mark.parametrize("name", ["", "..", "a/b", ".git", "con", "x" * 65])
def test_a_bad_project_name_is_refused_everywhere(workspace: Workspace, name: str) -> None:
    for using in (workspace.create, workspace.path, workspace.draft, workspace.walk):
        with pytest.raises(UnsafePath):
            using(name)


def test_a_missing_project_is_not_found_unless_it_may_be_missing(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match="`other`"):
        workspace.draft("other")
    with pytest.raises(AlreadyExists, match="`notes`"):
        workspace.draft("Notes", missing_ok=True)
    draft = workspace.draft("other", missing_ok=True)
    assert list(draft.children()) == []
    draft.write("a/b.txt", b"x")
    assert draft.read("a/b.txt") == b"x"
    assert not workspace.exists("other")
    workspace.create("other")
    workspace.apply("other", draft.changes(), stage="1")
    assert (workspace.path("other") / "a" / "b.txt").read_bytes() == b"x"
    assert list(workspace.draft("", missing_ok=True).children()) == []


def test_an_open_file_stays_the_same_whatever_happens_to_its_path(workspace: Workspace, home: Path) -> None:
    with workspace.open_file("notes", "plain.txt") as file:
        draft = workspace.draft("notes")
        draft.write("plain.txt", b"other")
        workspace.apply("notes", draft.changes(), stage="1")
        assert file.read() == b"plain"


def test_walking_shows_all_but_the_history(workspace: Workspace, home: Path, outside: Path) -> None:
    for folder in (".git/objects", "sub/.git", "sub/empty"):
        (home / folder).mkdir(parents=True)
    (home / "sub" / "link").symlink_to(outside)
    (home / "sub-2").mkdir()
    paths = [path for path, _ in workspace.walk("notes")]
    assert paths == ["plain.txt", "sub", "sub-2", "sub/empty", "sub/link"]


def test_reading_below_or_listing_a_file_says_so(workspace: Workspace) -> None:
    draft = workspace.draft("notes")
    with pytest.raises(NotFound):
        draft.read("plain.txt/below")
    with pytest.raises(Conflict, match="not a folder"):
        list(draft.children("plain.txt"))
    with pytest.raises(Conflict, match="not a file"):
        draft.read("")
    with pytest.raises(NotFound):
        list(draft.children("none"))
    with pytest.raises(NotFound):
        workspace.open_file("notes", "none")


def test_no_descriptor_is_left_open(workspace: Workspace, home: Path, outside: Path) -> None:
    (home / "link").symlink_to(outside)
    for turn in range(3):
        draft = workspace.draft("notes")
        draft.write("a/b/c.txt", b"%d" % turn)
        workspace.apply("notes", draft.changes(), stage="1")
        for path in ("link/x", "a", "none"):
            with pytest.raises(AppError):
                workspace.open_file("notes", path)
        list(workspace.walk("notes"))
    assert open_below(home.parent.parent) == []
