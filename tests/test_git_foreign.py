"""A repository that someone else put there keeps its own state: nothing of theirs is lost or committed by surprise."""

import os
import threading
from pathlib import Path

import pytest

from contracts.errors import Conflict, UndoConflict
from git_manager import Recorded
from tests.real_project import RealProject, git


@pytest.fixture
def project(tmp_path: Path) -> RealProject:
    """A foreign repository with one commit of three files."""
    project = RealProject(tmp_path)
    project.git("init", "-q", "-b", "trunk")
    project.write("a.txt", b"".join(b"line %d\n" % n for n in range(1, 21)))
    project.write("b.txt", b"b\n")
    project.write("run.sh", b"#!/bin/sh\n", mode=0o755)
    project.git("add", "-A")
    project.git("commit", "-qm", "Theirs")
    return project


def reasons(recorded: Recorded) -> dict[str, str]:
    return {left.path: left.reason for left in recorded.left_out}


def show(project: RealProject, path: str) -> bytes:
    return project.git("show", f"HEAD:{path}").encode()


def test_their_unstaged_edit_is_not_committed_with_ours(project: RealProject) -> None:
    theirs = (project.path / "a.txt").read_bytes().replace(b"line 2\n", b"theirs\n")
    project.write("a.txt", theirs)
    ours = theirs.replace(b"line 19\n", b"ours\n")
    _, recorded, _ = project.step(lambda draft: draft.write("a.txt", ours))
    assert recorded.commit
    assert recorded.left_out == ()
    committed = show(project, "a.txt")
    assert b"ours\n" in committed
    assert b"theirs\n" not in committed
    assert (project.path / "a.txt").read_bytes() == ours
    assert project.status() == [" M a.txt"]


def test_an_edit_in_their_lines_stays_uncommitted_and_is_said(project: RealProject) -> None:
    project.write("b.txt", b"theirs\n")
    _, recorded, _ = project.step(lambda draft: draft.write("b.txt", b"theirs and ours\n"))
    assert recorded.commit is None
    assert reasons(recorded) == {"b.txt": "it had changes that are not committed yet, in the same lines"}
    assert project.status() == [" M b.txt"]


def test_what_they_staged_stays_staged(project: RealProject) -> None:
    project.write("b.txt", b"staged\n")
    project.write("new.txt", b"staged\n")
    project.git("add", "b.txt", "new.txt")
    project.write("b.txt", b"staged and more\n")
    project.put("c.txt")
    assert project.status() == ["MM b.txt", "A  new.txt"]
    assert project.git("show", ":b.txt") == "staged\n"
    assert project.git("log", "-1", "--name-only", "--format=").split() == ["c.txt"]


def test_a_file_that_they_staged_and_we_change_keeps_its_staged_form(project: RealProject) -> None:
    theirs = (project.path / "a.txt").read_bytes().replace(b"line 2\n", b"theirs\n")
    project.write("a.txt", theirs)
    project.git("add", "a.txt")
    project.step(lambda draft: draft.write("a.txt", theirs.replace(b"line 19\n", b"ours\n")))
    assert project.git("show", ":a.txt").encode() == theirs
    assert b"ours" in show(project, "a.txt")
    assert b"theirs" not in show(project, "a.txt")


def test_their_untracked_file_stays_uncommitted_when_we_change_it(project: RealProject) -> None:
    project.write("todo.txt", b"theirs\n")
    _, recorded, _ = project.step(lambda draft: draft.write("todo.txt", b"theirs and ours\n"))
    assert recorded.commit is None
    assert reasons(recorded) == {"todo.txt": "it was not under version control before"}
    assert project.status() == ["?? todo.txt"]


def test_their_untracked_file_may_be_removed_without_a_word(project: RealProject) -> None:
    project.write("todo.txt", b"theirs\n")
    task, recorded, _ = project.step(lambda draft: draft.remove("todo.txt"))
    assert (recorded.commit, recorded.left_out) == (None, ())
    project.take_back(task)
    assert (project.path / "todo.txt").read_bytes() == b"theirs\n"


