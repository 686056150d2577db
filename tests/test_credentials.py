import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from contracts.deployments import Account
from contracts.errors import (
    AppError,
    Conflict,
    CredentialRefused,
    Failed,
    Forbidden,
    InvalidParams,
    NotFound,
    Unauthorized,
    Unavailable,
)
from credential_kinds import KINDS
from credentials import Credentials, State, Values
from found_keys import keys_in
from logging_setup import HIDDEN, Redactor

ROOT = Path(__file__).resolve().parents[1]
TOKEN = "vcp_" + "A1b2C3d4" * 4
OTHER = "vcp_" + "Z9y8X7w6" * 4


class Host:
    """The other side: takes the tokens that it knows, and remembers what it was asked."""

    def __init__(self) -> None:
        self.accounts = {TOKEN: Account("Ada"), OTHER: Account("Grace", "crew")}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.trouble: AppError | None = None

    def check(self, name: str, values: Values) -> Account:
        self.asked.append((name, dict(values)))
        if self.trouble is not None:
            raise self.trouble
        known = self.accounts.get(values.get("token") or values.get("api_key", ""))
        if known is None:
            raise Unauthorized("The token is not valid", hint="Make a new one")
        return known


class Bench:
    """Credentials on a home, with the host and everything that was told about them."""

    def __init__(self, home: Path, environ: Mapping[str, str] | None = None) -> None:
        self.host = Host()
        self.redactor = Redactor()
        self.path = home / "credentials.json"
        self.credentials = Credentials(
            home,
            check=self.host.check,
            redactor=self.redactor,
            clock=lambda: "2026-11-16T10:00:00Z",
            environ=environ or {},
        )
        self.told: list[tuple[str, State, str]] = []
        self.changed: list[str] = []
        self.credentials.tell = lambda *news: self.told.append(news)
        self.credentials.on_change = self.changed.append

    def about(self, name: str = "vercel") -> dict[str, Any]:
        return self.credentials.describe_one(name)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_what_is_entered_is_tested_kept_and_used(bench: Bench) -> None:
    said = bench.credentials.put("vercel", {"token": f"  {TOKEN}\n", "team": "crew"})
    assert bench.host.asked == [("vercel", {"token": TOKEN, "team": "crew"})]
    assert bench.credentials.get("vercel") == {"token": TOKEN, "team": "crew"}
    assert bench.credentials.has("vercel")
    assert not bench.credentials.has("render")
    assert (said["state"], said["who"], said["source"]) == ("works", "Ada", "stored")
    assert bench.told == [("vercel", State.WORKS, "Ada")]
    assert bench.changed == ["vercel"]


def test_nothing_that_is_described_told_or_logged_holds_a_secret(bench: Bench) -> None:
    bench.credentials.put("vercel", {"token": TOKEN, "team": "crew"})
    bench.credentials.test("vercel")
    said = json.dumps([bench.credentials.describe(), bench.told, bench.credentials.notices()])
    assert TOKEN not in said
    assert bench.redactor.text(f"sent {TOKEN} there") == f"sent {HIDDEN} there"
    [team] = [field for field in bench.about()["fields"] if field["name"] == "team"]
    assert team["value"] == "crew"


def test_what_the_host_does_not_take_is_not_kept_and_leaves_the_one_before(bench: Bench) -> None:
    bench.credentials.put("vercel", {"token": TOKEN})
    with pytest.raises(CredentialRefused) as refused:
        bench.credentials.put("vercel", {"token": "not-the-right-one"})
    assert refused.value.status == 400
    assert refused.value.hint == "Nothing was stored. Make a new one"
    assert bench.credentials.get("vercel") == {"token": TOKEN}
    assert bench.changed == ["vercel"]


