"""What an app shall be able to do besides keeping things: search, sign-in, export and the like."""

import functools
import re
from dataclasses import dataclass, field

from understanding.sheet import Sheet

NO = (
    r"(?P<no>\b(?:no|without|don't need|do not need|no need for|not need|don't want|do not want|"
    r"doesn't need|not)\s+(?:an?\s+|any\s+|the\s+)?)?"
)
LEAD = (
    r"(?:\b(?:it should be possible to|should be possible to|possible to|be able to|can be|should be|is|"
    r"are|be|a|an|the|way to|ability to|option to|some|i can|we can|you can|people can|users can|to|with|"
    r"simple|full[- ]text|let me|let us|let people|that can be)\s+){0,5}"
)
BY = (
    r"(?:\s+(?:by|on|for|in|through|across|over)\s+(?:the\s+|their\s+|its\s+|"
    r"all\s+)?(?P<by>(?:[\w'-]+\s+(?:and|or)\s+)?[\w'-]+)(?:\s+(?:name|date|field)s?\b)?)?"
)
THING = (
    r"(?:\s+(?:box|bar|function|feature|option|field|options|functionality|page|for them|for it|them|it|"
    r"everything|all|button|support|view|tool))?"
)

PATTERNS: dict[str, str] = {
    "login": (
        r"(?:user\s+)?(?:(?:only\s+)?(?:people|members|users|everyone|everybody|staff|they|you|i|we|"
        r"one|nobody|visitors|customers|each person|each user|each member)\s+"
        r"(?:can|must|have to|has to|need to|needs to|should|may|could)?\s*(?:be able to\s+|first\s+|only\s+)?)?"
        r"(?:log[- ]?in|logins?|sign[- ]?in|log on|signing in|logging in|log themselves in|"
        r"authentication|auth(?!or)|user accounts?|password[- ]protect(?:ed|ion)|with (?:a )?passwords?|"
        r"(?:with |has |have |needs |gets )?(?:an? |their |his |her |his or her |your )?own passwords?|"
        r"(?:an |their own |own |a user )account|accounts|user management|user registration|logged in|"
        r"signed in|register and log in|members[- ]only)"
        r"(?:\s+(?:page|screen|system|first|form|with (?:a |username and )?password|"
        r"and (?:registration|register|logout|signup)|for (?:users|members|everyone|people|admins?|"
        r"staff|me)|"
        r"required|needed|support|feature|function|to (?:see|use|add|edit|view|access|post)(?: it|"
        r" them| anything| something)?|may see it|can see it|before they can \w+)){0,4}"
    ),
    "api_key": (
        r"(?:read[- ]only\s+)?key[- ]protected|(?:an?\s+)?(?:secured|protected|secure|locked)?\s*(?:with|by|using|"
        r"behind)?\s*(?:an?\s+)?api[- ]?(?:key|token)s?(?:\s+(?:auth\w*|protection|security))?"
    ),
    "dark_mode": (
        r"(?:a\s+)?(?:dark|night)\s*-?(?:mode|theme|look|design|version|colou?rs|style)(?:\s+(?:switch|"
        r"toggle|button|option|support))?"
    ),
    "csv": (
        r"(?:export|download|save|get|print)(?:s|ing|able)?(?:\s+(?:it|them|all|everything|the|as|to|"
        r"into|of|a|an|in|data|list|lists|my|our|\w+)){0,5}\s+(?:excel|csv|spreadsheet)(?:[- ]?(?:file|"
        r"files|format|sheet))?|"
        r"(?:csv|excel|spreadsheet)[- ](?:export|download|file export)(?:s|er)?|exports?(?:\s+(?:to|"
        r"as)\s+(?:csv|excel))|\bcsv is fine|(?:the\s+)?(?:export|download)(?=\s*(?:[.!]|$))|(?:export|"
        r"download)\s+(?:button|function|feature|option)|"
        r"as (?:a )?csv"
    ),
    "search": rf"{LEAD}search(?:able|ing|es)?(?:\s+and\s+find)?{BY}{THING}",
    "filter": rf"{LEAD}filter(?:s|ed|ing|able)?{BY}{THING}",
    "sort": rf"{LEAD}(?:sort(?:ed|ing|able)?|order(?:ed|ing)? by){BY}{THING}",
    "paging": (
        r"(?:with\s+)?(?:pagination|paging|paginated?|page by page|in pages(?: of \d+)?|\d+ (?:items |"
        r"entries |\w+ )?(?:per|a|on each|on a) page)"
    ),
    "charts": (
        r"(?:(?:an?|the|some|nice|bar|pie|line|simple|and|with|show|see|add|have|plus|like|for|as|want|"
        r"need|in|on)\s+){1,5}(?:charts?|graphs?|"
        r"diagrams?|visuali[sz]ations?|statistics page)"
        r"(?:\s+(?:page|view))?(?:\s+(?:of|showing|that shows?|for)\s+(?:the\s+|my\s+|our\s+|"
        r"how many\s+|how much\s+|total\s+)?(?P<of>[\w'-]+(?:\s+(?!by\b|per\b|for\b|grouped\b|"
        r"and\b)[\w'-]+)?))?(?:\s+(?:by|per|for each|"
        r"grouped by)\s+(?P<by>[\w'-]+(?:\s+(?:date|name|type))?))?|"
        r"(?:charts?|graphs?|diagrams?)(?:\s+(?:of|showing)\s+(?:the\s+|my\s+|our\s+|total\s+)?"
        r"(?P<of2>[\w'-]+(?:\s+(?!by\b|per\b|for\b)[\w'-]+)?))?"
        r"\s+(?:by|per|for each)\s+(?P<by2>[\w'-]+(?:\s+(?:date|name|type))?)"
    ),
    "append_only": (
        r"(?:(?:but\s+|and\s+)?(?:nobody|no one|noone|people|they|users|visitors|entries|items|"
        r"\w+)\s+(?:can|may|should|must|could)?\s*(?:not|never|cannot|can't)?\s*(?:be able to\s+|be\s+)?(?:change|"
        r"edit|delete|modify|remove)[sd]?"
        r"(?:\s*(?:,|or|and)\s*(?:change|edit|delete|modify|remove|deleted|changed|"
        r"edited)[sd]?){0,4}\s*(?:them|it|anything|entries|afterwards|later|posts|messages)?|"
        r"append[- ]only|write[- ]once)"
    ),
    "quick_add": (
        r"(?:quick[- ]add|add (?:them |it |new ones |items )?(?:on|from) the (?:same|list) page|"
        r"(?:an? )?(?:entry )?form on the (?:same|list) page)"
    ),
}
NEGATIVE = re.compile(r"\b(?:nobody|no one|noone|not|never|cannot|can't|append|once)\b")
SHARED = re.compile(
    r"\b(?:everyone|everybody|all (?:of us|members|users|people)|the whole team|we all|"
    r"all)\s+(?:\w+\s+)?(?:sees?|can see|shares?|have access to)\b[^.,;\n]{0,40}|"
    r"\b(?:shared (?:by|with|between|among|list)|same list for|together|share the same)\b[^.,;\n]{0,30}|"
    r"\bonly (?:\w+ )?(?:people|members|staff|users|those|employees|neighbou?rs|teachers|"
    r"parents)\s+(?:with|can|may|who|that)\b[^.,;\n]{0,40}"
)
PRIVATE = re.compile(
    r"\b(?:each|every)\s+(?:person|user|member|one)\s+(?:\w+\s+){0,2}(?:sees?|has|have|"
    r"manages?)\s+(?:only\s+)?(?:their|his|her|its)?\s*(?:or her )?own\b[^.,;\n]{0,30}|"
    r"\b(?:only sees?|see only|sees only)\s+(?:their|my|your|his|her)\s+own\b[^.,;\n]{0,30}|"
    r"\b(?:private|personal) (?:lists?|data|entries|items)\b|\btheir own (?:\w+)\b"
)


