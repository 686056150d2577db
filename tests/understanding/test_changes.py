"""Changes in words: what is added, removed, renamed and altered, and what is said when that cannot be."""

from collections.abc import Callable
from typing import Any

import pytest

from contracts.app_spec import AppSpec, FieldType, Kind
from contracts.plans import CannotYet, NotUnderstood
from planner import change_spec, plan_tasks


def built(words: str) -> AppSpec:
    spec = plan_tasks(words, projects={}).spec
    assert spec is not None
    return spec


TASKS = (
    "web app for tasks with title, status (open, done), due date and notes. each task belongs to a project. "
    "a project has a name"
)


def after(words: str, start: str = TASKS) -> AppSpec:
    spec = change_spec(built(start), words).spec
    assert spec is not None
    return spec


def names(spec: AppSpec, resource: str = "task") -> list[str]:
    return [field.name for field in spec.resource(resource).fields]


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        (
            "add a priority (low, high) to the tasks",
            lambda s: s.resource("task").field("priority").choices == ("low", "high"),
        ),
        ("add a unique code to each task", lambda s: s.resource("task").field("code").unique),
        ("add the fields colour and weight to tasks", lambda s: names(s)[-2:] == ["colour", "weight"]),
        (
            "add a number field called effort to tasks",
            lambda s: s.resource("task").field("effort").type is FieldType.NUMBER,
        ),
        ("remove the notes", lambda s: names(s) == ["title", "status", "due_date"]),
        ("delete title and notes from the tasks", lambda s: "title" in names(s) or "notes" not in names(s)),
        ("rename notes to remarks", lambda s: names(s)[-1] == "remarks"),
        ("rename tasks to jobs", lambda s: [r.name for r in s.resources] == ["project", "job"]),
        ("make the due date required", lambda s: s.resource("task").field("due_date").required),
        ("the title should be optional", lambda s: not s.resource("task").field("title").required),
        ("make title unique", lambda s: s.resource("task").field("title").unique),
        ("status should default to open", lambda s: s.resource("task").field("status").default == "open"),
        ("set the default of status to done", lambda s: s.resource("task").field("status").default == "done"),
        (
            "status can be new, open or done",
            lambda s: s.resource("task").field("status").choices == ("new", "open", "done"),
        ),
        ("make the notes a date", lambda s: s.resource("task").field("notes").type is FieldType.DATE),
        ("add comments to tasks", lambda s: s.resource("comment").belongs_to == ("task",)),
        ("also keep suppliers with name and city", lambda s: names(s, "supplier") == ["name", "city"]),
        ("each project belongs to a customer", lambda s: s.resource("project").belongs_to == ("customer",)),
        (
            "remove the projects",
            lambda s: [r.name for r in s.resources] == ["task"] and not s.resource("task").belongs_to,
        ),
        ("add search and sorting", lambda s: all(r.search and r.sort for r in s.resources)),
        ("add filters, paging and a csv export", lambda s: all(r.filter and r.paging and r.csv for r in s.resources)),
        ("people should log in first", lambda s: s.login is not None),
        ("dark mode please", lambda s: s.dark_mode),
        ("add a chart by status", lambda s: s.charts[0].by == "status"),
        ("add a page that lists overdue tasks", lambda s: [v.slug for v in s.resource("task").views] == ["overdue"]),
        ("add a contact page", lambda s: [page.slug for page in s.pages] == ["contact"]),
        ('call it "Our Jobs" instead', lambda s: s.title == "Our Jobs"),
        ("change the title of the app to Job Board", lambda s: s.title == "Job Board"),
    ],
)
def test_a_change_does_what_it_says(words: str, holds: Callable[[AppSpec], Any]) -> None:
    assert holds(after(words))


@pytest.mark.parametrize(
    ("start", "words", "holds"),
    [
        ("todo app with login", "remove the login", lambda s: s.login is None),
        ("todo app with search", "take out the search", lambda s: not s.resource("todo").search),
        ("api for notes with api key", "remove the api key", lambda s: not s.api_key),
        ("api for notes with api key", "add a login", lambda s: s.login is not None and not s.api_key),
        (
            f"{TASKS}. a page that lists overdue tasks",
            "remove the overdue page",
            lambda s: not s.resource("task").views,
        ),
    ],
)
def test_what_was_added_can_be_taken_out(start: str, words: str, holds: Callable[[AppSpec], Any]) -> None:
    assert holds(after(words, start))


