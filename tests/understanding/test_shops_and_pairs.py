"""Selling without payments, and things that go with many of each other."""

import pytest

from contracts.plans import CannotYet, Understanding
from planner import plan_tasks


def read(words: str) -> Understanding:
    return plan_tasks(words, projects={})


def things(plan: Understanding) -> dict[str, tuple[str, ...]]:
    """What is kept, each with what it belongs to."""
    assert plan.spec is not None
    return {resource.name: resource.belongs_to for resource in plan.spec.resources}


SHOP = {"product": (), "order": ("product",)}


@pytest.mark.parametrize(
    ("words", "title", "left_out"),
    [
        ("online shop for pottery with payments", "Pottery shop", ["payments"]),
        (
            "I want to sell my cakes online, people should be able to order and pay by card",
            "Cake shop",
            ["pay by card"],
        ),
        ("a shop where people can buy my honey", "Honey shop", []),
        ("an e-commerce site for shoes with a cart and checkout", "Shoe shop", ["cart", "checkout"]),
        ("online store", "Products and orders", []),
    ],
)
def test_a_shop_keeps_products_and_orders_and_says_that_it_takes_no_money(
    words: str, title: str, left_out: list[str]
) -> None:
    plan = read(words)
    assert plan.spec is not None and plan.spec.title == title
    assert things(plan) == SHOP and any("products and orders" in line for line in plan.assumptions)
    assert len(plan.cannot) == len(left_out)
    assert all(any(f"“{words}”" in line for line in plan.cannot) for words in left_out)


def test_what_was_said_of_a_shop_counts() -> None:
    plan = read("online shop for pottery with name, price and glaze. Orders with number and date")
    assert things(plan) == {"product": (), "order": ()}
    assert plan.spec is not None
    assert [field.name for field in plan.spec.resource("product").fields] == ["name", "price", "glaze"]
    assert set(things(read("an ecommerce store with customers"))) == {"product", "customer", "order"}


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("My online shop needs a list of suppliers with name and phone", {"supplier"}),
        ("track payments of my tenants: tenant, amount, date", {"tenant", "payment"}),
        ("app to keep members and their payments", {"member", "payment"}),
    ],
)
def test_a_shop_that_is_there_and_payments_that_are_noted_are_nothing_to_refuse(words: str, kept: set[str]) -> None:
    plan = read(words)
    assert set(things(plan)) == kept and not plan.cannot


@pytest.mark.parametrize("words", ["payment page", "pay me online", "a web app that takes payments for my classes"])
def test_an_app_that_only_takes_money_is_refused(words: str) -> None:
    with pytest.raises(CannotYet, match="payments"):
        read(words)


@pytest.mark.parametrize(
    ("words", "join", "parents"),
    [
        ("students and courses, students can enrol in many courses", "enrolment", ("student", "course")),
        ("A student can take many courses and a course has many students", "enrolment", ("student", "course")),
        ("Movies and actors, many to many", "role", ("movie", "actor")),
        ("members can join several teams", "registration", ("member", "team")),
        ("Each recipe has many tags and each tag has many recipes", "recipe_tag", ("recipe", "tag")),
    ],
)
def test_what_goes_with_many_of_each_other_is_joined_by_something_third(
    words: str, join: str, parents: tuple[str, ...]
) -> None:
    plan = read(words)
    assert things(plan) == {**dict.fromkeys(parents, ()), join: parents}
    assert any("go together in" in line for line in plan.assumptions)


def test_one_with_many_of_another_needs_nothing_third() -> None:
    assert things(read("customers have many orders")) == {"customer": (), "order": ("customer",)}
