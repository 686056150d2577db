"""Makes the resources of a spec from what was read, and says what was decided on the way."""

import re
from dataclasses import dataclass, field, replace

from contracts.app_spec import AppField, FieldType, Resource
from understanding.drafts import Draft, ThingDraft
from understanding.english import plural, with_article
from understanding.fields import FieldWish
from understanding.names import Named, name_thing
from understanding.text import listed
from understanding.things import NATURAL_PARENTS, Thing
from understanding.value_types import type_of

MOST_FIELDS = 40
MOST_RESOURCES = 12
NOTATION = re.compile(
    r"(?P<name>[a-z_]+)(?::(?P<type>[a-z_]+))?(?:\((?P<choices>[^)]*)\))?(?:\[(?P<low>\d+)-(?P<high>\d+)\])?"
    r"(?P<required>\*)?(?:=(?P<default>[\w ]+))?"
)
NAMING = frozenset(
    "name names title titles subject headline label topic question text message description model brand item task "
    "what who player band child student employee customer guest member".split()
)
"""Words of fields by which people know an item."""
NO_NAMES = frozenset({FieldType.CHOICE, FieldType.YES_NO, FieldType.DATE, FieldType.TIME})
UNKNOWN = ("name*", "notes")
"""What is kept of a thing that no list knows."""


@dataclass(slots=True)
class Built:
    resources: tuple[Resource, ...] = ()
    assumptions: list[str] = field(default_factory=list)


def build_resources(draft: Draft) -> Built:
    built = Built()
    drafts = _ordered(draft, built)[:MOST_RESOURCES]
    if len(draft.things) > MOST_RESOURCES:
        built.assumptions.append(
            f"An app keeps at most {MOST_RESOURCES} kinds of things: the first {MOST_RESOURCES} are kept"
        )
    names: dict[str, Named] = {}
    made: list[Resource] = []
    for thing in drafts:
        named = _free(name_thing(thing.noun), made)
        parents = tuple(names[parent].name for parent in thing.parents if parent in names)
        names[thing.noun] = named
        made.append(_resource(thing, named, parents, built))
    built.resources = tuple(made)
    return built


def _free(named: Named, made: list[Resource]) -> Named:
    taken = {word for resource in made for word in (resource.name, resource.plural)}
    number = 2
    found = named
    while {found.name, found.plural} & taken:
        found = replace(named, name=f"{named.name}_{number}", plural=f"{named.plural}_{number}")
        number += 1
    return found


def _ordered(draft: Draft, built: Built) -> list[ThingDraft]:
    """Parents first. What belongs to what by nature is said; a circle is broken."""
    _add_natural_parents(draft, built)
    ordered: list[ThingDraft] = []
    waiting = list(draft.things.values())
    while waiting:
        done = {thing.noun for thing in ordered}
        ready = [thing for thing in waiting if set(thing.parents) & set(draft.things) <= done]
        if not ready:
            first = waiting[0]
            built.assumptions.append(
                f"{plural(first.noun).capitalize()} cannot belong to something that belongs to them: that was left out"
            )
            first.parents = [parent for parent in first.parents if parent in done]
            ready = [first]
        ordered += ready
        waiting = [thing for thing in waiting if thing not in ready]
    return ordered


def _add_natural_parents(draft: Draft, built: Built) -> None:
    by_name = {thing.noun.replace(" ", "_"): thing for thing in draft.things.values()}
    for name, thing in by_name.items():
        parents = [by_name[parent] for parent in NATURAL_PARENTS.get(name, ()) if parent in by_name]
        if parents and not thing.parents:
            thing.belongs_to(parents[0].noun)
            built.assumptions.append(f"Each {thing.noun} belongs to {with_article(parents[0].noun)}")


