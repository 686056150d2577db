"""A small API, written by hand from docs/apps.md, that keeps its word; and by request breaks it in one place."""

import csv
import hashlib
import io
import json
import os
import re
import secrets
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, g, jsonify, request
from werkzeug.exceptions import HTTPException

Json = Any
SPEC: Json = {
    "kind": "api",
    "name": "library",
    "title": "Library",
    "summary": "Keeps books on shelves.",
    "storage": "sqlite",
    "login": {"private": True},
    "resources": [
        {
            "name": "shelf",
            "plural": "shelves",
            "label": "Shelf",
            "plural_label": "Shelves",
            "fields": [{"name": "room", "label": "Room", "required": True, "unique": True}],
        },
        {
            "name": "book",
            "plural": "books",
            "label": "Book",
            "plural_label": "Books",
            "belongs_to": ["shelf"],
            "fields": [
                {"name": "title", "label": "Title", "required": True},
                {"name": "pages", "label": "Pages", "type": "integer", "minimum": 1, "maximum": 5000},
                {"name": "status", "label": "Status", "type": "choice", "choices": ["new", "read"], "default": "new"},
                {"name": "due", "label": "Due", "type": "date"},
                {"name": "lent", "label": "Lent", "type": "yes_no"},
            ],
            "search": True,
            "filter": True,
            "sort": True,
            "paging": True,
            "csv": True,
            "views": [{"slug": "overdue", "title": "Overdue", "conditions": [{"field": "due", "op": "before_today"}]}],
        },
    ],
}


class Refused(Exception):
    def __init__(self, status: int, message: str, fields: dict[str, str] | None = None) -> None:
        self.status, self.message, self.fields = status, message, fields


class Shop:
    """All that is kept, in one file."""

    def __init__(self, folder: Path, faults: frozenset[str]) -> None:
        self.file, self.faults = folder / "all.json", faults
        empty: Json = {"next": 1, "users": {}, "tokens": {}, "wrong": {}, "items": {}}
        self.all: Json = json.loads(self.file.read_text()) if self.file.exists() else empty

    def save(self) -> None:
        if "loses data" not in self.faults:
            self.file.write_text(json.dumps(self.all))

    def items(self, plural: str) -> Json:
        return self.all["items"].setdefault(plural, {})

    def mine(self, plural: str) -> list[Json]:
        everybody = "leaks" in self.faults
        return [one for one in self.items(plural).values() if everybody or one["owner"] == g.user]


def fit(field: Json, value: Json) -> str:
    """What is wrong with a value, in words."""
    kind = field.get("type", "text")
    if kind == "text":
        return "" if isinstance(value, str) and len(value) <= 200 else "must be a text of at most 200 characters"
    if kind == "integer":
        whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 2**53 - 1
        low, high = field.get("minimum", -(2**53)), field.get("maximum", 2**53)
        return "" if whole and low <= value <= high else "must be a whole number in its range"
    if kind == "choice":
        return "" if isinstance(value, str) and value in field["choices"] else "must be one of its values"
    if kind == "yes_no":
        return "" if isinstance(value, bool) else "must be true or false"
    try:
        date.fromisoformat(value if re.fullmatch(r"\d{4}-\d\d-\d\d", str(value)) else "")
    except (TypeError, ValueError):
        return "must be a day"
    return ""


