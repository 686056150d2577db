"""What is added to an app: fields, things of their own, and what they belong to."""

import re
from dataclasses import dataclass, field

from contracts.app_spec import AppSpec, Kind, Pipeline, Resource
from contracts.plans import Question
from understanding.clauses import read_clause
from understanding.drafts import Draft, ThingDraft
from understanding.edits import bare, find_fields, find_resource, swap
from understanding.english import is_plural, singular, with_article
from understanding.fields import FieldWish, read_field
from understanding.items import split_items
from understanding.names import name_thing
from understanding.nouns import Noun, find_noun
from understanding.parts import MANY, as_thing
from understanding.resources import build_resources
from understanding.text import words_of
from understanding.things import NATURAL_PARENTS
from understanding.value_types import is_field_word

MOST_FIELDS = 40
TO = re.compile(
    r"^(?P<what>.+?)\s+(?:to|for|on|in|into|of)\s+(?:(?:the|each|every|all|my|our|a|an)\s+)*(?P<where>[\w' -]{1,40})$",
    re.DOTALL,
)
OF_EACH = re.compile(
    r"^(?P<what>[\w' -]{2,40}?)\s+(?:for|to|of|per)\s+(?:each|every|the|"
    r"all)\s+(?P<where>[\w' -]{2,30}?)\s+with\s+(?P<items>.+)$",
    re.DOTALL,
)
EACH = re.compile(
    r"^(?:each|every|the|all)\s+(?P<where>[\w' -]{1,30}?)\s+(?:an?|the|some|one|many|several)\s+(?P<what>.+)$"
)
THING_WORDS = re.compile(
    r"^(?:an?\s+|the\s+)?(?:new\s+)?(?:list of|resource for|resource called|table for|table of|"
    r"section for|place for|page for|resource|table)\s+(?P<what>.+)$"
)
FIELD_WORDS = re.compile(
    r"^(?:an?\s+|the\s+|two\s+|three\s+|some\s+)?(?:new\s+|extra\s+|more\s+|optional\s+|"
    r"required\s+)?(?:(?P<type>yes/no|number|text|long text|date|time|email|link|money|"
    r"checkbox)\s+)?(?:fields?|columns?)\s*(?:called|named|for|:|-)?\s*(?P<what>.+)$"
)
WITH = re.compile(
    r"^(?P<noun>[\w' -]{1,40}?)\s+(?:with|having|that have|which have|\()\s*(?P<items>.+?)\)?$", re.DOTALL
)
ALWAYS_THINGS = frozenset({"comments", "reviews", "ratings", "replies", "answers", "messages"})
"""Several of them are added one by one, each on its own."""
IT = frozenset(
    {"it", "app", "project", "the app", "everything", "list", "site", "api", "this", "them", "items", "entries"}
)


@dataclass(slots=True)
class Additions:
    spec: AppSpec
    done: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    questions: tuple[Question, ...] = ()
    likely: str = ""
    """The resource that the rest of what was said is about, if it is one."""


def add_parts(spec: AppSpec, words: str, answered: str, likely: str = "") -> Additions:
    """`answered` is the thing that a person chose when they were asked which one they meant."""
    added = Additions(spec, likely=likely)
    text = words.strip(" .,!")
    clause = read_clause(text.lower())
    if clause.parents and clause.subject:
        _relate(added, clause.subject, clause.parents)
        return added
    subject = find_resource(spec, clause.subject) if clause.subject else None
    if subject is not None:
        for item in clause.items:
            _add_item(added, subject.name, item)
        return added
    each = OF_EACH.match(text)
    owner = find_resource(spec, each["where"]) if each else None
    if each and owner is not None:
        _add_thing(added, each["what"], split_items(each["items"]), owner.name)
        return added
    where, what = _where(spec, text)
    told = FIELD_WORDS.match(what)
    if told:
        for item in split_items(told["what"]):
            typed = f"{item} ({told['type']})" if told["type"] else item
            _add_field(added, where or _target(added, answered, item), typed)
    else:
        _add_things_or_fields(added, where, what, answered)
    return added


def _add_things_or_fields(added: Additions, where: str, what: str, answered: str) -> None:
    thing = THING_WORDS.match(what)
    words = thing["what"] if thing else what
    described = WITH.match(words)
    if described and (thing or _is_several(described["noun"])):
        _add_thing(added, described["noun"], split_items(described["items"]), where)
    elif thing:
        _add_thing(added, words, [], where)
    else:
        for item in split_items(what):
            _add_item(added, where, item, answered)


