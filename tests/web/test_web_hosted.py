"""On a host that keeps nothing: the panel, a true word about itself, and plain refusals; nothing is ever written."""

import ast
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client, TestResponse

from web.hosted import hosted_app
from web.panel import ROUTES as PANEL
from web.wiring import ROUTES

ROOT = Path(__file__).resolve().parents[2]
PAGE = '<meta name="csp-nonce" content="__CSP_NONCE__"><script type="module" src="/assets/index-1.js"></script>'
BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"
SERVER = """
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server
for place in (".", "/tmp", sys.argv[1]):
    try:
        open(f"{place}/probe", "w")
    except OSError:
        continue
    sys.exit(f"{place} can be written to")
class Quiet(WSGIRequestHandler):
    def log_message(self, *words):
        pass
import wsgi
server = make_server("127.0.0.1", 0, wsgi.app, handler_class=Quiet)
print(server.server_port, flush=True)
server.serve_forever()
"""


def built(dist: Path) -> Path:
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text(PAGE)
    (dist / "assets" / "index-1.js").write_text("export {}")
    (dist / "favicon.svg").write_text("<svg/>")
    (dist / "notifications-worker.js").write_text("let w")
    return dist


def pins(name: str) -> dict[str, str]:
    return dict(line.split("==") for line in (ROOT / name).read_text().splitlines() if "==" in line)


@pytest.fixture
def visitor(tmp_path: Path) -> Client:
    return hosted_app(built(tmp_path / "dist")).test_client()


def shipped() -> list[str]:
    """What the host is sent: what is in git but for what `.vercelignore` names."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    ignored = ["git", "ls-files", "--cached", "--others", "--ignored", "--exclude-from=.vercelignore"]
    every, left = (
        set(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines())
        for command in (listed, ignored)
    )
    return sorted(every - left)


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as the host has it: what is shipped, the built panel, and the packages that it installs."""
    tree = tmp_path_factory.mktemp("hosted") / "task"
    for name in shipped():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tree / name)
    built(tree / "frontend" / "dist")
    for name in pins("requirements-hosted.txt"):
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or () if file.parts[0] not in {"..", "__pycache__"}}:
            place = tree / "_vendor" / top
            place.parent.mkdir(exist_ok=True)
            if not place.exists():
                place.symlink_to(Path(str(found.locate_file(top))))
    return tree


