"""What all generators share: templates, ways to put data into files of any language, and the versions apps run on."""

import functools
import html as html_rules
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

PYTHON_PINS = {"Flask": "3.1.3", "pytest": "9.2.0", "typer": "0.29.0"}
"""The versions that the agent itself has, so that an app can be run and tested with them at once."""
LINE = 88
"""How long a line of Python may get before ruff complains about it."""
READABLE = re.compile(
    "[ -~¡£§©«°»¿À-ÖØ-İĴ-ž„…€—“”。ぁ-ゖァ-ネハ-ヺ一-丵丷-丽乀-鿿가-힣🌀-🌠🌷-🍼🍾-🎓🎠-🏄🐀-🐾👂-📼😀-🙏🚀-🛅🤐-🤺]"
)
"""What stays as it is in Python strings. Of the rest, some is invisible or looks like something else."""

WORDS = re.compile(
    r"(?<!\w)(?:[А-яЁёЄєІіЇїҐґ]*[БГДЖИЙЛПФЦЧШЩЪЫЭЮЯвджзийклмнптфцчшщъыьэюяЁёЄєЇїҐґ][А-яЁёЄєІіЇїҐґ]*"
    r"|[Ά-ώ]*[ΓΔΘΛΞΠΣΦΨΩβδεζηθκλμξπςτφχψωάέήίόύώ][Ά-ώ]*)(?!\w)"
)
"""Cyrillic and Greek words that have a letter which looks like no Latin one; these stay as well."""


@functools.cache
def environment(folder: Path) -> Environment:
    """Templates of `folder/templates`, for files of any language: nothing is escaped unless a filter does it."""
    made = Environment(
        loader=FileSystemLoader([folder / "templates", Path(__file__).parent / "templates"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  # what is made is code; the filters escape by place
    )
    made.filters.update(
        py=python_literal,
        js=script_literal,
        html=html_text,
        md=markdown_text,
        class_name=class_name,
        inner=inner,
        whole=whole,
        imports=python_import,
    )
    return made


def render(folder: Path, template: str, **values: Any) -> str:
    """The text of one file. What a template names and is not given is an error."""
    return environment(folder).get_template(template).render(**values)


def python_literal(value: Any, indent: int = 0, used: int = 0) -> str:
    """A JSON value, or a tuple, as ruff would format it `indent` deep and with `used` more characters in its line.

    Lists and objects have one item a line; a text that does not fit its line goes on below, in brackets.
    """
    if isinstance(value, str):
        return _text(value, indent, used)
    if isinstance(value, Mapping):
        pairs = [(python_literal(key, indent + 4) + ": ", item) for key, item in value.items()]
        return _many("{", pairs, "}", indent)
    if isinstance(value, list | tuple):
        ends, flat = _ends(value), _flat(value)
        if flat and indent + used + width(flat) <= LINE:
            return flat
        return _many(ends[0], [("", item) for item in value], ends[1], indent)
    return repr(value).replace("e+", "e")


def _many(start: str, pairs: list[tuple[str, Any]], end: str, indent: int) -> str:
    if not pairs:
        return start + end
    inner = indent + 4
    lines = (f"{' ' * inner}{key}{python_literal(item, inner, _last_width(key) + 1)},\n" for key, item in pairs)
    return f"{start}\n{''.join(lines)}{' ' * indent}{end}"


def _last_width(text: str) -> int:
    return width(text.rpartition("\n")[2])


def _flat(value: Any) -> str:
    """A value in one line, empty if ruff would give it several: tuples with one item stay in a line if they can."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, tuple) and len(value) == 1:
        inner = _flat(value[0])
        return inner and f"({inner},)"
    if isinstance(value, list | tuple | Mapping):
        return "" if value else _ends(value)
    return python_literal(value)


def _ends(value: Any) -> str:
    return "{}" if isinstance(value, Mapping) else "[]" if isinstance(value, list) else "()"


def _text(text: str, indent: int, used: int) -> str:
    whole = _quoted(text)
    if indent + used + width(whole) <= LINE:
        return whole
    inner = indent + 4
    lines = "".join(f"{' ' * inner}{piece}\n" for piece in _pieces(text, LINE - inner))
    return f"(\n{lines}{' ' * indent})"


def _pieces(text: str, room: int) -> list[str]:
    """The text as quoted pieces that fit, broken after spaces where there are any."""
    pieces, piece = [], ""
    for word in re.findall(r"[^ ]*(?: |$)", text):
        for part in [word] if width(_quoted(word)) <= room else list(word):
            if piece and width(_quoted(piece + part)) > room:
                pieces.append(_quoted(piece))
                piece = ""
            piece += part
    return [*pieces, _quoted(piece)] if piece else pieces


def _quoted(text: str) -> str:
    mark = "'" if text.count('"') > text.count("'") else '"'
    return mark + "".join(_shown(part, mark) for part in _parts(text)) + mark


def _parts(text: str) -> Iterator[str]:
    """The words that stay, and the characters between them."""
    end = 0
    for word in WORDS.finditer(text):
        yield from text[end : word.start()]
        yield word[0]
        end = word.end()
    yield from text[end:]


def _shown(part: str, mark: str) -> str:
    if part in {mark, "\\"}:
        return f"\\{part}"
    if len(part) > 1 or WORDS.fullmatch(part) or READABLE.fullmatch(part):
        return part
    return part.encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    """How many columns a text takes, as ruff counts."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def script_literal(value: Any) -> str:
    """JSON that is also safe inside an element `script`."""
    text = json.dumps(value, ensure_ascii=False)
    return re.sub("[<>&\u2028\u2029\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", _escape_unit, text)


def _escape_unit(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def html_text(value: object) -> str:
    """Text for elements and quoted attributes."""
    return html_rules.escape(str(value), quote=True)


def markdown_text(value: object) -> str:
    """One line in which nothing is a heading, a link, a list, a table or HTML."""
    line = " ".join(str(value).split())
    escaped = re.sub(r"([\\`*_{}\[\]#|~!])", r"\\\1", html_rules.escape(line, quote=False))
    return re.sub(r"^([-+=:]|\d+(?=[.)]))", _escape_start, escaped)


def _escape_start(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def whole(value: Any) -> Any:
    """A number without its decimals if they are all zero, a text without spaces around it, anything else as it is."""
    if isinstance(value, str):
        return value.strip()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def python_import(names: Iterable[str], module: str) -> str:
    """A line that imports names from a module, or as many lines as ruff would make of it."""
    ordered = sorted(names, key=lambda name: (not (len(name) > 1 and name.isupper()), name[0].islower(), name))
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= LINE:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in ordered) + ")"


def inner(label: str) -> str:
    """A label as it stands in the middle of a sentence."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def class_name(name: str) -> str:
    """`order_line` is the class `OrderLine`."""
    return "".join(part.capitalize() for part in name.split("_"))


def requirements(*packages: str) -> str:
    """The text of a requirements file with these packages, pinned."""
    return "".join(f"{package}=={PYTHON_PINS[package]}\n" for package in sorted(packages, key=str.lower))
