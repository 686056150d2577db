"""Rich specs that the tests of all generators share: every type and feature, names and labels that could go wrong."""

from contracts.app_spec import (
    AppField,
    AppSpec,
    Condition,
    FieldType,
    Kind,
    Language,
    Login,
    Op,
    Resource,
    View,
)

HOSTILE = "</script>{{ x }}{% raw %} \"quoted\" 'single' \\back #{y} ${z} <b>&amp;</b> `tick` é 漢字 🎉 \u202egnitseT"
"""A label that breaks whatever puts it into code, SQL or HTML as it is."""


def field(name: str, kind: str = "text", **more: object) -> AppField:
    values = {"name": name, "label": name.replace("_", " ").capitalize(), "type": kind, **more}
    return AppField.model_validate(values)


def resource(name: str, plural: str, *fields: AppField, **more: object) -> Resource:
    label, several = (word.replace("_", " ").capitalize() for word in (name, plural))
    values = {"name": name, "plural": plural, "label": label, "plural_label": several, "fields": fields, **more}
    return Resource.model_validate(values)


def spec(kind: Kind, *resources: Resource, **more: object) -> AppSpec:
    tool = kind is Kind.CLI_TOOL or more.get("language") is Language.NODE
    storage = ("json" if tool else "sqlite") if resources else "none"
    values = {
        "kind": kind,
        "name": "my-app",
        "title": "My App",
        "summary": "Keeps what matters.",
        "resources": resources,
        "storage": storage,
        **more,
    }
    if kind is Kind.FULL_STACK and "ui" not in more:
        values["ui"] = "html"
    return AppSpec.model_validate(values)


def notes() -> Resource:
    """The smallest: one field, no feature."""
    return resource("note", "notes", field("title", required=True))


def everything() -> Resource:
    """Every type, each once plain and once with rules, and every feature."""
    fields = (
        field("title", required=True),
        field("code", unique=True),
        field("about", "long_text"),
        field("story", "long_text", required=True),
        field("weight", "number", minimum=0.5, maximum=99.5),
        field("height", "number", required=True),
        field("pages", "integer", minimum=1, maximum=5000),
        field("copies", "integer", required=True, default=1),
        field("done", "yes_no"),
        field("wanted", "yes_no", default=True),
        field("due_date", "date"),
        field("added_on", "date", default="today"),
        field("starts_at", "time"),
        field("ends_at", "time", required=True),
        field("contact", "email", unique=True),
        field("homepage", "url"),
        field("status", "choice", choices=("open", "in progress", "done"), default="open"),
        field("colour", "choice", choices=("red", "green"), required=True),
        field("price", "money", minimum=0, maximum=1000),
        field("cost", "money", required=True),
    )
    views = (
        view(
            "overdue", Condition(field="due_date", op=Op.BEFORE_TODAY), Condition(field="done", op=Op.IS, value=False)
        ),
        view("due-today", Condition(field="due_date", op=Op.TODAY)),
        view("upcoming", Condition(field="due_date", op=Op.AFTER_TODAY)),
        view("long-ones", Condition(field="pages", op=Op.ABOVE, value=300)),
        view("cheap", Condition(field="price", op=Op.BELOW, value=9.99)),
        view("not-done", Condition(field="status", op=Op.IS_NOT, value="done")),
        view("red-ones", Condition(field="colour", op=Op.IS, value="red")),
    )
    return resource("thing", "things", *fields, views=views, **FEATURES)


FEATURES = {"search": True, "filter": True, "sort": True, "paging": True, "csv": True}


def view(slug: str, *conditions: Condition) -> View:
    return View(slug=slug, title=slug.replace("-", " ").capitalize(), conditions=conditions)


def library() -> tuple[Resource, ...]:
    """Five resources that belong to each other, with different features each."""
    return (
        resource("author", "authors", field("full_name", required=True), field("born", "date"), search=True),
        resource("shelf", "shelves", field("room", required=True, unique=True), field("places", "integer"), sort=True),
        resource(
            "book",
            "books",
            field("title", required=True),
            field("isbn", unique=True),
            field("pages", "integer", minimum=1),
            field("lent", "yes_no"),
            belongs_to=("author", "shelf"),
            views=(view("lent-out", Condition(field="lent", op=Op.IS, value=True)),),
            **FEATURES,
        ),
        resource(
            "review",
            "reviews",
            field("stars", "integer", required=True, minimum=1, maximum=5),
            field("words", "long_text"),
            belongs_to=("book",),
            append_only=True,
            filter=True,
        ),
        resource("visit", "visits", field("day", "date", default="today"), append_only=True, paging=True),
    )


def odd_words() -> tuple[Resource, ...]:
    """Names that mean something in SQL, Python, JavaScript, HTTP or HTML."""
    return (
        resource("order", "orders", field("index", required=True), field("group"), field("select"), field("values")),
        resource(
            "group",
            "groups",
            field("table", unique=True, required=True),
            field("where"),
            field("json", "long_text"),
            field("name"),
            field("path", "url"),
            field("items", "integer", minimum=0),
            field("total", "money"),
            field("self", "yes_no"),
            field("key", "choice", choices=("null", "None", "true", "1")),
            belongs_to=("order",),
            **FEATURES,
        ),
        resource("csv", "references", field("date", "date", required=True), field("time", "time"), csv=True, sort=True),
    )


def hostile() -> tuple[Resource, ...]:
    """Labels and choices that people would hardly type, and an app must not mind."""
    texts = Resource(
        name="text_line",
        plural="text_lines",
        label=HOSTILE,
        plural_label=HOSTILE[:60],
        fields=(
            AppField(name="first", label=HOSTILE, required=True),
            AppField(
                name="kind",
                label="'; DROP TABLE text_lines; --",
                type=FieldType.CHOICE,
                choices=(HOSTILE, "'; DROP TABLE x; --", '"""', "\\", "{{ 7 * 7 }}", "=1+1", "x" * 120, "漢" * 100),
                default=HOSTILE,
            ),
            AppField(name="words", label="\\", default="a 'quoted' \"text\"\\n" + "word " * 30),
        ),
        views=(View(slug="odd", title=HOSTILE, conditions=(Condition(field="kind", op=Op.IS, value=HOSTILE),)),),
    )
    return (texts.model_copy(update=FEATURES),)


def wide() -> Resource:
    """Forty fields, with names and labels of all lengths."""
    kinds = [kind for kind in FieldType if kind is not FieldType.CHOICE]
    fields = [
        AppField(name=f"f{'x' * (number - 1)}", label="L" * (3 * number), type=kinds[number % len(kinds)])
        for number in range(1, 40)
    ]
    return resource("row", "table_rows", field("name", required=True), *fields, **FEATURES)


def api_specs() -> dict[str, AppSpec]:
    """For the generators of APIs, by a word that says what is special."""
    return {
        "notes": spec(Kind.API, notes()),
        "everything": spec(Kind.API, everything()),
        "library": spec(Kind.API, *library(), login=Login(private=True)),
        "shared": spec(Kind.API, *library(), login=Login(private=False)),
        "odd_words": spec(Kind.API, *odd_words(), api_key=True),
        "hostile": spec(Kind.API, *hostile(), title=HOSTILE, summary=HOSTILE),
        "wide": spec(Kind.API, wide()),
        "full_stack": spec(Kind.FULL_STACK, notes(), everything(), login=Login()),
    }
