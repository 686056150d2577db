"""Every error has the one shape, and a broken part tells the caller nothing but where to look."""

import json

import flask
import pytest

from contracts.errors import AppError
from tests.web.web_desk import Desk
from web.errors import register_errors


def leaves(kind: type[AppError]) -> list[type[AppError]]:
    return [kind, *(leaf for sub in kind.__subclasses__() for leaf in leaves(sub))]


@pytest.fixture
def breaking() -> flask.Flask:
    """An application whose routes raise whatever they are asked to."""
    app = flask.Flask("breaking")
    register_errors(app)
    kinds = {kind.__name__: kind for kind in leaves(AppError)}

    @app.get("/raise/<name>")
    def throw(name: str) -> str:
        raise kinds[name]("It did not work", hint="Do it again", details={"retry_after": 1.2})

    @app.get("/bug")
    def bug() -> str:
        raise RuntimeError("the password is hunter2 in /home/me/secret.py")

    return app


@pytest.mark.parametrize("kind", leaves(AppError), ids=lambda kind: kind.__name__)
def test_every_known_error_keeps_its_status_code_and_hint(breaking: flask.Flask, kind: type[AppError]) -> None:
    answer = breaking.test_client().get(f"/raise/{kind.__name__}")
    assert answer.status_code == kind.status
    assert answer.headers["Retry-After"] == "2"
    assert answer.get_json() == {
        "success": False,
        "message": "It did not work",
        "error": {"code": kind.code, "hint": "Do it again", "details": {"retry_after": 1.2}},
    }


def test_an_unexpected_error_shows_a_reference_and_no_internals(
    breaking: flask.Flask, caplog: pytest.LogCaptureFixture
) -> None:
    answer = breaking.test_client().get("/bug")
    said = answer.get_json()
    assert answer.status_code == 500
    assert "hunter2" not in answer.text
    assert "RuntimeError" not in answer.text
    reference = said["error"]["details"]["reference"]
    assert reference in said["error"]["hint"]
    logged = caplog.records[-1]
    assert reference in logged.getMessage()
    assert logged.exc_info is not None


def test_a_path_and_a_method_that_do_not_exist_are_said_in_words(still_desk: Desk) -> None:
    lost = still_desk.send("GET", "/nothing/here")
    assert (lost.status_code, lost.get_json()["error"]["code"]) == (404, "not_found")
    wrong = still_desk.send("DELETE", "/run")
    assert (wrong.status_code, wrong.get_json()["error"]["code"]) == (405, "method_not_allowed")
    assert wrong.headers["Allow"] == "OPTIONS, POST"
    assert wrong.get_json()["error"]["hint"] == "It takes POST"


@pytest.mark.parametrize("path", ["/projects/", "/projects//files", "//projects", "/PROJECTS", "/%ff", "/tasks/"])
def test_odd_addresses_are_answered_in_json_and_never_redirected(still_desk: Desk, path: str) -> None:
    answer = still_desk.send("GET", path)
    assert answer.status_code in {200, 400, 404}
    assert "success" in answer.get_json()


def test_each_request_leaves_one_line_without_the_token(desk: Desk) -> None:
    desk.send("GET", "/queue")
    desk.send("GET", "/queue", headers={"Authorization": "Bearer wrong"})
    text = (desk.home / "logs" / "agent.log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    requests = [line["data"] for line in lines if line["event"] == "request"]
    assert [(r["method"], r["path"], r["status"]) for r in requests] == [("GET", "/queue", 200), ("GET", "/queue", 401)]
    assert desk.agent.token not in text
