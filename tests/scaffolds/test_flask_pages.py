"""Web apps: what is in the files, how the pages answer, and that an app's own tests would notice a mistake."""

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.app_spec import AppSpec, Chart, Condition, Kind, Login, Op, Page, Resource, Section
from scaffolds.flask_pages import generate
from tests.scaffolds.generated import (
    assert_bandit_is_content,
    assert_own_tests_pass,
    assert_ruff_is_content,
    mutate,
    run_own_tests,
    write,
)
from tests.scaffolds.specs import (
    FEATURES,
    HOSTILE,
    everything,
    field,
    hostile,
    library,
    notes,
    odd_words,
    resource,
    spec,
    view,
    wide,
)


def tasks(**more: object) -> Resource:
    """What a list of things to do has."""
    undone = view("open", Condition(field="done", op=Op.IS, value=False))
    fields = (field("title", required=True), field("due_date", "date"), field("done", "yes_no"))
    return resource("task", "tasks", *fields, **{"quick_add": True, "views": (undone,), **more})


def texts(title: str = "Welcome", words: str = "One\ntwo.\n\nThree.") -> tuple[Page, ...]:
    section = Section(heading=title, text=words, points=(title, "second"))
    return (Page(slug="about", title=title, sections=(section,)), Page(slug="index", title=title))


def shelf() -> tuple[Resource, ...]:
    """A few resources that together have every feature."""
    return (
        resource("author", "authors", field("name", required=True), search=True, sort=True),
        resource(
            "book",
            "books",
            field("title", required=True),
            field("status", "choice", choices=("New", "Old"), default="New"),
            field("price", "money"),
            field("lent", "yes_no"),
            field("bought_on", "date"),
            field("isbn", unique=True),
            belongs_to=("author",),
            quick_add=True,
            views=(view("lent-out", Condition(field="lent", op=Op.IS, value=True)),),
            **FEATURES,
        ),
        resource(
            "review",
            "reviews",
            field("words", "long_text", required=True),
            belongs_to=("book",),
            append_only=True,
        ),
    )


CHARTS = (
    Chart(resource="book", by="status"),
    Chart(resource="book", by="bought_on", total="price"),
    Chart(resource="author", by="name"),
)


