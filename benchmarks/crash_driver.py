"""Drives a service that is killed again and again, and keeps account of what it was promised."""

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BOUNDARIES = ("started", "snapshotted", "applied", "recorded", "finished", "logged")
WAYS = ("group", "parent", "worker", "start-up", *(f"at {name}" for name in BOUNDARIES))
INTENTS = ("create_file", "append_file", "modify_file", "move_file", "delete_file", "write_file", "create_directory")
PROJECTS = ("one", "two", "three")
START_SECONDS = 90.0


class Gone(Exception):
    """The service did not answer: it was killed."""


class Service:
    """One service on one home, started and killed many times over."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.process: subprocess.Popen[bytes] | None = None
        self.url = ("", 0)
        self.token = "crash-token-0123456789"

    def start(self, *failpoint: str, wait: bool = True) -> None:
        environ = {
            "PATH": os.environ["PATH"],
            "AGENT_HOME": str(self.home),
            "AGENT_PORT": "0",
            "AGENT_SANDBOX": "off",
            "AGENT_TOKEN": self.token,
            "AGENT_RATE_LIMIT": "1000000",
        }
        (self.home / "service.json").unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.crash_service", *failpoint],
            cwd=ROOT,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        if wait:
            self.wait_until_up()

    def wait_until_up(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            note = self.note()
            if note is not None:
                host, port = note["url"].removeprefix("http://").rsplit(":", 1)
                self.url = (host, int(port))
                try:
                    if self.send("GET", "/health")[0] == 200:
                        return
                except Gone:
                    pass
            if self.process is not None and self.process.poll() is not None:
                said = self.process.stderr.read().decode() if self.process.stderr else ""
                raise AssertionError(f"the service did not start: {said}")
            time.sleep(0.01)
        raise AssertionError("the service did not answer in time")

    def note(self) -> dict[str, Any] | None:
        try:
            note: dict[str, Any] = json.loads((self.home / "service.json").read_bytes())
            return note
        except (FileNotFoundError, ValueError):
            return None

    def send(self, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, dict[str, Any]]:
        """Raises Gone if no whole answer came."""
        headers = {"Authorization": f"Bearer {self.token}", **({"Idempotency-Key": key} if key else {})}
        connection = http.client.HTTPConnection(*self.url, timeout=60)
        try:
            connection.request(method, path, json.dumps(body).encode() if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Gone(str(error)) from error
        finally:
            connection.close()

    def kill(self, way: str) -> None:
        """End it without a warning, and wait until no process of it is left."""
        assert self.process is not None
        note = self.note() or {}
        victim = {"parent": self.process.pid, "worker": note.get("worker")}.get(way)
        try:
            if victim:
                os.kill(victim, signal.SIGKILL)
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.wait_until_gone()

    def wait_until_gone(self) -> None:
        assert self.process is not None
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired as error:
            raise AssertionError("the parent outlived its worker") from error
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if not _group_alive(self.process.pid):
                if self.process.stderr:
                    self.process.stderr.close()
                return
            time.sleep(0.005)
        raise AssertionError("a process of the service outlived the kill")


def _group_alive(group: int) -> bool:
    """Whether a process of the group still runs; one that only waits to be collected does not."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, member = stat.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(member) == group and state != "Z":
            return True
    return False


