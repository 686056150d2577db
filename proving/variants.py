"""Broken variants of an app: its own tests must catch each, or they test nothing there.

Only changes that somebody would see are made; how long something waits, what is logged, how large a buffer is or which
environment it runs in are left alone.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from contracts.app_spec import AppSpec, Kind, Language
from proving.python_variants import Spot, python_spots

MUTED = ("tests/", "test/", "migrations/", "ui/", "ui-src/", "static/", "sample/", ".task-agent/", "node_modules/")
DESCRIBES = re.compile(r"openapi|schema|description|config", re.IGNORECASE)
"""Files that tell others what the app does; what they say is checked from outside, not by the app's own tests."""
UNUSUAL = ("conftest.py", "setup.py", "test_", "vite.config", "eslint.config")
STATUS = {
    "200": "202",
    "201": "200",
    "204": "200",
    "302": "303",
    "400": "409",
    "401": "403",
    "404": "400",
    "409": "400",
    "422": "400",
}
QUOTES = "'\"`"
PAGE_LINK = re.compile(r'href="([\w-]+)\.html')
JS_IF = re.compile(r"^(\s*(?:\} else )?if \()(.+)(\) (?:\{|return\b.*|throw\b.*|continue;))$")
JS_EQUAL = re.compile(r" ([!=])== ")
JS_STATUS = re.compile(r"(?<![\w.$'\"`])(200|201|204|400|401|404|409|422)(?![\w.'\"`])")
JS_THROW = re.compile(r"^(\s*)throw (?!error\b|err\b|e\b).+;$")
JS_CATCH = re.compile(r"\bcatch\b.*\{$|\.(?:on|once)\(\"(?:error|aborted|close)\".*\{$")
"""Where what nobody foresees is dealt with."""
JS_SKIPPED = re.compile(
    r"^\s*(//|\*|/\*|import\b|export \{|#!)|process\.|console\.|require\(|listen\(|ENOENT|setTimeout"
)


@dataclass(frozen=True, slots=True)
class Variant:
    """The app with one place of one file changed."""

    path: str
    line: int
    words: str
    text: str

    @property
    def place(self) -> str:
        return f"`{self.path}` line {self.line}: {self.words}"


def variants_of(spec: AppSpec, products: Mapping[str, str], count: int) -> tuple[Variant, ...]:
    """So many variants, the same each time for the same spec and files, spread over files and ways to break them."""
    spots = [
        (path, spot)
        for path, text in sorted(products.items())
        if not path.startswith(MUTED) and not _is_unusual(path.rpartition("/")[2])
        for spot in _spots(spec, path, text)
    ]
    seed = hashlib.sha256(spec.model_dump_json().encode())
    for path, text in sorted(products.items()):
        seed.update(f"{path}\0{text}\0".encode("utf-8", "replace"))
    chosen = _spread(spots, seed.hexdigest(), count)
    return tuple(
        Variant(path, spot.line, spot.words, _changed(products[path], spot))
        for path, spot in sorted(chosen, key=lambda one: (one[0], one[1].line))
    )


def _is_unusual(name: str) -> bool:
    return name.startswith(UNUSUAL) or bool(DESCRIBES.search(name))


def _spread(spots: list[tuple[str, Spot]], seed: str, count: int) -> list[tuple[str, Spot]]:
    def lot(one: tuple[str, Spot]) -> str:
        path, spot = one
        return hashlib.sha256(f"{seed} {path} {spot.start} {spot.words}".encode()).hexdigest()

    waiting = sorted(spots, key=lot)
    chosen: list[tuple[str, Spot]] = []
    while waiting and len(chosen) < count:
        waiting.sort(key=lambda one: _likeness(one, chosen))
        best = waiting.pop(0)
        waiting = [one for one in waiting if not (one[0] == best[0] and one[1].line == best[1].line)]
        chosen.append(best)
    return chosen


def _likeness(one: tuple[str, Spot], chosen: list[tuple[str, Spot]]) -> int:
    """How much it is like those that have been chosen: the same file, the same way, a line or two away."""
    same_file = [spot for path, spot in chosen if path == one[0]]
    near = sum(abs(spot.line - one[1].line) < 3 for spot in same_file)
    return len(same_file) + sum(spot.way == one[1].way for _, spot in chosen) + 2 * near


def _changed(text: str, spot: Spot) -> str:
    data = text.encode()
    return (data[: spot.start] + spot.instead.encode() + data[spot.end :]).decode()


def _spots(spec: AppSpec, path: str, text: str) -> Iterable[Spot]:
    if spec.kind is Kind.SITE:
        return _page_spots(text) if path.endswith(".html") else ()
    if spec.language is Language.NODE:
        return _script_spots(text) if path.endswith((".js", ".mjs", ".cjs")) else ()
    return python_spots(text) if path.endswith(".py") else ()


def _page_spots(text: str) -> Iterator[Spot]:
    for found in PAGE_LINK.finditer(text):
        yield _spot(
            text, found.start(1), found.end(1), found[1] + "-gone", "link", f"a link leads to `{found[1]}-gone.html`"
        )
    for found in re.finditer(r"<(/?)h1\b", text):
        if not found[1]:
            end = text.find("</h1>", found.end())
            if end > 0:
                whole = text[found.start() : end + 5].replace("<h1", "<p", 1).replace("</h1>", "</p>")
                yield _spot(text, found.start(), end + 5, whole, "heading", "its heading is no heading")


def _script_spots(text: str) -> Iterator[Spot]:
    place, commented, caught = 0, False, -1
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        commented = commented or line.lstrip().startswith("/*")
        caught = -1 if line.strip() and indent <= caught and not JS_CATCH.search(line) else caught
        if not commented and caught < 0 and not JS_SKIPPED.search(line) and not JS_CATCH.search(line):
            yield from _spots_on(text, line, place)
        caught = indent if JS_CATCH.search(line) else caught
        commented = commented and "*/" not in line
        place += len(line) + 1


def _spots_on(text: str, line: str, place: int) -> Iterator[Spot]:
    if found := JS_IF.match(line):
        start, end = place + found.start(2), place + found.end(2)
        yield _spot(text, start, end, f"!({found[2]})", "condition", f"the condition `{found[2][:60]}` is turned round")
    elif found := JS_EQUAL.search(line):
        if _outside_quotes(line, found.start()):
            other = "=" if found[1] == "!" else "!"
            start = place + found.start(1)
            yield _spot(text, start, start + 1, other, "comparison", f"`{found[0].strip()}` is `{other}==`")
    for found in JS_STATUS.finditer(line):
        if _outside_quotes(line, found.start()):
            start, end = place + found.start(), place + found.end()
            yield _spot(text, start, end, STATUS[found[1]], "status", f"{found[1]} is {STATUS[found[1]]}")
    if found := JS_THROW.match(line):
        start, end = place + found.end(1), place + len(line)
        yield _spot(text, start, end, ";", "error", f"`{line.strip()[:60]}` is left out")


def _outside_quotes(line: str, index: int) -> bool:
    return all(line[:index].count(quote) % 2 == 0 for quote in QUOTES)


def _spot(text: str, start: int, end: int, instead: str, way: str, words: str) -> Spot:
    first, last = len(text[:start].encode()), len(text[:end].encode())
    return Spot(text.count("\n", 0, start) + 1, first, last, instead, way, words)
