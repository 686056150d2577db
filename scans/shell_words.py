"""Works out what the words of a command become, as far as that can be known without running it."""

import fnmatch
import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import TypeVar

from scans.shell_state import (
    ANYTHING,
    MARKS,
    MAX_LETTERS,
    UNKNOWN,
    Choices,
    State,
    Words,
    limited,
    marks_of,
)
from scans.shell_syntax import Output, Part, Script, Stream, Sum, Text, Variable, Word

SPLIT, QUOTED, OPEN, COMMA, CLOSE = "\ue003\ue004\ue005\ue006\ue007"
"""Marks in a word that is not finished: where it falls apart, that it had quotes, and braces that count."""
TO_MARKS = str.maketrans("{,}", OPEN + COMMA + CLOSE)
FROM_MARKS = str.maketrans({OPEN: "{", COMMA: ",", CLOSE: "}", QUOTED: None, SPLIT: " "})
MAX_BRACES = 64
MAX_PATTERN = 400
AT_HOME = re.compile(r"~(?:[\w.-]*|\+)(?=/|\Z)")
RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?\d+)?|([A-Za-z])\.\.([A-Za-z])")
SLICE = re.compile(r"\s*(-?\d{1,6})\s*(?::\s*(-?\d{1,6})\s*)?")
MAX_PRODUCT = 16
LETTERS_A_STEP = 50

Choice = TypeVar("Choice")


