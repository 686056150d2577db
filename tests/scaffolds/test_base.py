"""Ways to put what people wrote into files of any language."""

import ast
import html
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scaffolds.base import (
    PYTHON_PINS,
    READABLE,
    class_name,
    html_text,
    markdown_text,
    python_import,
    python_literal,
    requirements,
    script_literal,
    whole,
)
from tests.scaffolds.generated import BESIDES, ROOT, RULES
from tests.scaffolds.specs import HOSTILE

TEXTS = st.text(st.characters(exclude_categories=()), max_size=120) | st.text("ab \"'\\é漢🎉\n\u202e{}", max_size=200)
TEXTS |= st.lists(st.text("aОсаКнигЖ_1-", max_size=9) | st.text("αβΒιλία", max_size=9), max_size=20).map(" ".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner) | st.dictionaries(st.text("ab", max_size=9), inner),
    max_leaves=12,
)


def ruff(source: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    program = str(Path(sys.executable).parent / "ruff")
    return subprocess.run(
        [program, *arguments, "--isolated", "--no-cache", "-"],
        input=source.encode("utf-8", "surrogatepass"),
        capture_output=True,
        check=False,
    )


def test_apps_run_on_what_the_agent_runs_on() -> None:
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE))
    assert {name: pinned[name] for name in PYTHON_PINS} == PYTHON_PINS
    assert requirements("typer", "Flask") == f"Flask=={pinned['Flask']}\ntyper=={pinned['typer']}\n"


@settings(max_examples=6, deadline=None)
@given(st.lists(VALUES, min_size=40, max_size=60))
def test_python_has_data_as_ruff_would_write_it(values: list[Any]) -> None:
    lines = [
        f"VALUE_{number} = {python_literal(value, 0, 9 + len(str(number)))}" for number, value in enumerate(values)
    ]
    source = "\n".join(lines) + "\n"
    found = [ast.literal_eval(node.value) for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    assert found == values
    assert ruff(source, "format").stdout.decode() == source
    checked = ruff(source, "check", "--select", RULES, "--ignore", BESIDES)
    assert checked.returncode == 0, checked.stdout.decode()


def test_all_that_stays_readable_is_no_trap() -> None:
    shown = [chr(code) for code in range(0x110000) if READABLE.fullmatch(chr(code))]
    assert len(shown) > 20_000
    source = "".join(f"V{number} = {python_literal(f'a{char}')}\n" for number, char in enumerate(shown))
    assert ruff(source, "check", "--select", RULES).returncode == 0


def test_words_of_other_scripts_stay_readable() -> None:
    assert python_literal("Книги о природе") == '"Книги \\u043e природе"'
    assert python_literal("Βιβλία") == '"Βιβλία"'


@given(TEXTS)
def test_scripts_cannot_be_left(text: str) -> None:
    literal = script_literal({"text": text})
    assert json.loads(literal) == {"text": text}
    assert not re.search("[<>&\u2028\u2029\u202e\ud800-\udfff]", literal)


@given(TEXTS)
def test_html_is_text(text: str) -> None:
    assert html.unescape(html_text(text)) == html.unescape(html.escape(text))
    assert not re.search("[<>\"']", html_text(text))


@given(TEXTS)
def test_markdown_is_one_plain_line(text: str) -> None:
    line = markdown_text(text)
    assert "\n" not in line
    assert "<" not in line
    assert not re.search(r"(?<!\\)(\\\\)*[`*_\[\]|#]", line)
    assert not re.match(r"[-+=]|\d+[.)]", line)


def test_markdown_of_odd_words() -> None:
    assert markdown_text("1. One") == "1\\. One"
    assert markdown_text("- a\nb") == "\\- a b"
    assert markdown_text("a_b *c* <d>") == "a\\_b \\*c\\* &lt;d&gt;"
    assert "</script>" not in markdown_text(HOSTILE)


def test_names_and_numbers() -> None:
    assert class_name("order_line") == "OrderLine"
    assert (whole(2.0), whole(2.5), whole(True), whole(" a ")) == (2, 2.5, True, "a")
    assert python_import({"b", "B", "CC", "Aa"}, "m") == "from m import CC, Aa, B, b"
    long = python_import([f"Name{number}" for number in range(10, 22)], "module")
    assert ruff(long + "\n\n__all__ = []\n", "format").stdout.decode().startswith(long)
