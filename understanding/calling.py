"""The name that a person gives to their app."""

import re

from understanding.sheet import Sheet
from understanding.text import line

SAYS = re.compile(
    r"(?P<before>(?:\b[\w'-]+\s+)?)(?P<verb>\b(?:(?:is |be |being )?(?:called|named|titled|entitled)|"
    r"with the (?:name|title)|(?:name|call|title) (?:it|this|the app|the site|the api)|"
    r"rename (?:it|the app|the project|the site|this) (?:to|into|as)|the (?:name|title) (?:is|"
    r"should be|shall be|will be)(?! (?:at (?:most|least)|required|optional|unique|mandatory|longer|shorter|"
    r"no |not |max|min|given|between|up to|\d))|change the (?:name|title)(?: of the app| of the site)? to|(?:its|app|"
    r"site|project) name:?))\s*:?\s+"
)
NOT_THE_APP = frozenset(
    (
        "field column property attribute page resource table choice value option view person someone user button tab"
    ).split()
)
RULES = frozenset({"required", "optional", "unique", "mandatory", "not", "empty", "longer", "shorter", "a", "the"})
QUOTED = re.compile(r"\"([^\"\n]{1,100})\"|'([^'\n]{1,100})'")
END = re.compile(
    r"(?:[,.;:!?\n()]|\s+(?:for|with|that|which|where|and|to|in|on|using|please|instead|so|has|have|"
    r"should|is|it|by|but|from|because|then)\b)"
)


PROPER = re.compile(
    r"\b(?:my|our|the)\s+(?:[a-z][\w-]*\s+){1,3}(?P<name>(?:The\s+)?[A-Z][\w'&]+(?:\s+(?:of|and|&|"
    r"the)\s+[A-Z][\w'&]+|\s+[A-Z][\w'&]+){0,4})(?=\s*(?:$|[,.;:!?\n]|with\b|in\b|that\b|where\b|"
    r"and\b))"
)
BEHIND = re.compile(r"\b(?:my|our)\s+(?:[a-z][\w-]*\s+){1,3}(?P<quoted>\"(?P<name>[^\"\n]{2,60})\")")
NOT_NAMES = re.compile(
    r"(?:I|API|REST|CLI|JSON|CSV|SQL|SQLite|HTML|TODO|GPS|PDF|IT|TV|CD|DVD|React|Flask|Python|Node|"
    r"Express|Vercel|Render|Netlify|"
    r"GitHub|Excel|Word|Google|Outlook|MySQL|PostgreSQL|Django|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|"
    r"Sun)day|January|February|"
    r"March|April|May|June|July|August|September|October|November|December|English|German|French|"
    r"Spanish|Christmas|Easter)\b"
)


def take_name(sheet: Sheet) -> str:
    """Crosses it out; empty if the app was not named."""
    return _said(sheet) or _proper(sheet) or _after_place(sheet)


def _after_place(sheet: Sheet) -> str:
    """`my salon "Glitter & Glue"`: a name in quotes behind what it is the name of."""
    found = BEHIND.search(sheet.text)
    if found is None:
        return ""
    sheet.cross_out(found.start("quoted"), found.end("quoted"))
    return line(found["name"], longest=80)


def _proper(sheet: Sheet) -> str:
    """`my band The Rusty Nails`: a name with capitals, in a text that otherwise has few."""
    found = PROPER.search(sheet.text)
    if found is None or NOT_NAMES.match(found["name"]) or sheet.text.isupper():
        return ""
    sheet.cross_out(found.start("name"), found.end("name"))
    return line(found["name"], longest=80)


def _said(sheet: Sheet) -> str:
    for found in SAYS.finditer(sheet.low):
        if found["before"].strip() in NOT_THE_APP:
            continue
        start = found.start("verb")
        rest = sheet.text[found.end() : found.end() + 130]
        quoted = QUOTED.match(rest)
        if quoted:
            sheet.cross_out(start, found.end() + quoted.end())
            return line(quoted[1] or quoted[2], longest=80)
        name = _unquoted(rest)
        if name and name.split()[0].lower() not in RULES:
            sheet.cross_out(start, found.end() + rest.index(name) + len(name))
            return line(name, longest=80)
    return ""


def _unquoted(rest: str) -> str:
    """Words with a capital go on together; else up to the next small word that begins something new."""
    capital = re.match(
        r"(?:[A-Z0-9][\w'&.-]*)(?:\s+(?:of|the|and|for|&|de|la)\s+[A-Z][\w'&-]*|\s+[A-Z0-9][\w'&-]*){0,6}", rest
    )
    if capital and not rest.isupper():
        return capital.group().rstrip(".,")
    end = END.search(rest)
    name = (rest[: end.start()] if end else rest).strip()
    return name if 0 < len(name.split()) <= 5 else ""
