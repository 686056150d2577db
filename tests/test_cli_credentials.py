"""Credentials from a terminal: typed hidden or piped in, never as a word, never shown."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cli
from contracts.deployments import Account
from credentials import Credentials
from logging_setup import Redactor
from tests.pseudo_terminal import Terminal
from tests.scripted_service import OK, ScriptedService, error, scripted_service

ROOT = Path(__file__).resolve().parents[1]
TOKEN = "vcp_" + "A1b2C3d4" * 4
DONE = {"success": True, "message": "Vercel: Works as Ada; stored here", "credential": {}}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ScriptedService]:
    """Scripted, with the list that the real one gives."""
    real = Credentials(tmp_path, check=lambda *_: Account(""), redactor=Redactor(), clock=lambda: "", environ={})
    with scripted_service() as running:
        running.on("GET /credentials", (200, {**OK, "credentials": real.describe(), "notices": ["Look out"]}))
        running.on("PUT /credentials/vercel", (200, DONE))
        yield running


@pytest.fixture
def environ(tmp_path: Path, service: ScriptedService, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    found = {"AGENT_HOME": str(tmp_path), "AGENT_URL": service.url, "AGENT_TOKEN": "secret-token"}
    for name, value in found.items():
        monkeypatch.setenv(name, value)
    return found


def piped(text: str, *words: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, JSON document, and all that was written anywhere."""
    ran = subprocess.run(
        [sys.executable, "-m", "cli", "credentials", *words, "--json"],
        cwd=ROOT,
        env=os.environ,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, json.loads(ran.stdout), ran.stdout + ran.stderr


def test_a_person_is_shown_the_way_and_what_is_typed_is_not_shown(
    service: ScriptedService, environ: dict[str, str]
) -> None:
    terminal = Terminal("credentials", "set", "vercel", **environ)
    try:
        terminal.until("not shown while you type:")
        assert "1. Sign in at vercel.com" in terminal.shown
        terminal.type(f"{TOKEN}\n")
        terminal.until("empty for your own account")
        terminal.type("crew\n")
        assert terminal.end() == 0
    finally:
        terminal.close()
    assert "Works as Ada" in terminal.shown
    assert TOKEN not in terminal.shown
    assert service.bodies("/credentials/vercel") == [{"values": {"token": TOKEN, "team": "crew"}}]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (f"{TOKEN}\n", {"token": TOKEN}),
        (json.dumps({"token": TOKEN, "team": "crew"}), {"token": TOKEN, "team": "crew"}),
    ],
)
def test_a_script_pipes_it_in(
    service: ScriptedService, environ: dict[str, str], text: str, values: dict[str, str]
) -> None:
    code, said, written = piped(text, "set", "vercel")
    assert (code, said["message"]) == (0, DONE["message"])
    assert TOKEN not in written
    assert service.bodies("/credentials/vercel") == [{"values": values}]


@pytest.mark.parametrize("text", ["", " \n", f'{{"token": "{TOKEN}"'])
def test_an_input_that_is_none_is_told_without_repeating_it(
    service: ScriptedService, environ: dict[str, str], text: str
) -> None:
    code, said, written = piped(text, "set", "vercel")
    assert code == 2
    assert "`token`, `team`" in said["error"]["hint"]
    assert TOKEN not in written
    assert service.bodies("/credentials/vercel") == []


def test_an_account_that_needs_several_values_takes_them_as_json_only(
    service: ScriptedService, environ: dict[str, str]
) -> None:
    code, said, written = piped(TOKEN, "set", "git")
    assert code == 2
    assert said["error"]["hint"] == "Pipe in a JSON object with `token`, `address`, `user`"
    assert TOKEN not in written
    assert service.bodies("/credentials/git") == []


def test_a_secret_as_a_word_is_refused_before_anything_happens(
    service: ScriptedService, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["credentials", "set", "vercel", TOKEN]) == 2
    said = capsys.readouterr()
    assert "Make a new one" in said.err
    assert TOKEN not in said.out + said.err
    assert service.asked == []


def test_the_accounts_are_listed_in_words(
    service: ScriptedService, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["credentials"]) == 0
    said = capsys.readouterr()
    for words in ("vercel", "netlify", "render", "github", "Not set up", "Notice: Look out"):
        assert words in said.out
    assert "./agent credentials set NAME" in said.err


def test_an_account_that_there_is_not_is_named_with_those_that_there_are(
    service: ScriptedService, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["credentials", "set", "aws"]) == 4
    assert "`vercel`, `netlify`" in capsys.readouterr().err


def test_exit_codes_say_how_a_test_and_forgetting_went(
    service: ScriptedService, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    service.on("POST /credentials/vercel/test", (200, {"success": False, "message": "Vercel: Refused: it has ended"}))
    assert cli.main(["credentials", "test", "vercel"]) == 1
    assert "it has ended" in capsys.readouterr().out
    service.on("DELETE /credentials/vercel", (200, OK))
    assert cli.main(["credentials", "forget", "vercel"]) == 0
    service.on("DELETE /credentials/vercel", (409, error("conflict", "It comes from the environment")))
    assert cli.main(["credentials", "forget", "vercel"]) == 5


def test_without_a_service_the_variables_of_the_environment_and_of_the_home_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AGENT_HOME", str(tmp_path))
    monkeypatch.delenv("AGENT_URL", raising=False)
    monkeypatch.setenv("NETLIFY_AUTH_TOKEN", "from-the-environment")
    (tmp_path / ".env").write_text("VERCEL_TOKEN=from-the-file\n")
    assert cli.main(["credentials", "--json"]) == 0
    said = capsys.readouterr().out
    sources = {one["name"]: one["source"] for one in json.loads(said)["credentials"]}
    assert (sources["netlify"], sources["vercel"], sources["render"]) == ("environment", "environment", "")
    assert "from-the" not in said


KEY = json.dumps({"type": "authorized_user", "client_id": "c", "client_secret": "hush-hush", "refresh_token": "hush-1"})


def test_a_key_that_is_a_file_is_piped_in_as_it_is(service: ScriptedService, environ: dict[str, str]) -> None:
    service.on("PUT /credentials/drive", (200, DONE), (200, DONE))
    assert piped(KEY, "set", "drive")[0] == 0
    assert service.bodies("/credentials/drive")[-1] == {"values": {"key": KEY}}
    assert piped(json.dumps({"key": KEY, "folder": "f"}), "set", "drive")[0] == 0
    assert service.bodies("/credentials/drive")[-1] == {"values": {"key": KEY, "folder": "f"}}


@pytest.mark.parametrize("there", [True, False])
def test_a_person_names_the_file_of_a_key(
    service: ScriptedService, environ: dict[str, str], tmp_path: Path, there: bool
) -> None:
    service.on("PUT /credentials/drive", (200, DONE))
    path = tmp_path / "key.json"
    if there:
        path.write_text(KEY)
    terminal = Terminal("credentials", "set", "drive", **environ)
    try:
        terminal.until("which file is it in?")
        terminal.type(f"{path}\n")
        for words in ("is made):", "all others):") if there else ():
            terminal.until(words)
            terminal.type("\n")
        assert terminal.end() == (0 if there else 2)
    finally:
        terminal.close()
    assert "hush" not in terminal.shown
    sent = [{"values": {"key": KEY, "folder": "", "person": ""}}] if there else []
    assert service.bodies("/credentials/drive") == sent
    assert there or "cannot be read" in terminal.shown