def test_a_host_that_cannot_be_reached_says_nothing_about_the_credential(bench: Bench) -> None:
    bench.credentials.put("vercel", {"token": TOKEN})
    bench.host.trouble = Unavailable("Vercel does not answer")
    with pytest.raises(Unavailable):
        bench.credentials.put("vercel", {"token": OTHER})
    with pytest.raises(Unavailable):
        bench.credentials.test("vercel")
    assert bench.credentials.get("vercel") == {"token": TOKEN}
    assert bench.about()["state"] == "works"


def test_an_error_of_the_host_that_repeats_the_secret_is_blanked(bench: Bench) -> None:
    bench.host.trouble = Unavailable(f"no route with {TOKEN}", hint=TOKEN, details={"header": f"x {TOKEN}"})
    with pytest.raises(Unavailable) as failed:
        bench.credentials.put("vercel", {"token": TOKEN})
    assert TOKEN not in json.dumps([failed.value.message, failed.value.hint, failed.value.details])


def test_a_credential_that_has_ended_is_found_out_by_testing_and_stays_until_it_is_replaced(bench: Bench) -> None:
    bench.credentials.put("vercel", {"token": TOKEN})
    bench.host.trouble = Forbidden("The token has expired\n\x1b[31mlook")
    said = bench.credentials.test("vercel")
    assert said["state"] == "refused"
    assert said["words"] == "Refused: The token has expired  [31mlook; stored here"
    assert bench.credentials.get("vercel") == {"token": TOKEN}
    assert bench.told[-1] == ("vercel", State.REFUSED, "")
    again = Bench(bench.path.parent)
    assert again.about()["state"] == "refused"
    again.credentials.put("vercel", {"token": OTHER})
    assert (again.about()["who"], again.about()["team"]) == ("Grace", "crew")


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({}, "token"),
        ({"token": " "}, "token"),
        ({"token": "short"}, "token"),
        ({"token": "two words and more"}, "token"),
        ({"token": "line\r\nX-Evil: yes"}, "token"),
        ({"token": "tök-en-with-an-umlaut"}, "token"),
        ({"token": "x" * 5000}, "token"),
        ({"token": TOKEN, "team": OTHER}, "team"),
        ({"token": TOKEN, OTHER: "x"}, "values"),
        ({"token": 12345678}, "token"),
        ([TOKEN], "token"),
    ],
)
def test_what_cannot_be_a_credential_is_refused_by_field_without_repeating_it(
    bench: Bench, values: Any, field: str
) -> None:
    with pytest.raises(InvalidParams) as wrong:
        bench.credentials.put("vercel", values)
    assert wrong.value.details["fields"][0]["field"] == field
    said = json.dumps([wrong.value.message, wrong.value.hint, wrong.value.details])
    assert not any(secret in said for secret in (TOKEN, OTHER, "X-Evil", "12345678"))
    assert not bench.host.asked
    assert not bench.path.exists()


@pytest.mark.parametrize("name", ["", "aws", "../token", "Vercel"])
def test_a_name_that_is_none_is_said_to_be_none(bench: Bench, name: str) -> None:
    for attempt in (bench.credentials.get, bench.credentials.forget, bench.credentials.test):
        with pytest.raises(NotFound):
            attempt(name)


def test_what_is_forgotten_is_gone_from_the_disk(bench: Bench) -> None:
    bench.credentials.put("vercel", {"token": TOKEN})
    bench.credentials.put("netlify", {"token": OTHER})
    assert bench.credentials.forget("vercel")["state"] == "missing"
    assert bench.credentials.get("vercel") is None
    assert bench.credentials.get("netlify") == {"token": OTHER}
    assert not any(TOKEN in path.read_text() for path in bench.path.parent.iterdir())
    assert bench.told[-1] == ("vercel", State.MISSING, "")
    assert bench.changed[-1] == "vercel"
    with pytest.raises(NotFound):
        bench.credentials.forget("vercel")


