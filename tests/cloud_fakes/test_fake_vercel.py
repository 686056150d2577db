"""The fake of Vercel refuses what the real one would."""

import hashlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from cloud_fakes.live_sites import CannotHost
from cloud_fakes.vercel import FakeVercel

TOKEN = "tok-1"
PAGE = b"<h1>hi</h1>"
SHA = hashlib.sha1(PAGE).hexdigest()
FILE = {"file": "index.html", "sha": SHA, "size": len(PAGE)}
STATIC = {"framework": None}
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def vercel() -> Iterator[FakeVercel]:
    with FakeVercel() as fake:
        fake.add_token(TOKEN)
        yield fake


def call(vercel: FakeVercel, method: str, path: str, **sent: Any) -> requests.Response:
    headers = {"Authorization": f"Bearer {sent.pop('token', TOKEN)}", **sent.pop("headers", {})}
    return requests.request(method, vercel.url + path, headers=headers, timeout=60, **sent)


def upload(vercel: FakeVercel, content: bytes = PAGE, headers: dict[str, str] | None = None) -> requests.Response:
    usual = {"Content-Type": "application/octet-stream", "x-vercel-digest": hashlib.sha1(content).hexdigest()}
    return call(vercel, "POST", "/v2/files", data=content, headers={**usual, **(headers or {})})


def deploy(vercel: FakeVercel, query: str = "", **body: Any) -> requests.Response:
    whole = {"name": "shop", "files": [FILE], "projectSettings": STATIC, **body}
    return call(vercel, "POST", f"/v13/deployments{query}", json={k: v for k, v in whole.items() if v != "out"})


def code(answer: requests.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_a_wrong_token_and_a_wrong_team_are_refused(vercel: FakeVercel) -> None:
    assert code(call(vercel, "GET", "/v2/user", token="other")) == (403, "forbidden")
    vercel.add_team("crew", "eve")
    assert code(call(vercel, "GET", "/v10/projects?slug=crew")) == (403, "team_unauthorized")
    assert call(vercel, "GET", "/v2/user").json()["user"]["username"] == "ada"


@pytest.mark.parametrize(
    "headers",
    [
        {"x-vercel-digest": "0" * 40},
        {"x-vercel-digest": hashlib.sha1(b"index.html").hexdigest()},
        {"x-vercel-digest": ""},
        {"Content-Type": "text/html"},
    ],
)
def test_a_file_needs_its_own_digest(vercel: FakeVercel, headers: dict[str, str]) -> None:
    assert code(upload(vercel, headers=headers)) == (400, "bad_request")
    assert upload(vercel).status_code == 200


def test_files_that_are_missing_are_asked_for(vercel: FakeVercel) -> None:
    answer = deploy(vercel)
    assert code(answer) == (400, "missing_files")
    assert answer.json()["error"]["missing"] == [SHA]
    upload(vercel)
    assert deploy(vercel).json()["readyState"] == "QUEUED"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ({"projectSettings": "out"}, "missing_project_settings"),
        ({"name": "out"}, "bad_request"),
        ({"files": "out"}, "bad_request"),
        ({"files": [{"file": "index.html", "sha": SHA}]}, "bad_request"),
        ({"files": [{**FILE, "file": "/index.html"}]}, "bad_request"),
        ({"files": [{**FILE, "file": "../index.html"}]}, "bad_request"),
        ({"files": [{**FILE, "size": 1}]}, "bad_request"),
        ({"files": [FILE, FILE]}, "conflicting_file_path"),
        ({"files": [FILE, {**FILE, "file": "index.html/a/b"}]}, "conflicting_file_path"),
        ({"projectSettings": {"framework": "rails"}}, "bad_request"),
        ({"target": "preview"}, "bad_request"),
        ({"meta": {"n": 1}}, "bad_request"),
        ({"colour": "red"}, "bad_request"),
        ({"name": "No Name"}, "bad_request"),
    ],
)
def test_a_deployment_has_to_be_whole(vercel: FakeVercel, body: dict[str, Any], wanted: str) -> None:
    upload(vercel)
    assert code(deploy(vercel, **body)) == (400, wanted)


def test_another_framework_needs_a_word(vercel: FakeVercel) -> None:
    upload(vercel)
    deploy(vercel)
    assert code(deploy(vercel, projectSettings={"framework": "flask"})) == (400, "bad_request")
    assert deploy(vercel, "?skipAutoDetectionConfirmation=1", projectSettings={"framework": "flask"}).ok


def test_the_same_again_is_the_same_unless_forced(vercel: FakeVercel) -> None:
    upload(vercel)
    first = deploy(vercel).json()["id"]
    assert deploy(vercel).json()["id"] == first
    assert deploy(vercel, "?forceNew=1").json()["id"] != first


def test_a_project_is_protected_unless_it_is_made_open(vercel: FakeVercel) -> None:
    for name, body in (("closed", {}), ("open", {"ssoProtection": None})):
        call(vercel, "POST", "/v11/projects", json={"name": name, **body})
    protected = {project.name: bool(project.protection) for project in vercel.state.projects}
    assert protected == {"closed": True, "open": False}
    assert code(call(vercel, "POST", "/v11/projects", json={"name": "open"})) == (409, "conflict")


