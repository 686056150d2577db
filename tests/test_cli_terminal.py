"""The command line as a person meets it: in a real terminal."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import cli
from tests.pseudo_terminal import Terminal
from tests.scripted_service import OK, ScriptedService, error, scripted_service

ROOT = Path(__file__).resolve().parents[1]
CARD = {
    "title": "Make a page",
    "what": {"summary": "2 steps", "steps": [{"title": "Create `index.html`"}], "diff": "+<h1>cats</h1>"},
    "undo": "yes: step by step",
    "cost": "free",
}
WAITS: dict[str, Any] = {
    **{"success": True, "message": "I ask first", "id": "t1", "status": "awaiting_approval", "project": "cats"},
    **{"confirmationNeeded": True, "card": CARD},
}
DONE: dict[str, Any] = {
    **{"success": True, "message": "The page is there", "id": "t1", "status": "succeeded", "project": "cats"},
    **{"confirmationNeeded": False, "result": {"data": {"url": "http://127.0.0.1:5001/"}}},
}


Open = Callable[..., Terminal]


@pytest.fixture
def open_terminal() -> Iterator[Open]:
    opened: list[Terminal] = []

    def open_one(*words: str, **environ: str) -> Terminal:
        opened.append(Terminal(*words, **environ))
        return opened[-1]

    yield open_one
    for terminal in opened:
        terminal.close()


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    with scripted_service() as running:
        running.on("POST /run", (200, WAITS))
        running.on("GET /tasks/t1", (200, {**OK, "task": {"id": "t1"}, "children": []}))
        yield running


@pytest.fixture
def environ(tmp_path: Path, service: ScriptedService) -> dict[str, str]:
    return {"AGENT_HOME": str(tmp_path), "AGENT_URL": service.url, "AGENT_TOKEN": "secret-token"}


def test_the_plan_is_shown_and_asked_about_once_and_enter_means_yes(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str]
) -> None:
    service.on("POST /confirm", (200, DONE))
    terminal = open_terminal("do", "make a page about cats", **environ)
    terminal.until("Go ahead?")
    for words in ("Make a page", "1. Create `index.html`", "<h1>cats</h1>", "yes: step by step", "free"):
        assert words in terminal.shown
    assert service.bodies("/confirm") == []
    terminal.type("\n")
    assert terminal.end() == 0
    assert terminal.shown.count("Go ahead?") == 1
    assert "The page is there" in terminal.shown
    assert "http://127.0.0.1:5001/" in terminal.shown
    assert service.bodies("/run")[0]["goal"] == "make a page about cats"
    assert [body["approve"] for body in service.bodies("/confirm")] == [True]
    assert "\x1b[" in terminal.shown
    assert "secret-token" not in terminal.shown


UNDERSTOOD = {
    "understood": "A web app that keeps cats.",
    "assumptions": ["A cat has a name"],
    "cannot": ["Sending email: left out"],
    "needs": [{"what": "Node.js is missing", "remedy": "Install it"}],
    "checks": [f"check {number}" for number in range(9)],
    "questions": [{"key": "fields", "text": "What is kept of a cat?", "default": "name", "options": ["name", "age"]}],
}


def test_what_was_understood_is_shown_in_words_and_the_code_is_not(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str]
) -> None:
    plan = {**WAITS, **UNDERSTOOD, "questions": [], "card": {**CARD, **UNDERSTOOD}}
    service.on("POST /run", (200, plan))
    service.on("POST /confirm", (200, DONE))
    terminal = open_terminal("do", "an app for cats", **environ)
    terminal.until("Go ahead?")
    for words in ("Understood: A web app that keeps cats.", "Assumed: A cat", "Left out: Sending", "Missing: Node.js"):
        assert words in terminal.shown
    assert "9 checks hold" in terminal.shown and "check 0" in terminal.shown and "<h1>cats</h1>" not in terminal.shown
    terminal.type("\n")
    assert terminal.end() == 0


@pytest.mark.parametrize(("typed", "answered"), [("age\n", [{"fields": "age"}]), ("\n", [])])
def test_questions_of_a_plan_are_asked_once_and_enter_takes_the_default(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str], typed: str, answered: list[dict[str, str]]
) -> None:
    service.on("POST /run", (200, {**WAITS, **UNDERSTOOD}))
    service.on("POST /answer", (200, {**WAITS, "id": "t2", "questions": []}))
    service.on("POST /confirm", (200, DONE))
    terminal = open_terminal("do", "an app for cats", **environ)
    terminal.until("What is kept of a cat? (name, age) [name]")
    terminal.type(typed)
    terminal.until("Go ahead?")
    terminal.type("\n")
    assert terminal.end() == 0
    assert [body["answers"] for body in service.bodies("/answer")] == answered
    assert service.bodies("/confirm")[0]["id"] == ("t2" if answered else "t1")


def test_questions_before_there_is_a_plan_are_asked_and_sent_with_the_sentence(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str]
) -> None:
    first = {"success": False, "message": "It is not clear yet", **UNDERSTOOD, "confirmationNeeded": False}
    service.on("POST /run", (200, first), (200, WAITS))
    service.on("POST /confirm", (200, DONE))
    terminal = open_terminal("do", "an app", **environ)
    terminal.until("What is kept of a cat?")
    terminal.type("age\n")
    terminal.until("Go ahead?")
    terminal.type("\n")
    assert terminal.end() == 0
    assert service.bodies("/run")[1]["answers"] == {"fields": "age"} and service.bodies("/run")[1]["goal"] == "an app"


def test_no_is_a_rejection_and_the_job_was_not_done(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str]
) -> None:
    service.on("POST /confirm", (200, {**DONE, "status": "rejected", "message": "Not done"}))
    terminal = open_terminal("do", "make a page", **environ)
    terminal.until("Go ahead?")
    terminal.type("n\n")
    assert terminal.end() == 1
    assert [body["approve"] for body in service.bodies("/confirm")] == [False]


@pytest.mark.parametrize("typed", ["later\n", "\x04"])
def test_later_leaves_it_waiting(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str], typed: str
) -> None:
    terminal = open_terminal("do", "make a page", **environ)
    terminal.until("Go ahead?")
    terminal.type(typed)
    assert terminal.end() == 3
    assert "./agent approve t1" in terminal.shown
    assert service.bodies("/confirm") == []


def test_a_plan_that_went_stale_is_shown_again(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str]
) -> None:
    fresh = {**CARD, "title": "Make another page"}
    service.on("POST /confirm", (409, error("stale_approval", card=fresh)), (200, DONE))
    terminal = open_terminal("do", "make a page", **environ)
    terminal.until("Go ahead?")
    terminal.type("\n")
    terminal.until("Make another page")
    terminal.type("\n")
    assert terminal.end() == 0
    assert len(service.bodies("/confirm")) == 2


def test_an_interrupt_ends_the_watching_not_the_work(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str]
) -> None:
    task = {"id": "t1", "title": "A long job", "status": "running"}
    service.on("POST /run", (202, {**DONE, "status": "running"}))
    service.on("GET /tasks/t1", (200, {**OK, "task": task, "children": []}))
    terminal = open_terminal("run", "list_files", **environ)
    terminal.until("A long job")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "goes on" in terminal.shown


def test_colours_are_left_out_where_they_are_not_wanted(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str]
) -> None:
    terminal = open_terminal("run", "list_files", **environ, NO_COLOR="1")
    assert terminal.end() == 3
    assert "\x1b[3" not in terminal.shown


def test_a_desktop_browser_opens_the_link_without_showing_it_on_a_command_line(
    open_terminal: Open, service: ScriptedService, environ: dict[str, str], tmp_path: Path
) -> None:
    url = "http://127.0.0.1:5000/#code=one-time"
    service.on("POST /admin/link", (200, {**OK, "url": url, "code": "one-time", "expires": ""}))
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\necho "$@" > {seen}\n')
    browser.chmod(0o700)
    desktop = {"DISPLAY": ":0", "BROWSER": str(browser), "XDG_RUNTIME_DIR": str(tmp_path)}
    terminal = open_terminal("open", **environ, **desktop)
    assert terminal.end() == 0
    assert url in terminal.shown
    address = seen.read_text().strip()
    assert "one-time" not in address
    page = Path(address.removeprefix("file://"))
    assert url in page.read_text()
    assert page.stat().st_mode & 0o077 == 0


def test_the_service_in_front_shows_a_sign_in_link_and_ends_at_ctrl_c(open_terminal: Open, tmp_path: Path) -> None:
    environ = {"AGENT_HOME": str(tmp_path), "AGENT_PORT": "0", "AGENT_SANDBOX": "off"}
    terminal = open_terminal("up", **environ)
    terminal.until("/#code=")
    terminal.until("Ctrl-C")
    second = open_terminal("up", **environ)
    assert second.end() == 0 and "runs already" in second.shown and "/#code=" in second.shown
    terminal.type("\x03")
    assert terminal.end() == 0
    assert not (tmp_path / "service.json").exists()


def test_undo_of_several_asks_in_a_terminal_and_names_them(
    open_terminal: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = {"AGENT_HOME": str(tmp_path), "AGENT_PORT": "0", "AGENT_SANDBOX": "off"}
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert cli.main(["trust", "set", "create_file", "auto"]) == 0
    capsys.readouterr()
    assert cli.main(["run", "create_file", "-p", "n", "path=a", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert cli.main(["run", "create_file", "-p", "n", "path=b"]) == 0
    terminal = open_terminal("undo", first["id"], **environ)
    terminal.until("Go ahead?")
    assert "takes back 2 changes" in terminal.shown
    assert (tmp_path / "workspace" / "n" / "b").exists()
    terminal.type("\n")
    assert terminal.end() == 0
    assert not (tmp_path / "workspace" / "n" / "b").exists()


def test_without_a_terminal_it_says_how_to_approve(service: ScriptedService, environ: dict[str, str]) -> None:
    ended = _piped("do", "make a page", **environ)
    assert ended.returncode == 3
    assert "./agent approve t1" in ended.stderr
    assert "--yes" in ended.stderr
    assert service.bodies("/confirm") == []


def test_without_a_terminal_yes_is_the_recorded_approval(service: ScriptedService, environ: dict[str, str]) -> None:
    service.on("POST /confirm", (200, DONE))
    ended = _piped("do", "make a page", "--yes", **environ)
    assert ended.returncode == 0, ended.stderr
    assert "The page is there" in ended.stdout
    assert "\x1b" not in ended.stdout + ended.stderr
    [approved] = service.bodies("/confirm")
    assert "--yes" in approved["reason"]


def _piped(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli", *words],
        cwd=ROOT,
        env={**os.environ, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
