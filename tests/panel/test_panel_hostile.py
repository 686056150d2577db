"""What files, names, titles and reasons say is shown as text: nothing of it runs, hides or rearranges the screen."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.panel.panel_stage import SECONDS, Stage
from tests.web.live import Live

SCRIPT = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
NAMES = [
    "<img src=x onerror=window.hacked=1>.html",
    "photo\u202egpj.exe",
    "red\x1b[31m.txt",
    "javascript:window.hacked=1",
    "{{constructor.constructor('window.hacked=1')()}}.txt",
]


@pytest.fixture
def hostile(service: Live) -> Path:
    """A project in which somebody else has put all kinds of things."""
    folder = service.home / "workspace" / "hostile"
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        (folder / name).write_bytes(f"{SCRIPT}\n\x1b[31mred\u202eder".encode())
    with (folder / "bytes.bin").open("wb") as file:
        file.write(os.urandom(64) + b"\0")
    return folder


def harmed(page: Page) -> bool:
    return bool(page.evaluate("'hacked' in window"))


def test_hostile_files_are_listed_and_shown_as_text(stage: Stage, service: Live, hostile: Path) -> None:
    with stage.seat(service) as seat:
        seat.open("/app/projects/hostile?tab=files").connected()
        seat.sees("onerror=window.hacked=1")
        assert "\u202e" not in seat.page.locator("main").inner_text()
        seat.page.get_by_text("onerror=window.hacked=1").first.click()
        seat.sees("a name may not contain")
        seat.page.get_by_text("constructor.constructor").first.click()
        expect(seat.page.locator(".cm-content").first).to_contain_text("window.hacked = 1", timeout=SECONDS)
        assert "\u202e" not in str(seat.page.locator(".cm-content").inner_text()), (
            "code shows what would turn it around"
        )
        assert not harmed(seat.page)
        assert seat.sideways() == 0


def test_hostile_titles_goals_and_reasons_are_shown_as_text(stage: Stage, service: Live, hostile: Path) -> None:
    service.send("PUT", "/trust/overrides", {"intent": "create_file", "project": "hostile", "verdict": "ask"})
    step = {"intent": "create_file", "project": "hostile", "path": "a.txt", "content": SCRIPT}
    _, asked = service.send("POST", "/run", {"goal": f"{SCRIPT} \u202eneppah", "steps": [step]})
    _, second = service.send("POST", "/run", {"goal": "another one", "steps": [{**step, "path": "b.txt"}]})
    service.send("POST", "/confirm", {"id": second["id"], "approve": False, "reason": SCRIPT})
    with stage.seat(service) as seat:
        seat.open("/app/projects/hostile").connected()
        seat.sees("<script>window.hacked = 1</script>")
        seat.sees("‹U+202E›neppah")
        assert "\u202e" not in str(seat.page.locator("main").text_content())
        assert not harmed(seat.page)
        seat.open("/").connected()
        seat.page.get_by_label("What shall I build?").fill(f"Build {SCRIPT}")
        seat.press("Make a plan")
        expect(seat.page.locator("main")).to_contain_text("<script>", timeout=SECONDS)
        assert not harmed(seat.page)
    service.send("POST", "/confirm", {"id": asked["id"], "approve": False})


def test_an_app_in_the_preview_cannot_reach_the_panel(stage: Stage, service: Live) -> None:
    """The page of an app, on its own origin: it reads nothing of the panel and cannot take its place."""
    page = (
        "<!doctype html><title>App</title><h1>Guest</h1><script>"
        "try { parent.document.title = 'taken' } catch { document.querySelector('h1').append(' kept out') }"
        "try { top.location.href = '/stolen' } catch { }"
        "</script>"
    )
    for intent in ("write_file", "start_app"):
        service.send("PUT", "/trust/overrides", {"intent": intent, "project": "guest", "verdict": "auto"})
    service.send("POST", "/run", {"intent": "write_file", "project": "guest", "path": "index.html", "content": page})
    _, started = service.send("POST", "/run", {"intent": "start_app", "project": "guest", "wait": 80})
    assert started["success"], started
    with stage.seat(service) as seat:
        seat.open("/app/projects/guest?tab=preview").connected()
        framed = seat.page.frame_locator("iframe").get_by_role("heading")
        expect(framed).to_have_text("Guest kept out", timeout=SECONDS)
        assert "/app/projects/guest" in seat.page.url
        assert seat.page.title() != "taken"
        seat.complaints[:] = [
            words for words in seat.complaints if "navigate" not in words and "Unsafe attempt" not in words
        ]
