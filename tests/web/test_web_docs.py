"""The API document, its page and its file say the same, and all of it comes from the routes."""

import re
from html.parser import HTMLParser
from pathlib import Path

from tests.web.web_desk import Desk
from web.api_markdown import markdown
from web.openapi import address
from web.reference import entries
from web.wiring import ROUTES, api_document

FILE = Path(__file__).parents[2] / "docs" / "api.md"


class Links(HTMLParser):
    """Everything that a page would load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.forbidden: list[str] = []
        self.ids: set[str] = set()
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in {"script", "style", "iframe"} or any(name.startswith("on") or name == "style" for name in given):
            self.forbidden.append(tag)
        for name in ("src", "href"):
            value = given.get(name) or ""
            if value.startswith("#"):
                self.anchors.add(value[1:])
            elif value:
                self.loads.append(value)
        if given.get("id"):
            self.ids.add(given["id"] or "")


def test_the_document_has_every_route_and_every_route_a_summary(still_desk: Desk) -> None:
    document = still_desk.get("/openapi.json")
    assert document["openapi"] == "3.1.0"
    listed = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert listed == {(route.method, address(route)) for route in ROUTES}
    assert all(re.fullmatch(r"[A-Z].*\.", route.summary) for route in ROUTES)


def test_the_document_lists_only_routes_that_exist(still_desk: Desk) -> None:
    rules = {rule.rule for rule in still_desk.app.url_map.iter_rules()}
    assert rules == {route.path for route in ROUTES}


def test_every_reference_in_the_document_leads_somewhere(still_desk: Desk) -> None:
    text = still_desk.send("GET", "/openapi.json").text
    schemas = still_desk.get("/openapi.json")["components"]["schemas"]
    assert set(re.findall(r'"\$ref":"#/components/schemas/([^"]+)"', text)) <= set(schemas)


def test_names_of_operations_are_unique() -> None:
    names = [route.name for route in ROUTES]
    assert len(names) == len(set(names))


def test_the_page_shows_every_route_and_loads_nothing_from_elsewhere(still_desk: Desk) -> None:
    page = still_desk.send("GET", "/docs", headers={"Authorization": ""})
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    found = Links()
    found.feed(page.text)
    assert found.forbidden == []
    assert found.loads == ["/docs.css"]
    assert found.anchors == found.ids
    assert len(found.anchors) == len(ROUTES)
    assert "script-src" not in page.headers["Content-Security-Policy"]
    assert "'unsafe" not in page.headers["Content-Security-Policy"]
    assert still_desk.send("GET", "/docs.css").headers["Content-Type"] == "text/css; charset=utf-8"


def test_every_example_is_a_command_line_for_its_route() -> None:
    for entry in entries(api_document("0")):
        assert entry.curl.startswith("curl ")
        assert ("Bearer" in entry.curl) is not entry.open
        if entry.method not in {"GET", "POST"}:
            assert f"-X {entry.method}" in entry.curl


def test_a_browser_lands_on_a_page_and_a_program_on_json(still_desk: Desk) -> None:
    browser = still_desk.send("GET", "/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert browser.headers["Content-Type"].startswith("text/html")
    for accept in ("*/*", "application/json", ""):
        said = still_desk.send("GET", "/", headers={"Accept": accept, "Authorization": ""})
        assert said.get_json() == {"success": True, "message": "Task Agent is running"}


def test_the_file_in_docs_is_up_to_date() -> None:
    assert FILE.read_text("utf-8") == markdown(), "run: python -m web.api_markdown > docs/api.md"