def web_specs() -> dict[str, AppSpec]:
    return {
        "hello": spec(Kind.WEB_APP),
        "texts": spec(Kind.WEB_APP, pages=texts(), dark_mode=True),
        "one_text": spec(Kind.WEB_APP, pages=texts()[:1]),
        "notes": spec(Kind.WEB_APP, notes()),
        "tasks": spec(Kind.WEB_APP, tasks(), dark_mode=True),
        "guests": spec(Kind.WEB_APP, tasks(append_only=True, views=(), paging=True), pages=texts()),
        "everything": spec(Kind.WEB_APP, everything()),
        "shelf": spec(Kind.WEB_APP, *shelf(), login=Login(), dark_mode=True, charts=CHARTS, pages=texts()),
        "library": spec(Kind.WEB_APP, *library()),
        "shared": spec(Kind.WEB_APP, *library(), login=Login(private=False)),
        "odd_words": spec(Kind.WEB_APP, *odd_words()),
        "hostile": spec(Kind.WEB_APP, *hostile(), title=HOSTILE, summary=HOSTILE, pages=texts(HOSTILE, HOSTILE)),
        "wide": spec(Kind.WEB_APP, wide()),
    }


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All apps, written down side by side."""
    root = tmp_path_factory.mktemp("apps")
    return {name: write(generate(app), root / name) for name, app in web_specs().items()}


def test_the_code_of_all_apps_is_clean(apps: dict[str, Path]) -> None:
    for folder in apps.values():
        assert_ruff_is_content(folder)


def test_lines_fit_whatever_the_words(tmp_path: Path) -> None:
    """Formatting depends on lengths, so there are titles, labels and texts of many."""
    for length in range(1, 121, 29):
        words = ("Word " * 24)[:length].strip()
        things = resource(
            "thing",
            "things",
            field("title", required=True, label=words),
            field("kind", "choice", choices=(words, "other"), label=words, default=words),
            label=words,
            plural_label=words,
        )
        more = {"title": words, "summary": words, "pages": texts(words, words), "login": Login()}
        assert_ruff_is_content(write(generate(spec(Kind.WEB_APP, things, notes(), **more)), tmp_path / str(length)))


def test_nothing_in_them_is_dangerous(apps: dict[str, Path]) -> None:
    for name in ("shelf", "texts"):
        assert_bandit_is_content(apps[name])


def test_the_same_spec_gives_the_same_files() -> None:
    assert generate(web_specs()["shelf"]) == generate(web_specs()["shelf"])


@pytest.mark.parametrize("name", ["texts", "hostile", "shelf"])
def test_the_own_tests_of_an_app_pass(apps: dict[str, Path], name: str) -> None:
    assert_own_tests_pass(apps[name])


@pytest.mark.parametrize(
    ("file", "before", "after", "tests"),
    [
        ("service/changes.py", "int(not item[field])", "int(item[field])", "changes"),
        ("service/forgery.py", "abort(400)", "pass", "items"),
        ("service/accounts.py", "elif request.endpoint is not None", "elif request.endpoint is None", "accounts"),
        ("service/charts.py", "figure < 0", "figure > 0", "charts"),
        ("service/finder.py", "if turned else name", "if not turned else name", "lists"),
        ("service/shell.py", '"nosniff"', '""', "shell"),
        ("templates/values.html", "{{ field | plain(value) }}</time>", "{{ value }}</time>", "items"),
    ],
)
def test_the_own_tests_notice(apps: dict[str, Path], file: str, before: str, after: str, tests: str) -> None:
    path = apps["shelf"] / file
    whole = path.read_text("utf-8")
    mutate(apps["shelf"], file, before, after)
    try:
        ran = run_own_tests(apps["shelf"], f"tests/test_{tests}.py")
        assert ran.returncode == 1, ran.stdout + ran.stderr
    finally:
        path.write_text(whole, "utf-8")


LABELS = st.one_of(
    st.sampled_from([HOSTILE, "{{ config }}", "{% raw %}", "'; DROP TABLE x; --", '\\"', "\u202eمرحبا", "</textarea>"]),
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=60).filter(str.strip),
)


@settings(max_examples=25, deadline=None)
@given(title=LABELS, label=LABELS, choice=LABELS, words=LABELS)
def test_words_of_people_are_data(title: str, label: str, choice: str, words: str) -> None:
    """No template, statement or style depends on them, and all Python is still Python with these very words in it."""
    files, plain = (generate(worded(*given)) for given in ((title, label, choice, words), ("T", "L", "C", "W")))
    assert files.keys() == plain.keys()
    for name, text in files.items():
        if name.endswith(".py"):
            compile(text, name, "exec")
        elif name not in {"README.md", "static/favicon.svg"}:
            assert text == plain[name]
    held = {node.value for node in ast.walk(ast.parse(files["service/resources/things.py"])) if is_text(node)}
    assert {label, choice} <= held
    shown = {node.value for node in ast.walk(ast.parse(files["service/texts.py"])) if is_text(node)}
    assert {title, words} <= shown


def is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def worded(title: str, label: str, choice: str, words: str) -> AppSpec:
    kinds = field("kind", "choice", choices=(choice, "-"), label=label)
    undone = view("some", Condition(field="kind", op=Op.IS, value="-")).model_copy(update={"title": label})
    things = resource("thing", "things", kinds, label=label, plural_label=label, views=(undone,), **FEATURES)
    pages = (Page(slug="index", title=title, sections=(Section(heading=title, points=(words,)),)),)
    return spec(Kind.WEB_APP, things, title=title, summary=words, pages=pages)


@pytest.fixture(scope="module")
def shelf_app(apps: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The app itself, in this process."""
    with pytest.MonkeyPatch.context() as patch, loaded(apps["shelf"]) as module:
        patch.setenv("DATA_DIR", str(tmp_path_factory.mktemp("data")))
        made: Flask = module.create_app()
        yield made


@contextmanager
def loaded(folder: Path) -> Iterator[ModuleType]:
    """Generated modules have names that others have as well, so none is left behind."""
    ours = {name for name in sys.modules if name.partition(".")[0] in {"app", "service"}}
    aside = {name: sys.modules.pop(name) for name in ours}
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("app")
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] in {"app", "service"}]:
            del sys.modules[name]
        sys.modules.update(aside)


def send(client: FlaskClient, path: str, **form: str) -> tuple[int, str]:
    """The status and where it leads, or the page."""
    page = client.get(path).get_data(as_text=True)
    token = re.findall(r'name="csrf_token" value="([^"]+)"', page)[-1]
    answer = client.post(path, data={**form, "csrf_token": token})
    return answer.status_code, answer.headers.get("Location") or answer.get_data(as_text=True)


