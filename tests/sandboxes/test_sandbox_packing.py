"""Files go in and come back by one stream, and nothing that a sandbox sends can reach further than it should."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import BadInput, NotFound, TooLarge
from sandboxes.base import File, FilesIn, Link, Tree
from sandboxes.packing import (
    END,
    FILE,
    FOLDER,
    LINK,
    REMOVED,
    REPORT,
    SKIPPED,
    STARTED,
    Malformed,
    Unpacker,
    entry,
    pack,
)

ROOM = 10_000_000


def packed(files: FilesIn, room: int = ROOM) -> bytes:
    return b"".join(pack(files, {}, room, set()))


def entries(stream: bytes) -> dict[str, tuple[bytes, int, bytes]]:
    found = {}
    while stream:
        path_length, size = int.from_bytes(stream[3:7]), int.from_bytes(stream[7:15])
        path, data = stream[15 : 15 + path_length], stream[15 + path_length : 15 + path_length + size]
        found[os.fsdecode(path)] = (stream[:1], int.from_bytes(stream[1:3]), data)
        stream = stream[15 + path_length + size :]
    return found


def test_a_folder_is_packed_with_its_files_folders_and_links(tmp_path: Path) -> None:
    (tmp_path / "a" / "empty").mkdir(parents=True)
    (tmp_path / "a" / "run.sh").write_bytes(b"#!")
    (tmp_path / "a" / "run.sh").chmod(0o755)
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("secret")
    os.mkfifo(tmp_path / "pipe")
    found = entries(packed(Tree(tmp_path)))
    assert found["a/run.sh"] == (FILE, 0o755, b"#!")
    assert found["a/empty"][0] == FOLDER
    assert found["link"] == (LINK, 0, b"/etc/passwd")
    assert set(found) == {"a", "a/empty", "a/run.sh", "link", ""}


def test_a_name_that_is_not_text_survives(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9")).write_bytes(b"x")
    assert os.fsdecode(b"caf\xe9") in entries(packed(Tree(tmp_path)))


def test_more_than_fits_is_refused(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 2000)
    with pytest.raises(TooLarge, match="do not fit"):
        packed(Tree(tmp_path), 1000)


def test_a_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(NotFound, match="nowhere"):
        packed(Tree(Path("/nowhere")))


@pytest.mark.parametrize("path", ["../up", "/etc/passwd", "a/../../b", "", "a//b", ".git/hooks/pre-commit", "a\0b"])
def test_a_path_that_leads_out_is_not_packed(path: str) -> None:
    with pytest.raises(BadInput):
        packed({path: b"x"})


def test_links_can_be_put_beside_the_files() -> None:
    names: set[str] = set()
    stream = b"".join(pack({"a": b"1"}, {"node_modules": Link("/opt/modules"), "b": b"2"}, ROOM, names))
    assert entries(stream)["node_modules"] == (LINK, 0, b"/opt/modules")
    assert names == {"a"}


def unpacked(stream: bytes, room: int = ROOM, count: int = 100, step: int = 10_000) -> Unpacker:
    reader = Unpacker(room, count)
    for start in range(0, len(stream), step):
        reader.feed(stream[start : start + step])
    return reader


@settings(deadline=None)
@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=4), st.binary(max_size=50)),
    st.integers(1, 40),
)
def test_whatever_the_pieces_the_files_come_out_as_they_went_in(files: dict[str, bytes], step: int) -> None:
    stream = entry(STARTED) + b"".join(entry(FILE, path, data, 0o644) for path, data in files.items()) + entry(END)
    reader = unpacked(stream, step=step)
    assert reader.started and reader.done
    assert reader.files == {path: File(data) for path, data in files.items()}


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_either_understood_or_refused(noise: bytes) -> None:
    reader = Unpacker(1000, 10)
    try:
        reader.feed(noise)
    except Malformed:
        return
    assert all(safe(path) for path in [*reader.files, *reader.removed])


@settings(deadline=None)
@given(st.lists(st.sampled_from(["..", ".", "", "a", ".git", ".GIT", "b\n", "con", "c:", "/"]), min_size=1, max_size=4))
def test_no_path_that_comes_out_leads_anywhere_else(parts: list[str]) -> None:
    path = "/".join(parts)
    reader = unpacked(entry(FILE, path, b"x", 0o644) + entry(REMOVED, path) + entry(END))
    assert all(safe(name) for name in [*reader.files, *reader.removed])
    assert reader.files or [left.path for left in reader.left_out]


def safe(path: str) -> bool:
    parts = path.split("/")
    return not set(parts) & {"", ".", ".."} and not any(part.lower() == ".git" for part in parts)


def test_a_file_cannot_also_be_a_folder() -> None:
    for first, second in (("a", "a/b"), ("a/b", "a"), ("a", "a")):
        reader = unpacked(entry(FILE, first, b"1", 0o644) + entry(FILE, second, b"2", 0o644) + entry(END))
        assert list(reader.files) == [first]
        assert [left.path for left in reader.left_out] == [second]


def test_special_bits_of_a_mode_do_not_come_out() -> None:
    reader = unpacked(entry(FILE, "a", b"", stat.S_ISUID | 0o755) + entry(END))
    assert reader.files["a"].mode == 0o755


@pytest.mark.parametrize(
    "stream",
    [
        entry(FILE, "a", b"x" * 2000),
        b"".join(entry(FILE, f"f{number}", b"x" * 300) for number in range(5)),
        b"".join(entry(SKIPPED, f"f{number}", b"") for number in range(200)),
        entry(REPORT, "", b"x" * 100_000),
        entry(FILE, "a" * 5000, b""),
        entry(b"?", "a", b""),
        entry(LINK, "a", b"/etc"),
    ],
    ids=["a file", "files together", "names", "a report", "a path", "a kind", "a link"],
)
def test_what_exceeds_the_caps_or_the_language_is_refused(stream: bytes) -> None:
    with pytest.raises(Malformed):
        unpacked(stream, room=1000, count=10)
