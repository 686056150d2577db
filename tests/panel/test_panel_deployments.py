"""Deployments and accounts: a project goes online with a yes on the way, or away as a zip; a host is connected."""

import urllib.request
import zipfile
from pathlib import Path

from playwright.sync_api import expect

from cloud_fakes.git_http import FakeGitServer
from tests.panel.panel_stage import PHONE, SECONDS, Stage
from tests.web.live import Live, until

GIT_TOKEN = "glpat-for-the-office-server"


def a_site(service: Live, project: str, heading: str = "Garden") -> None:
    """Pages that were not built by the agent."""
    service.send("PUT", "/trust/overrides", {"intent": "write_file", "verdict": "auto"})
    page = f"<!doctype html><title>{heading}</title><h1>{heading}</h1>"
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
        left = service.send("GET", "/queue")[1]["steps"]
        assert not [step for step in left if step["step"]["project"] == "garden"], "it does not run later, too"
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


def put_online(service: Live, project: str, heading: str) -> None:
    a_site(service, project, heading)
    call = {"intent": "deploy_app", "project": project, "provider": "demo", "unproven": True, "wait": 80}
    _, asked = service.send("POST", "/run", call)
    if asked["confirmationNeeded"]:
        _, asked = service.send("POST", "/confirm", {"id": asked["id"], "approve": True, "wait": 80})
    until(lambda: service.send("GET", f"/tasks/{asked['id']}")[1]["task"]["status"] == "succeeded", "it to be online")


def visited(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as page:
        return str(page.read().decode())


def test_an_earlier_release_is_brought_back_for_visitors_and_undo_brings_the_newer_one(
    stage: Stage, service: Live
) -> None:
    for heading in ("Winter menu", "Spring menu"):
        put_online(service, "menu", heading)
    with stage.seat(service, width=PHONE) as seat:
        page = seat.open("/app/deployments").connected().page
        place = page.get_by_role("article", name="menu, Demo cloud")
        address = str(place.get_by_role("link", name="Open menu").get_attribute("href"))
        assert "Spring menu" in visited(address)
        place.get_by_role("button", name="Go back to this release of").click()
        expect(place).to_contain_text("An earlier release was brought back", timeout=SECONDS)
        assert "Winter menu" in visited(address)
        newest = place.get_by_role("listitem").filter(has=page.get_by_role("button", name="Go back to this release of"))
        expect(newest).to_have_count(1)
        seat.press("Undo", exact=True)
        until(lambda: "Spring menu" in visited(address), "the newer release to come back")
        place.get_by_role("button", name="things that happened here").click()
        expect(place.get_by_text("Brought back an earlier release").first).to_be_visible()
        assert seat.sideways() == 0
        assert seat.flaws() == []


def test_a_project_is_packed_and_downloaded_as_a_zip_that_runs_anywhere(stage: Stage, service: Live) -> None:
    a_site(service, "packed")
    call = {"intent": "deploy_app", "project": "packed", "provider": "export", "unproven": True, "wait": 80}
    _, asked = service.send("POST", "/run", call)
    if asked["confirmationNeeded"]:
        service.send("POST", "/confirm", {"id": asked["id"], "approve": True, "wait": 80})
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


def test_an_account_is_connected_tested_found_not_to_work_any_more_and_forgotten(
    stage: Stage, service: Live, tmp_path: Path
) -> None:
    with FakeGitServer(tmp_path / "server") as server, stage.seat(service, width=PHONE) as seat:
        server.tokens.add(GIT_TOKEN)
        server.repositories.create("team/notes.git")
        page = seat.open("/app/settings/accounts").connected().page
        seat.press("Connect Another git server")
        page.get_by_label("Address of a repository there").fill(f"{server.url}/team/notes.git")
        page.get_by_label("Access token").fill(GIT_TOKEN)
        page.locator("form").get_by_role("button", name="Connect Another git server").click()
        account = page.get_by_role("region", name="Another git server")
        expect(account).to_contain_text("Connected", timeout=SECONDS)
        seat.press("Test Another git server")
        seat.sees("Another git server: it works")
        server.tokens.clear()
        seat.press("Test Another git server")
        seat.sees("Another git server: it does not work")
        expect(account).to_contain_text("Does not work")
        assert seat.flaws() == []
        assert GIT_TOKEN not in page.content()
        seat.press("Forget Another git server")
        seat.sees("What is online stays online")
        page.get_by_role("dialog").get_by_role("button", name="Forget").click()
        seat.sees("Another git server is forgotten here")
        expect(account).to_contain_text("Not connected")
    assert GIT_TOKEN not in "".join(file.read_text() for file in service.home.glob("credentials*") if file.is_file())
