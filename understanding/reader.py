"""Reads what an app shall keep: things, their fields, and what belongs to what."""

import re

from contracts.app_spec import FieldType
from understanding.clauses import Clause, read_clause, split_clauses
from understanding.drafts import Draft, ThingDraft
from understanding.english import is_plural, singular
from understanding.fields import read_field
from understanding.heads import Head, read_head
from understanding.nouns import Noun, find_noun
from understanding.pages import STATEMENT, WISH
from understanding.parts import as_thing, enter_parts, is_things
from understanding.resources import usual_fields
from understanding.text import KIND, sentences, words_of
from understanding.things import things
from understanding.value_types import is_field_word, type_of

PRONOUNS = frozenset(
    {"it", "they", "each", "each one", "every one", "this", "these", "each of them", "all", "one", "them"}
)
ONE_OF = re.compile(
    r"^(?:the\s+|its\s+|their\s+)?(?P<field>[\w'-]+(?:\s[\w'-]+)?)\s+(?:is|are|can be|may be|could be|"
    r"should be|must be)\s+(?:either\s+|one of\s+)?(?P<values>[^()]{2,200}\bor\b[^()]{1,60})$"
)
RATES = re.compile(
    r"^(?:and\s+)?(?:[\w'-]+\s+)?(?:can|could|may|should be able to|to)\s+(?:rate|score)\s+"
    r"(?:(?:the|each|every|all)\s+)?(?P<thing>[\w'-]+)(?:\s+(?:from\s+)?(?P<range>\d+\s*(?:-|to)\s*\d+))?(?:\s+stars?)?$"
)
GENERIC = frozenset({"item", "entry", "record", "row", "element", "object", "listing", "line"})
"""Words for one of whatever is kept."""
WISHING = re.compile(
    r"\b(?:should|must|want|need|would like|can you|could you|please|has to|have to|i'd like|make sure|"
    r"ability|able to|let)\b"
)
MORE = re.compile(r"\b(?:add|also|store|save|keep|track|manage|record|and)\b")
HEADED = re.compile(r"^(?:for\s+)?(?:my|our)\s[\w' -]{1,40}:\s")
WHO_I_AM = re.compile(
    r"^(?:(?:hi|hey|hello|so|well|basically|ok)[,! ]+)*(?:i'm|i am|we are|we're|i work as|i run|we run|"
    r"i own|as)\s[^,.;]{1,60}(?:,|\band\b|\bwho\b|\bso\b)\s*(?=i\b|we\b|i'd\b|we'd\b|i'm\b|looking|"
    r"need|want|would)"
)


def read_things(text: str) -> Draft:
    """From lower-case text in which everything else is crossed out."""
    draft = Draft()
    for words in sentences(_with_commas(text)):
        sentence = WHO_I_AM.sub("", words)
        before = _size(draft)
        wished = WISH.search(sentence) or HEADED.match(sentence) or KIND in sentence
        statement = bool(STATEMENT.match(sentence)) and not wished
        for part in split_clauses(sentence):
            if not _one_of(draft, part) and not _rates(draft, part):
                _read(draft, read_clause(part), weakly=statement and " have " not in f" {part} ")
        if before == _size(draft) and _is_wish(sentence) and not _speaks_again(draft, sentence):
            draft.unread.append(" ".join(sentence.replace(KIND, "").split()))
    _settle(draft)
    return draft


def _with_commas(text: str) -> str:
    """`patients appointments doctors` are three things."""
    return re.sub(r"(?<![\w'-])([\w'-]+)(?= ([\w'-]+))", lambda m: m[1] + ("," if _are_two(m[1], m[2]) else ""), text)


def _are_two(first: str, second: str) -> bool:
    return all(is_plural(word) and not is_field_word(word) and singular(word) in things() for word in (first, second))


def _size(draft: Draft) -> tuple[int, ...]:
    wishes = sum(len(thing.wishes) + len(thing.parents) for thing in draft.things.values())
    return len(draft.things), wishes, len(draft.loose), len(draft.places)


def _is_wish(sentence: str) -> bool:
    return bool(WISHING.search(sentence)) and len(words_of(sentence.replace(KIND, ""))) > 4


def _speaks_again(draft: Draft, sentence: str) -> bool:
    """Whether a sentence only speaks of things that are known."""
    names = {word for name in draft.things for word in (name, name.split()[-1])}
    return any(word in names or singular(word) in names for word in words_of(sentence))


def _one_of(draft: Draft, words: str) -> bool:
    """`the status is open, in progress or solved` says what a field can be."""
    found = ONE_OF.match(words)
    thing = draft.things.get(draft.current)
    wish = read_field(f"{found['field']} ({found['values']})") if found else None
    if thing is None or wish is None or not wish.choices:
        return False
    thing.wishes = [known for known in thing.wishes if known.words.lower() != wish.words.lower()]
    thing.wish(wish)
    return True


def _rates(draft: Draft, words: str) -> bool:
    """`members can rate books 1 to 5` gives books a rating."""
    found = RATES.match(words)
    noun = find_noun(found["thing"]) if found else None
    known = draft.knows(noun.words) if noun else None
    wish = read_field(f"rating ({found['range'] or '1 to 5'})") if found else None
    if known is None or wish is None:
        return False
    thing = draft.things[known]
    for usual in [] if thing.wishes else usual_fields(thing.thing):
        thing.wish(usual)
    thing.wish(wish)
    return True


