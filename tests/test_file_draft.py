"""A draft: changes that exist only in memory, on top of files that stay as they are."""

import os
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.errors import AlreadyExists, Conflict, NotFound, UnsafePath
from contracts.files import Change, Draft, Kind, Node
from project_files import Workspace
from workspaces.draft import ProjectDraft

FOLDER = Node(Kind.DIRECTORY, 0o755, 0)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path)
    workspace.create("notes")
    return workspace


@pytest.fixture
def home(workspace: Workspace) -> Path:
    home = workspace.path("notes")
    (home / "src" / "empty").mkdir(parents=True)
    (home / "src" / "app.py").write_bytes(b"print()\n")
    (home / "src" / "app.py").chmod(0o750)
    (home / "readme.md").write_bytes(b"hello")
    return home


@pytest.fixture
def draft(workspace: Workspace, home: Path) -> ProjectDraft:
    return workspace.draft("notes")


def summary(draft: Draft) -> list[tuple[str, str]]:
    def word(change: Change) -> str:
        if change.moved_from:
            return f"from {change.moved_from}"
        return "gone" if change.after is None else "new" if change.before is None else "changed"

    return [(change.path, word(change)) for change in draft.changes().changes]


def test_the_disk_is_not_touched(draft: ProjectDraft, home: Path) -> None:
    before = sorted((p, p.lstat()) for p in home.rglob("*"))
    draft.write("readme.md", b"changed")
    draft.move("src", "lib")
    draft.make_directory("new/folder")
    draft.remove("lib/empty")
    assert draft.read("readme.md") == b"changed"
    assert [path for path, _ in draft.children(recursive=True)] == [
        "lib",
        "lib/app.py",
        "new",
        "new/folder",
        "readme.md",
    ]
    assert sorted((p, p.lstat()) for p in home.rglob("*")) == before


def test_changes_are_minimal_and_sorted(draft: ProjectDraft) -> None:
    draft.write("z.txt", b"z")
    draft.write("readme.md", b"changed")
    draft.write("a/b.txt", b"")
    draft.write("gone.txt", b"")
    draft.remove("gone.txt")
    assert summary(draft) == [("a", "new"), ("a/b.txt", "new"), ("readme.md", "changed"), ("z.txt", "new")]


def test_what_changes_nothing_is_no_change(draft: ProjectDraft) -> None:
    draft.write("readme.md", b"other")
    draft.write("readme.md", b"hello")
    draft.move("src", "lib")
    draft.move("lib", "src")
    draft.make_directory("src/empty")
    draft.remove("src/empty")
    draft.make_directory("src/empty")
    draft.write("src/app.py", draft.read("src/app.py"))
    draft.put("src", FOLDER)
    assert not draft.changes()


def test_equal_content_with_another_mode_is_a_change(draft: ProjectDraft) -> None:
    draft.write("readme.md", b"hello", mode=0o600)
    (change,) = draft.changes().changes
    assert (change.before, change.after) == (Node(Kind.FILE, 0o644, 5), Node(Kind.FILE, 0o600, 5))


def test_an_existing_file_keeps_its_mode_and_a_new_one_gets_the_usual_one(draft: ProjectDraft) -> None:
    draft.write("src/app.py", b"pass")
    draft.write("new.txt", b"x")
    draft.write("tool", b"x", mode=0o755)
    modes = {change.path: change.after.mode for change in draft.changes().changes if change.after}
    assert modes == {"src/app.py": 0o750, "new.txt": 0o644, "tool": 0o755}


def test_a_pure_move_says_where_it_came_from_and_an_edited_one_does_not(draft: ProjectDraft) -> None:
    draft.move("src", "lib")
    draft.move("readme.md", "docs/readme.md")
    draft.write("docs/readme.md", b"edited")
    assert summary(draft) == [
        ("docs", "new"),
        ("docs/readme.md", "new"),
        ("lib", "new"),
        ("lib/app.py", "from src/app.py"),
        ("lib/empty", "new"),
        ("readme.md", "gone"),
        ("src", "gone"),
        ("src/app.py", "gone"),
        ("src/empty", "gone"),
    ]
    assert draft.node("lib/app.py") == Node(Kind.FILE, 0o750, 8)
    moved = next(change for change in draft.changes().changes if change.path == "lib/app.py")
    assert moved.load is not None
    assert moved.load() == b"print()\n"


