"""Zip files in and out: what is taken in is safe, and what goes out is the same every time."""

import io
import stat
import struct
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archives import ArchiveLimits, pack, read_archive
from contracts.errors import AppError, BadInput, NotFound, TooLarge, UnsafePath
from contracts.files import Kind, Node
from project_files import Workspace

LIMITS = ArchiveLimits(files=50, total_bytes=10_000_000, ratio=100.0)
FILE = stat.S_IFREG | 0o644


def zipped(*entries: tuple[str, bytes], mode: int = FILE, kind: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", kind) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = mode << 16
            info.compress_type = kind
            archive.writestr(info, data)
    return made


def project(tmp_path: Path, files: dict[str, bytes]) -> Workspace:
    for name, data in files.items():
        path = tmp_path / "p" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Workspace(tmp_path)


def packed(workspace: Workspace, left_out: Iterable[str] = ()) -> bytes:
    return b"".join(pack(workspace.walk("p"), lambda path: workspace.open_file("p", path), frozenset(left_out)))


@pytest.mark.parametrize(
    "name", ["../a", "/etc/passwd", "a/../../b", "a\\b", "a//b", ".git/config", "x/.GIT/hooks", "con"]
)
def test_a_name_that_leaves_the_project_or_is_reserved_is_refused(name: str) -> None:
    with pytest.raises(UnsafePath):
        read_archive(zipped((name, b"x")), LIMITS)


def test_a_name_with_a_hidden_end_is_refused() -> None:
    raw = zipped(("aXb.txt", b"x")).getvalue().replace(b"aXb.txt", b"a\0b.txt")
    with pytest.raises(UnsafePath):
        read_archive(io.BytesIO(raw), LIMITS)


@pytest.mark.parametrize("mode", [stat.S_IFLNK | 0o777, stat.S_IFIFO | 0o644, stat.S_IFCHR | 0o644])
def test_links_and_special_files_are_refused(mode: int) -> None:
    with pytest.raises(UnsafePath, match="link or a special file"):
        read_archive(zipped(("a", b"/etc/passwd"), mode=mode), LIMITS)


def test_a_folder_that_claims_to_be_a_file_is_refused() -> None:
    with pytest.raises(UnsafePath, match="both a file and a folder"):
        read_archive(zipped(("a/", b"")), LIMITS)


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
@pytest.mark.parametrize("names", [("a", "a"), ("a", "A"), ("é", "é"), ("a", "a/b"), ("A/x", "a")])
def test_names_that_clash_are_refused(names: tuple[str, str]) -> None:
    with pytest.raises(BadInput, match="has both"):
        read_archive(zipped(*((name, b"x") for name in names)), LIMITS)


def test_an_encrypted_entry_is_refused() -> None:
    raw = bytearray(zipped(("a", b"x")).getvalue())
    central = raw.index(b"PK\x01\x02")
    raw[central + 8 : central + 10] = struct.pack("<H", 1)
    with pytest.raises(BadInput, match="encrypted"):
        read_archive(io.BytesIO(bytes(raw)), LIMITS)


def test_unusual_compression_is_refused() -> None:
    with pytest.raises(BadInput, match="unusual"):
        read_archive(zipped(("a", b"x" * 100), kind=zipfile.ZIP_LZMA), LIMITS)


def test_too_many_entries_are_refused() -> None:
    with pytest.raises(TooLarge, match="51 entries"):
        read_archive(zipped(*((f"f{n}", b"") for n in range(51))), LIMITS)


def test_too_much_in_all_is_refused_before_anything_is_unpacked() -> None:
    with pytest.raises(TooLarge, match="unpacks to"):
        read_archive(zipped(*((f"f{n}", bytes(4_000_000)) for n in range(3))), LIMITS)


def test_a_bomb_is_refused_by_how_much_it_grows() -> None:
    with pytest.raises(TooLarge, match="grows more than 100 times"):
        read_archive(zipped(("a", bytes(2_000_000))), LIMITS)


def test_a_lie_about_the_size_is_found_when_it_is_unpacked() -> None:
    raw = bytearray(zipped(("a", b"hello there"), kind=zipfile.ZIP_STORED).getvalue())
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = raw.index(signature) + offset
        raw[start : start + 4] = struct.pack("<I", 9)
    made = io.BytesIO(bytes(raw))
    with pytest.raises(BadInput, match="damaged"):
        read_archive(made, LIMITS)[0].read()


def test_damaged_content_is_found_by_its_checksum() -> None:
    raw = zipped(("a", b"hello there"), kind=zipfile.ZIP_STORED).getvalue().replace(b"hello", b"HELLO")
    made = io.BytesIO(raw)
    with pytest.raises(BadInput, match="damaged"):
        read_archive(made, LIMITS)[0].read()


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_in_words(data: bytes) -> None:
    try:
        read_archive(io.BytesIO(data), LIMITS)
    except AppError as error:
        assert error.status in {400, 413}


def test_what_is_packed_can_be_taken_in_again(tmp_path: Path) -> None:
    files = {"a.txt": b"one", "src/b.bin": bytes(range(256)) * 400, "src/empty": b""}
    workspace = project(tmp_path, files)
    (tmp_path / "p" / "run").write_bytes(b"#!/bin/sh\n")
    (tmp_path / "p" / "run").chmod(0o755)
    (tmp_path / "p" / "hollow").mkdir()
    made = io.BytesIO(packed(workspace))
    entries = {entry.path: entry for entry in read_archive(made, LIMITS)}
    assert {path: entry.read() for path, entry in entries.items() if entry.node.kind is Kind.FILE} == {
        **files,
        "run": b"#!/bin/sh\n",
    }
    assert entries["run"].node.mode == 0o755
    assert entries["hollow"].node.kind is Kind.DIRECTORY


def test_the_same_files_give_the_same_archive(tmp_path: Path) -> None:
    workspace = project(tmp_path, {"b": b"2", "a": b"1"})
    first = packed(workspace)
    (tmp_path / "p" / "a").touch()
    assert packed(workspace) == first


def test_history_dependencies_secrets_and_links_stay_out(tmp_path: Path) -> None:
    names = [".git/config", "node_modules/x/index.js", "src/.env", ".env.local", ".env.example", "main.py"]
    workspace = project(tmp_path, {name: b"x" for name in names})
    (tmp_path / "p" / "out").symlink_to("/etc/passwd")
    with zipfile.ZipFile(io.BytesIO(packed(workspace, {"node_modules"}))) as archive:
        assert [name for name in archive.namelist() if not name.endswith("/")] == [".env.example", "main.py"]


def test_a_file_that_goes_away_meanwhile_is_left_out(tmp_path: Path) -> None:
    def gone(path: str) -> io.BytesIO:
        raise NotFound(f"`{path}` is not there")

    raw = b"".join(pack([("a", Node(Kind.FILE, 0o644, 1))], gone, frozenset()))
    assert zipfile.ZipFile(io.BytesIO(raw)).namelist() == []
