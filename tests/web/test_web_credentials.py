"""Credentials over HTTP: entered once, never given back, refused everywhere else."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app import Outside, create_app
from contracts.deployments import Account
from contracts.errors import Forbidden, Unauthorized, Unavailable
from settings import Settings
from tests.web.web_desk import Desk

TOKEN = "vcp_" + "A1b2C3d4" * 4
OTHER = "an-older-token-without-a-prefix"


class Host:
    def __init__(self) -> None:
        self.says: Account | Exception = Account("Ada", "crew")

    def __call__(self, name: str, values: Any) -> Account:
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def desk(tmp_path: Path, host: Host) -> Iterator[Desk]:
    outside = Outside(check_credential=host, environ={"GITHUB_TOKEN": "from-the-environment"})
    app = create_app(Settings(home=tmp_path / "home"), outside)
    with closing(app.extensions["agent"]) as agent:
        yield Desk(app, agent, tmp_path / "home")


def put(desk: Desk, token: str = TOKEN, account: str = "vercel", status: int = 200, **more: str) -> Any:
    answer = desk.send("PUT", f"/credentials/{account}", {"values": {"token": token, **more}})
    assert answer.status_code == status, answer.text
    assert token not in answer.text
    return answer.get_json()


def everything_kept(desk: Desk) -> str:
    """All that the home holds, but for the one file that is the place for secrets."""
    desk.agent.log_file.flush()
    files = [path for path in desk.home.rglob("*") if path.is_file() and path.name != "credentials.json"]
    return "\n".join(path.read_text(errors="replace") for path in files)


def test_all_accounts_are_listed_with_how_they_stand_and_how_to_get_them(desk: Desk) -> None:
    listed = desk.get("/credentials")
    assert listed["message"] == "Set up: GitHub"
    states = {one["name"]: (one["state"], one["source"]) for one in listed["credentials"]}
    assert states == {
        "vercel": ("missing", ""),
        "netlify": ("missing", ""),
        "render": ("missing", ""),
        "github": ("untested", "environment"),
        "git": ("missing", ""),
        "drive": ("missing", ""),
    }
    assert all(one["guide"] and one["fields"] and one["purpose"] for one in listed["credentials"])
    assert "from-the-environment" not in json.dumps(listed)


def test_a_credential_is_entered_tested_used_and_never_given_back(desk: Desk) -> None:
    said = put(desk, team="crew")
    assert said["message"] == "Vercel: Works as Ada, team crew; stored here"
    assert said["credential"]["state"] == "works"
    assert desk.agent.credentials.get("vercel") == {"token": TOKEN, "team": "crew"}
    for path in ("/credentials", "/memory", "/memory/summary", "/health", "/settings", "/tasks"):
        assert TOKEN not in desk.send("GET", path).text
    assert (desk.home / "credentials.json").stat().st_mode & 0o777 == 0o600
    assert TOKEN not in everything_kept(desk)


def test_each_change_is_an_event_without_any_value(desk: Desk, host: Host) -> None:
    put(desk)
    desk.post("/credentials/vercel/test")
    host.says = Unauthorized("The token has expired")
    desk.post("/credentials/vercel/test")
    desk.send("DELETE", "/credentials/vercel")
    events = [event.data for event in desk.agent.store.events() if event.type == "credential_changed"]
    assert events == [
        {"name": "vercel", "state": "works", "who": "Ada"},
        {"name": "vercel", "state": "refused", "who": ""},
        {"name": "vercel", "state": "missing", "who": ""},
    ]


def test_whatever_waits_for_a_credential_is_told(desk: Desk) -> None:
    told: list[str] = []
    desk.agent.credentials.on_change = told.append
    put(desk)
    put(desk, "x1y2z", status=400)
    desk.send("DELETE", "/credentials/vercel")
    assert told == ["vercel", "vercel"]


@pytest.mark.parametrize("no", [Unauthorized("The token is not valid"), Forbidden("The token may not do that")])
def test_a_credential_that_is_not_taken_is_the_entry_s_fault_and_not_a_matter_of_signing_in(
    desk: Desk, host: Host, no: Exception
) -> None:
    host.says = no
    said = put(desk, status=400)
    assert said["error"]["code"] == "credential_refused"
    assert said["error"]["hint"].startswith("Nothing was stored.")
    assert not (desk.home / "credentials.json").exists()


def test_testing_says_no_as_an_answer_and_trouble_as_an_error(desk: Desk, host: Host) -> None:
    put(desk)
    host.says = Unauthorized("The token has expired")
    said = desk.post("/credentials/vercel/test")
    assert (said["success"], said["credential"]["state"]) == (False, "refused")
    host.says = Unavailable("Vercel does not answer")
    assert desk.send("POST", "/credentials/vercel/test").status_code == 503
    assert desk.send("POST", "/credentials/render/test").status_code == 404


def test_forgetting_removes_what_is_stored_and_points_to_the_environment_for_the_rest(desk: Desk) -> None:
    put(desk)
    assert desk.send("DELETE", "/credentials/vercel").get_json()["message"] == "Vercel: Nothing is stored any more"
    assert desk.send("DELETE", "/credentials/vercel").status_code == 404
    kept = desk.send("DELETE", "/credentials/github")
    assert kept.status_code == 409
    assert "`GITHUB_TOKEN`" in kept.get_json()["error"]["hint"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/credentials/aws", {"values": {"token": TOKEN}}, 404),
        ("/credentials/VERCEL", {"values": {"token": TOKEN}}, 400),
        ("/credentials/vercel", {"token": TOKEN}, 400),
        ("/credentials/vercel", {"values": TOKEN}, 400),
        ("/credentials/vercel", {"values": {"token": [TOKEN]}}, 400),
        ("/credentials/vercel", {"values": {}}, 400),
        ("/credentials/vercel", f'{{"values": {{"token": "{TOKEN}"'.encode(), 400),
        ("/credentials/vercel", None, 400),
    ],
)
def test_a_slip_is_named_and_the_secret_is_not_repeated(desk: Desk, path: str, body: Any, status: int) -> None:
    answer = desk.send("PUT", path, body)
    assert answer.status_code == status
    assert TOKEN not in answer.text
    assert TOKEN not in everything_kept(desk)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/run", json.dumps(f"Deploy it with my token {TOKEN}")),
        ("POST", "/run", {"goal": f"Deploy it with {TOKEN}"}),
        ("POST", "/run", {"intent": "create_file", "project": "notes", "path": "a", "content": TOKEN}),
        ("POST", "/run", {"intent": "create_file", "project": "notes", "path": "a", "content": OTHER}),
        ("POST", "/run", {"steps": [{"intent": "create_file", "path": "a", "content": TOKEN}]}),
        ("POST", "/confirm", {"approve": False, "reason": TOKEN}),
        ("POST", "/answer", {"id": "x", "answers": {"about": TOKEN}}),
        ("PATCH", "/tasks/x", {"step": {"intent": "create_file", "path": TOKEN}}),
        ("PUT", "/projects/notes/files/a.txt", f"TOKEN={OTHER}".encode()),
    ],
)
def test_a_secret_in_a_command_is_refused_and_kept_nowhere(desk: Desk, method: str, path: str, body: Any) -> None:
    put(desk, OTHER)
    answer = desk.send(method, path, body)
    assert answer.status_code == 400
    said = answer.get_json()
    assert said["error"]["code"] == "secret_in_command"
    assert "./agent credentials set vercel" in said["error"]["hint"]
    assert not any(secret in answer.text + everything_kept(desk) for secret in (TOKEN, OTHER))
    assert desk.get("/tasks")["tasks"] == []


def test_a_damaged_file_is_told_in_words_and_everything_else_goes_on(tmp_path: Path, host: Host) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "credentials.json").write_text("{")
    app = create_app(Settings(home=home), Outside(check_credential=host))
    with closing(app.extensions["agent"]) as agent:
        desk = Desk(app, agent, home)
        assert "credentials.json.damaged-1" in desk.get("/credentials")["notices"][0]
        assert "credentials.json.damaged-1" in desk.get("/health")["notices"][0]
        put(desk)
        assert desk.get("/credentials")["message"] == "Set up: Vercel"
