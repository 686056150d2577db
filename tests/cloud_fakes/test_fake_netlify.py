"""The fake of Netlify refuses what the real one would."""

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from cloud_fakes.netlify import FakeNetlify

TOKEN = "tok-1"
PAGE = b"<h1>hi</h1>"
SHA = hashlib.sha1(PAGE).hexdigest()


@pytest.fixture
def netlify() -> Iterator[FakeNetlify]:
    with FakeNetlify() as fake:
        fake.add_token(TOKEN)
        yield fake


def call(netlify: FakeNetlify, method: str, path: str, **sent: Any) -> requests.Response:
    headers = {"Authorization": f"Bearer {sent.pop('token', TOKEN)}", **sent.pop("headers", {})}
    return requests.request(method, netlify.url + path, headers=headers, timeout=60, **sent)


def upload(netlify: FakeNetlify, deploy: str, path: str, content: bytes, kind: str = "application/octet-stream") -> int:
    address = f"/deploys/{deploy}/files/{path}"
    return call(netlify, "PUT", address, data=content, headers={"Content-Type": kind}).status_code


@pytest.fixture
def site(netlify: FakeNetlify) -> str:
    return str(call(netlify, "POST", "/sites", json={"name": "shop"}).json()["id"])


def test_a_wrong_token_is_refused(netlify: FakeNetlify) -> None:
    answer = call(netlify, "GET", "/user", token="other")
    assert (answer.status_code, answer.json()["code"]) == (401, 401)


def test_names_are_shared_by_everybody(netlify: FakeNetlify, site: str) -> None:
    netlify.add_token("eve", "eve@example.org")
    taken = call(netlify, "POST", "/sites", json={"name": "shop"}, token="eve")
    assert (taken.status_code, taken.json()) == (422, {"errors": {"subdomain": ["must be unique"]}})
    assert call(netlify, "GET", f"/sites/{site}", token="eve").status_code == 404
    assert call(netlify, "POST", "/sites", json={"name": "Not A Name"}).status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"files": {"index.html": SHA}},
        {"files": {"/index.html": "abc"}},
        {"files": {"/what?.html": SHA}},
        {"files": {"/index.html": SHA}, "colour": "red"},
    ],
)
def test_a_deployment_has_to_be_whole(netlify: FakeNetlify, site: str, body: dict[str, Any]) -> None:
    assert call(netlify, "POST", f"/sites/{site}/deploys", json=body).status_code in {400, 422}


def test_only_the_right_files_are_taken_and_then_it_goes_live(netlify: FakeNetlify, site: str) -> None:
    files = {"/index.html": SHA, "/twin.html": SHA}
    deploy = call(netlify, "POST", f"/sites/{site}/deploys?title=x", json={"files": files}).json()
    assert (deploy["state"], deploy["required"]) == ("uploading", [SHA])
    assert upload(netlify, deploy["id"], "index.html", b"other") == 422
    assert upload(netlify, deploy["id"], "gone.html", PAGE) == 404
    assert upload(netlify, deploy["id"], "index.html", PAGE, "text/html") == 400
    assert upload(netlify, deploy["id"], "index.html", PAGE) == 200
    states = [call(netlify, "GET", f"/deploys/{deploy['id']}").json()["state"] for _ in range(3)]
    assert states == ["uploaded", "processing", "ready"]
    published = call(netlify, "GET", f"/sites/{site}").json()
    assert published["published_deploy"]["id"] == deploy["id"]
    assert requests.get(published["ssl_url"], timeout=60).content == PAGE


def test_lists_are_paged_and_tell_the_limits(netlify: FakeNetlify) -> None:
    for number in range(5):
        netlify.add_site(f"s-{number}")
    answer = call(netlify, "GET", "/sites?per_page=3&page=2")
    assert len(answer.json()) == 2
    assert answer.headers["x-ratelimit-limit"] == "500"
    netlify.allowance = 0
    assert call(netlify, "GET", "/sites").status_code == 429
