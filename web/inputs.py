"""Reads what a request carries and checks it; what is wrong is said by field and in words."""

import threading
from collections.abc import Mapping
from typing import Any

import flask
import orjson
from pydantic import TypeAdapter, ValidationError

from contracts.errors import BadInput, InvalidParams, TooLarge, UnsafePath


def upload(limit: int) -> bytes:
    """Bare bytes must come with their length: else a connection that breaks looks like the end of the file."""
    if flask.request.content_length is None:
        raise BadInput("An upload must say how long it is", hint="Send it with `Content-Length`")
    return _raw(limit)


def _raw(limit: int) -> bytes:
    """The whole body. Read here because Werkzeug cuts a body of unknown length off at the limit and says nothing."""
    environ = flask.request.environ
    length = flask.request.content_length
    if length is None and not environ.get("wsgi.input_terminated"):
        return b""
    if length is not None and length > limit:
        raise _too_large(limit)
    raw: bytes = environ["wsgi.input"].read(limit + 1 if length is None else length)
    if len(raw) > limit:
        raise _too_large(limit)
    if length is not None and len(raw) < length:
        raise BadInput("The request ended before all of it had come", hint="Send it again")
    return raw


def _too_large(limit: int) -> TooLarge:
    return TooLarge(
        f"The request is larger than {limit:,} bytes",
        hint="Send less at once, or raise `AGENT_MAX_BODY_BYTES` or `AGENT_MAX_UPLOAD_BYTES`",
        details={"limit": limit},
    )


def json_body(limit: int) -> Any:
    raw = _raw(limit)
    if not raw.strip():
        return {}
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise BadInput(
            f"The request is not valid JSON: it breaks at line {error.lineno}, column {error.colno}",
            hint="Names and texts stand in double quotes, and there is no comma after the last one",
            details={"line": error.lineno, "column": error.colno, "problem": error.msg},
        ) from error


def filled(args: Mapping[str, str]) -> dict[str, str]:
    """An empty value in a query is as good as none."""
    return {name: value for name, value in args.items() if value}


def named_headers(names: list[str]) -> dict[str, str]:
    given = flask.request.headers
    return {name: given[name] for name in names if name in given}


class Check:
    """Checks one input against its type. Built when it is first needed: all of them would cost start-up a tenth."""

    _building = threading.Lock()

    def __init__(self, hint: Any, place: str, *, strict: bool | None = None) -> None:
        self._hint = hint
        self._place = place
        self._strict = strict
        self._adapter: TypeAdapter[Any] | None = None

    def __call__(self, value: Any) -> Any:
        adapter = self._adapter or self._built()
        try:
            return adapter.validate_python(value, strict=self._strict)
        except ValidationError as error:
            raise explained(error, self._place) from error

    def _built(self) -> TypeAdapter[Any]:
        with self._building:
            adapter: TypeAdapter[Any] = TypeAdapter(self._hint)
            adapter.rebuild()
            self._adapter = adapter
            return adapter


def explained(error: ValidationError, place: str) -> BadInput:
    """What is wrong with the input, field by field, in words."""
    problems = [
        {"field": ".".join(str(part) for part in e["loc"]) or place, "problem": _problem(e["msg"], e["type"])}
        for e in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    first = problems[0]
    kind = UnsafePath if place == "path" else InvalidParams
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return kind(
        f"`{first['field']}` is wrong: {first['problem']}{more}",
        hint="`GET /docs` shows what this route takes",
        details={"fields": problems},
    )


def _problem(message: str, kind: str) -> str:
    known = {
        "missing": "it is needed",
        "extra_forbidden": "there is no such field here",
    }
    text = known.get(kind) or message.removeprefix("Value error, ")
    return text[:1].lower() + text[1:]
