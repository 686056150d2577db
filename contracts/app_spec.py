"""What an app shall be, agreed before a line of it is written. `docs/apps.md` says how an app of each kind behaves.

Names are safe in Python, JavaScript, SQL, paths and HTML by their form. Titles, labels and texts are whatever a person
wrote: data, to be escaped wherever they are put.
"""

import builtins
import keyword
import re
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator


class Kind(StrEnum):
    HELLO_API = "hello_api"
    API = "api"
    WEB_APP = "web_app"
    FULL_STACK = "full_stack"
    CLI_TOOL = "cli_tool"
    PIPELINE = "pipeline"
    SITE = "site"


SERVED = frozenset({Kind.HELLO_API, Kind.API, Kind.WEB_APP, Kind.FULL_STACK, Kind.SITE})
"""Kinds that are shown in a browser or called over HTTP."""
API_KINDS = frozenset({Kind.API, Kind.FULL_STACK})


class Language(StrEnum):
    PYTHON = "python"
    NODE = "node"


class FieldType(StrEnum):
    TEXT = "text"
    LONG_TEXT = "long_text"
    NUMBER = "number"
    INTEGER = "integer"
    YES_NO = "yes_no"
    DATE = "date"
    TIME = "time"
    EMAIL = "email"
    URL = "url"
    CHOICE = "choice"
    MONEY = "money"


SEARCHABLE = frozenset({FieldType.TEXT, FieldType.LONG_TEXT, FieldType.EMAIL, FieldType.URL, FieldType.CHOICE})
COUNTABLE = frozenset({FieldType.NUMBER, FieldType.INTEGER, FieldType.MONEY})

OWN_COLUMNS = frozenset({"id", "created_at", "owner_id"})
"""Names that every table has for itself."""
WORDS_OF_QUERIES = frozenset({"q", "sort", "page", "per_page", "csrf_token"})
JAVASCRIPT = frozenset(
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends "
    "false finally for function if implements import in instanceof interface let new null package private protected "
    "public return static super switch this throw true try typeof undefined var void while with yield constructor "
    "prototype toString valueOf hasOwnProperty __proto__".split()
)
TAKEN_PATHS = frozenset(
    "health openapi static ui login logout register charts api docs new edit delete app main test tests data "
    "store config models routes schema migrations users user sessions views node_modules index request response "
    "session g current_app".split()
)
"""Names that generated apps have uses of their own for, as routes, modules, tables or objects of the framework."""
RESERVED = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *JAVASCRIPT})

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def is_free_name(name: str) -> bool:
    """Whether a name can be used for a field everywhere without meaning something else."""
    return bool(NAME.fullmatch(name)) and len(name) <= 40 and name not in RESERVED