def test_removing_a_file_that_they_edited_is_not_committed(project: RealProject) -> None:
    project.write("b.txt", b"theirs\n")
    task, recorded, _ = project.step(lambda draft: draft.remove("b.txt"))
    assert reasons(recorded) == {"b.txt": "it had changes that are not committed yet"}
    assert project.status() == [" D b.txt"]
    project.take_back(task)
    assert (project.path / "b.txt").read_bytes() == b"theirs\n"


def test_a_file_that_they_removed_and_we_write_again(project: RealProject) -> None:
    (project.path / "b.txt").unlink()
    _, recorded, _ = project.step(lambda draft: draft.write("b.txt", b"ours\n"))
    assert list(reasons(recorded)) == ["b.txt"]
    assert show(project, "b.txt") == b"b\n"


def test_modes_are_committed_as_git_knows_them(project: RealProject) -> None:
    task = project.begin()
    (project.path / "run.sh").chmod(0o700)
    assert project.repo.record(task, "Private").commit is None
    task = project.begin()
    (project.path / "run.sh").chmod(0o600)
    assert project.repo.record(task, "No program").commit
    assert project.git("ls-files", "-s", "run.sh").startswith("100644")
    assert project.status() == []


def test_modes_that_the_repository_ignores_are_ignored(project: RealProject) -> None:
    project.git("config", "core.fileMode", "false")
    task = project.begin()
    (project.path / "b.txt").chmod(0o755)
    project.write("run.sh", b"#!/bin/sh\nexit\n", mode=0o644)
    project.repo.record(task, "Modes")
    assert project.git("ls-files", "-s", "run.sh").startswith("100755")
    assert project.git("ls-files", "-s", "b.txt").startswith("100644")
    assert project.status() == []


def test_during_a_merge_nothing_is_committed(project: RealProject) -> None:
    project.git("checkout", "-qb", "other")
    project.write("b.txt", b"other\n")
    project.git("commit", "-qam", "Other")
    project.git("checkout", "-q", "trunk")
    project.write("b.txt", b"trunk\n")
    project.git("commit", "-qam", "Trunk")
    project.git("merge", "other", check=False)
    head = project.git("rev-parse", "HEAD")
    before = project.status()
    task, recorded, _ = project.step(lambda draft: draft.write("c.txt", b"ours\n"))
    assert recorded.commit is None
    assert reasons(recorded) == {"c.txt": "a merge, rebase or the like is under way in this project"}
    assert project.git("rev-parse", "HEAD") == head
    assert project.status() == [*before, "?? c.txt"]
    project.take_back(task)
    assert project.status() == before
    assert (project.path / ".git/MERGE_HEAD").exists()


def test_during_a_rebase_nothing_is_committed(project: RealProject) -> None:
    project.git("checkout", "-qb", "other")
    project.write("b.txt", b"other\n")
    project.git("commit", "-qam", "Other")
    project.git("checkout", "-q", "trunk")
    project.write("b.txt", b"trunk\n")
    project.git("commit", "-qam", "Trunk")
    project.git("rebase", "other", check=False)
    head = project.git("rev-parse", "HEAD")
    _, recorded, _ = project.step(lambda draft: draft.write("c.txt", b"ours\n"))
    assert recorded.commit is None
    assert project.git("rev-parse", "HEAD") == head


def test_a_detached_head_is_committed_to(project: RealProject) -> None:
    project.git("checkout", "-q", "--detach")
    trunk = project.git("rev-parse", "trunk")
    task = project.put("c.txt")
    assert project.git("rev-parse", "trunk") == trunk
    assert project.git("log", "-1", "--format=%b").strip() == f"Task: {task}"
    assert project.git("branch", "--show-current") == ""
    assert project.status() == []


def test_an_unborn_branch_gets_its_first_commit_of_ours_alone(tmp_path: Path) -> None:
    project = RealProject(tmp_path)
    project.git("init", "-q", "-b", "odd/name")
    project.write("theirs.txt", b"theirs\n")
    project.write("staged.txt", b"theirs\n")
    project.git("add", "staged.txt")
    project.put("ours.txt")
    assert project.git("ls-tree", "--name-only", "odd/name") == "ours.txt\n"
    assert project.status() == ["A  staged.txt", "?? theirs.txt"]


