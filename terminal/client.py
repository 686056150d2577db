"""Where the service is, and how a terminal talks to it: over HTTP, or by itself when none runs."""

import json
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol
from urllib.parse import quote, urlencode, urlsplit

from contracts.errors import AppError, BadInput, Unauthorized, Unavailable

Body = dict[str, Any]
ANSWER_SECONDS = 30.0
"""Longest silence of a service that is there; a request that waits for a result is given its wait on top."""
PLANNING_SECONDS = 600.0
"""Longest silence after work was asked for: a plan is shown with what its packages are, which are looked up first."""
HINT = "An address looks like `http://127.0.0.1:5000`"
FIRST_WAIT = 2.0
"""Most work is done within this, and then one request is all it takes."""


class Exit(IntEnum):
    """What the exit code of every command means."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    WAITING = 3
    NOT_FOUND = 4
    CONFLICT = 5
    UNREACHABLE = 6
    UNAUTHORISED = 7
    INTERRUPTED = 130


BY_STATUS = {
    400: Exit.USAGE,
    401: Exit.UNAUTHORISED,
    403: Exit.UNAUTHORISED,
    404: Exit.NOT_FOUND,
    405: Exit.USAGE,
    409: Exit.CONFLICT,
    413: Exit.USAGE,
    429: Exit.UNREACHABLE,
    501: Exit.UNREACHABLE,
    503: Exit.UNREACHABLE,
}
ENDED_BADLY = frozenset({"failed", "rejected", "cancelled", "interrupted"})
GOING_ON = frozenset({"queued", "running"})
AHEAD = GOING_ON | {"awaiting_approval"}
TASK_NAMES = ("id", "status", "intent", "project", "title", "decision", "card", "result")
UNSEEN_SECONDS = 30.0
"""How long a task that was accepted may take to be written down."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the service."""

    status: int
    body: Body

    @property
    def waits(self) -> bool:
        return bool(self.body.get("confirmationNeeded"))

    @property
    def exit(self) -> Exit:
        """What this answer means as an exit code."""
        if self.status >= 400:
            return BY_STATUS.get(self.status, Exit.FAILED)
        if self.waits:
            return Exit.WAITING
        failed = self.body.get("success") is not True or self.body.get("status") in ENDED_BADLY
        return Exit.FAILED if failed else Exit.DONE


class Refused(Exception):
    """The service answered that it could not be carried out."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.body.get("message", ""))
        self.reply = reply

    @property
    def code(self) -> str:
        return str((self.reply.body.get("error") or {}).get("code", ""))

    @property
    def details(self) -> Body:
        return dict((self.reply.body.get("error") or {}).get("details") or {})


def as_reply(error: AppError) -> Reply:
    """An error of this side, in the same words as one of the service."""
    return Reply(error.status, {"success": False, "message": error.message, "error": error.describe()})


class Transport(Protocol):
    """One request to wherever the work is done."""

    @property
    def address(self) -> str | None:
        """Where the service is; None if this process does the work itself."""

    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> tuple[int, bytes]:
        """The status and the body of the answer. Raises Unavailable if there is none."""

    def close(self) -> None: ...


class HttpTransport:
    """A running service. One connection a request: no proxy, no redirect, nothing that could carry the token away."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url if "//" in url else f"http://{url}")
            self._host, self._port = parts.hostname or "", parts.port
        except ValueError:
            raise BadInput(f"`{url}` is not an address", hint=HINT) from None
        if parts.scheme not in {"http", "https"} or not self._host:
            raise BadInput(f"`{url}` is not an address", hint=HINT)
        self._secure = parts.scheme == "https"
        self._prefix = parts.path.rstrip("/")
        self.address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{self._prefix}"

    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> tuple[int, bytes]:
        import http.client  # noqa: PLC0415  `--help` need not wait for it

        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        try:
            with closing(kind(self._host, self._port, timeout=timeout)) as connection:
                connection.request(method, self._prefix + path, body=body, headers=dict(headers))
                answer = connection.getresponse()
                return answer.status, answer.read()
        except TimeoutError as error:
            raise Unavailable(
                f"The service at {self.address} does not answer", hint="It may be busy; try again in a moment"
            ) from error
        except (OSError, UnicodeError, http.client.HTTPException) as error:
            raise Unavailable(
                f"No service answers at {self.address}",
                hint="Start it with `./run`, or give its address with `--url`",
                details={"reason": str(error)},
            ) from error

    def close(self) -> None:
        """Nothing is kept open between requests."""