@dataclass
class Account:
    """What the service acknowledged, and what was sent without an answer."""

    tokens: dict[str, set[str]] = field(default_factory=lambda: {project: set() for project in PROJECTS})
    files: dict[str, dict[str, str | None]] = field(default_factory=lambda: {project: {} for project in PROJECTS})
    waiting: set[str] = field(default_factory=set)
    queued: list[str] = field(default_factory=list)
    acknowledged: dict[str, str] = field(default_factory=dict)
    unanswered: list[tuple[dict[str, Any], str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Driver:
    """Sends mixed commands from several threads, one a project, until the service is gone."""

    def __init__(self, service: Service, seed: int) -> None:
        self.service = service
        self.account = Account()
        self.random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self._number = 0
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def prepare(self) -> None:
        for intent in INTENTS:
            self.service.send("PUT", "/trust/overrides", {"intent": intent, "verdict": "auto"})
        for project in PROJECTS:
            self._act({"intent": "create_file", "project": project, "path": "log.txt", "content": ""}, f"log-{project}")

    def begin(self) -> None:
        self._stop.clear()
        self._threads = [threading.Thread(target=self._drive, args=(project,), daemon=True) for project in PROJECTS]
        for thread in self._threads:
            thread.start()

    def end(self, *, when_gone: bool = False) -> None:
        """Wait for the threads: after what each is doing now, or when the service has died under them."""
        if not when_gone:
            self._stop.set()
        for thread in self._threads:
            thread.join(90)
            assert not thread.is_alive(), "a request hangs"

    def _drive(self, project: str) -> None:
        while not self._stop.is_set():
            with self.account.lock:
                self._number += 1
                number = self._number
                choice = self.random.random()
            try:
                self._one(project, number, choice)
            except Gone:
                return

    def _one(self, project: str, number: int, choice: float) -> None:
        """One command of a random kind. An appended token shows by its count if a step is lost or done twice."""
        if choice < 0.55:
            token = f"t{number}"
            command = {"intent": "append_file", "project": project, "path": "log.txt", "content": f"{token}\n"}
            self._act(command, f"key-{number}")
        elif choice < 0.75:
            command = {"intent": "write_file", "project": project, "path": f"f{number % 7}.txt", "content": f"{number}"}
            self._act(command, f"key-{number}")
        elif choice < 0.85:
            self._ask(project, number)
        elif choice < 0.93:
            step = {"intent": "append_file", "project": project, "path": "log.txt", "content": f"t{number}\n"}
            self._queue(step, project, f"t{number}", number)
        else:
            self.service.send("GET", "/memory/summary")

    def _act(self, command: dict[str, Any], key: str) -> None:
        with self.account.lock:
            self.account.unanswered.append((command, key))
        status, reply = self.service.send("POST", "/run", {**command, "wait": 50}, key)
        assert status == 200 and reply["success"], reply
        self._acknowledge(command, key, reply["id"])

    def _acknowledge(self, command: dict[str, Any], key: str, task: str) -> None:
        with self.account.lock:
            self.account.unanswered.remove((command, key))
            self.account.acknowledged[task] = "succeeded"
            if command["intent"] == "append_file":
                self.account.tokens[command["project"]].add(command["content"].strip())
            elif command["path"] != "log.txt":
                self.account.files[command["project"]][command["path"]] = command["content"]
        self.counts["acknowledged effects"] += 1

    def _ask(self, project: str, number: int) -> None:
        """Something that always asks: an undo of several things, kept waiting for ever."""
        body = {"intent": "always_confirm", "enabled": False, "project": project}
        status, reply = self.service.send("POST", "/run", body, f"ask-{number}")
        assert status == 200 and reply["confirmationNeeded"], reply
        with self.account.lock:
            self.account.waiting.add(reply["id"])

    def _queue(self, step: dict[str, Any], project: str, token: str, number: int) -> None:
        status, reply = self.service.send("POST", "/run", {"intent": "queue_task", "step": step}, f"queue-{number}")
        assert status == 200 and reply["success"], reply
        with self.account.lock:
            self.account.queued.append(token)
            self.account.tokens[project].add(token)
        self.counts["queued steps"] += 1
        self.service.send("POST", "/run_next", {"wait": 50})

    def settle(self) -> None:
        """After a restart: send again what was not answered, and run what is still queued."""
        for command, key in list(self.account.unanswered):
            status, reply = self.service.send("POST", "/run", {**command, "wait": 50}, key)
            assert status == 200 and reply["success"], reply
            self._acknowledge(command, key, reply["id"])
            self.counts["sent again"] += 1
        for _ in range(50):
            status, reply = self.service.send("POST", "/run_next", {"wait": 50})
            assert status == 200, reply
            if reply["message"] == "No queued tasks":
                break
        for _ in range(200):
            status, reply = self.service.send("GET", "/tasks?status=running")
            if not reply["tasks"]:
                return
            time.sleep(0.02)
        raise AssertionError(f"still running: {reply['tasks']}")
