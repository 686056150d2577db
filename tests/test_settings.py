"""Settings: which source wins, and how mistakes are named."""

import dataclasses
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from contracts.errors import BadSettings
from contracts.trust import Autonomy
from evidence import Policy
from setting_sources import env_name, others_variables
from settings import CHECKOUT, Settings, allowed


def load(checkout: Path, environ: dict[str, str] | None = None, home: Path | None = None) -> Settings:
    return Settings.from_sources(environ or {}, home, checkout=checkout)


def problems(checkout: Path, environ: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(BadSettings) as caught:
        load(checkout, environ)
    found = caught.value.details["problems"]
    assert all(line in caught.value.message for line in found)
    return list(found)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_without_any_source_the_defaults_hold(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings()
    assert Settings().home == CHECKOUT
    assert (Settings().bind, Settings().port, Settings().workers, Settings().step_seconds) == (
        "127.0.0.1",
        5000,
        3,
        300,
    )


def test_each_source_wins_over_the_one_before(tmp_path: Path) -> None:
    write(tmp_path / "config/settings.yaml", "port: 1001\nworkers: 11\nrate_limit: 111\n")
    assert (load(tmp_path).port, load(tmp_path).workers, load(tmp_path).rate_limit) == (1001, 11, 111)
    write(tmp_path / ".env", "AGENT_PORT=1002\nAGENT_WORKERS=12\nOTHER=1\n")
    found = load(tmp_path, {"AGENT_PORT": "1003", "PATH": "/bin"})
    assert (found.port, found.workers, found.rate_limit) == (1003, 12, 111)


def test_a_home_of_its_own_has_files_that_win_over_the_checkout(tmp_path: Path) -> None:
    checkout, home = tmp_path / "checkout", tmp_path / "home"
    write(checkout / ".env", f"AGENT_HOME={home}\nAGENT_PORT=1001\nAGENT_WORKERS=11\n")
    write(home / ".env", "AGENT_PORT=1002\n")
    write(home / "config/settings.yaml", "workers: 12\nrate_limit: 112\n")
    found = load(checkout)
    assert (found.home, found.port, found.workers, found.rate_limit) == (home, 1002, 11, 112)


def test_a_relative_home_counts_from_where_it_is_written(tmp_path: Path) -> None:
    write(tmp_path / "config/settings.yaml", "home: data")
    assert load(tmp_path).home == tmp_path / "data"
    assert load(tmp_path, {"AGENT_HOME": "elsewhere"}).home == Path.cwd() / "elsewhere"
    assert load(tmp_path, {"AGENT_HOME": "elsewhere"}, tmp_path / "given").home == tmp_path / "given"


def test_sections_and_flat_names_mean_the_same(tmp_path: Path) -> None:
    write(tmp_path / "config/settings.yaml", "trust: {write: 0.5}\ntrust_execute: 0.6\nmax: {archive: {files: 7}}\n")
    found = load(tmp_path)
    assert (found.trust_write, found.trust_execute, found.max_archive_files) == (0.5, 0.6, 7)


def test_every_mistake_is_named_at_once_with_its_source_and_remedy(tmp_path: Path) -> None:
    config = write(tmp_path / "config/settings.yaml", "port: seventy\ntrust: {wirte: 0.5}\n")
    dotenv = write(tmp_path / ".env", "AGENT_WORKERS=0\nAGENT_COLOUR=blue\n")
    found = problems(tmp_path, {"AGENT_PROT": "1", "AGENT_TOKEN": "has space", "AGENT_AUTONOMY": "allow_all"})
    assert sorted(found) == sorted(
        [
            "`AGENT_PROT` in the environment is not a setting; did you mean `AGENT_PORT`?",
            f"`AGENT_COLOUR` in `{dotenv}` is not a setting",
            f"`trust.wirte` in `{config}` is not a setting; did you mean `trust_write`?",
            f"`port` in `{config}` is `seventy` but must be a whole number from 0 to 65,535",
            f"`AGENT_WORKERS` in `{dotenv}` is `0` but must be a whole number from 1 to 64",
            "`AGENT_TOKEN` in the environment must be printable characters without spaces",
            "`AGENT_AUTONOMY` in the environment is `allow_all` but must be `ask_all` or `earned`",
        ]
    )


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("bind", "example.org"),
        ("port", "true"),
        ("port", "65536"),
        ("public_url", "agent.example"),
        ("cors_origins", "*"),
        ("cors_origins", "https://a.example/path"),
        ("allowed_hosts", "a.example, https://b.example"),
        ("timezone", "Mars/Olympus"),
        ("timezone", "../../etc/passwd"),
        ("keepalive_seconds", "2.5"),
        ("keepalive_seconds", "nan"),
        ("log_level", "loud"),
        ("always_confirm", "perhaps"),
        ("trust_write", "1.01"),
        ("step_seconds", "inf"),
        ("step_seconds", "0"),
    ],
)
def test_a_bad_value_is_refused_in_plain_words(tmp_path: Path, name: str, bad: str) -> None:
    [line] = problems(tmp_path, {env_name(name): bad})
    assert line == f"`{env_name(name)}` in the environment is `{bad}` but must be {allowed(name)}"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("bind", "::1", "::1"),
        ("public_url", "https://agent.example/base/", "https://agent.example/base"),
        ("cors_origins", "https://A.example, http://localhost:5173", ("https://a.example", "http://localhost:5173")),
        ("allowed_hosts", "Agent.example,[::1]:5000", ("agent.example", "[::1]:5000")),
        ("autonomy", "ASK_ALL", Autonomy.ASK_ALL),
        ("always_confirm", "yes", True),
        ("log_level", "DEBUG", "debug"),
        ("timezone", "Europe/Berlin", "Europe/Berlin"),
        ("max_body_bytes", "1_000_000", 1_000_000),
    ],
)
def test_a_good_value_is_taken_as_people_write_it(tmp_path: Path, name: str, text: str, value: Any) -> None:
    assert getattr(load(tmp_path, {env_name(name): text}), name) == value


