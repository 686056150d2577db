"""A sentence of a person becomes a plan, a question or a plain refusal; never something else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import planner
from contracts.app_spec import AppSpec, FieldType, Kind, Language
from contracts.errors import BadInput
from contracts.plans import CannotYet, NotUnderstood, Question, Understanding
from planner import change_spec, plan_tasks, spec_from
from tests.understanding.expectations import wrong

REQUESTS = Path(planner.__file__).parent / "benchmarks" / "requests.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in REQUESTS.read_text("utf-8").splitlines()]
WORD_FOR_WORD = (
    "Build a hello world API",
    "Build a hello world web app with a homepage",
    "Build a REST API for managing todo items",
    "Create a Flask REST API for managing books with SQLite",
    "Build a script to parse CSV files and generate statistics",
    "Create a CLI tool for managing TODO items stored in JSON",
    "Create a small web app with a guestbook and deploy it",
    "Add a new feature to the project: search",
    "Build a todo API",
    "Build a REST API for managing books with title, author and year",
    "Build a todo API and put it online",
)


def built(words: str) -> AppSpec:
    spec = plan_tasks(words, projects={}).spec
    assert spec is not None
    return spec


def intents(plan: Understanding) -> list[str]:
    return [step["intent"] for step in plan.steps]


BOOKS = "Build a REST API for managing books with title, author and year"


@pytest.mark.parametrize(
    "line", LINES, ids=lambda line: f"{line['request'][:50]!r}{' after' if 'after' in line else ''}"
)
def test_a_stock_request_is_understood_as_expected(line: dict[str, Any]) -> None:
    assert not wrong(line)


@pytest.mark.parametrize("line", [line for line in LINES if "after" in line], ids=lambda line: line["request"][:50])
def test_a_change_is_understood_alike_when_its_project_is_chosen(line: dict[str, Any]) -> None:
    assert not wrong(line, chosen=True)


def test_the_stock_covers_every_kind_and_the_usual_sentences() -> None:
    asked = [line["request"] for line in LINES]
    assert set(WORD_FOR_WORD) <= set(asked)
    assert {line["expect"].get("kind") for line in LINES} >= {kind.value for kind in Kind}
    assert len(set(asked)) >= 75


def test_a_new_app_is_created_installed_tested_and_started() -> None:
    plan = plan_tasks(BOOKS, projects={})
    assert plan.project == "books-api"
    assert plan.spec is not None
    assert plan.steps == (
        {"intent": "create_app", "project": "books-api", "spec": plan.spec.to_json()},
        {"intent": "install_dependencies", "project": "books-api"},
        {"intent": "test_app", "project": "books-api"},
        {"intent": "deploy_app", "project": "books-api", "provider": "local"},
    )


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("website for my bakery", ["create_app", "test_app", "deploy_app"]),
        ("node api for notes", ["create_app", "test_app", "deploy_app"]),
        ("command line tool for notes", ["create_app", "install_dependencies", "test_app"]),
        ("Build a script to parse CSV files and generate statistics", ["create_app", "test_app"]),
        ("react app for notes", ["create_app", "install_dependencies", "build_ui", "test_app", "deploy_app"]),
        ("app for notes, don't deploy it", ["create_app", "install_dependencies", "test_app"]),
    ],
)
def test_only_the_steps_that_an_app_needs_are_there(words: str, steps: list[str]) -> None:
    assert intents(plan_tasks(words, projects={})) == steps


@pytest.mark.parametrize(
    ("words", "provider"),
    [("todo api", "local"), ("todo api and put it online", "auto"), ("todo api, deploy it to render", "render")],
)
def test_it_goes_where_the_person_said(words: str, provider: str) -> None:
    assert plan_tasks(words, projects={}).steps[-1]["provider"] == provider


def test_a_name_that_is_taken_gets_a_number() -> None:
    spec = built(BOOKS)
    assert plan_tasks(BOOKS, projects={"books-api": spec}).project == "books-api-2"
    assert plan_tasks(BOOKS, projects={"Books-API": spec, "books-api-2": None}).project == "books-api-3"


def test_a_project_that_the_person_chose_and_that_is_empty_keeps_its_name() -> None:
    plan = plan_tasks(BOOKS, project="My_Books", projects={"My_Books": None})
    assert (plan.project, plan.steps[0]["project"]) == ("My_Books", "My_Books")


def test_a_change_names_the_words_the_old_app_and_the_new_one() -> None:
    spec = built(BOOKS)
    plan = plan_tasks("add a publisher to the books", projects={"books-api": spec})
    assert plan.before == spec
    assert plan.spec is not None
    assert [field.name for field in plan.spec.resource("book").fields] == ["title", "author", "year", "publisher"]
    assert plan.steps[0] == {
        "intent": "update_app",
        "project": "books-api",
        "change": "add a publisher to the books",
        "spec": plan.spec.to_json(),
    }
    assert "publisher" in plan.understood.lower()


def test_without_a_project_a_change_says_that_there_is_none() -> None:
    with pytest.raises(NotUnderstood, match="no project yet"):
        plan_tasks("Add a new feature to the project: search", projects={})


def test_the_newest_project_is_meant_and_said_unless_one_is_named() -> None:
    known: dict[str, AppSpec | None] = {"notes": built("app for notes"), "books-api": built(BOOKS), "by-hand": None}
    newest = plan_tasks("add search", projects=known)
    assert newest.project == "books-api"
    assert any("newest" in line for line in newest.assumptions)
    assert plan_tasks("add search to notes", projects=known).project == "notes"
    assert plan_tasks("add search", project="notes", projects=known).project == "notes"


def test_a_project_that_was_not_built_here_is_not_changed_by_rules() -> None:
    with pytest.raises(CannotYet, match="not built from a description"):
        plan_tasks("add search", project="by-hand", projects={"by-hand": None})


def test_words_about_a_chosen_app_that_no_rule_reads_build_nothing_else() -> None:
    known = {"hello-api": built("Build a hello world API")}
    with pytest.raises(NotUnderstood, match="Say good morning"):
        plan_tasks("Say good morning instead of hello", project="hello-api", projects=known)


def test_search_for_the_project_is_for_everything_that_it_keeps() -> None:
    spec = built("api for customers and their orders")
    after = plan_tasks("Add a new feature to the project: search", projects={"shop": spec}).spec
    assert after is not None
    assert all(resource.search for resource in after.resources)


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("test it", [{"intent": "test_app", "project": "notes"}]),
        ("run the tests of books-api please", [{"intent": "test_app", "project": "books-api"}]),
        ("undo that", [{"intent": "rollback", "project": "notes"}]),
        ("put books-api online", [{"intent": "deploy_app", "project": "books-api", "provider": "auto"}]),
        ("deploy notes to vercel", [{"intent": "deploy_app", "project": "notes", "provider": "vercel"}]),
    ],
)
def test_single_steps_are_understood(words: str, steps: list[dict[str, Any]]) -> None:
    known: dict[str, AppSpec | None] = {"books-api": built(BOOKS), "notes": built("app for notes")}
    assert list(plan_tasks(words, projects=known).steps) == steps


def test_a_project_that_does_not_exist_is_not_put_online() -> None:
    with pytest.raises(NotUnderstood, match="no project called “zebra”"):
        plan_tasks("put zebra online", projects={"notes": built("app for notes")})


def test_a_tool_for_the_terminal_cannot_be_put_online() -> None:
    with pytest.raises(NotUnderstood, match="nothing to open in a browser"):
        plan_tasks("put it online", projects={"t": built("command line tool for notes")})
    assert any("online" in line.lower() for line in plan_tasks("cli for notes, put it online", projects={}).cannot)


def test_a_front_end_is_for_an_api_that_has_none() -> None:
    spec = built(BOOKS)
    plan = plan_tasks("make a react front end for it", projects={"books-api": spec})
    assert plan.steps[0] == {"intent": "create_ui", "project": "books-api", "framework": "react"}
    assert plan.spec is not None
    with pytest.raises(NotUnderstood, match="already"):
        plan_tasks("make a react front end for it", projects={"books-api": plan.spec})
    with pytest.raises(CannotYet, match="Node"):
        plan_tasks("add a front end to it", projects={"n": built("node api for notes")})


def test_vague_wishes_are_asked_about_and_the_answers_count() -> None:
    plan = plan_tasks("make me an app", projects={})
    assert (plan.spec, plan.steps) == (None, ())
    assert [question.key for question in plan.questions] == ["about", "kind", "login"]
    answers = {"about": "customers and their orders", "kind": "API", "login": "yes"}
    after = plan_tasks("make me an app", projects={}, answers=answers)
    assert after.spec is not None
    assert (after.spec.kind, after.spec.login is not None) == (Kind.API, True)
    assert after.spec.resource("order").belongs_to == ("customer",)
    assert not after.questions


@pytest.mark.parametrize("words", ["I need an API", "an API for my club"])
def test_a_kind_that_was_said_is_the_default_of_the_question_about_it(words: str) -> None:
    asked = {question.key: question for question in plan_tasks(words, projects={}).questions}
    assert asked["kind"].default == "API" and "web app" in asked["kind"].options


def test_a_place_alone_has_a_plan_with_a_default_and_a_question() -> None:
    plan = plan_tasks("something for my shop", projects={})
    assert plan.questions[0].default == "products"
    assert intents(plan)[0] == "create_app"
    after = plan_tasks("something for my shop", projects={}, answers={"about": "orders", "fields": "number, total"})
    assert after.spec is not None
    assert [field.name for field in after.spec.resource("order").fields] == ["number", "total"]


def test_a_field_of_several_things_is_asked_about() -> None:
    spec = built("web app for customers and their orders")
    plan = plan_tasks("add a nickname", projects={"shop": spec})
    assert plan.questions[0].key == "resource"
    assert plan.spec is not None
    assert "nickname" in {field.name for field in plan.spec.resource("customer").fields}
    after = plan_tasks("add a nickname", projects={"shop": spec}, answers={"resource": "Orders"}).spec
    assert after is not None
    assert "nickname" in {field.name for field in after.resource("order").fields}


@pytest.mark.parametrize(
    ("framework", "kind", "language"),
    [
        (None, Kind.HELLO_API, Language.PYTHON),
        ("flask", Kind.HELLO_API, Language.PYTHON),
        ("node", Kind.HELLO_API, Language.NODE),
        ("typer", Kind.CLI_TOOL, Language.PYTHON),
        ("html", Kind.SITE, Language.PYTHON),
        ("react", Kind.FULL_STACK, Language.PYTHON),
        ("csv", Kind.PIPELINE, Language.PYTHON),
    ],
)
def test_an_empty_description_gives_the_smallest_app_of_a_framework(
    framework: str | None, kind: Kind, language: Language
) -> None:
    found = spec_from("", framework=framework)
    assert found.spec is not None
    assert (found.spec.kind, found.spec.language) == (kind, language)


def test_a_framework_decides_only_what_the_words_leave_open() -> None:
    flask, pages = spec_from("books", framework="flask").spec, spec_from("web app for books", framework="flask").spec
    assert flask is not None and pages is not None
    assert (flask.kind, pages.kind) == (Kind.API, Kind.WEB_APP)
    named = spec_from("books with title", name="My Shelf", framework="node").spec
    assert named is not None
    assert (named.title, named.name, named.language) == ("My Shelf", "my-shelf", Language.NODE)


def test_an_unknown_framework_is_refused() -> None:
    with pytest.raises(CannotYet, match="django"):
        spec_from("books", framework="django")


def test_a_change_alone_gives_the_new_spec_and_says_it() -> None:
    found = change_spec(built(BOOKS), "make the title unique")
    assert found.spec is not None
    assert found.spec.resource("book").field("title").unique
    assert "unique" in found.understood


@pytest.mark.parametrize(
    "words",
    [
        "",
        "   \n ",
        "🙂🙂",
        "asdf qwer",
        "hello",
        "what is the capital of France?",
        "x" * 50_000,
        "books " * 9_000,
        "Erstelle eine App für Bücher mit Titel und Autor",
        "Crea una aplicación para mis libros con título y autor",
        "Crée une application pour mes livres avec titre et auteur",
        "为我的书创建一个应用程序",
        "Сделай приложение для книг",
        "import os; os.system('ls')",
        "DROP TABLE books;",
        "<script>alert(1)</script>",
        "rm -rf / --no-preserve-root",
        '{"kind": "api"}',
    ],
)
def test_what_is_no_request_in_english_is_refused_with_examples(words: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        plan_tasks(words, projects={})
    assert refused.value.hint.count("“") >= 2
    assert len(refused.value.message) < 200


@pytest.mark.parametrize(
    "words",
    [
        "build a chatbot",
        "make a tetris game",
        "refactor my code",
        "write me a poem about spring",
        "build a calculator",
        "scrape prices from amazon",
        "a crypto wallet",
        "book me a flight to Paris",
    ],
)
def test_what_rules_cannot_build_is_refused_plainly(words: str) -> None:
    with pytest.raises(CannotYet) as refused:
        plan_tasks(words, projects={})
    assert refused.value.code == "cannot_without_model"
    assert "model" in refused.value.message + refused.value.hint
    assert "What can be built today" in refused.value.hint


def test_the_rest_is_built_and_what_is_left_out_is_said() -> None:
    plan = plan_tasks("recipe app with title and ingredients, with photo upload and email reminders", projects={})
    assert plan.spec is not None
    assert [field.name for field in plan.spec.resource("recipe").fields] == ["title", "ingredients"]
    assert len(plan.cannot) == 2
    assert all("A model could" in line for line in plan.cannot)


def test_a_wish_that_no_rule_reads_is_not_passed_over() -> None:
    plan = plan_tasks("app for books with title. It should blink wildly whenever the moon is full", projects={})
    assert any("moon" in line for line in plan.cannot)


def test_hostile_names_become_safe_names_and_stay_labels() -> None:
    spec = built("web app for books with title, class, id, \"><script>, select, O'Neill's note and {{7*7}}")
    names = [field.name for field in spec.resources[0].fields]
    assert names[:3] == ["title", "book_class", "book_id"]
    assert all(name.isidentifier() for name in names)


def test_reserved_words_keep_their_label() -> None:
    spec = built("api for classes with name")
    assert (spec.resources[0].name, spec.resources[0].label) == ("school_class", "School class")
    imports = built("app for imports with name and users with email").resources
    assert {resource.label for resource in imports} == {"Import", "User"}


def test_owners_are_kept_apart_from_those_who_sign_in() -> None:
    words = "web app for owners and their pets, pets have a name"
    assert built(words).resource("pet").belongs_to == ("owner",)
    spec = built(f"{words}, with login")
    assert spec.resource("pet").belongs_to == ("proprietor",) and spec.resource("proprietor").label == "Owner"
    later = change_spec(built(words), "add a login").spec
    assert later is not None and later.resource("proprietor").was == "owner"
    with pytest.raises(ValueError, match="`owner` is whoever added"):
        AppSpec.model_validate({**built(words).to_json(), "login": {}})


def test_a_hundred_fields_are_cut_and_it_is_said() -> None:
    words = ", ".join(f"thing{number} text" for number in range(100))
    plan = plan_tasks(f"app for books with {words}", projects={})
    assert plan.spec is not None
    assert len(plan.spec.resource("book").fields) == 40
    assert any("40" in line for line in plan.assumptions)


def test_what_contradicts_itself_is_decided_and_said() -> None:
    plan = plan_tasks("app for books with title (optional and required) and year", projects={})
    assert plan.spec is not None
    assert plan.spec.resource("book").field("title").required
    assert any("both optional and required" in line for line in plan.assumptions)


def test_nothing_is_made_up_for_a_site() -> None:
    plan = plan_tasks(
        "Website for my cafe with opening hours and contact. We are open daily from 8 to 18.", projects={}
    )
    assert plan.spec is not None
    pages = {page.slug: page for page in plan.spec.pages}
    assert "daily from 8 to 18" in pages["opening-hours"].sections[0].text
    assert "will follow" in pages["contact"].sections[0].text
    assert any("made up" in line for line in plan.assumptions)


def test_the_errors_are_about_the_input() -> None:
    assert {NotUnderstood.code, CannotYet.code} == {"not_understood", "cannot_without_model"}
    assert issubclass(NotUnderstood, BadInput) and issubclass(CannotYet, BadInput)


def test_a_plan_is_plain_json() -> None:
    plan = plan_tasks(BOOKS, projects={})
    assert json.loads(json.dumps(plan.to_json()))["steps"][0]["intent"] == "create_app"
    assert plan.spec is not None
    assert AppSpec.model_validate(plan.to_json()["spec"]) == plan.spec


def test_nobody_is_asked_more_than_three_questions() -> None:
    with pytest.raises(ValueError, match="3 questions"):
        Understanding("g", "t", questions=(Question("k", "?", ""),) * 4)


VOCABULARY = [
    *sorted({word for line in LINES for word in line["request"].split()}),
    *(
        "(",
        ")",
        ",",
        ":",
        "\n- ",
        "has many",
        "belongs to",
        "class",
        "import",
        "user",
        "';DROP TABLE x;--",
        "<b>",
        "{{x}}",
    ),
    *("\\", "\u202e", "🙂", "\x00", "a" * 50, "-1", "id", "1 to 5", "called", '"', "rename", "remove", "default", "or"),
]
SENTENCES = st.lists(st.sampled_from(VOCABULARY), max_size=25).map(" ".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words=st.one_of(st.text(max_size=150), SENTENCES))
def test_any_text_gives_a_valid_spec_a_question_or_a_plain_refusal(words: str) -> None:
    spec = built("web app for tasks with title and due date. each task belongs to a project")
    ways: list[Callable[[], Understanding]] = [
        lambda: plan_tasks(words, projects={}),
        lambda: plan_tasks(words, projects={"tasks": spec}),
        lambda: spec_from(words),
        lambda: change_spec(spec, words),
    ]
    for understand in ways:
        try:
            plan = understand()
        except (NotUnderstood, CannotYet) as refused:
            assert refused.message and refused.hint
            continue
        assert plan.understood
        assert plan.spec is not None or plan.questions
        if plan.spec is not None:
            assert AppSpec.model_validate(plan.spec.to_json()) == plan.spec
        json.dumps(plan.to_json())


@settings(max_examples=40, deadline=None)
@given(label=st.text(min_size=1, max_size=40))
def test_a_field_may_be_called_anything(label: str) -> None:
    try:
        spec = plan_tasks(f'app for books with title, "{label}" and year', projects={}).spec
    except (NotUnderstood, CannotYet):
        return
    assert spec is not None
    kinds = {field.type for resource in spec.resources for field in resource.fields}
    assert kinds <= set(FieldType)
