"""Requests that are about files of figures rather than about keeping things."""

import re
from dataclasses import dataclass
from typing import Literal

from understanding.clauses import cut_tail
from understanding.items import split_items
from understanding.sheet import Sheet

FILES = re.compile(
    r"\b(?:csv|tsv|json|excel|xlsx?|spreadsheets?|data|log|text)(?:[- ]?(?:files?|sheets?|exports?|"
    r"tables?|data|documents?|dumps?|logs?))|\.csv\b|\.json\b|\b(?:a|the|my|our|some|from|of|"
    r"in) csvs?\b|\bspreadsheets?\b|\bcsvs?\b"
)
DOES = re.compile(
    r"\b(?:pars(?:e|es|ing)|read(?:s|ing)?|analy[sz](?:e|es|ing|is)|statistics?|stats|summari[sz](?:e|"
    r"es|ing)|summary|summaries|average|mean|median|totals?|sums?|add(?:s|ing)? up|"
    r"count(?:s|ing)? (?:the|how)|process(?:es|ing)?|aggregat\w+|crunch\w*|evaluat\w+|report|reports|"
    r"figures|statistical|insights?|pipeline|etl|group(?:s|ed)? by|number crunching|go through|look at|"
    r"highest|lowest|how (?:much|many)\b[^.\n]{0,60}\b(?:per|by|for each))\b"
)
EXPORTS = re.compile(
    r"\b(?:export|download|save)\w*\b[^.\n]{0,40}\b(?:csv|excel)\b|"
    r"\b(?:csv|excel)\s+(?:export|download)(?!s? (?:from|of|out of)\b)"
)
PIPELINE = re.compile(r"\b(?:data )?pipelines?\b|\betl\b")
KEEPS = re.compile(r"\b(?:api|web ?app|website|managing|manage|crud|log ?in|guestbook)\b")
NAMED_COLUMNS = re.compile(
    r"\b(?:columns?|fields?|headers?|headings?)\b(?:\s+(?:are|is|named|called|like|such as|for|include|it has|of)){0,3}"
    r"\s*:?\s*(?P<list>[^.\n:]{2,600})"
)
OF_FILES = re.compile(
    r"\b(?:files?|csvs?|tables?|data|spreadsheets?|it|they)\s+(?:with|has|have|contains?|containing)\s+"
    r"(?P<list>[^.\n:]{2,400})"
)
WORD = (
    r"(?!the\b|a\b|each\b|every\b|day\b(?= of)|my\b|our\b|and\b|or\b|hour\b|that\b|which\b|"
    r"this\b|per\b|by\b)[a-z][\w'-]*(?:\s+(?:name|type|code|id|number|date|group|of birth|category|method))?"
)
GROUP = re.compile(
    rf"\b(?:per|by|for each|for every|in each|of each|of every|grouped by|group by|each|broken down by|"
    rf"for all)\s+(?:the\s+)?(?P<by>{WORD})"
)
MEASURE = re.compile(
    rf"\b(?:averages?|mean|median|sums? up|adds? up|adding up|totals?|sums?|highest|lowest|max(?:imum)?|"
    rf"min(?:imum)?|overall|sums? up|"
    rf"adds? up|adding up|how much|summing)\s+(?:of\s+)?(?:the\s+|all\s+|all the\s+|my\s+|"
    rf"our\s+)*(?P<measure>{WORD})"
)
NOT_COLUMNS = frozenset(
    (
        "csv json file files statistics stats report summary column columns data table row rows line hour "
        "day min max month amounts"
    ).split()
)
EXCEL = re.compile(r"\b(?:excel|xlsx?)\b")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What shall be made of the files."""

    reads: Literal["csv", "json"] = "csv"
    columns: tuple[str, ...] = ()
    group_by: str = ""
    measure: str = ""
    excel: bool = False
    also_by: tuple[str, ...] = ()
    """What figures were asked for as well, beyond the one grouping that there is."""


def wants_pipeline(sheet: Sheet) -> bool:
    """Whether files are to be read and figures made of them."""
    text = EXPORTS.sub(" ", sheet.low)
    return bool(((FILES.search(text) and DOES.search(text)) or PIPELINE.search(text)) and not KEEPS.search(text))


def read_pipeline(sheet: Sheet) -> Wanted:
    text = sheet.low
    json = bool(re.search(r"\bjson\b", text)) and not re.search(r"\bcsvs?\b", text)
    columns = _columns(text)
    measure = _first(MEASURE, "measure", text)
    asked = list(dict.fromkeys(m["by"].strip() for m in GROUP.finditer(text)))
    group = next((by for by in asked if by not in NOT_COLUMNS | {measure}), "")
    periods = tuple(by for by in asked if by in {"hour", "day", "week", "month", "year"} - {group, *columns})
    return Wanted(
        "json" if json else "csv",
        columns,
        _as_column(group, columns),
        _as_column(measure, columns),
        bool(EXCEL.search(text)),
        periods,
    )


def _first(pattern: re.Pattern[str], name: str, text: str) -> str:
    return next((m[name].strip() for m in pattern.finditer(text) if m[name].strip().split()[0] not in NOT_COLUMNS), "")


def _columns(text: str) -> tuple[str, ...]:
    for found in (*NAMED_COLUMNS.finditer(text), *OF_FILES.finditer(text)):
        told = found["list"]
        told = re.split(
            (
                r"\s+(?:and|then|to)\s+(?:work out|give|show|calculate|compute|find|tell|print|generate|"
                r"make|create|i want|get|produce|summari\w+|report|counts?|sums?|totals?|adds?|averages?|groups?|"
                r"prints|shows|gives|makes|finds|computes|calculates|works out|tells|the average|the total|per|by)\b|"
                r"\bper\b|\bgrouped\b|\bi want\b|\bshow\b"
            ),
            told,
        )[0]
        items = split_items(cut_tail(told))
        if len(items) >= 2:
            return tuple(items)
    return ()


def _as_column(word: str, columns: tuple[str, ...]) -> str:
    """The column that a word means: `cities` is the column `city`."""
    from_columns = [column for column in columns if column.lower().rstrip("s") == word.rstrip("s")]
    return from_columns[0] if from_columns else word