def _where(spec: AppSpec, text: str) -> tuple[str, str]:
    """The resource that is named, if one is, and the words of what is added."""
    for pattern in (EACH, TO):
        found = pattern.match(text)
        if found:
            resource = find_resource(spec, found["where"])
            if resource is not None:
                return resource.name, found["what"]
            if bare(found["where"].lower()) in IT:
                return "", found["what"]
    return "", text


def _target(added: Additions, answered: str, item: str) -> str:
    """The resource that gets a field: the only one, the one that was chosen, or the likeliest, and then it is asked."""
    resources = added.spec.resources
    chosen = find_resource(added.spec, answered) if answered else None
    if chosen is not None or len(resources) < 2:
        return chosen.name if chosen else "".join(resource.name for resource in resources)
    wish = read_field(item)
    lacking = [one for one in resources if wish and not find_fields(added.spec, wish.words, one)] or [*resources]
    asked = added.questions[0].default if added.questions else ""
    lacking.sort(key=lambda one: (one.plural_label != asked, one.name != added.likely))
    first, *others = (resource.plural_label for resource in lacking)
    if not others:
        added.assumptions.append(f"It is added to {first.lower()}, because the others have it already")
    elif not added.questions:
        added.questions = (Question("resource", "Which of them shall have it?", first, (first, *others)),)
        added.assumptions.append(f"You did not say what it belongs to, so it is added to {first.lower()}")
    return lacking[0].name


def _add_item(added: Additions, where: str, item: str, answered: str = "") -> None:
    many = MANY.match(item.lower())
    nested = WITH.match(item)
    if nested and _is_several(nested["noun"]):
        _add_thing(added, nested["noun"], split_items(nested["items"]), where)
    elif many or _is_thing(item, where):
        _add_thing(added, many["noun"] if many else item, [], where)
    else:
        _add_field(added, where or _target(added, answered, item), item)


def _is_several(words: str) -> bool:
    noun = find_noun(words.lower())
    return noun is not None and noun.plural


def _is_thing(item: str, where: str) -> bool:
    """Several of something that is no fact about another thing."""
    noun = find_noun(item.lower())
    words = words_of(item.lower())
    if noun is None or not words or "(" in item or not (noun.plural and is_plural(words[-1])):
        return False
    natural = where in NATURAL_PARENTS.get(noun.words.replace(" ", "_"), ())
    return natural or words[-1] in ALWAYS_THINGS or not is_field_word(words[-1])


def _add_thing(added: Additions, words: str, items: list[str], where: str) -> None:
    spec = added.spec
    noun = find_noun(words.lower())
    if noun is None:
        added.problems.append(f"“{words}” does not name a thing that could be kept")
        return
    if spec.kind not in {Kind.API, Kind.FULL_STACK, Kind.WEB_APP, Kind.CLI_TOOL}:
        added.problems.append("this kind of app keeps nothing")
        return
    known = find_resource(spec, noun.words)
    if known is not None:
        if where and where != known.name and where not in known.belongs_to:
            _set_parent(added, known, where)
        else:
            added.problems.append(f"{known.plural_label.lower()} are there already")
        return
    resource, remarks = _make_thing(spec, noun, items, where)
    if len(spec.resources) >= 12:
        added.problems.append("an app keeps at most 12 kinds of things")
        return
    like = spec.resources[0] if spec.resources else None
    shared = {name: getattr(like, name) for name in ("search", "filter", "sort", "paging", "csv")} if like else {}
    resource = resource.model_copy(update=shared)
    storage = spec.storage if spec.storage != "none" else "sqlite"
    added.spec = spec.model_copy(update={"resources": (*spec.resources, resource), "storage": storage})
    of = f", which belong to {spec.resource(where).plural_label.lower()}" if where else ""
    added.done.append(f"it also keeps {resource.plural_label.lower()}{of}")
    added.assumptions += remarks


