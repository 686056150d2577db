"""Taking back: only what the step changed, never what someone else did since, and always able to be undone."""

import shutil
from pathlib import Path

import pytest

from contracts.errors import NotFound, UndoConflict
from tests.real_project import RealProject

LINES = [b"line %d\n" % number for number in range(1, 31)]


@pytest.fixture
def project(tmp_path: Path) -> RealProject:
    return RealProject(tmp_path)


def text(**changed: bytes) -> bytes:
    """Thirty lines, some of them changed: text(l3=b"new")."""
    lines = list(LINES)
    for key, value in changed.items():
        lines[int(key[1:]) - 1] = value + b"\n"
    return b"".join(lines)


def take_back_only(project: RealProject, task: str) -> str:
    return project.step(lambda draft: project.repo.take_back_only(task, draft))[0]


def test_several_steps_are_taken_back_at_once(project: RealProject) -> None:
    project.put("a.txt", b"0")
    before = project.standing()
    one = project.put("a.txt", b"1")
    two = project.put("b/c.txt", b"1")
    three = project.put("a.txt", b"2")
    after = project.standing()
    undo, taken = project.take_back(three, two, one)
    assert taken.restored == ("a.txt", "b", "b/c.txt")
    assert project.standing() == before
    project.take_back(undo)
    assert project.standing() == after
    assert project.status() == []


def test_what_someone_else_changed_since_is_kept_and_named(project: RealProject) -> None:
    task, _ = project.put_all({"mine.txt": b"1", "theirs.txt": b"1", "gone.txt": b"1"})
    project.write("theirs.txt", b"2")
    (project.path / "gone.txt").unlink()
    project.write("new.txt", b"2")
    _, taken = project.take_back(task)
    assert taken.kept == ("theirs.txt",)
    assert taken.restored == ("mine.txt",)
    assert project.standing() == {"theirs.txt": ("-", 0o644, b"2"), "new.txt": ("-", 0o644, b"2")}


def test_a_mode_changed_since_counts_as_changed(project: RealProject) -> None:
    task = project.put("a.txt")
    (project.path / "a.txt").chmod(0o600)
    _, taken = project.take_back(task)
    assert taken.kept == ("a.txt",)


def test_a_folder_with_something_of_someone_else_stays(project: RealProject) -> None:
    task = project.put("new/deep/a.txt")
    project.write("new/theirs.txt")
    _, taken = project.take_back(task)
    assert taken.kept == ("new",)
    assert sorted(project.standing()) == ["new", "new/theirs.txt"]


def test_an_edit_between_two_steps_is_kept(project: RealProject) -> None:
    one = project.put("a.txt", b"1")
    project.write("a.txt", b"theirs")
    two = project.put("a.txt", b"2")
    _, taken = project.take_back(two, one)
    assert taken.kept == ("a.txt",)
    assert (project.path / "a.txt").read_bytes() == b"theirs"


def test_exactly_means_also_what_was_done_behind_the_back(project: RealProject) -> None:
    project.put("a.txt", b"0")
    before = project.standing()
    one = project.put("a.txt", b"1")
    project.write("a.txt", b"theirs")
    project.write("b/theirs.txt", mode=0o600)
    two = project.put("c.txt")
    (project.path / "a.txt").chmod(0o600)
    after = project.standing()
    undo, taken = project.take_back(two, one, exact=True)
    assert taken.kept == ()
    assert project.standing() == before
    project.take_back(undo)
    assert project.standing() == after


def test_exactly_leaves_dependency_folders_where_they_are(project: RealProject) -> None:
    task = project.put("app/main.js")
    project.write("app/node_modules/x.js")
    _, taken = project.take_back(task, exact=True)
    assert taken.kept == ("app",)
    assert (project.path / "app/node_modules/x.js").exists()


def test_a_removed_file_comes_back_although_its_folder_is_gone_too(project: RealProject) -> None:
    project.put("d/a.txt", b"1")
    (project.path / "d").chmod(0o700)
    task, _, _ = project.step(lambda draft: draft.remove("d/a.txt"))
    shutil.rmtree(project.path / "d")
    project.take_back(task)
    assert project.standing() == {"d": ("d", 0o700, b""), "d/a.txt": ("-", 0o644, b"1")}


def test_a_file_where_a_removed_folder_was_is_kept(project: RealProject) -> None:
    project.put_all({"d/a.txt": b"1", "d/b.txt": b"1"})
    task, _, _ = project.step(lambda draft: draft.remove("d"))
    project.write("d", b"theirs")
    _, taken = project.take_back(task)
    assert taken.kept == ("d", "d/a.txt", "d/b.txt")
    assert project.standing() == {"d": ("-", 0o644, b"theirs")}


def test_a_move_is_taken_back(project: RealProject) -> None:
    project.put_all({"d/a.txt": b"1", "d/e/b.txt": b"2"})
    before = project.standing()
    task, _, _ = project.step(lambda draft: draft.move("d", "x/y"))
    project.take_back(task)
    assert project.standing() == before