@dataclass(slots=True)
class Features:
    """What was asked for and what was ruled out."""

    on: set[str] = field(default_factory=set)
    off: set[str] = field(default_factory=set)
    private: bool | None = None
    """Whether people see only their own items; None if nothing was said."""
    by: dict[str, str] = field(default_factory=dict)
    """Fields named with a feature, such as what a chart is by."""


def take_features(sheet: Sheet) -> Features:
    """Crosses them out."""
    found = Features()
    shared, private = sheet.sees(SHARED), sheet.sees(PRIVATE)
    for name, pattern in _compiled().items():
        for match in sheet.take_all(pattern) if name != "append_only" else _append_only(sheet, pattern):
            no = match.groupdict().get("no")
            (found.off if no else found.on).add(name)
            named = {key.rstrip("2"): value for key, value in match.groupdict().items() if value}
            said = {key: value for key, value in named.items() if key in {"by", "of"}}
            found.by.update({f"{name}.{key}": value.strip() for key, value in said.items()})
    found.on -= found.off
    if "login" in found.on:
        found.private = False if shared else True if private else None
        sheet.take_all(SHARED)
        sheet.take_all(PRIVATE)
    return found


def _append_only(sheet: Sheet, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """Only where the words say no: that people can delete things is nothing new."""
    kept = [match for match in pattern.finditer(sheet.low) if NEGATIVE.search(match.group())]
    for match in reversed(kept):
        sheet.cross_out(match.start(), match.end())
    return kept


@functools.cache
def _compiled() -> dict[str, re.Pattern[str]]:
    return {
        name: re.compile(rf"(?<![\w-]){NO if name != 'append_only' else ''}(?:{pattern})(?![\w-])")
        for name, pattern in PATTERNS.items()
    }
