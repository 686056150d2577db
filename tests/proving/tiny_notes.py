"""A small web app, written by hand from docs/apps.md, that keeps its word; and by request breaks it in one place."""

import csv
import io
import secrets
from collections import Counter
from datetime import UTC, datetime
from html import escape
from typing import Any

from flask import Flask, Response, abort, redirect, request, session
from werkzeug.exceptions import HTTPException

Json = Any
KINDS = ("idea", "task")
SPEC: Json = {
    "kind": "web_app",
    "name": "notes",
    "title": "My Notes",
    "summary": "Keeps notes.",
    "storage": "sqlite",
    "dark_mode": True,
    "charts": [{"resource": "note", "by": "kind"}],
    "pages": [{"slug": "about", "title": "About", "sections": [{"heading": "Why & how", "text": "Because."}]}],
    "resources": [
        {
            "name": "note",
            "plural": "notes",
            "label": "Note",
            "plural_label": "Notes",
            "fields": [
                {"name": "title", "label": "Title", "required": True},
                {"name": "kind", "label": "Kind", "type": "choice", "choices": list(KINDS), "default": "idea"},
                {"name": "done", "label": "Done", "type": "yes_no"},
            ],
            "search": True,
            "filter": True,
            "sort": True,
            "paging": True,
            "csv": True,
        }
    ],
}
STYLE = "@media (prefers-reduced-motion) {} @media (prefers-color-scheme: dark) {}"


