"""What apps keep: a folder for each project outside its tree, copied and put back with its databases whole."""

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from contracts.errors import AppError, Failed, NotFound, TooLarge, Unavailable, UnsafePath
from contracts.files import Kind
from contracts.paths import check_project, shown
from sandboxes.uids import data_owners
from workspaces.safe_open import LISTING, Folder, Found, Kernel

MIB = 1024 * 1024
CHUNK = 1024 * 1024
DEEPEST = 64
SQLITE = b"SQLite format 3\0"
COMPANIONS = ("-wal", "-shm", "-journal")
BUSY = "busy"
"""What the program says of a database that was locked all the time."""
PROGRAM = Path(__file__).with_name("backup_databases.py")
TOO_MUCH = "Delete what the app does not need, or raise how much an app may keep"


@dataclass(frozen=True, slots=True)
class Kept:
    """How much a project keeps, and what is wrong if it is more than it may."""

    size: int
    excess: AppError | None = None


@dataclass(frozen=True, slots=True)
class Copied:
    files: int
    size: int
    databases: int = 0
    left_out: tuple[str, ...] = ()
    """Links, pipes and sockets, which are not copied."""


class DataFolders:
    """One folder a project, below a root that every user may pass through. Threads may share it."""

    def __init__(self, root: Path, *, most: int = 1024 * MIB, most_files: int = 10_000, patience: float = 60.0) -> None:
        self._root = root
        self._most = most
        self._most_files = most_files
        self._patience = patience
        self._kernel = Kernel()
        self._lock = threading.Lock()

    def of(self, project: str) -> Path:
        """The project's folder, made if it is not there, with an owner of its own where the service is root."""
        path = self._path(project)
        with self._lock:
            self._root.mkdir(parents=True, exist_ok=True)
            self._root.chmod(0o711)
            self._recover(path)
            with suppress(FileExistsError):
                path.mkdir(mode=0o700)
            if os.geteuid() == 0 and path.lstat().st_uid not in data_owners():
                self._give_to(path, self._new_owner())
        return path

    def kept(self, project: str) -> Kept:
        """Looks at every file; `excess` says what is too much."""
        size = 0
        try:
            with self._open(self._path(project)) as folder:
                for _, found in self._entries(folder):
                    size += found.node.size
        except FileNotFoundError:
            return Kept(0)
        except UnsafePath:  # it was moved away while it was looked at
            return Kept(size)
        except AppError as error:
            return Kept(size, error)
        return Kept(size, self._too_large(project) if size > self._most else None)

    def fingerprint(self, project: str) -> str:
        """The same as long as nothing has changed, so that a copy need not be made again."""
        digest = hashlib.sha256()
        with suppress(FileNotFoundError), self._open(self._path(project)) as folder:
            for path, (node, stamp) in sorted(self._entries(folder)):
                # A database that is only read may leave these behind.
                if not path.endswith("-shm") and not (path.endswith("-wal") and node.size == 0):
                    digest.update(repr((path, node.kind, node.mode, node.size, stamp)).encode(errors="replace"))
        return digest.hexdigest()

    def snapshot(self, project: str, to: Path) -> Copied:
        """Copy all that the project keeps into a new folder; the app may go on running.

        Each database is copied whole, as of one moment; one that is locked all the time raises Unavailable.
        """
        to.mkdir(parents=True, mode=0o700)
        try:
            with self._open(self.of(project)) as source:
                return self._copy(project, source, to, live=True)
        except BaseException:
            _remove(to)
            raise

    def restore(self, project: str, source: Path) -> Copied:
        """Make what the project keeps exactly what `snapshot` copied. The app must not run."""
        path = self.of(project)
        fresh, old = (path.with_name(f".{name}-{path.name}") for name in ("new", "old"))
        for leftover in (fresh, old):
            _remove(leftover)
        fresh.mkdir(mode=0o700)
        with self._open(source) as folder:
            copied = self._copy(project, folder, fresh, live=False)
        with self._lock:
            self._give_to(fresh, path.lstat().st_uid)
            path.rename(old)
            fresh.rename(path)
        _remove(old)
        return copied

    def remove(self, project: str) -> None:
        _remove(self._path(project))

    def _path(self, project: str) -> Path:
        try:
            return self._root / check_project(project)
        except ValueError as error:
            raise UnsafePath(f"`{shown(project)}` cannot be a project: {error}", hint="Choose another name") from error

    def _recover(self, path: Path) -> None:
        """A restore that was killed between its two renames."""
        old = path.with_name(f".old-{path.name}")
        if old.is_dir() and not path.exists():
            old.rename(path)

    def _new_owner(self) -> int:
        taken = {entry.stat(follow_symlinks=False).st_uid for entry in os.scandir(self._root)}
        free = next((uid for uid in data_owners() if uid not in taken), None)
        if free is None:
            raise Failed("there are too many projects that keep data", hint="Remove some of them")
        return free

    def _give_to(self, path: Path, owner: int) -> None:
        if os.geteuid() != 0:
            return
        with self._open(path) as folder:
            for below, _ in self._entries(folder):
                parent, _, name = below.rpartition("/")
                with folder.folder(parent) as place:
                    os.chown(name, owner, owner, dir_fd=place.fd, follow_symlinks=False)
            os.chown(folder.fd, owner, owner)

    def _open(self, path: Path) -> Folder:
        try:
            return Folder(os.open(path, LISTING), self._kernel)
        except OSError as error:
            if error.errno not in {errno.ELOOP, errno.ENOTDIR}:
                raise
            raise UnsafePath(f"`{path.name}` is not a folder with data", hint="Links are not followed") from error

    def _entries(self, folder: Folder) -> Iterator[tuple[str, Found]]:
        """Everything below, folders before what is in them. Raises TooLarge when there is no end to it."""
        waiting, count = [""], 0
        while waiting:
            path = waiting.pop()
            for name, found in folder.scan(path):
                below = f"{path}/{name}" if path else name
                count += 1
                if count > self._most_files or below.count("/") > DEEPEST:
                    raise TooLarge(f"its data has more than {self._most_files:,} files", hint=TOO_MUCH)
                yield below, found
                if found.node.kind is Kind.DIRECTORY:
                    waiting.append(below)

    def _too_large(self, project: str) -> TooLarge:
        return TooLarge(f"`{project}` keeps more than the {self._most // MIB:,} MiB that it may", hint=TOO_MUCH)

    def _copy(self, project: str, source: Folder, to: Path, *, live: bool) -> Copied:
        files, left_out, room = [], [], self._most
        for path, found in self._entries(source):
            if found.node.kind is Kind.DIRECTORY:
                (to / path).mkdir(mode=found.node.mode | 0o700)
            elif found.node.kind is Kind.FILE:
                files.append((path, found.node.mode))
            else:
                left_out.append(shown(path))
        databases = [path for path, _ in files if live and _is_database(source, path)]
        whole = self._back_up(source, databases, to) if databases else set()
        spared = {path + end for path in whole for end in ("", *COMPANIONS)}
        for path, mode in files:
            size = self._copy_file(source, path, to / path, room) if path not in spared else None
            if path in whole:
                size = (to / path).stat().st_size
            if size is not None:
                (to / path).chmod(mode & 0o777 | 0o600)
                room -= size
            if room < 0:
                raise self._too_large(project)
        return Copied(len(files), self._most - room, len(whole), tuple(left_out))

    @staticmethod
    def _copy_file(source: Folder, path: str, to: Path, room: int) -> int | None:
        """How much it was, at most one byte more than there is room for; None if it is gone."""
        try:
            handle = source.open_file(path)
        except (NotFound, UnsafePath):
            return None
        size = 0
        with os.fdopen(handle, "rb") as file, to.open("wb") as copy:
            while size <= room and (data := file.read(min(CHUNK, room + 1 - size))):
                copy.write(data)
                size += len(data)
        return size

    def _back_up(self, source: Folder, databases: list[str], to: Path) -> set[str]:
        """Copies databases by SQLite's own means, and says which. One that SQLite cannot read is left to be copied."""
        with self._workshop(source) as place:
            problems = self._ask_for_copies(source, databases, place)
            done = {path: number for number, path in enumerate(databases) if not problems[number]}
            for path, number in done.items():
                shutil.copyfile(place / str(number), to / path)
        return set(done)

    def _ask_for_copies(self, source: Folder, databases: list[str], place: Path) -> list[str]:
        owner = os.fstat(source.fd).st_uid
        order = {
            "folder": source.fd,
            "place": str(place),
            "names": databases,
            "owner": owner,
            "most": self._most,
            "patience": self._patience / 4,
        }
        try:
            ran = subprocess.run(  # noqa: S603 - the service's own program and interpreter
                [sys.executable, "-I", "-S", str(PROGRAM)],
                input=json.dumps(order).encode(),
                capture_output=True,
                pass_fds=[source.fd],
                timeout=self._patience,
                env={},
                check=True,
            )
        except subprocess.TimeoutExpired as error:
            raise _never_free() from error
        except (OSError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", b"") or b""
            raise Failed(
                "the databases of the app could not be copied",
                hint="Stop the app and try again",
                details={"said": said.decode(errors="replace")[-1000:]},
            ) from error
        problems = [str(problem) for problem in json.loads(ran.stdout)]
        if BUSY in problems:
            raise _never_free()
        return problems

    @contextmanager
    def _workshop(self, source: Folder) -> Iterator[Path]:
        """A folder in which the owner of the data may write."""
        place = Path(tempfile.mkdtemp(prefix=".copy-", dir=self._root))
        try:
            if os.geteuid() == 0:
                owner = os.fstat(source.fd).st_uid
                os.chown(place, owner, owner)
            yield place
        finally:
            _remove(place)


def _never_free() -> Unavailable:
    return Unavailable("a database of the app is never free to be copied", hint="Stop the app and try again")


def _is_database(folder: Folder, path: str) -> bool:
    """By what is in it, whatever its name."""
    try:
        handle = folder.open_file(path)
    except (NotFound, UnsafePath):
        return False
    with os.fdopen(handle, "rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def _remove(folder: Path) -> None:
    """By a program that copes with folders of any depth."""
    subprocess.run(["/bin/rm", "-rf", "--", str(folder)], check=False, env={})  # noqa: S603 - a folder made here
