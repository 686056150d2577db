"""Python projects get exactly the packages that they ask for, once, and see nothing else."""

import pytest

from contracts.errors import Conflict, NotFound, TooLarge, Unavailable
from environments.base import Bounds
from sandboxes.bubblewrap import Bubblewrap
from tests.environments.made_packages import Registries, make_wheel
from tests.environments.shop import Shop

WANTS_ALPHA = {"requirements.txt": "alpha\nbeta<2\n"}


def test_a_project_gets_what_it_asks_for_and_what_that_needs(shop: Shop) -> None:
    downloaded = shop.download(WANTS_ALPHA)
    found = {package.name: package for package in downloaded.packages}
    assert {name: package.version for name, package in found.items()} == {"alpha": "1.0", "beta": "1.0"}
    assert found["alpha"].licence == "MIT"
    assert found["alpha"].size > 100
    assert found["alpha"].digest.startswith("sha256:")
    assert (found["alpha"].listed, found["beta"].listed) == (True, False)
    assert found["beta"].known, "needed by a package on the list"
    environment = shop.environments.build(downloaded)
    assert shop.python(environment, "import alpha; alpha.main()") == "alpha says 1.0"
    assert shop.run(environment, "say-alpha").stdout.text == "alpha says 1.0\n"
    assert shop.environment_for(WANTS_ALPHA) == environment
    assert {p.name for p in shop.environments.packages_of(environment)} == {"alpha", "beta"}


def test_the_same_requirements_in_another_order_share_an_environment(shop: Shop) -> None:
    shop.install(WANTS_ALPHA)
    again = shop.environment_for({"requirements.txt": "# mine\nBeta < 2\n\nALPHA\n"})
    assert again == shop.environment_for(WANTS_ALPHA)
    assert shop.environment_for({"requirements.txt": "alpha\n"}) is None


def test_packages_come_compiled_and_cannot_be_changed(shop: Shop) -> None:
    environment = shop.install(WANTS_ALPHA)
    code = "import alpha, os; print(os.path.exists(alpha.__spec__.cached)); open(alpha.__file__, 'w')"
    result = shop.run(environment, *environment.python, "-c", code)
    assert result.stdout.text == "True\n"
    assert "Read-only file system" in result.stderr.text
    modes = {path.stat().st_mode & 0o222 for path in environment.mounts[0].rglob("*") if not path.is_symlink()}
    assert modes == {0}


def test_what_the_machine_has_installed_is_not_seen(shop: Shop) -> None:
    environment = shop.install(WANTS_ALPHA)
    path = shop.python(environment, "import sys; print([p for p in sys.path if 'packages' in p])")
    assert "dist-packages" not in path
    assert str(environment.mounts[0]) in path


def test_extras_bring_what_they_stand_for(shop: Shop) -> None:
    packages = {p.name: p for p in shop.download({"requirements.txt": "alpha[more]\nbeta==2.0\n"}).packages}
    assert set(packages) == {"alpha", "beta", "gamma"}
    assert packages["gamma"].required_by == ("alpha",)
    assert packages["gamma"].known


def test_a_project_without_packages_can_run_python_and_pytest_at_once(shop: Shop) -> None:
    environment = shop.environment_for({"app.py": "pass"})
    assert environment
    assert environment.empty
    tests = {"test_one.py": b"def test_it():\n    assert 1 + 1 == 2\n"}
    for command in (environment.pytest, ("pytest",), ("python3", "-m", "pytest")):
        result = shop.run(environment, *command, "-q", "-p", "no:cacheprovider", files=tests)
        assert "1 passed" in result.stdout.text, result.stderr.text


def test_the_agents_pytest_is_seen_by_tests_only(shop: Shop) -> None:
    environment = shop.environment_for({})
    assert environment
    code = "import importlib.util as u; print([n for n in ('pytest', 'pluggy', 'pygments') if u.find_spec(n)])"
    assert shop.python(environment, code) == "[]"


def test_a_projects_own_packages_come_before_the_agents(shop: Shop) -> None:
    own = make_wheel("iniconfig", files={"iniconfig/__init__.py": "raise ImportError('the project has its own')"})
    environment = shop.environments.build(shop.handed_over(own))
    result = shop.run(environment, *environment.pytest, "--version")
    assert "the project has its own" in result.stderr.text


def test_a_package_that_only_exists_as_source_is_asked_about_and_then_built_in_the_sandbox(shop: Shop) -> None:
    files = {"requirements.txt": "legacy\n"}
    asked = shop.download(files)
    assert [(source.name, source.version) for source in asked.sources] == [("legacy", "1.0")]
    with pytest.raises(Conflict, match="only as source"):
        shop.environments.build(asked)
    allowed = shop.download(files, allow_source=True)
    assert [(p.name, p.source, p.licence) for p in allowed.packages] == [("legacy", True, "BSD")]
    assert shop.python(shop.environments.build(allowed), "import legacy; print(legacy.WORD)") == "built here"


@pytest.mark.parametrize(
    ("wanted", "error", "words"),
    [
        ("flaskk", NotFound, "there is no package `flaskk`"),
        ("beta>=9", NotFound, "there is no version of `beta` that fits `beta>=9`"),
        ("old\nnew", Conflict, r"`(old|new) 1.0` needs `beta[<>=]+2`; `(old|new) 1.0` needs `beta[<>=]+2`"),
    ],
)
def test_what_cannot_be_had_is_said_in_plain_words(shop: Shop, wanted: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        shop.download({"requirements.txt": wanted + "\n"})
    hints = {"flaskk": "Did you mean `flask`?", "beta>=9": "`1.0`, `2.0`", "old\nnew": "Loosen"}
    assert hints[wanted] in caught.value.hint  # type: ignore[attr-defined]


def test_an_index_that_cannot_be_reached_is_not_taken_for_a_missing_package(
    shop: Shop, sandbox: Bubblewrap, published: Registries
) -> None:
    environ = {**shop.registries(), "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_TIMEOUT": "5"}
    away = Shop(shop.root, sandbox, published, environ=environ)
    with pytest.raises(Unavailable, match="index cannot be reached"):
        away.download({"requirements.txt": "alpha>0\n"})
    assert away.environment_for({"requirements.txt": "alpha>0\n"}) is None


def test_a_package_that_is_too_large_is_refused_before_it_is_installed(shop: Shop, sandbox: Bubblewrap) -> None:
    tight = Shop(shop.root, sandbox, shop.published, bounds=Bounds(installed=2 * 1024 * 1024))
    with pytest.raises(TooLarge, match="more than the 2 MiB"):
        tight.download({"requirements.txt": "large\n"})


def test_what_was_shown_is_what_is_installed(shop: Shop) -> None:
    downloaded = shop.download({"requirements.txt": "delta==1.0\n"})
    asked = len(shop.published.asked)
    assert shop.download({"requirements.txt": "delta==1.0\n"}) == downloaded, "it is there already"
    assert len(shop.published.asked) == asked
    [part] = downloaded.parts
    (part.folder / "files" / part.packages[0].file).write_bytes(b"another file")
    with pytest.raises(Conflict, match="not the file that was downloaded"):
        shop.environments.build(downloaded)
