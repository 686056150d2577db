"""Takes a change apart into single commands: add this, remove that, rename one thing to another."""

import re
from dataclasses import dataclass
from enum import StrEnum

VERBS = (
    r"(?:add|remove|delete|drop|rename|change|take (?:out|away|off)|get rid of|turn (?:on|off)|enable|"
    r"disable|include|replace|make|give|let|put|hide|call|set|mark|allow|"
    r"require|show|switch|also|move|extend)"
)
SPLIT = re.compile(
    (
        rf"(?:[.;!]\s+|\n+(?:- )?|,?\s+(?:and|then|but)\s+(?:then\s+|also\s+|please\s+)?|,\s+(?:then\s+|"
        rf"also\s+|please\s+)?)(?={VERBS}\b|(?:the |each |every |all )?[\w'-]+ (?:should|must|"
        rf"needs to) |(?:each|every|all|an?) [\w'-]+ (?:belongs?|has|have)\b|(?:the\s+)?(?!not\b|"
        rf"no\b)[\w'-]+(?: [\w'-]+)? (?:required|optional|unique|mandatory)\b)"
    ),
    re.IGNORECASE,
)
POLITE = re.compile(
    (
        r"^(?:(?:please|now|ok|okay|can you|could you|would you|just|and|then|also|i want you to|"
        r"i would like you to|i'd like you to|i want to|i'd like to|we want to|pls|hi|hey|hello|well|so|"
        r"great|nice|thanks|cool|next|to)[,.!]*\s+)+"
    ),
    re.IGNORECASE,
)
FEATURE_WORDS = re.compile(
    (
        r"^(?:(?:add|implement|build|include)\s+)?(?:a |the |one )?(?:new |more )?(?:features?|functions?|"
        r"functionality)(?:\s+(?:to|for|in)\s+(?:the |this |my |our )?(?:project|app|api|site|it|"
        r"tool))?\s*[:,-]\s*"
    ),
    re.IGNORECASE,
)
REMOVES = re.compile(
    (
        r"^(?:remove|delete|drop|take (?:out|away|off)|get rid of|turn off|disable|hide|no more|i (?:don't|"
        r"do not|no longer) (?:need|want)|we (?:don't|do not|no longer) (?:need|want)|without)\s+"
    ),
    re.IGNORECASE,
)
RENAME = re.compile(
    r"^(?:rename|change the (?:name|label) of|change)\s+(?:the\s+)?(?:(?:field|column|resource|label|"
    r"word)\s+)?(?P<old>[^\n]{1,60}?)\s+(?:field\s+|column\s+)?(?:to|into|as)\s+(?P<new>[^\n]{1,80})$|"
    r"^call\s+(?:the\s+)?(?P<old2>(?!it\b|this\b|the "
    r"app\b)[^\n]{1,60}?)\s+(?P<new2>[\"'][^\n]{1,60}[\"']|[\w-]+)(?:\s+instead)?$|"
    r"^replace\s+(?:the\s+)?(?P<old3>[^\n]{1,60}?)\s+(?:with|by)\s+(?P<new3>[^\n]{1,80})$",
    re.IGNORECASE,
)
IS = re.compile(
    r"^(?:make|set|mark|let|have|change|require|turn)?\s*(?:sure\s+)?(?:that\s+)?(?:the\s+|every\s+|"
    r"each\s+|all\s+|an?\s+)?(?P<field>[^\n:]{1,60}?)\s+(?:field\s+|fields\s+)?"
    r"(?:(?:to|should|must|has to|have to|needs to|need to|shall|can|may)\s+)?(?:now\s+)?(?:be\s+|"
    r"is\s+|are\s+|as\s+|being\s+|into\s+)?(?:always\s+)?"
    r"(?P<what>(?:not |no longer |never )?(?:required|mandatory|optional|unique|empty|"
    r"compulsory)(?:\s*(?:,|and|but)\s*(?:not |no longer )?(?:required|mandatory|optional|unique))*|"
    r"an? (?:long )?(?:text|number|whole number|date|time|link|url|yes/no|checkbox|email|"
    r"choice)(?: field)?|(?:one of|either|a choice of|a choice between|a choice:)\s+[^\n]+|"
    r"(?:default(?:s|ing)?(?: to)?)\s+[^\n]+|(?:from|between)\s+-?\d[^\n]*)$",
    re.IGNORECASE,
)
NOT = re.compile(
    r"\b(?:should|must|shall|need|do|does|is|are)(?:n't|\s+not)\s+(?:(?:have|need)\s+to\s+)?(?:be\s+)?", re.IGNORECASE
)
DEFAULT_OF = re.compile(
    (
        r"^(?:make|set|change|use|have)?\s*(?:the\s+)?default\s+(?:value\s+)?(?:(?:of|"
        r"for)\s+(?:the\s+)?)?(?P<field>[^\n]{1,60}?)\s+(?:to|=|is|be|should be|as)\s+(?P<value>[^\n]{1,60})$"
    ),
    re.IGNORECASE,
)
USE_DEFAULT = re.compile(
    (
        r"^(?:make|set|use)\s+(?P<value>[\w -]{1,40}?)\s+(?:as\s+)?(?:the\s+)?default\s+(?:for|"
        r"of)\s+(?:the\s+)?(?P<field>[^\n]{1,60})$"
    ),
    re.IGNORECASE,
)
CAN_BE = re.compile(
    (
        r"^(?:the\s+)?(?P<field>[\w' -]{1,40}?)\s+(?:can|should|may|could|"
        r"must)\s+(?:also\s+)?be\s+(?P<values>[^\n]+(?:,|\bor\b)[^\n]+)$"
    ),
    re.IGNORECASE,
)
ADD_CHOICE = re.compile(
    (
        r"^add\s+(?P<values>[^\n]{1,120}?)\s+(?:as (?:an? )?(?:option|choice|value)s?\s+)?(?:to|for|"
        r"of)\s+(?:the\s+)?(?:(?:choices|options|values|list)\s+(?:of|"
        r"for)\s+(?:the\s+)?)?(?P<field>[\w' -]{1,40}?)(?P<marked>\s+(?:choices|options|values|list))?$"
    ),
    re.IGNORECASE,
)
ABILITY = re.compile(
    r"^(?:let (?:me|us|people|users|everyone|it)|make (?:it|the app|the list|them|the project|the site|"
    r"everything)(?! have)|"
    r"allow|enable|turn on|switch on|show)\b",
    re.IGNORECASE,
)
"""Such commands ask for something that the app can do, never for a field."""
ADDS = re.compile(
    r"^(?:(?:also\s+)?(?:add|include|enable|turn on|implement|put in|allow|extend (?:it|the app|"
    r"the project) (?:with|by)|switch on|put)|(?:i|we)\s+(?:also\s+)?(?:want|need|"
    r"would like)(?:\s+to\s+(?:add|have|be able to|see|store|keep|know))?|"
    r"(?:it|the app|the project|the site|the api)\s+(?:should|must|needs?|"
    r"has to)\s+(?:also\s+)?(?:have|to have|get|show|include|keep|store|be|support)?|"
    r"there should (?:also )?be|give it|give (?=each|every|the|all)|"
    r"let (?:me|us|people|users|everyone)|make (?:it|the app|the list|them|the project|the site|"
    r"everything)(?: have)?|also|show)\s+",
    re.IGNORECASE,
)


