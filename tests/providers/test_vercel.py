"""Vercel against its fake: the promises of every host, and what is its own."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests

from cloud_fakes.vercel import FakeVercel
from contracts.deployments import Parcel, Release, ReleaseState
from contracts.errors import (
    AppError,
    BadInput,
    Conflict,
    Failed,
    Forbidden,
    TooLarge,
    TooMany,
    Unauthorized,
    Unavailable,
)
from providers.vercel_shipping import AT_ONCE
from tests.providers.contract import GOOD, Contract, Heard, Stopped, shown
from tests.providers.vercel_stand import VercelStand, flask_app, site


@pytest.fixture
def stand() -> Iterator[VercelStand]:
    with FakeVercel() as fake:
        yield VercelStand(fake)


class TestVercel(Contract):
    """Everything that any host promises."""


def send(
    stand: VercelStand, parcel: Parcel, key: str = "key-1", name: str = "shop", **more: Any
) -> tuple[Release, Heard]:
    heard = Heard()
    return stand.provider(**more).ship(parcel, name, key, say=heard.say, tick=heard.tick), heard


def refused(stand: VercelStand, parcel: Parcel, key: str = "key-1", **more: Any) -> AppError:
    with pytest.raises(AppError) as caught:
        send(stand, parcel, key, **more)
    assert GOOD not in f"{caught.value} {caught.value.details}"
    return caught.value


def many(count: int, changed: str = "") -> Parcel:
    files = {f"page-{number}.html": f"<h1>{number}</h1>".encode() for number in range(count)}
    files |= {"index.html": f"<h1>{changed}</h1>".encode(), "twin.html": b"same", "other/twin.html": b"same"}
    return site("", files=files)


def uploads(stand: VercelStand) -> int:
    return stand.fake.counted("POST /v2/files")


# What is sent


def test_only_what_vercel_does_not_have_is_sent_and_equal_files_once(stand: VercelStand) -> None:
    send(stand, many(30, "one"), "key-1")
    assert uploads(stand) == 32
    send(stand, many(30, "two"), "key-2")
    assert uploads(stand) == 33
    send(stand, many(30, "two"), "key-3")
    assert uploads(stand) == 33
    assert stand.made("shop") == ["key-1", "key-2", "key-3"]


def test_files_are_sent_at_the_same_time_within_bounds(stand: VercelStand) -> None:
    stand.fake.delays["POST /v2/files"] = 0.02
    send(stand, many(40))
    assert 1 < stand.fake.most_at_once <= AT_ONCE <= 50


def test_names_of_any_script_arrive(stand: VercelStand) -> None:
    release, _ = send(stand, site("one"))
    assert "Über uns 漢字" in requests.get(f"{release.url}/über uns.html", timeout=60).content.decode()
    assert requests.get(f"{release.url}/img/größe/ä.svg", timeout=60).ok


def test_of_a_site_only_its_pages_are_sent(stand: VercelStand) -> None:
    pages = site("one").files
    beside = {"README.md": b"x", "tests/test_site.py": b"x", ".task-agent/app.json": b"{}", "package.json": b"{}"}
    send(stand, site("one", files={**pages, **beside, ".well-known/security.txt": b"x"}))
    [deployment] = stand.fake.state.projects[0].deployments
    assert set(deployment.files) == {f"public/{path}" for path in (*pages, ".well-known/security.txt")}


def test_a_site_in_a_folder_of_its_own_is_served_from_there(stand: VercelStand) -> None:
    files = {"dist/index.html": b"built", "dist/a.js": b"1", "src/a.ts": b"1", "package.json": b"{}"}
    release, _ = send(stand, site("", files=files))
    assert shown(release.url) == "built"
    assert requests.get(f"{release.url}/src/a.ts", timeout=60).status_code == 404


def test_a_site_with_folders_that_mean_something_to_vercel_is_shown_as_it_is(stand: VercelStand) -> None:
    files = {"index.html": b"home", "api/data.js": b"1", "public/logo.svg": b"<svg></svg>", "middleware.js": b"2"}
    release, _ = send(stand, site("", files=files))
    for path, content in files.items():
        assert requests.get(f"{release.url}/{path}", timeout=60).content == content


def test_a_flask_app_is_told_to_be_one(stand: VercelStand) -> None:
    release, _ = send(stand, flask_app())
    project = stand.fake.state.projects[0]
    assert project.settings and project.settings["framework"] == "flask"
    assert shown(release.url)


def test_a_site_that_becomes_an_app_is_taken(stand: VercelStand) -> None:
    send(stand, site("one"), "key-1")
    release, _ = send(stand, flask_app(), "key-2")
    assert release.state is ReleaseState.LIVE


def test_the_commit_is_known_there(stand: VercelStand) -> None:
    release, _ = send(stand, site("one"))
    found = stand.provider().find("shop", "key-1")
    assert release.commit == "commit-one" and found and found.commit == "commit-one"


# Cuts, limits and refusals


def test_a_connection_cut_in_the_middle_of_a_file_is_taken_up_again(stand: VercelStand) -> None:
    stand.fake.trouble("POST /v2/files", cut_after=3, times=2)
    stand.fake.trouble("POST /v2/files", cut_answer=True)
    stand.fake.trouble("POST /v2/files", status=502)
    release, _ = send(stand, site("one"))
    assert "one" in shown(release.url)
    assert stand.made("shop") == ["key-1"]


def test_a_file_that_never_arrives_leaves_nothing_half_done(stand: VercelStand) -> None:
    stand.fake.trouble("POST /v2/files", cut_after=0, times=100)
    assert isinstance(refused(stand, site("one")), Unavailable)
    assert stand.made("shop") == []
    stand.fake.troubles.clear()
    send(stand, site("one"))
    assert stand.made("shop") == ["key-1"]


def test_a_file_that_is_refused_ends_all(stand: VercelStand) -> None:
    stand.fake.trouble("POST /v2/files", status=403, code="forbidden", times=100)
    assert isinstance(refused(stand, many(100)), Forbidden)
    assert uploads(stand) <= 3 * AT_ONCE
    assert stand.made("shop") == []


@pytest.mark.parametrize("lag", [0, 1, 2])
def test_a_deployment_that_lists_do_not_show_yet_is_not_made_twice(stand: VercelStand, lag: int) -> None:
    send(stand, site("one"), "key-0")
    stand.fake.script.list_lag = lag
    stand.fake.trouble("POST /v13/deployments", cut_answer=True)
    send(stand, site("one"), "key-1")
    assert stand.made("shop") == ["key-0", "key-1"]


def test_it_can_be_stopped_anywhere_and_goes_on_without_doing_anything_twice(stand: VercelStand) -> None:
    for stop in range(1, 40):
        left = iter(range(stop))

        def tick(left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Stopped

        name, heard = f"shop-{stop}", Heard()
        try:
            stand.provider().ship(site("one", project=name), name, "key", say=heard.say, tick=tick)
        except Stopped:
            send(stand, site("one", project=name), "key", name)
            assert stand.made(name) == ["key"]
        else:
            assert stop > 5
            return
    raise AssertionError("it never came to its end")


def test_the_limit_of_a_day_is_said_with_the_time_to_wait(stand: VercelStand) -> None:
    stand.fake.script.per_day = 1
    send(stand, site("one"), "key-1")
    before = stand.making()
    error = refused(stand, site("two"), "key-2")
    assert isinstance(error, TooMany)
    assert "free deployments of a day" in str(error) and "60 minutes" in str(error)
    assert error.details["retry_after"] == 3600
    assert stand.making() == before + 1
    assert stand.waits.now < 60


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (429, "builds_rate_limited", TooMany),
        (403, "forbidden", Forbidden),
        (403, "team_unauthorized", Unauthorized),
        (401, "not_authorized", Unauthorized),
        (402, "upgrade_required", Forbidden),
        (400, "size_limit_exceeded", TooLarge),
        (413, "payload_too_large", TooLarge),
        (400, "too_many_files", TooLarge),
        (409, "conflict", Conflict),
        (400, "bad_request", Failed),
        (403, "challenge_required", Forbidden),
    ],
)
def test_a_refusal_is_said_and_not_tried_again(
    stand: VercelStand, status: int, code: str, kind: type[AppError]
) -> None:
    stand.upset_making(status=status, code=code, times=5)
    error = refused(stand, site("one"))
    assert type(error) is kind
    assert stand.making() == 1


def test_a_limit_without_a_header_is_told_by_the_moment_at_which_it_ends(stand: VercelStand) -> None:
    stand.upset_making(status=429, code="rate_limited")
    assert 1 <= refused(stand, site("one")).details["retry_after"] <= 60


def test_a_server_in_trouble_is_tried_again_after_looking(stand: VercelStand) -> None:
    stand.upset_making(status=503, code="service_unavailable", times=2)
    send(stand, site("one"))
    assert stand.made("shop") == ["key-1"]


def test_a_server_that_stays_in_trouble_is_said(stand: VercelStand) -> None:
    stand.upset_making(status=500, times=50)
    assert isinstance(refused(stand, site("one")), Unavailable)


def test_a_project_whose_making_was_not_answered_is_found_again(stand: VercelStand) -> None:
    stand.fake.trouble("POST /v11/projects", cut_answer=True)
    send(stand, site("one"))
    assert len(stand.fake.state.projects) == 1


def test_a_project_that_was_made_before_a_crash_is_ours(stand: VercelStand) -> None:
    stand.fake.trouble("POST /v13/deployments", status=400)
    refused(stand, site("one"))
    send(stand, site("one"))
    assert stand.made("shop") == ["key-1"]


def test_two_projects_whose_names_become_the_same_do_not_share_a_place(stand: VercelStand) -> None:
    send(stand, site("one", project="my_shop"), "key-1", "my_shop")
    with pytest.raises(Conflict):
        send(stand, site("two", project="My Shop"), "key-2", "My Shop")
    assert stand.made("my-shop") == ["key-1"]


# What does not fit


class Large(bytes):
    """A file that says that it is huge, without being it."""

    def __len__(self) -> int:
        return 300 * 10**6


def test_a_folder_that_is_too_large_is_refused_before_anything_is_sent(stand: VercelStand) -> None:
    parcel = site("one", files={"index.html": b"hi", "film.mp4": Large(b"x")})
    assert "300 MB" in stand.provider().unfit(parcel)
    assert isinstance(refused(stand, parcel), TooLarge)
    assert stand.fake.requests == []


def test_too_many_files_are_refused_before_anything_is_sent(stand: VercelStand) -> None:
    assert isinstance(refused(stand, many(20), most_files=20), TooLarge)
    assert stand.fake.requests == []


@pytest.mark.parametrize(
    "files",
    [
        {"app.py": b"def create_app(): ...\n", "requirements.txt": b"Flask"},
        {"shop.py": b"app = 1\n", "requirements.txt": b"Flask"},
        {"app.py": b"app = (", "requirements.txt": b"Flask"},
        {"main.py": b"if True:\n    app = 1\n", "requirements.txt": b"Flask"},
        {"pyproject.toml": b"[tool.vercel]\nentrypoint = 'gone:app'\n", "app.py": b"app = 1", "Pipfile": b"flask"},
    ],
)
def test_an_app_without_an_entry_point_is_refused_before_anything_is_sent(
    stand: VercelStand, files: dict[str, bytes]
) -> None:
    parcel = flask_app(files=files)
    assert "finds no Flask app" in stand.provider().unfit(parcel)
    assert isinstance(refused(stand, parcel), BadInput)
    assert stand.fake.requests == []


@pytest.mark.parametrize(
    "files",
    [
        {"app.py": b"app = 1", "requirements.txt": b"flask==3"},
        {"src/main.py": b"application: object = 1", "requirements.txt": b"flask==3"},
        {"api/index.py": b"from shop import app", "pyproject.toml": b"dependencies = ['Flask']"},
        {"wsgi.py": b"from shop import make as app", "Pipfile": b"flask = '*'"},
        {"server.py": b"def handler(event): ...", "requirements.txt": b"Flask"},
        {"shop/web.py": b"", "pyproject.toml": b"[tool.vercel]\nentrypoint = 'shop.web:app'\n# flask"},
    ],
)
def test_apps_that_vercel_finds_by_itself_fit(stand: VercelStand, files: dict[str, bytes]) -> None:
    assert stand.provider().unfit(flask_app(files=files)) == ""


@pytest.mark.parametrize(
    ("framework", "files", "words"),
    [
        ("flask", {"app.py": b"app = 1"}, "does not say that it needs Flask"),
        ("static", {"readme.txt": b"hi"}, "no `index.html`"),
        ("node", {"server.js": b"http.createServer(f).listen(80)"}, "listens on a port of its own"),
        ("", {"main.py": b"print('hi')"}, "nothing in it that could be opened"),
        ("", {"main.js": b"console.log(1)"}, "nothing in it that could be opened"),
    ],
)
def test_what_vercel_cannot_run_is_said(
    stand: VercelStand, framework: str, files: dict[str, bytes], words: str
) -> None:
    assert words in stand.provider().unfit(site("", files=files, framework=framework))


def test_node_functions_that_vercel_calls_itself_fit(stand: VercelStand) -> None:
    files = {"api/hello.js": b"export default (req, res) => res.end('hi')"}
    assert stand.provider().unfit(site("", files=files, framework="node")) == ""


def test_what_an_app_is_can_be_told_by_its_files(stand: VercelStand) -> None:
    assert stand.provider().unfit(flask_app(framework="")) == ""
    assert stand.provider().unfit(site("one", framework="")) == ""
