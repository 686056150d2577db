"""Tables of an app, and what becomes of the rows when its spec changes."""

import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.app_spec import AppField, AppSpec, FieldType, Kind, Login, Migration, Resource
from scaffolds import table_changes, tables
from scaffolds.table_changes import CannotMigrate
from tests.scaffolds.specs import HOSTILE, api_specs, everything, field, library, notes, resource, spec

NOW = "2026-11-17T10:00:00Z"


def database(*migrations: Migration) -> sqlite3.Connection:
    """As a generated app would make it."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.row_factory = sqlite3.Row
    for migration in migrations:
        apply(connection, migration)
    return connection


def apply(connection: sqlite3.Connection, migration: Migration) -> None:
    connection.execute("PRAGMA legacy_alter_table = ON")
    connection.execute("BEGIN IMMEDIATE")
    for statement in migration.sql:
        connection.execute(statement)
    connection.execute("COMMIT")
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def schema(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'trigger'")
    return {re.sub(r'["\s]+', " ", row["sql"]).replace("TABLE  ", "TABLE ") for row in rows} - {
        "CREATE TABLE sqlite_sequence(name,seq)"
    }


def insert(connection: sqlite3.Connection, table: str, **values: Any) -> int:
    row = {**values, "created_at": NOW}
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" for _ in row)
    return connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', list(row.values())).lastrowid or 0


def rows(connection: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY id')]


def api(*resources: Resource, **more: object) -> AppSpec:
    return spec(Kind.API, *resources, **more)


def book(*fields: AppField, **more: object) -> Resource:
    return resource("book", "books", field("title", required=True), *fields, **more)


def changed(old: AppSpec, new: AppSpec, *kept: dict[str, Any]) -> tuple[list[dict[str, Any]], str]:
    """The books after the change, and all that is said about it."""
    connection = database(tables.initial(old))
    for row in kept:
        insert(connection, "books", **row)
    migration, words = table_changes.migrate(old, new, 2)
    if migration:
        apply(connection, migration)
    assert schema(connection) == schema(database(tables.initial(new)))
    return rows(connection, "books"), " ".join(words)


@pytest.mark.parametrize("name", api_specs())
def test_the_tables_of_every_spec_can_be_made(name: str) -> None:
    given_spec = api_specs()[name]
    connection = database(tables.initial(given_spec))
    found = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {resource.plural for resource in given_spec.resources} <= found
    assert ("users" in found) == (given_spec.login is not None)
    assert table_changes.migrate(given_spec, given_spec, 2) == (None, ())


def test_a_migration_is_a_file_of_statements() -> None:
    migration = tables.initial(api(*library(), login=Login()))
    text = tables.file_text(migration)
    assert tables.file_name(1, migration) == "migrations/0001_initial.sql"
    statements = list(complete(text))
    assert [statement.strip().rstrip(";") for statement in statements] == list(migration.sql)


def complete(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    assert not statement.strip()


def test_a_title_is_no_change_of_the_tables() -> None:
    other = resource("note", "notes", field("title", required=True, label="Other"), search=True, sort=True)
    assert table_changes.migrate(api(notes()), api(other, title="Other"), 2) == (None, ())


def test_a_new_field_is_nothing_in_old_rows() -> None:
    found, words = changed(api(book()), api(book(field("pages", "integer"))), {"title": "A"})
    assert found == [{"id": 1, "title": "A", "pages": None, "created_at": NOW}]
    assert words == ""


@pytest.mark.parametrize(
    ("new", "kept", "words"),
    [
        (field("f", required=True), "-", "Books that are there already get `-` as F."),
        (field("f", "long_text", required=True), "-", "get `-`"),
        (field("f", default="x"), "x", "get `x`"),
        (field("f", "integer", required=True, minimum=3), 3, "get `3"),
        (field("f", "integer", required=True, maximum=-2.5), -3, "get `-3`"),
        (field("f", "number", required=True, minimum=-1), 0.0, "get `0`"),
        (field("f", "money", required=True, minimum=1.5), 150, "get `1.5`"),
        (field("f", "money", default=9.99), 999, "get `9.99`"),
        (field("f", "yes_no"), 0, "get no as F"),
        (field("f", "yes_no", default=True), 1, "get yes as F"),
        (field("f", "date", required=True), "2026-11-17", "the day on which they were added"),
        (field("f", "date", default="today"), "2026-11-17", "the day on which they were added"),
        (field("f", "time", required=True), "00:00", "get `00:00`"),
        (field("f", "email", required=True), "unknown@example.com", "unknown@example.com"),
        (field("f", "url", required=True), "https://example.com/", "https://example.com/"),
        (field("f", "choice", required=True, choices=(HOSTILE, "b")), HOSTILE, "get `</script>"),
        (field("f", required=True, unique=True), "#1", "their number"),
        (field("f", "integer", required=True, unique=True), 1, "their number"),
        (field("f", "email", required=True, unique=True), "unknown-1@example.com", "with their number"),
        (field("f", unique=True, default="x"), None, ""),
    ],
)
def test_old_rows_get_a_value_that_fits(new: AppField, kept: object, words: str) -> None:
    found, said = changed(api(book()), api(book(new)), {"title": "A"})
    assert found[0]["f"] == kept
    assert type(found[0]["f"]) is type(kept)
    assert words in said


@pytest.mark.parametrize(
    "new",
    [
        field("f", "date", required=True, unique=True),
        field("f", "yes_no", unique=True),
        field("f", "choice", choices=("a", "b"), required=True, unique=True),
        field("f", "integer", required=True, unique=True, maximum=5),
    ],
)
def test_values_that_would_all_be_the_same_cannot_be_unique(new: AppField) -> None:
    with pytest.raises(CannotMigrate, match="same value"):
        table_changes.migrate(api(book()), api(book(new)), 2)


def test_a_removed_field_takes_its_values_with_it() -> None:
    found, words = changed(api(book(field("isbn"))), api(book()), {"title": "A", "isbn": "1"})
    assert found == [{"id": 1, "title": "A", "created_at": NOW}]
    assert words == "What Books have as Isbn is deleted."


def test_a_field_becomes_required() -> None:
    old, new = book(field("isbn")), book(field("isbn", required=True))
    found, words = changed(api(old), api(new), {"title": "A", "isbn": None}, {"title": "B", "isbn": "1"})
    assert [row["isbn"] for row in found] == ["-", "1"]
    assert words == "Books without Isbn get `-`."
    found, words = changed(api(new), api(old), {"title": "A", "isbn": "1"})
    assert (found[0]["isbn"], words) == ("1", "")


def test_a_text_becomes_unique() -> None:
    kept = [{"title": "A", "isbn": value} for value in ("1", "2", "1", None, None, "1")]
    found, words = changed(api(book(field("isbn"))), api(book(field("isbn", unique=True))), *kept)
    assert [row["isbn"] for row in found] == ["1", "2", "1 (3)", None, None, "1 (6)"]
    assert "all but the first get their number" in words
    with pytest.raises(CannotMigrate, match="cannot become unique"):
        table_changes.migrate(api(book(field("n", "integer"))), api(book(field("n", "integer", unique=True))), 2)


@pytest.mark.parametrize(
    ("kind", "value", "second"),
    [("email", "ada@example.com", "ada+2@example.com"), ("url", "https://example.com/a", "https://example.com/a#2")],
)
def test_addresses_become_unique(kind: str, value: str, second: str) -> None:
    kept = [{"title": "A", "address": value}, {"title": "B", "address": value}]
    found, words = changed(
        api(book(field("address", kind))), api(book(field("address", kind, unique=True, required=True))), *kept
    )
    assert [row["address"] for row in found] == [value, second]
    assert "all but the first get their number" in words


def test_unique_values_can_become_free() -> None:
    found, words = changed(api(book(field("isbn", unique=True))), api(book(field("isbn"))), {"title": "A", "isbn": "1"})
    assert (found[0]["isbn"], words) == ("1", "")


def test_choices_come_and_go() -> None:
    old = field("state", "choice", choices=("open", "shut", "it's odd"))
    rows_before = [{"title": "A", "state": value} for value in ("open", "shut", "it's odd", None)]
    new = field("state", "choice", choices=("open", "new"))
    found, words = changed(api(book(old)), api(book(new)), *rows_before)
    assert [row["state"] for row in found] == ["open", None, None, None]
    assert words == "Books with State shut get none instead. Books with State it's odd get none instead."
    needed = new.model_copy(update={"required": True, "default": "new"})
    found, words = changed(api(book(old)), api(book(needed)), *rows_before)
    assert [row["state"] for row in found] == ["open", "new", "new", "new"]
    more = field("state", "choice", choices=("open", "shut", "it's odd", "new"))
    found, words = changed(api(book(old)), api(book(more)), *rows_before)
    assert ([row["state"] for row in found], words) == (["open", "shut", "it's odd", None], "")


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("text", "long_text", "a", "a"),
        ("date", "text", "2026-01-01", "2026-01-01"),
        ("email", "text", "a@b.c", "a@b.c"),
        ("integer", "text", 5, "5"),
        ("integer", "number", 5, 5.0),
        ("integer", "money", 5, 500),
        ("money", "number", 250, 2.5),
        ("url", "long_text", "http://a", "http://a"),
    ],
)
def test_values_become_another_type(old: str, new: str, before: object, after: object) -> None:
    kept: list[dict[str, object]] = [{"title": "A", "f": before}, {"title": "A", "f": None}]
    found, words = changed(api(book(field("f", old))), api(book(field("f", new))), *kept)
    assert [row["f"] for row in found] == [after, None]
    assert type(found[0]["f"]) is type(after)
    assert words == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [("text", "integer"), ("long_text", "text"), ("number", "integer"), ("text", "date"), ("url", "text")],
)
def test_values_that_may_not_fit_another_type_stay(old: str, new: str) -> None:
    with pytest.raises(CannotMigrate, match="add a new field instead"):
        table_changes.migrate(api(book(field("f", old))), api(book(field("f", new))), 2)


def test_a_resource_comes_and_goes() -> None:
    found, words = changed(api(book()), api(notes(), book()), {"title": "A"})
    assert ([row["title"] for row in found], words) == (["A"], "")
    found, words = changed(api(notes(), book()), api(book()), {"title": "A"})
    assert ([row["title"] for row in found], words) == (["A"], "All Notes are deleted.")


def test_children_stay_with_their_parents_through_a_rebuild() -> None:
    old = api(*library())
    connection = database(tables.initial(old))
    author = insert(connection, "authors", full_name="Ada")
    shelf = insert(connection, "shelves", room="1")
    number = insert(connection, "books", author_id=author, shelf_id=shelf, title="A", lent=0)
    insert(connection, "reviews", book_id=number, stars=5)
    first, *others = library()
    grown = first.model_copy(update={"fields": (*first.fields, field("country", required=True))})
    others[1] = others[1].model_copy(update={"plural": "volumes"})
    new = api(grown, *others)
    migration, _ = table_changes.migrate(old, new, 2)
    assert migration is not None
    apply(connection, migration)
    assert schema(connection) == schema(database(tables.initial(new)))
    assert rows(connection, "volumes")[0]["author_id"] == author
    assert rows(connection, "reviews")[0]["book_id"] == number
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("DELETE FROM authors")
    assert rows(connection, "volumes") == rows(connection, "reviews") == []


def test_numbers_are_not_given_again_after_a_rebuild() -> None:
    connection = database(tables.initial(api(book())))
    for title in "AB":
        insert(connection, "books", title=title)
    connection.execute("DELETE FROM books WHERE id = 2")
    migration, _ = table_changes.migrate(api(book()), api(book(field("isbn"))), 2)
    assert migration is not None
    apply(connection, migration)
    assert insert(connection, "books", title="C") == 3


AUTHOR = resource("author", "authors", field("full_name", required=True), field("born", "date", required=True))


@pytest.mark.parametrize("known", [True, False])
def test_rows_get_an_unknown_parent_until_somebody_says_which(known: bool) -> None:
    longer = AUTHOR.model_copy(update={"fields": (*AUTHOR.fields, field("notes"))})
    old = api(*([AUTHOR] if known else []), book())
    new = api(longer, book(belongs_to=("author",)))
    connection = database(tables.initial(old))
    if known:
        insert(connection, "authors", full_name="Ada", born="1815-12-10")
    for title in "AB":
        insert(connection, "books", title=title)
    migration, words = table_changes.migrate(old, new, 2)
    assert migration and any("a new Author called “Unknown”" in line for line in words)
    apply(connection, migration)
    unknown = rows(connection, "authors")[-1]
    assert unknown["full_name"] == "Unknown" and len(rows(connection, "authors")) == 1 + known
    assert {row["author_id"] for row in rows(connection, "books")} == {unknown["id"]}
    assert schema(connection) == schema(database(tables.initial(new)))


def test_without_rows_no_parent_is_made_up() -> None:
    old, new = api(book()), api(AUTHOR, book(belongs_to=("author",)))
    connection = database(tables.initial(old))
    migration, _ = table_changes.migrate(old, new, 2)
    assert migration
    apply(connection, migration)
    assert rows(connection, "authors") == []


def test_each_person_has_an_unknown_parent_of_their_own() -> None:
    old, new = api(book(), login=Login()), api(AUTHOR, book(belongs_to=("author",)), login=Login())
    connection = database(tables.initial(old))
    for name in ("ada", "bob"):
        insert(connection, "users", username=name, password_hash="x")
    for owner in (1, 2, 1):
        insert(connection, "books", title="A", owner_id=owner)
    migration, _ = table_changes.migrate(old, new, 2)
    assert migration
    apply(connection, migration)
    owners = {row["id"]: row["owner_id"] for row in rows(connection, "authors")}
    assert sorted(owners.values()) == [1, 2]
    assert [owners[row["author_id"]] for row in rows(connection, "books")] == [1, 2, 1]


def test_a_parent_that_itself_needs_one_cannot_be_made_up() -> None:
    country = resource("country", "countries", field("title", required=True))
    author = AUTHOR.model_copy(update={"belongs_to": ("country",)})
    with pytest.raises(CannotMigrate, match="would need its Author"):
        table_changes.migrate(api(country, author, book()), api(country, author, book(belongs_to=("author",))), 2)


def test_what_is_renamed_keeps_its_values() -> None:
    old, new = api(book(field("author"))), api(book(field("writer", was="author")))
    found, words = changed(old, new, {"title": "A", "author": "Ada"})
    assert (found[0]["writer"], words) == ("Ada", "")
    both = api(book(field("author"), field("writer", was="author")))
    found, _ = changed(old, both, {"title": "A", "author": "Ada"})
    assert (found[0]["author"], found[0]["writer"]) == ("Ada", None)


def test_a_thing_that_is_renamed_keeps_its_rows_and_what_belongs_to_them() -> None:
    old = api(resource("task", "tasks", field("title")), resource("note", "notes", field("text"), belongs_to=("task",)))
    job = resource("job", "jobs", field("headline", was="title"), was="task")
    new = api(job, resource("note", "notes", field("text"), belongs_to=("job",)))
    connection = database(tables.initial(old))
    insert(connection, "tasks", title="A")
    insert(connection, "tasks", title="B")
    insert(connection, "notes", text="x", task_id=2)
    migration, words = table_changes.migrate(old, new, 2)
    assert migration and words == ()
    apply(connection, migration)
    assert [(row["id"], row["headline"]) for row in rows(connection, "jobs")] == [(1, "A"), (2, "B")]
    assert rows(connection, "notes")[0]["job_id"] == 2
    assert schema(connection) == schema(database(tables.initial(new)))


def test_a_parent_can_be_forgotten() -> None:
    author = resource("author", "authors", field("full_name", required=True))
    old, new = api(author, book(belongs_to=("author",))), api(author, book())
    connection = database(tables.initial(old))
    insert(connection, "books", author_id=insert(connection, "authors", full_name="Ada"), title="A")
    migration, words = table_changes.migrate(old, new, 2)
    assert migration is not None
    apply(connection, migration)
    assert rows(connection, "books") == [{"id": 1, "title": "A", "created_at": NOW}]
    assert words == ("Books no longer know their Author.",)


def test_the_first_who_registers_gets_what_was_there() -> None:
    old, new = api(book(), notes()), api(book(), notes(), login=Login())
    connection = database(tables.initial(old))
    insert(connection, "books", title="A")
    insert(connection, "notes", title="N")
    migration, words = table_changes.migrate(old, new, 2)
    assert migration is not None
    assert words == ("What is there already will belong to the first person who registers.",)
    apply(connection, migration)
    assert list(complete(tables.file_text(migration)))
    assert schema(connection) == schema(database(tables.initial(new)))
    later = api(book(field("isbn")), login=Login())
    migration, _ = table_changes.migrate(new, later, 3)
    assert migration is not None
    apply(connection, migration)
    first, second = (insert(connection, "users", username=name, password_hash="") for name in ("ada", "bob"))
    assert [row["owner_id"] for row in rows(connection, "books")] == [first]
    insert(connection, "books", title="B", owner_id=second)
    insert(connection, "users", username="eve", password_hash="")
    assert [row["owner_id"] for row in rows(connection, "books")] == [first, second]


def test_a_login_can_go() -> None:
    old, new = api(book(field("isbn", unique=True)), login=Login()), api(book(field("isbn", unique=True)))
    connection = database(tables.initial(old))
    for name in ("ada", "bob"):
        owner = insert(connection, "users", username=name, password_hash="")
        insert(connection, "books", title="A", isbn="1", owner_id=owner)
    migration, words = table_changes.migrate(old, new, 2)
    assert migration is not None
    apply(connection, migration)
    assert [row["isbn"] for row in rows(connection, "books")] == ["1", "1 (2)"]
    assert schema(connection) == schema(database(tables.initial(new)))
    assert "names and passwords" in words[0]


def test_what_was_private_can_be_shared_and_the_other_way_round() -> None:
    shared = api(book(field("isbn", unique=True)), login=Login(private=False))
    private = api(book(field("isbn", unique=True)), login=Login(private=True))
    for old, new in ((shared, private), (private, shared)):
        connection = database(tables.initial(old))
        migration, words = table_changes.migrate(old, new, 2)
        assert migration is not None
        apply(connection, migration)
        assert schema(connection) == schema(database(tables.initial(new)))
        assert words[0].startswith("People who sign in see")


POOL = [*everything().fields, *(field(f"extra_{kind.value}", kind.value) for kind in FieldType if kind != "choice")]


@st.composite
def apps(draw: st.DrawFn) -> AppSpec:
    """Books with any fields, with or without authors and people."""
    chosen = draw(st.lists(st.sampled_from(POOL), max_size=5, unique_by=lambda one: one.name))
    varied = [one.model_copy(update={"required": draw(st.booleans()), "unique": draw(st.booleans())}) for one in chosen]
    login = draw(st.sampled_from([None, Login(private=True), Login(private=False)]))
    others = draw(st.lists(st.sampled_from([notes()]), max_size=1))
    return api(*others, resource("book", "books", field("name", required=True), *varied), login=login)


@settings(max_examples=60, deadline=None)
@given(apps(), apps())
def test_any_change_keeps_every_row_or_is_refused(old: AppSpec, new: AppSpec) -> None:
    connection = database(tables.initial(old))
    kept = [one.model_copy(update={"unique": False}) for one in old.resource("book").fields[1:]]
    names = ", ".join(f'"{one.name}"' for one in kept)
    fillers = ", ".join(table_changes.neutral(one)[0] for one in kept)
    for number in range(3):
        values = f"SELECT 'name {number}', '{NOW}' AS created_at"
        query = f"INSERT OR IGNORE INTO books (name, created_at{', ' * bool(kept)}{names})"
        connection.execute(f"{query} SELECT *{', ' * bool(kept)}{fillers} FROM ({values})")
    before = rows(connection, "books")
    try:
        migration, _ = table_changes.migrate(old, new, 2)
    except CannotMigrate:
        return
    if migration:
        apply(connection, migration)
    after = rows(connection, "books")
    assert [(row["id"], row["name"], row["created_at"]) for row in after] == [
        (row["id"], row["name"], row["created_at"]) for row in before
    ]
    assert schema(connection) == schema(database(tables.initial(new)))