def test_no_program_of_a_foreign_repository_is_run(project: RealProject, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    for hook in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "post-checkout",
        "reference-transaction",
        "post-index-change",
    ):
        (project.path / ".git/hooks").mkdir(exist_ok=True)
        (project.path / ".git/hooks" / hook).symlink_to(trap)
    for name in ("filter.x.clean", "filter.x.smudge", "core.fsmonitor", "gpg.program", "diff.external", "core.pager"):
        project.git("config", name, str(trap))
    project.git("config", "commit.gpgSign", "true")
    project.write(".gitattributes", b"*.x filter=x diff=x\n")
    _, recorded, _ = project.step(lambda draft: draft.write("data.x", b"1\n"))
    assert reasons(recorded) == {"data.x": "it goes through the filter `x`, which is not run here"}
    task = project.put("plain.txt")
    project.repo.history()
    project.repo.diff_of(task)
    project.repo.commit_changes("All")
    project.repo.revert_last_commit()
    project.repo.maintain()
    assert not (tmp_path / "sprung").exists()


def test_history_is_read_whatever_its_encoding(project: RealProject) -> None:
    project.write("c.txt")
    project.git("add", "-A")
    (project.path.parent / "message").write_bytes(b"caf\xe9\n")
    project.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-F", "../message")
    project.git("tag", os.fsdecode(b"odd-\xff"))
    project.put("d.txt")
    assert [info.title[:3] for info in project.repo.history()] == ["Did", "caf", "The"]
    assert project.repo.last_good() is None
    project.repo.revert_last_commit()
    project.repo.revert_last_commit()
    project.repo.maintain()


def test_repositories_of_a_kind_that_is_not_supported_say_so(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "p")
    with pytest.raises(Conflict) as caught:
        RealProject(tmp_path).put("a.txt")
    assert "SHA-256" in caught.value.hint
    assert sorted(path.name for path in (tmp_path / "p").iterdir()) == [".git"]


def test_files_inside_a_submodule_stay_out(project: RealProject, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "lib")
    (tmp_path / "lib/x.txt").write_text("x\n")
    git(tmp_path / "lib", "add", "-A")
    git(tmp_path / "lib", "commit", "-qm", "x")
    project.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "lib"), "lib")
    project.git("commit", "-qm", "Submodule")
    task, recorded, _ = project.step(lambda draft: draft.write("lib/x.txt", b"ours\n"))
    assert reasons(recorded) == {"lib/x.txt": "it belongs to a repository inside this one"}
    project.take_back(task)
    assert project.status() == []


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("config.py", b"KEY = 'AKIA" + b"ABCDEFGHIJKLMNOP'\n"),
        ("key.pem", b"-----BEGIN RSA " + b"PRIVATE KEY-----\nabc\n"),
        ("ci.yml", b"token: ghp_" + b"a1" * 18),
        ("ci2.yml", b"token: github_pat_" + b"a1" * 20),
        ("llm.py", b'key = "sk-' + b'proj-abcdef0123456789abcd"'),
        ("bot.js", b"const t = 'xoxb-" + b"123456789012-abcdef'"),
        (".env", b"DEBUG=1\n"),
        ("deep/.env.production", b"DEBUG=1\n"),
        ("id_ed25519", b"not even a key"),
    ],
)
def test_keys_stay_out_of_commits_but_not_out_of_undo(project: RealProject, path: str, content: bytes) -> None:
    before = project.standing()
    task, recorded = project.put_all({path: content, "ok.txt": b"ok\n"})
    assert list(reasons(recorded)) == [path]
    assert project.git("log", "-1", "--name-only", "--format=").split() == ["ok.txt"]
    undo, _ = project.take_back(task)
    assert project.standing() == before
    project.take_back(undo)
    assert (project.path / path).read_bytes() == content
    assert content.decode() not in project.git("log", "-p")


@pytest.mark.parametrize("path", [".env.example", "environment.py", "task-123456789012345678901234.txt"])
def test_harmless_names_and_words_are_committed(project: RealProject, path: str) -> None:
    _, recorded, _ = project.step(lambda draft: draft.write(path, b"see task-risk-1234567890-1234567890\nsk-learn\n"))
    assert recorded.left_out == ()


