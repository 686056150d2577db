"""Deployments as plain functions, for scripts."""

from pathlib import Path

import pytest
import requests

from cloud_fakes.render import FakeRender
from cloud_fakes.vercel import FakeVercel
from contracts.errors import InvalidParams, NotFound, Unauthorized
from deployment_manager import deploy_app, deploy_to_render, deploy_to_vercel
from tests.providers.contract import GOOD
from tests.providers.render_stand import RenderStand


def at_once(seconds: float) -> None:
    """Between two looks at how far a host is, which are seconds apart."""


def test_a_folder_goes_to_vercel_once(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<h1>Hello</h1>")
    (tmp_path / ".env").write_text("SECRET=hush")
    said: list[str] = []
    with FakeVercel() as vercel:
        token = vercel.add_token()
        first = deploy_to_vercel(token, "my-site", str(tmp_path), base_url=vercel.url, pause=at_once, say=said.append)
        again = deploy_to_vercel(token, "my-site", tmp_path, base_url=vercel.url, pause=at_once)
        assert first["success"] and first["state"] == "live" and first == again and len(vercel.keys("my-site")) == 1
        assert requests.get(first["url"], timeout=60).text == "<h1>Hello</h1>" and said
        (tmp_path / "index.html").write_text("<h1>Good day</h1>")
        deploy_to_vercel(token, "my-site", tmp_path, base_url=vercel.url, pause=at_once)
        (tmp_path / "index.html").write_text("<h1>Hello</h1>")
        back = deploy_to_vercel(token, "my-site", tmp_path, base_url=vercel.url, pause=at_once)
        assert back["success"] and back["release"] == first["release"] and len(vercel.keys("my-site")) == 2
        assert requests.get(back["url"], timeout=60).text == "<h1>Hello</h1>"
        with pytest.raises(Unauthorized):
            deploy_to_vercel("wrong-token-wrong-token", "my-site", tmp_path, base_url=vercel.url, pause=at_once)


def test_render_builds_the_newest_commit_of_its_own_service_or_runs_an_image() -> None:
    with FakeRender() as fake:
        stand = RenderStand(fake)
        with pytest.raises(InvalidParams, match="Render takes no files"):
            deploy_to_render(GOOD, "shop", base_url=fake.api_url, pause=at_once)
        stand.provider().ship(stand.parcel("one"), "shop", "key-1", say=print, tick=lambda: None)
        stand.parcel("two")
        done = deploy_to_render(GOOD, "shop", base_url=fake.api_url, pause=at_once)
        assert done["success"] and requests.get(done["url"], timeout=60).text == "<h1>two</h1>"
        stand.parcel("three")
        again = deploy_to_render(GOOD, "shop", base_url=fake.api_url, pause=at_once)
        assert again["release"] != done["release"]
        assert requests.get(done["url"], timeout=60).text == "<h1>three</h1>"
        assert deploy_to_render(GOOD, "boxed", image="docker.io/me/shop:1", base_url=fake.api_url, pause=at_once)[
            "success"
        ]


def test_what_cannot_be_is_said_before_anything_is_sent(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no folder"):
        deploy_to_vercel("some-token-some-token", "x", tmp_path / "nowhere")
    with pytest.raises(InvalidParams, match="no host `geocities`"):
        deploy_app("geocities", "x", tmp_path, "key")
