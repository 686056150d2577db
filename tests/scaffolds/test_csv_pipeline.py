import ast
import csv
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.app_spec import AppField, AppSpec, FieldType, Kind, Resource
from scaffolds.base import width
from scaffolds.csv_pipeline import generate
from tests.scaffolds import generated
from tests.scaffolds.specs import HOSTILE, everything, field, hostile, notes, odd_words, resource, spec, wide


def pipeline(*resources: Resource, **more: Any) -> AppSpec:
    asked = {name: more.pop(name) for name in ("reads", "group_by", "measure") if name in more}
    return spec(Kind.PIPELINE, *resources, storage="none", pipeline=asked, **more)


def sales() -> Resource:
    return resource(
        "sale",
        "sales",
        field("day", "date", required=True),
        field("region", required=True),
        field("amount", "money", required=True, minimum=0),
        field("product"),
    )


def alone(resource: Resource) -> Resource:
    return resource.model_copy(update={"belongs_to": ()})


SPECS = {
    "plain": pipeline(),
    "plain json": pipeline(reads="json"),
    "groups of anything": pipeline(group_by="region"),
    "sums of anything": pipeline(group_by="region", measure="amount"),
    "sums of anything in json": pipeline(group_by="region", measure="amount", reads="json"),
    "a number": pipeline(measure="amount"),
    "sales": pipeline(sales(), group_by="region", measure="amount"),
    "sales in json": pipeline(sales(), group_by="region", measure="amount", reads="json"),
    "counted sales": pipeline(sales(), group_by="product"),
    "everything": pipeline(everything(), group_by="status", measure="price"),
    "everything in json": pipeline(everything(), group_by="done", measure="weight", reads="json"),
    "everything alone": pipeline(everything()),
    "hostile": pipeline(*hostile(), group_by="kind", title=HOSTILE, summary=HOSTILE),
    "hostile json": pipeline(*hostile(), group_by="kind", title=HOSTILE, summary=HOSTILE, reads="json"),
    "wide": pipeline(wide(), group_by="name"),
    "odd words": pipeline(alone(odd_words()[1]), group_by="key", measure="total"),
    "notes": pipeline(notes()),
    "by itself": pipeline(group_by="amount", measure="amount"),
    "a text added up": pipeline(notes(), group_by="title", measure="title"),
}
TESTED = ("plain", "sums of anything in json", "sales", "everything in json", "hostile")
"""Their own tests are run too."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them side by side."""
    place = tmp_path_factory.mktemp("pipelines")
    for name, wanted in SPECS.items():
        generated.write(generate(wanted), place / name)
    return place


@pytest.fixture(scope="module")
def sales_app(folder: Path) -> Iterator[Path]:
    yield folder / "sales"


@pytest.mark.parametrize("name", SPECS)
def test_the_form_is_as_ruff_wants_it(folder: Path, name: str) -> None:
    generated.assert_ruff_is_content(folder / name)


def test_bandit_finds_nothing(folder: Path) -> None:
    for name in ("sales", "plain json"):
        generated.assert_bandit_is_content(folder / name)


@pytest.mark.parametrize("name", TESTED)
def test_its_own_tests_pass(folder: Path, name: str) -> None:
    generated.assert_own_tests_pass(folder / name)


def test_the_same_spec_gives_the_same_files() -> None:
    for wanted in SPECS.values():
        assert generate(wanted) == generate(AppSpec.model_validate(wanted.to_json()))


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("main.py", "return 1", "return 2"),
        ("reading.py", "utf-8-sig", "utf-8"),
        ("reading.py", "strict=True", "strict=False"),
        ("values.py", "low <= float(text)", "low < float(text)"),
        ("summary.py", "if len(row) != len(names):", "if len(row) > len(names):"),
        ("summary.py", "return -self.sum, self.value is None", "return self.sum, self.value is None"),
        ("summary.py", "self.sum / self.numbers", "self.sum / self.count"),
        ("summary.py", "column.needed and column.name not in names", "False"),
        ("report.py", "return html.escape(as_words(cell))", "return as_words(cell)"),
    ],
)
def test_its_own_tests_catch_a_mistake(sales_app: Path, name: str, before: str, after: str) -> None:
    generated.assert_own_tests_catch(sales_app, name, before, after)


def run(app: Path, place: Path, *inputs: Path) -> dict[str, Any]:
    ran = generated.python(app, "main.py", *map(str, inputs), "--out", str(place / "out"))
    assert ran.returncode == 0, ran.stderr
    made: dict[str, Any] = json.loads((place / "out" / "summary.json").read_bytes())
    return made


