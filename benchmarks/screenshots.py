"""Makes the pictures in `docs/screenshots/`: every screen of the panel, on a laptop and on a phone.

`python -m benchmarks.screenshots [--only NAME]`, after `./test` or `./run` have built the panel.
"""

import argparse
import io
import re
import shutil
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.panel_home import lived_in
from tests.panel.panel_stage import LAPTOP, PHONE, Stage
from tests.web.live import ROOT, Live

FOLDER = ROOT / "docs" / "screenshots"
PATHS = re.findall(r'^ +path: "(/[^"]*)"', (ROOT / "frontend/src/routes.tsx").read_text(), re.MULTILINE)
SIZES = {"laptop": LAPTOP, "phone": PHONE}
DARK = ("home", "project", "deployments", "metrics")
"""Screens that are shown in the dark, too."""
QUALITY = 82
PICTURES_SECONDS = 60


def name_of(path: str) -> str:
    return {"/": "home", "/app/projects/$project": "project"}.get(path, path.rsplit("/", 1)[-1])


def addresses(service: Live) -> dict[str, str]:
    """Where each screen shows most, by its name."""
    found = {
        name_of(path): path.replace("$project", "recipes") for path in PATHS if "$" not in path or "project" in path
    }
    entries = service.send("GET", "/timeline?project=notes&changes=true")[1]["entries"]
    chosen = next((entry["id"] for entry in entries if entry["can_undo"] and not entry["undoes"]), "")
    plan = next(
        task["id"]
        for task in service.send("GET", "/tasks?status=awaiting_approval&root=true")[1]["tasks"]
        if task["intent"] == "plan"
    )
    if "timeline" in found:
        found["timeline"] += f"?at={chosen}"
    if "approvals" in found:
        found["approvals"] += f"?task={plan}"
    projects = [project["name"] for project in service.send("GET", "/projects")[1]["projects"]]
    found["log"] = log_of(service, "Recipes")
    found["project"] = f"/app/projects/{next(name for name in projects if 'recipe' in name)}"
    return found


def log_of(service: Live, title: str) -> str:
    logs = service.send("GET", "/logs?limit=50")[1]["logs"]
    found = next(log for log in logs if log["title"] == title)
    return f"/app/logs/{found['date']}/{found['name']}"


def wait_for_pictures(service: Live) -> None:
    """Apps are photographed in the background."""
    until = time.monotonic() + PICTURES_SECONDS
    while time.monotonic() < until:
        shown = [one for one in service.send("GET", "/projects")[1]["projects"] if one["preview"]["state"] == "running"]
        if shown and all(one["picture"] for one in shown):
            return
        time.sleep(0.5)


def settled(page: Page) -> None:
    page.wait_for_function("() => !document.querySelector('[aria-busy=true], main [data-loading]')")
    for frame in page.frames[1:]:
        frame.wait_for_load_state("load")
    page.wait_for_timeout(1200)


def keep(page: Page, name: str) -> None:
    shot = Image.open(io.BytesIO(page.screenshot()))
    path = FOLDER / f"{name}.webp"
    shot.convert("RGB").save(path, "WEBP", quality=QUALITY, method=6)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB")


def look(browser: Browser, service: Live, only: str | None) -> None:
    stage = Stage(browser)
    for name, address in addresses(service).items():
        if only not in (None, name):
            continue
        for size, width in SIZES.items():
            for dark in (False, True) if name in DARK else (False,):
                with stage.seat(service, width=width, dark=dark, strict=False) as seat:
                    seat.open(address).connected()
                    settled(seat.page)
                    keep(seat.page, f"{name}-{size}{'-dark' if dark else ''}")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", help="the name of one screen")
    only = asked.parse_args().only
    FOLDER.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.gettempdir()) / "task-agent"
    shutil.rmtree(home, ignore_errors=True)
    # One picture shows where it is.
    with lived_in(home, 7300) as service:
        wait_for_pictures(service)
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            look(browser, service, only)
            browser.close()


if __name__ == "__main__":
    main()
