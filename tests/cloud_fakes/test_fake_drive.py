"""The Drive on this machine is as strict as the real one, or tests against it would prove little."""

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from cloud_fakes.drive_query import parse
from cloud_fakes.google_drive import FakeDrive

PERSON = "ada@example.org"


@pytest.fixture(scope="module")
def drive() -> Iterator[FakeDrive]:
    with FakeDrive() as fake:
        yield fake


@pytest.fixture(scope="module")
def token(drive: FakeDrive) -> str:
    info = drive.tokens.add_person(PERSON, drive.token_uri)
    names = ("client_id", "client_secret", "refresh_token")
    form = urlencode({"grant_type": "refresh_token", **{name: info[name] for name in names}})
    status, answer = ask(drive, "POST", "token", form)
    assert status == 200
    return str(answer["access_token"])


def ask(
    drive: FakeDrive, method: str, path: str, body: Any = None, token: str = "", **headers: str
) -> tuple[int, dict[str, Any]]:
    address = urlsplit(drive.url)
    line = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    sent |= {"Authorization": f"Bearer {token}"} if token else {}
    line.request(method, f"/{path}", body if isinstance(body, str | bytes | None) else json.dumps(body), sent)
    answer = line.getresponse()
    data = answer.read()
    line.close()
    return answer.status, json.loads(data) if data else dict(answer.getheaders())


def reason(answer: dict[str, Any]) -> str:
    return str(answer["error"]["errors"][0]["reason"])


def new_id(drive: FakeDrive, token: str) -> str:
    return str(ask(drive, "GET", "drive/v3/files/generateIds?count=1", token=token)[1]["ids"][0])


def test_nobody_gets_in_without_a_token(drive: FakeDrive) -> None:
    status, answer = ask(drive, "GET", "drive/v3/files")
    assert (status, reason(answer)) == (401, "authError")
    assert ask(drive, "POST", "token", "grant_type=refresh_token&refresh_token=x")[1]["error"] == "invalid_grant"


@pytest.mark.parametrize(
    "path",
    ["drive/v3/files?invented=1", "drive/v3/about", "drive/v3/files?q=nonsense", "drive/v3/files?corpora=drive"],
)
def test_what_drive_would_not_understand_is_refused(drive: FakeDrive, token: str, path: str) -> None:
    assert ask(drive, "GET", path, token=token)[0] == 400


def test_an_id_must_come_from_drive_and_serves_once(drive: FakeDrive, token: str) -> None:
    assert ask(drive, "POST", "drive/v3/files", {"id": "mine", "name": "x"}, token)[0] == 400
    id = new_id(drive, token)
    assert ask(drive, "POST", "drive/v3/files", {"id": id, "name": "x"}, token)[0] == 200
    assert ask(drive, "POST", "drive/v3/files", {"id": id, "name": "x"}, token)[0] == 409
    drive.files.remove(id)
    assert ask(drive, "POST", "drive/v3/files", {"id": id, "name": "x"}, token)[0] == 409


def test_without_an_id_the_same_name_is_there_twice(drive: FakeDrive, token: str) -> None:
    """Otherwise duplicates could not be seen."""
    before = len(drive.files.stored())
    for _ in range(2):
        ask(drive, "POST", "drive/v3/files", {"name": "twice", "appProperties": {"ta_path": "twice"}}, token)
    assert len(drive.files.stored()) == before + 2
    assert drive.duplicates() == ["None twice"]


def test_only_the_fields_that_were_asked_for_come_back(drive: FakeDrive, token: str) -> None:
    made = ask(drive, "POST", "drive/v3/files", {"name": "x"}, token)[1]
    assert set(made) == {"kind", "id", "name", "mimeType"}
    assert set(ask(drive, "GET", f"drive/v3/files/{made['id']}?fields=id,size", token=token)[1]) == {"id", "size"}


def test_properties_have_a_bound(drive: FakeDrive, token: str) -> None:
    body = {"name": "x", "appProperties": {"key": "v" * 122}}
    assert ask(drive, "POST", "drive/v3/files", body, token)[0] == 400


def test_shared_drives_are_only_seen_by_who_asks_for_them(drive: FakeDrive, token: str) -> None:
    shared = drive.files.add_shared_drive(PERSON)
    folder = drive.files.add_folder("F", "", shared)
    assert ask(drive, "GET", f"drive/v3/files/{folder}", token=token)[0] == 404
    assert ask(drive, "GET", f"drive/v3/files/{folder}?supportsAllDrives=true", token=token)[0] == 200
    half = ask(drive, "GET", "drive/v3/files?supportsAllDrives=true", token=token)[1]["files"]
    both = "drive/v3/files?supportsAllDrives=true&includeItemsFromAllDrives=true"
    assert folder not in [file["id"] for file in half]
    assert folder in [file["id"] for file in ask(drive, "GET", both, token=token)[1]["files"]]


def test_chunks_have_an_order_and_a_size(drive: FakeDrive, token: str) -> None:
    begin = "upload/drive/v3/files?uploadType=resumable"
    place = urlsplit(ask(drive, "POST", begin, {"name": "large"}, token)[1]["location"])
    path = f"{place.path[1:]}?{place.query}"
    assert ask(drive, "PUT", path, b"x" * 100, token, Content_Range="bytes 0-99/1000")[0] == 400
    assert ask(drive, "PUT", path, b"x" * 10, token, Content_Range="bytes 5-14/15")[0] == 400
    quarter = 256 * 2**10
    status, headers = ask(
        drive, "PUT", path, b"x" * quarter, token, Content_Range=f"bytes 0-{quarter - 1}/{quarter + 1}"
    )
    assert (status, headers["range"]) == (308, f"bytes=0-{quarter - 1}")
    assert ask(drive, "PUT", path, b"", token, Content_Range=f"bytes */{quarter + 1}")[0] == 308
    assert ask(drive, "PUT", path, b"x", token, Content_Range=f"bytes {quarter}-{quarter}/{quarter + 1}")[0] == 200
    assert ask(drive, "PUT", path, b"", token, Content_Range=f"bytes */{quarter + 1}")[0] == 200


FILE = {"name": "it's", "mimeType": "t", "parents": ["p"], "trashed": False, "appProperties": {"a": "1"}}


@pytest.mark.parametrize(
    ("q", "fits"),
    [
        (r"name = 'it\'s'", True),
        ("name != 'x' and trashed = false", True),
        ("not name contains 'it'", False),
        ("'p' in parents and mimeType = 't'", True),
        ("'q' in parents or (trashed = true)", False),
        ("appProperties has { key='a' and value='1' }", True),
        ("appProperties has { key='a' and value='2' }", False),
    ],
)
def test_the_search_language(q: str, fits: bool) -> None:
    assert parse(q)(FILE) is fits


@pytest.mark.parametrize("q", ["name", "name = x", "name = 'x", "trashed = 'x'", "size > '1'", "name = 'a' 'b'", "("])
def test_what_is_no_search_is_refused(q: str) -> None:
    with pytest.raises(ValueError):
        parse(q)