class Library:
    """The API, one method for each address."""

    def __init__(self, folder: Path, faults: frozenset[str], spec: Json) -> None:
        self.faults, self.spec = faults, spec
        self.shop = Shop(folder, faults)
        self.by_path = {one["plural"].replace("_", "-"): one for one in spec["resources"]}

    def who(self) -> None:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        g.user = self.shop.all["tokens"].get(digest(token))
        open_paths = {"/health", "/openapi.json", "/register", "/login"}
        if g.user is None and request.path not in open_paths and "open to all" not in self.faults:
            raise Refused(401, "Sign in first")

    def body(self) -> dict[str, Json]:
        found = request.get_json(silent=True)
        if request.content_length and request.content_length > 1_000_000:
            abort(413)
        if not isinstance(found, dict):
            raise Refused(400, "The body must be a JSON object")
        return found

    def find(self, path: str, number: int) -> Json:
        item = self.shop.items(path).get(str(number))
        if item is None or (item["owner"] != g.user and "leaks" not in self.faults):
            raise Refused(404, "There is nothing here")
        return item

    def resource(self, path: str) -> Json:
        if path not in self.by_path:
            raise Refused(404, "There is nothing here")
        return self.by_path[path]

    def checked(self, kind: Json, given: dict[str, Json], old: Json | None, number: int | None) -> dict[str, Json]:
        fields = {field["name"]: field for field in kind["fields"]}
        wrong = {name: "is not known" for name in given if name not in fields and name not in parents_of(kind)}
        wrong = {} if "takes anything" in self.faults else wrong
        values = self.pointers(kind, given, old, wrong)
        for name, field in fields.items():
            usual = field.get("default", False if field.get("type") == "yes_no" else None)
            value = given.get(name, old[name] if old else usual)
            value = value.strip() or None if isinstance(value, str) and "keeps spaces" not in self.faults else value
            values[name] = value
            if message := self.complaint(field, value):
                wrong[name] = message
        if wrong:
            raise Refused(400 if "wrong status" in self.faults else 422, "Some values do not fit", wrong)
        for name, field in fields.items():
            taken = [one for one in self.shop.mine(kind["plural"]) if one["id"] != number and one[name] == values[name]]
            if field.get("unique") and taken and "twins" not in self.faults:
                raise Refused(409, "That is taken", {name: "is taken"})
        return values

    def complaint(self, field: Json, value: Json) -> str:
        if value is None:
            return "is required" if field.get("required") and "forgets required" not in self.faults else ""
        return "" if field["name"] == "pages" and "no range" in self.faults else fit(field, value)

    def pointers(self, kind: Json, given: Json, old: Json | None, wrong: dict[str, str]) -> dict[str, Json]:
        values = {}
        for pointer, name in parents_of(kind).items():
            values[pointer] = given.get(pointer, old[pointer] if old else None)
            plural = next(one["plural"] for one in self.spec["resources"] if one["name"] == name)
            known = [one["id"] for one in self.shop.mine(plural)]
            if values[pointer] not in known and "orphans" not in self.faults:
                wrong[pointer] = "does not exist"
        return values

    def chosen(self, kind: Json, items: list[Json]) -> list[Json]:
        asked = request.args
        if kind.get("search") and asked.get("q") and "search finds all" not in self.faults:
            texts = [field["name"] for field in kind["fields"] if field.get("type", "text") in {"text", "choice"}]
            word = asked["q"].lower()
            items = [one for one in items if any(word in str(one[name] or "").lower() for name in texts)]
        if kind.get("filter") and "filter does nothing" not in self.faults:
            for name in [*(field["name"] for field in kind["fields"]), *parents_of(kind)]:
                if name in asked:
                    items = [one for one in items if json.dumps(one[name]).strip('"') == asked[name]]
        return self.in_order(kind, items) if kind.get("sort") and asked.get("sort") else items

    def in_order(self, kind: Json, items: list[Json]) -> list[Json]:
        name = request.args["sort"].removeprefix("-")
        if name not in {"id", "created_at", *(field["name"] for field in kind["fields"])}:
            raise Refused(422, "It cannot be sorted by that")
        down = request.args["sort"].startswith("-") != ("sort reversed" in self.faults)
        return sorted(items, key=lambda one: (one[name] is not None, one[name] or 0, one["id"]), reverse=down)

    def listed(self, kind: Json, items: list[Json]) -> Response:
        items = self.chosen(kind, items)
        total = len(items)
        more: dict[str, int] = {}
        if kind.get("paging"):
            page, size = request.args.get("page", 1, int), min(100, request.args.get("per_page", 20, int))
            if page < 1 or size < 1:
                raise Refused(422, "Pages begin with 1")
            start = (page - 1) * size - (1 if "pages overlap" in self.faults and page > 1 else 0)
            items = items[start : start + size]
            more = {"page": page, "per_page": size, "pages": -(-total // size)}
        return jsonify({"items": [shown(kind, item) for item in items], "total": total, **more})

    def health(self) -> Json:
        return {"status": "ok"}

    def home(self) -> Json:
        places = {path: f"/{path}" for path in self.by_path}
        told = {"name": self.spec["title"], "summary": self.spec["summary"]}
        return {**told, "resources": places, "docs": "/openapi.json"}

    def description(self) -> Json:
        paths: Json = {path: {"post": {}} for path in ("/register", "/login", "/logout")} | {"/health": {"get": {}}}
        for path, kind in self.by_path.items():
            names = ["q"] * bool(kind.get("search")) + ["sort"] * bool(kind.get("sort"))
            names += ["page", "per_page"] if kind.get("paging") else []
            names += [field["name"] for field in kind["fields"]] if kind.get("filter") else []
            paths[f"/{path}"] = {"get": {"parameters": [{"name": name, "in": "query"} for name in names]}, "post": {}}
            paths[f"/{path}/{{number}}"] = {"get": {}, "put": {}, "patch": {}, "delete": {}}
            paths |= {f"/{path}/{view['slug']}": {"get": {}} for view in kind.get("views", [])}
            paths |= {f"/{path}.csv": {"get": {}}} if kind.get("csv") else {}
            for child in self.children_of(kind):
                paths[f"/{path}/{{number}}/{child['plural']}"] = {"get": {}}
        if "hides an address" in self.faults:
            del paths["/books.csv"]
        return {"openapi": "3.0.3", "info": {"title": self.spec["title"], "version": "1"}, "paths": paths}

    def register(self) -> Json:
        given = self.body()
        name, password = given.get("username"), given.get("password")
        if not isinstance(name, str) or not re.fullmatch(r"[\w.-]{3,40}", name):
            raise Refused(422, "That name cannot be used", {"username": "3 to 40 letters"})
        if not isinstance(password, str) or not 8 <= len(password) <= 200:
            raise Refused(422, "That password cannot be used", {"password": "8 to 200 characters"})
        users = self.shop.all["users"]
        if name in users:
            raise Refused(409, "That name is taken", {"username": "is taken"})
        users[name] = digest(password)
        self.shop.save()
        return {"id": len(users), "username": name}, 201

    def login(self) -> Json:
        given = self.body()
        name, password = str(given.get("username")), str(given.get("password"))
        wrong = self.shop.all["wrong"]
        if wrong.get(name, 0) >= 10 and "guess away" not in self.faults:
            raise Refused(429, "Too many tries")
        if self.shop.all["users"].get(name) != digest(password) and "any password" not in self.faults:
            wrong[name] = wrong.get(name, 0) + 1
            raise Refused(401, "Name or password is wrong")
        token = secrets.token_urlsafe(24)
        self.shop.all["tokens"][digest(token)] = name
        self.shop.save()
        return {"token": token}

    def logout(self) -> Json:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.shop.all["tokens"].pop(digest(token), None)
        self.shop.save()
        return "", 204

    def table(self, path: str) -> Response:
        kind = self.resource(path)
        if not kind.get("csv"):
            abort(404)
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(["id", *parents_of(kind), *(field["name"] for field in kind["fields"]), "created_at"])
        acting = () if "formulas" in self.faults else tuple("=+-@")
        for item in self.chosen(kind, self.shop.mine(path)):
            cells = ["" if value is None else str(value) for value in shown(kind, item).values()]
            writer.writerow([f"'{cell}" if cell[:1] in acting else cell for cell in cells])
        headers = {"Content-Disposition": f"attachment; filename={path}.csv"}
        return Response(text.getvalue(), mimetype="text/csv", headers=headers)

    def everything(self, path: str) -> Response:
        return self.listed(self.resource(path), self.shop.mine(path))

    def add(self, path: str) -> Json:
        kind = self.resource(path)
        values = self.checked(kind, self.body(), None, None)
        number = self.shop.all["next"]
        self.shop.all["next"] += 1
        stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        item = {"id": number, **values, "created_at": stamp, "owner": g.user}
        self.shop.items(path)[str(number)] = item
        self.shop.save()
        return jsonify(shown(kind, item)), 201, {"Location": f"/{path}/{number}"}

    def one(self, path: str, number: int) -> Json:
        return shown(self.resource(path), self.find(path, number))

    def change(self, path: str, number: int) -> Json:
        kind, item = self.resource(path), self.find(path, number)
        old = item if request.method == "PATCH" else None
        if "patch forgets" in self.faults and old and path == "books":
            old = {**item, "pages": None}
        item.update(self.checked(kind, self.body(), old, number))
        self.shop.save()
        return shown(kind, item)

    def remove(self, path: str, number: int) -> Json:
        kind = self.resource(path)
        self.find(path, number)
        if "keeps what is deleted" not in self.faults:
            del self.shop.items(path)[str(number)]
        for child in [] if "no cascade" in self.faults else self.children_of(kind):
            items = self.shop.items(child["plural"])
            for key in [key for key, one in items.items() if one[f"{kind['name']}_id"] == number]:
                del items[key]
        self.shop.save()
        return "", 204

    def children_of(self, kind: Json) -> list[Json]:
        return [child for child in self.spec["resources"] if kind["name"] in child.get("belongs_to", [])]

    def children(self, path: str, number: int, below: str) -> Response:
        kind, child = self.resource(path), self.resource(below)
        self.find(path, number)
        pointer = f"{kind['name']}_id"
        return self.listed(child, [one for one in self.shop.mine(below) if one.get(pointer) == number])

    def view(self, path: str, slug: str) -> Response:
        kind = self.resource(path)
        if slug not in [one["slug"] for one in kind.get("views", [])]:
            abort(404)
        today = datetime.now(UTC).date().isoformat()
        all_of_them = "view shows all" in self.faults
        return self.listed(kind, [one for one in self.shop.mine(path) if all_of_them or (one["due"] or today) < today])


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def parents_of(kind: Json) -> dict[str, str]:
    return {f"{name}_id": name for name in kind.get("belongs_to", [])}


def shown(kind: Json, item: Json) -> dict[str, Json]:
    names = [*parents_of(kind), *(field["name"] for field in kind["fields"])]
    return {"id": item["id"], **{name: item[name] for name in names}, "created_at": item["created_at"]}


def problem(error: Refused | HTTPException) -> tuple[Response, int]:
    if isinstance(error, Refused):
        fields = {"fields": error.fields} if error.fields else {}
        return jsonify({"error": {"message": error.message, **fields}}), error.status
    return jsonify({"error": {"message": error.description or "Something is wrong"}}), error.code or 500


def make_app(folder: Path, faults: frozenset[str] = frozenset(), spec: Json = SPEC) -> Flask:
    app = Flask("library")
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.config["MAX_CONTENT_LENGTH"] = 1_000_000
    library = Library(folder, faults, spec)
    app.before_request(library.who)
    app.register_error_handler(Refused, problem)
    app.register_error_handler(HTTPException, problem)
    for methods, rule, view in (
        ("GET", "/health", library.health),
        ("GET", "/", library.home),
        ("GET", "/openapi.json", library.description),
        ("POST", "/register", library.register),
        ("POST", "/login", library.login),
        ("POST", "/logout", library.logout),
        ("GET", "/<path>.csv", library.table),
        ("GET", "/<path>", library.everything),
        ("POST", "/<path>", library.add),
        ("GET", "/<path>/<int:number>", library.one),
        ("PUT PATCH", "/<path>/<int:number>", library.change),
        ("DELETE", "/<path>/<int:number>", library.remove),
        ("GET", "/<path>/<int:number>/<below>", library.children),
        ("GET", "/<path>/<slug>", library.view),
    ):
        app.add_url_rule(rule, f"{methods} {rule}", view, methods=methods.split())
    return app


def from_environment() -> Flask:
    folder = Path(os.environ["DATA_DIR"])
    return make_app(folder)
