"""Pipelines: programs that read tables of data and write a summary and a report, with the standard library alone."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contracts.app_spec import COUNTABLE, AppField, AppSpec, FieldType, Migration, Pipeline
from scaffolds.base import markdown_text, render, requirements
from scaffolds.csv_pipeline import examples, sample

FOLDER = Path(__file__).parent
CHECKS = {
    FieldType.NUMBER: "is_number",
    FieldType.INTEGER: "is_integer",
    FieldType.MONEY: "is_money",
    FieldType.DATE: "is_date",
    FieldType.TIME: "is_time",
    FieldType.EMAIL: "is_email",
    FieldType.URL: "is_url",
    FieldType.YES_NO: "is_yes_or_no",
}
FILES = {
    "main.py": "main.py.j2",
    "reading.py": "reading.py.j2",
    "values.py": "values.py.j2",
    "columns.py": "columns.py.j2",
    "summary.py": "summary.py.j2",
    "report.py": "report.py.j2",
    "report.css": "report.css.j2",
    "tests/conftest.py": "tests/conftest.py.j2",
    "tests/tables.py": "tests/tables.py.j2",
    "tests/test_figures.py": "tests/test_figures.py.j2",
    "tests/test_files.py": "tests/test_files.py.j2",
    "tests/test_report.py": "tests/test_report.py.j2",
    "README.md": "README.md.j2",
}


@dataclass(frozen=True, slots=True)
class Column:
    """What the program knows of a column."""

    field: AppField
    needed: bool
    found: bool = False
    """Its type is found from the values."""

    @property
    def type(self) -> str | None:
        if self.found:
            return None
        if self.field.type in COUNTABLE:
            return "number"
        return "date" if self.field.type is FieldType.DATE else "text"

    @property
    def check(self) -> str | None:
        return CHECKS.get(self.field.type)

    @property
    def ranged(self) -> bool:
        return self.field.minimum is not None or self.field.maximum is not None


def generate(spec: AppSpec, migrations: tuple[Migration, ...] = ()) -> dict[str, str]:
    """The files of a pipeline. It keeps nothing, so there is nothing to migrate."""
    if spec.pipeline is None:
        raise ValueError("a pipeline says what it makes of data")
    known = _known(spec, spec.pipeline)
    values = _values(spec, spec.pipeline, known)
    files = {path: render(FOLDER, template, **values) for path, template in FILES.items()}
    files |= {
        values["sample_path"]: _sample(spec.pipeline, known),
        "pytest.ini": "[pytest]\npythonpath = .\ntestpaths = tests\n",
        "requirements.txt": requirements("pytest"),
        ".gitignore": "report/\n__pycache__/\n.pytest_cache/\n.venv/\n",
    }
    return dict(sorted(files.items()))


def _known(spec: AppSpec, pipeline: Pipeline) -> list[Column]:
    """The fields, and what is grouped by and added up if it is not among them."""
    fields = list(spec.resources[0].fields) if spec.resources else []
    wanted = [name for name in (pipeline.group_by, pipeline.measure) if name]
    known = [
        Column(as_number(field) if field.name == pipeline.measure else field, field.required or field.name in wanted)
        for field in fields
    ]
    missing = [name for name in dict.fromkeys(wanted) if name not in {field.name for field in fields}]
    return known + [
        Column(_field(name, name == pipeline.measure), needed=True, found=name != pipeline.measure) for name in missing
    ]


def as_number(field: AppField) -> AppField:
    """What is added up is a number, whatever else was said of it."""
    if field.type in COUNTABLE:
        return field
    return AppField(name=field.name, label=field.label, type=FieldType.NUMBER, required=field.required)


def _field(name: str, number: bool) -> AppField:
    label = name.replace("_", " ").capitalize()
    return AppField(name=name, label=label, type=FieldType.NUMBER if number else FieldType.TEXT)


def _values(spec: AppSpec, pipeline: Pipeline, known: list[Column]) -> dict[str, Any]:
    uses = _uses(known)
    word = {"csv": "CSV", "json": "JSON"}[pipeline.reads]
    return {
        "spec": spec,
        "title": spec.title,
        "summary": spec.summary,
        "reads": pipeline.reads,
        "word": word,
        "group_by": pipeline.group_by,
        "measure": pipeline.measure,
        "known": known,
        "uses": uses,
        "checks": sorted(_imported_checks(known)),
        "imported": _imported(pipeline, known, uses),
        "report_imports": _report_imports(pipeline, known),
        "holds": _holds,
        **_label_example(known),
        "sample_path": f"sample/{spec.name}.{pipeline.reads}",
        **examples.of([(column.field, column.type, column.needed) for column in known], pipeline),
    }


def _label_example(known: list[Column]) -> dict[str, str]:
    """A column that is also known by its label, which must not mean another column."""
    if not known:
        return {}
    names = {column.field.name for column in known}
    labels = [plain(column.field.label) for column in known]
    found = [
        column
        for column, label in zip(known, labels, strict=True)
        if labels.count(label) == 1 and label not in names - {column.field.name}
    ]
    column = found[0] if found else known[0]
    heading = column.field.label.strip() if found else column.field.name
    return {"label_heading": heading, "label_column": column.field.name}


def plain(heading: str) -> str:
    """As the program compares headings."""
    return re.sub(r"[\W_]+", "_", heading.strip().casefold()).strip("_") or heading.strip()


def _holds(column: Column) -> str:
    """For the owner, in Markdown."""
    words = {
        FieldType.NUMBER: "a number",
        FieldType.INTEGER: "a whole number",
        FieldType.MONEY: "an amount with at most two decimals",
        FieldType.DATE: "a date such as `2026-11-17`",
        FieldType.TIME: "a time such as `09:30`",
        FieldType.EMAIL: "an email address",
        FieldType.URL: "a web address",
        FieldType.YES_NO: "`yes` or `no`",
        FieldType.CHOICE: "one of: " + ", ".join(markdown_text(choice) for choice in column.field.choices),
    }
    return words.get(column.field.type, "text" if column.type else "anything") + _range(column.field)


def _range(field: AppField) -> str:
    low, high = field.minimum, field.maximum
    ends = [*([] if low is None else [f"from {low:g}"]), *([] if high is None else [f"up to {high:g}"])]
    return f", {' '.join(ends)}" if ends else ""


def _uses(known: list[Column]) -> dict[str, bool]:
    checks = _imported_checks(known)
    return {
        **{name.removeprefix("is_").replace("_or_", "_"): name in checks for name in CHECKS.values()},
        "one_of": "one_of" in checks,
        "within": "within" in checks,
        "any_check": bool(checks),
        "needed": any(column.needed for column in known),
        "untyped": any(column.type is None for column in known),
    }


def _imported_checks(known: list[Column]) -> set[str]:
    checks = {column.check for column in known if column.check}
    ranged = {"within"} if any(column.ranged for column in known) else set()
    chosen = {"one_of"} if any(column.field.choices for column in known) else set()
    return checks | ranged | chosen


def _imported(pipeline: Pipeline, known: list[Column], uses: dict[str, bool]) -> list[str]:
    """What `summary.py` needs of `columns.py`, in the order of imports."""
    grouped = pipeline.group_by is not None
    names = {
        "COLUMNS": uses["needed"],
        "GROUP_BY": grouped,
        "KNOWN": bool(known),
        "MEASURE": grouped and pipeline.measure is not None,
        "fits": uses["any_check"],
        "known_name": bool(known),
    }
    return [name for name, used in names.items() if used]


def _report_imports(pipeline: Pipeline, known: list[Column]) -> list[str]:
    grouped = pipeline.group_by is not None
    names = {
        "GROUP_BY": grouped,
        "MEASURE": grouped and pipeline.measure is not None,
        "SUMMARY": True,
        "TITLE": True,
        "label_of": bool(known),
    }
    return [name for name, used in names.items() if used]


def _sample(pipeline: Pipeline, known: list[Column]) -> str:
    fields = [column.field for column in known] or [
        AppField(name="day", label="Day", type=FieldType.DATE),
        AppField(name="region", label="Region"),
        AppField(name="amount", label="Amount", type=FieldType.MONEY),
    ]
    rows = sample.sample_rows(fields)
    write = sample.as_csv if pipeline.reads == "csv" else sample.as_json
    return write(fields, rows)
