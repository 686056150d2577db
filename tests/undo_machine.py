"""A machine that works on a real project at random, with someone else at work behind its back, and takes things back.

What it holds true:
- a path that nobody else touched is byte for byte and mode for mode as it was at the point gone back to;
- what someone else wrote is never changed by taking back, unless everything is asked for exactly;
- taking back the taking back gives the very same files again;
- snapshots move neither HEAD nor the index, and git finds nothing wrong with the repository.
"""

import mmap
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pygit2
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from contracts.errors import AppError, UndoConflict
from contracts.files import Draft, Kind, Node
from git_manager import DEPENDENCY_FOLDERS, GitManager, TakenBack
from tests.real_project import RealProject, Standing, standing

FILES = ("a.txt", "b.bat", "c.log", "d/a.txt", "d/e/b.txt", "f/g/h/deep.txt", "vendor/lib.py", "odd %name\udcff")
FOLDERS = ("d", "d/e", "f", "f/g", "empty", "vendor")
CONTENTS = (b"", b"one\n", b"two\n", b"1\r\n2\r\n", b"\0binary\xff", b"caf\xe9\n", b"line\n" * 50, b"AKIA" + b"A" * 16)
MODES = (0o644, 0o600, 0o755, 0o400, 0o664)
FOLDER_MODES = (0o755, 0o700, 0o775)
RULES = {".gitattributes": b"* text=auto\n*.bat text eol=crlf\n", ".gitignore": b"*.log\nempty/\n"}

files, folders = st.sampled_from(FILES), st.sampled_from(FOLDERS)
anywhere, contents = st.one_of(files, folders), st.sampled_from(CONTENTS)


class Point:
    """A task with all that stood there before and after it."""

    def __init__(self, task_id: str, before: Standing, after: Standing) -> None:
        self.task_id = task_id
        self.before = before
        self.after = after


def differing(one: Standing, other: Standing) -> set[str]:
    return {path for path in one.keys() | other.keys() if one.get(path) != other.get(path)}


def related(path: str, others: Iterable[str]) -> bool:
    """Whether a path is one of the others, above one, or below one."""
    return any(path == o or path.startswith(f"{o}/") or o.startswith(f"{path}/") for o in others)


class UndoMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="undo-"))
        self.project = RealProject(self.root)
        self.points: list[Point] = []
        self.number = 0
        self.mapped: mmap.mmap | None = None

    def teardown(self) -> None:
        try:
            if self.mapped:
                self.mapped.close()
            report = self.project.git("fsck", "--strict", "--no-dangling")
            assert not report, report
        finally:
            shutil.rmtree(self.root)

    @initialize(rules=st.sets(st.sampled_from(sorted(RULES))))
    def begin(self, rules: set[str]) -> None:
        self.project.repo.fingerprint()
        for name in rules:
            self.project.write(name, RULES[name])

    def now(self) -> Standing:
        return standing(self.project.path, aside=DEPENDENCY_FOLDERS)

    def step(self, draw_up: Callable[[Draft], object], behind: Callable[[], object] | None = None) -> bool:
        """One step as the executor takes it; `behind` stands for a program that changes files by itself."""
        self.number += 1
        task_id = f"t{self.number}"
        try:
            draft = self.project.workspace.draft("p")
            draw_up(draft)
            changes = draft.changes()
        except AppError:
            return False
        before = self.now()
        self.snapshot(task_id)
        self.project.workspace.apply("p", changes, stage=task_id)
        if behind:
            behind()
        paths = None if behind else [change.path for change in changes.changes]
        self.project.repo.record(task_id, "Did it", paths=paths)
        self.points.append(Point(task_id, before, self.now()))
        return True

    def snapshot(self, task_id: str) -> None:
        git = self.project.path / ".git"
        watched = [git / "HEAD", git / "index", git / "refs/heads/main"]
        before = [path.read_bytes() if path.exists() else b"" for path in watched]
        self.project.repo.snapshot(task_id)
        assert before == [path.read_bytes() if path.exists() else b"" for path in watched]

    @rule(path=files, content=contents)
    def write(self, path: str, content: bytes) -> None:
        self.step(lambda draft: draft.write(path, content))

    @rule(path=files, content=contents)
    def append(self, path: str, content: bytes) -> None:
        self.step(lambda draft: draft.write(path, draft.read(path) + content))

    @rule(source=anywhere, goal=anywhere)
    def move(self, source: str, goal: str) -> None:
        self.step(lambda draft: draft.move(source, goal))

    @rule(path=anywhere)
    def remove(self, path: str) -> None:
        self.step(lambda draft: draft.remove(path))

    @rule(path=folders)
    def make_folder(self, path: str) -> None:
        self.step(lambda draft: draft.make_directory(path))

    @rule(path=files, content=contents, mode=st.sampled_from(MODES))
    def put(self, path: str, content: bytes, mode: int) -> None:
        self.step(lambda draft: draft.put(path, Node(Kind.FILE, mode, len(content)), lambda: content))

    @rule(data=st.data())
    def run_program(self, data: st.DataObject) -> None:
        self.step(lambda draft: None, lambda: self.meddle(data))

    @rule(data=st.data())
    def someone_else(self, data: st.DataObject) -> None:
        self.meddle(data)

    def meddle(self, data: st.DataObject) -> None:
        """Change files in a way that only the disk knows of."""
        edit = data.draw(st.sampled_from(EDITS))
        with suppress(OSError, ValueError):
            edit(self, self.project.path, data)

    @rule()
    def restart(self) -> None:
        self.project.manager = GitManager(self.root)

    @precondition(lambda self: self.points)
    @rule(data=st.data())
    def go_back(self, data: st.DataObject) -> None:
        first = data.draw(st.integers(0, len(self.points) - 1))
        taken_back, pre = self.points[first:], self.now()
        foreign = self.touched_since(first, pre)
        taken = self.take_back(taken_back, exact=False)
        post = self.now()
        for path in differing(post, taken_back[0].before):
            assert related(path, foreign | set(taken.kept)), f"{path!r} is not as it was"
        made = {path: [point.after.get(path) for point in taken_back] for path in differing(pre, post)}
        for path, states in made.items():
            assert path in taken.restored, f"{path!r} changed without a word"
            assert pre.get(path) in states or self.was_missing_above(path, pre), f"{path!r} was someone else's"
        for path in set(taken.kept) - set(taken.restored):
            assert post.get(path) == pre.get(path), f"{path!r} was to be kept"
        self.and_forth(data, pre)

    def was_missing_above(self, path: str, pre: Standing) -> bool:
        """A folder that someone removed may come back for the sake of what belongs into it."""
        return path not in pre

    @precondition(lambda self: self.points)
    @rule(data=st.data())
    def go_back_exactly(self, data: st.DataObject) -> None:
        first = data.draw(st.integers(0, len(self.points) - 1))
        pre = self.now()
        taken = self.take_back(self.points[first:], exact=True)
        different = differing(self.now(), self.points[first].before)
        assert different <= set(taken.kept), f"{sorted(different)} are not as they were"
        assert all((self.project.path / path).is_dir() for path in taken.kept)
        self.and_forth(data, pre)

    @precondition(lambda self: self.points)
    @rule(data=st.data())
    def take_back_one(self, data: st.DataObject) -> None:
        first = data.draw(st.integers(0, len(self.points) - 1))
        point, pre = self.points[first], self.now()
        since = differing(point.after, pre)
        try:
            done = self.step(lambda draft: self.project.repo.take_back_only(point.task_id, draft))
        except UndoConflict:
            done = False
        if not done:
            assert self.now() == pre
            return
        for path in differing(self.now(), pre):
            assert related(path, differing(point.before, point.after))
        for path in differing(self.now(), {**pre, **point.before}) & differing(point.before, point.after):
            assert related(path, since) or path not in point.before
        self.and_forth(data, pre)

    def take_back(self, points: list[Point], *, exact: bool) -> TakenBack:
        said: list[TakenBack] = []
        tasks = [point.task_id for point in reversed(points)]
        assert self.step(lambda draft: said.append(self.project.repo.take_back(tasks, draft, exact=exact)))
        return said[0]

    def and_forth(self, data: st.DataObject, pre: Standing) -> None:
        """Taking back the taking back."""
        if data.draw(st.booleans()):
            taken = self.take_back(self.points[-1:], exact=False)
            assert not taken.kept
            assert self.now() == pre

    def touched_since(self, first: int, now: Standing) -> set[str]:
        """The paths that someone else changed after the given point."""
        befores = [*(point.before for point in self.points[first + 1 :]), now]
        afters = [point.after for point in self.points[first:]]
        return set().union(*(differing(*pair) for pair in zip(afters, befores, strict=True)))


