"""A route is declared once, by its handler's signature; checking, calling and the API document derive from it.

A handler takes `deps` and, by name: `body` (a JSON model, or bytes for an upload), `query` and `headers` (models),
`owner` (whether the request carries the token); any other argument is a part of the path. The first line of its
docstring is the route's summary.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_type_hints

import flask
import orjson
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

from logging_setup import dumps
from web.deps import Deps
from web.inputs import Check, filled, json_body, named_headers, upload
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


class Reply(TypedDict):
    """Base of what an answer says; it may say more. Only described: the handlers' dicts go out as they are."""

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
    answers: Mapping[int, Any]
    """The type of each good answer by its status."""
    open: bool = False
    """Whether it works without the token."""
    upload: str = ""
    """The media type of a body that is not JSON."""
    media: tuple[str, ...] = ()
    """Media types of a good answer that is not JSON; without an answer of that status, the only ones."""
    takes_secrets: bool = False
    """Whether its body is the place for a secret; all others refuse one."""
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

        def admitted(said: Any) -> Any:
            if not self.takes_secrets:
                deps.refuse_secrets(said)
            return said

        if hints.get("body") is bytes:
            readers["body"] = lambda: admitted(upload(deps.settings.max_upload_bytes))
        elif "body" in hints:
            body = Check(hints["body"], "body", strict=True)
            readers["body"] = lambda: body(admitted(json_body(deps.settings.max_body_bytes)))
        if "query" in hints:
            query = Check(hints["query"], "query")
            readers["query"] = lambda: query(filled(flask.request.args))
        if "headers" in hints:
            names = [f.alias or name for name, f in hints["headers"].model_fields.items()]
            headers = Check(hints["headers"], "headers")
            readers["headers"] = lambda: headers(named_headers(names))
        if "owner" in hints:
            readers["owner"] = lambda: bool(flask.request.environ.get("agent.owner"))
        return readers


class JsonResponse(flask.Response):
    """A whole body of bytes. Handed to the server as it is, without the detours that streams and ranges need."""

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        start_response(self.status, self.headers.to_wsgi_list())
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else self.get_data()]


def json_response(body: Mapping[str, Any], status: int = 200) -> flask.Response:
    return JsonResponse(dump(body), status, content_type=JSON)


def dump(body: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(body, option=OPTIONS)
    except TypeError:  # half a surrogate pair in a text, an integer above 64 bits
        return dumps(body).encode()
