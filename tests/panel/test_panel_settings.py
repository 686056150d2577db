"""Logs and settings: finding and opening a log, testing the sandbox, the look, another device, the figures."""

import json
import shutil
from pathlib import Path

from playwright.sync_api import expect

from tests.panel.panel_stage import PHONE, SECONDS, Stage
from tests.web.live import Live, live, until


def some_work(service: Live, project: str) -> None:
    service.send("PUT", "/trust/overrides", {"intent": "write_file", "verdict": "auto"})
    for name in ("tulips", "roses"):
        call = {"intent": "write_file", "project": project, "path": f"{name}.txt", "content": "x\n"}
        service.send("POST", "/run", call)


def is_copied(service: Live) -> bool:
    backups = service.send("GET", "/backups")[1]["backups"]
    return bool(backups["uploaded"] >= 2 and backups["pending"] == 0)


def test_a_log_is_found_by_its_words_opened_and_taken_away(stage: Stage, service: Live) -> None:
    some_work(service, "flowers")
    with stage.seat(service, width=PHONE) as seat:
        page = seat.open("/app/logs?project=flowers").connected().page
        expect(page.locator("main li a")).to_have_count(2)
        page.get_by_role("searchbox", name="Search the logs").fill("TULIPS")
        expect(page.locator("main li a")).to_have_count(1)
        seat.press("tulips.txt", role="link")
        seat.sees("What came of it")
        with page.expect_download() as caught:
            seat.press("Download")
        assert json.loads(Path(caught.value.path()).read_text())["status"] == "succeeded"
        seat.press("The whole log as it is kept")
        seat.sees('"intent": "write_file"')
        page.go_back()
        page.get_by_label("How it ended").select_option("failed")
        seat.sees("Nothing fits")
        seat.press("Connect Google Drive", role="link")
        seat.sees("Keeps copies of the agent's logs and memory")


def test_the_log_of_one_long_command_fits_a_phone_and_says_what_was_printed(stage: Stage, service: Live) -> None:
    line = f'python3 -c \'print("tu" + "lips"); {"x = 1; " * 20} raise SystemExit(3)\''
    asked = service.send("POST", "/run", {"intent": "run_command", "project": "flowers", "command": line})[1]
    assert service.send("POST", "/confirm", {"id": asked["id"], "approve": True})[1]["status"] == "failed"
    log = service.send("GET", "/logs?project=flowers&limit=1")[1]["logs"][0]
    with stage.seat(service, width=PHONE) as seat:
        seat.open(f"/app/logs/{log['date']}/{log['name']}").connected()
        expect(seat.page.get_by_text("tulips", exact=True)).to_be_visible(timeout=SECONDS)
        expect(seat.page.get_by_role("radio", name="What it has earned")).to_be_in_viewport()
        assert seat.sideways() == 0


def test_copies_elsewhere_are_listed_opened_and_said_to_wait_while_their_folder_is_away(
    stage: Stage, built_panel: Path, tmp_path: Path
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    with live(tmp_path / "home", backup_folder=copies) as service, stage.seat(service, width=PHONE) as seat:
        some_work(service, "kept")
        until(lambda: is_copied(service), "the copies to arrive")
        page = seat.open("/app/logs").connected().page
        seat.press("Newest copies")
        recent = page.get_by_role("region", name="Copies elsewhere").get_by_role("link")
        expect(recent).to_have_count(2)
        assert seat.sideways() == 0
        assert seat.flaws() == []
        recent.first.click()
        seat.sees("What came of it")
        shutil.rmtree(copies)
        some_work(service, "kept")
        seat.open("/app/logs").connected()
        seat.sees("wait to be copied")
        copies.mkdir()
        seat.press("Try again now")
        seat.sees("all is there")
        assert is_copied(service)


def test_the_sandbox_is_attacked_on_request_and_says_what_it_stopped(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        seat.open("/app/settings/sandbox").connected()
        seat.press("Test it now")
        seat.sees("It held")
        expect(seat.page.get_by_role("button", name="attacks stopped").first).to_be_visible(timeout=SECONDS)


def test_another_device_signs_in_by_a_link_that_works_once(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        page = seat.open("/app/settings").connected().page
        seat.press("Make a link")
        link = page.get_by_label("Link for the other device").input_value()
        seat.press("Dark", role="radio")
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert seat.flaws() == []
    with stage.seat(service, signed_in=False, width=PHONE) as phone:
        phone.page.goto(link)
        phone.connected()


def test_figures_are_drawn_and_settings_are_said_in_words(stage: Stage, service: Live) -> None:
    some_work(service, "counted")
    with stage.seat(service) as seat:
        page = seat.open("/app/settings/metrics").connected().page
        expect(page.get_by_role("img", name="Actions a day")).to_be_visible(timeout=SECONDS)
        assert page.locator("canvas").count() == 2
        seat.press("The same as a table")
        assert int(page.locator("tbody tr td").first.inner_text()) >= 2
        seat.press("Service", role="link")
        seat.sees("AGENT_PORT")
        page.get_by_role("searchbox", name="Search the settings").fill("time zone")
        seat.sees("AGENT_TIMEZONE")
