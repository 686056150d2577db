"""Things of which each can go with many of the other, such as students and courses: kept as a list of its own."""

import re
from dataclasses import dataclass

from contracts.app_spec import FieldType
from understanding.drafts import Draft, ThingDraft
from understanding.english import plural, singular
from understanding.fields import FieldWish
from understanding.nouns import Noun, find_noun
from understanding.parts import as_thing
from understanding.sheet import Sheet
from understanding.things import things

EACH = r"(?:(?:an?|each|every|all|the|one|any)\s+)?"
MANY = r"(?:many|several|multiple|more than one|any number of|lots of|different)\s+(?:different\s+)?"
CAN = r"(?:(?:can|could|may|might|should|will|must)\s+(?:also\s+)?(?:be able to\s+)?)?"
HAS = r"(?:has|have|contain|contains|include|includes|use|uses|need|needs)"
GOES = (
    r"(?:(?:enrol|enroll|enrols|enrolls|enrolled|register|registers|sign up|signup|subscribe|participate|take part|"
    r"be|are|is|work|play|act|appear|belong)\s+(?:in|for|to|on|at|with)|take|takes|attend|attends|join|joins|visit|"
    r"choose|follow)"
)
BOTH_WAYS = re.compile(
    rf"(?<![\w-]){EACH}(?P<one>[\w-]+)\s+{CAN}(?:{HAS}|{GOES})\s+{MANY}(?P<other>[\w-]+)"
    rf"(?:\s*[,;.]\s*|\s+)(?:(?:and|but|while|also)\s+)*{EACH}(?P<other2>[\w-]+)\s+{CAN}(?:{HAS}|{GOES})\s+"
    rf"{MANY}(?P<one2>[\w-]+)(?![\w-])"
)
ONE_WAY = re.compile(
    rf"(?:(?:and|where|so that|while)\s+)?(?<![\w-]){EACH}(?P<one>[\w-]+)\s+{CAN}{GOES}\s+{MANY}(?P<other>[\w-]+)"
    r"(?![\w-])"
)
SAID = re.compile(
    r"(?<![\w-])(?P<one>[\w-]+)\s+and\s+(?P<other>[\w-]+)\s*(?:,|-|:|\(|with an?|in an?|as an?|are|have an?)?\s*"
    r"many[- ]to[- ]many(?:\s+(?:relation(?:ship)?|link|connection)s?)?\)?"
)
GOING = re.compile(r"\b(?:enrol|take|takes|attend|attends)")
SIGNING = re.compile(r"\b(?:register|sign|subscribe|participate|take part|join)")
USUAL = {
    frozenset({"movie", "actor"}): "role",
    frozenset({"film", "actor"}): "role",
    frozenset({"course", "student"}): "enrolment",
    frozenset({"project", "employee"}): "assignment",
    frozenset({"task", "employee"}): "assignment",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two things, and what joins them."""

    one: str
    other: str
    join: str

    def words(self) -> str:
        both = f"{plural(self.one).capitalize()} and {plural(self.other)}"
        return f"{both} go together in {plural(self.join)}, one for each {self.one} and {self.other}"


def take_pair(sheet: Sheet) -> Pair | None:
    """Crosses out the words for it; the two things stay where they are named."""
    for pattern in (BOTH_WAYS, SAID, ONE_WAY):
        for found in pattern.finditer(sheet.low):
            one, other = singular(found["one"]), singular(found["other"])
            if _are_things(one, other) and _agree(found, one, other):
                kept = f"{plural(one)} and {plural(other)}" if pattern is SAID else ""
                sheet.cross_out(found.start(), found.end(), leave=kept)
                return Pair(one, other, _join(found.group(), one, other))
    return None


def enter_pair(draft: Draft, pair: Pair) -> None:
    """Neither belongs to the other: something third belongs to both."""
    nouns = [find_noun(word) or Noun(word, plural=True) for word in (pair.one, pair.other)]
    names = [draft.thing(as_thing(noun)).noun for noun in nouns]
    for name in names:
        draft.things[name].parents = [parent for parent in draft.things[name].parents if parent not in names]
    joining = draft.things.get(pair.join) or ThingDraft(pair.join, several=True)
    first = FieldWish("name") if pair.join == "role" else FieldWish("date", FieldType.DATE)
    joining.wishes = joining.wishes or [first, FieldWish("notes", FieldType.LONG_TEXT)]
    for name in names:
        joining.belongs_to(name)
    draft.things[joining.noun] = joining


def _are_things(*words: str) -> bool:
    nouns = [find_noun(word) for word in words]
    return len(set(words)) == len(words) and all(
        noun is not None and (noun.place is None or noun.words in things()) for noun in nouns
    )


def _agree(found: re.Match[str], one: str, other: str) -> bool:
    said = found.groupdict()
    return "one2" not in said or (singular(said["one2"]), singular(said["other2"])) == (one, other)


def _join(words: str, one: str, other: str) -> str:
    by_verb = "enrolment" if GOING.search(words) else "registration" if SIGNING.search(words) else f"{one} {other}"
    return USUAL.get(frozenset({one, other}), by_verb)
