"""Says back in plain words what was understood."""

from contracts.app_spec import AppField, AppSpec, FieldType, Kind, Language, Op, Resource, View
from contracts.words import counted
from understanding.english import with_article
from understanding.text import listed

KINDS = {
    Kind.HELLO_API: "an API that says hello",
    Kind.API: "an API",
    Kind.WEB_APP: "a web app",
    Kind.FULL_STACK: "an API with a front end",
    Kind.CLI_TOOL: "a command-line tool",
    Kind.PIPELINE: "a program that reads files and makes figures of them",
    Kind.SITE: "a site",
}
KINDS_OF_FIELDS = {
    FieldType.YES_NO: "yes or no",
    FieldType.LONG_TEXT: "long text",
    FieldType.INTEGER: "whole number",
    FieldType.URL: "link",
}
FEATURES = {
    "search": "search",
    "filter": "filters",
    "sort": "sorting",
    "paging": "pages of 20",
    "csv": "a CSV download",
}

OPS = {
    Op.IS: "is",
    Op.IS_NOT: "is not",
    Op.ABOVE: "above",
    Op.BELOW: "below",
    Op.BEFORE_TODAY: "before today",
    Op.TODAY: "is today",
    Op.AFTER_TODAY: "after today",
}
KINDS_OF_FIELDS = {
    FieldType.YES_NO: "yes or no",
    FieldType.LONG_TEXT: "long text",
    FieldType.INTEGER: "whole number",
    FieldType.URL: "link",
}


def describe(spec: AppSpec) -> str:
    """One paragraph."""
    language = " in JavaScript (Node)" if spec.language is Language.NODE else ""
    kind = KINDS[spec.kind]
    parts = [f"{kind[0].upper()}{kind[1:]}{language} called “{spec.title}”{_keeps(spec)}."]
    parts += [_belongs(resource, spec) for resource in spec.resources if resource.belongs_to]
    parts += _abilities(spec)
    parts += _pipeline(spec)
    if spec.pages:
        parts.append(
            f"It has {counted(len(spec.pages), 'page')} of text: {listed([page.title for page in spec.pages])}."
        )
    if spec.kind is Kind.WEB_APP and not spec.resources and not spec.pages:
        parts.append("Its home page says hello.")
    return " ".join(parts)


def _keeps(spec: AppSpec) -> str:
    if not spec.resources or spec.kind is Kind.PIPELINE:
        return ""
    where = {"sqlite": "a database file (SQLite)", "json": "a JSON file"}[spec.storage]
    return f" that keeps {'; and '.join(thing_in_words(resource) for resource in spec.resources)}, all in {where}"


def thing_in_words(resource: Resource) -> str:
    """`books, each with title (required), author and year (whole number)`."""
    return f"{resource.plural_label.lower()}, each with {listed([field_in_words(field) for field in resource.fields])}"


def field_in_words(field: AppField) -> str:
    label = field.label.lower() if not field.label.isupper() else field.label
    said = [word for word, holds in (("must be given", field.required), ("each only once", field.unique)) if holds]
    if field.type is FieldType.CHOICE:
        said.append(" / ".join(field.choices))
    if field.minimum is not None and field.maximum is not None:
        said.append(f"{field.minimum:g} to {field.maximum:g}")
    if field.default is not None:
        said.append(f"at first {str(field.default).lower() if isinstance(field.default, bool) else field.default}")
    kind = KINDS_OF_FIELDS.get(field.type, "" if field.type in {FieldType.TEXT, FieldType.CHOICE} else field.type.value)
    if kind and kind not in label:
        said.insert(0, kind)
    return f"{label} ({', '.join(said)})" if said else label


def _belongs(resource: Resource, spec: AppSpec) -> str:
    parents = [with_article(spec.resource(parent).label.lower()) for parent in resource.belongs_to]
    return f"Each {resource.label.lower()} belongs to {listed(parents)}."


def _abilities(spec: AppSpec) -> list[str]:
    have = [words for name, words in FEATURES.items() if any(getattr(resource, name) for resource in spec.resources)]
    have += ["light and dark colours"] if spec.dark_mode else []
    have += ["a chart"] if spec.charts else []
    have += ["an API key"] if spec.api_key else []
    lines = [f"It has {listed(have)}."] if have else []
    if spec.login:
        whose = "their own items" if spec.login.private else "everybody's items"
        lines.append(f"People sign in with a name and a password and see {whose}.")
    views = [view_in_words(resource, view) for resource in spec.resources for view in resource.views]
    lines += [f"Lists of their own: {listed(views)}."] if views else []
    kept = [resource.plural_label for resource in spec.resources if resource.append_only]
    lines += [f"{listed(kept)} can be added and read, not changed or deleted."] if kept else []
    if spec.ui:
        lines.append(f"The front end under `/ui/` is {'written in React' if spec.ui == 'react' else 'plain HTML'}.")
    return lines


def view_in_words(resource: Resource, view: View) -> str:
    """`Overdue todos (due date before today, done is no)`."""
    told = []
    for condition in view.conditions:
        label = resource.field(condition.field).label.lower()
        value = ("no", "yes")[condition.value] if isinstance(condition.value, bool) else condition.value
        told.append(f"{label} {OPS[condition.op]}{'' if condition.value is None else f' {value}'}")
    return f"{view.title} ({', '.join(told)})"


def _pipeline(spec: AppSpec) -> list[str]:
    if spec.pipeline is None:
        return []
    told = [
        f"It reads {spec.pipeline.reads.upper()} files and writes a summary, a page with a chart, and a short table."
    ]
    if spec.resources:
        told.append(f"Columns: {listed([field.label for field in spec.resources[0].fields])}.")
    by, measure = ((word or "").replace("_", " ") for word in (spec.pipeline.group_by, spec.pipeline.measure))
    if by:
        told.append(f"For each {by} it counts the rows{f' and adds up and averages {measure}' if measure else ''}.")
    elif measure:
        told.append(f"It adds up and averages {measure}.")
    return told


def what_next(deploy: str, target: str | None) -> str:
    if target == "demo":
        return "Then it is tested and put on the demo cloud on this machine, which nobody else can reach."
    if target:
        return f"Then it is tested and put online with {target.capitalize()}."
    ends = {
        "auto": "Then it is tested and put online.",
        "local": "Then it is tested and started here.",
        "no": "Then it is tested.",
    }
    return ends[deploy]
