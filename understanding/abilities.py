"""Gives an app what was asked for besides what it keeps, and says what its kind cannot have."""

from dataclasses import dataclass, field, replace
from typing import Any

from contracts.app_spec import AppField, Chart, FieldType, Kind, Language, Login, Resource
from understanding.charting import make_chart, most_likely
from understanding.features import Features
from understanding.fields import read_field
from understanding.names import name_field
from understanding.text import sentence_case
from understanding.value_types import is_field_word, type_of
from understanding.views import ViewWish, make_view, missing_field, thing_of

OF_LISTS = ("search", "filter", "sort", "paging", "csv")
PAGED = frozenset({Kind.WEB_APP, Kind.FULL_STACK, Kind.SITE})
WITH_LOGIN = frozenset({Kind.API, Kind.FULL_STACK, Kind.WEB_APP})
WITH_LISTS = frozenset({Kind.API, Kind.FULL_STACK, Kind.WEB_APP, Kind.CLI_TOOL})
KIND_WORDS = {
    Kind.HELLO_API: "an API that only says hello",
    Kind.API: "an API",
    Kind.WEB_APP: "a web app",
    Kind.FULL_STACK: "an API with a front end",
    Kind.CLI_TOOL: "a command-line tool",
    Kind.PIPELINE: "a program that makes figures",
    Kind.SITE: "a site without data",
}


@dataclass(slots=True)
class Abilities:
    """Parts of a spec, and what is to be said about them."""

    resources: tuple[Resource, ...] = ()
    login: Login | None = None
    api_key: bool = False
    dark_mode: bool = False
    charts: tuple[Chart, ...] = ()
    assumptions: list[str] = field(default_factory=list)
    cannot: list[str] = field(default_factory=list)

    def parts(self) -> dict[str, Any]:
        return {
            "resources": self.resources,
            "login": self.login,
            "api_key": self.api_key,
            "dark_mode": self.dark_mode,
            "charts": self.charts,
        }


def give(
    kind: Kind, language: Language, resources: tuple[Resource, ...], features: Features, *, together: bool
) -> Abilities:
    """`together`: the words speak of a group, whose members share what they keep."""
    given = Abilities(resources)
    on = features.on
    lists = [name for name in OF_LISTS if name in on]
    if lists and kind in WITH_LISTS:
        given.resources = tuple(resource.model_copy(update=dict.fromkeys(lists, True)) for resource in given.resources)
    elif lists:
        given.cannot.append(_not_here(" and ".join(lists), kind))
    for name in ("append_only", "quick_add"):
        if name in on and kind in WITH_LISTS:
            given.resources = tuple(resource.model_copy(update={name: True}) for resource in given.resources)
    if "login" in on:
        _give_login(given, kind, language, features, together)
    _give_key_and_colours(given, kind, on)
    if "charts" in on:
        _give_chart(given, kind, features)
    return given


def _give_key_and_colours(given: Abilities, kind: Kind, on: set[str]) -> None:
    given.api_key = "api_key" in on and kind in {Kind.API, Kind.FULL_STACK} and given.login is None
    if "api_key" in on and not given.api_key:
        given.cannot.append("An API key: only an API without a login has one")
    given.dark_mode = "dark_mode" in on and kind in PAGED
    if "dark_mode" in on and not given.dark_mode:
        given.cannot.append(_not_here("Dark mode", kind))


def _not_here(what: str, kind: Kind) -> str:
    return f"{sentence_case(what)}: there is none in {KIND_WORDS[kind]}"


def _give_login(given: Abilities, kind: Kind, language: Language, features: Features, together: bool) -> None:
    if kind not in WITH_LOGIN or language is Language.NODE or not given.resources:
        where = "an app in Node" if language is Language.NODE and kind in WITH_LOGIN else KIND_WORDS[kind]
        given.cannot.append(f"Signing in: there is none in {where}. A model could write it")
        return
    private = features.private if features.private is not None else not together
    given.login = Login(private=private)
    if features.private is None:
        whose = "only what they added themselves" if private else "what everybody added"
        given.assumptions.append(f"Whoever signs in sees {whose}")


def _give_chart(given: Abilities, kind: Kind, features: Features) -> None:
    if kind is not Kind.WEB_APP:
        given.cannot.append(f"Charts: only a web app has them, and this is {KIND_WORDS[kind]}")
        return
    by, of = features.by.get("charts.by", ""), features.by.get("charts.of", "")
    chart = make_chart(given.resources, by, of) or _chart_by_new_field(given, by, of)
    if chart is None:
        wanted = f"A chart by {by}" if by else "A chart"
        given.cannot.append(f"{wanted}: no field has values that could be bars. Add one, such as a category")
        return
    given.charts = (chart,)
    total = f"adds up {chart.total.replace('_', ' ')}" if chart.total else "counts"
    given.assumptions.append(f"The chart {total} by {chart.by.replace('_', ' ')}")


def _chart_by_new_field(given: Abilities, by: str, of: str) -> Chart | None:
    """`contacts per city`: what the bars are by is a field, also where nobody named it before."""
    resource = most_likely(given.resources, of)
    if resource is None or not is_field_word(by) or type_of(by) not in {FieldType.TEXT, FieldType.CHOICE}:
        return None
    changed = _with_field(resource, by)
    given.resources = tuple(changed if other is resource else other for other in given.resources)
    given.assumptions.append(f"For the chart, each {resource.label.lower()} also has “{sentence_case(by)}”")
    return make_chart((changed,), by, of)


@dataclass(slots=True)
class Viewed:
    resources: tuple[Resource, ...]
    assumptions: list[str] = field(default_factory=list)
    cannot: list[str] = field(default_factory=list)


def add_views(resources: tuple[Resource, ...], wishes: list[ViewWish]) -> Viewed:
    """A view asks about a field; where there is none that could tell, it is added and said."""
    found = Viewed(resources)
    for wish in wishes:
        _add_view(found, wish)
    return found


def _add_view(found: Viewed, wish: ViewWish) -> None:
    resource = thing_of(wish, found.resources)
    if resource is None:
        return
    view = make_view(wish, resource)
    if view is None:
        words = missing_field(wish)
        changed = _with_field(resource, words) if words else resource
        view = make_view(wish, changed)
        if words and view is not None:
            found.assumptions.append(
                f"To know what is {wish.state}, each {resource.label.lower()} also has “{sentence_case(words)}”"
            )
            resource = changed
    if view is None:
        found.cannot.append(
            f"A list of what is {wish.state}: no field of {resource.plural_label.lower()} tells. Add one that does"
        )
        return
    views = (*(other for other in resource.views if other.slug != view.slug), view)
    new = resource.model_copy(update={"views": views})
    found.resources = tuple(new if other.name == new.name else other for other in found.resources)


def _with_field(resource: Resource, words: str) -> Resource:
    wish = read_field(words)
    if wish is None or len(resource.fields) >= 40:
        return resource
    taken = {field.name for field in resource.fields}
    made: AppField = replace(wish, remarks=()).as_field(resource.name, taken | {name_field("id", resource.name, ())})[0]
    return resource.model_copy(update={"fields": (*resource.fields, made)})
