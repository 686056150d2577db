"""Checks of a pipeline: tables made here, and figures computed here, beside those that it gives."""

import csv
import io
import json
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from contracts.app_spec import COUNTABLE, AppField, AppSpec, FieldType, Pipeline
from proving.check import Check, NotSo, Trial, expect, shown
from proving.command import Ran
from proving.html_reader import Unreadable, read_page
from proving.page_checks import check_readable
from proving.tool_checks import came, went_well
from proving.values import TEXTS, Values

GROUPS = ("North", "South", "East <b>&")
ROWS = 12
TOP = 5
EXACT = 1e-6


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str
    """`number`, `date` or `text`."""
    field: AppField | None = None


def pipeline_checks(spec: AppSpec) -> Iterable[Check]:
    yield Check("figures", "The figures of every column are right, over several files", _figures)
    if _plan(spec).group_by:
        yield Check("groups", "The figures of every group are right, the largest first", _groups)
    yield Check("folder", "All files of a folder are read", _folder)
    yield Check("gaps", "Rows that are broken are counted, and values that are missing do not count", _gaps)
    yield Check("report", "There is a report to look at, with a chart, and a short table is printed", _report)
    yield Check(
        "mistakes", "A file that is missing, empty or lacks a column is told of, and nothing is written", _mistakes
    )
    yield Check("sample", "The sample that comes with it can be read", _sample)


def _plan(spec: AppSpec) -> Pipeline:
    return spec.pipeline or Pipeline()


def columns_of(spec: AppSpec) -> list[Column]:
    """The columns that are known, or else some of each type with those that the spec asks for."""
    if spec.resources:
        return [Column(field.name, _kind(field), field) for field in spec.resources[0].fields]
    group, measure = _plan(spec).group_by or "region", _plan(spec).measure or "amount"
    found = [Column(group, "text"), Column(measure, "number"), Column("day", "date"), Column("remark", "text")]
    return list({column.name: column for column in reversed(found)}.values())[::-1]


def _kind(field: AppField) -> str:
    return "number" if field.type in COUNTABLE else "date" if field.type is FieldType.DATE else "text"


Row = dict[str, str]


def rows_of(spec: AppSpec, values: Values, count: int = ROWS) -> list[Row]:
    """A table without gaps, in which groups differ in size and in what they add up to."""
    group = _plan(spec).group_by
    return [
        {column.name: _cell(column, values, number, column.name == group) for column in columns_of(spec)}
        for number in range(count)
    ]


def _cell(column: Column, values: Values, number: int, grouped: bool) -> str:
    place = (0, 0, 0, 1, 1, 2)[number % 6]
    field = column.field
    if field and field.type is FieldType.CHOICE:
        return field.choices[place % len(field.choices)]
    if field and field.type is FieldType.YES_NO:
        return "true" if place == 0 else "false"
    if column.type == "date":
        return f"2026-03-{place + 1 if grouped else number + 1:02}"
    if column.type == "number":
        return str(place) if grouped else str(values.value(field) if field else number * 3 + 0.5)
    if grouped or field is None or field.type in TEXTS:
        return GROUPS[place] if grouped else f"word {number % 7}"
    return str(values.value(field))


