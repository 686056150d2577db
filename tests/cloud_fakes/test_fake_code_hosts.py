"""The fakes of GitHub, git servers and Render are as strict as is known of the real ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from cloud_fakes.git_http import FakeGitServer
from cloud_fakes.github import FakeGitHub
from cloud_fakes.github_places import Actor
from cloud_fakes.render import FakeRender

ACCEPT = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
REPO = "https://github.com/me/shop.git"
WEB = {"runtime": "python", "envSpecificDetails": {"buildCommand": "b", "startCommand": "s"}}
SERVICE = {"type": "web_service", "name": "shop", "ownerId": "tea-ada", "repo": REPO, "serviceDetails": WEB}


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[FakeGitHub]:
    with FakeGitHub(tmp_path) as fake:
        fake.actors["good"] = Actor("me")
        yield fake


@pytest.fixture
def render() -> Iterator[FakeRender]:
    with FakeRender() as fake:
        fake.add_key("good", "ada")
        fake.sources[REPO] = {"c1": {"index.html": b"one"}}
        yield fake


def ask(url: str, method: str = "GET", body: Any = None, **headers: str) -> requests.Response:
    sent = {"Authorization": "Bearer good", **headers}
    return requests.request(method, url, json=body, headers=sent, timeout=60, allow_redirects=False)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (ACCEPT, 200),
        ({**ACCEPT, "Authorization": "Bearer bad"}, 401),
        ({**ACCEPT, "X-GitHub-Api-Version": "2020-01-01"}, 400),
        ({**ACCEPT, "Accept": "application/json"}, 415),
        ({**ACCEPT, "User-Agent": ""}, 403),
    ],
)
def test_github_wants_its_headers(hub: FakeGitHub, headers: dict[str, str], status: int) -> None:
    assert ask(f"{hub.api_url}/user", **headers).status_code == status


def test_github_refuses_what_it_does_not_know(hub: FakeGitHub) -> None:
    assert ask(f"{hub.api_url}/nothing", **ACCEPT).status_code == 404
    unknown = ask(f"{hub.api_url}/user/repos", "POST", {"name": "x", "colour": "red"}, **ACCEPT)
    assert unknown.status_code == 422 and "colour" in unknown.json()["errors"][0]
    assert ask(f"{hub.api_url}/user/repos", "POST", {"name": "a b"}, **ACCEPT).status_code == 422
    hub.add("me/notes")
    assert ask(f"{hub.api_url}/repos/me/notes/issues?per_page=101", **ACCEPT).status_code == 422
    missing = ask(f"{hub.api_url}/repos/me/notes/pulls", "POST", {"title": "t", "head": "x", "base": "main"}, **ACCEPT)
    assert missing.json()["errors"] == [{"resource": "PullRequest", "field": "head", "code": "invalid"}]


def test_github_shows_nothing_private_to_strangers(hub: FakeGitHub) -> None:
    hub.add("you/secret")
    assert ask(f"{hub.api_url}/repos/you/secret", **ACCEPT).status_code == 404
    git = requests.get(f"{hub.url}/you/secret.git/info/refs?service=git-upload-pack", auth=("x", "good"), timeout=60)
    assert git.status_code == 404
    anonymous = requests.get(f"{hub.url}/you/secret.git/info/refs?service=git-upload-pack", timeout=60)
    assert anonymous.status_code == 401 and "Basic" in anonymous.headers["www-authenticate"]


def test_a_git_server_speaks_only_git(tmp_path: Path) -> None:
    with FakeGitServer(tmp_path) as server:
        server.tokens.add("good")
        server.repositories.create("me/x.git")
        for path in ("me/x.git/config", "me/x.git/HEAD", "me/x.git/objects/info/packs", ""):
            assert requests.get(f"{server.url}/{path}", auth=("x", "good"), timeout=60).status_code == 404


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, 201),
        ({"ownerId": "tea-other"}, 400),
        ({"name": "A B"}, 400),
        ({"colour": "red"}, 400),
        ({"autoDeploy": "no", "autoDeployTrigger": "off"}, 400),
        ({"repo": "https://github.com/me/private.git"}, 400),
        ({"image": {"ownerId": "tea-ada", "imagePath": "x"}}, 400),
        ({"type": "website"}, 400),
        ({"serviceDetails": {"runtime": "python"}}, 400),
        ({"serviceDetails": {**WEB, "runtime": "cobol"}}, 400),
    ],
)
def test_render_checks_a_service_before_it_makes_it(render: FakeRender, changes: dict[str, Any], status: int) -> None:
    assert ask(f"{render.api_url}/services", "POST", {**SERVICE, **changes}).status_code == status


def test_render_keeps_names_apart_and_forgets_variables_that_are_not_named(render: FakeRender) -> None:
    made = ask(f"{render.api_url}/services", "POST", {**SERVICE, "envVars": [{"key": "A", "value": "1"}]}).json()
    assert ask(f"{render.api_url}/services", "POST", SERVICE).status_code == 409
    one = f"{render.api_url}/services/{made['service']['id']}"
    assert ask(f"{one}/env-vars/B", "PUT", {"value": "2"}).status_code == 200
    assert ask(f"{one}/env-vars", "PUT", [{"key": "C", "value": "3"}]).json()[0]["envVar"] == {"key": "C", "value": "3"}
    assert ask(f"{one}/env-vars/A").status_code == 404
    both = {"commitId": "c1", "imageUrl": "x"}
    assert ask(f"{one}/deploys", "POST", both).status_code == 400
    assert ask(f"{one}/deploys", "POST", {"commitId": "unknown"}).status_code == 404
    assert ask(f"{render.api_url}/logs?ownerId=tea-ada").status_code == 400
    assert ask(one, "DELETE").status_code == 204 and ask(one).status_code == 404
