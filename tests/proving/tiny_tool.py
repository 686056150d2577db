"""A small tool for tasks, written by hand from docs/apps.md; `FAULT` in its environment breaks it in one place."""

import argparse
import csv
import json
import os
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

Json = Any
FAULT = os.environ.get("FAULT", "")
FILE = Path(os.environ.get("DATA_DIR") or Path(__file__).parent) / "tasks.json"
HEADER = ["id", "title", "due", "done", "created_at"]
SPEC: Json = {
    "kind": "cli_tool",
    "name": "tasks",
    "title": "Tasks",
    "summary": "Keeps tasks.",
    "storage": "json",
    "resources": [
        {
            "name": "task",
            "plural": "tasks",
            "label": "Task",
            "plural_label": "Tasks",
            "search": True,
            "sort": True,
            "csv": True,
            "fields": [
                {"name": "title", "label": "Title", "required": True},
                {"name": "due", "label": "Due", "type": "date"},
                {"name": "done", "label": "Done", "type": "yes_no"},
            ],
        }
    ],
}


def stop(code: int, words: str) -> None:
    print(words, file=sys.stderr)
    raise SystemExit(code)


def load() -> list[Json]:
    if not FILE.exists():
        return []
    try:
        found = json.loads(FILE.read_text("utf-8"))
    except ValueError:
        if FAULT == "forgives damage":
            return []
        stop(1, f"{FILE.name} is damaged")
    return list(found)


def save(items: list[Json]) -> None:
    if FAULT != "keeps nothing":
        FILE.write_text(json.dumps(items), "utf-8")


def fit(values: dict[str, Json]) -> dict[str, Json]:
    title = (values.get("title") or "").strip()
    if not title or len(title) > 200:
        if FAULT != "takes anything":
            stop(1 if FAULT == "wrong exit code" else 2, "title: has 1 to 200 characters")
    try:
        date.fromisoformat(values["due"]) if values.get("due") else None
    except ValueError:
        stop(2, "--due: is not a day")
    return {**values, "title": title, "due": values.get("due") or None, "done": bool(values.get("done"))}


def find(items: list[Json], number: int) -> Json:
    found = [item for item in items if item["id"] == number]
    if not found:
        stop(1, f"There is no task {number}")
    return found[0]


def chosen(items: list[Json], given: argparse.Namespace) -> list[Json]:
    if given.search:
        items = [item for item in items if given.search.lower() in item["title"].lower()]
    if given.sort:
        name = given.sort.removeprefix("-")
        down = given.sort.startswith("-") != (FAULT == "sort reversed")
        items = sorted(items, key=lambda item: (item[name] is not None, item[name] or ""), reverse=down)
    return items


def show(item: Json) -> None:
    print(f"{item['id']}  {item['title']}  {item['due'] or ''}  {'done' if item['done'] else ''}")


def change(items: list[Json], given: argparse.Namespace) -> None:
    item = find(items, given.id)
    if given.command == "remove":
        items.remove(item)
    elif given.command == "done":
        item["done"] = FAULT != "ticks nothing"
    else:
        asked = {name: value for name in ("title", "due", "done") if (value := getattr(given, name)) is not None}
        item.update(fit({**({} if FAULT == "edit forgets" else item), **asked}))
    save(items)
    print("Done")


def add(items: list[Json], given: argparse.Namespace) -> None:
    number = max((item["id"] for item in items), default=0) + 1
    values = fit({"title": given.title, "due": given.due, "done": given.done})
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    save([*items, {"id": number, **{name: values[name] for name in HEADER[1:4]}, "created_at": stamp}])
    print(f"Added task {number}: {values['title']}")


def export(items: list[Json], given: argparse.Namespace) -> None:
    with Path(given.file).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for item in items:
            cells = ["" if item[name] is None else str(item[name]) for name in HEADER]
            writer.writerow([f"'{cell}" if cell[:1] in tuple("=+-@") else cell for cell in cells])


def read(items: list[Json], given: argparse.Namespace) -> None:
    found = chosen(items, given) if given.command == "list" else find(items, given.id)
    if given.json:
        print(json.dumps(found))
    elif given.command == "show":
        show(found)
    else:
        for item in found:
            show(item)
        if not found:
            print("No tasks yet")


def commands() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    sub = parser.add_subparsers(dest="command", required=True)
    adding = sub.add_parser("add")
    adding.add_argument("title")
    listing = sub.add_parser("list")
    for name in ("--search", "--sort"):
        listing.add_argument(name)
    by_number = {name: sub.add_parser(name) for name in ("show", "edit", "remove", "done")}
    for one in by_number.values():
        one.add_argument("id", type=int)
    by_number["edit"].add_argument("--title")
    for one in (adding, by_number["edit"]):
        one.add_argument("--due")
        one.add_argument("--done", action=argparse.BooleanOptionalAction)
    for one in (listing, by_number["show"]):
        one.add_argument("--json", action="store_true")
    sub.add_parser("export").add_argument("file")
    return parser


def main() -> None:
    given = commands().parse_args()
    items = load()
    work = {"add": add, "list": read, "show": read, "export": export}
    work.get(given.command, change)(items, given)


if __name__ == "__main__":
    main()
