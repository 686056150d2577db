"""Much of everything: a 5 MB change, 2,000 files and an upload of 100 MB leave the panel usable and say what is so."""

import io
import re
import zipfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Route, expect

from tests.panel.panel_stage import PHONE, Stage
from tests.web.live import Live, live, until

LINE = "the quick brown fox jumps over the lazy dog, again and again and again\n"
FIVE_MB = 5_000_000


def put(service: Live, path: str, content: bytes) -> dict[str, Any]:
    status, done = service.send("PUT", f"/projects/{path}", content, **{"Content-Type": "application/octet-stream"})
    assert status == 200, done
    return dict(done)


def allowed(service: Live, project: str, *intents: str) -> None:
    for intent in intents:
        service.send("PUT", "/trust/overrides", {"intent": intent, "project": project, "verdict": "auto"})


def test_a_change_of_5_mb_is_opened_and_the_page_stays_usable(stage: Stage, tmp_path: Path) -> None:
    text = LINE * (FIVE_MB // len(LINE))
    with live(tmp_path / "home", max_file_bytes=2 * FIVE_MB) as service, stage.seat(service) as seat:
        allowed(service, "heavy", "write_file", "create_file")
        put(service, "heavy/files/book.txt", text.encode())
        done = put(service, "heavy/files/book.txt", text.replace("fox", "cat").encode())
        page = seat.open("/app/projects/heavy").connected().page
        step = page.locator(f"[data-step='{done['id']}']")
        step.get_by_role("button").first.click()
        step.get_by_role("button", name="book.txt changed").click()
        seat.sees("too large to be shown here")
        seat.press("Files", role="tab")
        page.get_by_role("group", name="Files of this project").get_by_role("button", name="book.txt").click()
        seat.sees("quick brown cat")
        assert page.locator("[aria-label='Text of book.txt'] *").count() < 500, "only what is in view is made"
        page.get_by_label("What shall I change?").fill("still here")
        assert seat.flaws() == []


def test_older_steps_that_cannot_be_read_are_not_asked_for_over_and_over(stage: Stage, service: Live) -> None:
    allowed(service, "endless", "write_file", "create_file")
    put(service, "endless/files/one.txt", b"1")
    _, found = service.send("GET", "/tasks?project=endless&brief=true")
    many = {**found, "tasks": [{**found["tasks"][0], "id": f"t{number:03}"} for number in range(200)]}
    asked: list[str] = []

    def answer(route: Route) -> None:
        if "after=" not in route.request.url:
            route.fulfill(json=many)
            return
        asked.append(route.request.url)
        route.fulfill(status=404, json={"success": False, "message": "Gone", "error": {"code": "not_found"}})

    with stage.seat(service) as seat:
        page = seat.page
        page.route("**/tasks?project=endless*", answer)
        seat.open("/app/projects/endless").connected()
        steps = page.get_by_role("region", name="What was asked and done so far")
        expect(steps.locator("[data-step]").first).to_be_visible()
        steps.evaluate("list => list.scrollTo(0, 0)")
        until(lambda: asked, "the older steps to be asked for")
        for _ in range(3):
            page.evaluate("async () => { for (let n = 0; n < 40; n += 1) await new Promise(requestAnimationFrame); }")
        # Once when the list was first shown, once when events came, once at the top.
        assert len(asked) <= 3


def test_two_thousand_files_are_listed_searched_and_opened(stage: Stage, service: Live) -> None:
    allowed(service, "many", "import_archive")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(2000):
            archive.writestr(f"chapter-{number:04}.txt", f"This is chapter {number}.\n")
    status, done = service.send("POST", "/projects/many/archive?wait=80", packed.getvalue())
    assert status == 200, done
    with stage.seat(service, width=PHONE) as seat:
        page = seat.open("/app/projects/many?tab=files").connected().page
        listed = page.get_by_role("group", name="Files of this project")
        expect(listed.get_by_role("button", name="chapter-0000.txt")).to_be_visible()
        assert listed.get_by_role("button").count() < 200, "only what is in view is made"
        listed.evaluate("list => list.scrollTo(0, list.scrollHeight)")
        expect(listed.get_by_role("button", name="chapter-1999.txt")).to_be_visible()
        page.get_by_role("searchbox", name="Find a file").fill("1234")
        listed.get_by_role("button", name="chapter-1234.txt").click()
        expect(page.locator(".cm-content")).to_contain_text("This is chapter 1234.")
        assert seat.sideways() == 0
        assert seat.flaws() == []


def test_an_upload_of_100_mb_is_refused_in_words_before_it_is_sent_and_others_go_through(
    stage: Stage, service: Live, tmp_path: Path
) -> None:
    allowed(service, "bulky", "write_file", "create_file")
    put(service, "bulky/files/first.txt", b"one\n")
    film = tmp_path / "film.mp4"
    with film.open("wb") as file:
        file.truncate(100_000_000)
    note = tmp_path / "note.txt"
    note.write_text("small\n")
    with stage.seat(service, width=PHONE) as seat:
        page = seat.open("/app/projects/bulky?tab=files").connected().page
        seat.sees("first.txt")
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
        page.locator("input[type=file]").set_input_files([film, note])
        seat.sees("“film.mp4” has")
        seat.sees("Make it smaller")
        expect(page.get_by_role("button", name="note.txt")).to_be_visible()
        assert [re.findall(r"files/([^?]*)", url) for url in sent] == [["note.txt"]]
        assert seat.sideways() == 0
        assert seat.flaws() == []