class Expander:
    """Expands words with what a state knows. Scripts inside them are run by whoever reads the script."""

    def __init__(
        self, run: Callable[[Script], str], open_stream: Callable[[Stream], str], spend: Callable[[int], None]
    ) -> None:
        self._run = run
        self._open_stream = open_stream
        self._spend = spend

    def words(self, word: Word, state: State) -> Choices:
        """What one written word becomes: any number of words, perhaps with choices."""
        return limited(tuple(_finished(coded)) for coded in self._coded(word, state))

    def texts(self, word: Word, state: State) -> Words:
        """The same where nothing falls apart: in assignments, after `<<`, between quotes."""
        found = (coded.translate(FROM_MARKS) for coded in self._coded(word, state))
        return tuple(words[0] for words in limited((text,) for text in found))

    def _coded(self, word: Word, state: State) -> list[str]:
        if word and isinstance(word[0], Text) and not word[0].quoted and (found := AT_HOME.match(word[0].text)):
            if len(word) == 1 or found.end() < len(word[0].text):
                return self._home(word[0], word[1:], state)
        parts = [self._part(part, state) for part in word]
        texts = [_short("".join(chosen)) for chosen in combined(parts)]
        self._spend(len(parts) + sum(map(len, texts)) // LETTERS_A_STEP)
        return texts

    def _home(self, first: Text, rest: Word, state: State) -> list[str]:
        who, slash, path = first.text.partition("/")
        if who in {"~", "~+"}:
            homes = [words[0] if words else "" for words in state.look_up("HOME" if who == "~" else "PWD")]
        else:
            homes = ["/" + who]
        tail = (slash + path).translate(TO_MARKS)
        return [home + tail + more for home in homes for more in self._coded(rest, state)]

    def _part(self, part: Part, state: State) -> Sequence[str]:
        match part:
            case Text(text, quoted):
                return (QUOTED + text if quoted else text.translate(TO_MARKS),)
            case Variable():
                return self._variable(part, state)
            case Output(script, quoted):
                printed = self._run(script).rstrip("\n")
                return (QUOTED + printed if quoted else _apart(printed, state),)
            case Stream():
                return (self._open_stream(part),)
            case Sum(word):
                self._coded(word, state)
                return (UNKNOWN,)

    def _variable(self, part: Variable, state: State) -> list[str]:
        values = self._values(part, state)
        if not part.quoted:
            return [SPLIT.join(_apart(word, state) for word in words) for words in values]
        if "@" in {part.name, part.index}:
            return [SPLIT.join(QUOTED + word for word in words) for words in values]
        return [QUOTED + " ".join(words) for words in values]

    def _values(self, part: Variable, state: State) -> Choices:
        values = state.look_up(part.name)
        if part.name not in {"@", "*"} and part.index not in {"@", "*"}:
            values = tuple(_item(words, part.index) for words in values)
        operand = self.texts(part.operand, state) if part.operand else ("",)
        return limited(self._operated(part, values, operand, state))

    def _operated(self, part: Variable, values: Choices, operand: Words, state: State) -> Iterator[Words]:
        others = tuple((text,) for text in operand)
        for words in values:
            empty, unsure = not any(words), any(word in MARKS for word in words)
            match part.operator.removeprefix(":") if len(part.operator) == 2 else part.operator:
                case "":
                    yield words
                case "-" | "=":
                    yield from () if empty else (words,)
                    yield from others if empty or unsure else ()
                    if part.operator.endswith("=") and empty:
                        state.assign(part.name, others)
                case "+":
                    yield from () if empty else others
                    yield from ((),) if empty or unsure else ()
                case "?":
                    yield from () if empty else (words,)
                case "!":
                    yield from (state.look_up(words[0]) if words and not marks_of(words[0]) else ANYTHING)
                case operator:
                    yield tuple(_changed(word, operator, operand[0]) for word in words)


def combined(parts: Sequence[Sequence[Choice]]) -> Iterator[tuple[Choice, ...]]:
    """Every combination of choices, or, if they are too many, each choice at least once."""
    if math.prod(len(choices) for choices in parts) <= MAX_PRODUCT:
        yield from product(*parts)
    else:
        for turn in range(max(len(choices) for choices in parts)):
            yield tuple(choices[turn % len(choices)] for choices in parts)


def _short(text: str) -> str:
    return text if len(text) <= MAX_LETTERS else (marks_of(text) or UNKNOWN)


def _apart(text: str, state: State) -> str:
    """A text that falls apart into words at blanks."""
    separators = "".join(words[0] for words in state.look_up("IFS") if words)
    return text.translate({ord(letter): SPLIT for letter in separators})


def _item(words: Words, index: str) -> Words:
    if index and not index.isdecimal():
        return (UNKNOWN,)
    number = int(index or 0)
    return words[number : number + 1]


def _changed(word: str, operator: str, operand: str) -> str:
    """A value after `${name%...}` and the like; what cannot be known keeps its marks."""
    if marks_of(word) or len(word) > MAX_PATTERN or len(operand) > MAX_PATTERN:
        return marks_of(word) or UNKNOWN
    change = CHANGES.get(operator)
    return UNKNOWN if change is None else change(word, operand)


def _without(word: str, pattern: str, *, at_end: bool, longest: bool) -> str:
    matches = re.compile(fnmatch.translate(pattern)).match
    lengths = range(len(word), -1, -1) if longest else range(len(word) + 1)
    for length in lengths:
        cut = word[len(word) - length :] if at_end else word[:length]
        if matches(cut):
            return word[: len(word) - length] if at_end else word[length:]
    return word


def _replaced(word: str, operand: str, count: int) -> str:
    old, _, new = operand.partition("/")
    return UNKNOWN if not old or set(old) & set("*?[") else word.replace(old, new, count)


def _slice(word: str, operand: str) -> str:
    found = SLICE.fullmatch(operand)
    if found is None:
        return UNKNOWN
    start, length = int(found[1]), int(found[2] or len(word))
    first = start if start >= 0 else max(len(word) + start, 0)
    return word[first : first + length if length >= 0 else len(word) + length]


CHANGES: dict[str, Callable[[str, str], str]] = {
    "#": partial(_without, at_end=False, longest=False),
    "##": partial(_without, at_end=False, longest=True),
    "%": partial(_without, at_end=True, longest=False),
    "%%": partial(_without, at_end=True, longest=True),
    "/": partial(_replaced, count=1),
    "//": partial(_replaced, count=-1),
    ":": _slice,
    "^": lambda word, operand: UNKNOWN if operand else word[:1].upper() + word[1:],
    "^^": lambda word, operand: UNKNOWN if operand else word.upper(),
    ",": lambda word, operand: UNKNOWN if operand else word[:1].lower() + word[1:],
    ",,": lambda word, operand: UNKNOWN if operand else word.lower(),
    "length": lambda word, operand: str(len(word)),
}


def _finished(coded: str) -> Iterator[str]:
    for text in braces(coded):
        for piece in text.split(SPLIT):
            if piece:
                yield piece.translate(FROM_MARKS)


def braces(text: str) -> list[str]:
    """The words that `{a,b}` and `{1..3}` stand for."""
    if text.count(OPEN) > MAX_BRACES // 2:
        return [UNKNOWN]
    start = text.find(OPEN)
    while start >= 0:
        inside = _closed(text, start)
        if inside is not None and (choices := _choices(inside)):
            tails = braces(text[start + len(inside) + 2 :])
            found = [text[:start] + choice + tail for choice in choices for tail in tails]
            return found if len(found) <= MAX_BRACES else [*found[:MAX_BRACES], UNKNOWN]
        start = text.find(OPEN, start + 1)
    return [text]


def _closed(text: str, start: int) -> str | None:
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == OPEN) - (text[position] == CLOSE)
        if not depth:
            return text[start + 1 : position]
    return None


def _choices(inside: str) -> list[str]:
    """What is between the braces, piece by piece; nothing if these braces mean nothing."""
    pieces, depth, start = [], 0, 0
    for position, letter in enumerate(inside):
        depth += (letter == OPEN) - (letter == CLOSE)
        if letter == COMMA and not depth:
            pieces.append(inside[start:position])
            start = position + 1
    if not pieces:
        return _range(inside)
    return [choice for piece in (*pieces, inside[start:]) for choice in braces(piece)]


def _range(inside: str) -> list[str]:
    found = RANGE.fullmatch(inside)
    if found is None:
        return []
    first, last = (int(found[1]), int(found[2])) if found[1] else (ord(found[3]), ord(found[4]))
    if abs(last - first) >= MAX_BRACES:
        return [UNKNOWN]
    steps = range(first, last + 1) if first <= last else range(first, last - 1, -1)
    return [str(step) if found[1] else chr(step) for step in steps]
