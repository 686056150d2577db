"""Deployments and accounts: a project goes online with a yes on the way, or away as a zip; a host is connected."""

import zipfile

from playwright.sync_api import expect

from tests.panel.panel_stage import PHONE, SECONDS, Stage
from tests.web.live import Live


def a_site(service: Live, project: str) -> None:
    """Pages that were not built by the agent."""
    service.send("PUT", "/trust/overrides", {"intent": "write_file", "verdict": "auto"})
    page = "<!doctype html><title>Garden</title><h1>Garden</h1>"
    service.send("POST", "/run", {"intent": "write_file", "project": project, "path": "index.html", "content": page})


def test_a_project_goes_online_and_offline_with_a_thumb(stage: Stage, service: Live) -> None:
    a_site(service, "garden")
    with stage.seat(service, width=PHONE) as seat:
        page = seat.open("/app/deployments").connected().page
        seat.press("Put “garden” online")
        seat.press("Demo cloud on this machine", role="radio")
        seat.press("Go on")
        seat.sees("It was not built here")
        seat.press("Put it online all the same")
        card = page.locator("article").filter(has_text="Needs your decision")
        expect(card).to_contain_text("Undo")
        card.get_by_role("button", name="Go ahead").click()
        place = page.get_by_role("article", name="garden, Demo cloud")
        expect(place).to_contain_text("Visitors see this", timeout=SECONDS)
        address = str(place.get_by_role("link", name="Open garden").get_attribute("href"))
        assert address.startswith("http://127.0.0.1:")
        place.get_by_role("button", name="Log").first.click()
        expect(page.get_by_role("dialog")).to_contain_text("It is live at")
        page.keyboard.press("Escape")
        service.send("PUT", "/trust/overrides", {"intent": "take_down_app", "project": "garden", "verdict": "auto"})
        place.get_by_role("button", name="Take offline").click()
        expect(place).to_contain_text("It was taken offline", timeout=SECONDS)
        assert seat.sideways() == 0
        assert seat.flaws() == []


def test_a_project_is_packed_and_downloaded_as_a_zip_that_runs_anywhere(stage: Stage, service: Live) -> None:
    a_site(service, "packed")
    call = {"intent": "deploy_app", "project": "packed", "provider": "export", "unproven": True, "wait": 20}
    _, asked = service.send("POST", "/run", call)
    if asked["confirmationNeeded"]:
        service.send("POST", "/confirm", {"id": asked["id"], "approve": True, "wait": 20})
    with stage.seat(service) as seat:
        seat.open("/app/deployments").connected()
        with seat.page.expect_download() as caught:
            seat.press("Download packed")
        with zipfile.ZipFile(caught.value.path()) as packed:
            assert "RUN-IT-ANYWHERE.md" in " ".join(packed.namelist())


def test_a_token_that_a_host_refuses_is_told_at_its_field_and_kept_nowhere(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        page = seat.open("/app/settings/accounts").connected().page
        seat.press("Connect Vercel")
        seat.sees("vercel.com/account/tokens")
        field = page.get_by_label("Token")
        assert field.get_attribute("type") == "password"
        assert field.get_attribute("autocomplete") == "off"
        page.locator("form").get_by_role("button", name="Connect Vercel").click()
        seat.sees("This is needed")
        field.fill("short")
        page.locator("form").get_by_role("button", name="Connect Vercel").click()
        expect(page.get_by_role("alert").first).to_be_visible(timeout=SECONDS)
        assert "short" not in str(page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})"))
        assert not any(one["set"] for one in service.send("GET", "/credentials")[1]["credentials"])
        assert seat.flaws() == []
