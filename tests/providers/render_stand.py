"""Render in front of its fake."""

from typing import Any

from cloud_fakes.render import FakeRender
from contracts.deployments import Parcel
from providers.render import Render
from tests.providers.contract import GOOD, Waits

REPOSITORY = "https://github.com/me/shop.git"
MAKING = ("POST /v1/services", "/deploys", "/rollback")


class RenderStand:
    def __init__(self, fake: FakeRender) -> None:
        self.fake = fake
        [self.owner] = fake.add_key(GOOD, "ada")
        self.waits = Waits()

    def provider(self, token: str = GOOD, *, url: str = "", **more: Any) -> Render:
        base = url or self.fake.api_url
        return Render(token, base_url=base, pause=self.waits.pause, clock=self.waits.clock, **more)

    def parcel(self, mark: str, **changes: Any) -> Parcel:
        """A site whose commit has been pushed to its repository."""
        files = {"index.html": f"<h1>{mark}</h1>".encode(), "style.css": b"h1 { color: red }"}
        made = Parcel(
            **{
                "project": "shop",
                "commit": f"commit-{mark}",
                "files": files,
                "framework": "static",
                "repository": REPOSITORY,
                **changes,
            }
        )
        commits = self.fake.sources.setdefault(made.repository, {})
        commits.pop(made.commit, None)
        commits[made.commit] = made.files
        return made

    def app(self, **changes: Any) -> Parcel:
        files = {
            "app.py": b"import sqlite3\nfrom flask import Flask\n\napp = Flask(__name__)\n",
            "requirements.txt": b"Flask==3.1.3\n",
        }
        return self.parcel("app", **{"files": files, "framework": "flask", **changes})

    def upset_making(self, **trouble: Any) -> None:
        self.fake.trouble("POST /v1/services", **trouble)

    def making(self) -> int:
        return self.fake.counted("POST /v1/services")

    def made(self, name: str) -> list[str]:
        [service] = [one for one in self.fake.state.services if one.name == name]
        keys = dict(pair.split("=") for pair in service.env.get("TASK_AGENT_RELEASES", "").split())
        return [keys.get(deploy.id, "") for deploy in service.deploys]

    def add_foreign(self, name: str) -> None:
        self.fake.add_service(name, self.owner)

    def fail_next_build(self) -> str:
        self.fake.state.script.fail = ("pip: error: no matching distribution",)
        return "no matching distribution"
