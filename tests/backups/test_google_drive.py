"""What Google Drive can answer, and what becomes of it: plain words, and never a secret."""

import io
import json
import logging
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backups.choices import DriveChoice
from backups.drive_access import DriveAccess, folder_id, read_key
from backups.google_drive import GoogleDrive
from cloud_fakes.google_drive import FakeDrive
from contracts.errors import AppError, BadSettings, Failed, Forbidden, NotFound, TooMany, Unauthorized, Unavailable
from tests.backups.places import AGENT, DAY, PERSON, ROBOT, store, upload


@pytest.fixture(scope="module")
def robot() -> Iterator[tuple[FakeDrive, dict[str, str]]]:
    """A service account, made once because its key takes long."""
    with FakeDrive() as fake:
        yield fake, fake.tokens.add_service_account(ROBOT, fake.token_uri)


@pytest.fixture
def drive() -> Iterator[FakeDrive]:
    with FakeDrive() as fake:
        yield fake


@pytest.fixture
def info(drive: FakeDrive) -> dict[str, str]:
    return drive.tokens.add_person(PERSON, drive.token_uri)


@pytest.fixture
def target(drive: FakeDrive, info: dict[str, str]) -> Iterator[GoogleDrive]:
    opened = GoogleDrive(DriveAccess(info, drive.files.add_folder("Backups", PERSON), url=drive.url))
    yield opened
    opened.close()


def robots(robot: tuple[FakeDrive, dict[str, str]], folder: str, subject: str = "") -> GoogleDrive:
    return GoogleDrive(DriveAccess(robot[1], folder, subject, robot[0].url))


def test_a_service_account_stores_in_a_shared_drive(robot: tuple[FakeDrive, dict[str, str]]) -> None:
    fake = robot[0]
    shared = fake.files.add_shared_drive(ROBOT)
    target = robots(robot, fake.files.add_folder("Backups", "", shared))
    stored = store(target, upload(b"{}"))
    assert [s.id for s in target.recent_logs(5)] == [stored.id]
    assert fake.files.files[stored.id].drive_id == shared
    assert any("corpora=drive" in line and f"driveId={shared}" in line for line in fake.requests)
    target.close()


def test_a_service_account_has_no_room_and_is_told_the_ways_round(robot: tuple[FakeDrive, dict[str, str]]) -> None:
    folder = robot[0].files.add_folder("Backups", PERSON)
    robot[0].files.share(folder, ROBOT)
    target = robots(robot, folder)
    with pytest.raises(Forbidden) as refused:
        store(target, upload(b"{}"))
    assert "no storage of their own" in refused.value.message
    assert all(way in refused.value.hint for way in ("shared drive", "delegation", "OAuth", "Gmail"))
    assert not refused.value.retryable
    target.close()


def test_a_service_account_may_act_for_a_person(robot: tuple[FakeDrive, dict[str, str]]) -> None:
    fake = robot[0]
    target = robots(robot, fake.files.add_folder("Backups", "boss@example.org"), "boss@example.org")
    with pytest.raises(Unauthorized, match=r"may not act for boss@example\.org") as refused:
        target.recent_logs(1)
    assert "administrator" in refused.value.hint
    fake.tokens.allow_acting_for(ROBOT, "boss@example.org")
    stored = store(target, upload(b"{}"))
    assert fake.files.files[stored.id].owner == "boss@example.org"
    target.close()


def test_a_key_of_another_account_is_refused(robot: tuple[FakeDrive, dict[str, str]]) -> None:
    info = robot[1] | {"client_email": "other@project.iam.gserviceaccount.com"}
    target = GoogleDrive(DriveAccess(info, "x", url=robot[0].url))
    with pytest.raises(Unauthorized, match="does not accept the service account's key"):
        target.recent_logs(1)
    target.close()


REFUSALS: list[tuple[int, str, type[AppError], bool, str]] = [
    (400, "badRequest", Failed, False, "refused a request"),
    (401, "authError", Unauthorized, False, "does not accept the key"),
    (403, "storageQuotaExceeded", Forbidden, False, "is full"),
    (403, "userRateLimitExceeded", TooMany, True, "slow down"),
    (403, "rateLimitExceeded", TooMany, True, "slow down"),
    (403, "insufficientFilePermissions", Forbidden, False, "may not write"),
    (403, "appNotAuthorizedToFile", Forbidden, False, "only files that the agent made"),
    (403, "teamDriveFileLimitExceeded", Forbidden, False, "as many items as Google allows"),
    (403, "accessNotConfigured", Forbidden, False, "switched off"),
    (404, "notFound", NotFound, False, "is not there"),
    (429, "rateLimitExceeded", TooMany, True, "slow down"),
    (500, "backendError", Unavailable, True, "problem of its own"),
    (503, "backendError", Unavailable, True, "problem of its own"),
]