Name = Annotated[str, StringConstraints(pattern=rf"^{NAME.pattern}$", max_length=40)]
Slug = Annotated[str, StringConstraints(pattern=rf"^{SLUG.pattern}$", max_length=40)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""One line that a person wrote."""
Prose = Annotated[str, StringConstraints(max_length=2000)]
Value = bool | int | float | str


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AppField(Part):
    """One thing that is known of each item, such as the title of a book."""

    name: Name
    label: Line
    type: FieldType = FieldType.TEXT
    required: bool = False
    unique: bool = False
    default: Value | None = None
    """In the JSON form of its type; for a date also `today`."""
    choices: tuple[Line, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    was: Name | None = None
    """The name that it had before it was given this one, so that what is kept under that is found."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not is_free_name(self.name) or self.name in OWN_COLUMNS | WORDS_OF_QUERIES:
            raise ValueError(f"`{self.name}` has another meaning already")
        if (self.type is FieldType.CHOICE) != bool(self.choices):
            raise ValueError(f"`{self.name}`: a choice has its values, and nothing else has any")
        if len(set(self.choices)) != len(self.choices) or len(self.choices) > 50:
            raise ValueError(f"`{self.name}`: up to 50 values, each of them once")
        if (self.minimum is not None or self.maximum is not None) and self.type not in COUNTABLE:
            raise ValueError(f"`{self.name}`: only numbers have a smallest or largest value")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError(f"`{self.name}`: the smallest value is above the largest")
        return self


class Op(StrEnum):
    """What a view asks of a field. The last three are for dates."""

    IS = "is"
    IS_NOT = "is_not"
    ABOVE = "above"
    BELOW = "below"
    BEFORE_TODAY = "before_today"
    TODAY = "today"
    AFTER_TODAY = "after_today"


class Condition(Part):
    field: Name
    op: Op
    value: Value | None = None
    """In the JSON form of the field's type; none for the ops about today."""


class View(Part):
    """The items for which all conditions hold, such as what is overdue. One that lacks the value is not among them."""

    slug: Slug
    title: Line
    conditions: Annotated[tuple[Condition, ...], Field(min_length=1, max_length=5)]


class Resource(Part):
    """One kind of thing that the app keeps, such as books."""

    name: Name
    plural: Name
    """The table, and with dashes the path."""
    label: Line
    plural_label: Line
    fields: Annotated[tuple[AppField, ...], Field(min_length=1, max_length=40)]
    belongs_to: tuple[Name, ...] = ()
    """Names of resources of which each item has one; it keeps that in the field `<name>_id`, which is required."""
    search: bool = False
    filter: bool = False
    sort: bool = False
    paging: bool = False
    csv: bool = False
    views: tuple[View, ...] = ()
    quick_add: bool = False
    """The list page has the form for a new item on it."""
    append_only: bool = False
    """Items can be added and read, not changed or deleted, as in a guestbook."""
    was: Name | None = None
    """The name that it had before, as with fields."""

    @property
    def path(self) -> str:
        return self.plural.replace("_", "-")

    @property
    def main(self) -> AppField:
        """The field by which people know an item: the first required text, else the first text, else the first."""
        texts = [field for field in self.fields if field.type is FieldType.TEXT]
        return next((field for field in texts if field.required), next(iter(texts), self.fields[0]))

    @property
    def parents(self) -> tuple[str, ...]:
        """The fields that point to what each item belongs to."""
        return tuple(f"{name}_id" for name in self.belongs_to)

    def field(self, name: str) -> AppField:
        """Raises KeyError."""
        return {field.name: field for field in self.fields}[name]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        names = [field.name for field in self.fields] + list(self.parents)
        if len(set(names)) != len(names):
            raise ValueError(f"`{self.name}` has a field twice")
        if len(set(self.belongs_to)) != len(self.belongs_to):
            raise ValueError(f"`{self.name}` belongs to something twice")
        for name in (self.name, self.plural):
            if not is_free_name(name) or name in TAKEN_PATHS:
                raise ValueError(f"`{name}` has another meaning already")
        if self.name == self.plural:
            raise ValueError(f"`{self.name}` needs another word for several of them")
        known = {field.name for field in self.fields}
        if any(condition.field not in known for view in self.views for condition in view.conditions):
            raise ValueError(f"a view of `{self.plural}` asks about a field that is not there")
        slugs = [view.slug for view in self.views]
        if len(set(slugs)) != len(slugs) or {"new", "edit", "delete"} & set(slugs):
            raise ValueError(f"two views of `{self.plural}` would have the same address")
        return self


class Login(Part):
    private: bool = True
    """Whether each person sees only what they added themselves."""


class Chart(Part):
    """Bars: the items of a resource by the values of a field, counted or with a number of theirs added up."""

    resource: Name
    by: Name
    total: Name | None = None


class Section(Part):
    heading: Line
    text: Prose = ""
    points: tuple[Line, ...] = ()


class Page(Part):
    """A page of a site or web app that shows text. `index` is the home page."""

    slug: Slug
    title: Line
    sections: tuple[Section, ...] = ()


class Pipeline(Part):
    """What is made of tables of data. The columns, if they are known, are the fields of the one resource."""

    reads: Literal["csv", "json"] = "csv"
    group_by: Name | None = None
    measure: Name | None = None
    """The number that is added up and averaged for each group."""


class AppSpec(Part):
    """One app. The same spec always gives the same files."""

    version: Literal[1] = 1
    kind: Kind
    name: Slug
    title: Line
    summary: Line
    """What it is, in one sentence, for those who use it."""
    language: Language = Language.PYTHON
    resources: Annotated[tuple[Resource, ...], Field(max_length=12)] = ()
    storage: Literal["sqlite", "json", "none"] = "none"
    login: Login | None = None
    api_key: bool = False
    dark_mode: bool = False
    charts: tuple[Chart, ...] = ()
    pages: Annotated[tuple[Page, ...], Field(max_length=12)] = ()
    pipeline: Pipeline | None = None
    ui: Literal["html", "react"] | None = None
    """A front end for an API, served by it under `/ui/`."""

    def resource(self, name: str) -> Resource:
        """Raises KeyError."""
        return {resource.name: resource for resource in self.resources}[name]

    def children_of(self, resource: Resource) -> tuple[Resource, ...]:
        return tuple(other for other in self.resources if resource.name in other.belongs_to)

    def to_json(self) -> dict[str, Any]:
        """Without what is as usual, so that people can read it."""
        return {"version": self.version, **self.model_dump(mode="json", exclude_defaults=True)}

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        names = [word for resource in self.resources for word in (resource.name, resource.plural)]
        if len(set(names)) != len(names):
            raise ValueError("two resources have the same name")
        earlier: set[str] = set()
        for resource in self.resources:
            if not earlier.issuperset(resource.belongs_to):
                raise ValueError(f"`{resource.name}` belongs to something that does not come before it")
            earlier.add(resource.name)
        if self.login is not None and any("owner" in resource.belongs_to for resource in self.resources):
            raise ValueError("with a login, `owner` is whoever added something; call that resource otherwise")
        for chart in self.charts:
            columns = {field.name for field in self.resource(chart.resource).fields}
            if not columns.issuperset(filter(None, (chart.by, chart.total))):
                raise ValueError("a chart shows a field that is not there")
        slugs = [page.slug for page in self.pages]
        if len(set(slugs)) != len(slugs):
            raise ValueError("two pages have the same address")
        return self

    @model_validator(mode="after")
    def _kind_fits(self) -> Self:
        for wrong, words in self._mismatches():
            if wrong:
                raise ValueError(f"{words} ({self.kind.value})")
        return self

    def _mismatches(self) -> list[tuple[bool, str]]:
        kind, node = self.kind, self.language is Language.NODE
        keeps = kind in {*API_KINDS, Kind.WEB_APP, Kind.CLI_TOOL} and bool(self.resources)
        paged = {Kind.WEB_APP, Kind.FULL_STACK, Kind.SITE}
        return [
            (kind in {*API_KINDS, Kind.CLI_TOOL} and not self.resources, "this kind of app needs something to keep"),
            (kind in {Kind.HELLO_API, Kind.SITE} and bool(self.resources), "this kind of app keeps nothing"),
            (keeps == (self.storage == "none"), "what is kept needs a place, and only that"),
            (self.storage == "json" and not (node or kind is Kind.CLI_TOOL), "only Node apps and tools keep JSON"),
            (self.storage == "sqlite" and node, "Node apps keep JSON"),
            (node and kind not in {Kind.API, Kind.CLI_TOOL, Kind.HELLO_API}, "this kind of app is written in Python"),
            (self.login is not None and (node or kind not in {*API_KINDS, Kind.WEB_APP}), "there is no login here"),
            (self.login is not None and not self.resources, "a login protects what is kept"),
            (self.api_key and kind not in API_KINDS, "only an API has a key"),
            (self.api_key and self.login is not None, "an API has a key or a login"),
            (bool(self.charts) and kind is not Kind.WEB_APP, "only a web app has charts of what it keeps"),
            (self.dark_mode and kind not in paged, "only pages can be dark"),
            (bool(self.pages) and kind not in {Kind.WEB_APP, Kind.SITE}, "only web apps and sites have pages"),
            (kind is Kind.SITE and "index" not in {page.slug for page in self.pages}, "a site needs a home page"),
            ((kind is Kind.PIPELINE) != (self.pipeline is not None), "only a pipeline says what it makes of data"),
            (kind is Kind.PIPELINE and len(self.resources) > 1, "a pipeline reads one kind of table"),
            ((kind is Kind.FULL_STACK) and self.ui is None, "a full-stack app has a front end"),
            (self.ui is not None and (kind not in API_KINDS or node), "only an API in Python has a front end"),
        ]


class Migration(Part):
    """One change of the database, never altered once written. The app applies those that it has not seen, in order."""

    name: Name
    sql: tuple[str, ...]