def test_what_is_put_back_where_it_was_moved_from_is_a_copy(draft: ProjectDraft) -> None:
    draft.move("readme.md", "copy.md")
    draft.write("readme.md", b"hello")
    assert summary(draft) == [("copy.md", "new")]
    (change,) = draft.changes().changes
    assert change.load is not None
    assert change.load() == b"hello"


def test_files_that_are_not_read_are_not_loaded(draft: ProjectDraft, home: Path) -> None:
    os.truncate(home / "readme.md", 1 << 42)
    draft.move("readme.md", "huge.bin")
    draft.write("readme.md", b"small")
    assert draft.node("huge.bin") == Node(Kind.FILE, 0o644, 1 << 42)
    assert summary(draft) == [("huge.bin", "from readme.md"), ("readme.md", "changed")]


IN_THE_WAY: dict[str, Callable[[Draft], object]] = {
    "write below a file": lambda d: d.write("readme.md/x", b""),
    "folder below a file": lambda d: d.make_directory("readme.md/x"),
    "folder over a file": lambda d: d.make_directory("readme.md"),
    "move below a file": lambda d: d.move("src", "readme.md/src"),
    "write over a folder": lambda d: d.write("src", b""),
    "move into itself": lambda d: d.move("src", "src/inner/src"),
    "put below a file": lambda d: d.put("readme.md/x", FOLDER),
    "move onto a file": lambda d: d.move("src/app.py", "readme.md"),
    "move onto a folder": lambda d: d.move("readme.md", "src"),
    "move onto itself": lambda d: d.move("src", "src"),
}


@pytest.mark.parametrize("asking", IN_THE_WAY.values(), ids=IN_THE_WAY)
def test_what_is_in_the_way_is_a_conflict_and_leaves_the_draft_as_it_was(
    draft: ProjectDraft, asking: Callable[[Draft], object]
) -> None:
    with pytest.raises(Conflict) as error:
        asking(draft)
    assert error.value.hint
    assert isinstance(error.value, AlreadyExists) is ("already" in error.value.message)
    assert not draft.changes()


def test_what_is_not_there_is_not_found(draft: ProjectDraft) -> None:
    draft.remove("src")
    asked: list[Callable[[], object]] = [
        lambda: draft.read("src/app.py"),
        lambda: draft.remove("src/app.py"),
        lambda: draft.move("src", "lib"),
        lambda: list(draft.children("src")),
        lambda: draft.read("none"),
        lambda: draft.remove("readme.md/x"),
    ]
    for asking in asked:
        with pytest.raises(NotFound):
            asking()
    assert draft.node("src/app.py") is None


def test_the_project_itself_is_not_changed_like_a_file(draft: ProjectDraft) -> None:
    asked: list[Callable[[], object]] = [
        lambda: draft.remove(""),
        lambda: draft.write("", b""),
        lambda: draft.move("", "x"),
        lambda: draft.move("src", ""),
        lambda: draft.put("", None),
        lambda: draft.make_directory(""),
    ]
    for asking in asked:
        with pytest.raises(UnsafePath):
            asking()


@pytest.mark.parametrize(
    ("path", "twin"),
    [
        ("README.md", "readme.md"),
        ("SRC", "src"),
        ("Src/new.txt", "src"),
        ("src/App.py", "src/app.py"),
        ("src/EMPTY/deep/x.txt", "src/empty"),
        ("STRASSE/x", "straße"),
    ],
)
def test_a_name_that_differs_only_in_case_is_refused_and_its_twin_named(
    draft: ProjectDraft, home: Path, path: str, twin: str
) -> None:
    (home / "straße").mkdir()
    asked: list[Callable[[], object]] = [
        lambda: draft.make_directory(path),
        lambda: draft.write(path, b""),
        lambda: draft.move("src/empty" if "app" in twin else "src/app.py", path),
    ]
    for asking in asked:
        with pytest.raises(AlreadyExists, match=re.escape(f"`{twin}`")):
            asking()
    assert not draft.changes()


def test_twins_are_found_among_drafted_names_too(draft: ProjectDraft) -> None:
    draft.write("new/a.txt", b"")
    with pytest.raises(AlreadyExists, match=r"`new/a\.txt`"):
        draft.write("new/A.txt", b"")
    draft.remove("new/a.txt")
    draft.write("new/A.txt", b"")
    with pytest.raises(AlreadyExists, match="`new`"):
        draft.make_directory("NEW")


