"""What something has: each item is a fact about it, or a thing of its own that belongs to it."""

import re

from understanding.drafts import Draft, ThingDraft
from understanding.english import is_plural, singular
from understanding.fields import names_only_fields, read_field
from understanding.items import split_items
from understanding.names import same_thing
from understanding.nouns import CONTAINERS, Noun, find_noun
from understanding.text import words_of
from understanding.things import NATURAL_PARENTS, things
from understanding.value_types import is_field_word

MANY = re.compile(
    r"^(?:has |have |can have |and )*(?:many|several|multiple|lots of|a lot of|a list of|lists of|"
    r"any number of|one or more|"
    r"zero or more|some|various|a set of|a number of|different)\s+(?P<noun>.+)$"
)
NESTED = re.compile(
    r"^(?P<noun>(?:[\w'-]+\s+){1,4}?)(?:with|having|containing|including|that have|which have|\()\s*"
    r"(?:their\s+|an?\s+|the\s+)?(?P<rest>.+)$",
    re.DOTALL,
)
PER = re.compile(r"\s+(?:per|for each|for every|of each|of every)\s+(?P<parent>[\w' -]+?)\s*$")
NOISE = frozenset(
    "way form box button page list overview option section area look design style layout possibility feature function "
    "one ones lot few bit kind thing things stuff website site".split()
)


def as_thing(noun: Noun) -> Noun:
    """A place that has fields is a thing like any other."""
    return noun if noun.place is None else Noun(noun.words, noun.plural, things().get(noun.words), None, noun.titled)


def is_things(words: str) -> bool:
    """Whether the words name several of some usual thing."""
    noun = find_noun(words)
    return noun is not None and noun.plural and noun.thing is not None


def enter_parts(draft: Draft, subject: ThingDraft | None, items: tuple[str, ...]) -> None:
    """Without a subject it is the app itself that has the items."""
    if subject is not None and _is_only_title(draft, subject, items):
        del draft.things[subject.noun]
        draft.weak.append(Noun(subject.noun, thing=subject.thing))
        subject = None
    owner = subject
    single = [part for item in items for part in (words_of(item) if names_only_fields(item) else [item])]
    keeps_things = subject is None and _are_mostly_things(single)
    for part in single:
        item = part
        nested = NESTED.match(item)
        if nested and _is_nested_thing(nested["noun"]):
            owner = _enter_thing(draft, subject, nested["noun"]) or owner
            for inner in split_items(nested["rest"].rstrip(")")):
                _enter_field(draft, owner, inner)
            continue
        elif (_is_app_thing(item) if keeps_things and owner is None else _is_child(draft, owner, item)) or _is_many(
            owner, item
        ):
            _enter_thing(draft, subject, item)
            continue
        elif _enter_parent(draft, subject, item):
            continue
        _enter_field(draft, owner, item)


def _is_nested_thing(words: str) -> bool:
    """Several of something, with fields of its own."""
    noun = find_noun(words)
    return (
        noun is not None and noun.plural and (noun.thing is not None or not is_field_word(words_of(words)[-1].lower()))
    )


def _is_only_title(draft: Draft, subject: ThingDraft, items: tuple[str, ...]) -> bool:
    """`a car rental with cars and rentals`, `a CRM: companies and deals`: the first word only names the app."""
    if subject.wishes or subject.parents or any(subject.noun in other.parents for other in draft.things.values()):
        return False
    if any(MANY.match(item) for item in items):
        return False  # what has many of something is a thing itself
    nested = [match["noun"] for match in map(NESTED.match, items) if match and _is_nested_thing(match["noun"])]
    nouns = [noun for noun in map(find_noun, [*items, *nested]) if noun is not None and noun.plural]
    if any(same_thing(noun.words, subject.noun) for noun in nouns):
        return len(nouns) > 1
    described = bool(nested) and items[0].startswith(nested[0])
    if described and len(nested) > 1 and not subject.several:
        return True
    if subject.thing is not None:
        return _is_named_after(draft, subject) and _are_things_of_their_own(subject, items)
    return described or (not subject.several and _are_mostly_things(list(items)))


