"""What people say in passing becomes what they meant, or is told to be left out; nothing else is built."""

from typing import Any

import pytest

from contracts.plans import CannotYet, NotUnderstood
from planner import change_spec, plan_tasks
from tests.understanding.expectations import wrong

SAID: list[dict[str, Any]] = [
    {
        "request": "I run a small gym. I want to track members, their membership type (basic, premium), join date and "
        "whether they paid. Also show me who hasn't paid.",
        "expect": {
            "resources": {"member": ["name", "membership_type", "join_date", "paid"]},
            "exact": True,
            "views": {"member": ["unpaid"]},
        },
    },
    {
        "request": "todo list app with priorities and due dates, show what's overdue on top",
        "expect": {
            "resources": {"todo": ["title", "priority", "due_date"]},
            "exact": True,
            "types": {"todo.due_date": "date", "todo.priority": "choice"},
            "views": {"todo": ["overdue"]},
        },
    },
    {
        "request": "Web app for plants with a name, room and last watered date; show plants overdue",
        "expect": {"views": {"plant": ["overdue"]}},
        "says": ["also has “Due date”"],
    },
    {
        "request": "contacts app with login and csv export, dark mode, chart of contacts per city",
        "expect": {"features": ["login", "csv", "dark_mode", "charts"]},
        "says": ["also has “City”"],
    },
    {
        "request": "Inventory API with products, each product has sku unique, name required and price",
        "expect": {"resources": {"product": ["sku", "name", "price"]}, "exact": True},
    },
    {
        "request": "Build an API with 3 resources: authors, books and publishers. A book belongs to an author.",
        "expect": {"resources": {"author": [], "book": [], "publisher": []}, "belongs_to": {"book": ["author"]}},
    },
    {
        "request": "guests have name, email, attending (yes, no, maybe)",
        "expect": {"choices": {"guest.attending": ["yes", "no", "maybe"]}},
    },
    {
        "request": "Web app for bookings with guest, room, from and to",
        "expect": {
            "resources": {"booking": ["guest", "room", "booking_from", "booking_to"]},
            "exact": True,
        },
        "says": ["“From” is a day"],
    },
    {
        "request": "web app where users have name and email and orders have total, a user has many orders",
        "expect": {
            "resources": {"user_account": ["name", "email"], "order": ["total"]},
            "belongs_to": {"order": ["user_account"]},
        },
    },
    {
        "request": "shirts with price as text, size (S, M, L) and color (Red, Blue)",
        "expect": {
            "types": {"shirt.price": "text"},
            "choices": {"shirt.size": ["S", "M", "L"], "shirt.color": ["Red", "Blue"]},
        },
    },
    {
        "request": "Build an API for products with name, price as a number and price as text",
        "expect": {},
        "says": ["asked for as a number and as a text: it is a number"],
    },
    {
        "request": "an app where we write down chores with name and date, everyone with their own password",
        "expect": {"resources": {"chore": ["name", "date"]}, "exact": True, "features": ["login"]},
    },
    {
        "request": "A pipeline that reads sales csv with region, amount and date and sums the amount by region",
        "expect": {
            "kind": "pipeline",
            "resources": {"data_row": ["region", "amount", "date"]},
            "exact": True,
            "group_by": "region",
            "measure": "amount",
        },
    },
    {
        "request": "Build a web app where each student has grades. Grades have subject, grade from 1 to 6 and date. "
        "Show average grade per student",
        "expect": {"resources": {"student": [], "grade": ["subject", "grade", "date"]}, "cannot": ["average grade"]},
    },
    {
        "request": "guests have name, email and phone; show everyone who attends",
        "expect": {
            "resources": {"guest": ["name", "email", "phone"]},
            "exact": True,
            "cannot": ["show everyone who attends"],
        },
    },
    {
        "request": "Track my fuel: date, litres, price per litre and odometer. Chart of litres per month",
        "expect": {"cannot": ["A chart by month"]},
    },
]


@pytest.mark.parametrize("line", SAID, ids=lambda line: line["request"][:50])
def test_what_is_said_in_passing_is_done_or_told(line: dict[str, Any]) -> None:
    assert not wrong({"request": line["request"], "expect": {"outcome": "built", **line["expect"]}})
    assumed = " ".join(plan_tasks(line["request"], projects={}).assumptions)
    assert all(words in assumed for words in line.get("says", []))


def test_the_words_that_are_said_back_tell_what_a_list_shows() -> None:
    understood = plan_tasks("todo app, show what is overdue", projects={}).understood
    assert "Overdue todos (due date before today, done is no)" in understood


def test_a_tool_with_logic_of_its_own_is_refused_whatever_it_is_written_for() -> None:
    for words in ("write me a CLI that converts celsius to fahrenheit", "Build a REST API that calculates my taxes"):
        with pytest.raises(CannotYet):
            plan_tasks(words, projects={})


def test_search_is_added_to_what_is_named_and_to_nothing_else() -> None:
    spec = plan_tasks("web app for tasks with title, a project has many tasks", projects={}).spec
    assert spec is not None
    changed = change_spec(spec, "add search to tasks")
    assert changed.spec is not None and "search for tasks" in changed.understood
    assert {one.name: one.search for one in changed.spec.resources} == {"project": False, "task": True}
    further = change_spec(changed.spec, "add search to projects").spec
    assert further is not None and all(one.search for one in further.resources)
    with pytest.raises(NotUnderstood, match="there already"):
        change_spec(changed.spec, "add search to tasks")


def test_a_demand_on_a_field_is_no_new_name_and_no_new_field() -> None:
    spec = plan_tasks("web app for tasks with title and notes", projects={}).spec
    assert spec is not None
    with pytest.raises(NotUnderstood, match="at most 50 characters"):
        change_spec(spec, "the title should be at most 50 characters")
