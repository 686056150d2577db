"""The fake of Render refuses what the real one would."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests

from cloud_fakes.render import FakeRender

KEY = "rnd_key"
REPO = "https://git.example/me/shop"
WEB = {"runtime": "python", "envSpecificDetails": {"buildCommand": "pip install .", "startCommand": "gunicorn app:app"}}


@pytest.fixture
def render() -> Iterator[FakeRender]:
    with FakeRender() as fake:
        fake.add_key(KEY, "1")
        fake.sources[REPO] = {"c1": {"app.py": b"app = 1"}}
        yield fake


def call(render: FakeRender, method: str, path: str, **sent: Any) -> requests.Response:
    headers = {"Authorization": f"Bearer {KEY}", "Accept": "application/json", **sent.pop("headers", {})}
    return requests.request(method, render.api_url + path, headers=headers, timeout=60, **sent)


def create(render: FakeRender, **changes: Any) -> requests.Response:
    body = {"type": "web_service", "name": "shop", "ownerId": "tea-1", "repo": REPO, "serviceDetails": WEB}
    return call(render, "POST", "/services", json={**body, **changes})


def test_a_service_begins_with_a_deploy_and_an_error_is_flat(render: FakeRender) -> None:
    made = create(render)
    assert made.status_code == 201 and set(made.json()) == {"service", "deployId"}
    again = create(render)
    assert again.status_code == 409 and "message" in again.json() and "error" not in again.json()


@pytest.mark.parametrize(
    "changes",
    [
        {"autoDeployTrigger": "never"},
        {"envVars": [{"key": "A", "value": "1", "secret": True}]},
        {"envVars": [{"key": "A"}]},
        {"serviceDetails": {"runtime": "python", "envSpecificDetails": {"buildCommand": "x"}}},
    ],
)
def test_a_service_that_is_not_described_as_it_must_be_is_refused(render: FakeRender, changes: dict[str, Any]) -> None:
    assert create(render, **changes).status_code == 400
    assert not render.state.services


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"commitId": "c1", "clearCache": "do_not_clear"}, 201),
        ({"clearCache": True}, 400),
        ({"deployMode": "deploy_only", "commitId": "c1"}, 400),
        ({"deployMode": "deploy_only", "clearCache": "clear"}, 400),
        ({"branch": "main"}, 400),
    ],
)
def test_a_deploy_says_what_it_wants_in_one_way(render: FakeRender, body: dict[str, Any], status: int) -> None:
    id = create(render).json()["service"]["id"]
    assert call(render, "POST", f"/services/{id}/deploys", json=body).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Authorization": KEY}, 401), ({"Authorization": "Bearer other"}, 401), ({"Accept": "text/html"}, 406)],
)
def test_who_asks_and_for_what_has_to_be_said(render: FakeRender, headers: dict[str, str], status: int) -> None:
    assert call(render, "GET", "/owners", headers=headers).status_code == status


def test_a_body_has_to_be_called_json(render: FakeRender) -> None:
    assert call(render, "POST", "/services", data=b"{}", headers={"Content-Type": "text/plain"}).status_code == 400