def as_file(spec: AppSpec, rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The table in the form that the pipeline reads."""
    if _plan(spec).reads == "json":
        kinds = {column.name: column.type for column in columns_of(spec)}
        plain = [{name: _as_json(value, kinds[name]) for name, value in row.items()} for row in rows]
        return json.dumps(plain, ensure_ascii=False).encode()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [column.name for column in columns_of(spec)]
    writer.writerow(names)
    writer.writerows([row[name] for name in names] for row in rows)
    return text.getvalue().encode()


def _as_json(value: Any, kind: str) -> Any:
    if value == "":
        return None
    return float(value) if kind == "number" and isinstance(value, str) else value


def _ending(spec: AppSpec) -> str:
    return _plan(spec).reads


def _summary(ran: Ran, folder: str, line: str) -> dict[str, Any]:
    went_well(ran, line)
    data = ran.files.get(f"{folder}/summary.json")
    expect(data is not None, f"`{line}` should write `{folder}/summary.json`; it wrote {shown(sorted(ran.files))}")
    try:
        found = json.loads(data or b"")
    except (ValueError, RecursionError):
        raise NotSo(f"`{folder}/summary.json` is not JSON") from None
    expect(isinstance(found, dict), f"`{folder}/summary.json` should be an object")
    return dict(found)


def expected_column(kind: str, cells: Sequence[str]) -> dict[str, Any]:
    """The figures of one column, from its cells."""
    there = [cell.strip() for cell in cells if cell.strip()]
    figures: dict[str, Any] = {"type": kind, "count": len(there), "missing": len(cells) - len(there)}
    if kind == "number":
        numbers = [Fraction(cell) for cell in there]
        figures |= {"sum": sum(numbers), "min": min(numbers), "max": max(numbers)}
        figures |= {"mean": sum(numbers) / len(numbers), "median": statistics.median(numbers)}
    elif kind == "date":
        figures |= {"first": min(there), "last": max(there)}
    else:
        often = sorted(Counter(there).items(), key=lambda one: (-one[1], one[0]))
        figures |= {"distinct": len(often), "top": [list(one) for one in often[:TOP]]}
    return figures


def _agree(got: object, expected: object) -> bool:
    if isinstance(expected, Fraction | int) and not isinstance(expected, bool):
        right_type = isinstance(got, int | float) and not isinstance(got, bool)
        return right_type and abs(Fraction(str(got)) - expected) <= Fraction(str(EXACT))
    return got == expected


def _compare(found: Mapping[str, Any], expected: Mapping[str, Any], what: str) -> None:
    for name, value in expected.items():
        got = found.get(name)
        said = float(value) if isinstance(value, Fraction) else value
        expect(_agree(got, value), f"`{name}` of {what} should be {shown(said)}, and is {shown(got)}")


def _check_columns(spec: AppSpec, found: Mapping[str, Any], rows: Sequence[Row]) -> None:
    columns = found.get("columns")
    expect(isinstance(columns, dict), "`summary.json` should have `columns`")
    for column in columns_of(spec):
        figures = dict(columns or {}).get(column.name)
        expect(isinstance(figures, dict), f"`summary.json` should have figures of the column `{column.name}`")
        expected = expected_column(column.type, [row[column.name] for row in rows])
        _compare(dict(figures or {}), expected, f"the column `{column.name}`")


def _figures(trial: Trial) -> None:
    spec = trial.spec
    rows = rows_of(spec, trial.values)
    names = [f"first.{_ending(spec)}", f"second.{_ending(spec)}"]
    files = {names[0]: as_file(spec, rows[:5]), names[1]: as_file(spec, rows[5:])}
    found = _summary(trial.run(*names, files=files), "report", " ".join(names))
    _compare(found, {"files": 2, "rows": len(rows), "skipped": 0}, "the summary")
    _check_columns(spec, found, rows)
    expect("groups" in found or not (_plan(spec).group_by), "`summary.json` should have `groups`")
    expect("groups" not in found or (_plan(spec).group_by), "`summary.json` has groups of nothing")


def _groups(trial: Trial) -> None:
    spec = trial.spec
    group, measure = str(_plan(spec).group_by), _plan(spec).measure
    rows = rows_of(spec, trial.values)
    name = f"table.{_ending(spec)}"
    found = _summary(trial.run(name, files={name: as_file(spec, rows)}), "report", name).get("groups")
    expect(isinstance(found, dict), "`summary.json` should have `groups`")
    given = dict(found or {})
    _compare(given, {"by": group, **({"measure": measure} if measure else {})}, "the groups")
    expected = []
    for value in dict.fromkeys(row[group] for row in rows):
        cells = [Fraction(row[measure]) for row in rows if row[group] == value] if measure else []
        count = sum(row[group] == value for row in rows)
        sums = {"sum": sum(cells), "mean": sum(cells) / count} if measure else {}
        expected.append({"value": value, "count": count, **sums})
    expected.sort(key=lambda one: (-one.get("sum", one["count"]), one["value"]))  # type: ignore[operator]
    shown_rows = given.get("rows")
    expect(isinstance(shown_rows, list) and len(shown_rows) == len(expected), f"there should be {len(expected)} groups")
    for got, wanted in zip(shown_rows or [], expected, strict=True):
        expect(isinstance(got, dict), "each group should be an object")
        same = str(got.get("value")) == str(wanted["value"]) or _agree_number(got.get("value"), str(wanted["value"]))
        expect(same, f"the next group should be {shown(wanted['value'])}, and is {shown(got.get('value'))}")
        _compare(
            got,
            {name: value for name, value in wanted.items() if name != "value"},
            f"the group {shown(wanted['value'])}",
        )


def _agree_number(got: object, text: str) -> bool:
    try:
        return float(str(got)) == float(text)
    except ValueError:
        return False


def _folder(trial: Trial) -> None:
    spec = trial.spec
    rows = rows_of(spec, trial.values)
    ending = _ending(spec)
    files = {f"input/one.{ending}": as_file(spec, rows[:4]), f"input/two.{ending}": as_file(spec, rows[4:])}
    files["input/notes.txt"] = b"not a table"
    found = _summary(trial.run("input", "--out", "elsewhere", files=files), "elsewhere", "input --out elsewhere")
    _compare(found, {"files": 2, "rows": len(rows)}, "the summary")
    _check_columns(spec, found, rows)


def _gaps(trial: Trial) -> None:
    spec = trial.spec
    rows = rows_of(spec, trial.values)
    holes = [column for column in columns_of(spec) if column.name != _plan(spec).group_by]
    for number, column in enumerate(holes):
        rows[number % len(rows)][column.name] = ""
    sent = [dict(row) for row in rows]
    known = next((column for column in holes if column.type == "number" and column.field), None)
    if known:
        sent[-1][known.name], rows[-1][known.name] = "many", ""
    name = f"table.{_ending(spec)}"
    data = as_file(spec, sent) if not known or _ending(spec) == "csv" else _json_with_words(spec, sent)
    broken = 0
    if _ending(spec) == "csv":
        data += b"one cell only\n" if len(columns_of(spec)) > 1 else b"two,cells\n"
        broken = 1
    found = _summary(trial.run(name, files={name: data}), "report", name)
    _compare(found, {"rows": len(rows), "skipped": broken}, "the summary")
    _check_columns(spec, found, rows)


def _json_with_words(spec: AppSpec, rows: Sequence[Row]) -> bytes:
    kinds = {column.name: column.type for column in columns_of(spec)}
    plain = [
        {name: value if value == "many" else _as_json(value, kinds[name]) for name, value in row.items()}
        for row in rows
    ]
    return json.dumps(plain).encode()


def _report(trial: Trial) -> None:
    spec = trial.spec
    rows = rows_of(spec, trial.values)
    name = f"table.{_ending(spec)}"
    ran = went_well(trial.run(name, files={name: as_file(spec, rows)}), name)
    data = ran.files.get("report/report.html")
    expect(data is not None, f"`{name}` should write `report/report.html`; it wrote {shown(sorted(ran.files))}")
    text = (data or b"").decode("utf-8", "replace")
    try:
        page = read_page(text)
    except Unreadable as error:
        raise NotSo(f"`report.html` is no page: {error}") from None
    check_readable(page, "report.html")
    expect(page.drawings, "`report.html` should have a chart")
    expect(not [asset for asset in page.assets if "//" in asset], "`report.html` should need nothing from elsewhere")
    expect("East <b>" not in text, "`report.html` takes the text of a table for HTML")
    named = [_called(column) for column in columns_of(spec)]
    for column, called in zip(columns_of(spec), named, strict=True):
        expect(_says(page.text, called), f"`report.html` should name `{column.name}`")
    told = str(len(rows)) in ran.stdout and any(_says(ran.stdout, called) for called in named)
    expect(told, f"a short table should be printed, about {len(rows)} rows; what came is {came(ran)}")


def _called(column: Column) -> set[str]:
    return {column.name, column.name.replace("_", " "), column.field.label if column.field else column.name}


def _says(text: str, words: set[str]) -> bool:
    spoken = " ".join(text.split()).casefold()
    return any(" ".join(word.split()).casefold() in spoken for word in words)


def _mistakes(trial: Trial) -> None:
    spec = trial.spec
    good, ending = as_file(spec, rows_of(spec, trial.values)), _ending(spec)
    went_well(trial.run(f"good.{ending}", "--out", "first", files={f"good.{ending}": good}), "a table without mistakes")
    cases: list[tuple[str, bytes | None, str]] = [
        (f"missing.{ending}", None, "a file that is not there"),
        (f"empty.{ending}", b"", "an empty file"),
        (f"binary.{ending}", b"\xff\xfe\x00\x81" * 50, "a file that is no text"),
    ]
    needed = _plan(spec).measure or _plan(spec).group_by
    if needed:
        cases.append((f"other.{ending}", _other_table(ending), f"a table without the column `{needed}`"))
    for name, data, what in cases:
        ran = trial.run(name, files={} if data is None else {name: data})
        told = ran.exit_code == 1 and (ran.stderr + ran.stdout).strip() and "Traceback" not in ran.stderr
        expect(told, f"{what} should end with exit code 1 and words; what came is {came(ran)}")
        expect(
            not any(path.startswith("report/") for path in ran.files),
            f"{what} was refused, and yet a report was written",
        )


def _other_table(ending: str) -> bytes:
    return b"strange,columns\n1,2\n" if ending == "csv" else b'[{"strange": 1, "columns": 2}]'


def _sample(trial: Trial) -> None:
    found = _summary(trial.run("sample"), "report", "sample")
    expect(isinstance(found.get("rows"), int) and found["rows"] > 0, "the sample should have rows")
    expect(
        found.get("skipped") == 0, f"no row of the sample should be skipped; skipped are {shown(found.get('skipped'))}"
    )
