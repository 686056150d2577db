"""Builds apps from sentences on fresh agents, and looks at each with tools that know nothing of how it was made."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from tests.desk import Desk

RUFF = ("check", "--quiet", "--isolated", "--select", "E,F,W,I,B,UP,C90,S,SIM", "--ignore", "S101")
CHROMIUM = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
WIDTHS = {"phone": 390, "desktop": 1440}
PHASES = ("create_app", "update_app", "create_ui", "install_dependencies", "build_ui", "test_app", "deploy_app")
WAIT = 900


@dataclass(slots=True)
class Built:
    """What came of one sentence."""

    outcome: str
    """`built`, `question_with_plan` (asked, and built with the defaults), `question`, `refused` or `failed`."""
    reply: dict[str, Any]
    seconds: float
    phases: dict[str, float] = field(default_factory=dict)
    proof: dict[str, Any] = field(default_factory=dict)
    waits_for: str = ""
    """A host that was named and to which this agent has no access: all but putting it there is done."""

    @property
    def project(self) -> str:
        return str(self.reply.get("project") or "")

    @property
    def url(self) -> str:
        return str(((self.reply.get("result") or {}).get("data") or {}).get("url") or "")


@contextmanager
def fresh_agent(sandbox_root: Path, first_port: int) -> Iterator[Desk]:
    """An agent that has never done anything; packages that were installed before are there."""
    home = Path(tempfile.mkdtemp(prefix="requests-"))
    desk = Desk(
        home,
        None,
        AGENT_SANDBOX_ROOT=str(sandbox_root),
        AGENT_PREVIEW_FIRST_PORT=str(first_port),
        AGENT_PREVIEW_LAST_PORT=str(first_port + 40),
    )
    try:
        yield desk
    finally:
        desk.close()
        shutil.rmtree(home, ignore_errors=True)


def build(desk: Desk, request: str, project: str | None = None) -> Built:
    """Send the sentence, say yes to the plan, wait for the end."""
    begun = time.perf_counter()
    command = {"goal": request, "wait": WAIT, **({"project": project} if project else {})}
    status, reply = desk.send("POST", "/run", command)
    if status >= 400:
        return Built("refused", reply, time.perf_counter() - begun)
    if not reply.get("plannedSteps"):
        return Built("question", reply, time.perf_counter() - begun)
    plan, asked = reply["id"], bool(reply.get("questions"))
    if reply["confirmationNeeded"]:
        status, reply = desk.send("POST", "/confirm", {"id": plan, "approve": True, "wait": WAIT})
    seconds = time.perf_counter() - begun
    done = status < 400 and reply.get("success") and reply.get("status") == "succeeded"
    children = desk.get(f"/tasks/{plan}")["children"]
    waits_for = _host_without_access(children)
    done = done or bool(waits_for)
    phases = {task["intent"]: float(task["seconds"] or 0) for task in children}
    tested: dict[str, Any] = next((task for task in children if task["intent"] == "test_app"), {})
    proof = ((tested.get("result") or {}).get("data") or {}).get("proof") or {}
    finished = "question_with_plan" if asked else "built"
    return Built(finished if done else "failed", reply, seconds, phases, proof, waits_for)


def _host_without_access(children: list[dict[str, Any]]) -> str:
    """The host for which the last step waits, if everything before it succeeded."""
    *before, last = children
    waits = last["intent"] == "deploy_app" and last["status"] == "awaiting_approval"
    if not waits or any(task["status"] != "succeeded" for task in before):
        return ""
    return str(((last.get("card") or {}).get("what") or {}).get("credential") or "")


def lint(folder: Path) -> list[str]:
    """What ruff and Bandit say of the code, apart from its tests for Bandit."""
    found = []
    ruff = subprocess.run(
        [sys.executable, "-m", "ruff", *RUFF, "."], capture_output=True, text=True, check=False, cwd=folder
    )
    if ruff.returncode:
        found.append(f"ruff: {ruff.stdout[:300]}")
    bandit = subprocess.run(
        [sys.executable, "-m", "bandit", "-q", "-r", str(folder), "-x", str(folder / "tests"), "-ll", "-f", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    results = json.loads(bandit.stdout or '{"results": []}')["results"]
    return [*found, *(f"bandit: {one['issue_text']} in {one['filename']}" for one in results)]


def fuzz(url: str, seconds: int = 60) -> list[str]:
    """What schemathesis finds when it sends what the OpenAPI document allows and forbids."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{url}openapi.json", "--checks", "not_a_server_error"]
    command += ["--max-examples", "10", "--seed", "1", "--phases", "examples,coverage,fuzzing", "--workers", "1"]
    command += ["--no-color", "--request-timeout", "10"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds * 5)
    except subprocess.TimeoutExpired:
        return ["schemathesis: no end after five minutes"]
    server_errors = ran.returncode != 0 and "Server error" in ran.stdout
    return [f"schemathesis: {ran.stdout[-600:]}"] if server_errors else []


def look(urls: list[str], shots: Path | None, name: str) -> list[str]:
    """What is wrong with pages in a real browser: errors of scripts, serious findings of axe, sideways scrolling."""
    found: list[str] = []

    def broken(error: object) -> None:
        found.append(f"script: {error}")

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM)
        for size, width in WIDTHS.items():
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.on("pageerror", broken)
            for number, url in enumerate(urls):
                page.goto(url, wait_until="networkidle")
                if shots:
                    page.screenshot(path=str(shots / f"{name}-{number}-{size}.png"), full_page=True)
                if page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1"):
                    found.append(f"{url} scrolls sideways at {width} px")
                grave = [
                    one["id"]
                    for one in Axe().run(page).response["violations"]
                    if one["impact"] in {"serious", "critical"}
                ]
                found += [f"axe at {width} px: {rule} on {url}" for rule in grave]
            page.close()
        browser.close()
    return found


def pages_of(spec: dict[str, Any], url: str) -> list[str]:
    """The addresses of an app that a person would look at."""
    kind = spec["kind"]
    if kind in {"web_app", "site"}:
        lists = [f"{url}{r['plural'].replace('_', '-')}" for r in spec.get("resources", ())]
        forms = [f"{address}/new" for address in lists]
        return [url, *lists, *forms, *([f"{url}charts"] if spec.get("charts") else [])][:8]
    return [f"{url}ui/"] if spec.get("ui") else []
