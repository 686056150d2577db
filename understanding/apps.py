"""A new app from what was read: its spec, what was assumed, and what is left out."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from contracts.app_spec import SERVED, AppSpec, Kind, Language, Page, Pipeline, Resource
from contracts.plans import Question
from understanding.abilities import KIND_WORDS, add_views, give
from understanding.asking import about_place, what_about
from understanding.drafts import Draft
from understanding.edits import apart_from_login
from understanding.fields import read_field
from understanding.gate import refuse
from understanding.kinds import choose
from understanding.nouns import Noun, find_noun
from understanding.pages import write_pages
from understanding.resources import build_resources
from understanding.sites import build_site, page_remarks
from understanding.text import sentence_case, snake
from understanding.titles import summary_for, title_for
from understanding.wishes import Wishes

TOGETHER = re.compile(r"\b(?:our|we|us|team|club|family|everyone|members|company|office)\b")
Name = Callable[[str], str]


@dataclass(slots=True)
class Made:
    """Without a spec only the questions are there."""

    spec: AppSpec | None = None
    assumptions: list[str] = field(default_factory=list)
    cannot: list[str] = field(default_factory=list)
    questions: tuple[Question, ...] = ()
    deploy: Literal["auto", "local", "no"] = "local"
    target: str | None = None


def make_app(text: str, wishes: Wishes, name: Name) -> Made:
    """Raises CannotYet if the core of it is beyond rules."""
    made = Made(deploy=wishes.online.deploy, target=wishes.online.target)
    if any(refusal.is_core for refusal in wishes.refusals):
        raise refuse(wishes.refusals)
    made.cannot += [refusal.sentence() for refusal in wishes.refusals] + wishes.tech.cannot
    made.cannot += [f"“{words}”: rules could not read this; a model could" for words in wishes.draft.unread[:5]]
    if wishes.online.cannot:
        made.cannot.append(wishes.online.cannot)
    if wishes.pipeline is not None:
        _make_pipeline(made, wishes, name)
    elif _is_site(wishes):
        made.spec, remarks = build_site(name(wishes.name or "site"), wishes, text)
        made.spec = made.spec.model_copy(update={"name": name(made.spec.title)})
        made.assumptions += remarks
        made.cannot += give(Kind.SITE, Language.PYTHON, (), wishes.features, together=False).cannot
    elif wishes.hello and not wishes.draft.things:
        _make_hello(made, wishes, name)
    else:
        _make_keeper(made, text, wishes, name)
    _settle_online(made, wishes)
    made.assumptions, made.cannot = list(dict.fromkeys(made.assumptions)), list(dict.fromkeys(made.cannot))
    return made


def _is_site(wishes: Wishes) -> bool:
    """A site has pages and keeps nothing; `a website for my dog` is about one, `a recipe website` keeps many."""
    things = wishes.draft.things.values()
    keeps = any(thing.wishes or thing.several or thing.parents for thing in things) or any(
        thing.thing is not None and wishes.draft.titled for thing in things
    )
    if wishes.hello or wishes.draft.loose or wishes.kinds & {"api", "cli", "full_stack", "react"} or keeps:
        return False
    return "site" in wishes.kinds or bool(wishes.pages)


def _make_hello(made: Made, wishes: Wishes, name: Name) -> None:
    kind = choose(wishes.kinds, keeps=False, hello=True) or Kind.HELLO_API
    node = wishes.tech.language is Language.NODE and kind is Kind.HELLO_API
    if "cli" in wishes.kinds:
        made.cannot.append(
            "A command-line program that says hello: such tools keep things here, so it is an API that says hello"
        )
    title = wishes.name or ("Hello API" if kind is Kind.HELLO_API else "Hello World")
    made.spec = AppSpec(
        kind=kind,
        name=name(title),
        title=title,
        summary="Says hello.",
        language=Language.NODE if node else Language.PYTHON,
        dark_mode="dark_mode" in wishes.features.on and kind is Kind.WEB_APP,
    )


def _make_pipeline(made: Made, wishes: Wishes, name: Name) -> None:
    wanted = wishes.pipeline
    if wanted is None:
        return
    columns = [*wanted.columns]
    if columns:
        columns += [word for word in (wanted.group_by, wanted.measure) if word and word not in columns]
    draft = Draft()
    if columns:
        row = draft.thing(Noun("data row", plural=True))
        for wish in filter(None, map(read_field, columns)):
            row.wish(wish)
    built = build_resources(draft)
    resources = tuple(_as_columns(resource) for resource in built.resources)
    if wanted.excel:
        made.cannot.append(
            "Reading Excel files: save them as CSV first, which Excel does under “Save as”. A model "
            "could read them as they are"
        )
    made.cannot += [
        f"Figures for each {period}: rows are grouped by what stands in one column. A model could group days"
        for period in wanted.also_by
    ]
    if not columns:
        made.assumptions.append("The columns are taken from the first line of each file")
    title = wishes.name or f"{wanted.reads.upper()} statistics"
    known = {made_field.label.lower(): made_field.name for resource in resources for made_field in resource.fields}
    by, measure = (known.get(word.lower(), snake(word)) or None for word in (wanted.group_by, wanted.measure))
    made.spec = AppSpec(
        kind=Kind.PIPELINE,
        name=name(title),
        title=title,
        summary=f"Makes figures from {wanted.reads.upper()} files.",
        resources=resources,
        pipeline=Pipeline(reads=wanted.reads, group_by=by, measure=measure if measure != by else None),
    )


def _as_columns(resource: Resource) -> Resource:
    """Files may lack values: nothing is required of a column."""
    fields = tuple(
        made.model_copy(update={"required": False, "unique": False, "default": None}) for made in resource.fields
    )
    return resource.model_copy(update={"fields": fields})


def _make_keeper(made: Made, text: str, wishes: Wishes, name: Name) -> None:
    """An app that keeps things."""
    if not wishes.draft.things:
        _guess_things(made, wishes)
    if not wishes.draft.things:
        if wishes.refusals:
            raise refuse(wishes.refusals)
        made.questions = what_about(wishes.kinds)
        return
    kind = choose(wishes.kinds, keeps=True, hello=False) or Kind.WEB_APP
    language = _language(made, wishes, kind)
    if wishes.tech.react and kind is not Kind.FULL_STACK:
        made.cannot.append(f"React: there is no front end in {KIND_WORDS[kind]}")
    built = build_resources(wishes.draft)
    viewed = add_views(built.resources, wishes.views)
    together = bool(TOGETHER.search(text.lower()))
    given = give(kind, language, viewed.resources, wishes.features, together=together)
    made.assumptions += [*wishes.shop.assumptions, *([wishes.pair.words()] if wishes.pair else [])]
    made.assumptions += [*built.assumptions, *viewed.assumptions, *given.assumptions]
    made.cannot += [*viewed.cannot, *given.cannot]
    place = next(iter(wishes.draft.places), None) if wishes.pages and kind is Kind.WEB_APP else None
    usual = sentence_case(place.words) if place else title_for(kind, wishes.draft, given.resources)
    title = wishes.name or wishes.shop.title or usual
    pages = _pages(made, wishes, kind, title, given.resources)
    open_to_all = AppSpec(
        kind=kind,
        name=name(title),
        title=title,
        summary=summary_for(given.resources),
        language=language,
        storage=_storage(made, wishes, kind, language),
        pages=pages,
        ui=("react" if wishes.tech.react else "html") if kind is Kind.FULL_STACK else None,
        **{**given.parts(), "login": None},
    )
    made.spec = apart_from_login(open_to_all.model_copy(update={"login": given.login}))


def _pages(made: Made, wishes: Wishes, kind: Kind, title: str, resources: tuple[Resource, ...]) -> tuple[Page, ...]:
    if not wishes.pages:
        return ()
    if kind is not Kind.WEB_APP:
        made.cannot.append(f"Pages of text: there are none in {KIND_WORDS[kind]}")
        return ()
    paths = {resource.path for resource in resources}
    wanted = [(f"{slug}-page" if slug in paths else slug, name) for slug, name in wishes.pages]
    place = next(iter(wishes.draft.places), None)
    pages = write_pages(wanted, title, f"our {place.words}" if place else "", wishes.said)
    made.assumptions += page_remarks(pages)
    return pages


def _guess_things(made: Made, wishes: Wishes) -> None:
    """What was only mentioned, or what is usual for the place that was named; then it is asked about."""
    draft = wishes.draft
    usual = [noun for noun in draft.weak if noun.thing is not None]
    guessed = next((place for place in draft.places if place.place), None)
    if usual:
        draft.thing(usual[0])
    elif guessed is not None:
        noun = find_noun(guessed.place or "")
        if noun is not None:
            draft.thing(noun)
        made.questions = about_place(guessed, wishes.kinds)
        made.assumptions.append(f"For the {guessed.words} it keeps {guessed.place}s unless you answer otherwise")
    elif draft.weak:
        draft.thing(draft.weak[0])


def _language(made: Made, wishes: Wishes, kind: Kind) -> Language:
    if wishes.tech.language is not Language.NODE:
        return Language.PYTHON
    if kind in {Kind.API, Kind.CLI_TOOL}:
        return Language.NODE
    made.cannot.append(
        f"JavaScript (Node) for {KIND_WORDS[kind]}: that kind is written in Python. A model could "
        f"write it in JavaScript"
    )
    return Language.PYTHON


def _storage(made: Made, wishes: Wishes, kind: Kind, language: Language) -> Literal["sqlite", "json"]:
    asked = wishes.tech.storage
    if language is Language.NODE:
        made.cannot += ["SQLite: an app in Node keeps its data in a JSON file"] if asked == "sqlite" else []
        return "json"
    if kind is Kind.CLI_TOOL:
        return "sqlite" if asked == "sqlite" else "json"
    made.cannot += (
        [f"A JSON file: {KIND_WORDS[kind]} keeps its data in an SQLite file, which is safer"] if asked == "json" else []
    )
    return "sqlite"


def _settle_online(made: Made, wishes: Wishes) -> None:
    """Only what is served can be put online."""
    if made.spec is None or made.spec.kind in SERVED:
        return
    if wishes.online.deploy == "auto":
        made.cannot.append(
            f"Putting it online: {KIND_WORDS[made.spec.kind]} runs on a computer, there is nothing to open in a browser"
        )
    made.deploy, made.target = "no", None
