"""What is written about the product is true: settings, commands, routes and actions are all described."""

import ast
import itertools
import re
from pathlib import Path

import pytest

import settings as declarations
from setting_sources import env_name
from settings import SECRETS, Settings, allowed

ROOT = Path(declarations.__file__).parent


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def field_texts() -> dict[str, str]:
    """The string under each field of Settings, as the source has it."""
    tree = ast.parse(text("settings.py"))
    [body] = [node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Settings"]
    return {
        field.target.id: ast.literal_eval(under.value)
        for field, under in itertools.pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(under, ast.Expr)
    }


def default_text(name: str) -> str:
    """The default as it would be written in a file; empty where there is none that holds everywhere."""
    value = Settings.model_fields[name].default
    if name == "home" or value is None or name in SECRETS:
        return ""
    return ", ".join(value) if isinstance(value, tuple) else str(value).lower()


def row(name: str) -> str:
    default = f"`{default_text(name)}`" if default_text(name) else "-"
    return f"| `{env_name(name)}` | `{name}` | {default} | {allowed(name)} | {field_texts()[name]} |"


def uncommented(example: str) -> str:
    """An example file with every line `# name...` that sets something switched on."""
    return re.sub(r"^# (?=\w+[:=])", "", example, flags=re.MULTILINE)


def test_every_setting_has_a_sentence_under_it() -> None:
    texts = field_texts()
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