Edit = Callable[[UndoMachine, Path, st.DataObject], object]


def _write(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    machine.project.write(data.draw(files), data.draw(contents), data.draw(st.sampled_from(MODES)))


def _same_size(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    """An edit that leaves the size, the inode and the time of the last change as they were."""
    path = root / data.draw(files)
    before = path.stat()
    with path.open("r+b") as file:
        file.write(os.urandom(before.st_size))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _map(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    with (root / data.draw(files)).open("r+b") as file:
        machine.mapped = mmap.mmap(file.fileno(), 0)
    machine.mapped[0] = data.draw(st.integers(0, 255))


def _write_mapped(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    if machine.mapped:
        machine.mapped[-1] = data.draw(st.integers(0, 255))


def _change_mode(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        (root / data.draw(files)).chmod(data.draw(st.sampled_from(MODES)))
    else:
        (root / data.draw(folders)).chmod(data.draw(st.sampled_from(FOLDER_MODES)))


def _remove(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    path = root / data.draw(anywhere)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _rename(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    (root / data.draw(anywhere)).rename(root / data.draw(anywhere))


def _link(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    (root / data.draw(anywhere)).symlink_to(data.draw(st.sampled_from(("nowhere", "d", "/etc", "a.txt"))))


def _special(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    path = root / data.draw(anywhere)
    if data.draw(st.booleans()):
        path.mkdir(parents=True)
    else:
        os.mkfifo(path, 0o640)


def _nested(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    folder = root / data.draw(st.sampled_from(("vendor", "d")))
    if (folder / ".git").exists() and data.draw(st.booleans()):
        shutil.rmtree(folder / ".git")
        return
    folder.mkdir(exist_ok=True)
    repo = pygit2.init_repository(str(folder))
    if data.draw(st.booleans()):
        someone = pygit2.Signature("Someone", "someone@localhost")
        repo.create_commit(None, someone, someone, "Theirs", repo.TreeBuilder().write(), [])


def _rules(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(RULES)))
    (root / name).unlink() if (root / name).exists() else (root / name).write_bytes(RULES[name])


def _dependencies(machine: UndoMachine, root: Path, data: st.DataObject) -> None:
    machine.project.write(f"{data.draw(folders)}/node_modules/x.js", b"x")


EDITS: tuple[Edit, ...] = (
    *(_write, _same_size, _map, _write_mapped, _change_mode, _remove),
    *(_rename, _link, _special, _nested, _rules, _dependencies),
)