@pytest.mark.parametrize(("status", "reason", "kind", "retryable", "words"), REFUSALS)
def test_every_refusal_has_its_words(
    drive: FakeDrive, target: GoogleDrive, status: int, reason: str, kind: type[AppError], retryable: bool, words: str
) -> None:
    drive.trouble("GET /drive/v3/files", status=status, reason=reason, times=9)
    with pytest.raises(AppError) as refused:
        target.recent_logs(1)
    assert type(refused.value) is kind
    assert refused.value.retryable is retryable
    assert words in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize(("text", "low", "high"), [("7", 7, 7), ("Tue, 17 Nov 2099 10:00:00 GMT", 10**9, 10**10)])
def test_the_pause_that_drive_asks_for_is_handed_on(
    drive: FakeDrive, target: GoogleDrive, text: str, low: float, high: float
) -> None:
    drive.trouble("GET /drive", status=429, reason="rateLimitExceeded", retry_after=text)
    with pytest.raises(TooMany) as refused:
        target.reserve("x")
    assert low <= refused.value.details["retry_after"] <= high


def test_a_connection_that_is_cut_or_slow_may_be_better_later(
    drive: FakeDrive, info: dict[str, str], target: GoogleDrive
) -> None:
    folder, id = _folder(target), target.reserve("x")
    drive.trouble("POST /upload", cut_after=20)
    with pytest.raises(Unavailable, match="cannot be reached"):
        target.put(upload(b"{}" * 1000), id, folder, replaces=False)
    hang = threading.Event()
    drive.trouble("POST /upload", until=hang)
    hasty = GoogleDrive(DriveAccess(info, target.top, url=drive.url), seconds=0.5)
    with pytest.raises(Unavailable, match="did not answer in time"):
        hasty.put(upload(b"{}"), id, folder, replaces=False)
    hasty.close()
    assert target.put(upload(b"{}"), id, folder, replaces=False)
    hang.set()
    drive.quiet()
    assert len(drive.files.stored()) == 1


def test_an_answer_that_never_came_leads_to_no_second_file(drive: FakeDrive, target: GoogleDrive) -> None:
    folder, id = _folder(target), target.reserve("x")
    drive.trouble("POST /upload", cut_answer=True)
    with pytest.raises(Unavailable):
        target.put(upload(b"one"), id, folder, replaces=False)
    assert len(drive.files.stored()) == 1
    assert target.put(upload(b"two"), id, folder, replaces=False)
    assert [f.content for f in drive.files.stored()] == [b"two"]


@pytest.mark.parametrize("trouble", [{"cut_after": 300_000}, {"cut_answer": True}])
def test_a_large_file_goes_on_where_its_connection_was_cut(
    drive: FakeDrive, target: GoogleDrive, trouble: dict[str, Any]
) -> None:
    folder, content = _folder(target), b"0123456789abcdef" * 2**16 * 9
    drive.trouble("PUT /upload", **trouble)
    stored = target.put(upload(content), target.reserve("x"), folder, replaces=False)
    assert stored and drive.files.files[stored.id].content == content
    assert sum("uploadType=resumable" in line for line in drive.requests) == 1, "it was not begun anew"


def test_a_server_that_always_cuts_is_given_up_for_now(drive: FakeDrive, target: GoogleDrive) -> None:
    folder = _folder(target)
    drive.trouble("PUT /upload", cut_after=1000, times=99)
    with pytest.raises(Unavailable):
        target.put(upload(b"x" * 5 * 2**20), target.reserve("x"), folder, replaces=False)


def test_a_chunk_that_is_refused_tells_why(drive: FakeDrive, target: GoogleDrive) -> None:
    folder = _folder(target)
    drive.trouble("PUT /upload", status=403, reason="storageQuotaExceeded")
    with pytest.raises(Forbidden, match="is full"):
        target.put(upload(b"x" * 5 * 2**20), target.reserve("x"), folder, replaces=False)


def test_an_access_token_that_ran_out_is_renewed(drive: FakeDrive, target: GoogleDrive) -> None:
    store(target, upload(b"{}"))
    drive.tokens.forget(PERSON)
    assert len(target.recent_logs(5)) == 1
    assert drive.requests.count("POST /token") == 2


def test_access_that_was_withdrawn_needs_the_person(drive: FakeDrive, target: GoogleDrive) -> None:
    store(target, upload(b"{}"))
    drive.tokens.withdraw(PERSON)
    with pytest.raises(Unauthorized, match="ended or was withdrawn") as refused:
        target.recent_logs(5)
    assert "Sign in again" in refused.value.hint


@pytest.mark.parametrize(("status", "kind"), [(503, Unavailable), (400, Unauthorized)])
def test_signing_in_can_fail_for_a_while_or_for_good(
    drive: FakeDrive, target: GoogleDrive, status: int, kind: type[AppError]
) -> None:
    drive.trouble("POST /token", status=status, times=99)
    with pytest.raises(kind):
        target.recent_logs(1)