def _is_named_after(draft: Draft, subject: ThingDraft) -> bool:
    """Whether the word that stood for the thing is a word for the app: `inventory` rather than `inventory item`."""
    return not subject.several and bool(draft.titled) and singular(draft.titled) != subject.noun


def _are_things_of_their_own(subject: ThingDraft, items: tuple[str, ...]) -> bool:
    """Several of usual things, none of which is part of the subject as comments are of posts."""
    nouns = [find_noun(item) for item in items]
    return bool(nouns) and all(
        noun is not None
        and noun.plural
        and noun.thing is not None
        and subject.noun.replace(" ", "_") not in NATURAL_PARENTS.get(noun.words.replace(" ", "_"), ())
        for noun in nouns
    )


def _enter_field(draft: Draft, owner: ThingDraft | None, item: str) -> None:
    wish = read_field(item)
    if wish is None:
        return
    words = wish.words.lower()
    if words in NOISE or (
        not is_field_word(words.split()[-1])
        and set(words_of(words))
        <= CONTAINERS
        - {
            "book",
            "details",
            "area",
            "file",
            "section",
            "desk",
            "plan",
            "info",
        }
    ):
        return
    if owner is not None:
        owner.wish(wish)
    else:
        draft.loose.append(wish)


def _are_mostly_things(items: list[str]) -> bool:
    likely = [item for item in items if _is_app_thing(item)]
    return len(likely) * 2 >= len([item for item in items if read_field(item)]) and bool(likely)


def _is_app_thing(item: str) -> bool:
    """Something that an app could keep: several of anything that is no amount, or a usual thing such as a guestbook."""
    noun = find_noun(item)
    if noun is None or "?" in item or ("(" in item and not NESTED.match(item)):
        return False
    words = [word for word in words_of(item.lower()) if word not in {"a", "an", "the"}]
    if noun.place is not None:
        return len(words) <= 2
    if noun.plural:
        return len(words) <= 4
    return noun.thing is not None and not (words and is_field_word(words[-1]))


def _is_many(subject: ThingDraft | None, item: str) -> bool:
    many = MANY.match(item)
    noun = find_noun(many["noun"]) if many else None
    return noun is not None and (subject is not None or noun.plural)


def _is_child(draft: Draft, subject: ThingDraft | None, item: str) -> bool:
    """Several of a usual thing belong to the subject; `ingredients` or `pages` are facts about it."""
    noun = find_noun(item)
    if noun is None or subject is None or "(" in item or "?" in item or noun.words == subject.noun:
        return False
    last = words_of(item)[-1].lower() if words_of(item) else ""
    natural = subject.noun.replace(" ", "_") in NATURAL_PARENTS.get(noun.words.replace(" ", "_"), ())
    several = noun.plural and is_plural(last)
    return (
        several
        and noun.thing is not None
        and (not is_field_word(last) or natural or draft.knows(noun.words) is not None)
    )


def _enter_parent(draft: Draft, subject: ThingDraft | None, item: str) -> bool:
    """`every book has an author`, where authors are kept: the book belongs to one."""
    noun = find_noun(item) if subject is not None and "(" not in item and len(words_of(item)) <= 3 else None
    if noun is None or subject is None or noun.plural or noun.words not in draft.things or noun.words == subject.noun:
        return False
    subject.belongs_to(noun.words)
    return True


def _enter_thing(draft: Draft, subject: ThingDraft | None, words: str) -> ThingDraft | None:
    many = MANY.match(words)
    noun = find_noun(many["noun"] if many else words)
    if noun is None:
        return None
    of_each = PER.search(words)
    above = draft.knows((find_noun(of_each["parent"]) or noun).words) if of_each else None
    subject = draft.things[above] if above and above != noun.words else subject
    if noun.place is not None and noun.words not in draft.things:
        draft.places.append(noun)
        return None
    if not draft.titled and noun.thing is not None and things().get(noun.titled) is noun.thing:
        draft.titled = noun.titled if singular(noun.titled) != noun.words else ""  # a `guestbook` keeps entries
    current = draft.current
    child = draft.thing(noun)
    if words.startswith(("their ", "its ")) and current in draft.things and current != child.noun:
        child.belongs_to(current)
    if subject is not None and child is not subject:
        child.belongs_to(subject.noun)
        draft.current = current
    return child