def test_a_table_of_sales_becomes_the_summary_that_was_agreed(sales_app: Path, tmp_path: Path) -> None:
    table = tmp_path / "sales.csv"
    table.write_text(
        "Day;Region;Amount;Product;Remark\n2026-01-02;North;10.10;Tea;5\n2026-01-01;South;5;;6\n"
        "2026-01-03;North;20.20;Tea;x\nshort\n2026-02-30;South;-1;Milk;\n",
        "utf-8",
    )
    assert run(sales_app, tmp_path, table) == {
        "files": 1,
        "rows": 4,
        "skipped": 1,
        "columns": {
            "day": {"type": "date", "count": 3, "missing": 1, "first": "2026-01-01", "last": "2026-01-03"},
            "region": {
                "type": "text",
                "count": 4,
                "missing": 0,
                "distinct": 2,
                "top": [["North", 2], ["South", 2]],
            },
            "amount": {
                "type": "number",
                "count": 3,
                "missing": 1,
                "sum": 35.3,
                "min": 5,
                "max": 20.2,
                "mean": 11.766667,
                "median": 10.1,
            },
            "product": {"type": "text", "count": 3, "missing": 1, "distinct": 2, "top": [["Tea", 2], ["Milk", 1]]},
            "Remark": {
                "type": "text",
                "count": 3,
                "missing": 1,
                "distinct": 3,
                "top": [["5", 1], ["6", 1], ["x", 1]],
            },
        },
        "groups": {
            "by": "region",
            "measure": "amount",
            "rows": [
                {"value": "North", "count": 2, "sum": 30.3, "mean": 15.15},
                {"value": "South", "count": 2, "sum": 5, "mean": 5},
            ],
        },
    }


def test_the_sample_is_read_with_no_home_and_a_plain_terminal(sales_app: Path, tmp_path: Path) -> None:
    plain = {"HOME": "", "LANG": "C", "PYTHONIOENCODING": "ascii"}
    ran = generated.python(sales_app, "main.py", "sample", "--out", str(tmp_path), env=plain)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("24 rows from 1 file, 0 skipped")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "summary.json"]


def test_a_large_table_is_read_without_holding_it(sales_app: Path, tmp_path: Path) -> None:
    table = tmp_path / "large.csv"
    with table.open("w") as file:
        file.write("day,region,amount,product\n")
        file.writelines(f"2026-01-{1 + row % 28:02d},North,{row % 100},{'x' * 200}\n" for row in range(100_000))
    measured = "import sys, main; main.main(sys.argv[1:]); print(open('/proc/self/status').read())"
    ran = generated.python(sales_app, "-c", measured, str(table), "--out", str(tmp_path))
    assert "100,000 rows" in ran.stdout, ran.stderr
    kilobytes = int(ran.stdout.partition("VmHWM:")[2].split()[0])
    assert kilobytes < 40_000, "the file has more than 22 MB"


NUMBERS = st.decimals(-(10**9), 10**9, allow_nan=False, places=3).map(str)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\x00"), max_size=12)


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(rows=st.lists(st.tuples(TEXTS, NUMBERS | st.just("")), min_size=1, max_size=30))
def test_sums_and_counts_are_those_of_the_rows(folder: Path, tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    table = tmp_path / "table.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("region", "amount"), *rows])
    found = run(folder / "sums of anything", tmp_path, table)
    numbers = [Fraction(number) for _, number in rows if number]
    amount = found["columns"]["amount"]
    assert (found["rows"], amount["count"]) == (len(rows), len(numbers))
    assert abs(Fraction(str(amount["sum"])) - sum(numbers)) < Fraction(1, 10**5)
    groups = {row["value"]: row["count"] for row in found["groups"]["rows"]}
    names = [name.strip() or None for name, _ in rows]
    assert groups == {name: names.count(name) for name in names}
    sums = [row["sum"] for row in found["groups"]["rows"]]
    assert sums == sorted(sums, reverse=True)


LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=120)


@given(title=LINES, label=LINES, choices=st.lists(LINES, min_size=1, max_size=5, unique=True))
def test_nothing_that_a_person_wrote_becomes_code(title: str, label: str, choices: list[str]) -> None:
    kind = AppField(name="kind", label=label, type=FieldType.CHOICE, choices=tuple(choices))
    table = Resource(name="row", plural="lines", label=label, plural_label=title, fields=(kind, field("amount")))
    text = generate(pipeline(table, group_by="kind", title=title, summary=label))["columns.py"]
    assert all(width(line) <= 88 for line in text.split("\n"))
    values = {
        node.targets[0].id: node.value.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    assert values == {"TITLE": title, "SUMMARY": label, "GROUP_BY": "kind"}
    calls = [
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and "one_of" in ast.dump(node.func)
    ]
    assert [ast.literal_eval(choice) for choice in calls[0].args] == choices
