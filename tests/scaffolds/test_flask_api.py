"""Flask APIs: their form, their own tests, what they answer, and what their tests find."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.app_spec import AppField, AppSpec, Condition, Kind, Login, Migration, Op
from scaffolds import table_changes, tables
from scaffolds.flask_api import generate
from tests.scaffolds.generated import (
    assert_bandit_is_content,
    assert_own_tests_catch,
    assert_own_tests_pass,
    assert_ruff_is_content,
    python,
    write,
)
from tests.scaffolds.specs import FEATURES, HOSTILE, api_specs, field, notes, resource, spec, view

UNPAID = (Condition(field="paid", op=Op.IS, value=False), Condition(field="price", op=Op.ABOVE, value=5))


def shop(**more: object) -> AppSpec:
    """Every type and feature in three small resources."""
    clients = resource(
        "customer",
        "customers",
        field("full_name", required=True, unique=True),
        field("mail", "email"),
        field("joined", "date", default="today"),
        search=True,
        sort=True,
        csv=True,
    )
    orders = resource(
        "order",
        "orders",
        field("about", "long_text"),
        field("price", "money", minimum=0),
        field("weight", "number", maximum=10),
        field("count", "integer", required=True, minimum=1),
        field("paid", "yes_no"),
        field("link", "url"),
        field("at", "time"),
        field("state", "choice", choices=("new", "sent"), default="new"),
        belongs_to=("customer",),
        views=(view("unpaid", *UNPAID),),
        **FEATURES,
    )
    visits = resource("visit", "visits", field("day", "date"), append_only=True)
    return spec(Kind.API, clients, orders, visits, **more)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An app whose own tests take half a second, to be broken in many ways."""
    things = resource(
        "thing", "things", field("name", required=True), field("size", "integer", minimum=1, unique=True), sort=True
    )
    return write(generate(spec(Kind.API, things)), tmp_path_factory.mktemp("small"))


@pytest.mark.parametrize("name", [*api_specs(), "hello"])
def test_every_app_is_as_ruff_would_write_it(name: str, tmp_path: Path) -> None:
    given_spec = {**api_specs(), "hello": spec(Kind.HELLO_API)}[name]
    assert_ruff_is_content(write(generate(given_spec), tmp_path))


def test_bandit_finds_nothing(tmp_path: Path) -> None:
    write(generate(shop(login=Login())), tmp_path / "login")
    write(generate(shop(api_key=True)), tmp_path / "key")
    assert_bandit_is_content(tmp_path)


def test_the_same_spec_gives_the_same_files() -> None:
    assert generate(shop()) == generate(AppSpec.model_validate(shop().to_json()))


def test_only_what_is_used_is_there() -> None:
    files = generate(spec(Kind.API, notes()))
    missing = {"service/users.py", "service/login.py", "service/key.py", "service/lists.py", "service/csv_files.py"}
    assert not missing & set(files)
    assert "class Integer" not in files["service/values.py"]
    assert files["requirements.txt"] == "Flask==3.1.3\n"
    assert {"README.md", ".env.example", ".gitignore", "pytest.ini", "app.py"} <= set(files)
    assert list(generate(spec(Kind.HELLO_API))) == [
        "README.md",
        "app.py",
        "pytest.ini",
        "requirements.txt",
        "tests/test_app.py",
    ]


@pytest.mark.parametrize(
    "given_spec",
    [
        shop(login=Login()),
        spec(Kind.FULL_STACK, notes(), api_key=True),
        api_specs()["odd_words"],
        api_specs()["hostile"].model_copy(update={"login": Login(private=False)}),
        spec(Kind.HELLO_API),
        spec(
            Kind.API,
            resource("owner", "owners", field("title")),
            resource("pet", "pets", field("title"), belongs_to=("owner",)),
        ),
    ],
    ids=["login", "key_and_front_end", "odd_words", "hostile", "hello", "owners"],
)
def test_the_own_tests_of_an_app_pass(given_spec: AppSpec, tmp_path: Path) -> None:
    assert_own_tests_pass(write(generate(given_spec), tmp_path))


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("service/routes.py", "return item, 201,", "return item, 200,"),
        ("service/values.py", "value < self.minimum", "value <= self.minimum"),
        ("service/store.py", 'f" ORDER BY {wanted.order}"', '" ORDER BY id"'),
        ("service/lists.py", "if wrong:", "if not wrong:"),
        ("service/input.py", 'wrong[name] = "is not known"', "pass"),
        ("service/db.py", "if applied > len(files):", "if applied > len(files) + 1:"),
        ("service/db.py", "files[applied:], start=applied + 1", "files[max(applied - 1, 0) :], start=1"),
        ("service/openapi.py", 'item, "404"', 'item, "422"'),
        ("service/resources/things.py", "required=True", "required=False"),
        ("migrations/0001_initial.sql", "UNIQUE INDEX", "INDEX"),
    ],
)
def test_the_own_tests_catch_what_is_broken(small: Path, name: str, before: str, after: str) -> None:
    assert_own_tests_catch(small, name, before, after)