def test_the_environment_serves_where_nothing_is_stored(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"VERCEL_TOKEN": TOKEN, "VERCEL_TEAM": "crew", "RENDER_OWNER": "tea-1", "GITHUB_TOKEN": ""})
    assert bench.credentials.get("vercel") == {"token": TOKEN, "team": "crew"}
    assert bench.credentials.get("render") is None
    assert bench.about()["words"] == "Set but not tested; from the environment (`VERCEL_TOKEN`, `VERCEL_TEAM`)"
    assert bench.redactor.text(TOKEN) == HIDDEN
    assert bench.credentials.test("vercel")["state"] == "works"
    assert bench.about()["words"].startswith("Works as Ada")
    with pytest.raises(Conflict) as held:
        bench.credentials.forget("vercel")
    assert "`VERCEL_TOKEN`" in held.value.hint
    assert not bench.path.exists()


def test_what_is_stored_wins_over_the_environment_as_a_whole(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"VERCEL_TOKEN": TOKEN, "VERCEL_TEAM": "crew"})
    bench.credentials.put("vercel", {"token": OTHER})
    assert bench.credentials.get("vercel") == {"token": OTHER}
    assert "instead of the one in the environment" in bench.about()["words"]
    bench.credentials.forget("vercel")
    assert bench.credentials.get("vercel") == {"token": TOKEN, "team": "crew"}


def test_every_secret_is_known_for_blanking_before_anybody_asks_for_it(tmp_path: Path) -> None:
    Bench(tmp_path).credentials.put("netlify", {"token": OTHER})
    bench = Bench(tmp_path, {"VERCEL_TOKEN": TOKEN})
    assert [(kind.name, secret) for kind, secret in bench.credentials.secrets()] == [
        ("vercel", TOKEN),
        ("netlify", OTHER),
    ]
    assert bench.redactor.text(f"{OTHER} {TOKEN}") == f"{HIDDEN} {HIDDEN}"


def test_the_file_is_private_from_the_instant_it_is_made(tmp_path: Path) -> None:
    """With no mask to help, it is never made private afterwards: so it was from the start."""
    program = f"""
import os, sys
from pathlib import Path
os.umask(0)
from contracts.deployments import Account
from credentials import Credentials
from logging_setup import Redactor
made = []
def watch(event, arguments):
    if event in ("os.chmod", "os.chown"):
        raise RuntimeError(event)
    if event == "os.rename":
        made.append(os.stat(arguments[0]).st_mode & 0o777)
sys.addaudithook(watch)
home = Path({str(tmp_path)!r})
kept = Credentials(home, check=lambda *_: Account("Ada"), redactor=Redactor(), clock=lambda: "now")
kept.put("vercel", {{"token": {TOKEN!r}}})
kept.put("netlify", {{"token": {OTHER!r}}})
assert made == [0o600, 0o600], made
assert all(path.stat().st_mode & 0o777 == 0o600 for path in home.iterdir())
"""
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_a_file_that_others_may_read_is_closed_to_them(bench: Bench) -> None:
    bench.credentials.put("vercel", {"token": TOKEN})
    bench.path.chmod(0o644)
    assert bench.credentials.get("vercel")
    assert bench.path.stat().st_mode & 0o777 == 0o600


def test_a_change_by_another_process_is_seen_at_the_next_look(bench: Bench) -> None:
    other = Bench(bench.path.parent)
    bench.credentials.put("vercel", {"token": TOKEN})
    assert other.credentials.get("vercel") == {"token": TOKEN}
    bench.credentials.put("vercel", {"token": OTHER})
    assert other.credentials.get("vercel") == {"token": OTHER}
    bench.credentials.forget("vercel")
    assert other.credentials.get("vercel") is None


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from contracts.deployments import Account
from credentials import Credentials
from logging_setup import Redactor
home, name, field = sys.argv[1:]
kept = Credentials(Path(home), check=lambda *_: Account("Ada"), redactor=Redactor(), clock=lambda: "now")
for number in range(8):
    kept.put(name, {field: f"secret-{name}-{number}"})
