"""Every error has the one shape, and a broken part tells the caller nothing but where to look."""

import json
import threading
from pathlib import Path

import flask
import pytest

from contracts.errors import AppError
from logging_setup import LogFile, Redactor
from tests.web.live import until
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
    desk.agent.log_file.flush()
    text = (desk.home / "logs" / "agent.log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    requests = [line["data"] for line in lines if line["event"] == "request"]
    assert [(r["method"], r["path"], r["status"]) for r in requests] == [("GET", "/queue", 200), ("GET", "/queue", 401)]
    assert desk.agent.token not in text


def test_lines_that_may_wait_are_all_written_and_whole(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "agent.log", max_bytes=100_000, keep=50, redactor=Redactor(["hunter2hunter2"]))

    def serve(number: int) -> None:
        for turn in range(500):
            log.write_soon("info", "request", "", {"thread": number, "turn": turn, "secret": "hunter2hunter2"})

    threads = [threading.Thread(target=serve, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()
    lines = [json.loads(line) for file in tmp_path.iterdir() for line in file.read_text().splitlines()]
    assert sorted((line["data"]["thread"], line["data"]["turn"]) for line in lines) == [
        (number, turn) for number in range(4) for turn in range(500)
    ]
    assert "hunter2" not in str(lines)


def test_a_line_that_may_wait_is_written_without_being_asked_for(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "agent.log", max_bytes=100_000, keep=5, redactor=Redactor())
    log.write_soon("info", "request", "one")
    until(lambda: log.path.exists() and "one" in log.path.read_text(), "the first line")
    log.write_soon("info", "request", "two")
    until(lambda: "two" in log.path.read_text(), "the second line")
    log.close()
