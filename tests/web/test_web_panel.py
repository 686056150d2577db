"""The service gives a browser the panel, under a policy that lets it load nothing but itself."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from app import Outside, create_app
from settings import Settings
from tests.web.web_desk import Desk
from web.panel_files import PanelPolicy

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Authorization": ""}


@pytest.fixture
def built(tmp_path: Path) -> Any:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text('<meta name="csp-nonce" content="__CSP_NONCE__"><script src="/assets/a.js">')
    (folder / "assets" / "a.js").write_text("let a")
    (folder / "assets" / "a.js.gz").write_bytes(gzip.compress(b"let a"))
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "notifications-worker.js").write_text("let w")
    app = create_app(Settings(home=tmp_path / "home"), Outside(panel=folder))
    yield Desk(app, app.extensions["agent"], tmp_path / "home")
    app.extensions["agent"].close()


def test_a_browser_gets_the_page_with_a_number_of_its_own_each_time(built: Desk) -> None:
    nonces = set()
    for path in ("/", "/app", "/app/projects/notes", "/app/approvals?x=1"):
        page = built.send("GET", path, headers=BROWSER)
        assert page.status_code == 200
        [nonce] = re.findall('content="([^"]+)"', page.text)
        policy = page.headers["Content-Security-Policy"]
        assert f"style-src 'self' 'nonce-{nonce}'" in policy
        nonces.add(nonce)
    assert len(nonces) == 4


def test_the_policy_allows_no_inline_script_no_eval_and_nobody_else(built: Desk) -> None:
    page = built.send("GET", "/", headers=BROWSER)
    policy = dict(part.split(" ", 1) for part in page.headers["Content-Security-Policy"].split("; "))
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-src"] == "http://127.0.0.1:*"
    assert policy["frame-ancestors"] == "'none'"
    assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("opener", ["cross-site", "same-site", "", None])
def test_a_page_of_somebody_else_keeps_no_hold_on_the_window_it_opened(built: Desk, opener: str | None) -> None:
    said = {} if opener is None else {"Sec-Fetch-Site": opener}
    page = built.send("GET", "/app/approvals", headers=BROWSER | said)
    assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize("opener", ["none", "same-origin"])
def test_a_window_that_nobody_else_opened_starts_no_process_of_its_own(built: Desk, opener: str) -> None:
    page = built.send("GET", "/app/approvals", headers=BROWSER | {"Sec-Fetch-Site": opener})
    assert "Cross-Origin-Opener-Policy" not in page.headers
    assert "Sec-Fetch-Site" in page.headers["Vary"]


@pytest.mark.parametrize(
    ("given", "frames"),
    [
        ({}, "http://127.0.0.1:*"),
        ({"bind": "localhost"}, "http://127.0.0.1:*"),
        ({"bind": "0.0.0.0"}, "http://box.lan:*"),
        ({"bind": "::1"}, "http:"),
        ({"preview_url": "https://{project}.apps.example"}, "https://*.apps.example"),
        ({"preview_url": "https://app-{project}.apps.example:8443"}, "https://*.apps.example:8443"),
        ({"preview_url": "https://apps.example:{port}"}, "https://apps.example:*"),
    ],
)
def test_apps_are_framed_from_their_own_origins_only(given: dict[str, Any], frames: str) -> None:
    assert PanelPolicy(Settings(**given)).frames("box.lan:5000") == frames


def test_files_of_the_panel_are_kept_by_browsers_and_come_compressed(built: Desk) -> None:
    packed = built.send("GET", "/assets/a.js", headers={"Accept-Encoding": "gzip, br", "Authorization": ""})
    assert gzip.decompress(packed.data) == b"let a"
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert packed.headers["Content-Type"] == "text/javascript; charset=utf-8"
    plain = built.send("GET", "/assets/a.js", headers={"Accept-Encoding": "identity"})
    assert (plain.data, plain.headers.get("Content-Encoding")) == (b"let a", None)
    assert built.send("GET", "/favicon.svg", headers=BROWSER).headers["Content-Type"].startswith("image/svg+xml")


def test_the_worker_for_notifications_is_asked_for_anew_and_may_load_nothing(built: Desk) -> None:
    worker = built.send("GET", "/notifications-worker.js", headers={"Authorization": ""})
    assert worker.text == "let w"
    assert worker.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert worker.headers["Cache-Control"] == "no-cache"
    assert worker.headers["Content-Security-Policy"].startswith("default-src 'none'")
    page = built.send("GET", "/", headers=BROWSER)
    assert "worker-src 'self'; " in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["none.js", "..%2Findex.html", "a.js.gz", ".env", "%2e%2e"])
def test_nothing_but_the_panels_own_files_is_given(built: Desk, name: str) -> None:
    assert built.send("GET", f"/assets/{name}", headers=BROWSER).status_code in {401, 404}


def test_a_link_among_the_files_is_not_followed(built: Desk, tmp_path: Path) -> None:
    (tmp_path / "secret.js").write_text("token")
    (tmp_path / "dist" / "assets" / "b.js").symlink_to(tmp_path / "secret.js")
    assert built.send("GET", "/assets/b.js", headers=BROWSER).status_code == 404


def test_programs_get_json_where_a_browser_gets_the_panel(built: Desk) -> None:
    said = built.send("GET", "/", headers={"Accept": "*/*", "Authorization": ""})
    assert said.get_json() == {"success": True, "message": "Task Agent is running"}


def test_without_a_build_a_browser_is_told_what_there_is(tmp_path: Path) -> None:
    app = create_app(Settings(home=tmp_path / "home"), Outside(panel=tmp_path / "nothing"))
    desk = Desk(app, app.extensions["agent"], tmp_path / "home")
    for path in ("/", "/app/approvals"):
        page = desk.send("GET", path, headers=BROWSER)
        assert page.status_code == 200
        assert "The service is running" in page.text
    assert desk.send("GET", "/favicon.svg", headers=BROWSER).status_code == 404
    app.extensions["agent"].close()


@pytest.mark.parametrize("wrong", ["https://apps.example", "https://apps.example/{project}", "{project}.example", "x"])
def test_apps_that_would_share_an_origin_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="preview_url"):
        Settings(preview_url=wrong)