def test_more_than_the_free_plan_takes_is_refused(vercel: FakeVercel) -> None:
    assert code(deploy(vercel, files=[{**FILE, "size": 10**8 + 1}])) == (400, "size_limit_exceeded")
    assert code(deploy(vercel, gitSource={"type": "github"})) == (400, "bad_request")
    for number in range(200):
        vercel.state.add_project("ada", f"p-{number}", None)
    assert code(call(vercel, "POST", "/v11/projects", json={"name": "more"})) == (400, "too_many_projects")
    vercel.script.plan = "pro"
    assert call(vercel, "POST", "/v11/projects", json={"name": "more"}).status_code == 200


def test_a_token_needs_the_word_before_it_and_a_file_its_length(vercel: FakeVercel) -> None:
    assert code(call(vercel, "GET", "/v2/user", headers={"Authorization": TOKEN})) == (403, "forbidden")
    kinds = {"Content-Type": "application/octet-stream", "x-vercel-digest": SHA}
    assert code(call(vercel, "POST", "/v2/files", data=iter([PAGE]), headers=kinds)) == (400, "bad_request")


def test_lists_are_paged_and_tell_the_limits(vercel: FakeVercel) -> None:
    for number in range(5):
        vercel.add_project(f"p-{number}")
    answer = call(vercel, "GET", "/v10/projects?limit=3")
    assert len(answer.json()["projects"]) == 3
    assert answer.headers["x-ratelimit-limit"] == "500"
    rest = call(vercel, "GET", f"/v10/projects?limit=3&from={answer.json()['pagination']['next']}").json()
    assert (len(rest["projects"]), rest["pagination"]["next"]) == (2, None)
    assert code(call(vercel, "GET", "/v7/deployments?limit=500")) == (400, "bad_request")
    assert code(call(vercel, "GET", "/v7/deployments?page=2")) == (400, "bad_request")


def test_an_app_that_does_not_start_is_a_failed_build() -> None:
    def cannot(files: Any, env: Any) -> str:
        raise CannotHost("Traceback\nNameError: flaks")

    with FakeVercel(host=cannot) as vercel:
        vercel.add_token(TOKEN)
        source = b"app = 1 # flask"
        upload(vercel, source)
        sha = hashlib.sha1(source).hexdigest()
        files = [{"file": name, "sha": sha, "size": len(source)} for name in ("app.py", "requirements.txt")]
        id = deploy(vercel, files=files, projectSettings={"framework": "flask"}).json()["id"]
        states = [call(vercel, "GET", f"/v13/deployments/{id}").json()["readyState"] for _ in range(3)]
        assert states == ["QUEUED", "BUILDING", "ERROR"]
        texts = [event["text"] for event in call(vercel, "GET", f"/v3/deployments/{id}/events").json()]
        assert "NameError: flaks" in texts


def test_an_app_that_made_room_runs_again_when_it_is_brought_back() -> None:
    ran: list[bytes] = []
    with FakeVercel() as pages:
        pages.add_token(TOKEN)

        def one_place(files: Any, env: Any) -> str:
            cloud.sites.end(pages.url)
            ran.append(files["app.py"])
            return pages.url

        with FakeVercel(host=one_place) as cloud:
            cloud.add_token(TOKEN)
            made = [
                flask_app(cloud, name, source)
                for name, source in (("a", b"app = 1 # flask"), ("b", b"app = 2 # flask"))
            ]
            assert [requests.get(url, timeout=60).status_code for _, url in made] == [404, 403]
            project, id = cloud.state.projects[0].id, made[0][0]
            call(cloud, "POST", f"/v10/projects/{project}/promote/{id}", json={})
            for _ in range(3):
                call(cloud, "GET", f"/v9/projects/{project}")
            assert ran == [b"app = 1 # flask", b"app = 2 # flask", b"app = 1 # flask"]
            assert [requests.get(url, timeout=60).status_code for _, url in made] == [403, 404]


def flask_app(vercel: FakeVercel, name: str, source: bytes) -> tuple[str, str]:
    """The id of a new deployment that is live, and the address at which visitors find it."""
    upload(vercel, source)
    sha = hashlib.sha1(source).hexdigest()
    files = [{"file": path, "sha": sha, "size": len(source)} for path in ("app.py", "requirements.txt")]
    call(vercel, "POST", "/v11/projects", json={"name": name, "ssoProtection": None})
    settings = {"framework": "flask"}
    query = "?skipAutoDetectionConfirmation=1"
    id = deploy(vercel, query, name=name, files=files, projectSettings=settings, target="production").json()["id"]
    for _ in range(5):
        call(vercel, "GET", f"/v13/deployments/{id}")
    project = call(vercel, "GET", f"/v9/projects/{name}").json()
    return id, f"http://{project['targets']['production']['alias'][0]}"


def test_it_runs_as_a_program_of_its_own() -> None:
    program = [sys.executable, "-m", "cloud_fakes.vercel", "--token", TOKEN]
    with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        url = running.stdout.readline().strip()
        answer = requests.get(f"{url}/v2/user", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
        assert answer.json()["user"]["username"] == "ada"
        running.send_signal(signal.SIGTERM)
    assert running.returncode == 0