def test_only_the_case_of_a_name_can_be_changed(draft: ProjectDraft) -> None:
    draft.move("readme.md", "README.md")
    draft.move("src", "Src/inner")
    assert [path for path, _ in draft.children()] == ["README.md", "Src"]


def test_a_decomposed_name_on_the_disk_is_found_by_its_composed_one(draft: ProjectDraft, home: Path) -> None:
    composed, decomposed = "caf\u00e9/\u00fc.txt", unicodedata.normalize("NFD", "caf\u00e9/\u00fc.txt")
    (home / decomposed).parent.mkdir()
    (home / decomposed).write_bytes(b"old")
    assert draft.read(composed) == b"old"
    draft.write(composed, b"new")
    assert summary(draft) == [(decomposed, "changed")]
    draft.remove(composed)
    draft.write(composed, b"newer")
    draft.write("caf\u00e9/x.txt", b"")
    assert [path for path, _ in draft.children(unicodedata.normalize("NFC", "caf\u00e9"))] == [
        unicodedata.normalize("NFD", "caf\u00e9/x.txt"),
        unicodedata.normalize("NFD", "caf\u00e9/") + "\u00fc.txt",
    ]


def test_put_restores_names_that_nobody_may_type(draft: ProjectDraft) -> None:
    odd = os.fsdecode(b"caf\xe9\n")
    for path in ("sub/.git/HEAD", ".GIT/x", odd, "a:b", "README.md", "con"):
        draft.put(path, Node(Kind.FILE, 0o600, 1), lambda: b"x")
        assert draft.node(path) == Node(Kind.FILE, 0o600, 1)
    assert len([c for c in draft.changes().changes if c.after and c.after.kind is Kind.FILE]) == 6


@pytest.mark.parametrize("path", [".git", ".git/config", ".git/refs/heads/main"])
def test_put_spares_the_history_of_the_project_itself(draft: ProjectDraft, path: str) -> None:
    with pytest.raises(UnsafePath):
        draft.put(path, Node(Kind.FILE, 0o600, 1), lambda: b"x")
    with pytest.raises(UnsafePath):
        draft.put(path, None)


def test_put_changes_one_kind_into_another(draft: ProjectDraft) -> None:
    for path in ("src/app.py", "src/empty"):
        for node in (None, Node(Kind.SYMLINK, 0, 3)):
            with pytest.raises(Conflict, match="`src` is to go but still holds `src/"):
                draft.put("src", node, lambda: b"lib")
        draft.put(path, None)
    draft.put("src", Node(Kind.SYMLINK, 0, 3), lambda: b"lib")
    draft.put("readme.md", FOLDER)
    draft.put("readme.md/pipe", Node(Kind.FIFO, 0o640, 0))
    draft.put("none", None)
    assert dict(draft.children(recursive=True)) == {
        "readme.md": FOLDER,
        "readme.md/pipe": Node(Kind.FIFO, 0o640, 0),
        "src": Node(Kind.SYMLINK, 0o777, 3),
    }
    with pytest.raises(UnsafePath):
        draft.write("src/x", b"")
    with pytest.raises(UnsafePath):
        draft.put("device", Node(Kind.OTHER, 0o600, 0))
    with pytest.raises(ValueError, match="content"):
        draft.put("file", Node(Kind.FILE, 0o600, 0))


def test_a_link_that_the_draft_replaces_is_in_nobodys_way(draft: ProjectDraft, home: Path) -> None:
    (home / "link").symlink_to("src")
    draft.remove("link")
    draft.write("link/app.py", b"own")
    assert draft.read("link/app.py") == b"own"
    assert summary(draft) == [("link", "changed"), ("link/app.py", "new")]


def test_moving_takes_nested_repositories_links_and_empty_folders_along(draft: ProjectDraft, home: Path) -> None:
    (home / "src" / "nested" / ".git").mkdir(parents=True)
    (home / "src" / "nested" / ".git" / "HEAD").write_bytes(b"ref")
    (home / "src" / "link").symlink_to("../..")
    draft.move("src", "lib")
    new = {change.path for change in draft.changes().changes if change.after}
    expected = "lib lib/app.py lib/empty lib/link lib/nested lib/nested/.git lib/nested/.git/HEAD"
    assert new == set(expected.split())
    assert "lib/nested/.git" not in dict(draft.children(recursive=True))