def test_nobody_there_may_be_better_later(info: dict[str, str]) -> None:
    target = GoogleDrive(DriveAccess(info | {"token_uri": "http://127.0.0.1:9/token"}, url="http://127.0.0.1:9/"))
    with pytest.raises(Unavailable, match="cannot be reached"):
        target.recent_logs(1)
    target.close()


def test_secrets_stay_out_of_errors_and_logs(
    drive: FakeDrive, info: dict[str, str], target: GoogleDrive, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told = []
    for trouble in ("POST /token", "GET /drive", "GET /drive"):
        drive.trouble(trouble, status=401, times=9)
        with pytest.raises(AppError) as refused:
            target.recent_logs(1)
        told.append("".join(traceback.format_exception(refused.value)) + repr(refused.value.describe()))
        drive.troubles.clear()
        drive.tokens.withdraw(PERSON)
    everything = "\n".join([*told, caplog.text, repr(target), repr(DriveAccess(info))])
    assert not [name for name in ("refresh_token", "client_secret") if info[name] in everything]
    assert "ya29." not in everything


def test_the_folder_is_named_by_its_link_or_id() -> None:
    assert folder_id("https://drive.google.com/drive/folders/1aB-c_D?usp=sharing") == "1aB-c_D"
    assert folder_id("https://drive.google.com/drive/u/0/folders/1aB-c_D") == "1aB-c_D"
    assert folder_id(" 1aB-c_D ") == "1aB-c_D"
    assert folder_id("") == ""
    for wrong in ("https://example.org/folders/1", "a b", "x' or '1'='1"):
        with pytest.raises(BadSettings):
            folder_id(wrong)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot be read"),
        ("not json", "is not a key file"),
        ("[1]", "is not a key file"),
        ('{"type": "other"}', "is not a key file"),
        ('{"type": "service_account", "private_key": "-secret-"}', "`client_email`, `token_uri`"),
        ('{"type": "authorized_user", "refresh_token": 5}', "`client_id`, `client_secret`, `refresh_token`"),
    ],
)
def test_a_wrong_key_file_is_explained_without_showing_it(tmp_path: Path, text: str | None, words: str) -> None:
    path = tmp_path / "key.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadSettings) as refused:
        read_key(path)
    assert words in refused.value.message
    assert "-secret-" not in refused.value.message + refused.value.hint


def test_a_key_that_is_no_key_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "key.json"
    info = {"type": "service_account", "client_email": ROBOT, "private_key": "-broken-", "token_uri": "https://x/"}
    path.write_text(json.dumps(info))
    with pytest.raises(BadSettings, match="cannot be read") as refused:
        DriveChoice(path).open()
    assert "-broken-" not in "".join(traceback.format_exception(refused.value))


def test_a_file_in_the_bin_is_made_anew(drive: FakeDrive, target: GoogleDrive) -> None:
    stored = store(target, upload(b"{}"))
    drive.files.trash(stored.id)
    folder = next(s.id for s in target.everything() if s.is_folder)
    assert target.put(upload(b"new"), stored.id, folder, replaces=True) is None


def test_the_chosen_folder_in_the_bin_needs_a_person(drive: FakeDrive, target: GoogleDrive) -> None:
    drive.files.trash(target.top)
    with pytest.raises(NotFound, match="in the bin"):
        target.recent_logs(1)


def test_many_pages_are_read_to_the_end(drive: FakeDrive, target: GoogleDrive) -> None:
    folder = _folder(target)
    first = target.put(upload(b"{}"), target.reserve("x"), folder, replaces=False)
    assert first
    meta = drive.files.files[first.id].meta
    for number in range(1100):
        marks = meta["appProperties"] | {"ta_path": f"{DAY}/{number:06}-t.json"}
        drive.files.files[f"copy{number}"] = type(drive.files.files[first.id])(
            meta | {"id": f"copy{number}", "appProperties": marks}, PERSON
        )
    assert len({s.path for s in target.everything()}) == 1102
    assert len(target.recent_logs(1050)) == 1050
    assert len(target.recent_logs(7)) == 7


def test_what_arrives_changed_is_not_taken_for_stored(drive: FakeDrive, target: GoogleDrive) -> None:
    folder, item = _folder(target), upload(b"{}")
    item.file.close()
    changed = type(item)(item.agent, item.path, io.BytesIO(b"[]"), item.sums)
    with pytest.raises(Failed, match="arrived damaged"):
        target.put(changed, target.reserve("x"), folder, replaces=False)


def _folder(target: GoogleDrive) -> str:
    id = target.reserve(DAY)
    assert target.make_folder(AGENT, DAY, id, target.top)
    return id