def test_what_was_never_done_cannot_be_taken_back(project: RealProject) -> None:
    with pytest.raises(NotFound):
        project.take_back("nothing")
    task = project.begin()
    with pytest.raises(NotFound):
        project.take_back(task)
    assert project.repo.has_snapshot(task)
    assert not project.repo.is_recorded(task)


def test_one_change_alone_is_taken_back_from_under_later_ones(project: RealProject) -> None:
    project.put("a.txt", text())
    one = project.put("a.txt", text(l2=b"one"))
    project.put("a.txt", text(l2=b"one", l20=b"two"))
    project.write("a.txt", text(l2=b"one", l20=b"two", l29=b"theirs"))
    undo = take_back_only(project, one)
    assert (project.path / "a.txt").read_bytes() == text(l20=b"two", l29=b"theirs")
    project.take_back(undo)
    assert (project.path / "a.txt").read_bytes() == text(l2=b"one", l20=b"two", l29=b"theirs")


def test_text_of_any_encoding_and_line_ending_is_merged(project: RealProject) -> None:
    def odd(**changed: bytes) -> bytes:
        return text(**changed).replace(b"\n", b"\r\n").replace(b"line 5", b"caf\xe9")

    project.put("a.txt", odd())
    one = project.put("a.txt", odd(l2=b"\xe9\xe8"))
    project.put("a.txt", odd(l2=b"\xe9\xe8", l20=b"\xff"))
    take_back_only(project, one)
    assert (project.path / "a.txt").read_bytes() == odd(l20=b"\xff")


def test_modes_are_merged_too(project: RealProject) -> None:
    project.put("a.sh", text())
    task = project.begin()
    (project.path / "a.sh").chmod(0o755)
    project.repo.record(task, "Made it a program")
    project.put("a.sh", text(l9=b"later"))
    take_back_only(project, task)
    assert project.standing()["a.sh"] == ("-", 0o644, text(l9=b"later"))


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        (text(), text(l5=b"one"), text(l5=b"two")),
        (text(), text(l5=b"one"), None),
        (None, text(), text(l5=b"two")),
        (b"\0" + text(), b"\0" + text(l2=b"one"), b"\0" + text(l2=b"one", l20=b"two")),
        (text(), None, text(l5=b"two")),
    ],
    ids=["same line", "removed since", "made by it and changed since", "no text", "removed by it and made again"],
)
def test_a_conflict_changes_nothing_and_names_the_paths(
    project: RealProject, first: bytes | None, second: bytes | None, third: bytes | None
) -> None:
    def put(content: bytes | None) -> str:
        if content is None:
            return project.step(lambda draft: draft.remove("a.txt"))[0]
        return project.put_all({"a.txt": content, "also.txt": content})[0]

    project.put("z.txt")
    if first is not None:
        put(first)
    task = put(second)
    put(third)
    before = project.standing()
    draft = project.workspace.draft("p")
    with pytest.raises(UndoConflict) as caught:
        project.repo.take_back_only(task, draft)
    assert "a.txt" in caught.value.details["paths"]
    assert not draft.changes()
    assert project.standing() == before


def test_taking_back_one_change_leaves_folders_that_later_ones_use(project: RealProject) -> None:
    one = project.put("d/a.txt")
    project.put("d/b.txt")
    take_back_only(project, one)
    assert sorted(project.standing()) == ["d", "d/b.txt"]


def test_a_step_that_was_killed_half_way_is_put_back(project: RealProject) -> None:
    project.put_all({"a.txt": b"1", "b.txt": b"1"})
    before = project.standing()
    task = project.begin()
    project.write("a.txt", b"half")
    project.write("new/deep/c.txt", b"half", mode=0o600)
    (project.path / "b.txt").unlink()
    again = RealProject(project.root)
    draft = again.workspace.draft("p")
    taken = again.repo.recover(task, draft)
    assert taken.restored == ("a.txt", "b.txt", "new", "new/deep", "new/deep/c.txt")
    again.workspace.apply("p", draft.changes(), stage="back")
    assert project.standing() == before
    assert project.status() == []


def test_a_recovery_can_be_held_to_the_paths_of_the_step(project: RealProject) -> None:
    project.put("a.txt", b"1")
    task = project.begin()
    project.write("new/ours.txt", b"half")
    project.write("a.txt", b"theirs")
    project.write("new2/theirs.txt", b"theirs")
    draft = project.workspace.draft("p")
    project.repo.recover(task, draft, paths=["new/ours.txt"])
    project.workspace.apply("p", draft.changes(), stage="back")
    assert sorted(project.standing()) == ["a.txt", "new2", "new2/theirs.txt"]
    assert (project.path / "a.txt").read_bytes() == b"theirs"


def test_a_step_that_is_run_again_forgets_its_first_run(project: RealProject) -> None:
    task = project.put("a.txt", b"1")
    project.repo.snapshot(task)
    assert not project.repo.is_recorded(task)
    project.write("a.txt", b"2")
    project.repo.record(task, "Again")
    project.take_back(task)
    assert (project.path / "a.txt").read_bytes() == b"1"
