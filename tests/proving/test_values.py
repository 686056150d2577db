"""Values made from a spec: those that fit do, those that do not do not, and the same check sends the same."""

import math
import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.app_spec import AppField, Condition, FieldType, Op, View
from proving.values import Values, default_of, edges, matching, missing, same, today, wrong_values
from tests.scaffolds.specs import everything, resource

FIELDS = everything().fields


def fits(field: AppField, value: Any) -> bool:
    """The rules of docs/apps.md once more, in another way."""
    kind = field.type
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind in {FieldType.NUMBER, FieldType.INTEGER, FieldType.MONEY}:
        whole = kind is not FieldType.INTEGER or (isinstance(value, int) and abs(value) <= 2**53 - 1)
        cents = kind is not FieldType.MONEY or (number and round(value, 2) == value and abs(value) <= 10**9)
        low, high = field.minimum, field.maximum
        inside = number and (low is None or value >= low) and (high is None or value <= high)
        return bool(number and math.isfinite(value) and whole and cents and inside)
    if kind is FieldType.YES_NO:
        return isinstance(value, bool)
    if not isinstance(value, str):
        return False
    if kind is FieldType.CHOICE:
        return value in field.choices
    if kind is FieldType.DATE:
        return bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value)) and _is_day(value)
    shapes = {
        FieldType.TEXT: r".{1,200}",
        FieldType.LONG_TEXT: r"(?s).{1,10000}",
        FieldType.TIME: r"([01]\d|2[0-3]):[0-5]\d",
        FieldType.EMAIL: r"[^@\s]+@[^@\s]+\.[^@\s]+",
        FieldType.URL: r"https?://[^\s/]+.*",
    }
    return bool(re.fullmatch(shapes[kind], value))


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


numbers = st.sampled_from([FieldType.NUMBER, FieldType.INTEGER, FieldType.MONEY])


@given(numbers, st.integers(-1000, 1000), st.integers(0, 500), st.booleans(), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=80)
def test_numbers_keep_to_any_range(
    kind: FieldType, low: int, width: int, lower: bool, upper: bool, unique: bool
) -> None:
    field = AppField(
        name="x",
        label="X",
        type=kind,
        unique=unique,
        minimum=low if lower else None,
        maximum=low + width if upper else None,
    )
    values = Values("seed")
    made = [values.value(field) for _ in range(20)]
    assert all(fits(field, value) for value in (*made, *edges(field)))
    assert not any(fits(field, wrong.value) for wrong in wrong_values(field))


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_what_fits_fits_and_what_does_not_does_not(field: AppField) -> None:
    values = Values("seed")
    assert all(fits(field, values.value(field)) for _ in range(30))
    assert all(fits(field, value) for value in edges(field))
    wrongs = wrong_values(field)
    assert wrongs and not any(fits(field, wrong.value) for wrong in wrongs)
    assert all(wrong.why for wrong in wrongs)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_values_in_order_are_in_order(field: AppField) -> None:
    found = Values("seed").ordered(field)
    assert found == sorted(found) and len(set(found)) == len(found)
    assert bool(found) == (field.type not in {FieldType.CHOICE, FieldType.YES_NO})


def test_the_same_check_sends_the_same_and_another_something_else() -> None:
    one, again, other = (Values(seed).item(everything()) for seed in ("a", "a", "b"))
    assert one == again
    assert one["title"] != other["title"] and one["code"] != other["code"]


def test_a_unique_field_gets_another_value_each_time() -> None:
    for field in FIELDS:
        if field.unique:
            values = Values("seed")
            made = [values.value(field) for _ in range(50)]
            assert len(set(made)) == 50


def test_defaults_are_those_of_the_spec() -> None:
    by_name = {field.name: default_of(field) for field in FIELDS}
    assert (by_name["done"], by_name["wanted"], by_name["status"], by_name["copies"]) == (False, True, "open", 1)
    assert by_name["added_on"] == today().isoformat() and by_name["title"] is None


def test_what_comes_back_is_compared_by_type() -> None:
    by_name = {field.name: field for field in FIELDS}
    assert same(by_name["price"], 12.5, 12.5) and same(by_name["price"], 3, 3.0)
    assert not same(by_name["price"], 12.5, "12.5") and not same(by_name["done"], True, 1)
    assert same(by_name["title"], " x ", "x") and not same(by_name["title"], "x", " x ")
    assert same(by_name["about"], None, None) and not same(by_name["about"], None, "")


def holds(condition: Condition, value: Any) -> bool:
    day = today()
    holding: dict[Op, Callable[[], bool]] = {
        Op.IS: lambda: value == condition.value,
        Op.IS_NOT: lambda: value != condition.value,
        Op.ABOVE: lambda: value > condition.value,
        Op.BELOW: lambda: value < condition.value,
        Op.BEFORE_TODAY: lambda: date.fromisoformat(value) < day,
        Op.TODAY: lambda: date.fromisoformat(value) == day,
        Op.AFTER_TODAY: lambda: date.fromisoformat(value) > day,
    }
    return holding[condition.op]()


@pytest.mark.parametrize("view", everything().views, ids=lambda view: view.slug)
def test_items_for_a_view_are_in_it_or_not(view: View) -> None:
    thing = everything()
    found = matching(thing, view)
    assert found is not None
    assert all(holds(condition, found[condition.field]) for condition in view.conditions)
    assert all(fits(thing.field(name), value) for name, value in found.items())
    others = list(missing(thing, view))
    assert others and all(not all(holds(c, other[c.field]) for c in view.conditions) for other in others)


def test_a_view_that_nothing_can_be_in_is_left_to_itself() -> None:
    low = AppField(name="low", label="Low", type=FieldType.INTEGER, maximum=5)
    view = View(slug="never", title="Never", conditions=(Condition(field="low", op=Op.ABOVE, value=7),))
    assert matching(resource("thing", "things", low), view) is None
