"""What tests do with generated apps: write them down, look at their form, run their own tests, break them."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = "E,F,W,I,B,UP,C90,PL,RUF,S,SIM"
BESIDES = "PLR2004,S101"


def write(files: dict[str, str], folder: Path) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    return folder


def run(folder: Path, *command: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The command in the app's folder, with nothing of this process's environment that could help or hinder it."""
    clean = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return subprocess.run(
        command,
        cwd=folder,
        env={**clean, "PYTHONDONTWRITEBYTECODE": "1", **(env or {})},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def python(folder: Path, *arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return run(folder, sys.executable, *arguments, env=env)


def assert_ruff_is_content(folder: Path) -> None:
    """By ruff's own rules, not by those of the agent."""
    ruff = str(Path(sys.executable).parent / "ruff")
    formatted = run(folder, ruff, "format", "--isolated", "--no-cache", "--diff", ".")
    assert formatted.returncode == 0, formatted.stdout + formatted.stderr
    chosen = ["--select", RULES, "--ignore", BESIDES]
    checked = run(folder, ruff, "check", "--isolated", "--no-cache", "--output-format", "concise", *chosen, ".")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def assert_bandit_is_content(folder: Path) -> None:
    """Nothing of medium or high severity outside the tests."""
    found = python(folder, "-m", "bandit", "-q", "-r", ".", "-ll", "-x", "./tests")
    assert found.returncode == 0, found.stdout + found.stderr


def run_own_tests(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Without the plugins that happen to be installed beside pytest here: an app does not have them."""
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return python(folder, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments, env=alone)


def assert_own_tests_pass(folder: Path) -> None:
    ran = run_own_tests(folder)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def mutate(folder: Path, name: str, before: str, after: str) -> None:
    """Breaks one file on purpose. What is to be replaced has to be there exactly once."""
    path = folder / name
    text = path.read_text("utf-8")
    assert text.count(before) == 1, f"`{before}` is {text.count(before)} times in {name}"
    path.write_text(text.replace(before, after), "utf-8", newline="")


def assert_own_tests_catch(folder: Path, name: str, before: str, after: str) -> None:
    """Puts the file back afterwards, so that one folder serves for many mutations."""
    path = folder / name
    whole = path.read_bytes()
    mutate(folder, name, before, after)
    try:
        ran = run_own_tests(folder)
        assert ran.returncode == 1, f"{name}: {before} -> {after} was not caught\n{ran.stdout}{ran.stderr}"
    finally:
        path.write_bytes(whole)
