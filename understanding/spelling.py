"""Puts right what was mistyped, carefully: what may be another word stays, and what was read is said back."""

import functools
from difflib import SequenceMatcher

from understanding.english import plural
from understanding.everyday import EVERYDAY, KEYWORDS
from understanding.field_words import CHOICE_NAMES, LAST_WORDS, TEXT_WORDS
from understanding.text import WORD
from understanding.things import places, things

SHORTEST = 5
LONGEST = 24
MOST_LOOKED_AT = 400
LEAST_ALIKE = 0.8
ENDINGS = ("s", "es", "d", "ed", "r", "er", "ing", "ly", "y", "or")
SOUND_ALIKE = ({"c", "s"}, {"s", "z"}, {"i", "y"}, {"c", "k"})
BRITISH = {"organisation": "organization", "favourite": "favorite", "colour": "color", "catalogue": "catalog"}


@functools.cache
def known_words() -> frozenset[str]:
    """Every word that some rule knows, and everyday words."""
    return _rule_words() | EVERYDAY | set(BRITISH) | set(BRITISH.values())


@functools.cache
def _rule_words() -> frozenset[str]:
    fields = {word for words in LAST_WORDS.values() for word in words.split()} | TEXT_WORDS | CHOICE_NAMES
    named = {word for name in (*things(), *places()) for word in name.split()}
    singles = {word for word in fields | named | KEYWORDS if word.isalpha()}
    return frozenset(singles | {plural(word) for word in singles})


@functools.cache
def _targets() -> dict[tuple[str, int], tuple[str, ...]]:
    """Words to read a mistyped one as, by first letter and length, so that few have to be compared."""
    found: dict[tuple[str, int], list[str]] = {}
    for word in sorted(_rule_words()):
        if len(word) >= SHORTEST:
            found.setdefault((word[0], len(word)), []).append(word)
    return {key: tuple(words) for key, words in found.items()}


@functools.lru_cache(maxsize=4096)
def meant(word: str) -> str | None:
    """The known word that a mistyped one is, or None: also if it is known, or may well be a word of its own."""
    if (
        word in known_words()
        or word.removesuffix("s") in known_words()
        or not SHORTEST - 1 <= len(word) <= LONGEST
        or not (word.isascii() and word.isalpha())
    ):
        return None
    near = [other for size in (-1, 0, 1, 2) for other in _targets().get((word[0], len(word) + size), ())]
    alike = [(SequenceMatcher(None, word, other).ratio(), other) for other in near if _is_slip(word, other)]
    best = max(alike, default=(0.0, ""))
    return best[1] if best[0] >= LEAST_ALIKE else None


def _is_slip(word: str, other: str) -> bool:
    """Two letters swapped, one doubled, left out or too many; another letter only in a long word."""
    if any(word == other + ending or other == word + ending for ending in ENDINGS):
        return False
    if sorted(word) == sorted(other):
        return sum(a != b for a, b in zip(word, other, strict=True)) == 2
    if len(word) == len(other):
        differ = [{a, b} for a, b in zip(word, other, strict=True) if a != b]
        return len(differ) == 1 and (len(word) >= 8 or (len(word) >= 6 and differ[0] in SOUND_ALIKE))
    long, short = (word, other) if len(word) > len(other) else (other, word)
    if len(long) - len(short) == 2:
        return len(short) >= 8 and SequenceMatcher(None, long, short).ratio() >= 0.9
    return any(long[:i] + long[i + 1 :] == short for i in range(1, len(long)))


def mend(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with its slips put right, and what was read for what. Names in quotes or with capitals inside stay."""
    read: dict[str, str] = {}
    kept = _quoted(text)
    looked_at = 0
    parts: list[str] = []
    end = 0
    for found in WORD.finditer(text):
        word, start = found.group(), found.start()
        if looked_at >= MOST_LOOKED_AT or any(a <= start < b for a, b in kept) or _is_name(text, start, word):
            continue
        looked_at += 1
        other = meant(word.lower())
        if other is not None:
            read[word] = other
            parts += [text[end:start], other]
            end = found.end()
    return "".join([*parts, text[end:]]), tuple(f"I read “{word}” as “{other}”" for word, other in read.items())


def _quoted(text: str) -> list[tuple[int, int]]:
    places_of_quotes = [place for place, c in enumerate(text) if c == '"'][:40]
    return list(zip(places_of_quotes[::2], places_of_quotes[1::2], strict=False))


def _is_name(text: str, start: int, word: str) -> bool:
    before = text[max(0, start - 12) : start].lower().rstrip()
    if before.endswith(("called", "named", "call it", "name it", "titled")):
        return True
    return word != word.lower() and word != word.upper() and bool(before) and before[-1] not in ".!?\n-:"
