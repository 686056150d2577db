"""What a request is about: `an app where we list matches` is about matches, `for our football team` says for whom."""

import re
from dataclasses import dataclass, field

from understanding.english import is_plural
from understanding.nouns import CONTAINERS, DOES, PEOPLE, VERBS, Noun, find_noun, is_only_container
from understanding.text import KIND, words_of

PREPOSITIONS = frozenset(
    "for about of in on by at from to where that which who as when during into inside around within".split()
)
REASON = re.compile(
    (
        r"\b(?:because|since|so that|in order|so (?:i|we|people|they|you|everyone)|thanks|thank you|"
        r"as (?:i|we)\b|even if|although|instead of|if possible)\b.*$"
    ),
    re.DOTALL,
)
AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|&|plus|as well as|along with)\s+")
THEIR = re.compile(r"^(?:their|its|his|her)\s")
HELPERS = frozenset(
    (
        "can could may should will would must to be able please also just easily quickly simply want wants "
        "like need let lets"
    ).split()
)


MOST_PARTS = 40
MOST_WORDS = 25
"""A phrase of more words than this is not read to its end."""


@dataclass(slots=True)
class Head:
    strong: list[Noun] = field(default_factory=list)
    weak: list[Noun] = field(default_factory=list)
    places: list[Noun] = field(default_factory=list)
    belongs: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of child and parent."""
    titled: str = ""


def read_head(text: str) -> Head:
    head = Head()
    held = ""
    for preposition, words in _segments(REASON.sub("", text)):
        previous = head.strong[-1] if head.strong else None
        nouns = _objects(preposition, words)
        for number, (noun, is_object, theirs) in enumerate(nouns):
            _place_noun(head, noun, preposition if number == 0 else "", is_object, held)
            if previous is not None and number == 0 and _is_part_of(preposition, previous, noun, words):
                head.strong += [noun] if noun not in head.strong else []
                head.belongs.append((previous.words, noun.words))
            if theirs and head.strong[:-1] and noun is head.strong[-1]:
                head.belongs.append((noun.words, head.strong[-2].words))
        held = words if is_only_container(words) else ""
        if nouns and not preposition and not head.titled and _is_title(words, nouns[0][0], nouns[0][1]):
            head.titled = nouns[0][0].titled
    return head


def _place_noun(head: Head, noun: Noun, preposition: str, is_object: bool, held: str) -> None:
    """Strong is what the app keeps; weak is what was only mentioned."""
    if noun.place is not None:
        head.places.append(noun)
    elif is_object or not preposition:
        head.strong.append(noun)
    elif preposition == "of" and held:
        head.strong.append(noun)
    elif preposition == "for" and not head.strong and not head.places:
        head.strong.append(noun)
    else:
        head.weak.append(noun)


def _is_part_of(preposition: str, child: Noun, parent: Noun, words: str) -> bool:
    """`comments on posts` belong to posts."""
    known = child.thing is not None and parent.thing is not None and child.words != parent.words
    of_each = parent.plural or words.startswith(("each ", "every "))
    return (
        preposition in {"on", "of", "to", "for"}
        and known
        and child.plural
        and of_each
        and (preposition != "for" or not parent.plural)
    )


def _segments(text: str) -> list[tuple[str, str]]:
    """The text cut before each preposition."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for word in re.findall(r"[^\s,]+|,", text):
        if word.strip(".,!?") in PREPOSITIONS:
            parts.append((word, []))
        else:
            parts[-1][1].append(word)
    return [(preposition, " ".join(words).replace(" ,", ",")) for preposition, words in parts if words or preposition]


def _objects(preposition: str, words: str) -> list[tuple[Noun, bool, bool]]:
    """Each noun, whether something is done with it, and whether it is said to be of the one before."""
    found: list[tuple[Noun, bool, bool]] = []
    for part in AND.split(words)[:MOST_PARTS]:
        piece = _without_relative(" ".join(part.split()[:MOST_WORDS]))
        if preposition == "to" and piece.strip() in VERBS:
            continue  # `to track` what comes next
        verb, rest = _after_verb(piece)
        done = DOES.get(verb) if _people_do(piece, verb) else None
        noun = find_noun(done) if done else find_noun(rest) or (find_noun(piece) if verb else None)
        if noun is not None:
            found.append((noun, bool(verb) or (bool(found) and found[-1][1]), bool(THEIR.match(piece.strip()))))
    return found


def _without_relative(piece: str) -> str:
    """`birds i have seen` is about birds."""
    left, found, _ = piece.partition(" i ") if " i " in piece else piece.partition(" we ")
    noun = find_noun(left) if found else None
    return (
        left
        if noun is not None
        and not set(left.split()) & {"what", "which", "app", "that"}
        and left.split()[0] not in VERBS
        else piece
    )


def _after_verb(piece: str) -> tuple[str, str]:
    """The verb, if the words do something with something, and what they do it with."""
    words = piece.split()
    for place, word in enumerate(words[:6]):
        plain = word.strip(",.!?'\"")
        people_before = any(w in PEOPLE or w in HELPERS for w in words[:place])
        if (plain in VERBS or (plain in DOES and people_before)) and (words[place + 1 :] or people_before):
            rest = " ".join(words[place + 1 :])
            if not is_only_container(rest) or people_before or KIND in rest:
                verb, further = _after_verb(rest)
                return (verb or plain, further if verb else rest)
    return "", piece


def _people_do(piece: str, verb: str) -> bool:
    words = words_of(piece)
    return (
        verb in DOES and verb in words and any(word in PEOPLE or word in HELPERS for word in words[: words.index(verb)])
    )


def _is_title(words: str, noun: Noun, is_object: bool) -> bool:
    """Whether the words name the app in passing: `expense tracker`, `todo API`, `wedding guests`."""
    before = words.partition(KIND)[0].split()
    beside_kind = KIND in words and bool(before) and not is_plural(before[-1])
    return beside_kind or noun.titled.split()[-1] in CONTAINERS or (KIND not in words and not is_object)