def _read(draft: Draft, clause: Clause, *, weakly: bool) -> None:
    if clause.parents:
        _belongs(draft, clause)
    elif clause.subject:
        _has(draft, clause)
    else:
        _request(draft, clause, weakly)


def _belongs(draft: Draft, clause: Clause) -> None:
    child = _subject(draft, clause.subject)
    nouns = [find_noun(parent) for parent in clause.parents]
    for noun in nouns:
        if noun is not None and child is not None:
            current = draft.current
            child.belongs_to(draft.thing(as_thing(noun)).noun)
            draft.current = current


def _subject(draft: Draft, words: str) -> ThingDraft | None:
    known = draft.things.get(draft.current)
    noun = find_noun(words) if " ".join(words.split()) not in PRONOUNS else None
    if noun is None:
        return known
    if noun.words in GENERIC and known is not None and len(draft.things) == 1 and not known.wishes:
        if known.noun.endswith("ing") and known.thing is None:
            draft.things = {}  # an app for lending keeps items, not lendings
        else:
            return known
    return draft.thing(as_thing(noun), is_subject=True)


def _has(draft: Draft, clause: Clause) -> None:
    noun = find_noun(clause.subject)
    of_place = noun is not None and noun.place is not None and draft.knows(noun.words) is None
    if noun is not None and of_place and all(map(is_things, clause.items)):
        draft.places.append(noun)
        enter_parts(draft, None, clause.items)
    else:
        enter_parts(draft, _subject(draft, clause.subject), clause.items)


def _request(draft: Draft, clause: Clause, weakly: bool) -> None:
    head = read_head(clause.head) if clause.head else Head()
    draft.titled = draft.titled or ("" if weakly else head.titled)
    draft.places += head.places
    draft.weak += head.weak
    known = {noun.words for noun in head.strong if draft.knows(noun.words) is not None}
    if weakly or (draft.things and not known and not clause.items and not _asks_for_more(clause.head)):
        draft.weak += head.strong
        return
    had = bool(draft.things) and not clause.items
    for noun in head.strong:
        if had and noun.thing is None and not noun.plural and noun.words not in known:
            draft.weak.append(noun)  # a later sentence that speaks of something nobody knows
        else:
            draft.thing(noun)
    for child, parent in head.belongs:
        if child in draft.things and parent in draft.things:
            draft.things[child].belongs_to(parent)
    about = head.belongs[-1][0] if head.belongs else draft.current
    enter_parts(draft, draft.things.get(about) if head.strong else None, clause.items)


def _asks_for_more(head: str) -> bool:
    """Whether a later sentence names something more to keep, rather than just speaking of something."""
    return bool(WISHING.search(head) or MORE.search(head)) or KIND in head


def _drop_titles(draft: Draft) -> None:
    """One thing beside others of which more is said only names the app, if it is unknown or another word for one of
    them: `an app for a food bank`, `an RSVP app: guests have ...`."""
    told = [thing for thing in draft.things.values() if thing.wishes]
    usual = {thing.thing.fields for thing in told if thing.thing is not None}
    parents = {parent for thing in draft.things.values() for parent in thing.parents}
    for name, thing in list(draft.things.items()):
        silent = not thing.wishes and not thing.parents and name not in parents
        if told and silent and not thing.several and (thing.thing is None or thing.thing.fields in usual):
            del draft.things[name]
            draft.weak.append(Noun(name))


def _settle(draft: Draft) -> None:
    """Gives fields without an owner to the thing they are most likely of."""
    _drop_titles(draft)
    _make_readings(draft)
    if not draft.loose:
        return
    named = {wish.words.lower() for wish in draft.loose}
    for name, thing in list(draft.things.items()):
        parents = {parent for other in draft.things.values() for parent in other.parents}
        if name in named and not thing.wishes and not thing.parents and name not in parents:
            del draft.things[name]  # `students` and a field `student`: the student is a fact about something else
            draft.weak.append(Noun(name, thing=thing.thing))
    if not draft.things:
        _promote(draft, named)
    if draft.things:
        target = draft.things.get(draft.current) or next(iter(draft.things.values()))
        target = next((thing for thing in draft.things.values() if not thing.wishes), target)
        for wish in draft.loose:
            target.wish(wish)
        draft.loose = []


def _make_readings(draft: Draft) -> None:
    """An app that is sent `temperature and humidity` keeps readings of both."""
    names = list(draft.things)
    measured = [name for name in names if type_of(name) is FieldType.NUMBER]
    plain = all(thing.thing is None and not thing.several and not thing.parents for thing in draft.things.values())
    if names and names == measured and plain:
        wishes = [*map(read_field, names), *(wish for thing in draft.things.values() for wish in thing.wishes)]
        draft.things = {}
        reading = draft.thing(Noun("reading", plural=True))
        for wish in wishes:
            if wish is not None:
                reading.wish(wish)


def _promote(draft: Draft, named: set[str]) -> None:
    """Something that was only mentioned is what the fields are of, if nothing else is."""
    weak = [noun for noun in draft.weak if noun.words not in named]
    usual = [noun for noun in weak if noun.thing is not None]
    candidates = [*usual, *draft.places, *weak] or draft.weak
    if candidates:
        noun = candidates[0]
        guess = find_noun(noun.place) if noun.place else None
        draft.thing(guess or as_thing(noun))
