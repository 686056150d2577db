"""Approvals and the timeline: deciding with a thumb or by keyboard, and going back to any point and forward again."""

from typing import Any

from playwright.sync_api import expect

from tests.panel.panel_stage import PHONE, SECONDS, Stage
from tests.web.live import Live, until


def asking(service: Live, project: str, path: str) -> dict[str, Any]:
    """Something that waits for a yes or a no."""
    service.send("PUT", "/trust/overrides", {"intent": "create_file", "project": project, "verdict": "ask"})
    call = {"intent": "create_file", "project": project, "path": path, "content": "hello\n"}
    _, asked = service.send("POST", "/run", call)
    assert asked["confirmationNeeded"], asked
    return dict(asked)


def written(service: Live, project: str, *texts: str) -> list[str]:
    """The ids of changes to one file, one a text."""
    service.send("PUT", "/trust/overrides", {"intent": "write_file", "project": project, "verdict": "auto"})
    call = {"intent": "write_file", "project": project, "path": "story.txt"}
    return [service.send("POST", "/run", {**call, "content": text})[1]["id"] for text in texts]


def story(service: Live, project: str) -> str:
    return str(service.send("GET", f"/projects/{project}/files/story.txt")[1].get("text"))


def status(service: Live, task: str) -> str:
    return str(service.send("GET", f"/tasks/{task}")[1]["task"]["status"])


def test_what_waits_is_approved_with_a_thumb_and_the_badge_goes(stage: Stage, service: Live) -> None:
    first = asking(service, "thumbs", "one.txt")
    with stage.seat(service, width=PHONE) as seat:
        seat.open(f"/app/approvals?task={first['id']}").connected()
        card = seat.page.locator("article[data-item]").filter(has_text="one.txt")
        for fact in ("Changes", "Cost", "Undo", "Worst case"):
            expect(card).to_contain_text(fact)
        second = asking(service, "thumbs", "two.txt")
        card.get_by_role("button", name="Do it", exact=True).tap()
        until(lambda: status(service, first["id"]) == "succeeded", "the yes to be heard")
        said = seat.page.get_by_role("listitem").filter(has_text="Approved: Create").bounding_box()
        button = seat.page.get_by_role("button", name="Not now").bounding_box()
        assert said and button and said["y"] + said["height"] < button["y"], "it does not lie on what comes next"
        badge = seat.page.get_by_role("navigation").get_by_text("for your decision")
        expect(badge.first).to_be_attached(timeout=SECONDS)
        seat.open(f"/app/approvals?task={second['id']}").connected()
        expect(seat.page.locator("article[data-item]").filter(has_text="two.txt")).to_be_visible(timeout=SECONDS)
        assert seat.sideways() == 0
        service.send("POST", "/confirm", {"id": second["id"], "approve": False})
        expect(seat.page.locator("article[data-item]").filter(has_text="two.txt")).to_have_count(0, timeout=SECONDS)


def test_yes_is_one_key_and_another_tab_agrees(stage: Stage, service: Live) -> None:
    waiting = asking(service, "keys", "k.txt")
    with stage.seat(service) as seat:
        seat.open(f"/app/approvals?task={waiting['id']}").connected()
        other = seat.page.context.new_page()
        other.goto(f"{seat.origin}/app/projects/keys")
        expect(other.locator("article[data-item]")).to_be_visible(timeout=SECONDS)
        seat.page.bring_to_front()
        expect(seat.page.locator("article[data-item]:focus")).to_be_visible(timeout=SECONDS)
        seat.page.keyboard.press("?")
        for words in ("Write in the box", "Approve the card in focus", "Undo the last change"):
            seat.sees(words)
        seat.page.keyboard.press("Escape")
        seat.page.keyboard.press("r")
        seat.sees("“Create k.txt” will not be done")
        seat.page.keyboard.press("Escape")
        expect(seat.page.locator("article[data-item]:focus")).to_be_visible(timeout=SECONDS)
        seat.page.keyboard.press("a")
        until(lambda: status(service, waiting["id"]) == "succeeded", "the yes to be heard")
        expect(other.locator("article[data-item]")).to_have_count(0, timeout=SECONDS)


def test_always_allow_lets_the_next_one_run_alone(stage: Stage, service: Live) -> None:
    waiting = asking(service, "always", "a.txt")
    with stage.seat(service) as seat:
        seat.open(f"/app/approvals?task={waiting['id']}").connected()
        card = seat.page.locator("article[data-item]").filter(has_text="a.txt")
        card.get_by_role("checkbox", name="Always allow this in always").click()
        card.get_by_role("button", name="Do it", exact=True).click()
        until(lambda: status(service, waiting["id"]) == "succeeded", "the yes to be heard")
    call = {"intent": "create_file", "project": "always", "path": "b.txt", "content": "x"}
    assert service.send("POST", "/run", call)[1]["status"] == "succeeded"


def test_the_timeline_knows_what_ended_while_another_screen_was_open(stage: Stage, service: Live) -> None:
    written(service, "diversion", "one\n")
    with stage.seat(service) as seat:
        seat.open("/app/timeline?project=diversion").connected()
        entries = seat.page.locator("[data-entry]")
        expect(entries).to_have_count(1)
        seat.press("Queue", role="link")
        seat.page.wait_for_url("**/app/queue")
        written(service, "diversion", "one\ntwo\n")
        seat.page.go_back()
        expect(entries).to_have_count(2)


def test_the_timeline_shows_what_an_undo_would_change_takes_it_back_and_brings_it_forward(
    stage: Stage, service: Live
) -> None:
    first, second, third = written(service, "novel", "one\n", "one\ntwo\n", "one\ntwo\nthree\n")
    with stage.seat(service) as seat:
        seat.open(f"/app/timeline?project=novel&at={second}").connected()
        seat.sees("These 2 changes are taken back")
        assert story(service, "novel") == "one\ntwo\nthree\n"
        assert seat.flaws() == []
        seat.press("Take back 2 changes")
        until(lambda: story(service, "novel") == "one\n", "the changes to be taken back")
        seat.press("Bring 2 changes forward again")
        until(lambda: story(service, "novel") == "one\ntwo\nthree\n", "the changes to come back")
        until(lambda: status(service, third) == "succeeded", "it to count again")
        seat.open("/app/trust").connected()
        seat.page.keyboard.press("u")
        seat.sees("This brought something back")
        seat.sees("These 2 changes are taken back")
        seat.page.keyboard.press("u")
        until(lambda: story(service, "novel") == "one\n", "the changes to be taken back by key")
    assert first != second
