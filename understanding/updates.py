"""A change in words, carried out on a spec: what is new, what was assumed, and what could not be done."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from contracts.app_spec import SERVED, AppSpec, Kind, Language, Resource
from contracts.plans import CannotYet, NotUnderstood, Question
from understanding.abilities import OF_LISTS, add_views, give
from understanding.additions import Additions, add_parts
from understanding.alterations import alter
from understanding.calling import take_name
from understanding.commands import Command, Do, split_commands
from understanding.edits import find_fields, find_resource
from understanding.features import Features, take_features
from understanding.fields import read_field
from understanding.gate import refuse
from understanding.limits import take_limits
from understanding.nouns import find_noun
from understanding.pages import Said, page_named, write_pages
from understanding.places_online import Online, take_online
from understanding.sheet import Sheet
from understanding.sites import page_remarks
from understanding.tech import take_tech
from understanding.text import listed, words_of
from understanding.views import take_views

FEATURE_NAMES = {
    "search": "search",
    "filter": "filters",
    "sort": "sorting",
    "paging": "paging",
    "csv": "CSV download",
    "login": "sign-in",
    "api_key": "an API key",
    "dark_mode": "dark mode",
    "charts": "a chart",
    "append_only": "entries that cannot be changed",
    "quick_add": "a form on the list",
}
PAGE = re.compile(
    r"^(?:an?\s+|another\s+|the\s+)?(?:new\s+)?(?:page\s+(?:about|called|named|titled|for|"
    r"with)\s+(?P<about>[\w' -]{2,40})|(?P<before>(?!home|list|web)[\w' -]{2,30}?)\s+page)$"
)
AND = re.compile(r"\s*(?:,|\band\b|\bplus\b|\bas well as\b)\s*", re.IGNORECASE)
PREPOSITIONS = frozenset("for by in of on to from at through via within across over so that which when if".split())
FILLERS = frozenset(
    "a an the and to for all with on of it please also app list lists project feature features people in first page "
    "pages by too only just show shows per at once time each every me us my our button option be able can should would "
    "like have has let so that i we they them everything everyone any some new more want need possibility way".split()
)
"""What may stand beside a feature without asking for anything more."""
REACT = re.compile(r"\breact\b")


DEMAND = re.compile(
    r"(?:(?:the|its|their|each|every)\s+)*(?P<field>[\w' -]{1,40}?)\s+(?:should|must|has to|have to|needs to)\s",
    re.IGNORECASE,
)
"""`the title must be at most 50 characters` is about a field that is there, not a new one."""


@dataclass(slots=True)
class Changed:
    spec: AppSpec
    done: list[str] = field(default_factory=list)
    """What changes, each in a few words."""
    assumptions: list[str] = field(default_factory=list)
    cannot: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    questions: tuple[Question, ...] = ()
    deploy: Literal["auto", "local", "no"] = "local"
    target: str | None = None
    only_front_end: bool = False
    likely: str = ""
    """What all that is said of fields is about, if that is one thing."""

    def in_words(self) -> str:
        return listed(self.done)


def change_app(
    spec: AppSpec, text: str, *, answers: Mapping[str, str] | None = None, front_end: bool = False
) -> Changed:
    """Raises NotUnderstood if nothing of it could be done, CannotYet if it is beyond rules."""
    changed = Changed(spec)
    sheet = Sheet(text)
    online = take_online(sheet)
    name = take_name(sheet)
    if name:
        changed.spec = changed.spec.model_copy(update={"title": name})
        changed.done.append(f"it is now called “{name}”")
    if front_end:
        _add_front_end(changed, sheet)
        left = re.sub(r"\W+", " ", sheet.low)
        changed.only_front_end = not name and not re.search(r"\b(?:field|search|login|csv|filter|dark)\b", left)
    _add_lists(changed, sheet)
    changed.cannot += take_tech(sheet).cannot
    refusals = take_limits(sheet)
    changed.cannot += [refusal.sentence() for refusal in refusals]
    if not changed.only_front_end:
        commands = split_commands(sheet.text)
        changed.likely = _spoken_of(changed.spec, commands)
        for command in commands:
            _carry_out(changed, command, answers or {})
    if not changed.done:
        if refusals:
            raise refuse(refusals)
        raise _nothing(changed)
    changed.cannot += [f"{problem[:1].upper()}{problem[1:]}" for problem in changed.problems]
    _set_online(changed, online)
    return changed


def _spoken_of(spec: AppSpec, commands: list[Command]) -> str:
    """`add a status and remove done` speaks of what has `done`."""
    known = [command.what for command in commands if command.do is not Do.ADD]
    named = {resource.name for words in known for resource, _ in find_fields(spec, words)}
    return named.pop() if len(named) == 1 else ""


def _nothing(changed: Changed) -> NotUnderstood | CannotYet:
    """Says what is there, so that the next try can name it."""
    if changed.cannot:
        return CannotYet(changed.cannot[0], hint="; ".join(changed.cannot[1:]) or "Ask for something else to change")
    have = "; ".join(
        f"{resource.plural_label}: {listed([f.label.lower() for f in resource.fields])}"
        for resource in changed.spec.resources
    )
    told = listed(changed.problems) if changed.problems else "It is not clear what shall change"
    return NotUnderstood(
        f"{told[:1].upper()}{told[1:]}",
        hint=(
            f"Say for example “add a due date to the tasks” or “add search”. {f'There is now: {have}' if have else ''}"
        ).strip(),
    )


def _set_online(changed: Changed, online: Online) -> None:
    served = changed.spec.kind in SERVED
    changed.deploy, changed.target = (online.deploy, online.target) if served else ("no", None)
    changed.cannot += [online.cannot] if online.cannot else []


def _add_lists(changed: Changed, sheet: Sheet) -> None:
    before = {(resource.name, view.slug) for resource in changed.spec.resources for view in resource.views}
    if re.match(r"^\W*(?:please )?(?:remove|delete|drop|take out|get rid)", sheet.low):
        return
    viewed = add_views(changed.spec.resources, take_views(sheet))
    changed.spec = changed.spec.model_copy(update={"resources": viewed.resources})
    changed.assumptions += viewed.assumptions
    changed.cannot += viewed.cannot
    new = [
        view.title
        for resource in viewed.resources
        for view in resource.views
        if (resource.name, view.slug) not in before
    ]
    changed.done += [f"a list “{title}”" for title in new]


def _add_front_end(changed: Changed, sheet: Sheet) -> None:
    ui: Literal["html", "react"] = "react" if REACT.search(sheet.low) else "html"
    spec = changed.spec
    if spec.language is Language.NODE:
        raise CannotYet(
            "An API in Node has no front end here", hint="Build it in Python, or ask a model for a front end"
        )
    if spec.ui == ui:
        raise NotUnderstood("It has that front end already, under `/ui/`", hint="Say what shall change about it")
    changed.spec = spec.model_copy(update={"ui": ui})
    changed.done.append(f"a front end under `/ui/`{' in React' if ui == 'react' else ''}")


def _carry_out(changed: Changed, command: Command, answers: Mapping[str, str]) -> None:
    if command.do in {Do.ADD, Do.REMOVE} and _features(changed, command):
        return
    if command.ability:
        changed.problems.append(f"“{command.what}” is nothing that rules can add")
        return
    if command.do is Do.ADD and _add_page(changed, command.what):
        return
    unread = find_noun(command.what.lower()) is None and read_field(command.what) is None
    if command.do is Do.ADD and (unread or FILLERS.issuperset(words_of(command.what.lower()))):
        return
    if command.do is Do.ADD:
        _add(changed, command.what, answers)
        return
    result = alter(changed.spec, command, answers.get("resource", ""))
    changed.spec = result.spec
    changed.done += result.done
    changed.assumptions += result.assumptions
    changed.problems += result.problems
    changed.questions = (*changed.questions, *result.questions)[:3]


def _add_page(changed: Changed, words: str) -> bool:
    """A page of text, for an app or site that has such pages."""
    found = PAGE.match(words.strip().lower())
    if found is None:
        return False
    slug, title = page_named(found["about"] or found["before"])
    spec = changed.spec
    if spec.kind not in {Kind.WEB_APP, Kind.SITE}:
        changed.cannot.append(f"A page “{title}”: only web apps and sites have pages of text")
    elif slug in {page.slug for page in spec.pages} | {resource.path for resource in spec.resources}:
        changed.problems.append(f"there is a page “{title}” already")
    else:
        page = write_pages([(slug, title)], spec.title, "", Said())[-1]
        changed.spec = spec.model_copy(update={"pages": (*spec.pages, page)[:12]})
        changed.done.append(f"a page “{title}”")
        changed.assumptions += page_remarks((page,))
    return True


def _features(changed: Changed, command: Command) -> bool:
    """Whether the command was about nothing but features; what is left of it is added as something else."""
    sheet = Sheet(command.what)
    features = take_features(sheet)
    if command.do is Do.REMOVE:
        features.off, features.on = features.on | features.off, set()
    if not features.on and not features.off:
        return False
    _turn_off(changed, features.off)
    if features.on:
        _turn_on(changed, features, _named(changed.spec, command.what))
    more = [piece for piece in AND.split(sheet.text) if _asks_for_more(changed.spec, piece)]
    if command.do is Do.ADD and more:
        parts = add_parts(changed.spec, " and ".join(more), "")
        if parts.done and not parts.questions:
            _take_over(changed, parts)
    return True


def _asks_for_more(spec: AppSpec, piece: str) -> bool:
    """Whether what stands beside a feature is one more wish; `for my staff`, `by name` and `the tasks` are none."""
    words = words_of(piece.lower())
    said = [word for word in words if word not in FILLERS and not word.isdigit()]
    lead = next((word for word in words if word not in {"a", "an", "the"}), "")
    return (
        bool(said) and lead not in PREPOSITIONS and not find_fields(spec, piece) and find_resource(spec, piece) is None
    )


def _named(spec: AppSpec, words: str) -> frozenset[str]:
    """What `search to the tasks` speaks of, by name; everything if nothing is named."""
    said = {*words_of(words.lower())}
    named = {
        resource.name
        for resource in spec.resources
        if said & {resource.name, resource.plural, resource.label.lower(), resource.plural_label.lower()}
    }
    return frozenset(named or {resource.name for resource in spec.resources})


def _only_for(named: frozenset[str], before: AppSpec, after: AppSpec) -> AppSpec:
    """Lists of what was not named stay as they were."""
    old = {resource.name: resource for resource in before.resources}
    resources = tuple(
        resource
        if resource.name in named or resource.name not in old
        else resource.model_copy(update={name: getattr(old[resource.name], name) for name in OF_LISTS})
        for resource in after.resources
    )
    return after.model_copy(update={"resources": resources})


def _turn_on(changed: Changed, features: Features, named: frozenset[str]) -> None:
    spec = changed.spec
    had = {name for name in features.on if _has(spec, name, named)}
    features.on -= had
    changed.problems += [f"{FEATURE_NAMES[name]} is there already" for name in sorted(had)]
    if not features.on:
        return
    given = give(spec.kind, spec.language, spec.resources, features, together=False)
    changed.spec = spec.model_copy(
        update={
            "resources": given.resources,
            "login": given.login or spec.login,
            "api_key": (given.api_key or spec.api_key) and not (given.login or spec.login),
            "dark_mode": given.dark_mode or spec.dark_mode,
            "charts": (*spec.charts, *(chart for chart in given.charts if chart not in spec.charts)),
        }
    )
    changed.spec = _only_for(named, spec, changed.spec)
    if spec.api_key and given.login:
        changed.assumptions.append("An API has a key or a login: the login replaces the key")
    changed.assumptions += given.assumptions
    changed.cannot += given.cannot
    new = [name for name in FEATURE_NAMES if name in features.on and _has(changed.spec, name, named)]
    if "api_key" in features.on and spec.login is not None:
        new = [name for name in new if name != "api_key"]
    of_lists = bool(set(new) & set(OF_LISTS))
    several = len(spec.resources) > 1 and of_lists and len(named) == len(spec.resources)
    whose = listed([one.plural_label.lower() for one in spec.resources if one.name in named])
    partly = len(named) < len(spec.resources)
    changed.done += [f"{FEATURE_NAMES[name]}{f' for {whose}' if partly and name in OF_LISTS else ''}" for name in new]
    changed.assumptions += ["That holds for everything that the app keeps"] if several else []


def _has(spec: AppSpec, name: str, named: frozenset[str]) -> bool:
    if name in {"login", "api_key", "dark_mode", "charts"}:
        return (bool(getattr(spec, name)) and name != "charts") or (name == "charts" and bool(spec.charts))
    return bool(named) and all(getattr(spec.resource(one), name) for one in named)


def _turn_off(changed: Changed, names: set[str]) -> None:
    spec = changed.spec
    for name in sorted(names):
        there = any(getattr(resource, name, False) for resource in spec.resources) or bool(getattr(spec, name, None))
        if not there:
            changed.problems.append(
                f"there is no {FEATURE_NAMES[name].removeprefix('a ').removeprefix('an ')} to take out"
            )
            continue
        if name in Resource.model_fields:
            resources = tuple(resource.model_copy(update={name: False}) for resource in spec.resources)
            spec = spec.model_copy(update={"resources": resources})
        else:
            empty = {"login": None, "charts": ()}.get(name, False)
            spec = spec.model_copy(update={name: empty})
        changed.done.append(f"no more {FEATURE_NAMES[name].removeprefix('a ').removeprefix('an ')}")
    changed.spec = spec


def _add(changed: Changed, words: str, answers: Mapping[str, str]) -> None:
    demand = DEMAND.match(words)
    if demand and find_fields(changed.spec, demand["field"]):
        changed.problems.append(f"“{words}” asks something of a field that rules cannot do")
        return
    _take_over(changed, add_parts(changed.spec, words, answers.get("resource", ""), changed.likely))


def _take_over(changed: Changed, parts: Additions) -> None:
    changed.spec = parts.spec
    changed.done += parts.done
    changed.assumptions += parts.assumptions
    changed.problems += parts.problems
    changed.questions = (*changed.questions, *parts.questions)[:3]