def test_a_web_app_answers_as_it_is_agreed(shelf_app: Flask) -> None:
    client = shelf_app.test_client()
    assert client.get("/health").get_json() == {"status": "ok"}
    assert client.get("/").status_code == 200
    assert client.get("/about").status_code == 200
    asked = client.get("/books?q=x")
    assert (asked.status_code, asked.headers["Location"]) == (302, "/login?next=/books?q%3Dx")
    assert send(client, "/register", username="ada", password="correct horse") == (302, "/")
    assert send(client, "/authors/new", name="Ursula") == (302, "/authors/1")
    assert send(client, "/books/new", title="Left Hand", author_id="1", price="12.5") == (302, "/books")
    status, page = send(client, "/books/new", title="", author_id="7", price="x")
    assert status == 422
    assert all(words in page for words in ("Title is required", "Author is not there", "must be an amount"))
    assert send(client, "/books/1/edit", title="The Left Hand", lent="yes") == (302, "/books/1")
    shown = client.get("/books/1").get_data(as_text=True)
    assert "12.50" in shown and "Ursula" in shown and "The Left Hand" in shown
    assert "The Left Hand" in client.get("/books/lent-out").get_data(as_text=True)
    assert "The Left Hand" not in client.get("/books?q=right").get_data(as_text=True)
    assert send(client, "/reviews/new", words="Good", book_id="1") == (302, "/reviews/1")
    assert "Good" in client.get("/books/1").get_data(as_text=True)
    assert client.get("/reviews/1/edit").status_code == 404
    rows = client.get("/books.csv").get_data(as_text=True).splitlines()
    assert rows[0] == "id,author_id,title,status,price,lent,bought_on,isbn,created_at"
    assert rows[1].startswith("1,1,The Left Hand,New,12.5,true,,,")
    charts = client.get("/charts").get_data(as_text=True)
    assert charts.count("<svg class") == 3 and "<title>New: 1</title>" in charts
    assert send(client, "/authors/1/delete") == (302, "/authors")
    assert client.get("/books/1").status_code == 404
    assert client.get("/books?page=0").status_code == 422
    assert client.post("/books/new", data={"title": "x"}).status_code == 400


def test_every_page_of_the_app_is_sound(shelf_app: Flask) -> None:
    client = shelf_app.test_client()
    for path in ("/", "/about", "/login", "/register", "/nothing"):
        answer = client.get(path)
        page = answer.get_data(as_text=True)
        assert page.count("<h1") == 1 and 'href="#content"' in page and 'id="theme"' in page
        assert " style=" not in page and not re.search(r"<script(?! src=)| on[a-z]+=", page)
        assert "'unsafe" not in answer.headers["Content-Security-Policy"]
        assert "frame-ancestors" not in answer.headers["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer.headers
        assert not {name for name in re.findall(r'for="([^"]+)"', page) if f'id="{name}"' not in page}


def test_only_what_is_needed_is_there() -> None:
    files = generate(web_specs()["hello"])
    assert list(files) == [
        *(".gitignore", "README.md", "app.py", "requirements.txt", "service/__init__.py", "service/shell.py"),
        *("static/favicon.svg", "static/style.css", "templates/error.html", "templates/hello.html"),
        *("templates/layout.html", "tests/browser.py", "tests/conftest.py", "tests/test_shell.py"),
    ]
    few = generate(web_specs()["notes"])
    for name in ("lists", "finder", "charts", "accounts", "users", "csv_files", "texts"):
        assert f"service/{name}.py" not in few
    for word in (".tabs", ".paging", ".finder", ".bars", ".switch", ".mark", ".pill", "#theme", "light-dark"):
        assert word not in few["static/style.css"]
    assert "csv" not in few["templates/list.html"] and "finder" not in few["templates/list.html"]


def test_a_label_that_stands_above_its_column_is_not_repeated_in_each_row() -> None:
    bills = resource("bill", "bills", field("amount", "money", required=True), field("due", "date"))
    files = generate(spec(Kind.WEB_APP, bills))
    assert '<span class="caption">{{ field.label }}:</span>' in files["templates/table.html"]
    [style] = [text for path, text in files.items() if path.endswith(".css")]
    assert ".table .known .caption {\n    display: none;" in style.split("@media (min-width: 44.01rem)")[1]
    plain = "".join(generate(spec(Kind.WEB_APP, tasks())).values())
    assert 'class="caption"' not in plain and ".caption" not in plain


def test_the_readme_speaks_to_the_owner() -> None:
    text = generate(web_specs()["shelf"])["README.md"]
    for words in ("flask --app app run", "python -m pytest", "`/books/lent-out`", "DATA_DIR", "Vercel", "`my-app.db`"):
        assert words in text