"""
    names = {"vercel": "token", "netlify": "token", "render": "api_key"}
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), name, field], cwd=ROOT)
        for name, field in names.items()
    ]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    kept = Bench(tmp_path).credentials
    assert [kept.get(name) for name in names] == [{field: f"secret-{name}-7"} for name, field in names.items()]


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"\xff\xfe", b"[]", b'{"credentials": 1}', b'{"credentials": {"vercel": "x"}}', b"null"]
)
def test_a_damaged_file_is_kept_aside_and_everything_goes_on(bench: Bench, damage: bytes) -> None:
    bench.path.write_bytes(damage)
    assert bench.credentials.get("vercel") is None
    [aside] = bench.path.parent.glob("*.damaged-*")
    assert aside.read_bytes() == damage
    assert aside.stat().st_mode & 0o777 == 0o600
    assert aside.name in bench.credentials.notices()[0]
    bench.credentials.put("vercel", {"token": TOKEN})
    bench.path.write_bytes(damage)
    assert bench.credentials.get("vercel") is None
    assert len(bench.credentials.notices()) == 2


def test_damage_that_is_met_while_writing_is_kept_aside_too(bench: Bench) -> None:
    bench.path.write_bytes(b"{")
    bench.credentials.put("vercel", {"token": TOKEN})
    assert bench.credentials.get("vercel") == {"token": TOKEN}
    assert len(bench.credentials.notices()) == 1


def test_entries_of_another_version_are_kept_and_odd_ones_are_as_good_as_not_set(bench: Bench) -> None:
    entries = {
        "mastodon": {"values": {"token": "later"}},
        "render": {"values": 5},
        "vercel": {"values": {"token": TOKEN}, "state": []},
    }
    bench.path.write_text(json.dumps({"version": 9, "credentials": entries}))
    assert bench.credentials.get("render") is None
    assert bench.credentials.get("vercel") == {"token": TOKEN}
    assert bench.about()["state"] == "untested"
    bench.credentials.put("netlify", {"token": OTHER})
    assert json.loads(bench.path.read_text())["credentials"]["mastodon"] == entries["mastodon"]


def test_a_link_in_place_of_the_file_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text('{"credentials": {}}')
    elsewhere.chmod(0o644)
    bench.path.symlink_to(elsewhere)
    with pytest.raises(Failed):
        bench.credentials.get("vercel")
    assert "cannot be read" in bench.credentials.notices()[0]
    assert bench.credentials.secrets() == []
    assert elsewhere.stat().st_mode & 0o777 == 0o644


def test_what_a_process_left_that_died_while_writing_is_removed(bench: Bench) -> None:
    left = bench.path.with_name(".credentials.json.4711")
    left.write_text(OTHER)
    bench.credentials.put("vercel", {"token": TOKEN})
    assert not left.exists()


def test_the_page_names_every_account_with_its_variables() -> None:
    page = (ROOT / "docs" / "credentials.md").read_text()
    for kind in KINDS:
        [row] = [line for line in page.splitlines() if line.startswith(f"| `{kind.name}` |")]
        assert kind.purpose.lower() in row.lower()
        assert all(f"`{field.environment}`" in row for field in kind.fields)


def test_every_kind_says_how_to_get_it_and_is_recognised() -> None:
    examples = {
        "vercel": TOKEN,
        "netlify": "nfp_" + "a1" * 18,
        "render": "rnd_" + "a1" * 14,
        "github": "github_pat_" + "a1" * 20,
        "git": "glpat-" + "a1" * 10,
        "drive": "GOCSPX-" + "a1" * 14,
    }
    assert {kind.name for kind in KINDS} == set(examples)
    for kind in KINDS:
        assert 3 <= len(kind.guide) <= 5
        assert all(line.endswith(".") for line in kind.guide)
        assert kind.secrets
        assert keys_in(f"it is {examples[kind.name]}.".encode()) == {examples[kind.name].encode(): kind.finds}
        assert Redactor().text(examples[kind.name]) == HIDDEN
