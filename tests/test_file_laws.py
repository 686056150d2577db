"""Laws of drafts and change sets: what holds for any sequence of operations."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import AppError, Conflict
from contracts.files import Draft, Kind, Node
from project_files import Workspace
from tests.file_tree import Seen, appear, tree
from workspaces.draft import above

NAMES = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
MODES = st.sampled_from([0o644, 0o600, 0o755, 0o700])
CONTENTS = st.sampled_from([b"", b"x", b"y", b"long" * 10])
OPERATIONS = st.one_of(
    st.tuples(st.just("write"), PATHS, CONTENTS, st.none() | MODES),
    st.tuples(st.just("make_directory"), PATHS),
    st.tuples(st.just("remove"), PATHS),
    st.tuples(st.just("move"), PATHS, PATHS),
    st.tuples(st.just("put"), PATHS, st.sampled_from(list(Kind)[:4]), MODES, CONTENTS),
    st.tuples(st.just("put_nothing"), PATHS),
)
FOLDER = (Kind.DIRECTORY, 0o755, b"")


class RefusedError(Exception):
    """The model would not do that."""


@dataclass
class Model:
    """What a draft does, on a plain dict."""

    nodes: Seen = field(default_factory=dict)

    def kind(self, path: str) -> Kind | None:
        return self.nodes[path][0] if path in self.nodes else None

    def below(self, path: str) -> list[str]:
        return [p for p in self.nodes if p == path or p.startswith(f"{path}/")]

    def parents(self, path: str) -> list[str]:
        parts = path.split("/")
        parents = ["/".join(parts[:n]) for n in range(1, len(parts))]
        if any(self.kind(parent) not in {None, Kind.DIRECTORY} for parent in parents):
            raise RefusedError
        return [parent for parent in parents if parent not in self.nodes]

    def refuse_unless(self, allowed: bool) -> None:
        if not allowed:
            raise RefusedError

    def write(self, path: str, data: bytes, mode: int | None) -> None:
        missing = self.parents(path)
        self.refuse_unless(self.kind(path) in {None, Kind.FILE})
        kept = self.nodes[path][1] if path in self.nodes else 0o644
        self.nodes |= dict.fromkeys(missing, FOLDER) | {path: (Kind.FILE, kept if mode is None else mode, data)}

    def make_directory(self, path: str) -> None:
        missing = self.parents(path)
        self.refuse_unless(self.kind(path) in {None, Kind.DIRECTORY})
        self.nodes |= dict.fromkeys([*missing, *([] if path in self.nodes else [path])], FOLDER)

    def remove(self, path: str) -> None:
        self.refuse_unless(path in self.nodes)
        for gone in self.below(path):
            del self.nodes[gone]

    def move(self, source: str, target: str) -> None:
        self.refuse_unless(source in self.nodes and not target.startswith(f"{source}/"))
        missing = self.parents(target)
        self.refuse_unless(target not in self.nodes)
        moved = {target + path[len(source) :]: self.nodes.pop(path) for path in self.below(source)}
        self.nodes |= dict.fromkeys(missing, FOLDER) | moved

    def put(self, path: str, kind: Kind, mode: int, data: bytes) -> None:
        missing = self.parents(path)
        self.refuse_unless(kind is Kind.DIRECTORY or self.below(path) in [[], [path]])
        content = data if kind is Kind.FILE else (data or b"t") if kind is Kind.SYMLINK else b""
        self.nodes |= dict.fromkeys(missing, FOLDER)
        self.nodes[path] = (kind, 0o777 if kind is Kind.SYMLINK else mode, content)

    def put_nothing(self, path: str) -> None:
        self.refuse_unless(not any(self.kind(folder) is Kind.SYMLINK for folder in above(path)))
        self.refuse_unless(self.below(path) in [[], [path]])
        self.nodes.pop(path, None)


def put(draft: Draft, path: str, kind: Kind, mode: int, data: bytes) -> None:
    content = data if kind is Kind.FILE else (data or b"t") if kind is Kind.SYMLINK else b""
    has_content = kind in {Kind.FILE, Kind.SYMLINK}
    draft.put(path, Node(kind, mode, len(content)), (lambda: content) if has_content else None)


def ask(draft: Draft, operation: tuple[object, ...]) -> None:
    match operation:
        case ("write", str(path), bytes(data), None | int() as mode):
            draft.write(path, data, mode=mode)
        case ("put", str(path), Kind() as kind, int(mode), bytes(data)):
            put(draft, path, kind, mode, data)
        case ("put_nothing", str(path)):
            draft.put(path, None)
        case (str(name), *arguments):
            getattr(draft, name)(*arguments)


def allowed(refusal: type[Exception], asking: Callable[..., object], *arguments: object) -> bool:
    try:
        asking(*arguments)
    except refusal:
        return False
    return True


def view(draft: Draft) -> Seen:
    """All that a draft shows, in the terms of `tree`, links aside, whose targets a draft does not show."""
    return {
        path: (node.kind, node.mode, draft.read(path) if node.kind is Kind.FILE else b"")
        for path, node in draft.children(recursive=True)
    }


def without_targets(seen: Seen) -> Seen:
    return {path: (kind, mode, b"" if kind is Kind.SYMLINK else data) for path, (kind, mode, data) in seen.items()}


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(OPERATIONS, max_size=8), min_size=1, max_size=3), st.booleans())
def test_any_operations_do_to_the_disk_what_they_do_to_a_dict(
    batches: list[list[tuple[str, ...]]], strict: bool
) -> None:
    model = Model()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder), strict_open=strict)
        workspace.create("notes")
        home = workspace.path("notes")
        for number, batch in enumerate(batches):
            draft = workspace.draft("notes")
            before = tree(home)
            for name, *arguments in batch:
                expected = allowed(RefusedError, getattr(model, name), *arguments)
                assert allowed(AppError, ask, draft, (name, *arguments)) is expected
            assert view(draft) == without_targets(model.nodes)
            assert tree(home) == before
            changes = draft.changes()
            workspace.apply("notes", changes, stage=str(number))
            assert tree(home) == model.nodes
            assert bool(changes) is (before != model.nodes)
            assert [change.path for change in changes.changes] == sorted(
                path for path in before.keys() | model.nodes.keys() if before.get(path) != model.nodes.get(path)
            )


@settings(max_examples=100, deadline=None)
@given(st.lists(OPERATIONS, max_size=8), st.lists(OPERATIONS, max_size=8), st.booleans())
def test_a_set_that_fails_at_its_end_leaves_every_byte_as_it_was(
    first: list[tuple[str, ...]], second: list[tuple[str, ...]], strict: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder), strict_open=strict)
        workspace.create("notes")
        home = workspace.path("notes")
        draft = workspace.draft("notes")
        for operation in first:
            allowed(AppError, ask, draft, operation)
        workspace.apply("notes", draft.changes(), stage="1")
        before = tree(home)
        draft = workspace.draft("notes")
        for operation in second:
            allowed(AppError, ask, draft, operation)
        draft.put("zzz", Node(Kind.FILE, 0o644, 0), lambda: appear(home / "zzz"))
        with pytest.raises(Conflict):
            workspace.apply("notes", draft.changes(), stage="2")
        (home / "zzz").unlink()
        assert tree(home) == before
