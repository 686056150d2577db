"""A route is declared once, by its handler's signature; checking, calling and the API document derive from it.

A handler takes `deps` and, by name: `body` (a JSON model, or bytes for an upload), `query` and `headers` (models),
`owner` (whether the request carries the token); any other argument is a part of the path. The first line of its
docstring is the route's summary.
"""

import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_type_hints

import flask
import orjson
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from contracts.errors import BadInput, InvalidParams, UnsafePath
from logging_setup import dumps
from web.deps import Deps
from web.parts import Answered, Body

JSON = "application/json"
OPTIONS = orjson.OPT_NON_STR_KEYS
NOT_PATH = frozenset({"deps", "body", "query", "headers", "owner", "return"})


class Input(BaseModel):
    """Base of what a request may say: an unknown name is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, defer_build=True)


def example(value: Body) -> Any:
    """For `json_schema_extra`: what the documentation shows and the tests send."""
    return {"examples": [value]}


class Reply(BaseModel):
    """Base of what an answer says. Only described, never built: the handlers' dicts go out as they are."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    success: bool
    message: str


@dataclass(frozen=True, slots=True)
class Said:
    """An answer of the routes themselves; the runner's have the same two fields."""

    body: Body
    status: int = 200


def said(message: str, **data: Any) -> Said:
    return Said({"success": True, "message": message, **data})


Handler = Callable[..., Answered | flask.Response]


@dataclass(frozen=True)
class Route:
    """One method on one path."""

    method: str
    path: str
    """With `<name>` for one part and `<path:name>` for several, as Flask writes it."""
    handler: Handler
    answers: Mapping[int, type[BaseModel]]
    """The model of each good answer by its status."""
    open: bool = False
    """Whether it works without the token."""
    upload: str = ""
    """The media type of a body that is not JSON."""
    media: tuple[str, ...] = ()
    """Media types of a good answer that is not JSON; without a model, the only ones."""
    errors: frozenset[int] = field(default=frozenset())
    """Statuses of errors beyond those that any such route can give."""

    @cached_property
    def hints(self) -> dict[str, Any]:
        return get_type_hints(self.handler, include_extras=True)

    @property
    def parts(self) -> list[str]:
        """The names in the path."""
        return [name for name in self.hints if name not in NOT_PATH]

    @property
    def name(self) -> str:
        return self.handler.__name__

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.handler) or "").split("\n\n")[0].replace("\n", " ")

    def statuses(self) -> set[int]:
        """Every error that this route can answer with."""
        found = {403, 429, 500, 503} | self.errors
        if not self.open:
            found.add(401)
        if "body" in self.hints:
            found |= {400, 413}
        if {"query", "headers"} & set(self.hints):
            found.add(400)
        if self.parts:
            found |= {400, 404}
        return found

    def bind(self, deps: Deps) -> Callable[..., flask.Response]:
        """The view function: reads and checks the input, calls the handler, gives its answer as JSON."""
        readers = self._readers(deps)
        handler = self.handler
        parts = {name: Check(self.hints[name], name) for name in self.parts}

        def view(**path: str) -> flask.Response:
            given = {name: parts[name](value) for name, value in path.items()}
            for name, read in readers.items():
                given[name] = read()
            answer = handler(deps, **given)
            if isinstance(answer, flask.Response):
                return answer
            return json_response(answer.body, answer.status)

        view.__name__ = self.name
        return view

    def _readers(self, deps: Deps) -> dict[str, Callable[[], Any]]:
        """How each named input is read, settled once instead of at every request."""
        readers: dict[str, Callable[[], Any]] = {}
        hints = self.hints
        if hints.get("body") is bytes:
            readers["body"] = lambda: _raw(deps.settings.max_upload_bytes)
        elif "body" in hints:
            body = Check(hints["body"], "body", strict=True)
            readers["body"] = lambda: body(_json(deps.settings.max_body_bytes))
        if "query" in hints:
            query = Check(hints["query"], "query")
            readers["query"] = lambda: query(_filled(flask.request.args))
        if "headers" in hints:
            names = [f.alias or name for name, f in hints["headers"].model_fields.items()]
            headers = Check(hints["headers"], "headers")
            readers["headers"] = lambda: headers(_headers(names))
        if "owner" in hints:
            readers["owner"] = lambda: bool(flask.request.environ.get("agent.owner"))
        return readers


def json_response(body: Mapping[str, Any], status: int = 200) -> flask.Response:
    return flask.Response(dump(body), status, content_type=JSON)


def dump(body: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(body, option=OPTIONS)
    except TypeError:  # half a surrogate pair in a text, an integer above 64 bits
        return dumps(body).encode()


def _raw(limit: int) -> bytes:
    flask.request.max_content_length = limit
    return flask.request.get_data(cache=False)


def _json(limit: int) -> Any:
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


def _filled(args: Mapping[str, str]) -> dict[str, str]:
    """An empty value in a query is as good as none."""
    return {name: value for name, value in args.items() if value}


def _headers(names: list[str]) -> dict[str, str]:
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
