"""A real HTTP server on loopback that gives scripted answers and keeps what it was asked."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Any]
OK = {"success": True, "message": "ok"}


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class ScriptedService:
    """Each `METHOD /path` has a list of answers; the last one stays. Bytes are sent as they are, the rest as JSON."""

    url: str = ""
    script: dict[str, list[Answer]] = field(default_factory=lambda: {"GET /health": [(200, OK)]})
    asked: list[Asked] = field(default_factory=list)

    def on(self, route: str, *answers: Answer) -> None:
        self.script[route] = list(answers)

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        answers = self.script.get(f"{asked.method} {asked.path.partition('?')[0]}")
        if not answers:
            missing = {"success": False, "message": f"nothing scripted for {asked.method} {asked.path}"}
            return 500, {**missing, "error": {"code": "failed", "hint": "", "details": {}}}
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def bodies(self, path: str) -> list[Any]:
        return [asked.body for asked in self.asked if asked.path == path]


@contextmanager
def scripted_service() -> Iterator[ScriptedService]:
    service = ScriptedService()

    class Handler(BaseHTTPRequestHandler):
        def _reply(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            asked = Asked(self.command, self.path, dict(self.headers), json.loads(raw) if raw else None)
            status, body = service.answer(asked)
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _reply

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def error(code: str, message: str = "It did not work", hint: str = "Do this", **details: Any) -> dict[str, Any]:
    return {"success": False, "message": message, "error": {"code": code, "hint": hint, "details": details}}
