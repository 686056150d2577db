"""Copies of logs and memory through the whole house: made within seconds, told of, and brought back elsewhere."""

import json
import time
from pathlib import Path

import pytest

import cli
from app import Outside
from backup_wiring import DRIVE, backup_choice
from cloud_fakes.google_drive import FakeDrive
from credential_wiring import stored_values
from drive_uploader import restore
from tests.backups.places import PERSON, ROBOT
from tests.desk import Desk, Reply


def test_a_log_is_copied_and_comes_back_on_a_new_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "copies"
    place.mkdir()
    desk = Desk(tmp_path / "home", None, AGENT_BACKUP_FOLDER=str(place))
    desk.agent.open_for_code()
    desk.do("create_file", path="a.txt", content="hi")
    deadline = time.monotonic() + 60
    while desk.get("/backups")["backups"]["pending"] or not desk.get("/logs_from_drive")["logs"]:
        assert time.monotonic() < deadline, desk.get("/backups")
        time.sleep(0.1)
    [copy] = desk.get("/logs_from_drive")["logs"]
    assert set(copy) >= {"id", "name", "time", "link"}
    assert desk.get("/health")["backups"]
    desk.close()
    for name, value in {"AGENT_HOME": str(tmp_path / "new"), "AGENT_BACKUP_FOLDER": str(place)}.items():
        monkeypatch.setenv(name, value)
    assert cli.main(["restore", "--from", "folder", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["success"]
    again = Desk(tmp_path / "new")
    assert [log["title"] for log in again.get("/logs")["logs"]] == ["Create `a.txt`"]
    again.close()


def test_without_a_place_nothing_is_made_and_one_line_says_so(desk: Desk) -> None:
    reply = desk.get("/backups")
    assert not reply["backups"]["configured"] and reply["message"]
    assert not (desk.home / "outbox").exists()
    assert desk.get("/logs_from_drive", status=400)["error"]["hint"]


def test_a_place_that_is_not_set_cannot_be_restored_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AGENT_HOME", str(tmp_path))
    assert cli.main(["restore"]) == 2
    assert "No place for copies is set" in capsys.readouterr().err


def put_key(desk: Desk, **values: str) -> tuple[int, Reply]:
    return desk.send("PUT", "/credentials/drive", {"values": values})


def test_a_key_for_drive_is_entered_tried_kept_and_used_at_once(tmp_path: Path) -> None:
    with FakeDrive() as drive:
        info = drive.tokens.add_person(PERSON, drive.token_uri)
        folder = drive.files.add_folder("Backups", PERSON)
        desk = Desk(tmp_path / "home", Outside(drive_url=drive.url))
        desk.agent.open_for_code()
        assert not desk.get("/backups")["backups"]["configured"]
        status, said = put_key(desk, key=json.dumps(info, indent=2), folder=folder)
        assert status == 200 and PERSON in said["message"], said
        desk.do("create_file", path="a.txt", content="hi")
        deadline = time.monotonic() + 60
        while desk.get("/backups")["backups"]["pending"] or not desk.get("/logs_from_drive")["logs"]:
            assert time.monotonic() < deadline, desk.get("/backups")
            time.sleep(0.1)
        refused = desk.run("create_file", path="b.txt", content=info["refresh_token"], status=400)
        assert refused["error"]["code"] == "secret_in_command"
        assert desk.send("DELETE", "/credentials/drive")[0] == 200
        assert not desk.get("/backups")["backups"]["configured"]
        assert put_key(desk, key=json.dumps(info), folder=folder)[0] == 200
        desk.close()
        kept = [
            path
            for path in desk.home.rglob("*")
            if path.is_file() and info["refresh_token"] in path.read_text("latin-1")
        ]
        assert [path.name for path in kept] == ["credentials.json"]
        choice = backup_choice(desk.settings, "drive", stored_values(desk.home, DRIVE, {}), drive.url)
        assert choice is not None
        target = choice.open()
        found = restore(target, tmp_path / "new")
        target.close()
        assert found.logs == 1 and (tmp_path / "new" / "context.json").exists()


def test_a_key_for_drive_that_could_store_nothing_is_refused_when_it_is_entered(tmp_path: Path) -> None:
    with FakeDrive() as drive:
        person = drive.tokens.add_person(PERSON, drive.token_uri)
        robot = drive.tokens.add_service_account(ROBOT, drive.token_uri)
        shared = drive.files.add_shared_drive(ROBOT)
        desk = Desk(tmp_path / "home", Outside(drive_url=drive.url))
        status, said = put_key(desk, key=json.dumps(robot))
        assert status == 400 and "no storage" in said["message"] and "shared drive" in said["error"]["hint"]
        status, said = put_key(desk, key=json.dumps({**person, "refresh_token": "withdrawn-token"}))
        assert status == 400 and "withdrawn" in said["message"] and "withdrawn-token" not in str(said)
        for wrong in ("hello", "[]", json.dumps({"type": "service_account"})):
            status, said = put_key(desk, key=wrong)
            assert status == 400 and "Nothing was stored" in said["error"]["hint"], said
        assert put_key(desk, key=json.dumps(person), folder="nowhere")[0] == 404
        assert not (desk.home / "credentials.json").exists()
        inside = drive.files.add_folder("Backups", "", shared)
        status, said = put_key(desk, key=json.dumps(robot), folder=inside)
        assert status == 200 and robot["private_key"] not in json.dumps(said)
        assert desk.agent.redactor.text(f"x {robot['private_key']} y") == "x [hidden] y"
        desk.close()
