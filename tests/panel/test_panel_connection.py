"""One event stream drives the panel: it comes back by itself, catches up, and all tabs share it."""

import signal
from pathlib import Path

from playwright.sync_api import expect

from tests.panel.panel_stage import SECONDS, Stage
from tests.panel.test_panel_deciding import asking
from tests.web.live import Live, live, own_port, until


def note(service: Live, project: str) -> None:
    """Have a project made, with the owner's yes."""
    _, asked = service.send("POST", "/run", {"intent": "create_project", "project": project})
    if asked["confirmationNeeded"]:
        service.send("POST", "/confirm", {"id": asked["id"], "approve": True})


def test_it_says_so_when_the_service_is_killed_and_catches_up_when_it_is_back(stage: Stage, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with live(home, port=own_port()) as first, stage.seat(first) as seat:
        asking(first, "waiting", "a.txt")
        seat.open("/app/approvals").connected()
        note(first, "before")
        seat.sees("before")
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
        expect(seat.page.locator("[data-link=offline]").first).to_be_attached(timeout=SECONDS)
        seat.sees("nothing is lost")
        seat.press("Do it")
        seat.sees("Your answer did not reach the service")
        with live(home, port=first.port) as second:
            note(second, "meanwhile")
            seat.connected()
            seat.sees("meanwhile")
            expect(seat.page.get_by_text("What you see may be old")).to_have_count(0)
            note(second, "afterwards")
            seat.sees("afterwards")


def test_screens_that_were_opened_while_the_service_was_away_come_by_themselves_when_it_is_back(
    stage: Stage, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    with live(home, port=own_port()) as first, stage.seat(first) as seat:
        for project in ("one", "two"):
            note(first, project)
        seat.open("/app/projects/one").connected().sees("Made the project")
        other = seat.page.context.new_page()
        other.goto(seat.origin)
        for page in (seat.page, other):
            expect(page.get_by_role("link", name="two").first).to_be_visible()
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
        seat.page.get_by_role("link", name="two").click()
        away = seat.page.get_by_role("alert").filter(has_text="cannot be reached")
        expect(away.first).to_be_visible()
        # Not even the script of this screen has been loaded.
        other.get_by_role("link", name="Queue").click()
        with live(home, port=first.port):
            seat.sees("Made the project")
            expect(away).to_have_count(0)
            expect(other.get_by_text("Nothing is queued")).to_be_visible()


def test_tabs_share_one_stream_and_agree_and_another_takes_over(stage: Stage, tmp_path: Path) -> None:
    with live(tmp_path / "home") as service, stage.seat(service) as seat:
        seat.open().connected()
        others = [seat.page.context.new_page() for _ in range(3)]
        for page in others:
            page.goto(seat.origin)
            expect(page.locator("[data-link=live]").first).to_be_attached(timeout=SECONDS)
        until(lambda: service.send("GET", "/metrics")[1]["metrics"]["http_streams"] == 1, "one stream for all of them")
        note(service, "shared")
        for page in (seat.page, *others):
            expect(page.get_by_text("shared").first).to_be_visible(timeout=SECONDS)
        seat.page.close()
        until(lambda: service.send("GET", "/metrics")[1]["metrics"]["http_streams"] == 1, "one tab to take over")
        note(service, "handed-over")
        for page in others:
            expect(page.get_by_text("handed-over").first).to_be_visible(timeout=SECONDS)
