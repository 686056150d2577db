"""Files in the panel: what a person types into them is never lost."""

from playwright.sync_api import Page, Route, expect

from tests.panel.panel_stage import Stage
from tests.web.live import Live, until


def a_file(service: Live, project: str, text: str) -> None:
    for intent in ("write_file", "create_file"):
        service.send("PUT", "/trust/overrides", {"intent": intent, "project": project, "verdict": "auto"})
    service.send("POST", "/run", {"intent": "write_file", "project": project, "path": "a.txt", "content": text})


def type_at_the_end(page: Page, words: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(words)


def stored(service: Live, project: str) -> str:
    return str(service.send("GET", f"/projects/{project}/files/a.txt")[1]["text"])


def test_words_typed_while_a_file_is_saved_are_still_there(stage: Stage, service: Live) -> None:
    a_file(service, "letters", "Dear ")
    with stage.seat(service) as seat:
        page = seat.open("/app/projects/letters?tab=files&file=a.txt").connected().page
        type_at_the_end(page, "Ada")
        held: list[Route] = []
        page.route(
            "**/files/a.txt*", lambda route: held.append(route) if route.request.method == "PUT" else route.continue_()
        )
        seat.press("Save", exact=True)
        expect(page.get_by_role("button", name="Save", exact=True)).to_have_attribute("aria-busy", "true")
        type_at_the_end(page, " and Bob")
        held[0].continue_()
        seat.sees("Saved: a.txt")
        assert stored(service, "letters") == "Dear Ada"
        expect(page.locator(".cm-content")).to_have_text("Dear Ada and Bob")
        page.unroute("**/files/a.txt*")
        seat.press("Save", exact=True)
        until(lambda: stored(service, "letters") == "Dear Ada and Bob", "the rest to be saved")


def test_what_is_not_saved_yet_is_still_there_after_a_look_elsewhere(stage: Stage, service: Live) -> None:
    a_file(service, "notebook", "first ")
    with stage.seat(service) as seat:
        page = seat.open("/app/projects/notebook?tab=files&file=a.txt").connected().page
        type_at_the_end(page, "thought")
        seat.press("Proof", role="tab")
        expect(page.locator(".cm-content")).to_have_count(0)
        seat.press("Files", role="tab")
        page.get_by_role("group", name="Files of this project").get_by_role("button", name="a.txt").click()
        expect(page.locator(".cm-content")).to_have_text("first thought")
        seat.sees("Not saved yet")
        seat.press("Discard")
        expect(page.locator(".cm-content")).to_have_text("first ")


def test_a_new_file_is_asked_for_with_an_empty_field_each_time(stage: Stage, service: Live) -> None:
    a_file(service, "drawer", "x")
    with stage.seat(service) as seat:
        page = seat.open("/app/projects/drawer?tab=files").connected().page
        seat.press("New file")
        page.get_by_label("Name, with its folder").fill("b.txt")
        page.keyboard.press("Enter")
        seat.sees("b.txt")
        seat.press("New file")
        expect(page.get_by_label("Name, with its folder")).to_have_value("")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="New file")).to_be_focused()
