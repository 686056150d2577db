"""What holds for every place for backups."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backups.base import BackupTarget
from backups.drive_access import DriveAccess
from backups.folder import FolderTarget
from backups.google_drive import GoogleDrive
from cloud_fakes.google_drive import FakeDrive
from tests.backups.places import AGENT, DAY, DrivePlace, FolderPlace, Place, store, upload


@pytest.fixture(scope="module")
def drive() -> Iterator[FakeDrive]:
    with FakeDrive() as fake:
        yield fake


@pytest.fixture(params=["folder", "drive"])
def place(request: pytest.FixtureRequest, tmp_path: Path, drive: FakeDrive) -> Place:
    return FolderPlace(tmp_path / "place") if request.param == "folder" else DrivePlace(drive, tmp_path)


@pytest.fixture
def target(place: Place) -> Iterator[BackupTarget]:
    opened = place.choice.open()
    yield opened
    opened.close()


def test_what_is_stored_comes_back(target: BackupTarget) -> None:
    stored = store(target, upload(b'{"a": 1}\r\n'))
    back = io.BytesIO()
    target.fetch(stored.id, back)
    assert back.getvalue() == b'{"a": 1}\r\n'
    assert (stored.path, stored.agent, stored.size) == (f"{DAY}/101500-t1.json", AGENT, 10)
    assert stored.sums == (upload(b'{"a": 1}\r\n').sums.sha256,)
    assert stored.link.startswith(("file:///", "https://"))
    assert stored.modified.endswith("Z")


@pytest.mark.parametrize("content", [b"", b"{}", b"\r\n", b"\xff\x00\n", b"x" * (9 * 2**20)])
def test_any_content_comes_back_as_it_was(target: BackupTarget, content: bytes) -> None:
    stored = store(target, upload(content))
    back = io.BytesIO()
    target.fetch(stored.id, back)
    assert back.getvalue() == content


def test_a_folder_that_is_there_already_is_no_trouble(target: BackupTarget) -> None:
    id = target.reserve(DAY)
    assert target.make_folder(AGENT, DAY, id, target.top)
    assert target.make_folder(AGENT, DAY, id, target.top)
    assert [s.path for s in target.everything()] == [DAY]


@pytest.mark.parametrize("replaces", [True, False])
def test_the_same_id_is_replaced_and_never_there_twice(target: BackupTarget, place: Place, replaces: bool) -> None:
    first = store(target, upload(b"one"))
    folder = next(s.id for s in target.everything() if s.is_folder)
    second = target.put(upload(b"two"), first.id, folder, replaces=replaces)
    assert second and second.id == first.id
    assert place.contents() == {f"{DAY}/101500-t1.json": b"two"}
    assert place.count() == 1
    assert upload(b"two").sums.sha256 == second.sums[0]


def test_only_logs_are_listed_as_logs_and_the_last_comes_first(target: BackupTarget) -> None:
    for number in range(4):
        store(target, upload(b"{}", f"10150{number}-t.json", f"2026-11-1{number}"))
    store(target, upload(b"{}", f"context-{AGENT}.json"))
    assert [s.path for s in target.recent_logs(3)] == [f"2026-11-1{n}/10150{n}-t.json" for n in (3, 2, 1)]
    assert len(target.recent_logs(100)) == 4


def test_everything_names_files_and_folders_of_all_agents(target: BackupTarget) -> None:
    store(target, upload(b"{}"))
    store(target, upload(b"{}", "101501-t2.json", "2026-11-18", "0" * 12))
    found = {(s.path, s.agent, s.is_folder) for s in target.everything() if not s.is_folder}
    assert found == {(f"{DAY}/101500-t1.json", AGENT, False), ("2026-11-18/101501-t2.json", "0" * 12, False)}
    assert {s.path for s in target.everything() if s.is_folder} == {DAY, "2026-11-18"}


def test_a_folder_that_was_removed_meanwhile_is_said(target: BackupTarget, place: Place) -> None:
    folder = target.reserve(DAY)
    target.make_folder(AGENT, DAY, folder, target.top)
    if isinstance(place, FolderPlace):
        (place.folder / DAY).rmdir()
    else:
        place.drive.files.remove(folder)
    item = upload(b"{}")
    assert target.put(item, target.reserve(item.path), folder, replaces=False) is None


@pytest.fixture(scope="module")
def one_target(drive: FakeDrive) -> Iterator[GoogleDrive]:
    person = drive.tokens.add_person("eve@example.org", drive.token_uri)
    opened = GoogleDrive(DriveAccess(person, drive.files.add_folder("any", "eve@example.org"), url=drive.url))
    yield opened
    opened.close()


@settings(max_examples=25, deadline=None)
@given(content=st.binary(max_size=2000))
def test_bytes_of_all_kinds_pass_through_drive(drive: FakeDrive, one_target: GoogleDrive, content: bytes) -> None:
    """A body of several parts has ends of lines of its own, which must not get into the file."""
    stored = store(one_target, upload(content))
    assert drive.files.files[stored.id].content == content


def test_a_folder_holds_one_sum_for_each_file_at_every_boundary(tmp_path: Path) -> None:
    """Killed between the sums and the file, what is there is still known to be whole."""

    class Killed(BaseException):
        pass

    def kill(name: str) -> None:
        raise Killed

    store(FolderTarget(tmp_path), upload(b"one"))
    with pytest.raises(Killed):
        store(FolderTarget(tmp_path, kill), upload(b"two"))
    [stored] = [s for s in FolderTarget(tmp_path).everything() if not s.is_folder]
    assert (tmp_path / stored.path).read_bytes() == b"one"
    assert upload(b"one").sums.sha256 in stored.sums
    assert store(FolderTarget(tmp_path), upload(b"two")).sums[0] == upload(b"two").sums.sha256


def test_files_of_a_folder_are_for_the_owner_alone(tmp_path: Path) -> None:
    place = FolderPlace(tmp_path / "place")
    store(place.choice.open(), upload(b"{}"))
    modes = {path.stat().st_mode & 0o777 for path in place.folder.rglob("*")}
    assert modes == {0o700, 0o600}
