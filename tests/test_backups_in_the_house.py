"""Copies of logs and memory through the whole house: made within seconds, told of, and brought back elsewhere."""

import json
import time
from pathlib import Path

import pytest

import cli
from tests.desk import Desk


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
