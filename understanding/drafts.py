"""What is known so far of the things that an app shall keep, while the text is read."""

import re
from dataclasses import dataclass, field, replace

from understanding.fields import FieldWish
from understanding.names import same_thing
from understanding.nouns import Noun
from understanding.things import Thing


@dataclass(slots=True)
class ThingDraft:
    noun: str
    thing: Thing | None = None
    wishes: list[FieldWish] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    several: bool = False
    """Whether it was spoken of in the plural."""

    def wish(self, wish: FieldWish) -> None:
        """What was said first counts, and what was said against it is told."""
        for place, known in enumerate(self.wishes):
            if known.words.lower() == wish.words.lower():
                self.wishes[place] = known.against(wish)
                return
        self.wishes.append(wish)

    def belongs_to(self, parent: str) -> None:
        if parent != self.noun and parent not in self.parents:
            self.parents.append(parent)


@dataclass(slots=True)
class Draft:
    things: dict[str, ThingDraft] = field(default_factory=dict)
    weak: list[Noun] = field(default_factory=list)
    """Nouns that were only mentioned."""
    places: list[Noun] = field(default_factory=list)
    loose: list[FieldWish] = field(default_factory=list)
    """Fields of which nobody said whose they are."""
    unread: list[str] = field(default_factory=list)
    titled: str = ""
    """What the app is called in passing, such as `expense tracker`."""
    current: str = ""

    def thing(self, noun: Noun, *, is_subject: bool = False) -> ThingDraft:
        """The draft of a thing, new or known; what has something is called as it is called there."""
        for name, known in self.things.items():
            if same_thing(name, noun.words):
                self.current = name
                known.several = known.several or noun.plural
                if is_subject and len(noun.words) < len(name) and noun.words in name:
                    return self._rename(name, noun)
                return known
        self.things[noun.words] = ThingDraft(noun.words, noun.thing, several=noun.plural)
        self.current = noun.words
        return self.things[noun.words]

    def _rename(self, old: str, noun: Noun) -> ThingDraft:
        self.things = {noun.words if name == old else name: draft for name, draft in self.things.items()}
        for draft in self.things.values():
            draft.parents = [noun.words if parent == old else parent for parent in draft.parents]
        found = self.things[noun.words]
        found.noun, found.thing = noun.words, noun.thing or found.thing
        self.current = noun.words
        return found

    def knows(self, noun: str) -> str | None:
        return next((name for name in self.things if same_thing(name, noun)), None)


def write_as_typed(draft: Draft, text: str) -> None:
    """Gives values the capitals that the person gave them: things are read from text in lower case."""
    for thing in draft.things.values():
        thing.wishes = [_as_typed(wish, text) for wish in thing.wishes]
    draft.loose = [_as_typed(wish, text) for wish in draft.loose]


def _as_typed(wish: FieldWish, text: str) -> FieldWish:
    choices = tuple(_typed(value, text) for value in wish.choices)
    default = _typed(wish.default, text) if wish.default else wish.default
    return replace(wish, choices=choices, default=default) if len(set(choices)) == len(wish.choices) else wish


def _typed(value: str, text: str) -> str:
    """As it stands where it was last written."""
    found = re.findall(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE)
    return found[-1] if found else value