def test_names_of_resources_never_meet(tmp_path: Path) -> None:
    words = ["note", "note_list", "note_file", "list_note", "item_note", "error"]
    made = [resource(word, f"{word}s", field("first"), csv=True) for word in words]
    made.append(resource("of", "note_list_of", field("first"), belongs_to=("note", "note_list")))
    folder = write(generate(spec(Kind.API, *made)), tmp_path)
    ran = python(folder, "-c", "from app import app; print(app.test_client().get('/openapi.json').status)")
    assert ran.stdout == "200 OK\n", ran.stderr


def test_many_processes_can_start_on_an_empty_folder(small: Path, tmp_path: Path) -> None:
    env = {"DATA_DIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    started = [
        subprocess.Popen([sys.executable, "-c", "import app"], cwd=small, env=env, stderr=subprocess.PIPE, text=True)
        for _ in range(5)
    ]
    for process in started:
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 0
    connection = sqlite3.connect(tmp_path / "my-app.db")
    assert connection.execute("SELECT COUNT(*) FROM things").fetchone() == (0,)
    connection.close()


SCHEMATHESIS = """
import warnings
warnings.simplefilter("ignore")
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks
from app import app

client = app.test_client()
person = {"username": "ada", "password": "long enough"}
client.post("/register", json=person)
headers = {"Authorization": "Bearer " + client.post("/login", json=person).get_json()["token"]}
client.post("/customers", json={"full_name": "Ada"}, headers=headers)
client.post("/orders", json={"customer_id": 1, "count": 1}, headers=headers)
lenient = [checks.negative_data_rejection, checks.positive_data_acceptance]
schema = schemathesis.openapi.from_wsgi("/openapi.json", app)
statuses = set()
for result in schema.get_all_operations():
    operation = result.ok()
    if operation.path in {"/logout", "/register", "/login"}:
        continue
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
        if mode is GenerationMode.NEGATIVE and not (list(operation.iter_parameters()) or operation.body):
            continue

        @settings(max_examples=6, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
                  suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy(generation_mode=mode))
        def answers_as_described(case):
            answer = case.call(headers=headers)
            statuses.add(answer.status_code)
            case.validate_response(answer, headers=headers, excluded_checks=lenient)

        answers_as_described()
print(sorted(statuses))
"""


def test_the_description_is_true(tmp_path: Path) -> None:
    """What comes from the description, and what does not fit it, is answered as the description says, never by 500."""
    folder = write(generate(shop(login=Login())), tmp_path)
    ran = python(folder, "-c", SCHEMATHESIS, env={"DATA_DIR": str(tmp_path / "data")})
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-4000:]
    assert {200, 201, 400, 404, 422} <= set(json.loads(ran.stdout))


def test_data_of_an_older_version_is_kept(tmp_path: Path) -> None:
    old = shop()
    grown = old.resources[0].model_copy(update={"fields": (*old.resources[0].fields, field("phone", required=True))})
    new = old.model_copy(update={"resources": (grown, *old.resources[1:]), "login": Login()})
    migration, _ = table_changes.migrate(old, new, 2)
    assert isinstance(migration, Migration)
    history = (tables.initial(old), migration)
    before, after = write(generate(old), tmp_path / "old"), write(generate(new, history), tmp_path / "new")
    add = "c.post('/customers', json={'full_name': 'Ada'}, headers=h)"
    start = "from app import app; c = app.test_client(); h = {}; "
    env = {"DATA_DIR": str(tmp_path / "data")}
    assert python(before, "-c", f"{start}assert {add}.status_code == 201", env=env).returncode == 0
    sign_in = (
        "p = {'username': 'ada', 'password': 'long enough'}; c.post('/register', json=p); "
        "h = {'Authorization': 'Bearer ' + c.post('/login', json=p).get_json()['token']}; "
    )
    shown = python(
        after, "-c", f"{start}{sign_in}print(c.get('/customers/1', headers=h).get_data(as_text=True))", env=env
    )
    item = json.loads(shown.stdout)
    assert (item["full_name"], item["phone"]) == ("Ada", "-")
    assert_ruff_is_content(after)


LABELS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=120)


@settings(max_examples=4, deadline=None)
@given(st.lists(LABELS, min_size=6, max_size=6))
def test_whatever_people_write_stays_text(labels: list[str]) -> None:
    made = resource(
        "thing",
        "things",
        AppField(name="first", label=labels[0], required=True),
        AppField(name="kind", label=labels[1], type="choice", choices=("a", HOSTILE)),  # type: ignore[arg-type]
        **{**FEATURES, "label": labels[2], "plural_label": labels[3]},
    )
    files = generate(spec(Kind.API, made, title=labels[4], summary=labels[5]))
    for name, text in files.items():
        if name.endswith(".py"):
            compile(text, name, "exec")
    module: dict[str, object] = {}
    source = files["service/openapi.py"]
    exec(source[source.index("TITLE = ") : source.index("NUMBER = ")], module)
    assert (module["TITLE"], module["SUMMARY"]) == (labels[4], labels[5])
    assert files["migrations/0001_initial.sql"].isascii()
