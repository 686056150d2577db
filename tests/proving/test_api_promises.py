"""Checks of an API: all hold on one that keeps its word, and each way to break it is found."""

import http.server
import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from contracts.app_spec import AppSpec, Kind, Login
from proof import AddressVisitor, CheckResult, check_live, checks_for, run_check
from proving.check import Grounds
from tests.proving.tiny_library import SPEC, make_app
from tests.proving.visits import answering, served
from tests.scaffolds.specs import api_specs, everything, library, notes, spec

LIBRARY = AppSpec.model_validate(SPEC)
BROKEN = {
    "any password": "login",
    "filter does nothing": "filter-books",
    "forgets required": "required-books",
    "formulas": "csv-books",
    "guess away": "guessing",
    "hides an address": "description",
    "keeps spaces": "keep-books",
    "keeps what is deleted": "delete-books",
    "leaks": "private",
    "loses data": "restart",
    "no cascade": "belongs-books-shelves",
    "no range": "rules-books",
    "open to all": "login",
    "orphans": "required-books",
    "pages overlap": "pages-books",
    "patch forgets": "change-books",
    "search finds all": "search-books",
    "sort reversed": "sort-books",
    "takes anything": "nonsense",
    "twins": "unique-shelves",
    "view shows all": "views-books",
    "wrong status": "required-shelves",
}


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    log = logging.getLogger("werkzeug")
    log.disabled = True
    yield
    log.disabled = False


class Switchable(AddressVisitor):
    """Visits an app that can be made anew from what it keeps."""

    restarts = True

    def __init__(self, url: str, again: Callable[[], None]) -> None:
        super().__init__(url)
        self._again = again

    def restart(self) -> None:
        self._again()


def tried(folder: Path, fault: str, *ids: str) -> list[CheckResult]:
    """These checks on the library with a fault."""
    current: list[Flask] = []

    def again() -> None:
        current[:] = [make_app(folder, frozenset({fault}))]

    again()

    def now(environ: Any, start: Any) -> Iterable[bytes]:
        return current[0](environ, start)

    with served(now) as url:
        grounds = Grounds(LIBRARY, "salt", visitor=Switchable(url, again))
        return [run_check(check, grounds) for check in checks_for(LIBRARY) if not ids or check.id in ids]


def test_all_checks_hold_on_an_app_that_keeps_its_word_and_leave_nothing_behind(tmp_path: Path) -> None:
    results = tried(tmp_path, "")
    assert [(result.id, result.why) for result in results if not result.ok] == []
    assert len(results) == 30 and all(result.exchanges for result in results)
    kept = json.loads((tmp_path / "all.json").read_text())
    assert kept["next"] > 50 and kept["items"] == {"shelves": {}, "books": {}}


@pytest.mark.parametrize(("fault", "found_by"), BROKEN.items(), ids=list(BROKEN))
def test_each_broken_promise_is_found(tmp_path: Path, fault: str, found_by: str) -> None:
    (result,) = tried(tmp_path, fault, found_by)
    assert not result.ok and len(result.why) > 20


def test_every_fault_of_the_library_is_tried() -> None:
    source = (Path(__file__).parent / "tiny_library.py").read_text()
    assert set(re.findall(r'"([a-z ]+)" (?:not )?in (?:self\.)?faults', source)) == set(BROKEN)


def test_an_address_can_be_checked_again_and_again_and_nothing_secret_is_kept(tmp_path: Path) -> None:
    with served(make_app(tmp_path)) as url:
        first, second = (check_live(LIBRARY, AddressVisitor(url)) for _ in range(2))
    assert first.ok and second.ok, (first.words, second.words)
    assert first.words == "29 of 29 checks hold"
    kept = str(first.to_json())
    assert "Pw-" not in kept and not re.search(r"'token': '\w", kept) and '"token":"•••"' in kept


class Hollow(http.server.BaseHTTPRequestHandler):
    """Says yes to everything, and does nothing."""

    body, kind = b"{}", "application/json"

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Type", self.kind)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, format: str, *args: object) -> None:
        return


class HollowPage(Hollow):
    body, kind = b"<!doctype html><html lang=en><title>x</title><h1>x</h1></html>", "text/html"


SERVED = [
    *api_specs().values(),
    spec(Kind.HELLO_API),
    spec(Kind.WEB_APP),
    spec(Kind.WEB_APP, notes(), everything(), charts=[{"resource": "thing", "by": "colour"}]),
    spec(Kind.WEB_APP, *library(), login=Login(), dark_mode=True),
    spec(Kind.SITE, pages=[{"slug": "index", "title": "Home", "sections": [{"heading": "Hi", "text": "Some."}]}]),
]


@pytest.mark.parametrize("handler", [Hollow, HollowPage])
def test_no_check_passes_on_an_app_that_only_says_yes(handler: type[Hollow]) -> None:
    with answering(handler) as visitor:
        for one in SERVED:
            proof = check_live(one, visitor)
            assert [check.id for check in proof.checks if check.ok] == []


@pytest.mark.parametrize("one", SERVED, ids=lambda one: f"{one.kind.value}-{len(one.resources)}")
def test_checks_have_names_of_their_own_and_sentences(one: AppSpec) -> None:
    checks = checks_for(one)
    ids, words = [check.id for check in checks], [check.words for check in checks]
    assert len(set(ids)) == len(ids) and len(set(words)) == len(words)
    assert all(not text[0].islower() and not text.endswith(".") for text in words)
    assert len(checks) >= 5
