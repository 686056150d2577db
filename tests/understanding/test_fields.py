"""What is known of a thing: names, types, rules, values and what belongs to what."""

from typing import Any

import pytest

from contracts.app_spec import AppSpec, FieldType, Op
from planner import plan_tasks
from understanding.fields import read_field
from understanding.items import split_items
from understanding.value_types import type_of
from understanding.views import ViewWish, make_view, missing_field


def spec_of(words: str) -> AppSpec:
    spec = plan_tasks(words, projects={}).spec
    assert spec is not None
    return spec


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("price", "money"),
        ("hourly rate", "number"),
        ("price per night", "money"),
        ("due date", "date"),
        ("birthday", "date"),
        ("date of birth", "date"),
        ("last watered", "date"),
        ("last name", "text"),
        ("borrowed by", "text"),
        ("return by", "date"),
        ("start time", "time"),
        ("cooking time", "integer"),
        ("email address", "email"),
        ("website", "url"),
        ("done", "yes_no"),
        ("is active", "yes_no"),
        ("gluten free", "yes_no"),
        ("quantity", "integer"),
        ("number of guests", "integer"),
        ("phone number", "text"),
        ("pages", "integer"),
        ("goals scored", "integer"),
        ("weight", "number"),
        ("distance in km", "number"),
        ("description", "long_text"),
        ("notes", "long_text"),
        ("colour", "text"),
    ],
)
def test_a_name_says_its_type(name: str, kind: str) -> None:
    assert type_of(name) is FieldType(kind)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("title, author and year", ["title", "author", "year"]),
        ("a title, priority low, medium or high, and a date", ["a title", "priority (low, medium, high)", "a date"]),
        ("status (open, in progress, done) and notes", ["status (open, in progress, done)", "notes"]),
        ("rating between 1 and 5 and comment", ["rating from 1 to 5", "comment"]),
        ("title, required, author", ["title (required)", "author"]),
        ("\n- name\n- size: S, M, L", ["name", "size: S, M, L"]),
        ("name / email / phone", ["name", "email", "phone"]),
        ("name, phone etc", ["name", "phone etc"]),
        ("name, phone, and so on", ["name", "phone"]),
        ("category with the choices a, b and c", ["category (a, b, c)"]),
    ],
)
def test_an_enumeration_is_split_into_its_items(text: str, items: list[str]) -> None:
    assert split_items(text) == items


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        ("title (required)", {"words": "title", "required": True}),
        ("unique email", {"words": "email", "unique": True, "type": FieldType.EMAIL}),
        ("optional notes", {"words": "notes", "required": False}),
        ("rating from 1 to 5", {"type": FieldType.INTEGER, "minimum": 1, "maximum": 5}),
        ("stars out of 5", {"minimum": 1, "maximum": 5}),
        ("status that defaults to open", {"default": "open", "type": FieldType.CHOICE}),
        ("size (S, M, L)", {"choices": ("S", "M", "L")}),
        ("attending yes/no", {"words": "attending", "type": FieldType.YES_NO}),
        ("paid?", {"type": FieldType.YES_NO}),
        ("whether they need a car seat", {"words": "needs car seat", "type": FieldType.YES_NO}),
        ("who picks up", {"words": "picked up by"}),
        ("how many people", {"words": "number of people", "type": FieldType.INTEGER}),
        ("age as a number", {"words": "age", "type": FieldType.NUMBER}),
        ("value (number)", {"type": FieldType.NUMBER}),
        ("until when", {"words": "until", "type": FieldType.DATE}),
        ("priority", {"choices": ("low", "medium", "high"), "default": "medium"}),
    ],
)
def test_an_item_is_read_with_what_is_said_of_it(item: str, wanted: dict[str, Any]) -> None:
    wish = read_field(item)
    assert wish is not None
    assert {name: getattr(wish, name) for name in wanted} == wanted


@pytest.mark.parametrize("item", ["", "and", "it", "one two three four five six seven eight nine ten"])
def test_what_names_no_field_is_none(item: str) -> None:
    assert read_field(item) is None


@pytest.mark.parametrize(
    ("words", "child", "parents"),
    [
        ("posts with comments", "comment", ("post",)),
        ("customers and their orders", "order", ("customer",)),
        ("api for tasks and projects. each task belongs to a project", "task", ("project",)),
        ("api for books. a book has many reviews", "review", ("book",)),
        ("api for books and authors. every book has an author", "book", ("author",)),
        ("api for comments on posts", "comment", ("post",)),
    ],
)
def test_what_belongs_to_what(words: str, child: str, parents: tuple[str, ...]) -> None:
    assert spec_of(words).resource(child).belongs_to == parents


def test_what_belongs_to_each_other_is_untangled_and_said() -> None:
    plan = plan_tasks("api for cats and dogs. a cat belongs to a dog. a dog belongs to a cat", projects={})
    assert plan.spec is not None
    assert sum(len(resource.belongs_to) for resource in plan.spec.resources) == 1
    assert any("left out" in line for line in plan.assumptions)


def test_a_default_that_does_not_fit_is_left_out_and_said() -> None:
    plan = plan_tasks("app for tasks with title and size (S, M) that defaults to huge", projects={})
    assert plan.spec is not None
    assert plan.spec.resource("task").field("size").default is None
    assert any("huge" in line for line in plan.assumptions)


def test_a_view_asks_the_fields_that_can_tell() -> None:
    tasks = spec_of("app for tasks with title, due date, done and status (new, old)").resource("task")
    overdue = make_view(ViewWish("overdue"), tasks)
    assert overdue is not None
    assert [(c.field, c.op, c.value) for c in overdue.conditions] == [
        ("due_date", Op.BEFORE_TODAY, None),
        ("done", Op.IS, False),
    ]
    fresh = make_view(ViewWish("new"), tasks)
    assert fresh is not None
    assert (fresh.conditions[0].field, fresh.conditions[0].value) == ("status", "new")
    assert make_view(ViewWish("vegan"), tasks) is None
    assert missing_field(ViewWish("low stock")) == "quantity"


def test_a_view_without_a_field_gets_one_and_it_is_said() -> None:
    plan = plan_tasks("app for books with title. I want a page that lists overdue books", projects={})
    assert plan.spec is not None
    assert [field.name for field in plan.spec.resource("book").fields] == ["title", "due_date"]
    assert any("Due date" in line for line in plan.assumptions)
