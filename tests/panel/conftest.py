"""A browser and one service for all that looks at the panel; the panel is built if its sources have changed."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.panel.panel_stage import SECONDS, Stage
from tests.running_apps import PORTS, first_port
from tests.web.live import ROOT, Live, live

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
BUILD = 'root="$1"; command_name=test; source "$1/setup/bootstrap.sh"; source "$1/setup/panel.sh"; prepare_panel'


@pytest.fixture(scope="session")
def built_panel() -> Path:
    """What browsers are given, as `./run` builds it."""
    ran = subprocess.run(["bash", "-c", f"set -eu; {BUILD}", "test", ROOT], capture_output=True, text=True, check=True)
    dist = ROOT / "frontend" / "dist"
    assert (dist / "index.html").exists(), ran.stderr
    return dist


@pytest.fixture(scope="module")
def stage(built_panel: Path) -> Iterator[Stage]:
    """A browser for the tests of one file: a process has only one driver at a time, and others want theirs, too."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    expect.set_options(timeout=SECONDS)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield Stage(browser)
        browser.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that can run code. Tests share it, so each keeps to projects of its own."""
    first = first_port() + PORTS
    with live(
        tmp_path_factory.mktemp("panel") / "home",
        sandbox="auto",
        preview_first_port=first,
        preview_last_port=first + PORTS - 1,
        rate_limit=100_000,
    ) as running:
        yield running