def _resource(thing: ThingDraft, named: Named, parents: tuple[str, ...], built: Built) -> Resource:
    wishes, usual = _wishes(thing)
    taken = {*(f"{parent}_id" for parent in parents)}
    fields: list[AppField] = []
    if len(wishes) > MOST_FIELDS:
        built.assumptions.append(
            f"{named.plural_label} have at most {MOST_FIELDS} fields: the first {MOST_FIELDS} of {len(wishes)} are kept"
        )
    for wish in wishes[:MOST_FIELDS]:
        if wish.words.lower().replace(" ", "_") in parents:
            continue
        made, remarks = wish.as_field(named.name, taken)
        fields.append(made)
        taken.add(made.name)
        built.assumptions += remarks if not usual else ()
    if not fields:
        fields = [FieldWish("name").as_field(named.name, taken)[0]]
    if usual:
        shown = listed([made.label.lower() for made in fields])
        built.assumptions.append(
            f"You did not say what to keep of {with_article(named.label.lower())}, so it has: {shown}"
        )
    elif thing.wishes and _known_by(thing):
        built.assumptions.append(f"{with_article(named.label).capitalize()} also has a {fields[0].label.lower()}")
    marks = thing.thing.marks if thing.thing else frozenset()
    return Resource(
        name=named.name,
        plural=named.plural,
        label=named.label,
        plural_label=named.plural_label,
        fields=_with_main_required(fields, thing, built),
        belongs_to=parents,
        quick_add="quick_add" in marks,
        append_only="append_only" in marks,
    )


def _with_main_required(fields: list[AppField], thing: ThingDraft, built: Built) -> tuple[AppField, ...]:
    """An item without the text by which people know it is of no use; said, unless the person spoke of it."""
    texts = [made for made in fields if made.type is FieldType.TEXT]
    spoken = any(wish.required or wish.optional for wish in thing.wishes)
    if any(made.required for made in fields) or spoken or not texts or not thing.wishes:
        return tuple(fields)
    main = texts[0]
    built.assumptions.append(
        f"“{main.label}” of {with_article(thing.noun)} has to be given; the rest may be left empty"
    )
    return tuple(made.model_copy(update={"required": True}) if made is main else made for made in fields)


def _wishes(thing: ThingDraft) -> tuple[list[FieldWish], bool]:
    """The fields that were asked for, or else the usual ones."""
    if thing.wishes:
        return [*_known_by(thing), *thing.wishes], False
    notation = thing.thing.fields if thing.thing else UNKNOWN
    wishes = [read_notation(part) for part in notation]
    names = {parent.split()[-1] for parent in thing.parents} | {parent.replace(" ", "_") for parent in thing.parents}
    kept = [wish for wish in wishes if wish.words.replace(" ", "_") not in names]
    return (kept if any(wish.type is FieldType.TEXT for wish in kept) or len(kept) > 1 else wishes), True


def _known_by(thing: ThingDraft) -> list[FieldWish]:
    """The name or title of a usual thing, if nothing that was asked for could stand in for it."""
    if thing.thing is None or any(_names_it(wish, thing.noun) for wish in thing.wishes):
        return []
    first = read_notation(thing.thing.fields[0])
    return [first] if first.required and first.words in {"name", "title"} else []


def _names_it(wish: FieldWish, noun: str) -> bool:
    words = wish.words.lower().split()
    of_it = noun.rsplit(maxsplit=1)[-1] in words or set(words) <= set(noun.split())
    return wish.type not in NO_NAMES and (of_it or bool(NAMING.intersection(words)))


def read_notation(part: str) -> FieldWish:
    """One field as it is written in the list of usual things."""
    found = NOTATION.fullmatch(part.strip())
    if found is None:
        raise ValueError(f"`{part}` is not a field")
    words = found["name"].replace("_", " ")
    choices = tuple(value.strip() for value in (found["choices"] or "").split("/") if value.strip())
    kind = FieldType.CHOICE if choices else FieldType(found["type"]) if found["type"] else type_of(words)
    low, high = found["low"], found["high"]
    return FieldWish(
        words,
        kind,
        required=bool(found["required"]),
        default=found["default"],
        choices=choices,
        minimum=float(low) if low else None,
        maximum=float(high) if high else None,
    )


def usual_fields(thing: Thing | None) -> list[FieldWish]:
    return [read_notation(part) for part in (thing.fields if thing else UNKNOWN)]