def test_a_file_whose_key_was_committed_by_them_can_go_on(project: RealProject) -> None:
    key = b"AKIA" + b"ABCDEFGHIJKLMNOP\n"
    project.write("sample.txt", key)
    project.git("add", "-A")
    project.git("commit", "-qm", "Theirs")
    _, recorded, _ = project.step(lambda draft: draft.write("sample.txt", key + b"more\n"))
    assert recorded.left_out == ()
    _, recorded, _ = project.step(lambda draft: draft.write("sample.txt", key + key.replace(b"A", b"B")))
    assert recorded.left_out == ()
    _, recorded, _ = project.step(lambda draft: draft.write("sample.txt", key + key.replace(b"MNOP", b"1234")))
    assert reasons(recorded) == {"sample.txt": "an AWS key was found in it"}


def test_a_file_of_ours_is_committed_once_its_key_is_gone(project: RealProject) -> None:
    project.step(lambda draft: draft.write("config.py", b"KEY = 'AKIA" + b"ABCDEFGHIJKLMNOP'\n"))
    _, recorded, _ = project.step(lambda draft: draft.write("config.py", b"import os\n"))
    assert recorded.left_out == ()
    assert project.status() == []


def test_a_file_of_ours_from_during_a_merge_is_committed_later(project: RealProject) -> None:
    (project.path / ".git/MERGE_HEAD").write_text(project.git("rev-parse", "HEAD"))
    project.put_all({"ours.txt": b"1\n", "b.txt": b"ours\n"})
    (project.path / ".git/MERGE_HEAD").unlink()
    assert project.status() == [" M b.txt", "?? ours.txt"]
    project.put_all({"ours.txt": b"2\n", "b.txt": b"more of ours\n"})
    assert project.status() == []


def test_a_file_of_ours_that_they_went_on_with_is_theirs(project: RealProject) -> None:
    (project.path / ".git/MERGE_HEAD").write_text(project.git("rev-parse", "HEAD"))
    project.put_all({"ours.txt": b"1\n", "b.txt": b"ours\n"})
    (project.path / ".git/MERGE_HEAD").unlink()
    project.write("ours.txt", b"theirs\n")
    project.write("b.txt", b"theirs\n")
    _, recorded = project.put_all({"ours.txt": b"2\n", "b.txt": b"more of ours\n"})
    assert set(reasons(recorded)) == {"b.txt", "ours.txt"}


def test_removing_what_was_never_committed_makes_no_commit(tmp_path: Path) -> None:
    project = RealProject(tmp_path)
    project.put(".env")
    _, recorded, _ = project.step(lambda draft: draft.remove(".env"))
    assert (recorded.commit, recorded.left_out) == (None, ())
    assert project.repo.history() == []


def test_while_someone_holds_the_index_nothing_is_committed(project: RealProject) -> None:
    (project.path / ".git/index.lock").touch()
    _, recorded, _ = project.step(lambda draft: draft.write("c.txt", b"ours\n"))
    assert recorded.commit is None
    assert reasons(recorded) == {"c.txt": "another git program is at work in this project"}
    (project.path / ".git/index.lock").unlink()
    (project.path / ".git/refs/heads/trunk.lock").touch()
    _, recorded, _ = project.step(lambda draft: draft.write("d.txt", b"ours\n"))
    assert recorded.commit is None
    assert reasons(recorded) == {"d.txt": "another git program is at work in this project"}


def test_an_index_that_an_editor_holds_for_a_moment_is_waited_for(project: RealProject) -> None:
    lock = project.path / ".git/index.lock"
    task = project.begin()
    project.write("c.txt", b"1\n")
    timer = threading.Timer(0.2, lock.unlink)
    lock.touch()
    timer.start()
    assert project.repo.record(task, "Waited").commit
    timer.join()
    assert project.status() == []


def test_a_split_index_is_left_alone(project: RealProject) -> None:
    project.git("update-index", "--split-index")
    _, recorded, _ = project.step(lambda draft: draft.write("c.txt", b"ours\n"))
    assert recorded.commit is None
    assert list(reasons(recorded)) == ["c.txt"]
    assert project.status() == ["?? c.txt"]


