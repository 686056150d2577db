"""A whole agent on a home of its own, spoken to over its HTTP surface without a network."""

import shutil
from pathlib import Path
from typing import Any

from app import Agent, Outside, create_app
from preview_wiring import data_root
from settings import Settings

Reply = dict[str, Any]
WAIT_SECONDS = 120
"""How long a request waits for its result unless it says otherwise; a busy machine may need it."""

UNSEEN = {"AGENT_PROOF_BROWSER": "false"}
"""Proofs take longer with a browser; what it sees is tested by itself."""


class Desk:
    def __init__(self, home: Path, outside: Outside | None = None, /, **settings: str) -> None:
        self.home = home
        self.project = "notes"
        chosen = {"AGENT_HOME": str(home), "AGENT_WAIT_SECONDS": str(WAIT_SECONDS), **UNSEEN, **settings}
        self.settings = Settings.from_sources(chosen, home)
        if not home.exists():
            # As root, what apps keep is outside of the home, and an earlier run may have had one of the same name.
            shutil.rmtree(data_root(self.settings), ignore_errors=True)
        self.app = create_app(self.settings, outside)
        self.agent: Agent = self.app.extensions["agent"]
        self._browser = self.app.test_client()

    def send(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> tuple[int, Reply]:
        sent = {"Authorization": f"Bearer {self.agent.token}", **({"Idempotency-Key": key} if key else {})}
        answer = self._browser.open(path, method=method, json=body, headers=sent, base_url="http://127.0.0.1")
        reply: Reply = answer.get_json(silent=True) or {}
        return answer.status_code, reply

    def post(self, path: str, body: Any = None, *, status: int = 200, key: str | None = None) -> Reply:
        got, reply = self.send("POST", path, body, key=key)
        assert got == status, reply
        return reply

    def get(self, path: str, *, status: int = 200) -> Reply:
        got, reply = self.send("GET", path)
        assert got == status, reply
        return reply

    def run(self, intent: str, project: str | None = "", *, status: int = 200, **params: Any) -> Reply:
        """Send a command as it is, for the usual project unless another one or none is named."""
        project = self.project if project == "" else project
        command = {"intent": intent, **({"project": project} if project else {}), **params}
        return self.post("/run", command, status=status)

    def do(self, intent: str, project: str = "", **params: Any) -> Reply:
        """Have a command carried out, with the owner's yes if it is asked for."""
        reply = self.run(intent, project, **params)
        if reply["confirmationNeeded"]:
            reply = self.post("/confirm", {"id": reply["id"], "approve": True})
        assert reply["success"], reply
        return reply

    def allow(self, *intents: str) -> None:
        """Let these kinds of action run alone."""
        for intent in intents:
            self.send("PUT", "/trust/overrides", {"intent": intent, "verdict": "auto"})

    def file(self, path: str, project: str = "") -> Path:
        return self.home / "workspace" / (project or self.project) / path

    def text(self, path: str, project: str = "") -> str:
        return self.file(path, project).read_text()

    def close(self) -> None:
        self.agent.close()


def status_of(desk: Desk, task_id: str) -> str:
    """Where a task stands; nothing while it is not even written down."""
    status, found = desk.send("GET", f"/tasks/{task_id}")
    return str(found["task"]["status"]) if status == 200 else ""
