"""Apps through the whole house: started, seen on their own port, shown anew after a change, back after a restart."""

import shutil
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk
from tests.running_apps import preview_ports

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

SERVER = """
import http.server, os

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{words}")

print("listening", flush=True)
http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""


def opened(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path, None, **preview_ports())
    desk.allow("create_file", "write_file", "start_app", "stop_app", "install_dependencies")
    return desk


def shown(reply: dict[str, Any]) -> str:
    """What a visitor sees: the page, or the number of the error."""
    try:
        with urllib.request.urlopen(reply["result"]["data"]["link"], timeout=60) as page:
            return str(page.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return str(error.code)
    except urllib.error.URLError:
        return "nobody there"


def eventually(reply: dict[str, Any], words: str) -> bool:
    deadline = time.monotonic() + 90
    while words not in shown(reply):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def test_an_app_starts_is_seen_follows_its_files_and_stops(tmp_path: Path) -> None:
    desk = opened(tmp_path)
    desk.run("create_file", "site", path="server.py", content=SERVER.replace("{words}", "one"))
    started = desk.run("start_app", "site", command=["python3", "server.py"])
    assert started["success"], started
    assert shown(started) == "one"
    desk.run("write_file", "site", path="server.py", content=SERVER.replace("{words}", "two"))
    assert eventually(started, "two")
    logs = desk.run("app_logs", "site")["result"]["data"]
    assert any(line["text"] == "listening" for line in logs["log"])
    assert desk.run("stop_app", "site")["success"]
    assert shown(started) in {"502", "503"}
    desk.close()


def test_an_app_that_crashes_is_a_result_with_its_last_words(tmp_path: Path) -> None:
    desk = opened(tmp_path)
    desk.run("create_file", "site", path="server.py", content="raise SystemExit('no such luck')")
    reply = desk.run("start_app", "site", command=["python3", "server.py"])
    assert not reply["success"] and reply["status"] == "failed"
    assert any("no such luck" in line["text"] for line in reply["result"]["data"]["log"])
    assert desk.agent.memory.wanted_apps() == {}
    desk.close()


def test_an_app_comes_back_with_its_port_after_a_restart_of_the_service(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.run("create_file", "site", path="index.html", content="<h1>still here</h1>")
    started = first.run("start_app", "site")
    port = started["result"]["data"]["port"]
    first.close()
    second = opened(tmp_path)
    second.agent.open_for_code()
    assert eventually(started, "still here") and second.agent.memory.port_of("site") == port
    second.close()


def test_a_project_with_nothing_to_run_says_what_is_missing(tmp_path: Path) -> None:
    desk = opened(tmp_path)
    desk.run("create_file", "site", path="notes.txt")
    reply = desk.run("start_app", "site", status=404)
    assert "nothing" in reply["message"] and reply["error"]["hint"]
    desk.close()


def test_a_broken_list_of_packages_is_told_by_its_line(tmp_path: Path) -> None:
    desk = opened(tmp_path)
    desk.run("create_file", "site", path="requirements.txt", content="flask==3\n-e ../elsewhere\n???\n")
    reply = desk.run("install_dependencies", "site", status=400)
    assert "line" in reply["message"] or "line" in str(reply["error"]["details"])
    desk.close()


def test_code_that_needs_packages_which_are_missing_says_what_to_do(tmp_path: Path) -> None:
    desk = opened(tmp_path)
    desk.allow("execute_code")
    desk.run("create_file", "site", path="requirements.txt", content="flask==0.0.1.dev7\n")
    reply = desk.run("execute_code", "site", status=409, code="print(1)")
    assert "install_dependencies" in reply["error"]["hint"]
    desk.close()
