"""The agent's own regression list: named commands with what must come of them, run on a home made for the purpose."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contracts.errors import BadInput, NotFound

Send = Callable[[str, str, Any], tuple[int, Any]]
"""Sends method, path and body to a fresh agent and gives its status and answer."""
Scratch = Callable[[], AbstractContextManager[Send]]

SUITE = "test_suite.json"


@dataclass(frozen=True, slots=True)
class Regression:
    """Where the lists are, and what they are run on."""

    scratch: Scratch
    suites: tuple[Path, ...]


class Command(BaseModel):
    model_config = ConfigDict(extra="forbid")
    send: str = Field(pattern=r"^(GET|POST|PUT|PATCH|DELETE) /\S*$", description="Such as `POST /run`.")
    body: Any = None
    status: int = 200
    expect: dict[str, Any] = Field(default_factory=dict, description="Values by dotted path, such as `result.success`.")
    keep: dict[str, str] = Field(
        default_factory=dict, description="Names for values of the answer, used later as `{name}`."
    )


class Case(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=200)
    commands: list[Command] = Field(min_length=1, max_length=200)


class Suite(BaseModel):
    model_config = ConfigDict(extra="forbid")
    cases: list[Case] = Field(max_length=500)


def read_suite(folders: tuple[Path, ...], name: str | None) -> Suite:
    """The list in a file of one of these folders. Raises NotFound, or BadInput that says what is wrong with it."""
    wanted = name or SUITE
    if not re.fullmatch(r"[\w-]+\.json", wanted):
        raise BadInput(f"`{wanted[:100]}` cannot be a list of tests", hint="Name a `.json` file, without folders")
    path = next((folder / wanted for folder in folders if (folder / wanted).is_file()), None)
    if path is None:
        raise NotFound(f"There is no `{wanted}`", hint=f"The list that is shipped is `{SUITE}`")
    try:
        return Suite.model_validate(orjson.loads(path.read_bytes()))
    except (orjson.JSONDecodeError, ValidationError) as wrong:
        raise BadInput(f"`{wanted}` is not a list of tests: {wrong}", hint=f"`{SUITE}` shows the shape") from None


def run_suite(suite: Suite, scratch: Scratch) -> list[dict[str, Any]]:
    """Each case on its own fresh agent: its name, whether it passed, and the first thing that was not as expected."""
    results = []
    for case in suite.cases:
        with scratch() as send:
            wrong = _first_mismatch(case, send)
        results.append({"name": case.name, "passed": wrong is None, "detail": wrong or "as expected"})
    return results


def _first_mismatch(case: Case, send: Send) -> str | None:
    kept: dict[str, Any] = {}
    for number, command in enumerate(case.commands, 1):
        method, path = _filled(command.send, kept).split(" ", 1)
        status, answer = send(method, path, _filled(command.body, kept))
        where = f"command {number} ({command.send})"
        if status != command.status:
            said = answer.get("message") if isinstance(answer, dict) else answer
            return f"{where}: status {status} instead of {command.status}: {said}"
        for name, wanted in command.expect.items():
            got = _at(answer, name)
            if got != _filled(wanted, kept):
                return f"{where}: `{name}` is {got!r} instead of {wanted!r}"
        kept |= {name: _at(answer, place) for name, place in command.keep.items()}
    return None


def _at(answer: Any, dotted: str) -> Any:
    """The value at a dotted path; `#` is the length of a list or object, a number an index."""
    for part in dotted.split("."):
        if part == "#":
            answer = len(answer) if isinstance(answer, (list, dict)) else None
        elif isinstance(answer, list):
            index = int(part) if part.lstrip("-").isdigit() else len(answer)
            answer = answer[index] if -len(answer) <= index < len(answer) else None
        else:
            answer = answer.get(part) if isinstance(answer, dict) else None
    return answer


def _filled(value: Any, kept: dict[str, Any]) -> Any:
    """The value with `{name}` replaced by what an earlier answer gave."""
    if isinstance(value, str):
        for name, known in kept.items():
            value = value.replace("{" + name + "}", str(known))
        return value
    if isinstance(value, dict):
        return {key: _filled(item, kept) for key, item in value.items()}
    return [_filled(item, kept) for item in value] if isinstance(value, list) else value
