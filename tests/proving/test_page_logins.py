"""Checks of signing in through pages: all hold on an app as it is generated, and each way of breaking it is found."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from code_generator import generate_app_code
from contracts.app_spec import AppSpec
from planner import plan_tasks
from proof import AddressVisitor, checks_for, run_check
from proving.check import Grounds
from tests.scaffolds.generated import write

ABOUT_SIGNING_IN = {"login", "accounts", "guessing", "private"}
BROKEN = {
    "guessing": ("service/users.py", "fetchone()[0] >= TRIES", "fetchone()[0] >= 10_000"),
    "login": ("service/users.py", "if not check_password_hash(known, password) or row is None", "if row is None"),
    "accounts": ("service/users.py", "8 <= len(password) <= 200", "len(password) <= 200"),
    "private": ("service/store.py", "id = :id AND owner_id = :owner_id", "id = :id AND :owner_id > 0"),
}


@pytest.fixture(scope="module")
def spec() -> AppSpec:
    found = plan_tasks("web app with login for my notes with title and text", projects={}).spec
    assert found is not None and found.login is not None and found.login.private
    return found


@contextmanager
def started(folder: Path) -> Iterator[str]:
    """The app in the folder, on a port of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "flask", "--app", "app", "run", "--port", str(port)]
    env = {**os.environ, "DATA_DIR": str(folder / "data")}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log)
        try:
            _wait_for(port, process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()
            process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the app did not start")


def failing(spec: AppSpec, folder: Path) -> set[str]:
    with started(folder) as url:
        grounds = Grounds(spec, "salt", visitor=AddressVisitor(url))
        results = [run_check(check, grounds) for check in checks_for(spec) if check.id in ABOUT_SIGNING_IN]
    assert {result.id for result in results} == ABOUT_SIGNING_IN
    return {result.id for result in results if not result.ok}


def test_all_checks_of_signing_in_hold_on_a_generated_app(spec: AppSpec, tmp_path: Path) -> None:
    assert failing(spec, write(generate_app_code(spec), tmp_path)) == set()


@pytest.mark.parametrize("found_by", BROKEN)
def test_each_broken_promise_of_signing_in_is_found(spec: AppSpec, tmp_path: Path, found_by: str) -> None:
    path, right, wrong = BROKEN[found_by]
    files = generate_app_code(spec)
    assert right in files[path]
    assert found_by in failing(spec, write({**files, path: files[path].replace(right, wrong)}, tmp_path))
