"""Every log reaches the place for backups once, whatever happens on the way."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backups.choices import DriveChoice, FolderChoice
from backups.outbox import Outbox
from benchmarks.uploads import WAYS, run_trial
from cloud_fakes.google_drive import FakeDrive
from contracts.errors import BadSettings, StoreDamaged
from drive_uploader import DriveUploader, Patience
from tests.backups.places import DAY, PERSON, DrivePlace, FolderPlace, Place, until, write_log
from tests.idleness import sleeps

QUICK = Patience(settle=0.05, first_pause=0.02, longest_pause=0.2, memory_every=3600)
LOG = f"{DAY}/101500-t1.json"


@pytest.fixture(scope="module")
def drive() -> Iterator[FakeDrive]:
    with FakeDrive() as fake:
        yield fake


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture(params=["folder", "drive", "drive with a folder of its own"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "folder":
        yield FolderPlace(tmp_path / "place")
    else:
        with FakeDrive() as fake:
            yield DrivePlace(fake, tmp_path, own_top=request.param != "drive")


@pytest.fixture
def on_drive(drive: FakeDrive, tmp_path: Path) -> Iterator[DrivePlace]:
    yield DrivePlace(drive, tmp_path)
    drive.troubles.clear()


@pytest.fixture
def uploaders() -> Iterator[list[DriveUploader]]:
    made: list[DriveUploader] = []
    yield made
    for uploader in made:
        uploader.close()


def begin(uploaders: list[DriveUploader], home: Path, place: Place, patience: Patience = QUICK) -> DriveUploader:
    uploader = DriveUploader(home, place.choice, patience=patience)
    uploaders.append(uploader)
    uploader.start()
    return uploader


def test_what_was_written_before_and_after_the_start_arrives(
    home: Path, place: Place, uploaders: list[DriveUploader]
) -> None:
    write_log(home, "101500-t1.json", "one")
    (home / "context.json").write_text('{"memory": 1}')
    (home / "logs" / "agent.log").write_text("not a log of a task")
    (home / "logs" / DAY / ".101500-t9.json.123").write_text("half")
    uploader = begin(uploaders, home, place)
    uploader.changed(write_log(home, "101501-t2.json", "two", "2026-11-18"))
    until(lambda: place.count() == 3)
    contents = place.contents()
    [memory] = set(contents) - {LOG, "2026-11-18/101501-t2.json"}
    assert contents == {LOG: b"one", "2026-11-18/101501-t2.json": b"two", memory: b'{"memory": 1}'}
    until(lambda: uploader.status()["pending"] == 0)
    status = uploader.status()
    assert (status["configured"], status["uploaded"], status["last_error"]) == (True, 3, "")
    assert status["last_success"].endswith("Z")
    assert "all is there" in status["words"]


def test_a_log_that_changes_again_replaces_the_same_file(
    home: Path, place: Place, uploaders: list[DriveUploader]
) -> None:
    uploader = begin(uploaders, home, place)
    for text in ("one", "two", "three"):
        uploader.changed(write_log(home, "101500-t1.json", text))
        until(lambda text=text: place.contents().get(LOG) == text.encode())  # type: ignore[misc]
    assert place.count() == 1


def test_after_a_restart_nothing_is_sent_again(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]
) -> None:
    write_log(home, "101500-t1.json", "one")
    first = begin(uploaders, home, on_drive)
    until(lambda: on_drive.count() == 1 and first.status()["pending"] == 0)
    first.close()
    sent = [line for line in on_drive.drive.requests if "upload" in line]
    (home / "logs" / DAY / "101500-t1.json").touch()
    second = begin(uploaders, home, on_drive)
    second.changed(write_log(home, "101501-t2.json", "two"))
    until(lambda: on_drive.count() == 2 and second.status()["pending"] == 0)
    assert len([line for line in on_drive.drive.requests if "upload" in line]) == len(sent) + 1


@pytest.mark.parametrize("lost", ["outbox.db", "agent"])
def test_an_outbox_that_was_lost_asks_what_is_there(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader], lost: str
) -> None:
    write_log(home, "101500-t1.json", "one")
    first = begin(uploaders, home, on_drive)
    until(lambda: on_drive.count() == 1)
    first.close()
    (home / "outbox" / lost).unlink()
    write_log(home, "101500-t1.json", "two")
    second = begin(uploaders, home, on_drive)
    second.changed(write_log(home, "101501-t2.json", "more"))
    until(lambda: on_drive.contents() == {LOG: b"two", f"{DAY}/101501-t2.json": b"more"})
    assert on_drive.count() == 2


def test_the_memory_goes_once_at_first_and_then_not_each_time(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]
) -> None:
    (home / "context.json").write_text("1")
    uploader = begin(uploaders, home, on_drive)
    until(lambda: b"1" in on_drive.contents().values())
    (home / "context.json").write_text("2")
    uploader.changed(write_log(home, "101500-t1.json", "one"))
    until(lambda: on_drive.count() == 2 and uploader.status()["pending"] == 0)
    assert b"2" not in on_drive.contents().values()
    uploader.retry()
    until(lambda: b"2" in on_drive.contents().values())
    assert on_drive.count() == 2


@pytest.mark.parametrize(
    "trouble",
    [
        {"status": 500},
        {"status": 429, "reason": "rateLimitExceeded"},
        {"status": 403, "reason": "userRateLimitExceeded"},
        {"status": 400, "reason": "badRequest"},
        {"cut_after": 5},
        {"cut_answer": True},
    ],
)
def test_what_passes_by_itself_is_tried_until_it_works(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader], trouble: dict[str, Any]
) -> None:
    on_drive.drive.trouble("POST /upload", times=3, **trouble)
    write_log(home, "101500-t1.json", "one")
    uploader = begin(uploaders, home, on_drive)
    until(lambda: on_drive.contents() == {LOG: b"one"} and not uploader.status()["last_error"])
    assert on_drive.count() == 1


def test_trouble_at_the_first_question_passes_too(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]
) -> None:
    on_drive.drive.trouble("GET /drive/v3/files", status=400, reason="badRequest", times=2)
    write_log(home, "101500-t1.json", "one")
    begin(uploaders, home, on_drive)
    until(lambda: on_drive.contents() == {LOG: b"one"})


def test_a_pause_that_is_asked_for_is_kept(home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]) -> None:
    on_drive.drive.trouble("POST /upload", status=503, retry_after="1")
    write_log(home, "101500-t1.json", "one")
    uploader = begin(uploaders, home, on_drive)
    until(lambda: uploader.status()["state"] == "waiting")
    began = time.monotonic()
    assert uploader.status()["pending"] == 1
    assert "tried again" in uploader.status()["words"]
    until(lambda: on_drive.count() == 1)
    assert time.monotonic() - began > 0.8


def test_one_file_in_trouble_does_not_hold_up_the_others(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]
) -> None:
    write_log(home, "101500-t1.json", "one")
    write_log(home, "101501-t2.json", "two")
    on_drive.drive.trouble("POST /upload", status=400, reason="badRequest")
    uploader = begin(uploaders, home, on_drive, replace(QUICK, first_pause=60, longest_pause=60))
    until(lambda: on_drive.contents() == {f"{DAY}/101501-t2.json": b"two"})
    until(lambda: uploader.status()["pending"] == 1)
    assert "refused a request" in uploader.status()["last_error"]
    uploader.retry()
    until(lambda: on_drive.count() == 2 and not uploader.status()["last_error"])


def test_what_needs_a_person_stops_and_goes_on_when_asked(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]
) -> None:
    on_drive.drive.trouble("POST /upload", status=403, reason="storageQuotaExceeded", times=99)
    told: list[tuple[str, str]] = []
    uploader = DriveUploader(home, on_drive.choice, patience=QUICK, tell=lambda *news: told.append(news))
    uploaders.append(uploader)
    write_log(home, "101500-t1.json", "one")
    uploader.start()
    until(lambda: uploader.status()["state"] == "stopped")
    asked = len(on_drive.drive.requests)
    uploader.changed(write_log(home, "101501-t2.json", "two"))
    until(lambda: uploader.status()["pending"] == 2)
    time.sleep(0.5)
    assert len(on_drive.drive.requests) == asked, "it goes on trying"
    assert "is full" in uploader.status()["last_error"]
    assert "Make room" in uploader.status()["hint"]
    on_drive.drive.troubles.clear()
    uploader.retry()
    until(lambda: on_drive.count() == 2 and uploader.status()["state"] == "working")
    assert [state for state, _ in told] == ["stopped", "working"]
    assert uploader.status()["last_error"] == ""


def test_another_place_gets_everything_and_the_first_one_keeps_what_it_has(
    home: Path, on_drive: DrivePlace, tmp_path: Path, uploaders: list[DriveUploader]
) -> None:
    wrong = DriveChoice(tmp_path / "nowhere.json", on_drive.top, url=on_drive.drive.url)
    write_log(home, "101500-t1.json", "one")
    uploader = DriveUploader(home, wrong, patience=QUICK)
    uploaders.append(uploader)
    uploader.start()
    until(lambda: uploader.status()["state"] == "stopped")
    assert "cannot be read" in uploader.status()["last_error"]
    uploader.use(on_drive.choice)
    until(lambda: on_drive.contents() == {LOG: b"one"})
    other = FolderPlace(tmp_path / "other")
    uploader.use(other.choice)
    until(lambda: other.contents() == {LOG: b"one"})
    uploader.use(None)
    assert uploader.status()["configured"] is False
    uploader.use(on_drive.choice)
    uploader.changed(write_log(home, "101500-t1.json", "two"))
    until(lambda: on_drive.contents() == {LOG: b"two"})
    assert (on_drive.count(), other.contents()) == (1, {LOG: b"one"})


@pytest.mark.parametrize("how", ["remove", "trash"])
@pytest.mark.parametrize(("what", "own_top"), [("file", False), ("folder", False), ("all", False), ("all", True)])
def test_what_a_person_removes_is_made_anew(
    home: Path, tmp_path: Path, uploaders: list[DriveUploader], how: str, what: str, own_top: bool
) -> None:
    with FakeDrive() as fake:
        place = DrivePlace(fake, tmp_path, own_top=own_top)
        uploader = begin(uploaders, home, place)
        uploader.changed(write_log(home, "101500-t1.json", "one"))
        until(lambda: place.count() == 1 and uploader.status()["pending"] == 0)
        [file] = fake.files.stored()
        folder = file.meta["parents"][0]
        top = fake.files.files[folder].meta["parents"][0]
        getattr(fake.files, how)({"file": file.meta["id"], "folder": folder, "all": top}[what])
        uploader.changed(write_log(home, "101500-t1.json", "two"))
        if what == "all" and not own_top:
            until(lambda: uploader.status()["state"] == "stopped")
            assert "folder" in uploader.status()["last_error"]
            assert uploader.status()["pending"] == 1
        else:
            until(lambda: place.contents() == {LOG: b"two"})
        assert fake.duplicates() == []
        uploader.close()


def test_a_folder_that_is_not_there_stops_and_loses_nothing(
    home: Path, tmp_path: Path, uploaders: list[DriveUploader]
) -> None:
    uploader = DriveUploader(home, FolderChoice(tmp_path / "usb"), patience=QUICK)
    uploaders.append(uploader)
    write_log(home, "101500-t1.json", "one")
    uploader.start()
    until(lambda: uploader.status()["state"] == "stopped")
    assert "is not there" in uploader.status()["last_error"]
    (tmp_path / "usb").mkdir()
    uploader.retry()
    until((tmp_path / "usb" / LOG).exists)


def test_without_a_place_nothing_happens_and_the_status_is_one_line(home: Path) -> None:
    before = set(threading.enumerate())
    uploader = DriveUploader(home)
    uploader.start()
    uploader.changed(write_log(home, "101500-t1.json", "one"))
    uploader.retry()
    status = uploader.status()
    assert (status["configured"], status["words"]) == (False, "Backups are off: no place for them is set")
    assert not (home / "outbox").exists()
    assert "backups" not in {thread.name for thread in set(threading.enumerate()) - before}
    with pytest.raises(BadSettings, match="off"):
        uploader.list_recent_drive_logs()
    uploader.close()


def test_recent_logs_have_an_id_a_name_a_time_and_a_link(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]
) -> None:
    write_log(home, "101500-t1.json", "one")
    write_log(home, "101501-t2.json", "two")
    (home / "context.json").write_text("{}")
    uploader = begin(uploaders, home, on_drive)
    until(lambda: on_drive.count() == 3)
    found = uploader.list_recent_drive_logs(10)
    assert [set(log) for log in found] == [{"id", "name", "time", "link"}] * 2
    assert [log["name"] for log in uploader.list_recent_logs(1)] == [f"{DAY}/101501-t2.json"]
    uploader.close()
    assert len(uploader.list_recent_logs(10)) == 2, "also while nothing is being sent"
    assert uploader.status()["configured"]


def test_idle_costs_nothing(home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]) -> None:
    """Asleep it makes no request and takes no processor time worth the name."""
    write_log(home, "101500-t1.json", "one")
    uploader = begin(uploaders, home, on_drive)
    until(lambda: on_drive.count() == 1 and uploader.status()["pending"] == 0)
    asked = len(on_drive.drive.requests)
    assert uploader._thread is not None
    assert sleeps([uploader._thread])
    assert len(on_drive.drive.requests) == asked


def test_the_outbox_is_for_the_owner_alone(home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]) -> None:
    write_log(home, "101500-t1.json", "one")
    begin(uploaders, home, on_drive)
    until(lambda: on_drive.count() == 1)
    assert {
        p.name: p.stat().st_mode & 0o777 for p in (home / "outbox").iterdir() if not p.name.endswith("-journal")
    } == {
        "outbox.db": 0o600,
        "agent": 0o600,
    }
    assert (home / "outbox").stat().st_mode & 0o777 == 0o700


def test_an_outbox_that_cannot_be_read_says_what_to_do(home: Path) -> None:
    (home / "outbox").mkdir()
    (home / "outbox" / "outbox.db").write_bytes(b"not a database, but long enough to look at" * 99)
    with pytest.raises(StoreDamaged, match="cannot be read") as refused:
        Outbox(home / "outbox")
    assert "Remove" in refused.value.hint


def test_a_damaged_outbox_stops_backups_and_not_the_agent(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]
) -> None:
    (home / "outbox").mkdir()
    (home / "outbox" / "outbox.db").write_bytes(b"not a database, but long enough to look at" * 99)
    write_log(home, "101500-t1.json", "one")
    uploader = begin(uploaders, home, on_drive)
    until(lambda: uploader.status()["state"] == "stopped")
    (home / "outbox" / "outbox.db").unlink()
    uploader.retry()
    until(lambda: on_drive.count() == 1)


def test_a_log_that_is_gone_or_unreadable_is_no_trouble_for_others(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]
) -> None:
    uploader = begin(uploaders, home, on_drive)
    gone = write_log(home, "101500-t1.json", "one")
    uploader.changed(gone)
    gone.unlink()
    (home / "logs" / DAY / "101502-t3.json").symlink_to("/etc/hostname")
    uploader.changed(home / "logs" / DAY / "101502-t3.json")
    uploader.changed(home / "context.json")
    uploader.changed(Path("/etc/passwd"))
    uploader.changed(write_log(home, "101501-t2.json", "two"))
    until(lambda: on_drive.contents() == {f"{DAY}/101501-t2.json": b"two"})
    until(lambda: "cannot be read" in uploader.status()["last_error"])


def test_the_state_survives_in_one_transaction_each(home: Path) -> None:
    outbox = Outbox(home / "outbox")
    outbox.assign("t", LOG, "id-1")
    outbox.mark("t", [(LOG, 5.0)])
    other = sqlite3.connect(home / "outbox" / "outbox.db")
    assert other.execute("SELECT path, remote, pending FROM items").fetchall() == [(LOG, "id-1", 1)]
    other.close()
    outbox.close()


def test_closing_does_not_wait_for_a_target_that_hangs(
    home: Path, on_drive: DrivePlace, uploaders: list[DriveUploader]
) -> None:
    hang = threading.Event()
    on_drive.drive.trouble("POST /upload", until=hang)
    write_log(home, "101500-t1.json", "one")
    uploader = begin(uploaders, home, on_drive, replace(QUICK, closing=0.2))
    until(lambda: any("POST /upload" in line for line in on_drive.drive.requests[-2:]))
    uploader.close()
    assert uploader._thread is not None and uploader._thread.is_alive(), "it hangs there still"
    hang.set()
    uploader._thread.join()


def test_a_person_who_withdraws_access_is_told(home: Path, tmp_path: Path, uploaders: list[DriveUploader]) -> None:
    with FakeDrive() as fake:
        place = DrivePlace(fake, tmp_path)
        fake.tokens.withdraw(PERSON)
        write_log(home, "101500-t1.json", "one")
        uploader = begin(uploaders, home, place)
        until(lambda: uploader.status()["state"] == "stopped")
        assert "ended or was withdrawn" in uploader.status()["last_error"]
        uploader.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["Google Drive", "folder"])
def test_kill_minus_nine_at_every_boundary_loses_nothing_and_doubles_nothing(kind: str) -> None:
    trial = run_trial(kind, len(WAYS), 7)
    assert set(trial.kills) == set(WAYS)
    assert trial.files > len(WAYS)
    assert not trial.lost
    assert not trial.twice
