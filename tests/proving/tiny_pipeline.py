"""A small pipeline, written by hand from docs/apps.md; `FAULT` in its environment breaks it in one place."""

import csv
import json
import os
import statistics
import sys
from collections import Counter
from datetime import date
from decimal import Decimal, InvalidOperation
from html import escape
from pathlib import Path
from typing import Any

Json = Any
FAULT = os.environ.get("FAULT", "")
SPEC: Json = {
    "kind": "pipeline",
    "name": "sales",
    "title": "Sales",
    "summary": "Adds up sales.",
    "pipeline": {"reads": "csv", "group_by": "region", "measure": "amount"},
}


def is_number(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def figures(cells: list[str]) -> Json:
    there = [cell.strip() for cell in cells if cell.strip()]
    told: Json = {"count": len(there), "missing": len(cells) - len(there)}
    if there and all(map(is_number, there)):
        numbers = [Decimal(cell) for cell in there]
        middle = statistics.median_low(numbers) if FAULT == "wrong median" else statistics.median(numbers)
        told |= {"type": "number", "sum": float(sum(numbers)), "min": float(min(numbers)), "max": float(max(numbers))}
        return told | {"mean": float(sum(numbers) / len(numbers)), "median": float(middle)}
    if there and all(map(is_day, there)):
        return told | {"type": "date", "first": min(there), "last": max(there)}
    often = sorted(Counter(there).items(), key=lambda one: (-one[1], one[0]))
    return told | {"type": "text", "distinct": len(often), "top": [list(one) for one in often[:5]]}


def read(given: list[str]) -> Json:
    files = [file for one in map(Path, given) for file in (sorted(one.glob("*.csv")) if one.is_dir() else [one])]
    rows, skipped, header = [], 0, []
    for file in files[:1] if FAULT == "first file only" else files:
        try:
            lines = list(csv.reader(file.read_text("utf-8").splitlines()))
        except (OSError, ValueError) as error:
            raise SystemExit(f"{file}: {error}") from None
        header = lines[0] if lines else []
        if FAULT != "any table" and not {"region", "amount"} <= set(header):
            raise SystemExit(f"{file}: a column is missing")
        rows += [dict(zip(header, line, strict=True)) for line in lines[1:] if len(line) == len(header)]
        skipped += sum(len(line) != len(header) for line in lines[1:])
    columns = {name: figures([row[name] for row in rows]) for name in header}
    return {"files": len(files), "rows": len(rows), "skipped": skipped, "columns": columns, "groups": groups(rows)}


def groups(rows: list[dict[str, str]]) -> Json:
    found: list[Json] = []
    for value in dict.fromkeys(row.get("region", "") for row in rows):
        amounts = [Decimal(row["amount"]) for row in rows if row.get("region") == value and row["amount"]]
        count = sum(row.get("region") == value for row in rows)
        mean = float(sum(amounts) / len(amounts)) if amounts else None
        found.append({"value": value, "count": count, "sum": float(sum(amounts)), "mean": mean})
    found.sort(key=lambda one: -one["sum"])
    return {"by": "region", "measure": "amount", "rows": found[::-1] if FAULT == "smallest first" else found}


def main(words: list[str]) -> None:
    out = Path(words[words.index("--out") + 1]) if "--out" in words else Path("report")
    given = words[: words.index("--out")] if "--out" in words else words
    told = read(given)
    out.mkdir(exist_ok=True)
    (out / "summary.json").write_text(json.dumps(told))
    show = str if FAULT == "unescaped" else escape
    names = "".join(f"<li>{show(name)}</li>" for name in told["columns"])
    names += "".join(f"<li>{show(one['value'])}</li>" for one in told["groups"]["rows"])
    head = '<meta name="viewport" content="width=device-width"><title>Sales</title>'
    page = f"<!doctype html><html lang=en>{head}<h1>Sales</h1><svg></svg><ul>{names}</ul></html>"
    (out / "report.html").write_text(page)
    print(told["rows"], "rows:", ", ".join(told["columns"]))


if __name__ == "__main__":
    main(sys.argv[1:])
