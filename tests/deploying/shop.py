"""A desk with a project that is proven and a host that is connected, for tests of deployments."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from app import Outside
from deploy_wiring import Maker
from tests.deploying.scripted_host import TOKEN, Cloud, ScriptedHost
from tests.desk import Desk, Reply

SITE = "a static site for a bakery with pages home and opening hours"


def outside(cloud: Cloud, boundary: Callable[[str], None] = lambda name: None, **hosts: Maker) -> Outside:
    makers: dict[str, Maker] = {"vercel": lambda values: ScriptedHost(cloud, values["token"]), **hosts}
    return Outside(hosts=makers, boundary=boundary)


class Shop(Desk):
    """`shop.project` is a site that was built here; `prove` says that it works, as the prover would."""

    def __init__(self, home: Path, cloud: Cloud, made: Outside | None = None, *, connected: bool = True) -> None:
        super().__init__(home, made or outside(cloud))
        self.cloud = cloud
        self.project = "bakery"
        if connected:
            self.connect()

    def connect(self) -> None:
        self.agent.credentials.put("vercel", {"token": TOKEN})

    def build(self) -> None:
        self.allow("create_app")
        import planner  # noqa: PLC0415  the rules are read once a test needs them

        spec = planner.spec_from(SITE, framework="static").spec
        assert spec is not None
        step = {"intent": "create_app", "project": self.project, "spec": spec.to_json()}
        made = self.agent.runner.plans.execute_plan([step]).body
        assert made["success"] and not made["confirmationNeeded"], made
        self.prove()

    def prove(self, *, ok: bool = True) -> None:
        import code_generator as generator  # noqa: PLC0415  as above

        files = self.agent.workspace.draft(self.project)
        record = generator.read_record(files)
        assert record is not None
        tree = self.agent.git.open(self.project).fingerprint()
        kept = {"ok": ok, "words": "12 checks hold", "digest": generator.digest(record.spec), "tree": tree}
        with self.agent.memory.transaction() as tx:
            tx.emit("app_proven", "proof", project=self.project, **kept)

    def change(self, text: str = "<p>More bread</p>") -> None:
        """A change of the site, proven."""
        self.do("create_file", path=f"note-{len(text)}.html", content=text)
        self.prove()

    def deploy(self, **params: Any) -> Reply:
        """With the owner's yes."""
        reply = self.run("deploy_app", **{"provider": "vercel", **params})
        if reply["confirmationNeeded"]:
            _, reply = self.send("POST", "/confirm", {"id": reply["id"], "approve": True})
        return reply

    def place(self, provider: str = "vercel") -> Reply:
        places = self.get(f"/deployments?project={self.project}")["places"]
        found: Reply = next((place for place in places if place["provider"] == provider), {})
        return found
