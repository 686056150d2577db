"""Generated apps run on Vercel as they are: they are found there, and write nothing but into the temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cloud_fakes.vercel import FakeVercel
from code_generator import new_app
from contracts.app_spec import AppSpec, Kind, Language, Login, Page
from contracts.deployments import Parcel, ReleaseState
from tests.providers.contract import Heard
from tests.providers.vercel_stand import VercelStand
from tests.scaffolds.generated import python, write
from tests.scaffolds.specs import notes, spec

PYTHON_APPS = {
    "hello": spec(Kind.HELLO_API),
    "api": spec(Kind.API, notes(), api_key=True),
    "api with login": spec(Kind.API, notes(), login=Login()),
    "full stack": spec(Kind.FULL_STACK, notes()),
    "web app": spec(Kind.WEB_APP, notes(), login=Login()),
    "pages": spec(Kind.WEB_APP, pages=(Page(slug="index", title="Home"),)),
}
SITE = spec(Kind.SITE, pages=(Page(slug="index", title="Home"), Page(slug="about", title="About")), dark_mode=True)
READ_ONLY = """
import os, sys
here = os.getcwd()
def refuse(event, arguments):
    names = {"os.mkdir", "os.rename", "os.remove", "os.link", "os.symlink", "os.chmod", "sqlite3.connect"}
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (writes or event in names) and os.path.abspath(str(arguments[0])).startswith(here + os.sep):
        raise OSError(30, "Read-only file system", str(arguments[0]))
sys.addaudithook(refuse)
from app import app
answer = app.test_client().get("/health")
assert answer.status_code == 200, answer.data
print(app.test_client().get("/").status_code)
"""


@pytest.fixture
def stand() -> Iterator[VercelStand]:
    with FakeVercel() as fake:
        yield VercelStand(fake)


def parcel(given: AppSpec, framework: str) -> Parcel:
    files = {path: text.encode() for path, text in new_app(given).items()}
    return Parcel(project="my-app", commit="c1", files=files, framework=framework)


@pytest.mark.parametrize("name", PYTHON_APPS)
def test_an_app_in_python_is_found_and_built(stand: VercelStand, name: str) -> None:
    app, heard = parcel(PYTHON_APPS[name], "flask"), Heard()
    assert stand.provider().unfit(app) == ""
    release = stand.provider().ship(app, "my-app", "key-1", say=heard.say, tick=heard.tick)
    assert release.state is ReleaseState.LIVE


@pytest.mark.parametrize("name", PYTHON_APPS)
def test_an_app_in_python_starts_where_its_own_folder_cannot_be_written(name: str, tmp_path: Path) -> None:
    folder, temporary = write(new_app(PYTHON_APPS[name]), tmp_path / "app"), tmp_path / "tmp"
    temporary.mkdir()
    ran = python(folder, "-c", READ_ONLY, env={"VERCEL": "1", "TMPDIR": str(temporary)})
    assert ran.returncode == 0, ran.stderr


def test_data_that_does_not_last_is_said_of_apps_that_keep_some(stand: VercelStand) -> None:
    for name, given in PYTHON_APPS.items():
        warnings = " ".join(stand.provider().quote(parcel(given, "flask"), "my-app").warnings)
        assert ("not kept" in warnings) == bool(given.resources), name
        assert ("`API_KEY`" in warnings) == given.api_key, name
        assert ("`SECRET_KEY`" in warnings) == (given.kind is Kind.WEB_APP and bool(given.resources)), name


def test_a_site_is_sent_without_its_tests(stand: VercelStand) -> None:
    site, heard = parcel(SITE, "static"), Heard()
    stand.provider().ship(site, "my-app", "key-1", say=heard.say, tick=heard.tick)
    sent = set(stand.fake.state.projects[0].deployments[0].files)
    pages = ("index.html", "about.html", "style.css", "theme.js", "favicon.svg")
    assert sent == {f"public/{name}" for name in pages}


@pytest.mark.parametrize(
    ("given", "framework", "words"),
    [
        (spec(Kind.HELLO_API, language=Language.NODE), "node", "listens on a port of its own"),
        (spec(Kind.CLI_TOOL, notes()), "", "nothing in it that could be opened"),
    ],
)
def test_apps_that_cannot_run_there_are_said(stand: VercelStand, given: AppSpec, framework: str, words: str) -> None:
    assert words in stand.provider().unfit(parcel(given, framework))
