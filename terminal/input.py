"""What is typed after a command becomes the JSON that the service takes."""

import base64
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from contracts.errors import BadInput

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
VALUE = re.compile(r"([A-Za-z][A-Za-z0-9_]*)(:?=)(.*)", re.DOTALL)
LARGEST_FILE = 25 * 2**20
"""The service has its own limit; this one keeps a slip of the finger from filling the memory."""


def command(
    words: Sequence[str], *, project: str | None = None, files: Sequence[str] = (), json_params: str | None = None
) -> dict[str, Any]:
    """The body of `/run`: an intent with its parameters, or plain text as a goal. Raises BadInput."""
    first, rest = words[0], words[1:]
    if not _is_intent(first, rest) and not files and json_params is None:
        goal = " ".join(words).strip()
        if not goal:
            raise BadInput("There is nothing to do", hint='Say what to do: `./agent run "make a page about cats"`')
        return {"goal": goal, **({"project": project} if project else {})}
    return {**params(rest, files=files, json_params=json_params), "intent": first, **_project(project)}


def params(words: Sequence[str], *, files: Sequence[str] = (), json_params: str | None = None) -> dict[str, Any]:
    """`name=text`, `name:=JSON`, `--file name=@local` and `--json-params`, later ones winning. Raises BadInput."""
    found = _json_object(json_params) if json_params is not None else {}
    for word in words:
        found |= _value(word)
    for word in files:
        found |= _file(word)
    return found


def _project(project: str | None) -> dict[str, str]:
    return {"project": project} if project else {}


def _is_intent(first: str, rest: Sequence[str]) -> bool:
    """A name followed by nothing but values; a sentence that is typed without quotes is none."""
    if not NAME.fullmatch(first):
        return False
    return "_" in first or not rest or any(VALUE.fullmatch(word) for word in rest)


def _value(word: str) -> dict[str, Any]:
    match = VALUE.fullmatch(word)
    if match is None:
        raise BadInput(
            f"`{word}` is not a parameter",
            hint="A parameter is `name=value`, or `name:=JSON` for numbers, lists and objects; "
            'put a sentence into quotes: `./agent run "..."`',
        )
    name, sign, text = match.groups()
    if sign == "=":
        return {name: text}
    try:
        return {name: json.loads(text)}
    except ValueError as error:
        raise BadInput(
            f"The value of `{name}` is not JSON: {error}", hint=f"For plain text write `{name}=...`"
        ) from None


def _file(word: str) -> dict[str, Any]:
    """A parameter whose value is a file of this machine; what is not text is sent as base64."""
    name, _, source = word.partition("=@")
    if not NAME.fullmatch(name) or not source:
        raise BadInput(f"`--file {word}` names no file", hint="Write `--file content=@notes.txt`; `@-` reads the input")
    try:
        data = sys.stdin.buffer.read(LARGEST_FILE + 1) if source == "-" else _read(Path(source))
    except OSError as error:
        raise BadInput(f"`{source}` cannot be read: {error.strerror}") from error
    if len(data) > LARGEST_FILE:
        raise BadInput(f"`{source}` is too large: at most {LARGEST_FILE // 2**20} MiB can be sent")
    try:
        return {name: data.decode()}
    except UnicodeDecodeError:
        return {name: base64.b64encode(data).decode(), "encoding": "base64"}


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST_FILE + 1)


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise BadInput(f"`--json-params` is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadInput("`--json-params` must be an object", hint='Write `--json-params \'{"path": "a.txt"}\'`')
    return value
