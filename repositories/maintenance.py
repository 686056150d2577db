"""Keeps a repository small and free of what a killed service left behind. All in-process: no program is run."""

import logging
import os
import struct
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from repositories.history import peeled, references
from repositories.objects import TREE, Objects, parse_tree

log = logging.getLogger(__name__)

AGENT_REFS = "refs/agent/"
OWN_PACKS = "agent/packs"
SNAPSHOT = "Snapshot\n"
MANY_LOOSE = 500
MANY_PACKS = 10
MOST_REFS_AT_ONCE = 1000
MOST_OBJECTS = 300_000
LARGEST_PACKED = 32 << 20
IDX_MAGIC = b"\xfftOc\0\0\0\2"


def locks(git: Path) -> list[Path]:
    """The locks that are held in a repository, or were when someone was killed."""
    named = [git / "index.lock", git / "HEAD.lock", git / "packed-refs.lock"]
    return [path for path in [*named, *(git / "refs").rglob("*.lock")] if path.exists()]


def half_written(git: Path) -> list[Path]:
    """What the library leaves behind when it is killed while it writes an object or a pack."""
    return [*(git / "objects").glob("*_git2_*"), *(git / "objects/pack").glob("*_git2_*")]


def _changed_before(path: Path, moment: float) -> bool:
    try:
        return path.lstat().st_mtime < moment
    except FileNotFoundError:
        return False


def git_at_work(folder: Path) -> bool:
    """Whether a git program runs in the folder or below it."""
    inside = str(folder.resolve())
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if process.joinpath("comm").read_text(errors="replace").startswith("git"):
                at = str(process.joinpath("cwd").readlink())
                if at == inside or at.startswith(f"{inside}/"):
                    return True
    return False


def clear_stale_locks(folder: Path, started: float) -> list[str]:
    """Remove what a killed service left, which is older than this one; nothing while someone's git is at work."""
    git = folder / ".git"
    stale = [path for path in [*locks(git), *half_written(git)] if _changed_before(path, started)]
    if not stale or git_at_work(folder):
        return []
    for path in stale:
        path.unlink(missing_ok=True)
    return sorted(str(path.relative_to(git)) for path in stale)


