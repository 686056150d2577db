"""From a sentence to a running app in a browser; deciding on a phone; taking back and bringing forward again."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.panel.panel_stage import LAPTOP, PHONE, SECONDS, Stage
from tests.web.live import Live, until

BUILDING = 200_000
"""Milliseconds that building, proving and starting an app may take on a busy machine."""
BAKERY = "Make a website for my bakery called Rye with opening hours, prices and contact"


def write(service: Live, project: str, path: str, content: str) -> dict[str, Any]:
    service.send("PUT", "/trust/overrides", {"intent": "write_file", "project": project, "verdict": "auto"})
    _, done = service.send(
        "POST", "/run", {"intent": "write_file", "project": project, "path": path, "content": content}
    )
    assert done["success"], done
    return dict(done)


def text_of(service: Live, project: str, path: str) -> str | None:
    status, found = service.send("GET", f"/projects/{project}/files/{path}")
    return str(found["text"]) if status == 200 else None


def test_a_sentence_becomes_a_plan_then_a_proven_app_in_the_preview(stage: Stage, service: Live) -> None:
    with stage.seat(service, new_here=True) as seat:
        seat.open().connected()
        seat.sees("Say what you need")
        seat.press("Skip")
        seat.page.get_by_label("What shall I build?").fill(BAKERY)
        seat.press("Make a plan")
        seat.sees("Prove that the app works")
        assert seat.flaws() == []
        seat.press("Start", exact=True)
        seat.page.wait_for_url(re.compile(r"/app/projects/rye"))
        expect(seat.page.locator("iframe")).to_be_visible(timeout=BUILDING)
        preview = seat.page.frame_locator("iframe")
        expect(preview.get_by_role("heading", name="Rye").first).to_be_visible(timeout=SECONDS)
        assert seat.page.locator("iframe").get_attribute("src") != seat.origin
        seat.press("Proof", role="tab")
        seat.sees("Proven for exactly these files")
        seat.press("Files", role="tab")
        seat.sees("README.md")
        assert seat.flaws() == []
        picture = until(lambda: project(service, "rye")["picture"], "a picture of the app")
        seat.open("/")
        expect(seat.page.get_by_role("img", name="Picture of Rye")).to_be_visible(timeout=SECONDS)
        assert picture


def project(service: Live, name: str) -> dict[str, Any]:
    return dict(next(one for one in service.send("GET", "/projects")[1]["projects"] if one["name"] == name))


def test_what_stopped_goes_on_with_the_step_that_did_not_work(stage: Stage, service: Live) -> None:
    write(service, "halfway", "readme.txt", "")
    spoil = ["sh", "-c", "echo not a package > requirements.txt"]
    steps: list[dict[str, Any]] = [
        {"intent": "run_command", "project": "halfway", "command": spoil},
        {"intent": "install_dependencies", "project": "halfway"},
        {"intent": "create_file", "project": "halfway", "path": "after.txt"},
    ]
    for step in steps:
        service.send("PUT", "/trust/overrides", {"intent": step["intent"], "project": "halfway", "verdict": "auto"})
    _, stopped = service.send("POST", "/run", {"goal": "Install and go on", "steps": steps, "wait": 60})
    assert stopped.get("result", {}).get("data", {}).get("kept") == 2, stopped
    with stage.seat(service) as seat:
        seat.open("/app/projects/halfway").connected()
        seat.sees("2 steps are left")
        assert "run_all" not in seat.page.locator("main").inner_text(), "words for a terminal"
        assert seat.flaws() == []
        write(service, "halfway", "requirements.txt", "")
        seat.press("Try again")
        seat.sees("All 3 steps are done")
        assert text_of(service, "halfway", "after.txt") == ""


def test_a_question_or_a_refusal_is_put_in_words_with_a_next_step(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        seat.open().connected()
        seat.page.get_by_label("What shall I build?").fill("xyzzy plugh qux")
        seat.press("Make a plan")
        expect(seat.page.locator("main")).to_contain_text(re.compile(r"\?|not understand|Say"), timeout=SECONDS)
        assert seat.flaws() == []


def test_a_plan_can_be_left_for_better_words_and_does_not_wait_then(stage: Stage, service: Live) -> None:
    words = "Build an API for kites with colour and length"
    with stage.seat(service) as seat:
        seat.open().connected()
        box = seat.page.get_by_label("What shall I build?")
        box.fill(words)
        seat.press("Make a plan")
        seat.sees("Prove that the app works")
        plan = seat.page.url.rpartition("=")[2]
        seat.page.go_back()
        expect(box).to_have_value(words)
        seat.page.go_forward()
        seat.press("Say it differently")
        expect(box).to_have_value(words)
        until(lambda: service.send("GET", f"/tasks/{plan}")[1]["task"]["status"] == "cancelled", "the plan to make way")


def test_a_change_half_typed_survives_a_look_at_the_app(stage: Stage, service: Live) -> None:
    write(service, "sketch", "idea.txt", "one\n")
    with stage.seat(service, width=PHONE) as seat:
        seat.open("/app/projects/sketch").connected()
        box = seat.page.get_by_label("What shall I change?")
        box.fill("make the buttons")
        seat.press("Preview", role="tab")
        expect(box).to_be_hidden()
        seat.press("Steps", role="tab")
        expect(box).to_have_value("make the buttons")


def test_a_card_is_approved_on_a_phone(stage: Stage, service: Live) -> None:
    service.send("PUT", "/trust/overrides", {"intent": "create_file", "project": "pocket", "verdict": "ask"})
    write(service, "pocket", "first.txt", "one\n")
    call = {"intent": "create_file", "project": "pocket", "path": "list.txt", "content": "milk\n"}
    _, asked = service.send("POST", "/run", call)
    assert asked["confirmationNeeded"]
    with stage.seat(service, width=PHONE) as seat:
        seat.open("/app/projects/pocket").connected()
        card = seat.page.locator("article[data-item]").filter(has_text="list.txt")
        expect(card).to_be_visible(timeout=SECONDS)
        assert seat.sideways() == 0
        assert seat.flaws() == []
        buttons = [card.get_by_role("button", name=name, exact=True) for name in ("Do it", "Not now")]
        for button in buttons:
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 40, "a thumb needs room"
        buttons[0].tap()
        until(lambda: text_of(service, "pocket", "list.txt") == "milk\n", "the file to be written")
        expect(card).to_have_count(0, timeout=SECONDS)


def test_a_card_is_rejected_with_a_reason_by_keyboard(stage: Stage, service: Live) -> None:
    service.send("PUT", "/trust/overrides", {"intent": "delete_file", "project": "desk", "verdict": "ask"})
    write(service, "desk", "keep.txt", "mine\n")
    _, asked = service.send("POST", "/run", {"intent": "delete_file", "project": "desk", "path": "keep.txt"})
    with stage.seat(service) as seat:
        seat.open("/app/projects/desk").connected()
        expect(seat.page.locator("article[data-item]")).to_be_visible(timeout=SECONDS)
        seat.page.locator("main").focus()
        seat.page.keyboard.press("j")
        seat.page.keyboard.press("r")
        seat.page.get_by_role("dialog").get_by_role("textbox").fill("I still need it")
        seat.press("Say no")
        until(lambda: service.send("GET", f"/tasks/{asked['id']}")[1]["task"]["status"] == "rejected", "the no")
    _, found = service.send("GET", f"/tasks/{asked['id']}")
    assert found["task"]["approval"]["reason"] == "I still need it"
    assert text_of(service, "desk", "keep.txt") == "mine\n"


def test_a_change_is_undone_and_brought_back(stage: Stage, service: Live) -> None:
    write(service, "diary", "day.txt", "morning\n")
    write(service, "diary", "day.txt", "morning\nevening\n")
    with stage.seat(service) as seat:
        seat.open("/app/projects/diary").connected()
        seat.sees("Write")
        seat.press("Undo", exact=True)
        seat.sees("Took back")
        until(lambda: text_of(service, "diary", "day.txt") == "morning\n", "the change to be taken back")
        seat.press("Bring it back")
        until(lambda: text_of(service, "diary", "day.txt") == "morning\nevening\n", "the change to come back")


def test_what_somebody_saves_or_uploads_by_hand_is_not_asked_about_but_overwriting_is(
    stage: Stage, service: Live
) -> None:
    write(service, "letters", "a.txt", "Dear\n")
    service.send("PUT", "/trust/overrides", {"intent": "write_file", "project": "letters", "verdict": "ask"})
    with stage.seat(service) as seat:
        seat.open("/app/projects/letters?tab=files&file=a.txt").connected()
        seat.page.locator(".cm-content").fill("Dear Anna")
        seat.press("Save", exact=True)
        seat.sees("Saved: a.txt")
        assert text_of(service, "letters", "a.txt") == "Dear Anna"
        chosen = [("b.txt", "1 file is in the project"), ("a.txt", "This needs your decision")]
        for name, words in chosen:
            with seat.page.expect_file_chooser() as chooser:
                seat.press("Upload")
            chooser.value.set_files({"name": name, "mimeType": "text/plain", "buffer": b"new"})
            seat.sees(words)
    assert text_of(service, "letters", "b.txt") == "new" and text_of(service, "letters", "a.txt") == "Dear Anna"


def test_a_step_shows_what_it_changed_side_by_side(stage: Stage, service: Live) -> None:
    write(service, "poem", "p.txt", "roses are red\n")
    done = write(service, "poem", "p.txt", "roses are white\n")
    with stage.seat(service, width=LAPTOP, dark=True) as seat:
        seat.open("/app/projects/poem").connected()
        step = seat.page.locator(f"[data-step='{done['id']}']")
        step.get_by_role("button").first.click()
        step.get_by_role("button", name="changed +1").click()
        expect(seat.page.locator(".cm-content").first).to_contain_text("roses are", timeout=SECONDS)
        assert seat.flaws() == []
