"""What of a project is sent to a host: the files of one commit, less what must never leave this machine."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from contracts.errors import Conflict, NotFound, TooLarge
from contracts.paths import shown
from contracts.words import counted
from found_keys import PRIVATE_SETTINGS, key_by_name, keys_in
from git_manager import DEPENDENCY_FOLDERS

MOST_BYTES = 100 * 2**20
MOST_FILES = 10_000
OWN_FOLDERS = frozenset({*DEPENDENCY_FOLDERS, ".git", ".task-agent"})
"""Folders that are made again where the app runs, or that are about its making here."""
DATABASES = (
    *(f".{kind}{part}" for kind in ("db", "sqlite", "sqlite3") for part in ("", "-wal", "-shm", "-journal")),
    ".duckdb",
    ".mdb",
    ".rdb",
)
A_DATABASE = b"SQLite format 3\0"
"""How a database begins, whatever its file is called."""
LISTED = 10
HOPS = 16


class SourceFile(Protocol):
    """A file or symlink, read only when it is wanted. The bytes of a symlink are its target."""

    @property
    def path(self) -> str: ...

    @property
    def link(self) -> bool: ...

    @property
    def size(self) -> int: ...

    @property
    def read(self) -> Callable[[], bytes]: ...


@dataclass(frozen=True, slots=True)
class Contents:
    """The files that go out, and what stays here although somebody may look for it there, in words."""

    files: Mapping[str, bytes]
    left_out: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))


def pack(sources: Iterable[SourceFile], also_left_out: Sequence[str] = ()) -> Contents:
    """Raises TooLarge before much is read, and Conflict with the places if there are keys in the files."""
    left_out = list(also_left_out)
    wanted: dict[str, SourceFile] = {}
    for source in sources:
        if reason := _stays(source.path):
            left_out += [f"`{shown(source.path)}`: {reason}"] if reason != OWN else []
        else:
            wanted[source.path] = source
    _check_size(wanted.values())
    files = {path: source.read() for path, source in wanted.items() if not source.link}
    for path in [path for path, data in files.items() if data.startswith(A_DATABASE)]:
        del files[path]
        left_out.append(f"`{path}`: {DATA_STAYS}")
    links = {path: source for path, source in wanted.items() if source.link}
    for path, source in links.items():
        content = dict(_followed(path, source, files, links))
        files |= content
        _check_size((), count=len(files))  # links to folders with links in them can stand for more than there is
        if not content:
            left_out.append(f"`{path}`: it is a link to something that is not sent")
    _check_size(wanted.values(), sum(map(len, files.values())), len(files))
    _refuse_keys(files)
    return Contents(dict(sorted(files.items())), tuple(left_out))


OWN = "it belongs to this machine"
DATA_STAYS = "it is a database; the data stays here"


def _stays(path: str) -> str:
    """Why a path is not sent; OWN where nobody would miss it."""
    parts = path.split("/")
    if OWN_FOLDERS & set(parts) or any(key_by_name(part) == PRIVATE_SETTINGS for part in parts):
        return OWN
    if found := key_by_name(path):
        return f"it holds {found}"
    if path.lower().endswith(DATABASES):
        return DATA_STAYS
    return "" if shown(path) == path else "its name is not text that every host can take"


def _check_size(sources: Iterable[SourceFile], size: int = 0, count: int = 0) -> None:
    sizes = [source.size for source in sources if not source.link]
    size, count = max(size, sum(sizes)), max(count, len(sizes))
    if size > MOST_BYTES:
        raise TooLarge(
            f"The project has {_megabytes(size)} of files; at most {_megabytes(MOST_BYTES)} are sent to a host. "
            "Nothing was sent",
            hint="Take out what the app does not need to run, such as videos or data, and list it in `.gitignore`",
        )
    if count > MOST_FILES:
        raise TooLarge(
            f"The project has {count:,} files; at most {MOST_FILES:,} are sent to a host. Nothing was sent",
            hint="Take out what the app does not need to run, and list it in `.gitignore`",
        )


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.0f} MB"


def _followed(
    path: str, link: SourceFile, files: Mapping[str, bytes], links: Mapping[str, SourceFile]
) -> Iterator[tuple[str, bytes]]:
    """What stands behind a link, under the link's own name; nothing if that is not among what is sent."""
    target = path
    for _ in range(HOPS):
        given = link.read().decode("utf-8", "surrogateescape")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(target), given))
        if given.startswith("/") or target.startswith(".."):
            return
        if target not in links:
            break
        link = links[target]
    if target in files:
        yield path, files[target]
        return
    inside = "" if target == "." else f"{target}/"
    if not inside or path.startswith(inside):
        return
    for name, data in list(files.items()):
        if name.startswith(inside):
            yield f"{path}/{name.removeprefix(inside)}", data


def _refuse_keys(files: Mapping[str, bytes]) -> None:
    found = [
        f"`{path}` line {_line(data, key)} ({kind})"
        for path, data in sorted(files.items())
        for key, kind in keys_in(data, longest=MOST_BYTES).items()
    ]
    if found:
        raise keys_found(found)


def keys_found(places: Sequence[str]) -> Conflict:
    more = f" and {len(places) - LISTED} more" if len(places) > LISTED else ""
    return Conflict(
        f"Nothing was sent, because there are secrets in the files: {'; '.join(places[:LISTED])}{more}",
        hint="Take them out, let the app read them from its environment, and make the old ones invalid where they "
        "were made",
        details={"places": list(places)},
    )


def _line(data: bytes, key: bytes) -> int:
    return data[: data.index(key)].count(b"\n") + 1


@dataclass(frozen=True, slots=True)
class PlainFile:
    """A file that is there already, as a source."""

    path: str
    size: int
    read: Callable[[], bytes]
    link: bool = field(default=False)


def plain_files(root: Path) -> list[PlainFile]:
    """Every file in a folder, without links. Raises NotFound."""
    if not root.is_dir():
        raise NotFound(f"There is no folder `{root}`", hint="Name a folder that is there")
    found = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
    return [PlainFile(path.relative_to(root).as_posix(), path.stat().st_size, path.read_bytes) for path in found]


def in_words(contents: Contents) -> str:
    size = contents.size
    amount = (
        f"{size:,} bytes" if size < 10_000 else f"{size / 1000:,.0f} KB" if size < 10**6 else f"{size / 10**6:.1f} MB"
    )
    return f"{counted(len(contents.files), 'file')}, {amount}"
