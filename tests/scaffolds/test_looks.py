"""How pages look, seen in a real browser at the width of a phone and of a desk."""

import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from code_generator import generate_app_code
from contracts.app_spec import AppSpec
from planner import plan_tasks
from scaffolds import looks

pytestmark = pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
TOP = """<style>{style}</style><header class="top"><div class="inner"><a class="brand" href="/">{title}</a>
<nav aria-label="Pages"><ul><li><a href="/a">Customers</a></li><li><a href="/b">Invoices</a></li></ul></nav>
<div class="tools"><button class="button" type="submit">Sign out</button></div></div></header>"""
QUICK = """<style>{style}</style><form class="form quick">
<div class="field"><label for="a">Name</label><input id="a"></div>
<div class="field"><label for="b">Message</label><textarea id="b" rows="5"></textarea></div>
<button class="button main" type="submit">Add</button></form>"""


def planned(words: str) -> AppSpec:
    spec = plan_tasks(words, projects={}).spec
    assert spec is not None
    return spec


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield launched
        launched.close()


def tops(browser: Browser, html: str, width: int, *selectors: str) -> list[float]:
    """Where things begin, from above."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_content(html)
    boxes = [page.locator(selector).bounding_box() for selector in selectors]
    page.close()
    return [box["y"] for box in boxes if box]


@pytest.mark.parametrize("width", [390, 1440])
def test_the_name_of_an_app_and_the_way_out_share_a_row(browser: Browser, width: int) -> None:
    spec = planned("web app for customers and their invoices with login")
    html = TOP.format(style=looks.style(spec, "buttons", "account"), title="Customers and their many invoices")
    brand, way_out = tops(browser, html, width, ".brand", ".tools")
    assert abs(brand - way_out) < 12


def test_a_form_with_room_for_a_long_text_has_one_field_below_the_other(browser: Browser) -> None:
    html = QUICK.format(style=looks.style(planned("a guestbook"), "buttons", "forms", "quick"))
    name, message, button = tops(browser, html, 1440, "#a", "#b", "button")
    assert name < message < button


def test_a_label_of_one_long_word_does_not_widen_a_phone(browser: Browser) -> None:
    html = QUICK.format(style=looks.style(planned("a guestbook"), "buttons", "forms", "quick")).replace(
        "Name", "N" * 117
    )
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.set_content(html)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.close()


def test_every_class_on_the_pages_of_a_site_has_a_style() -> None:
    files = generate_app_code(planned("Make a website for my bakery with menu, opening hours and contact, dark mode"))
    pages = " ".join(text for path, text in files.items() if path.endswith(".html"))
    worn = {name for names in re.findall(r'class="([^"]+)"', pages) for name in names.split()}
    assert not {name for name in worn if not re.search(rf"\.{name}\b", files["style.css"])}