class Maintenance:
    """Forgets old snapshots and packs what is left. Objects that are not this agent's are never removed."""

    def __init__(self, objects: Objects, folder: Path, keep_days: int) -> None:
        self._objects = objects
        self._repo = objects.repo
        self._git = folder / ".git"
        self._oldest = time.time() - keep_days * 24 * 60 * 60

    def run(self) -> bool:
        """Gives whether stored objects are gone, so that whoever remembers them must begin anew."""
        forgotten = self._forget_old()
        self._repo.compress_references()
        for emptied in (self._git / AGENT_REFS).glob("*"):
            with suppress(OSError):
                emptied.rmdir()
        loose = list(self._loose())
        packs = self._own_packs()
        drop = self._only_in(forgotten) if forgotten else set()
        # Git's own index over several packs would miss those that go.
        whole = (bool(drop) or len(packs) > MANY_PACKS) and not (self._git / "objects/pack/multi-pack-index").exists()
        if not whole and len(loose) < MANY_LOOSE:
            return False
        old = packs if whole else []
        wanted = {oid for oid, _ in loose} | {oid for pack in old for oid in pack_contents(pack)}
        self._pack(wanted - drop if whole else wanted, [pack for pack in packs if pack not in old])
        for _, path in loose:
            path.unlink(missing_ok=True)
        kept = set(self._own_packs())
        for pack in old:
            if pack not in kept:
                for suffix in (".idx", ".pack", ".rev"):
                    pack.with_suffix(suffix).unlink(missing_ok=True)
        return whole

    def _forget_old(self) -> list[bytes]:
        """Drop the references of tasks that are older than is kept; gives the snapshots they held."""
        forgotten: list[bytes] = []
        for name in references(self._repo, AGENT_REFS):
            commit = peeled(self._repo, name)
            if commit is not None and commit.commit_time < self._oldest and len(forgotten) < MOST_REFS_AT_ONCE:
                self._repo.references.delete(name)
                forgotten.append(commit.id.raw)
        return forgotten

    def _loose(self) -> Iterator[tuple[bytes, Path]]:
        for folder in (self._git / "objects").glob("[0-9a-f][0-9a-f]"):
            for path in folder.iterdir():
                if len(path.name) == 38 and path.stat().st_size <= LARGEST_PACKED:
                    yield bytes.fromhex(folder.name + path.name), path

    def _own_packs(self) -> list[Path]:
        try:
            names = (self._git / OWN_PACKS).read_text().split()
        except FileNotFoundError:
            return []
        return [path for name in names if (path := self._git / "objects" / "pack" / name).exists()]

    def _pack(self, oids: Iterable[bytes], others: list[Path]) -> None:
        """Write these objects into one pack that is safe on the disk, and note that it is ours."""
        folder = self._git / "objects" / "pack"
        before = set(folder.glob("pack-*.idx"))
        builder = pygit2.PackBuilder(self._repo)
        builder.set_threads(1)
        for oid in sorted(oids):
            builder.add(pygit2.Oid(raw=oid))
        if len(builder):
            builder.write(folder)
        new = sorted(set(folder.glob("pack-*.idx")) - before)
        for path in new:
            _sync(path.with_suffix(".pack"))
            _sync(path)
        _sync(folder)
        self._git.joinpath(OWN_PACKS).parent.mkdir(exist_ok=True)
        self._git.joinpath(OWN_PACKS).write_text("\n".join(path.name for path in [*others, *new]))

    def _only_in(self, forgotten: list[bytes]) -> set[bytes]:
        """The objects that nothing needs but these snapshots; none if that would take too long to find out."""
        theirs = self._reachable(forgotten)
        needed = self._reachable(self._roots())
        return theirs - needed if theirs and needed else set()

    def _roots(self) -> Iterator[bytes]:
        """Whatever could need objects: references, all commits that are no snapshot, and the index."""
        for name in references(self._repo, "refs/"):
            target = self._repo.references[name].target
            if isinstance(target, pygit2.Oid):
                yield target.raw
        for oid in self._repo.odb:
            kind, _ = self._repo.odb.read_header(oid)
            if kind == ObjectType.TAG:
                yield oid.raw
            elif kind == ObjectType.COMMIT and not self._repo.odb.read(oid)[1].endswith(b"\n\n" + SNAPSHOT.encode()):
                yield oid.raw
        for entry in self._repo.index:
            yield entry.id.raw

    def _reachable(self, roots: Iterable[bytes]) -> set[bytes]:
        seen: set[bytes] = set()
        waiting = list(roots)
        while waiting and len(seen) < MOST_OBJECTS:
            oid = waiting.pop()
            if oid in seen or not self._objects.has(oid):
                continue
            seen.add(oid)
            kind, data = self._repo.odb.read(pygit2.Oid(raw=oid))
            waiting.extend(_references(kind, data, seen))
        return set() if waiting else seen


def _references(kind: int, data: bytes, blobs: set[bytes]) -> Iterator[bytes]:
    """The objects that an object names. Blobs name none, so they are noted at once."""
    if kind == ObjectType.TREE:
        for _, item in parse_tree(data):
            if item.mode == TREE:
                yield item.oid
            else:
                blobs.add(item.oid)
    elif kind in {ObjectType.COMMIT, ObjectType.TAG}:
        for line in data.partition(b"\n\n")[0].split(b"\n"):
            word, _, value = line.partition(b" ")
            if word in {b"tree", b"parent", b"object"}:
                yield bytes.fromhex(value.decode())


def pack_contents(index: Path) -> set[bytes]:
    """The ids that a pack's index lists."""
    data = index.read_bytes()
    if not data.startswith(IDX_MAGIC):
        return set()
    (count,) = struct.unpack_from(">I", data, 8 + 255 * 4)
    start = 8 + 256 * 4
    return {data[at : at + 20] for at in range(start, start + count * 20, 20)}


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
