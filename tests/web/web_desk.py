"""The real application as a caller sees it: a client that carries the token."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import flask
from werkzeug.test import TestResponse

from app import Agent


@dataclass
class Desk:
    """A running application as a caller sees it."""

    app: flask.Flask
    agent: Agent
    home: Path
    stops: list[str] = field(default_factory=list)

    @property
    def signed(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.agent.token}"}

    def send(self, method: str, path: str, body: Any = None, **options: Any) -> TestResponse:
        """One request with the token; a dict or list is sent as JSON, bytes as they are."""
        headers = {**self.signed, **options.pop("headers", {})}
        data = {"data": body} if isinstance(body, bytes | str) else {"json": body} if body is not None else {}
        return self.app.test_client().open(
            path, method=method, headers=headers, base_url="http://127.0.0.1:5000", **data, **options
        )

    def get(self, path: str, **options: Any) -> Any:
        """The JSON of an answer that must be good."""
        answer = self.send("GET", path, **options)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        answer = self.send("POST", path, body)
        assert answer.status_code == status, answer.text
        return answer.get_json()

    def do(self, intent: str, project: str = "notes", **params: Any) -> Any:
        """Carry out a command, with an approval if it asks for one."""
        said = self.post("/run", {"intent": intent, "project": project, **params})
        return self.post("/confirm", {"id": said["id"], "approve": True}) if said["confirmationNeeded"] else said


Open = Callable[..., Desk]
