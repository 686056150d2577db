"""Where the service is, and how a terminal talks to it: over HTTP, or by itself when none runs."""

import json
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol
from urllib.parse import quote, urlencode, urlsplit

from contracts.errors import AppError, Unavailable

Body = dict[str, Any]
ANSWER_SECONDS = 30.0
"""Longest silence of a service that is there; a request that waits for a result is given its wait on top."""
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
    503: Exit.UNREACHABLE,
}
ENDED_BADLY = frozenset({"failed", "rejected", "cancelled", "interrupted"})
GOING_ON = frozenset({"queued", "running"})


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
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise Unavailable(f"`{url}` is not an address", hint="An address looks like `http://127.0.0.1:5000`")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self.address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{self._prefix}"

    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> tuple[int, bytes]:
        import http.client  # noqa: PLC0415  `--help` need not wait for it

        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=timeout)
        try:
            connection.request(method, self._prefix + path, body=body, headers=dict(headers))
            answer = connection.getresponse()
            return answer.status, answer.read()
        except TimeoutError as error:
            raise Unavailable(
                f"The service at {self.address} does not answer", hint="It may be busy; try again in a moment"
            ) from error
        except (OSError, http.client.HTTPException) as error:
            raise Unavailable(
                f"No service answers at {self.address}", hint="Start it with `./run`, or give its address with `--url`"
            ) from error
        finally:
            connection.close()

    def close(self) -> None:
        """Nothing is kept open between requests."""


class Client:
    """The service's routes as a terminal uses them. Error answers are raised as Refused."""

    def __init__(self, transport: Transport, token: str | None) -> None:
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

    def send(self, method: str, path: str, body: Body | None = None, key: str | None = None) -> Reply:
        """One request. Names without a value are left out of the body, save where None itself means something."""
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
        status, raw = self._transport.send(method, path, data, headers, wait + ANSWER_SECONDS)
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
        """Ask for work and follow it until it ends, waits for an answer, or `limit` seconds are over.

        `watch` is shown the task with its children while it goes on.
        """
        begun = time.monotonic()
        wait = FIRST_WAIT if limit is None else min(limit, FIRST_WAIT)
        reply = self.send("POST", path, {**body, "wait": wait}, key=uuid.uuid4().hex)
        pause = 0.1
        while reply.status == 202 and reply.body.get("id"):
            if limit is not None and time.monotonic() - begun >= limit:
                return reply
            time.sleep(pause)
            pause = min(pause * 1.5, 1.0)
            seen = self.task(str(reply.body["id"]))
            watch(seen)
            reply = with_task(reply, seen["task"])
        return reply

    def task(self, task_id: str) -> Body:
        return self.get(f"/tasks/{quote(task_id, safe='')}").body

    def close(self) -> None:
        self._transport.close()


def with_task(reply: Reply, task: Body) -> Reply:
    """The first answer brought up to date with what has become of its task since."""
    status = task.get("status")
    result = task.get("result") or {}
    if status in GOING_ON:
        return Reply(202, {**reply.body, "status": status})
    waits = status == "awaiting_approval"
    words = result.get("message") or (
        f"Waits for approval: {task.get('title', '')}" if waits else task.get("title", "")
    )
    kept = {name: task[name] for name in ("decision", "card", "result") if task.get(name) is not None}
    return Reply(
        200,
        {
            **reply.body,
            **kept,
            "success": bool(result.get("success", status not in ENDED_BADLY)),
            "message": words,
            "status": status,
            "confirmationNeeded": waits,
        },
    )
