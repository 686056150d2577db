"""Trust and the queue in a browser; saying no with a reason; connecting an account on the card that needs it."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.panel.panel_stage import PHONE, SECONDS, Stage
from tests.web.live import Live, until


def put(service: Live, intent: str, project: str | None, verdict: str | None) -> None:
    service.send("PUT", "/trust/overrides", {"intent": intent, "project": project, "verdict": verdict})


def wrote(service: Live, project: str) -> None:
    put(service, "write_file", project, "auto")
    call = {"intent": "write_file", "project": project, "path": "a.txt", "content": "one\n"}
    assert service.send("POST", "/run", call)[1]["success"]


def overrides(service: Live) -> dict[str, Any]:
    return dict(service.send("GET", "/trust")[1]["overrides"])


def queued(service: Live, project: str) -> list[str]:
    """What is queued for a project, by the names of the files."""
    steps = [step["step"] for step in service.send("GET", "/queue")[1]["steps"]]
    return [step.get("path", step["intent"]) for step in steps if step.get("project") == project]


def choose(page: Page, scope: str, verdict: str) -> None:
    page.locator(f'[data-scope="{scope}"]').get_by_role("combobox").select_option(verdict)


def test_a_no_goes_with_its_reason(stage: Stage, service: Live) -> None:
    put(service, "create_file", "refusals", "ask")
    call = {"intent": "create_file", "project": "refusals", "path": "n.txt", "content": "x"}
    asked = service.send("POST", "/run", call)[1]
    with stage.seat(service) as seat:
        seat.open(f"/app/approvals?task={asked['id']}").connected()
        expect(seat.page.locator("article[data-item]:focus")).to_contain_text("n.txt")
        seat.page.keyboard.press("r")
        seat.page.get_by_label("Why not?").fill("not this file")
        seat.press("Say no", exact=True)
        seat.sees("Not done: ")
    task = until(
        lambda: (found := service.send("GET", f"/tasks/{asked['id']}")[1]["task"])["approval"] and found, "the no"
    )
    assert task["status"] == "rejected" and task["approval"]["reason"] == "not this file"


def test_a_card_that_needs_an_account_takes_it_and_keeps_what_is_wrong_out(stage: Stage, service: Live) -> None:
    wrote(service, "unconnected")
    asked = service.send("POST", "/run", {"intent": "push_project", "project": "unconnected", "remote": "me/notes"})[1]
    assert asked["card"]["what"]["credential"] == "github"
    with stage.seat(service, width=PHONE) as seat:
        seat.open(f"/app/approvals?task={asked['id']}").connected()
        seat.sees("How to get it")
        assert seat.flaws() == []
        seat.press("Connect GitHub")
        seat.sees("This is needed")
        seat.page.get_by_label("Personal access token").fill("short")
        seat.press("Connect GitHub")
        seat.sees("it is too short; was all of it copied?")
        expect(seat.page.get_by_role("button", name="Do it", exact=True)).to_have_count(0)
        service.send("POST", "/confirm", {"id": asked["id"], "approve": False})


def test_trust_is_lowered_and_raised_for_one_kind_of_action(stage: Stage, service: Live) -> None:
    # A kind of action that no other test takes: a good record elsewhere would count here, too.
    put(service, "create_directory", "trusted", "auto")
    call = {"intent": "create_directory", "project": "trusted", "path": "drafts"}
    assert service.send("POST", "/run", call)[1]["success"]
    put(service, "create_directory", "trusted", None)
    scope = "create_directory:write_project@trusted"
    with stage.seat(service) as seat:
        seat.open("/app/trust?project=trusted").connected()
        row = seat.page.locator(f'[data-scope="{scope}"]')
        expect(row).to_contain_text("more good run")
        expect(row.get_by_role("img")).to_have_accessible_name("The last 1, newest last: 1 went well")
        choose(seat.page, scope, "refuse")
        expect(row).to_contain_text("You told it not to do this.")
        assert overrides(service)["create_directory@trusted"]["verdict"] == "refuse"
        seat.press("Undo", exact=True)
        expect(row).to_contain_text("more good run")
        choose(seat.page, scope, "auto")
        expect(row).to_contain_text("Alone")
        assert overrides(service)["create_directory@trusted"] == {"verdict": "auto", "lifted": False}


def test_the_queue_is_put_into_another_order_changed_and_run(stage: Stage, service: Live) -> None:
    service.send("POST", "/cancel_plan", {})
    put(service, "create_file", "lined-up", "auto")
    steps = [{"intent": "create_file", "project": "lined-up", "path": f"{name}.txt"} for name in "abc"]
    service.send("POST", "/run", {"intent": "queue_task", "steps": steps})
    with stage.seat(service) as seat:
        page = seat.open("/app/queue").connected().page
        handle = page.get_by_role("button", name="Move: Create c.txt")
        handle.focus()
        told = (
            ("Space", "Place 3 of 3"),
            ("ArrowUp", "Place 2 of 3"),
            ("ArrowUp", "Place 1 of 3"),
            ("Space", "Put at"),
        )
        for key, heard in told:
            page.keyboard.press(key)
            expect(page.get_by_text(heard)).to_be_attached()
        until(lambda: queued(service, "lined-up") == ["c.txt", "a.txt", "b.txt"], "the step to move")
        menu = page.get_by_role("button", name="What to do with: Create a.txt")
        menu.click()
        page.get_by_role("menuitem", name="Skip it").click()
        until(lambda: queued(service, "lined-up") == ["c.txt", "b.txt"], "the step to go")
        page.get_by_role("button", name="What to do with: Create b.txt").click()
        page.get_by_role("menuitem", name="Put a step before it").click()
        page.get_by_label("What shall be done?").select_option("create_file")
        seat.press("Put it into the queue")
        expect(page.get_by_text("This is needed").first).to_be_visible()
        page.get_by_label("In which project?").fill("lined-up")
        page.get_by_label("Path", exact=True).fill("new.txt")
        assert seat.flaws() == []
        seat.press("Put it into the queue")
        until(lambda: queued(service, "lined-up") == ["c.txt", "new.txt", "b.txt"], "the step to be put in")
        page.locator("[data-queued]").filter(has_text="c.txt").get_by_role("button", name="Change it").click()
        expect(page.get_by_label("Path", exact=True)).to_have_value("c.txt", timeout=SECONDS)
        page.get_by_label("Path", exact=True).fill("changed.txt")
        seat.press("Save", exact=True)
        until(lambda: queued(service, "lined-up")[0] == "changed.txt", "the step to change")
        seat.press("Run the next step")
        until(lambda: queued(service, "lined-up") == ["new.txt", "b.txt"], "the step to run")
        seat.press("Take everything off")
        page.get_by_role("dialog").get_by_role("button", name="Take everything off").click()
        seat.sees("Nothing is queued")


def test_a_queued_step_is_dragged_to_another_place_and_moved_from_its_menu(stage: Stage, service: Live) -> None:
    service.send("POST", "/cancel_plan", {})
    steps = [{"intent": "create_file", "project": "dragged", "path": f"{name}.txt"} for name in "abc"]
    service.send("POST", "/run", {"intent": "queue_task", "steps": steps})
    with stage.seat(service) as seat:
        page = seat.open("/app/queue").connected().page
        handle = page.get_by_role("button", name="Move: Create a.txt")
        handle.hover()
        page.mouse.down()
        last = page.locator("[data-queued]").filter(has_text="c.txt").bounding_box()
        assert last is not None
        x, y = last["x"] + 20, last["y"] + last["height"] / 2
        page.mouse.move(x, y - 20, steps=5)
        page.mouse.move(x, y + 4, steps=5)
        expect(page.get_by_text("Place 3 of 3")).to_be_attached()
        page.mouse.up()
        until(lambda: queued(service, "dragged") == ["b.txt", "c.txt", "a.txt"], "the step to move")
        expect(page.locator("[data-queued]").last).to_contain_text("a.txt")
        page.get_by_role("button", name="What to do with: Create a.txt").click()
        page.get_by_role("menuitem", name="Move up").click()
        until(lambda: queued(service, "dragged") == ["b.txt", "a.txt", "c.txt"], "the step to move up")
    service.send("POST", "/cancel_plan", {})
