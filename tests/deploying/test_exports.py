"""A zip that runs anywhere: made, downloaded, undone."""

import io
import zipfile
from pathlib import Path

import pytest

from contracts.deployments import Parcel
from contracts.errors import NotFound
from deploying.export_guides import guides
from deployment_manager import Export
from tests.deploying.shop import Shop


def shipped(host: Export, key: str, **files: bytes) -> str:
    named = {path.replace("_", "."): data for path, data in files.items()}
    parcel = Parcel("books", "c0ffee", named, framework="flask")
    return host.ship(parcel, "books", key, say=lambda line: None, tick=lambda: None).id


def test_an_export_is_a_zip_with_a_readme_and_a_dockerfile(shop: Shop) -> None:
    done = shop.do("deploy_app", provider="export")
    path = Path(done["result"]["data"]["path"])
    names = zipfile.ZipFile(path).namelist()
    assert {"bakery/index.html", "bakery/Dockerfile", "bakery/RUN-IT-ANYWHERE.md"} <= set(names)
    assert not any(".task-agent" in name or ".git" in name for name in names)
    assert "free" in done["message"] and str(path) in done["message"]
    headers = {"Authorization": f"Bearer {shop.agent.token}"}
    fetched = shop._browser.get(done["result"]["data"]["url"], headers=headers, base_url="http://127.0.0.1")
    assert fetched.status_code == 200 and zipfile.ZipFile(io.BytesIO(fetched.data)).testzip() is None
    undone = shop.post("/rollback", {"id": done["id"]})
    assert undone["success"] and not undone["confirmationNeeded"] and not path.exists()


@pytest.mark.parametrize("name", ["nothing.zip", "..%2Fcontext.zip", "x.json"])
def test_nothing_but_exports_can_be_downloaded(shop: Shop, name: str) -> None:
    status, reply = shop.send("GET", f"/exports/{name}")
    assert status in {400, 404} and not reply["success"]


def test_the_same_key_makes_one_file_and_going_back_removes_later_ones(tmp_path: Path) -> None:
    host = Export(tmp_path)
    first = shipped(host, "one", app_py=b"1")
    assert shipped(host, "one", app_py=b"changed") == first
    second = shipped(host, "two", app_py=b"2")
    live = host.live("books")
    assert (
        live is not None and live.id == second and [release.id for release in host.releases("books")] == [second, first]
    )
    back = host.bring_back("books", host.releases("books")[1], "k", say=lambda line: None, tick=lambda: None)
    assert back.id == first and [path.name for path in tmp_path.iterdir()] == [first]
    with pytest.raises(NotFound):
        host.bring_back("books", live, "k", say=lambda line: None, tick=lambda: None)
    host.take_down("books")
    assert host.live("books") is None and not list(tmp_path.iterdir())


def test_what_the_app_brings_itself_is_not_replaced(tmp_path: Path) -> None:
    host = Export(tmp_path)
    name = shipped(host, "k", Dockerfile=b"FROM mine", app_py=b"")
    with zipfile.ZipFile(tmp_path / name) as archive:
        assert archive.read("books/Dockerfile") == b"FROM mine"
        assert b"docker build" in archive.read("books/RUN-IT-ANYWHERE.md")


def guide(framework: str, files: dict[str, bytes]) -> tuple[str, str]:
    found = guides(Parcel("books", "c0ffee", files, framework=framework))
    return found["RUN-IT-ANYWHERE.md"].decode(), found["Dockerfile"].decode()


def test_the_page_names_the_port_the_folder_and_the_app_that_are_really_there() -> None:
    words, docker = guide("static", {"public/index.html": b"", "tests/x.html": b""})
    assert "-p 8000:80 books" in words and "--directory public" in words and "COPY public /usr/share" in docker
    words, docker = guide("flask", {"main.py": b"app = 1", "requirements.txt": b"flask"})
    assert "--app main:app" in words and "'main:app'" in docker and "-p 8000:8000" in words
    words, _ = guide("tool-python", {"main.py": b""})
    assert "requirements.txt" not in words and ".venv/bin/python main.py --help" in words
    assert "pip install -r requirements.txt" in guide("tool-python", {"requirements.txt": b"typer"})[0]
    assert "npm install" in guide("node", {"package.json": b"{}"})[1]


def test_a_site_in_a_container_shows_its_pages_and_nothing_else() -> None:
    found = guides(Parcel("books", "c0ffee", {"index.html": b""}, framework="static"))
    assert {"tests", "README.md", "Dockerfile"} <= set(found[".dockerignore"].decode().split())