class Notes:
    """The pages, one method for each address."""

    def __init__(self, faults: frozenset[str]) -> None:
        self.faults = faults
        self.items: dict[int, Json] = {}
        self.next = 1

    def page(self, heading: str, inside: str, status: int = 200) -> tuple[str, int]:
        twice = f"<h1>{escape(heading)}</h1>" * (2 if "two headings" in self.faults else 1)
        button = "" if "no button" in self.faults else "<button id=theme>Dark</button>"
        links = '<a href="#main">Skip</a><nav><a href="/">My Notes</a> <a href="/notes">Notes</a></nav>'
        head = f'<meta name="viewport" content="width=device-width"><title>{escape(heading)} - My Notes</title>'
        return (
            f"<!doctype html><html lang=en><head>{head}<style>{STYLE}</style></head>"
            f"<body>{links}{button}<main id=main>{twice}{inside}</main></body></html>"
        ), status

    def form(self, target: str, values: Json, wrong: str = "", status: int = 200) -> tuple[str, int]:
        token = session.setdefault("csrf", secrets.token_hex(8))
        chosen = "".join(
            f"<option value={kind}{' selected' if values.get('kind') == kind else ''}>{kind}</option>" for kind in KINDS
        )
        label = "" if "no labels" in self.faults else "<label for=title>Title</label>"
        title = "" if wrong and "forgets what was typed" in self.faults else escape(values.get("title") or "")
        ticked = " checked" if values.get("done") else ""
        return self.page(
            "A note",
            f'<form method=post action="{target}"><input type=hidden name=csrf_token value="{token}">{label}'
            f'<input id=title name=title value="{title}"> <em>{wrong}</em>'
            f"<label>Kind <select name=kind><option value=''></option>{chosen}</select></label>"
            f"<label>Done <input type=checkbox name=done value=yes{ticked}></label><button>Save</button></form>",
            status,
        )

    def home(self) -> Json:
        return self.page("My Notes", '<a href="/notes">Notes</a>')

    def chosen(self) -> list[Json]:
        asked = request.args
        found = list(self.items.values())
        if asked.get("q"):
            found = [one for one in found if asked["q"].lower() in f"{one['title']} {one['kind']}".lower()]
        for name in ("title", "kind"):
            found = [one for one in found if one[name] == asked[name]] if asked.get(name) else found
        if asked.get("done"):
            found = [one for one in found if one["done"] == (asked["done"] in {"true", "yes"})]
        sort = asked.get("sort", "")
        name = sort.removeprefix("-")
        found = (
            sorted(found, key=lambda one: one[name] or "", reverse=sort.startswith("-")) if name == "title" else found
        )
        return found[::-1] if sort == "-id" else found

    def listed(self) -> Json:
        found, page = self.chosen(), request.args.get("page", 1, int)
        shown = found[20 * page - 20 : 20 * page]
        show = (lambda text: text) if "unescaped list" in self.faults else escape
        rows = "".join(f'<li><a href="/notes/{one["id"]}">{show(one["title"])}</a></li>' for one in shown)
        pages = "".join(f'<a href="/notes?page={n}">{n}</a>' for n in range(1, len(found) // 20 + 2))
        return self.page("Notes", f"<ul>{rows}</ul>{pages}<a href='/notes/new'>New</a><a href='/notes.csv'>Table</a>")

    def table(self) -> Response:
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(["id", "title", "kind", "done", "created_at"])
        for one in self.chosen():
            guard = "'" if one["title"][0] in "=+-@" else ""
            writer.writerow([one["id"], guard + one["title"], one["kind"], one["done"], one["created_at"]])
        return Response(text.getvalue(), mimetype="text/csv", headers={"Content-Disposition": "attachment"})

    def read(self, target: str, number: int | None) -> Json:
        if request.form.get("csrf_token") != session.get("csrf") and "no guard" not in self.faults:
            abort(400)
        values: Json = {"title": request.form.get("title", "").strip(), "kind": request.form.get("kind") or None}
        values |= {"done": request.form.get("done") == "yes"}
        wrong = "" if 0 < len(values["title"]) <= 200 else "has 1 to 200 letters"
        wrong = wrong or ("" if values["kind"] in {None, *KINDS} else "is not a kind")
        if wrong:
            return self.form(target, values, wrong, 422)
        if number is None:
            number, self.next = self.next, self.next + 1
            stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            self.items[number] = {"id": number, "created_at": stamp}
        self.items[number] |= values
        return redirect(f"/notes/{number}")

    def new(self) -> Json:
        target = "/notes/new"
        return self.read(target, None) if request.method == "POST" else self.form(target, {"kind": "idea"})

    def one(self, number: int) -> Json:
        item = self.items.get(number) or abort(404)
        show = (lambda text: text) if "unescaped" in self.faults else escape
        return self.page("A note", f"<p>{show(item['title'])}</p><a href='/notes/{number}/edit'>Change</a>")

    def edit(self, number: int) -> Json:
        item = self.items.get(number) or abort(404)
        target = f"/notes/{number}/edit"
        return self.read(target, number) if request.method == "POST" else self.form(target, item)

    def delete(self, number: int) -> Json:
        self.items.get(number) or abort(404)
        if request.method == "POST":
            if "keeps what is deleted" not in self.faults:
                del self.items[number]
            return redirect("/notes")
        token = session.setdefault("csrf", secrets.token_hex(8))
        hidden = f'<input type=hidden name=csrf_token value="{token}">'
        return self.page(
            "Sure?", f"<form method=post action='/notes/{number}/delete'>{hidden}<button>Yes</button></form>"
        )

    def about(self) -> Json:
        lost = "loses text" in self.faults
        return self.page("About", f"<h2>Why &amp; how</h2><p>{'' if lost else 'Because.'}</p>")

    def charts(self) -> Json:
        counts = Counter(one["kind"] for one in self.items.values() if one["kind"])
        more = 1 if "wrong figures" in self.faults else 0
        rows = "".join(f"<tr><th>{kind}</th><td>{count * (1 + more)}</td></tr>" for kind, count in counts.items())
        return self.page("Charts", f"<svg><title>Notes by kind</title></svg><table>{rows}</table>")

    def problem(self, error: HTTPException) -> Json:
        if "bare errors" in self.faults:
            return "no", error.code or 500
        return self.page(error.name, "<p>Sorry</p>", error.code or 500)


def make_app(faults: frozenset[str] = frozenset()) -> Flask:
    app = Flask("notes")
    app.secret_key = "only for tests"
    notes = Notes(faults)
    app.register_error_handler(HTTPException, notes.problem)
    app.add_url_rule("/health", "health", lambda: {"status": "ok"})
    for rule, view in (
        ("/", notes.home),
        ("/notes", notes.listed),
        ("/notes.csv", notes.table),
        ("/notes/<int:number>", notes.one),
        ("/about", notes.about),
        ("/charts", notes.charts),
    ):
        app.add_url_rule(rule, rule, view)
    for rule, posted in (
        ("/notes/new", notes.new),
        ("/notes/<int:number>/edit", notes.edit),
        ("/notes/<int:number>/delete", notes.delete),
    ):
        app.add_url_rule(rule, rule, posted, methods=["GET", "POST"])
    return app
