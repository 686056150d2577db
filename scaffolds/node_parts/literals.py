"""Data as JavaScript, in the way that people format it: on one line if it fits, else one entry a line."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scaffolds.base import width

LINE = 100
SHORT_KEY = len("four: ")
"""Nothing is gained by a line of its own for what stands behind such a short name."""
HIDDEN = re.compile("[\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
WORD = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


def literal(value: Any, indent: int = 0, used: int = 0) -> str:
    """JavaScript for a JSON value, `indent` deep and with `used` more characters in its first line."""
    line = _line(value)
    if indent + used + width(line) <= LINE and not _has_list_of_items(value):
        return line
    if isinstance(value, Mapping):
        pairs = [(f"{_key(key)}: ", item) for key, item in value.items()]
        return _many("{", pairs, "}", indent)
    if isinstance(value, list | tuple) and value:
        return _many("[", [("", item) for item in value], "]", indent)
    return line


def _has_list_of_items(value: Any) -> bool:
    """Several objects, or several lists, read better one below the other."""
    if isinstance(value, Mapping):
        return any(map(_has_list_of_items, value.values()))
    if not isinstance(value, list | tuple):
        return False
    kinds = (Mapping, list | tuple)
    alike = any(all(isinstance(item, kind) and len(item) > 1 for item in value) for kind in kinds)
    return (len(value) > 1 and alike) or any(map(_has_list_of_items, value))


def _many(start: str, pairs: list[tuple[str, Any]], end: str, indent: int) -> str:
    inner = indent + 2
    lines = (f"{' ' * inner}{entry(key, item, inner)},\n" for key, item in pairs)
    return f"{start}\n{''.join(lines)}{' ' * indent}{end}"


def entry(key: str, item: Any, indent: int) -> str:
    """A text that does not fit behind its name goes below it."""
    text = literal(item, indent, width(key) + 1)
    fits = indent + width(key) + width(text) < LINE
    if not fits and isinstance(item, str) and len(key) > SHORT_KEY:
        return f"{key.rstrip()}\n{' ' * (indent + 2)}{text}"
    return key + text


def constant(name: str, value: str) -> str:
    """The statement that gives a text a name."""
    return f"const {entry(f'{name} = ', value, 0)};"


@dataclass(frozen=True, slots=True)
class Code:
    """JavaScript that stands where a value would."""

    text: str


def _line(value: Any) -> str:
    if isinstance(value, Code):
        return value.text
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)}: {_line(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_line(item) for item in value)}]"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> str:
    """A text in the quotes that need fewer backslashes, with everything that cannot be seen written as a number."""
    mark = "'" if text.count('"') > text.count("'") else '"'
    inside = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace(mark, f"\\{mark}")
    return mark + HIDDEN.sub(_escape, inside) + mark


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _key(key: str) -> str:
    """`__proto__` with quotes would still be the prototype; in brackets it is a key like any other."""
    if key == "__proto__":
        return '["__proto__"]'
    return key if WORD.fullmatch(key) else quoted(key)
