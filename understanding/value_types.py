"""The type of a field, from its name and from what was said of it."""

import functools

from contracts.app_spec import FieldType
from understanding.field_words import (
    CHOICES,
    DURATIONS,
    LAST_WORDS,
    NUMBERS_IN_TEXT,
    PREFIXES_OF_YES_NO,
    TEXT_WORDS,
)

DUE_BY = frozenset({"return", "due", "pay", "use", "finish", "needed", "reply", "answer", "done"})
"""Before `by`: a day follows, not a person."""


@functools.cache
def _by_word() -> dict[str, FieldType]:
    return {word: kind for kind, words in LAST_WORDS.items() for word in words.split()}


def is_field_word(word: str) -> bool:
    """Whether the word names something known of a thing, rather than a thing."""
    return word in _by_word() or word in TEXT_WORDS or word in CHOICES


def type_of(name: str) -> FieldType:
    """Of a name in words, such as `due date`. Text unless the words say more."""
    words = name.lower().replace("_", " ").split()
    if not words:
        return FieldType.TEXT
    for rule in (_by_shape, _by_first, _by_last):
        found = rule(words)
        if found is not None:
            return found
    return FieldType.TEXT


def _by_shape(words: list[str]) -> FieldType | None:
    """What several words say together."""
    if "per" in words[1:-1]:
        return type_of(" ".join(words[: words.index("per")]))  # `price per night`
    if words[:2] in (["number", "of"], ["how", "many"], ["amount", "of"], ["no", "of"], ["num", "of"]):
        return FieldType.INTEGER
    if words[0] == "date" or (words[:2] in (["day", "of"], ["until", "when"]) and words[2:] != ["week"]):
        return FieldType.DATE
    if words[:2] in (["time", "of"], ["link", "to"], ["type", "of"], ["kind", "of"], ["how", "much"]):
        return {"time": FieldType.TIME, "link": FieldType.URL, "how": FieldType.MONEY}.get(words[0], FieldType.TEXT)
    return _by_unit(" ".join(words)) or _ends_with_number(words)


def _by_unit(text: str) -> FieldType | None:
    if text.endswith(("in minutes", "in days", "in months", "in weeks", "in years", "in seconds")):
        return FieldType.INTEGER
    if text.endswith(("in hours", "in kg", "in km", "in cm", "in meters", "in metres", "in miles", "in grams")):
        return FieldType.NUMBER
    return None


def _ends_with_number(words: list[str]) -> FieldType | None:
    if words[-1] in {"number", "no", "code", "id"} and len(words) > 1:
        return FieldType.TEXT if words[-1] != "number" or words[-2] in NUMBERS_IN_TEXT else FieldType.INTEGER
    if words[-1] == "time" and len(words) > 1 and words[-2] in DURATIONS:
        return FieldType.INTEGER
    return None


def _by_first(words: list[str]) -> FieldType | None:
    if words[0] in PREFIXES_OF_YES_NO and len(words) > 1:
        return FieldType.YES_NO
    if words[0] in {"last", "next", "first"} and len(words) > 1 and words[1] not in {"name", "names"}:
        if words[-1].endswith(("ed", "en", "on", "due")) or not is_field_word(words[-1]):
            return FieldType.DATE
    if words[0] in {"when", "expires", "born", "since", "until"}:
        return FieldType.DATE
    if len(words) > 1 and _by_word().get(words[0]) is FieldType.INTEGER and words[-1].endswith(("ed", "ft", "st", "t")):
        return FieldType.INTEGER  # `goals scored`, `seats left`
    return None


def _by_last(words: list[str]) -> FieldType | None:
    found = _by_word().get(words[-1])
    if words[-1] in {"by", "to", "from", "with", "for"}:
        return FieldType.DATE if words[-1] == "by" and words[0] in DUE_BY else FieldType.TEXT
    if words[-1] in {"on", "at"} and len(words) > 1:
        return FieldType.DATE
    if words[-1] == "address" and len(words) > 1 and words[-2] in {"email", "mail", "e-mail", "web"}:
        return FieldType.URL if words[-2] == "web" else FieldType.EMAIL
    if words[-1] == "free" and len(words) > 1:
        return FieldType.YES_NO  # `gluten free`
    if words[-2:] in (["handed", "in"], ["checked", "in"], ["signed", "up"], ["picked", "up"], ["paid", "off"]):
        return FieldType.YES_NO
    return found
