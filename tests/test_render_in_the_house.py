"""From a project through GitHub to Render, through the whole house: pushed, built from there, live, and back."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import requests

from app import Outside
from cloud_fakes.github import FakeGitHub
from cloud_fakes.github_places import Actor
from cloud_fakes.render import FakeRender
from code_host_wiring import GitHubAt
from providers.render import Render
from tests.desk import Desk, Reply

TOKEN = "github_pat_" + "a1" * 20
KEY = "rnd_" + "a1" * 14


class House:
    def __init__(self, home: Path, hub: FakeGitHub, render: FakeRender) -> None:
        hub.actors[TOKEN] = Actor("me")
        render.add_key(KEY, "ada")
        self.render = render

        def connect(values: Mapping[str, str]) -> Render:
            return Render(values["api_key"], base_url=render.api_url, pause=lambda seconds: None)

        at = GitHubAt(hub.url, hub.api_url, pause=lambda seconds: None)
        self.desk = Desk(home, Outside(github=at, hosts={"render": connect}))
        self.desk.agent.credentials.put("github", {"token": TOKEN})
        self.desk.agent.credentials.put("render", {"api_key": KEY})

    def write(self, words: str) -> None:
        self.desk.do("write_file", path="index.html", content=f"<h1>{words}</h1>")

    def deploy(self, **more: Any) -> tuple[int, Reply]:
        command = {"intent": "deploy_app", "project": "notes", "provider": "render", "unproven": True, **more}
        status, reply = self.desk.send("POST", "/run", command)
        if reply.get("confirmationNeeded"):
            return self.desk.send("POST", "/confirm", {"id": reply["id"], "approve": True})
        return status, reply

    def shown(self) -> str:
        [service] = self.render.state.services
        return requests.get(f"http://{self.render.sites.address(service.id)}/", timeout=60).text


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with FakeGitHub(tmp_path / "hub") as hub:

        def source(repo: str, commit: str) -> Mapping[str, bytes] | None:
            name = repo.removeprefix(f"{hub.url}/")
            return hub.git.files(name, commit or "main") if hub.git.exists(name) else None

        with FakeRender(source=source) as render:
            opened = House(tmp_path / "home", hub, render)
            yield opened
            opened.desk.close()


def test_a_project_that_was_not_pushed_is_told_how_to_get_there(house: House) -> None:
    house.write("one")
    status, reply = house.deploy()
    assert status == 409 and "only code from a Git repository" in reply["message"]
    assert "push_project" in reply["message"] and not house.render.state.services


def test_a_pushed_project_goes_live_is_replaced_and_comes_back(house: House) -> None:
    house.write("one")
    house.desk.do("create_repository")
    house.desk.do("push_project")
    status, reply = house.deploy()
    assert status == 200 and reply["success"], reply
    assert "one" in house.shown()
    house.write("two")
    status, reply = house.deploy()
    assert not reply["success"] and "push_project" in str(reply), "the newest commit is not there yet"
    assert "one" in house.shown()
    house.desk.do("push_project")
    status, reply = house.deploy()
    assert reply["success"] and "two" in house.shown(), reply
    asked = house.desk.run("roll_back_deployment", provider="render")
    house.desk.post("/confirm", {"id": asked["id"], "approve": True})
    assert "one" in house.shown()
