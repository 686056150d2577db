"""The first moment: the box takes words before all of the panel has arrived, and nothing that was done then is lost."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route, expect

from tests.panel.panel_stage import PHONE, Stage
from tests.web.live import Live

PANEL = re.compile(r"/assets/panel-[^/]*\.js$")
ALL_SCRIPTS = re.compile(r"/assets/index-[^/]*\.js$")


@contextmanager
def held_back(page: Page, what: re.Pattern[str] = PANEL) -> Iterator[None]:
    """The panel itself arrives only afterwards; what is on screen until then came with the page."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(what, hold)
    yield
    expect(page.locator("[data-link]")).to_have_count(0)
    for route in held:
        route.continue_()
    page.unroute(what)


def test_what_is_typed_while_the_panel_loads_is_kept_with_the_cursor_in_its_place(stage: Stage, service: Live) -> None:
    with stage.seat(service, width=PHONE) as seat:
        box = seat.page.get_by_label("What shall I build?")
        with held_back(seat.page):
            seat.open()
            box.fill("a list of books")
            box.press("Home")
            seat.sees("Recipes")
            assert seat.sideways() == 0
            assert seat.flaws() == []
        seat.connected()
        expect(box).to_be_focused()
        seat.page.keyboard.type("Build ")
        expect(box).to_have_value("Build a list of books")


def test_the_box_stands_in_the_page_itself_and_keeps_what_is_typed_before_any_script(
    stage: Stage, service: Live
) -> None:
    with stage.seat(service, dark=True) as seat:
        box = seat.page.get_by_label("What shall I build?")
        with held_back(seat.page, ALL_SCRIPTS):
            seat.page.goto(f"{seat.origin}/", wait_until="commit")
            box.press_sequentially("Build a list of books")
            expect(seat.page.get_by_role("button", name="Make a plan")).to_be_disabled()
        expect(seat.page.get_by_role("button", name="Make a plan")).to_be_enabled()
        expect(box).to_be_focused()
        seat.connected()
        expect(box).to_have_value("Build a list of books")


def test_nothing_of_it_is_seen_by_who_is_not_signed_in_or_elsewhere(stage: Stage, service: Live) -> None:
    for signed_in, path in ((False, "/"), (True, "/app/approvals")):
        with stage.seat(service, signed_in=signed_in) as seat, held_back(seat.page, ALL_SCRIPTS):
            seat.page.goto(f"{seat.origin}{path}", wait_until="commit")
            expect(seat.page.locator("#root")).to_be_attached()
            expect(seat.page.locator("main textarea")).to_be_hidden()


def test_what_is_sent_while_the_panel_loads_is_planned(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        with held_back(seat.page):
            seat.open()
            seat.page.get_by_label("What shall I build?").fill("Build an API for early birds with name and wingspan")
            seat.press("Make a plan")
        seat.sees("Prove that the app works")


def test_enter_counts_before_any_script_has_arrived(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        with held_back(seat.page, ALL_SCRIPTS):
            seat.page.goto(f"{seat.origin}/", wait_until="commit")
            box = seat.page.get_by_label("What shall I build?")
            box.press_sequentially("Build an API for night owls with name and wingspan")
            box.press("Enter")
        seat.sees("Prove that the app works")


def test_words_in_the_box_are_still_there_after_a_look_at_another_screen(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        seat.open().connected()
        box = seat.page.get_by_label("What shall I build?")
        box.fill("Something half thought out")
        seat.press("Timeline", role="link")
        expect(box).to_have_count(0)
        seat.press("Build", role="link", exact=True)
        expect(box).to_have_value("Something half thought out")


def test_nobody_is_led_away_by_a_plan_that_is_ready_later_and_new_words_are_kept(stage: Stage, service: Live) -> None:
    with stage.seat(service) as seat:
        seat.open().connected()
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        seat.page.route("**/run", hold)
        box = seat.page.get_by_label("What shall I build?")
        box.fill("Build an API for night owls with name and wingspan")
        seat.press("Make a plan")
        expect(seat.page.get_by_role("button", name="Make a plan")).to_be_disabled()
        box.fill("And the next thing")
        seat.press("Queue", role="link")
        seat.page.wait_for_url("**/app/queue")
        with seat.page.expect_response("**/run"):
            held[0].continue_()
        badge = seat.page.get_by_role("navigation").get_by_text("for your decision")
        expect(badge.first).to_be_attached()
        assert seat.page.url.endswith("/app/queue")
        seat.press("Build", role="link", exact=True)
        expect(box).to_have_value("And the next thing")


def test_a_panel_that_does_not_arrive_says_so_and_can_be_asked_for_again(stage: Stage, service: Live) -> None:
    with stage.seat(service, strict=False) as seat:
        seat.page.route(PANEL, lambda route: route.abort())
        seat.open("/app/approvals")
        seat.sees("The panel could not be loaded")
        seat.page.unroute(PANEL)
        seat.press("Load the page again", role="link")
        seat.connected()