BARE = re.compile(rf"\W*(?:{VERBS})?\W*", re.IGNORECASE)


class Do(StrEnum):
    ADD = "add"
    REMOVE = "remove"
    RENAME = "rename"
    SET = "set"
    CHOICES = "choices"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Command:
    do: Do
    what: str
    """The words of what is added or removed, or the field."""
    to: str = ""
    """The new name, what the field shall be, its values or its default."""
    ability: bool = False
    """Whether only something that the app can do may be meant."""


def split_commands(text: str) -> list[Command]:
    """A part without a verb goes on with the one before: `add search and paging and take out the export`."""
    told = FEATURE_WORDS.sub("add ", POLITE.sub("", text.strip()))
    parts = [POLITE.sub("", part.strip(" ,.;!")) for part in SPLIT.split(told) if part and part.strip(" ,.;!")]
    return [
        command
        for part in parts
        for command in [_command(FEATURE_WORDS.sub("add ", part))]
        if not BARE.fullmatch(command.what)
    ]


def _command(part: str) -> Command:
    for read in (_default, _is, _rename, _can_be):
        found = read(part)
        if found is not None:
            return found
    removes = REMOVES.match(part)
    if removes:
        return Command(Do.REMOVE, part[removes.end() :].strip())
    choice = ADD_CHOICE.match(part)
    if choice and (choice["marked"] or "choice" in part or "option" in part):
        return Command(Do.CHOICES, choice["field"].strip(), choice["values"].strip())
    adds = ADDS.match(part)
    return Command(Do.ADD, part[adds.end() :].strip() if adds else part, ability=bool(ABILITY.match(part)))


def _default(part: str) -> Command | None:
    found = DEFAULT_OF.match(part) or USE_DEFAULT.match(part)
    return Command(Do.DEFAULT, found["field"].strip(), found["value"].strip()) if found else None


def _is(part: str) -> Command | None:
    found = IS.match(NOT.sub("is not ", part))
    if found is None or re.match(r"(?:add|remove|delete|rename|give|i |we )", found["field"], re.IGNORECASE):
        return None
    return Command(Do.SET, found["field"].strip(), found["what"].strip())


def _rename(part: str) -> Command | None:
    found = RENAME.match(part)
    if found is None:
        return None
    old = found["old"] or found["old2"] or found["old3"]
    new = found["new"] or found["new2"] or found["new3"]
    if re.search(r"\b(?:default|choices|options|type)\b", old):
        return None
    return Command(Do.RENAME, old.strip(), re.sub(r"\s+instead$", "", new.strip(" \"'.")))


def _can_be(part: str) -> Command | None:
    found = CAN_BE.match(part)
    changed = re.match(
        (
            r"^(?:change|set|make)\s+the\s+(?:choices|options|values)\s+(?:of|"
            r"for)\s+(?:the\s+)?(?P<field>[^\n]{1,40}?)\s+(?:to|be|as)\s+(?P<values>[^\n]+)$"
        ),
        part,
        re.IGNORECASE,
    )
    found = changed or found
    return Command(Do.SET, found["field"].strip(), f"one of {found['values'].strip()}") if found else None