def test_what_is_riskier_never_needs_less_trust(tmp_path: Path) -> None:
    [line] = problems(tmp_path, {"AGENT_TRUST_WRITE": "0.95"})
    assert line == "`trust_write`, `trust_execute` and `trust_publish` must not fall from one to the next"


def test_the_figures_of_trust_are_those_that_were_measured() -> None:
    figures = {field.name: field.default for field in dataclasses.fields(Policy)}
    ours = {name.removeprefix("trust_"): value for name, value in Settings() if name.startswith("trust_")}
    assert ours == {name: figures[name] for name in ours}


def test_a_list_in_yaml_is_a_list(tmp_path: Path) -> None:
    write(tmp_path / "config/settings.yaml", "allowed_hosts:\n  - a.example\n  - b.example\n")
    assert load(tmp_path).allowed_hosts == ("a.example", "b.example")


def test_an_empty_value_is_as_good_as_none(tmp_path: Path) -> None:
    write(tmp_path / "config/settings.yaml", "token:\nport: 1001")
    assert load(tmp_path, {"AGENT_PORT": "", "AGENT_TOKEN": ""}).port == 1001


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port: [1", "is not valid YAML at line 1"),
        ("a: \x01", "is not valid YAML"),
        ("- port", "must hold names with values"),
        ("just words", "must hold names with values"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    config = write(tmp_path / "config/settings.yaml", text)
    [line] = problems(tmp_path)
    assert line.startswith(f"`{config}` {words}")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    (tmp_path / "config").mkdir()
    (tmp_path / "config/settings.yaml").write_bytes(b"port: \xff\n")
    assert len(problems(tmp_path)) == 2


def test_an_unknown_user_in_the_home_is_named(tmp_path: Path) -> None:
    [line] = problems(tmp_path, {"AGENT_HOME": "~nobody-of-that-name/x"})
    assert "user who is not known" in line


def test_names_that_build_machines_set_are_no_mistake(tmp_path: Path) -> None:
    assert load(tmp_path, {"AGENT_TOOLSDIRECTORY": "/opt/tools", "AGENT_NAME": "x"}) == Settings()


def test_variables_that_others_named_come_from_the_same_places_in_the_same_order(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(tmp_path / ".env", "VERCEL_TOKEN=checkout\nGITHUB_TOKEN=checkout\nRENDER_API_KEY=checkout\nAGENT_PORT=1\n")
    write(home / ".env", "VERCEL_TOKEN=home\nGITHUB_TOKEN=home\nRENDER_API_KEY=\n")
    names = frozenset({"VERCEL_TOKEN", "GITHUB_TOKEN", "RENDER_API_KEY", "NETLIFY_AUTH_TOKEN"})
    environ = {"VERCEL_TOKEN": "environment", "GITHUB_TOKEN": "", "HOME": "x"}
    assert others_variables(environ, home, tmp_path, names) == {
        "VERCEL_TOKEN": "environment",
        "GITHUB_TOKEN": "home",
        "RENDER_API_KEY": "checkout",
    }


def test_a_secret_is_never_shown(tmp_path: Path) -> None:
    found = load(tmp_path, {"AGENT_TOKEN": "hunter2000"})
    assert found.token is not None
    assert found.token.get_secret_value() == "hunter2000"
    assert "hunter2000" not in f"{found!r} {found} {found.shown()}"
    assert found.shown()["token"] is True
    assert Settings().shown()["token"] is False


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        Settings().port = 1


def test_the_zone_serves_to_convert_times() -> None:
    noon = datetime(2026, 7, 1, 12, tzinfo=UTC)
    assert noon.astimezone(Settings(timezone="Europe/Berlin").zone).hour == 14
    assert Settings().zone is None


def test_a_home_that_cannot_be_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSettings) as wrong:
        Settings.from_sources({"AGENT_HOME": "a\0b"}, checkout=tmp_path)
    assert "AGENT_HOME" in wrong.value.details["problems"][0]


@given(
    st.dictionaries(st.sampled_from([env_name(name) for name in Settings.model_fields] + ["AGENT_X", "X"]), st.text())
)
def test_any_environment_gives_settings_or_a_list_of_problems(environ: dict[str, str]) -> None:
    try:
        found = Settings.from_sources(environ, checkout=Path("/nonexistent"))
    except BadSettings as error:
        assert error.details["problems"]
    else:
        assert isinstance(found, Settings)
