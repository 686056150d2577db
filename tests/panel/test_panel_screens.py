"""Every screen, as it stands in the list of addresses: light and dark, on a phone and on a laptop.

A screen that is added is looked at here without a line of test for it.
"""

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page

from tests.panel.panel_stage import HEIGHTS, LAPTOP, PHONE, Seat, Stage
from tests.web.live import ROOT, Live

PATHS = re.findall(r'^ +path: "(/[^"]*)"', (ROOT / "frontend/src/routes.tsx").read_text(), re.MULTILINE)
NARROWEST = 320
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture(scope="module")
def lived_in(service: Live) -> Live:
    """A service in which something has happened, something waits and something is queued."""
    for intent in ("write_file", "rollback"):
        service.send("PUT", "/trust/overrides", {"intent": intent, "project": "screens", "verdict": "auto"})
    for number in range(3):
        note = {"intent": "write_file", "project": "screens", "path": "a.txt", "content": f"line {number}\n" * 3}
        service.send("POST", "/run", note)
    service.send("POST", "/rollback", {"project": "screens"})
    service.send("PUT", "/trust/overrides", {"intent": "delete_file", "project": "screens", "verdict": "ask"})
    service.send("POST", "/run", {"intent": "delete_file", "project": "screens", "path": "a.txt"})
    later = {"intent": "create_file", "project": "queued", "path": "b.txt", "content": "x"}
    service.send("POST", "/run", {"intent": "queue_task", "project": "queued", "step": later})
    return service


@pytest.fixture(scope="module")
def seat(stage: Stage, lived_in: Live) -> Iterator[Seat]:
    with stage.seat(lived_in) as seat:
        yield seat


def address(service: Live, path: str) -> str:
    """The path with something that is there in each of its places."""
    newest = service.send("GET", "/logs?limit=1")[1]["logs"][0]
    named = {"$project": "screens", "$date": newest["date"], "$name": newest["name"]}
    return "/".join(named.get(part, part) for part in path.split("/"))


def settled(page: Page) -> None:
    """Nothing is being loaded any more."""
    page.wait_for_function("() => !document.querySelector('[aria-busy=true], main [data-loading]')")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("path", PATHS)
def test_a_screen_has_no_grave_flaw_and_does_not_scroll_sideways(seat: Seat, lived_in: Live, path: str) -> None:
    page, found = seat.page, []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": LAPTOP, "height": HEIGHTS[LAPTOP]})
        seat.open(address(lived_in, path)).connected()
        for width in (LAPTOP, PHONE):
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            settled(page)
            found += [f"{width} {scheme}: {flaw}" for flaw in seat.flaws()]
            if seat.sideways():
                found.append(f"{width}: {seat.sideways()} px too wide")
    assert page.locator("h1").count() == 1, "one heading says where one is"
    assert len(page.locator("main").inner_text().strip()) > 10
    page.set_viewport_size({"width": NARROWEST, "height": 640})
    if seat.sideways():
        found.append(f"{NARROWEST}: {seat.sideways()} px too wide")
    assert found == []
    assert seat.complaints == []


def test_every_place_of_the_menu_leads_to_its_screen(seat: Seat) -> None:
    page = seat.page
    page.set_viewport_size({"width": LAPTOP, "height": HEIGHTS[LAPTOP]})
    seat.open("/").connected()
    places = page.get_by_role("navigation", name="Main menu").get_by_role("link").all()
    addresses = {
        str(link.get_attribute("href")) for link in places if "/projects/" not in str(link.get_attribute("href"))
    }
    assert len(addresses) > 2
    assert addresses <= set(PATHS)


def test_an_address_that_is_not_there_says_so_and_shows_the_way(seat: Seat) -> None:
    seat.open("/app/nowhere").connected()
    seat.sees("There is nothing at this address")
    seat.page.set_viewport_size({"width": NARROWEST, "height": 640})
    assert seat.sideways() == 0
    seat.press("Go to the start", role="link")
    seat.sees("What shall I build?")
