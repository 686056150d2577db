"""Vercel in front of its fake."""

from typing import Any

from cloud_fakes.vercel import FakeVercel
from contracts.deployments import Parcel
from providers.vercel import Vercel
from tests.providers.contract import GOOD, Heard, Waits

MAKING = "POST /v13/deployments"


def site(mark: str, **changes: Any) -> Parcel:
    files = {
        "index.html": f"<h1>{mark}</h1>".encode(),
        "über uns.html": "<h1>Über uns 漢字</h1>".encode(),
        "img/größe/ä.svg": b"<svg></svg>",
        "style.css": b"h1 { color: red }",
    }
    given = {"project": "shop", "commit": f"commit-{mark}", "files": files, "framework": "static", **changes}
    return Parcel(**given)


def flask_app(**changes: Any) -> Parcel:
    files = {
        "app.py": b"from flask import Flask\n\napp = Flask(__name__)\n",
        "requirements.txt": b"Flask==3.1.3\n",
        "tests/test_app.py": b"from app import app\n",
    }
    return Parcel(**{"project": "shop", "commit": "c1", "files": files, "framework": "flask", **changes})


class VercelStand:
    def __init__(self, fake: FakeVercel) -> None:
        self.fake = fake
        fake.add_token(GOOD)
        self.waits = Waits()
        self._before = 0

    def provider(self, token: str = GOOD, *, url: str = "", **more: Any) -> Vercel:
        return Vercel(token, base_url=url or self.fake.url, pause=self.waits.pause, clock=self.waits.clock, **more)

    def parcel(self, mark: str, **changes: Any) -> Parcel:
        return site(mark, **changes)

    def upset_making(self, **trouble: Any) -> None:
        """With the files of `one` there already, so that no request only asks what is missing."""
        heard = Heard()
        self.provider().ship(site("one", project="other"), "other", "other", say=heard.say, tick=heard.tick)
        self._before = self.fake.counted(MAKING)
        self.fake.trouble(MAKING, **trouble)

    def making(self) -> int:
        return self.fake.counted(MAKING) - self._before

    def made(self, name: str) -> list[str]:
        return self.fake.keys(name)

    def add_foreign(self, name: str) -> None:
        self.fake.add_project(name)

    def fail_next_build(self) -> str:
        self.fake.script.fail = ("npm ERR! missing script: build",)
        return "missing script: build"