def test_a_view_and_a_chart_go_with_the_field_that_they_need() -> None:
    spec = after("add a chart by status", TASKS + ". a page that lists open tasks")
    found = change_spec(spec, "remove the status")
    assert found.spec is not None
    assert (found.spec.charts, found.spec.resource("task").views) == ((), ())
    assert len([line for line in found.assumptions if "goes too" in line]) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("remove the wings", "no field “wings”"),
        ("rename wings to fins", "no field “wings”"),
        ("add a title to the tasks", "already"),
        ("make it blue", "blue"),
        ("remove the csv export", "no CSV download"),
    ],
)
def test_a_change_that_cannot_be_says_why(words: str, told: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        change_spec(built(TASKS), words)
    assert told in refused.value.message
    assert "due date" in refused.value.hint


def test_the_last_field_and_the_last_thing_stay() -> None:
    with pytest.raises(NotUnderstood, match="stays"):
        change_spec(built("app for books with title"), "remove the title")
    with pytest.raises(NotUnderstood, match="stay"):
        change_spec(built("app for books with title"), "remove the books")


@pytest.mark.parametrize(
    "words", ["let it send an email every day", "add paypal payments", "recognise faces in photos"]
)
def test_what_is_beyond_rules_is_refused(words: str) -> None:
    with pytest.raises(CannotYet):
        change_spec(built(TASKS), words)


def test_what_can_be_done_is_done_and_the_rest_is_said() -> None:
    found = change_spec(built(TASKS), "add search and email reminders")
    assert found.spec is not None
    assert all(resource.search for resource in found.spec.resources)
    assert any("model" in line for line in found.cannot)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("api for notes", "add dark mode"),
        ("website for my bakery", "add a login"),
        ("node api for notes", "add a login"),
    ],
)
def test_a_kind_that_cannot_have_it_says_so(start: str, words: str) -> None:
    with pytest.raises(CannotYet):
        change_spec(built(start), words)


def test_several_commands_in_one_sentence_are_all_carried_out() -> None:
    spec = after("add a colour to tasks, rename notes to remarks and make the due date required. then add dark mode")
    assert names(spec) == ["title", "status", "due_date", "remarks", "colour"]
    assert spec.resource("task").field("due_date").required
    assert spec.dark_mode


@pytest.mark.parametrize(
    "words",
    [
        "add a login for my staff",
        "only show 20 per page",
        "i want to be able to search for tasks by title",
        "add sorting by title and filters for the status",
    ],
)
def test_words_beside_a_feature_do_not_become_fields(words: str) -> None:
    assert names(after(words)) == names(built(TASKS))


def test_what_is_searched_is_not_one_more_thing_to_keep() -> None:
    spec = after("Add a field for allergies and let me search the guests", "web app for guests with name")
    assert names(spec, "guest") == ["name", "allergies"] and spec.resource("guest").search


def test_something_of_its_own_beside_a_feature_is_added_too() -> None:
    spec = after("add search and a colour", "web app for tasks with title")
    assert names(spec) == ["title", "colour"] and spec.resource("task").search


@pytest.mark.parametrize(
    "words",
    ["the title should not be required any more", "title isn't mandatory", "the title doesn't need to be required"],
)
def test_what_is_not_so_is_understood(words: str) -> None:
    start = "web app for tasks with title (required) and notes"
    plan = plan_tasks(words, projects={"tasks": built(start)})
    assert plan.spec is not None and not plan.spec.resource("task").field("title").required


def test_what_is_renamed_knows_its_old_name() -> None:
    spec = after("rename notes to remarks and rename tasks to jobs")
    assert spec.resource("job").was == "task" and spec.resource("job").field("remarks").was == "notes"


def test_a_front_end_keeps_the_api_an_api() -> None:
    spec = built("api for notes")
    plan = plan_tasks("give it a web page", projects={"notes": spec})
    assert plan.spec is not None
    assert (plan.spec.kind, plan.spec.ui) == (Kind.API, "html")


BOARD = "web app for books with title and author, and tasks with title and done"


def test_what_is_said_beside_it_tells_where_a_field_goes() -> None:
    found = change_spec(built(BOARD), "add a status and remove done")
    assert found.spec is not None and names(found.spec) == ["title", "status"]
    assert [(question.default, question.options) for question in found.questions] == [("Tasks", ("Tasks", "Books"))]
    chosen = change_spec(built(BOARD), "add a status and remove done", answers={"resource": "Books"}).spec
    assert chosen is not None and names(chosen, "book") == ["title", "author", "status"]


def test_a_field_goes_to_the_only_thing_that_lacks_it() -> None:
    found = change_spec(built(BOARD), "add an author")
    assert found.spec is not None and names(found.spec) == ["title", "done", "author"] and not found.questions
    assert "It is added to tasks, because the others have it already" in found.assumptions


@pytest.mark.parametrize("last", ["done", "and done", "done and a due date"])
def test_columns_of_a_board_are_where_a_task_stands(last: str) -> None:
    task = built(f"kanban board for our team with columns backlog, in progress, {last}").resource("task")
    assert task.field("status").choices == ("backlog", "in progress", "done")
    assert ("due_date" in [field.name for field in task.fields]) is last.endswith("date")


def test_another_word_for_what_is_described_only_names_the_app() -> None:
    spec = built("event RSVP app: guests have name, email and number of people")
    assert [resource.name for resource in spec.resources] == ["guest"]
