"""What is written about the product is true: settings, commands, routes and actions are all described."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import flask
import pytest

import settings as declarations
from app import VERSION, create_app
from setting_sources import env_name
from settings import SECRETS, Settings, allowed, described

ROOT = Path(declarations.__file__).parent


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def default_text(name: str) -> str:
    """The default as it would be written in a file; empty where there is none that holds everywhere."""
    value = Settings.model_fields[name].default
    if name == "home" or value is None or name in SECRETS:
        return ""
    return ", ".join(value) if isinstance(value, tuple) else str(value).lower()


def row(name: str) -> str:
    default = f"`{default_text(name)}`" if default_text(name) else "-"
    return f"| `{env_name(name)}` | `{name}` | {default} | {allowed(name)} | {described()[name]} |"


def uncommented(example: str) -> str:
    """An example file with every line `# name...` that sets something switched on."""
    return re.sub(r"^# (?=\w+[:=])", "", example, flags=re.MULTILINE)


def test_every_setting_has_a_sentence_under_it() -> None:
    texts = described()
    assert list(texts) == list(Settings.model_fields)
    assert all(re.fullmatch(r"[A-Z].*\.", line) for line in texts.values())


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_in_the_settings_page(name: str) -> None:
    assert row(name) in text("docs/settings.md").splitlines()


def test_the_settings_page_has_no_setting_that_is_gone() -> None:
    rows = re.findall(r"^\| `AGENT_\w+` \|.*$", text("docs/settings.md"), re.MULTILINE)
    assert sorted(rows) == sorted(map(row, Settings.model_fields))


@pytest.mark.parametrize(
    ("example", "place"), [(".env.example", ".env"), ("config/settings.yaml", "config/settings.yaml")]
)
def test_the_example_files_hold_every_setting_with_its_default(example: str, place: str, tmp_path: Path) -> None:
    file = tmp_path / place
    file.parent.mkdir(exist_ok=True)
    file.write_text(uncommented(text(example)), "utf-8")
    names = re.findall(r"^(?:AGENT_)?(\w+)[:=]", file.read_text("utf-8"), re.MULTILINE)
    assert [name.lower() for name in names] == list(Settings.model_fields)
    assert Settings.from_sources({}, checkout=tmp_path) == Settings()


def test_the_committed_configuration_sets_nothing() -> None:
    assert not re.search(r"^[^#\s]", text("config/settings.yaml"), re.MULTILINE)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[flask.Flask]:
    made = create_app(Settings(home=tmp_path_factory.mktemp("home")))
    yield made
    made.extensions["agent"].close()


def test_every_action_is_in_the_actions_page(app: flask.Flask) -> None:
    actions = list(app.extensions["agent"].catalogue)
    page = text("docs/actions.md")
    assert actions
    missing = [action.name for action in actions if f"`{action.name}`" not in page or action.summary not in page]
    assert not missing, "docs/actions.md does not name these, or not with the summary that they declare"


def test_every_summary_of_an_action_is_one_sentence(app: flask.Flask) -> None:
    for action in app.extensions["agent"].catalogue:
        assert re.fullmatch(r"[A-Z][^.]*\.", action.summary), action.name


def test_every_route_is_in_the_api_page(app: flask.Flask) -> None:
    page = text("docs/api.md").splitlines()
    routes = {
        f"## {method} " + re.sub(r"<(?:[a-z]+:)?([a-z_]+)>", r"{\1}", rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert len(routes) > 20
    assert sorted(routes - set(page)) == []


def test_the_build_machine_runs_what_the_readme_says() -> None:
    commands = re.findall(r"^(\./test)$", text("README.md"), re.MULTILINE)
    assert commands, "the README does not say how to run the tests"
    assert re.findall(r"^exec (.*)$", text(".ci/run"), re.MULTILINE) == ["./test"]


def test_the_version_is_the_same_everywhere() -> None:
    assert tomllib.loads(text("pyproject.toml"))["project"]["version"] == VERSION
    assert re.search(rf"^## \[{re.escape(VERSION)}\]", text("CHANGELOG.md"), re.MULTILINE)


def test_every_dependency_is_pinned_and_has_a_reason() -> None:
    reasons = text("docs/decisions/0001-dependencies.md")
    for name in ("requirements.txt", "requirements-dev.txt"):
        chosen, _, others = text(name).partition("# needed by the above")
        assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in wanted(chosen) + wanted(others))
        missing = [line for line in wanted(chosen) if f"**{line.partition('==')[0]}**" not in reasons]
        assert not missing, "docs/decisions/0001-dependencies.md does not say why these are here"


def wanted(requirements: str) -> list[str]:
    return [line for line in requirements.splitlines() if line and not line.startswith(("#", "-r"))]


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
            if not re.match(r"[a-z]+:", link):
                assert (page.parent / link).exists(), f"{page.relative_to(ROOT)} links to {link}"
