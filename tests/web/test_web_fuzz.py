"""The API held against its own document with made-up requests: no 5xx, nothing that the document does not say."""

import io
import itertools
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.conftest import made
from tests.web.web_desk import Desk
from web.wiring import ROUTES, api_document

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
names = st.sampled_from(["a.txt", "src/b.py", "../x", "A.TXT", ".git/config"]) | st.text(min_size=1, max_size=8)


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in draw(st.sets(names, max_size=4)):
            archive.writestr(name, draw(st.binary(max_size=20)))
    return made.getvalue()


schemathesis.openapi.media_type("application/zip", st.binary(max_size=50) | archives())
document = schemathesis.openapi.from_dict(api_document("0"))
A_FEW = 3
tests_of_the_sandbox = itertools.count()
"""Each takes a second."""
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def first_chunk_only(app: Wsgi) -> Wsgi:
    """An event stream never ends by itself; here its beginning is enough."""

    def wrapped(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        chunks = app(environ, start)
        if environ["PATH_INFO"] != "/events" or isinstance(chunks, list):
            return chunks
        with closing(chunks):  # type: ignore[type-var]
            return [next(iter(chunks))]

    return wrapped


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An application with something in it."""
    desk = made(tmp_path_factory.mktemp("fuzzed") / "home", wait_seconds=5)
    with closing(desk.agent):
        desk.do("create_file", path="a.txt", content="hi")
        desk.do("queue_task", step={"intent": "create_file", "project": "notes", "path": "b.txt"})
        desk.app.wsgi_app = first_chunk_only(desk.app.wsgi_app)  # type: ignore[assignment, method-assign]
        yield desk


@document.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
def test_made_up_requests_are_answered_as_documented(case: "schemathesis.Case[Any]", fuzzed: Desk) -> None:
    if case.operation.path == "/run_tests":
        case.body = {"file": "nothing.json"}
    if case.operation.path == "/admin/selftest" and next(tests_of_the_sandbox) >= A_FEW:
        return
    case.call_and_validate(app=fuzzed.app, headers=fuzzed.signed, checks=CHECKS)


def test_every_route_is_held_against_the_document() -> None:
    assert document.statistic.operations.total == len(ROUTES)
