"""Checks of a web app through its pages and forms: all hold on one that keeps its word, and each fault is found."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.app_spec import AppField, AppSpec, FieldType
from proof import AddressVisitor, check_live, checks_for, run_check
from proving.check import Grounds
from proving.html_reader import Unreadable, read_page
from proving.page_checks import bar_label
from tests.proving.tiny_notes import SPEC, make_app
from tests.proving.visits import served

NOTES = AppSpec.model_validate(SPEC)
BROKEN = {
    "bare errors": "nothing-there",
    "forgets what was typed": "rules-notes",
    "keeps what is deleted": "delete-notes",
    "loses text": "texts",
    "no button": "look",
    "no guard": "guarded",
    "no labels": "readable",
    "two headings": "readable",
    "unescaped": "keep-notes",
    "unescaped list": "keep-notes",
    "wrong figures": "charts",
}


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    log = logging.getLogger("werkzeug")
    log.disabled = True
    yield
    log.disabled = False


def test_all_checks_hold_on_a_web_app_that_keeps_its_word() -> None:
    with served(make_app()) as url:
        proof = check_live(NOTES, AddressVisitor(url))
    assert proof.ok, proof.failures
    assert len(proof.checks) == 18


@pytest.mark.parametrize(("fault", "found_by"), BROKEN.items(), ids=list(BROKEN))
def test_each_broken_promise_of_a_page_is_found(fault: str, found_by: str) -> None:
    with served(make_app(frozenset({fault}))) as url:
        grounds = Grounds(NOTES, "salt", visitor=AddressVisitor(url))
        (result,) = (run_check(check, grounds) for check in checks_for(NOTES) if check.id == found_by)
    assert not result.ok and len(result.why) > 20


def test_every_fault_of_the_pages_is_tried() -> None:
    source = (Path(__file__).parent / "tiny_notes.py").read_text()
    assert set(re.findall(r'"([a-z ]+)" (?:not )?in (?:self\.)?faults', source)) == set(BROKEN)


PAGE = """<!doctype html><html lang="en"><head><title> A  page </title><meta name=description content="About it">
<link rel=stylesheet href=style.css></head><body><nav><a href="a.html">A &amp; B</a></nav><h1>Hello <b>you</b></h1>
<form method=POST action="/x?y=1"><input type=hidden name=csrf_token value=t>
<label>Name <input name=name value="&lt;x&gt;"></label><input name=bare><textarea name=words>
line 1
line 2</textarea><select name=pick><option value=a>A</option><option value=b selected>B</option></select>
<input type=checkbox name=on value=yes checked><input type=checkbox name=off value=yes>
<button name=go>Go</button></form>
<table><tr><th>Kind</th><th>Count</th></tr><tr><td>idea</td><td>2</td></tr></table>
<svg><title>Bars</title></svg><script>var hidden = "<h1>no</h1>"</script></body></html>"""


def test_a_page_is_read_as_a_person_would() -> None:
    page = read_page(PAGE)
    assert (page.lang, page.title, page.description, page.headings) == ("en", "A page", "About it", ["Hello you"])
    assert page.links == [("a.html", "A & B")] and page.navigation == ["a.html"] and page.assets == ["style.css"]
    assert page.svg_titles == ["Bars"] and page.drawings == 1 and "hidden" not in page.text
    form = page.form_to("/x")
    assert form is not None
    typed = {"name": "<x>", "bare": "", "words": "line 1\nline 2", "pick": "b", "on": "yes"}
    assert form.values == {"csrf_token": "t", **typed}
    bare = [one.name for one in form.inputs if one.typed_into and not one.labelled]
    assert bare == ["bare", "words", "pick", "on", "off"]
    assert page.tables == [[["Kind", "Count"], ["idea", "2"]]]


@given(st.text(alphabet="<>/=\"'! -abch1formtdinputselectoptionvaluename&;#[]", max_size=300))
@settings(deadline=None, max_examples=150)
def test_whatever_is_sent_as_a_page_is_read_or_refused(text: str) -> None:
    try:
        read_page(text)
    except Unreadable:
        return


@pytest.mark.parametrize(
    ("kind", "value", "label"),
    [
        ("date", "2001-01-08", "8 January 2001"),
        ("money", 3.5, "3.50"),
        ("integer", 12, "12"),
        ("yes_no", True, "yes"),
        ("text", "x", "x"),
    ],
)
def test_bars_are_looked_for_as_pages_write_them(kind: str, value: object, label: str) -> None:
    assert bar_label(AppField(name="by", label="By", type=FieldType(kind)), value) == label
