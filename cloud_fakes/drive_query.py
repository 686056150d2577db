"""The search language of Google Drive, as far as it is used: a text becomes a test of files."""

import re
from collections.abc import Callable, Mapping
from typing import Any

Test = Callable[[Mapping[str, Any]], bool]
TOKEN = re.compile(r"\s*(?:('(?:[^'\\]|\\.)*')|(!=|<=|>=|[=<>(){}])|([A-Za-z]+))")
COMPARED = {"name", "mimeType", "modifiedTime", "trashed"}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "contains": lambda a, b: any(word.startswith(b.lower()) for word in re.split(r"\W+", a.lower())),
}


def parse(text: str) -> Test:
    """Raises ValueError for what Drive would refuse, and for what nobody here uses."""
    reader = _Reader(text)
    test = _either(reader)
    if reader.now != "":
        raise ValueError(f"unexpected {reader.now}")
    return test


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        at, text = 0, text.rstrip()
        while at < len(text):
            found = TOKEN.match(text, at)
            if not found:
                raise ValueError(f"not understood at {at}")
            self._tokens.append(found[0].strip())
            at = found.end()
        self._tokens.append("")
        self._at = 0

    @property
    def now(self) -> str:
        return self._tokens[self._at]

    def take(self, *wanted: str) -> str:
        token = self.now
        if not token or (wanted and token not in wanted):
            raise ValueError(f"expected {' or '.join(wanted) or 'more'}, not {token!r}")
        self._at += 1
        return token

    def value(self) -> str:
        token = self.take()
        if not token.startswith("'"):
            raise ValueError(f"a value stands in quotes, not {token!r}")
        return re.sub(r"\\(.)", r"\1", token[1:-1])


def _either(reader: _Reader) -> Test:
    left = _both(reader)
    while reader.now == "or":
        reader.take()
        left = _joined(any, left, _both(reader))
    return left


def _both(reader: _Reader) -> Test:
    left = _one(reader)
    while reader.now == "and":
        reader.take()
        left = _joined(all, left, _one(reader))
    return left


def _joined(how: Callable[[list[bool]], bool], left: Test, right: Test) -> Test:
    return lambda file: how([left(file), right(file)])


def _one(reader: _Reader) -> Test:
    if reader.now == "not":
        reader.take()
        inner = _one(reader)
        return lambda file: not inner(file)
    if reader.now == "(":
        reader.take()
        inner = _either(reader)
        reader.take(")")
        return inner
    if reader.now.startswith("'"):
        return _in_parents(reader)
    return _term(reader)


def _in_parents(reader: _Reader) -> Test:
    parent = reader.value()
    reader.take("in")
    reader.take("parents")
    return lambda file: parent in file.get("parents", [])


def _term(reader: _Reader) -> Test:
    field = reader.take()
    if field == "appProperties":
        return _has(reader)
    if field not in COMPARED:
        raise ValueError(f"no field {field}")
    comparison = COMPARISONS[reader.take(*COMPARISONS)]
    value: object = reader.take("true", "false") == "true" if field == "trashed" else reader.value()
    return lambda file: comparison(file.get(field, False if field == "trashed" else ""), value)


def _has(reader: _Reader) -> Test:
    for word in ("has", "{", "key", "="):
        reader.take(word)
    key = reader.value()
    for word in ("and", "value", "="):
        reader.take(word)
    value = reader.value()
    reader.take("}")
    return lambda file: file.get("appProperties", {}).get(key) == value
