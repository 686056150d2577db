"""Exact search-and-replace in text: one match or nothing, and on a miss the lines that come nearest."""

from difflib import SequenceMatcher
from typing import Any

from contracts.errors import EditMismatch

SHOWN_LINES = 3


def replace_once(text: str, search: str, replace: str, what: str) -> str:
    """The text with one replacement made. Raises EditMismatch, with the nearest lines, unless there is one match."""
    lines = _lines_of(text, search)
    count = len(lines)
    if count == 1:
        return text.replace(search, replace)
    if count > 1:
        raise EditMismatch(
            f"The text of {what} stands there {count} times; nothing was changed",
            hint="Take more of the lines around it into `search`, so that it is found once",
            details={"matches": count, "lines": lines[:20]},
        )
    already = replace and replace in text
    nearest = nearest_lines(text, search)
    hint = "The new text is there already" if already else "Copy the text to find from the lines in `details.nearest`"
    raise EditMismatch(
        f"The text of {what} was not found; nothing was changed", hint=hint, details={"matches": 0, "nearest": nearest}
    )


def nearest_lines(text: str, wanted: str) -> list[dict[str, Any]]:
    """The lines most like the first line that was looked for, best first, each with its number."""
    first = next((line for line in wanted.splitlines() if line.strip()), wanted).strip()[:300]
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(first)
    scored = []
    for number, line in enumerate(text.splitlines()[:5000], 1):
        matcher.set_seq1(line.strip()[:300])
        if matcher.real_quick_ratio() > 0.4 and matcher.quick_ratio() > 0.4:
            scored.append((matcher.ratio(), number, line))
    best = sorted(scored, key=lambda item: (-item[0], item[1]))[:SHOWN_LINES]
    return [
        {"line": number, "text": line[:300], "alike": round(ratio, 2)} for ratio, number, line in best if ratio > 0.4
    ]


def _lines_of(text: str, wanted: str) -> list[int]:
    numbers, start = [], text.find(wanted)
    while start != -1:
        numbers.append(text.count("\n", 0, start) + 1)
        start = text.find(wanted, start + 1)
    return numbers


def decoded(data: bytes) -> str | None:
    """The text in these bytes, or None if they are not text."""
    if b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
