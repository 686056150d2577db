"""Reads a project's history: commits, what a step changed, and the last version known to be good."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import pygit2
from pygit2.enums import SortMode

from contracts.errors import NotFound
from contracts.files import Kind
from repositories.objects import GITLINK, LINK, TREE, Changed, Entry, Objects

GOOD = "refs/agent-good"
GOOD_TAGS = "refs/tags/deploy/"
TRAILER = "Task: "
LONGEST_WALK = 20_000
LONGEST_DIFF = 64 << 10
LONGEST_DIFFS = 1 << 20
LARGEST_COMPARED = 2 << 20


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """An ordinary commit, for people to read."""

    id: str
    title: str
    message: str
    author: str
    at: str
    """UTC, ISO 8601, ending in Z."""
    task_id: str | None


@dataclass(frozen=True, slots=True)
class PathDiff:
    """What a step did at one path."""

    path: str
    change: str
    """added, removed, changed or mode."""
    kind: Kind
    mode_before: int | None
    mode_after: int | None
    binary: bool
    text: str
    """A unified diff; empty for binary content, folders and changes of mode alone."""
    cut: bool
    """Whether the text was too long to be shown in full."""


def references(repo: pygit2.Repository, beginning: str) -> list[str]:
    """The names of references that begin so. Names that are not text belong to nobody here."""
    names = (name for name in repo.raw_listall_references() if name.startswith(beginning.encode()))
    return [name.decode() for name in names if name.isascii()]


def peeled(repo: pygit2.Repository, name: str) -> pygit2.Commit | None:
    """The commit that a reference leads to, if it leads to one."""
    try:
        return repo.references[name].peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        return None


def text_of(commit: pygit2.Commit) -> str:
    """The message, whatever its encoding."""
    return commit.raw_message.decode("utf-8", "replace").strip()


def task_of(commit: pygit2.Commit) -> str | None:
    """The task that made the commit."""
    last = text_of(commit).rpartition("\n")[2]
    return last.removeprefix(TRAILER).strip() if last.startswith(TRAILER) else None


def describe(commit: pygit2.Commit) -> CommitInfo:
    message = text_of(commit)
    author = commit.author.raw_name.decode("utf-8", "replace")
    at = datetime.fromtimestamp(commit.commit_time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return CommitInfo(str(commit.id), message.partition("\n")[0], message, author, at, task_of(commit))


def commits(repo: pygit2.Repository) -> Iterator[pygit2.Commit]:
    """From HEAD back, the newest first."""
    if repo.head_is_unborn:
        return
    for count, commit in enumerate(repo.walk(repo.head.peel(pygit2.Commit).id, SortMode.TOPOLOGICAL | SortMode.TIME)):
        if count >= LONGEST_WALK:
            return
        yield commit


def history(objects: Objects, limit: int, path: str | None) -> list[CommitInfo]:
    """The newest commits, or the newest that changed a path."""
    found: list[CommitInfo] = []
    for commit in commits(objects.repo):
        if len(found) >= limit:
            break
        if path is None or _touches(objects, commit, path):
            found.append(describe(commit))
    return found


def _touches(objects: Objects, commit: pygit2.Commit, path: str) -> bool:
    now = objects.find(commit.tree.id.raw, path)
    before = [objects.find(parent.tree.id.raw, path) for parent in commit.parents]
    return all(now != was for was in before) if before else now is not None


def commit_named(repo: pygit2.Repository, name: str) -> pygit2.Commit:
    """A commit by its id, or the beginning of it."""
    try:
        return repo[name].peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise NotFound(f"There is no commit `{name}` in this project", hint="The history lists them") from error


@dataclass(frozen=True, slots=True)
class CommittedFile:
    """A file or symlink as a commit has it; the bytes of a symlink are its target."""

    path: str
    link: bool
    size: int
    read: Callable[[], bytes]


def files_of(objects: Objects, tree: bytes, above: str = "") -> Iterator[CommittedFile]:
    """Everything in a tree but nested repositories, sorted as git sorts it."""
    for name, item in objects.tree(tree).items():
        path = f"{above}{os.fsdecode(name)}"
        if item.mode == TREE:
            yield from files_of(objects, item.oid, f"{path}/")
        elif item.mode != GITLINK:
            yield CommittedFile(path, item.mode == LINK, objects.size(item.oid), partial(objects.blob, item.oid))


def tag(repo: pygit2.Repository, name: str, commit: pygit2.Commit) -> None:
    """Name a commit for good; the same name again changes nothing."""
    if f"refs/tags/{name}" not in repo.references:
        repo.references.create(f"refs/tags/{name}", commit.id)


def last_good(repo: pygit2.Repository) -> str | None:
    """The newest commit that was deployed or marked as good, on HEAD's line if there is one."""
    good: dict[pygit2.Oid, int] = {}
    for name in [GOOD, *references(repo, GOOD_TAGS)]:
        commit = peeled(repo, name)
        if commit is not None:
            good[commit.id] = commit.commit_time
    if not good:
        return None
    ours = next((commit.id for commit in commits(repo) if commit.id in good), None)
    return str(ours or max(good, key=lambda oid: good[oid]))


def diffs(objects: Objects, changes: Iterable[Changed]) -> list[PathDiff]:
    """What differs at each path, in words that people and programs read, within bounds."""
    found, room = [], LONGEST_DIFFS
    for change in changes:
        diff = _diff(objects, change, min(room, LONGEST_DIFF))
        room -= len(diff.text)
        found.append(diff)
    return found


def _diff(objects: Objects, change: Changed, room: int) -> PathDiff:
    path, before, after = change
    entry = after or before
    binary, text = _text(objects, path, before, after) if room > 0 else (False, "-")
    return PathDiff(
        path=path,
        change=_word(before, after),
        kind=entry.kind if entry else Kind.OTHER,
        mode_before=before.mode if before else None,
        mode_after=after.mode if after else None,
        binary=binary,
        text=text[: max(room, 0)],
        cut=len(text) > room,
    )


def _word(before: Entry | None, after: Entry | None) -> str:
    if before is None:
        return "added"
    if after is None:
        return "removed"
    return "mode" if (before.kind, before.oid) == (after.kind, after.oid) else "changed"


def _text(objects: Objects, path: str, before: Entry | None, after: Entry | None) -> tuple[bool, str]:
    """Whether the content is no text, and the unified diff if it is."""
    sides = [_content(objects, entry) for entry in (before, after)]
    if sides[0] == sides[1] and before and after:
        return False, ""
    if any(side is None or b"\0" in side[:8000] for side in sides):
        return True, ""
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    patch = pygit2.Patch.create_from(
        sides[0] if before else None, sides[1] if after else None, old_as_path=name, new_as_path=name
    )
    return bool(patch.delta.is_binary), patch.data.decode("utf-8", "replace")


def _content(objects: Objects, entry: Entry | None) -> bytes | None:
    """The content to compare; None if there is too much of it."""
    if entry is None or entry.kind not in {Kind.FILE, Kind.SYMLINK}:
        return b""
    return objects.blob(entry.oid) if objects.size(entry.oid) <= LARGEST_COMPARED else None
