"""The agent of `deploy_crash`, in a process of its own that can be killed: one command, sent as often as it takes."""

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import code_generator as generator
import planner
from app import Agent, Outside, create_app
from contracts.deployments import Account
from providers.base import Provider
from providers.vercel import Vercel
from settings import Settings

PROJECT = "bakery"
TOKEN = "vcp_" + "a1B2c3D4" * 4
SITE = "a static site for a bakery with pages home and opening hours"
SECONDS = 60.0
SETTLED = frozenset({"succeeded", "failed", "undone", "cancelled", "rejected", "interrupted", "awaiting_approval"})


class Kills:
    """Ends this very process, at once and without a word, at one boundary."""

    def __init__(self, at: str) -> None:
        self._at = at

    def __call__(self, boundary: str) -> None:
        if boundary == self._at:
            os.kill(os.getpid(), signal.SIGKILL)


class Desk:
    """The agent and a client that talks to it."""

    def __init__(self, home: Path, url: str, boundary: Callable[[str], None] = lambda name: None) -> None:
        def vercel(values: Mapping[str, str]) -> Provider:
            return Vercel(values["token"], base_url=url, pause=lambda seconds: time.sleep(min(seconds, 0.01)))

        outside = Outside(hosts={"vercel": vercel}, boundary=boundary, check_credential=lambda *_: Account("ada"))
        self._app = create_app(Settings.from_sources({"AGENT_HOME": str(home)}, home), outside)
        self.agent: Agent = self._app.extensions["agent"]
        self._browser = self._app.test_client()

    def send(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        headers = {"Authorization": f"Bearer {self.agent.token}", **({"Idempotency-Key": key} if key else {})}
        answer = self._browser.open(path, method=method, json=body, headers=headers, base_url="http://127.0.0.1")
        return answer.get_json(silent=True) or {}

    def settled(self, task_id: str) -> dict[str, Any]:
        """The task once it has ended, or has failed and stays queued."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            task: dict[str, Any] = self.send("GET", f"/tasks/{task_id}").get("task", {})
            kept = task.get("status") == "queued" and task.get("result")
            if task.get("status") in SETTLED or kept:
                return task
            time.sleep(0.01)
        raise TimeoutError(f"{task_id} did not end")

    def prove(self) -> None:
        """What the prover would note of the files as they are."""
        record = generator.read_record(self.agent.workspace.draft(PROJECT))
        assert record is not None
        tree = self.agent.git.open(PROJECT).fingerprint()
        digest = generator.digest(record.spec)
        with self.agent.memory.transaction() as tx:
            tx.emit("app_proven", project=PROJECT, ok=True, words="proven", digest=digest, tree=tree)


def make_home(home: Path) -> None:
    """A home with a project that is proven, a credential, and leave to act alone."""
    desk = Desk(home, "http://127.0.0.1:1")
    desk.agent.credentials.put("vercel", {"token": TOKEN})
    for intent in ("create_app", "create_file", "deploy_app", "roll_back_deployment", "take_down_app"):
        desk.send("PUT", "/trust/overrides", {"intent": intent, "verdict": "auto", "lift_floor": True})
    spec = planner.spec_from(SITE, framework="static").spec
    assert spec is not None
    desk.agent.runner.plans.execute_plan([{"intent": "create_app", "project": PROJECT, "spec": spec.to_json()}])
    desk.prove()
    desk.agent.close()


def work(home: Path, url: str, steps: list[dict[str, Any]], at: str) -> None:
    """Each step under a key of its own, so that one which was begun before is taken up and not begun again."""
    desk = Desk(home, url, Kills(at))
    for number, step in enumerate(steps):
        if step["intent"] == "write":
            desk.agent.workspace.path(PROJECT).joinpath(step["path"]).write_text(step["text"])
            desk.prove()
            continue
        body = {"project": PROJECT, **{name: value for name, value in step.items() if name != "key"}}
        if body.get("task") == "last":
            body["task"] = last_deployment(desk)
        reply = desk.send("POST", "/run", body, key=f"step-{step.get('key', number)}")
        if desk.settled(reply["id"])["status"] == "awaiting_approval":  # what others see goes offline by a yes alone
            desk.send("POST", "/confirm", {"id": reply["id"], "approve": True})
            desk.settled(reply["id"])
    desk.agent.close()
    # Threads of the sandbox's self-test need not be waited for.
    os._exit(0 if threading.active_count() else 1)


def last_deployment(desk: Desk) -> str:
    """The newest deployment that still counts; the one that is being taken back, if that was begun before."""
    for task in desk.send("GET", "/tasks?limit=50")["tasks"]:
        if task["intent"] == "roll_back_deployment":
            return str(task["params"]["task"])
        if task["intent"] == "deploy_app" and task["status"] == "succeeded":
            return str(task["id"])
    raise LookupError("nothing was deployed")