def _make_thing(spec: AppSpec, noun: Noun, items: list[str], where: str) -> tuple[Resource, list[str]]:
    draft = Draft()
    thing: ThingDraft = draft.thing(as_thing(noun))
    for wish in filter(None, map(read_field, items)):
        thing.wish(wish)
    built = build_resources(draft)
    resource = built.resources[0]
    taken = {word for other in spec.resources for word in (other.name, other.plural)}
    if {resource.name, resource.plural} & taken:
        resource = resource.model_copy(update={"name": f"{resource.name}_2", "plural": f"{resource.plural}_2"})
    if where:
        fields = tuple(made for made in resource.fields if made.name not in {where, f"{where}_id"}) or resource.fields
        resource = resource.model_copy(update={"belongs_to": (where,), "fields": fields})
    return resource, built.assumptions


def _relate(added: Additions, child: str, parents: tuple[str, ...]) -> None:
    """`each task belongs to a project`: what is not there yet is added."""
    resource = find_resource(added.spec, child)
    if resource is None:
        added.problems.append(f"there are no {child.strip()} here")
        return
    for words in parents:
        parent = find_resource(added.spec, words)
        if parent is None:
            _add_thing(added, words, [], "")
            noun = find_noun(words)
            parent = find_resource(added.spec, noun.words) if noun else None
        if parent is not None:
            _set_parent(added, added.spec.resource(resource.name), parent.name)


def _set_parent(added: Additions, child: Resource, parent: str) -> None:
    spec = added.spec
    if parent in child.belongs_to or parent == child.name or _is_above(spec, child.name, parent):
        added.problems.append(f"{child.plural_label.lower()} cannot belong to that once more")
        return
    fields = tuple(made for made in child.fields if made.name != f"{parent}_id") or child.fields
    new = child.model_copy(update={"belongs_to": (*child.belongs_to, parent), "fields": fields})
    others = [resource for resource in swap(spec, new).resources]
    added.spec = spec.model_copy(update={"resources": _parents_first(others)})
    added.done.append(f"each {child.label.lower()} belongs to {with_article(spec.resource(parent).label.lower())}")


def _is_above(spec: AppSpec, name: str, other: str) -> bool:
    """Whether `other` belongs to `name`, over however many steps."""
    parents = spec.resource(other).belongs_to
    return name in parents or any(_is_above(spec, name, parent) for parent in parents)


def _parents_first(resources: list[Resource]) -> tuple[Resource, ...]:
    ordered: list[Resource] = []
    while resources:
        done = {resource.name for resource in ordered}
        ready = [resource for resource in resources if done.issuperset(resource.belongs_to)]
        ordered += ready
        resources = [resource for resource in resources if resource not in ready]
    return tuple(ordered)


def _add_field(added: Additions, where: str, item: str) -> None:
    wish = read_field(item)
    if wish is None:
        added.problems.append(f"“{item.strip()}” could not be read as something to add")
        return
    if not where:
        _add_column(added, wish)
        return
    resource = added.spec.resource(where)
    if find_fields(added.spec, wish.words, resource):
        added.problems.append(f"{resource.plural_label.lower()} have “{wish.words}” already")
        return
    if len(resource.fields) >= MOST_FIELDS:
        added.problems.append(
            f"{resource.plural_label.lower()} have {MOST_FIELDS} fields, which is as many as there can be"
        )
        return
    taken = {made.name for made in resource.fields} | set(resource.parents)
    made, remarks = wish.as_field(resource.name, taken)
    if made.required and made.default is None:
        made = made.model_copy(update={"required": True})
    added.spec = swap(added.spec, resource.model_copy(update={"fields": (*resource.fields, made)}))
    added.assumptions += remarks
    added.done.append(f"{resource.plural_label.lower()} also have “{made.label}”")


def _add_column(added: Additions, wish: FieldWish) -> None:
    """A program that makes figures knows its columns by name."""
    if added.spec.kind is not Kind.PIPELINE:
        added.problems.append(f"this app keeps nothing that could have “{wish.words}”")
        return
    named = name_thing(singular("data rows"))
    made, _ = wish.as_field(named.name, ())
    made = made.model_copy(update={"required": False, "unique": False, "default": None})
    row = Resource(
        name=named.name, plural=named.plural, label=named.label, plural_label=named.plural_label, fields=(made,)
    )
    added.spec = added.spec.model_copy(update={"resources": (row,), "pipeline": added.spec.pipeline or Pipeline()})
    added.done.append(f"it knows the column “{made.label}”")
