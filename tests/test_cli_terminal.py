"""The command line as a person meets it: in a real terminal."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted_service import OK, ScriptedService, error, scripted_service

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


class Terminal:
    """A program in a pseudo-terminal of 80 columns."""

    def __init__(self, *words: str, **environ: str) -> None:
        self._ours, theirs = pty.openpty()
        base = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "cli", *words],
            cwd=ROOT,
            env={**base, "TERM": "xterm-256color", **environ},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def until(self, words: str) -> None:
        deadline = time.monotonic() + 60
        while words not in self.shown:
            assert time.monotonic() < deadline, self.shown
            assert self._read(), f"ended without {words!r}:\n{self.shown}"

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        while self._read():
            pass
        os.close(self._ours)
        return self._process.wait(60)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 60)
        try:
            data = os.read(self._ours, 65536) if ready else b""
        except OSError:
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)


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
    service: ScriptedService, environ: dict[str, str]
) -> None:
    service.on("POST /confirm", (200, DONE))
    terminal = Terminal("do", "make a page about cats", **environ)
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


def test_no_is_a_rejection_and_the_job_was_not_done(service: ScriptedService, environ: dict[str, str]) -> None:
    service.on("POST /confirm", (200, {**DONE, "status": "rejected", "message": "Not done"}))
    terminal = Terminal("do", "make a page", **environ)
    terminal.until("Go ahead?")
    terminal.type("n\n")
    assert terminal.end() == 1
    assert [body["approve"] for body in service.bodies("/confirm")] == [False]


@pytest.mark.parametrize("typed", ["later\n", "\x04"])
def test_later_leaves_it_waiting(service: ScriptedService, environ: dict[str, str], typed: str) -> None:
    terminal = Terminal("do", "make a page", **environ)
    terminal.until("Go ahead?")
    terminal.type(typed)
    assert terminal.end() == 3
    assert "./agent approve t1" in terminal.shown
    assert service.bodies("/confirm") == []


def test_a_plan_that_went_stale_is_shown_again(service: ScriptedService, environ: dict[str, str]) -> None:
    fresh = {**CARD, "title": "Make another page"}
    service.on("POST /confirm", (409, error("stale_approval", card=fresh)), (200, DONE))
    terminal = Terminal("do", "make a page", **environ)
    terminal.until("Go ahead?")
    terminal.type("\n")
    terminal.until("Make another page")
    terminal.type("\n")
    assert terminal.end() == 0
    assert len(service.bodies("/confirm")) == 2


def test_an_interrupt_ends_the_watching_not_the_work(service: ScriptedService, environ: dict[str, str]) -> None:
    task = {"id": "t1", "title": "A long job", "status": "running"}
    service.on("POST /run", (202, {**DONE, "status": "running"}))
    service.on("GET /tasks/t1", (200, {**OK, "task": task, "children": []}))
    terminal = Terminal("run", "list_files", **environ)
    terminal.until("A long job")
    os.killpg(terminal._process.pid, 2)
    assert terminal.end() == 130
    assert "goes on" in terminal.shown


def test_colours_are_left_out_where_they_are_not_wanted(service: ScriptedService, environ: dict[str, str]) -> None:
    terminal = Terminal("run", "list_files", **environ, NO_COLOR="1")
    assert terminal.end() == 3
    assert "\x1b[3" not in terminal.shown


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