@contextmanager
def served(tree: Path) -> Iterator[int]:
    """A process of its own for which every folder of this machine is read-only."""
    box = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--die-with-parent"]
    process = subprocess.Popen(
        [*box, "--chdir", str(tree), sys.executable, "-S", "-c", SERVER, str(tree / "web")],
        env={"PYTHONPATH": f"{tree}:{tree / '_vendor'}", "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout as out:
        try:
            yield int(out.readline())
        finally:
            process.kill()
            process.wait()


def asked(port: int, method: str, path: str, accept: str = "*/*") -> tuple[int, str, http.client.HTTPMessage]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, headers={"Accept": accept})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers


def test_the_layout_of_the_host_works_with_nothing_to_write_to_and_only_its_own_packages(layout: Path) -> None:
    with served(layout) as port:
        status, body, _ = asked(port, "GET", "/")
        assert (status, json.loads(body)["agent"]) == (200, False)
        assert "runs elsewhere" in json.loads(body)["message"]
        status, page, headers = asked(port, "GET", "/", BROWSER)
        assert status == 200
        [nonce] = re.findall(r'content="([\w-]+)"', page)
        assert f"'nonce-{nonce}'" in headers["Content-Security-Policy"]
        assert "connect-src 'self' https:" in headers["Content-Security-Policy"]
        assert asked(port, "GET", "/app/approvals")[0] == 200
        status, script, headers = asked(port, "GET", "/assets/index-1.js")
        assert (status, script) == (200, "export {}")
        assert "immutable" in headers["CDN-Cache-Control"]
        assert json.loads(asked(port, "GET", "/health")[1])["success"] is True
        status, body, _ = asked(port, "POST", "/run")
        assert status == 501
        assert json.loads(body)["error"]["code"] == "not_here"


def test_nothing_of_a_home_and_nothing_needless_is_sent_to_the_host() -> None:
    sent = shipped()
    assert {name.partition("/")[0] for name in sent} <= {
        *("contracts", "frontend", "web", "wsgi.py", "settings.py", "setting_sources.py", "logging_setup.py"),
        *("vercel.json", "pyproject.toml", "requirements-hosted.txt"),
    }
    for private in ("credentials.json", ".env", "context.json", "token", "logs/agent.log", "workspace/notes/a.txt"):
        ran = subprocess.run(
            ["git", "-c", "core.excludesFile=.vercelignore", "check-ignore", "--no-index", "-q", private],
            cwd=ROOT,
            check=False,
        )
        assert ran.returncode == 0, private


def fill(path: str) -> str:
    return re.sub(r"<(?:path:)?\w+>", "x", path)


@pytest.mark.parametrize(
    "route",
    [route for route in ROUTES if route not in PANEL and route.path != "/health"],
    ids=lambda route: f"{route.method} {route.path}",
)
def test_whatever_needs_an_agent_is_refused_with_the_reason_and_where_it_works(visitor: Client, route: Any) -> None:
    answer = visitor.open(fill(route.path), method=route.method, json={} if route.method != "GET" else None)
    assert answer.status_code == 501
    said = answer.get_json()
    assert said["success"] is False
    assert "memory" in said["message"] and "sandbox" in said["message"]
    assert "./run" in said["error"]["hint"]
    assert said["error"]["details"] == {}


def test_it_answers_under_any_name_and_asks_for_no_token(visitor: Client) -> None:
    for host in ("panel.vercel.app", "agent.example"):
        assert visitor.get("/health", base_url=f"https://{host}").status_code == 200


def test_it_says_that_it_is_not_the_agent(visitor: Client) -> None:
    for path in ("/", "/health"):
        said = visitor.get(path).get_json()
        assert said["agent"] is False
        assert "./run" in said["hint"]


def test_without_a_built_panel_a_browser_is_told_so(tmp_path: Path) -> None:
    page: TestResponse = hosted_app(tmp_path / "nothing").test_client().get("/", headers={"Accept": BROWSER})
    assert page.status_code == 200
    assert "not built here" in page.text
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_a_file_that_the_panel_does_not_have_is_not_found(visitor: Client) -> None:
    assert visitor.get("/assets/index-2.js").status_code == 404
    assert visitor.get("/assets/..%2Findex.html").status_code in {404, 501}
    assert visitor.get("/site.webmanifest").status_code == 404


def test_the_worker_for_notifications_is_given_there_too(visitor: Client) -> None:
    worker = visitor.get("/notifications-worker.js")
    assert (worker.text, worker.headers["Cache-Control"]) == ("let w", "no-cache")


def test_the_host_finds_the_entry_point_whether_it_reads_the_setting_or_looks_for_it() -> None:
    """Files are tried in this order, and the first that has one of these names at its top level is taken."""
    files = [
        f"{folder}{name}.py"
        for folder in ("", "src/", "app/", "api/")
        for name in "app index server main wsgi asgi".split()
    ]
    found = [
        name for name in files if (ROOT / name).exists() and names_of(ROOT / name) & {"app", "application", "handler"}
    ]
    assert found == ["wsgi.py"]
    assert 'entrypoint = "wsgi:app"' in (ROOT / "pyproject.toml").read_text()


def names_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def test_what_the_host_installs_and_builds_is_what_is_here() -> None:
    settings = json.loads((ROOT / "vercel.json").read_text())
    assert settings["framework"] == "flask"
    assert "requirements-hosted.txt" in settings["installCommand"]
    assert "npm run build --prefix frontend" in settings["buildCommand"]
    assert all(len(settings[name]) <= 256 for name in ("installCommand", "buildCommand")), "more is not taken there"
    hosted, whole = pins("requirements-hosted.txt"), pins("requirements.txt")
    assert hosted.items() <= whole.items()
    assert sum(map(size_of, hosted)) < 30_000_000


def size_of(name: str) -> int:
    files = [Path(str(file.locate())) for file in distribution(name).files or ()]
    return sum(file.stat().st_size for file in files if "__pycache__" not in file.parts)