def test_commit_changes_takes_what_git_add_would(project: RealProject) -> None:
    project.write(".gitignore", b"*.log\n")
    project.write("a.txt", b"theirs\n")
    project.write("deep/new.txt", b"new\n")
    project.write("debug.log", b"no\n")
    project.write(".env", b"SECRET=1\n")
    project.write("vendor/x.txt", b"x\n")
    git(project.path / "vendor", "init", "-q")
    (project.path / "b.txt").unlink()
    project.git("add", ".gitignore")
    commit = project.repo.commit_changes("Everything")
    assert commit == project.git("rev-parse", "HEAD").strip()
    assert project.git("log", "-1", "--format=%B").strip() == "Everything"
    assert project.git("show", "--name-status", "--format=").split() == [
        *("A", ".gitignore", "M", "a.txt", "D", "b.txt", "A", "deep/new.txt"),
    ]
    assert project.status() == ["?? .env", "?? vendor/"]
    assert project.repo.commit_changes("Nothing") is None


def test_commit_changes_waits_for_a_merge(project: RealProject) -> None:
    head = project.git("rev-parse", "HEAD")
    (project.path / ".git/MERGE_HEAD").write_text(head)
    project.write("a.txt", b"theirs\n")
    with pytest.raises(Conflict):
        project.repo.commit_changes("Everything")
    with pytest.raises(Conflict):
        project.repo.revert_last_commit()


def test_the_last_commit_is_reverted_in_files_too(project: RealProject) -> None:
    before = project.git("rev-parse", "HEAD^{tree}")
    (project.path / "b.txt").chmod(0o600)
    project.put_all({"b.txt": b"ours\n", "new/c.txt": b"ours\n"})
    project.write("a.txt", b"theirs\n")
    commit = project.repo.revert_last_commit()
    assert project.git("rev-parse", "HEAD").strip() == commit
    assert project.git("rev-parse", "HEAD^{tree}") == before
    assert project.standing()["b.txt"] == ("-", 0o600, b"b\n")
    assert "new/c.txt" not in project.standing()
    assert project.status() == [" M a.txt"]


def test_a_revert_that_would_lose_their_edit_changes_nothing(project: RealProject) -> None:
    project.put("b.txt", b"ours\n")
    project.write("b.txt", b"theirs\n")
    head, before = project.git("rev-parse", "HEAD"), project.standing()
    with pytest.raises(UndoConflict) as caught:
        project.repo.revert_last_commit()
    assert caught.value.details["paths"] == ["b.txt"]
    assert (project.git("rev-parse", "HEAD"), project.standing()) == (head, before)


def test_the_very_first_commit_can_be_reverted(tmp_path: Path) -> None:
    project = RealProject(tmp_path)
    with pytest.raises(Conflict):
        project.repo.revert_last_commit()
    project.put("a.txt")
    project.repo.revert_last_commit()
    assert project.standing() == {}
    assert project.status() == []


def test_a_crash_after_the_snapshot_is_made_up_for(project: RealProject) -> None:
    """Killed after the step was kept and before, while or after it was committed."""
    task = project.begin()
    project.write("c.txt", b"ours\n")
    first = project.repo.record(task, "Ours")
    index = (project.path / ".git/index").read_bytes()
    again = RealProject(project.root).repo.record(task, "Ours")
    assert (again.commit, again.changed) == (first.commit, first.changed)
    assert (project.path / ".git/index").read_bytes()[:-20] == index[:-20]
    project.git("reset", "-q", "HEAD^", "--", "c.txt")
    assert project.status() == ["D  c.txt", "?? c.txt"]
    assert RealProject(project.root).repo.record(task, "Ours").commit == first.commit
    assert project.status() == []
    project.git("update-ref", "HEAD", "HEAD^")
    project.git("reset", "-q")
    project.write("d.txt", b"theirs\n")
    resumed = RealProject(project.root).repo.record(task, "Ours")
    assert resumed.changed == ("c.txt",)
    assert project.git("log", "-1", "--name-only", "--format=").split() == ["c.txt"]
    assert project.status() == ["?? d.txt"]


def test_line_endings_by_settings_are_converted_in_commits_alone(project: RealProject) -> None:
    project.git("config", "core.autocrlf", "true")
    project.put("crlf.txt", b"one\r\ntwo\r\n")
    project.put("bin.dat", b"\0\r\n")
    assert project.status() == []
    assert project.git("show", "HEAD:crlf.txt") == "one\ntwo\n"
    assert (project.path / "crlf.txt").stat().st_size == 10
