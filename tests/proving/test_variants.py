"""Broken variants: always the same ones, each really another program, and none where nobody could see it."""

import ast
from pathlib import Path

import pytest

from contracts.app_spec import Kind, Language
from proving.python_variants import python_spots
from proving.variants import variants_of
from tests.scaffolds.specs import notes, spec

API = spec(Kind.API, notes())
NODE = spec(Kind.API, notes(), language=Language.NODE)
SITE = spec(Kind.SITE, pages=[{"slug": "index", "title": "Home"}])
SOURCE = '''
"""A module."""
import logging, os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from x import y

TIMEOUT = 200

def read(number: int = 404) -> dict:
    """Looks like 404 is not found."""
    logging.info("reading %s", 404)
    if os.environ.get("VERCEL"):
        return {"place": "tmp"}
    try:
        item = find(number)
    except KeyError:
        raise Missing(404)
    if item is None:
        raise Missing(404)
    save(item)
    return {"é": item, "new": (item.age or 1) < 3}, 201

def main() -> None:
    if 1 == 2:
        raise SystemExit(1)

if __name__ == "__main__":
    main()
'''


def test_variants_of_python_are_where_they_can_be_seen() -> None:
    found = {(spot.line, spot.words) for spot in python_spots(SOURCE)}
    assert found == {
        (20, "the condition `item is None` is turned round"),
        (21, "`raise Missing(404)` is left out"),
        (21, "404 is 400"),
        (22, "`save(item)` is left out"),
        (23, '`return {"é": item, "new": (item.age or 1) < 3}, 201` gives nothing'),
        (23, "`(item.age or 1) < 3` is turned round"),
        (23, "201 is 200"),
    }


def test_a_comparison_is_turned_round_as_a_whole() -> None:
    (spot,) = (spot for spot in python_spots(SOURCE) if spot.way == "comparison")
    data = SOURCE.encode()
    changed = data[: spot.start] + spot.instead.encode() + data[spot.end :]
    assert b'"new": (not ((item.age or 1) < 3))}, 201' in changed


def test_every_variant_is_a_program_that_differs_in_one_place() -> None:
    source = (Path(__file__).parent / "tiny_library.py").read_text()
    whole = ast.dump(ast.parse(source))
    variants = variants_of(API, {"app.py": source}, 40)
    assert len(variants) == 40
    for variant in variants:
        assert ast.dump(ast.parse(variant.text)) != whole, variant.place
    assert len({variant.text for variant in variants}) == 40


def test_the_same_files_give_the_same_variants_and_other_files_others() -> None:
    first, again = (variants_of(API, {"a.py": SOURCE, "b.py": SOURCE}, 4) for _ in range(2))
    assert first == again
    assert {variant.path for variant in first} == {"a.py", "b.py"}
    other = variants_of(API, {"a.py": SOURCE + "\n# another", "b.py": SOURCE}, 4)
    assert [variant.words for variant in other] != [variant.words for variant in first]


@pytest.mark.parametrize(
    "path",
    ["tests/test_a.py", "conftest.py", "migrations/one.py", "service/openapi.py", "ui/a.py", "test_a.py", "a.txt"],
)
def test_tests_migrations_and_descriptions_are_left_alone(path: str) -> None:
    assert variants_of(API, {path: SOURCE}, 4) == ()


def test_what_is_no_python_has_no_variants() -> None:
    assert variants_of(API, {"a.py": "def broken(:", "b.py": "\0", "c.py": ""}, 4) == ()


SCRIPT = """
import http from "node:http";
// if (commented === 404) {
const name = "404 === 404";
export function find(id) {
  if (!known(id)) {
    throw new HttpError(404, "nothing");
  }
  try {
    load();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    throw new HttpError(422, "unreadable");
  }
  console.log(404);
  return items.filter((item) => item.id === id);
}
"""


def test_variants_of_scripts_are_where_they_can_be_seen() -> None:
    found = {(variant.line, variant.words) for variant in variants_of(NODE, {"src/a.js": SCRIPT}, 20)}
    lines = {line for line, _ in found}
    assert lines <= {6, 7, 16} and 16 in lines
    texts = [variant.text for variant in variants_of(NODE, {"src/a.js": SCRIPT}, 20)]
    assert all(text != SCRIPT for text in texts)
    assert variants_of(API, {"src/a.js": SCRIPT}, 4) == ()


def test_variants_of_a_site_break_a_link_or_a_heading() -> None:
    page = '<h1 class="big">Héllo</h1><a href="about.html">About</a><a href="https://example.org/x.html">Away</a>'
    found = {variant.words: variant.text for variant in variants_of(SITE, {"index.html": page}, 4)}
    assert any("about-gone.html" in text for text in found.values()) or any("<p " in text for text in found.values())
    assert all(text != page for text in found.values())