class Client:
    """The service's routes as a terminal uses them. Error answers are raised as Refused."""

    def __init__(self, transport: Transport, token: str | None) -> None:
        if token and not (token.isascii() and token.isprintable() and " " not in token):
            raise Unauthorized("The token has characters that no token has", hint="Check `AGENT_TOKEN`")
        self._transport = transport
        self._token = token

    @property
    def address(self) -> str | None:
        return self._transport.address

    def get(self, path: str, **query: Any) -> Reply:
        given = {name: value for name, value in query.items() if value is not None}
        return self.send("GET", path + (f"?{urlencode(given)}" if given else ""))

    def post(self, path: str, **body: Any) -> Reply:
        return self.send("POST", path, body)

    def send(
        self,
        method: str,
        path: str,
        body: Body | None = None,
        *,
        key: str | None = None,
        patience: float = ANSWER_SECONDS,
    ) -> Reply:
        """One request; one with the same `key` is never carried out twice."""
        headers = {"Accept": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if key:
            headers["Idempotency-Key"] = key
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        wait = float((body or {}).get("wait") or 0)
        status, raw = self._transport.send(method, path, data, headers, wait + patience)
        reply = Reply(status, self._parsed(status, raw))
        if status >= 400:
            raise Refused(reply)
        return reply

    def _parsed(self, status: int, raw: bytes) -> Body:
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if not isinstance(body, dict) or "success" not in body:
            raise Unavailable(
                f"What answers at {self.address} is not the agent (status {status})",
                hint="Check `--url` and `AGENT_URL`, or start the service with `./run`",
            )
        return body

    def act(self, path: str, body: Body, *, limit: float | None, watch: Callable[[Body], None]) -> Reply:
        """Ask for work and follow it until it ends, waits for an answer, or `limit` seconds are over."""
        begun = time.monotonic()
        wait = FIRST_WAIT if limit is None else min(limit, FIRST_WAIT)
        reply = self.send("POST", path, {**body, "wait": wait}, key=uuid.uuid4().hex, patience=PLANNING_SECONDS)
        if reply.status != 202 or not reply.body.get("id"):
            return reply
        left = None if limit is None else limit - (time.monotonic() - begun)
        return self.follow(str(reply.body["id"]), reply.body, limit=left, watch=watch)

    def follow(self, task_id: str, answer: Body, *, limit: float | None, watch: Callable[[Body], None]) -> Reply:
        """The answer brought up to date until the task ends, waits or time is up; `watch` sees each step of the way."""
        begun = time.monotonic()
        pause = 0.1
        while limit is None or time.monotonic() - begun < limit:
            time.sleep(pause)
            pause = min(pause * 1.5, 1.0)
            seen = self._seen(task_id, patient=time.monotonic() - begun < UNSEEN_SECONDS)
            if seen is None:
                continue
            watch(seen)
            reply = with_task(answer, seen)
            if reply.status >= 400:
                raise Refused(reply)
            if reply.status != 202:
                return reply
        return Reply(202, answer)

    def _seen(self, task_id: str, *, patient: bool) -> Body | None:
        """The task with its steps; None if it was accepted a moment ago and is not written down yet."""
        try:
            return self.task(task_id)
        except Refused as refused:
            if refused.reply.status == 404 and patient:
                return None
            raise

    def task(self, task_id: str) -> Body:
        return self.get(f"/tasks/{quote(task_id, safe='')}").body

    def close(self) -> None:
        self._transport.close()


def with_task(answer: Body, seen: Body) -> Reply:
    """The first answer brought up to date with what has become of its task since. A step that asks speaks for all."""
    root, steps = seen["task"], seen["children"]
    asking = next((t for t in (root, *steps) if t.get("status") == "awaiting_approval"), None)
    task = asking or root
    body = {**answer, **{name: task[name] for name in TASK_NAMES if task.get(name) is not None}}
    body["confirmationNeeded"] = asking is not None
    body["executionPlanned"] = [t.get("title") for t in (root, *steps) if t.get("status") in AHEAD]
    if asking is not None:
        plan = {"plan": root["id"]} if asking is not root else {}
        return Reply(200, {**body, "success": True, "message": f"Asks first: {task.get('title', '')}", **plan})
    if steps:
        body["steps"] = [{name: step.get(name) for name in ("id", "title", "status", "commit")} for step in steps]
    result = root.get("result") or {}
    kept = root.get("status") == "queued" and result.get("success") is False
    if root.get("status") in GOING_ON and not kept:
        return Reply(202, body)
    body |= {"success": bool(result.get("success")), "message": result.get("message") or root.get("title", "")}
    error = result.get("error") or {}
    if error:
        body["error"] = {name: error.get(name) for name in ("code", "hint", "details")}
    return Reply(int(error.get("status", 200)), body)
