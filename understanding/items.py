"""Splits an enumeration into its items: `title, author (required) and priority low, medium or high` are three."""

import re

from understanding.field_words import CHOICE_NAMES
from understanding.text import words_of
from understanding.value_types import is_field_word

MOST_ITEMS = 200
BETWEEN = re.compile(r"\bbetween (-?\d+(?:\.\d+)?) and (-?\d+(?:\.\d+)?)", re.IGNORECASE)
WITH_CHOICES = re.compile(
    r"\s+(?:with|having)\s+(?:the\s+)?(?:possible\s+)?(?:choices|options|"
    r"values)(?:\s+of)?:?\s+(?P<values>[^\n();]{3,300})",
    re.IGNORECASE,
)
SEPARATOR = re.compile(
    (
        r"\s*(?:,|;|\n|(?<=\s)/(?=\s)|\|)\s*(?:and\b|or also\b|&)?\s*|\s+(?:and|&|plus|as well as|"
        r"along with|together with|and also)\s+"
    ),
    re.IGNORECASE,
)
REMARK_ONLY = re.compile(
    r"(?:(?:which|that|it|both|all|is|are|must be|should be|has to be)\s+)*(?:required|mandatory|"
    r"optional|unique|default\b.*|"
    r"defaults to .*|not required|numeric|integer|no duplicates|max(?:imum)? \d+|"
    r"min(?:imum)? \d+)",
    re.IGNORECASE,
)
FILLER = re.compile(
    r"(?:etc|et cetera|so on|so forth|stuff|things like that|the like|more|all that|everything|anything else|that's it|"
    r"that is it|thanks|thank you|please|the usual|the usual stuff|whatever|also|too|then|not|cheers|thx)\.?",
    re.IGNORECASE,
)
OF_CHOICES = re.compile(r"\s+or\s+", re.IGNORECASE)
SAYS_CHOICES = re.compile(
    r"\b(?:which |that )?(?:can be|is either|is one of|one of|either|may be|could be)\s+", re.IGNORECASE
)


def split_items(text: str) -> list[str]:
    """Values in brackets stay with their item, and so do values that are joined by `or`."""
    text = WITH_CHOICES.sub(_in_brackets, text)
    text = BETWEEN.sub(r"from \1 to \2", text)
    lines = [line for line in text.split("\n") if line.strip(" -")]
    pieces: list[str] = []
    for row in lines[:MOST_ITEMS]:
        told = row.strip().removeprefix("- ")
        one = row.strip().startswith("- ") and ":" in told
        pieces += [told] if one else _outside_brackets(told)
    kept = [piece.strip(" ,;.-:") for piece in pieces[:MOST_ITEMS]]
    return _join_choices(_attach_remarks([piece for piece in kept if piece and not FILLER.fullmatch(piece)]))


def _in_brackets(found: re.Match[str]) -> str:
    values = re.sub(r"\s+(?:and|or)\s+", ", ", found["values"])
    return f" ({values.strip(' .')})"


def _outside_brackets(text: str) -> list[str]:
    parts: list[str] = []
    depth = start = 0
    position = 0
    while position < len(text) and len(parts) < MOST_ITEMS:
        c = text[position]
        depth = max(0, depth + (c in "([{") - (c in ")]}"))
        found = SEPARATOR.match(text, position) if depth == 0 and c in " ,;\n/|" else None
        if found and found.end() > position:
            parts.append(text[start:position])
            start = position = found.end()
        else:
            position += 1
    return [*parts, text[start:]]


def _attach_remarks(pieces: list[str]) -> list[str]:
    """`title, required` is one item."""
    joined: list[str] = []
    for piece in pieces:
        if joined and REMARK_ONLY.fullmatch(piece):
            joined[-1] = f"{joined[-1]} ({piece})"
        else:
            joined.append(piece)
    return joined


def _join_choices(pieces: list[str]) -> list[str]:
    """`priority low`, `medium or high` are one item, with its values in brackets."""
    joined: list[str] = []
    for piece in pieces:
        if OF_CHOICES.search(piece) and "(" not in piece and len(words_of(piece)) <= 12:
            joined = _with_values(joined, piece)
        else:
            joined.append(piece)
    return joined


def _with_values(before: list[str], last: str) -> list[str]:
    """Goes back from the last value to the item that they are values of."""
    for back in range(len(before) + 1):
        place = len(before) - back
        piece = before[place] if back else last
        told = SAYS_CHOICES.search(piece)
        words = piece.split()
        named = told.start() if told and told.start() else _end_of_name(words)
        if named:
            name, first = (
                (piece[:named], piece[told.end() :])
                if told and told.start()
                else (
                    " ".join(words[:named]),
                    " ".join(words[named:]),
                )
            )
            values = [first, *before[place + 1 :], *([last] if back else [])]
            flat = [value for part in values for value in OF_CHOICES.split(part) if value.strip()]
            return [*before[:place], f"{name.strip()} ({', '.join(flat)})"]
        if back and len(words) > 3:
            break
    return [*before, last]


def _end_of_name(words: list[str]) -> int:
    """How many words name the field, if values follow it: `priority low` is 1, `medium` and `name` are 0."""
    for place, word in enumerate(words[:-1]):
        if word.lower().strip(":") in CHOICE_NAMES and not is_field_word(words[place + 1].lower()):
            rest = [word for word in words[place + 1 :] if word.lower() not in {"is", "are", "as", "=", "-"}]
            return len(words) - len(rest) if rest and rest[0].lower() != "or" else 0
    return 0
