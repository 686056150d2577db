"""One item of an enumeration read as a field: its name, type, and what was said of it."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from contracts.app_spec import COUNTABLE, AppField, FieldType, Value
from understanding.defaults import fit_default
from understanding.english import singular, with_article
from understanding.field_words import CHOICES, EXPLICIT
from understanding.names import name_field
from understanding.text import KIND, line, sentence_case, snake, words_of
from understanding.value_types import is_field_word, type_of

MOST_WORDS = 8
LONGEST_ITEM = 2500
MOST_CHOICES = 50
NUMBER = r"-?\d{1,9}(?:\.\d{1,4})?"
OPTIONAL = re.compile(
    r"\b(?:optional(?:ly)?|not required|not mandatory|if known|if any|if available|(?:can|"
    r"may) be (?:left )?empty|maybe|possibly)\b"
)
REQUIRED = re.compile(
    r"\b(?:required|mandatory|obligatory|compulsory|must be (?:given|set|filled(?: in)?)|"
    r"has to be (?:given|set|filled(?: in)?)|"
    r"(?:can't|cannot|must not|may not) be empty|not empty)\b"
)
UNIQUE = re.compile(r"\b(?:unique|no duplicates|(?:must|may) (?:only )?(?:occur|appear) (?:only )?once|only once)\b")
NOT_UNIQUE = re.compile(r"\bnot (?:be )?unique\b")
DEFAULT = re.compile(
    r"\b(?:that |which |it )?(?:should |must )?(?:defaults? (?:value )?(?:to|is|of|as|=)?|default:|"
    r"preset to|starts? (?:as|with|at|out as)|"
    r"initially|set to)\s*[\"']?(?P<value>[^\"'(),]{1,60})[\"']?"
)
BY_DEFAULT = re.compile(r"(?P<value>[\w-]{1,40}) by default\b")
RANGE = re.compile(
    rf"\b(?:(?:from|between|range|scale of)\s+)?(?P<low>{NUMBER})\s*(?:-|to|and|until|"
    rf"\.\.+)\s*(?P<high>{NUMBER})(?:\s+stars?)?\b"
)
OUT_OF = re.compile(
    rf"\b(?:out of|of|up to|max(?:imum)?(?: of)?|at most|no more than)\s+(?P<high>{NUMBER})(?:\s+stars?)?\b"
)
AT_LEAST = re.compile(rf"\b(?:at least|min(?:imum)?(?: of)?|no less than|over|above)\s+(?P<low>{NUMBER})\b")
POSITIVE = re.compile(r"\b(?:positive|not negative|never negative)\b")
YES_NO = re.compile(
    r"[:\s(]*\b(?:yes\s*(?:/|or|-)\s*no|y/n|true\s*(?:/|or)\s*false|check ?box|tick ?box|boolean)\b[)]?"
)
AS_TYPE = re.compile(
    r"[\s(,:]+(?:as|is|being|in)?\s*(?:an? )?(?P<type>"
    + "|".join(sorted((re.escape(word) for word in EXPLICIT), key=len, reverse=True))
    + r")(?: field| value)?\s*\)?$"
)
BRACKETS = re.compile(r"[(\[{](?P<inside>[^()\[\]{}]{0,2000})[)\]}]?")
LEADING = re.compile(
    r"(?:(?:a|an|the|their|his|her|its|my|our|your|some|one|any|each|every|all|also|of course|with|has|"
    r"have|and|or|maybe|"
    r"possibly|optionally|exactly one|fields?|columns?|for|like|such as|e\.g\.?|including|show|see|"
    r"know|what is|what's)\s+)+"
)
TRAILING = re.compile(
    r"\s+(?:it was|they are|it is|of course|too|as well|please|each|field|column|that is|which is|is|"
    r"are|that|which|and|or|with|if|"
    r"to|must be|should be|has to be|of it|of them|of that|etc\.?)$"
)
NOT_NAMES = frozenset(
    {"and", "or", "but", "with", "to", "for", "of", "in", "on", "it", "that", "be", "is", "not", "so", "as", "i", "we"}
) | frozenset({"let it", "make it", "let", "let me", "it to"})
ENDS = frozenset({"from", "to"})
"""Fields though they are small words: the days between which something is."""
SPEAKERS = ("i ", "we ", "you ", "they ")
HAVE = re.compile(
    r"how (?:much|many)(?: (?:do )?(?:we|i) (?:still )?have| (?:is|are) (?:left|there))(?: left| in stock)?"
)
SMALL = frozenset({"a", "an", "the"})
STOPS = SMALL | frozenset("for of with to in on at by from and or his her my our their its just only".split())
BESIDE_A_NAME = frozenset("amount price date email phone year age city address rating quantity cost".split())
"""`name amount` are two fields, other than `phone number`."""
PAST = {
    "bring": "brought",
    "take": "taken",
    "make": "made",
    "pay": "paid",
    "buy": "bought",
    "write": "written",
    "lend": "lent",
    "give": "given",
    "do": "done",
    "get": "received",
    "hold": "held",
    "teach": "taught",
    "lead": "led",
    "run": "run",
    "drive": "driven",
    "see": "seen",
    "find": "found",
    "sell": "sold",
    "build": "built",
    "speak": "spoken",
}
SPOKEN = {FieldType.LONG_TEXT: "long text", FieldType.YES_NO: "yes or no", FieldType.MONEY: "amount of money"}
SLASHED = re.compile(
    r"(?P<name>[A-Za-z][\w ]{0,40}?)[: ]+\(?(?P<values>[A-Za-z][\w-]{0,30}(?:/[A-Za-z][\w-]{0,30}){1,10})\)?"
)
NOT_CHOICES = frozenset({"yes/no", "y/n", "true/false", "and/or", "km/h", "n/a", "on/off"})


@dataclass(frozen=True, slots=True)
class FieldWish:
    """What a person wants to know of each item, before it has its final name."""

    words: str
    type: FieldType = FieldType.TEXT
    required: bool = False
    optional: bool = False
    unique: bool = False
    default: str | None = None
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    typed: bool = False
    """Whether the person said which type it has."""
    remarks: tuple[str, ...] = ()
    """What had to be decided, for the person to read."""

    def against(self, other: "FieldWish") -> "FieldWish":
        """This wish, with what another one adds about the same field, and a remark if that says something else."""
        if other.type is self.type or not (other.typed or other.choices):
            return _settle(_merge(self, other))
        first, second = (_spoken(kind) for kind in (self.type, other.type))
        said = f"“{self.words}” was asked for as {first} and as {second}: it is {first}"
        return replace(self, remarks=(*self.remarks, said))

    def as_field(self, thing: str, taken: Collection[str]) -> tuple[AppField, tuple[str, ...]]:
        """With a safe name; and what had to be left out."""
        name = name_field(" ".join(word for word in self.words.split() if word.lower() not in SMALL), thing, taken)
        counted = self.type in COUNTABLE
        field = AppField(
            name=name,
            label=sentence_case(self.words) or "Detail",
            type=self.type,
            required=self.required and self.type is not FieldType.YES_NO,
            unique=self.unique and self.type is not FieldType.YES_NO,
            choices=self.choices if self.type is FieldType.CHOICE else (),
            minimum=self.minimum if counted else None,
            maximum=self.maximum if counted else None,
        )
        value, problem = fit_default(field, self.default)
        return _with_default(field, value), (*self.remarks, *((problem,) if problem else ()))


def _spoken(kind: FieldType) -> str:
    return with_article(SPOKEN.get(kind, kind.value))


def _with_default(field: AppField, value: Value | None) -> AppField:
    return field if value is None else field.model_copy(update={"default": value})


def read_field(item: str) -> FieldWish | None:
    """None if the item is too long or too empty to be the name of a field."""
    text = _with_brackets(" ".join(item[:LONGEST_ITEM].replace(KIND, " ").split()))
    asks = text.endswith("?")
    remarks, wish, rest = _said_of_it(text.rstrip("?"))
    words, kind = _name_and_type(_as_one(rest))
    if rest.lower() in ENDS:
        said = f"“{rest.capitalize()}” is a day; say “{rest.lower()} as text” if it is a place"
        return (
            replace(wish, words=rest) if wish.typed else replace(wish, words=rest, type=FieldType.DATE, remarks=(said,))
        )
    if words.lower().endswith(" what") or words.lower() in NOT_NAMES or words.lower().startswith(SPEAKERS):
        return None
    if not words or len(words.split()) > MOST_WORDS or not snake(words) or STOPS.issuperset(words.lower().split()):
        return None
    kind = wish.type if wish.typed or wish.type is not FieldType.TEXT else kind
    if asks and kind is FieldType.TEXT:
        kind = FieldType.YES_NO
    return _settle(replace(wish, words=words, type=kind, remarks=remarks))


def _as_one(name: str) -> str:
    """`with priorities and due dates`: each item has one of them; `ingredients` are a field as they are."""
    before, _, last = name.rpartition(" ")
    one = singular(last.lower())
    several = one != last.lower() and not is_field_word(last.lower()) and is_field_word(one)
    return f"{before} {one}".strip() if several and before not in {"number of", "how many"} else name


def _with_brackets(text: str) -> str:
    """`priority high/medium/low` as people also write it: `priority (high, medium, low)`."""
    found = SLASHED.fullmatch(text)
    if found is None or found["values"].lower() in NOT_CHOICES:
        return text
    return f"{found['name']} ({found['values'].replace('/', ', ')})"


def _settle(wish: FieldWish) -> FieldWish:
    """Makes type, values and range agree."""
    last = wish.words.lower().split()[-1]
    if wish.choices:
        return replace(wish, type=FieldType.CHOICE, minimum=None, maximum=None)
    ranged = wish.minimum is not None or wish.maximum is not None
    if wish.type is FieldType.TEXT and not wish.typed and last in CHOICES and not ranged:
        values, first = CHOICES[last]
        said = f"“{wish.words}” is one of {', '.join(values)}"
        return replace(
            wish, type=FieldType.CHOICE, choices=values, default=wish.default or first, remarks=(*wish.remarks, said)
        )
    if ranged and wish.type not in COUNTABLE:
        return replace(wish, type=FieldType.INTEGER)
    return wish


def _said_of_it(text: str) -> tuple[tuple[str, ...], FieldWish, str]:
    """Takes out what is said of the field; what is left is its name."""
    wish, text = _in_brackets(text)
    low = text.lower()
    if not wish.choices and ":" in text:
        name, _, told = text.partition(":")
        inner, _ = _in_brackets(f"x ({told})")
        if name.strip() and (inner != FieldWish("")):
            wish, text = _merge(wish, inner), name
            low = text.lower()
    for pattern, change in (
        (OPTIONAL, {"optional": True}),
        (REQUIRED, {"required": True}),
        (NOT_UNIQUE, {}),
        (UNIQUE, {"unique": True}),
    ):
        if pattern.search(low):
            wish = replace(wish, **change)  # type: ignore[arg-type]
            low = pattern.sub(" ", low)
    wish, low = _default_of(wish, low)
    wish, low = _range_of(wish, low)
    wish, low = _type_of_words(wish, low)
    remarks: tuple[str, ...] = ()
    if wish.required and wish.optional:
        remarks = (f"“{_name_and_type(low)[0]}” was said to be both optional and required: it is required",)
    return remarks, wish, _as_written(low, text)


def _as_written(low: str, text: str) -> str:
    """The words that are left, with the capitals that the person gave them."""
    capitals = {word.lower(): word for word in words_of(text)}
    kept = " ".join(re.sub(r"[^\w'/ -]", " ", low).split())
    return " ".join(capitals.get(word, word) for word in kept.split())


def _in_brackets(text: str) -> tuple[FieldWish, str]:
    found = BRACKETS.search(text)
    if not found:
        return FieldWish(""), text
    inside, rest = found["inside"], text[: found.start()] + " " + text[found.end() :]
    wish = FieldWish("")
    values = [
        value.strip(" \"'.") for value in re.split(r"\s*[,/|;]\s*(?:or\s+)?|\s+or\s+", inside) if value.strip(" \"'.")
    ]
    said = {"maybe"} if len(values) > 2 else set()  # one of several answers, rather than a remark
    remarks = [value for value in values if value.lower() not in said and _is_remark(value.lower())]
    if YES_NO.fullmatch(inside.lower().strip()) or YES_NO.fullmatch(f"{inside.lower().strip()}"):
        return replace(wish, type=FieldType.YES_NO), rest
    chosen = [value for value in values if value not in remarks]
    for remark in remarks:
        wish = _merge(wish, _remark(remark.lower()))
    plain = dict.fromkeys(line(value) for value in chosen if line(value) and value.lower() not in {"etc", "and so on"})
    if len(plain) >= 2:
        wish = replace(wish, choices=tuple(plain)[:MOST_CHOICES], type=FieldType.CHOICE)
    return wish, rest


def _is_remark(value: str) -> bool:
    patterns = (OPTIONAL, REQUIRED, UNIQUE, DEFAULT, BY_DEFAULT, OUT_OF, AT_LEAST, POSITIVE)
    return any(pattern.search(value) for pattern in patterns) or value in EXPLICIT or bool(RANGE.fullmatch(value))


def _remark(value: str) -> FieldWish:
    wish = FieldWish("", optional=bool(OPTIONAL.search(value)), unique=bool(UNIQUE.search(value)))
    wish = replace(
        wish,
        required=bool(REQUIRED.search(OPTIONAL.sub("", value))),
        type=EXPLICIT.get(value, FieldType.TEXT),
        typed=value in EXPLICIT,
    )
    return _range_of(_default_of(wish, value)[0], value)[0]


def _merge(one: FieldWish, other: FieldWish) -> FieldWish:
    return replace(
        one,
        required=one.required or other.required,
        optional=one.optional or other.optional,
        unique=one.unique or other.unique,
        default=one.default or other.default,
        choices=one.choices or other.choices,
        type=one.type if one.typed or one.type is not FieldType.TEXT else other.type,
        typed=one.typed or other.typed,
        minimum=one.minimum if one.minimum is not None else other.minimum,
        maximum=one.maximum if one.maximum is not None else other.maximum,
    )


def _default_of(wish: FieldWish, low: str) -> tuple[FieldWish, str]:
    found = BY_DEFAULT.search(low) or DEFAULT.search(low)
    if not found:
        return wish, low
    return replace(wish, default=found["value"].strip()), low[: found.start()] + " " + low[found.end() :]


def _range_of(wish: FieldWish, low: str) -> tuple[FieldWish, str]:
    found = RANGE.search(low)
    if found:
        ends = sorted((float(found["low"]), float(found["high"])))
        return replace(wish, minimum=ends[0], maximum=ends[1]), low[: found.start()] + " " + low[found.end() :]
    for pattern, name in ((OUT_OF, "high"), (AT_LEAST, "low")):
        found = pattern.search(low)
        if found:
            edge = float(found[name])
            limits = {"maximum": edge, "minimum": 1.0 if edge >= 1 else None} if name == "high" else {"minimum": edge}
            wish, low = replace(wish, **limits), low[: found.start()] + " " + low[found.end() :]
    return (replace(wish, minimum=0.0), POSITIVE.sub(" ", low)) if POSITIVE.search(low) else (wish, low)


def _type_of_words(wish: FieldWish, low: str) -> tuple[FieldWish, str]:
    found = YES_NO.search(low)
    if found and low[: found.start()].strip():
        return replace(wish, type=FieldType.YES_NO), low[: found.start()] + " " + low[found.end() :]
    said = AS_TYPE.search(low)
    explicit = said and re.search(r"\b(?:as|is|being|in)\b|[(:]", said.group().replace(said["type"], ""))
    if said and explicit and low[: said.start()].strip():
        return replace(wish, type=EXPLICIT[said["type"]], typed=True), low[: said.start()]
    return wish, low


def _name_and_type(text: str) -> tuple[str, FieldType]:
    """The name without what only leads up to it, and the type that it has by its words."""
    words = _without_edges(text)
    low = words.lower()
    first, _, rest = low.partition(" ")
    if first == "who" and rest:
        return _by_whom(rest), FieldType.TEXT
    if first in {"whether", "if"} and rest:
        return _without_person(rest), FieldType.YES_NO
    low = "how many" if HAVE.fullmatch(low) else low
    if low.startswith("how many"):
        return f"number of {low[9:]}" if low[9:] else "quantity", FieldType.INTEGER
    if low in {"until when", "till when"}:
        return "until", FieldType.DATE
    if first == "when" and rest:
        return _without_person(rest) + ("" if rest.endswith("on") else " on"), FieldType.DATE
    return words, type_of(low)


def _without_edges(text: str) -> str:
    text = " ".join(text.split()).strip(" -:;,.'\"/")
    found = LEADING.match(text.lower() + " ")
    text = text[found.end() :] if found and found.end() <= len(text) else text
    for _ in range(3):
        text = TRAILING.sub("", text)
    return text.strip(" -:;,.'\"/")


def _by_whom(rest: str) -> str:
    """`picks up the child` as `picked up by`."""
    words = [
        word for word in rest.split() if word not in {"it", "them", "him", "her", "the", "a", "an", "currently", "now"}
    ]
    if not words or words[0] in {"is", "was", "has", "are", "will", "can", "have"}:
        return " ".join(words[1:]) if len(words) > 1 and words[0] in {"is", "was"} else f"who {rest}"
    base = words[0].removesuffix("s") if not words[0].endswith("ss") else words[0]
    past = PAST.get(base, words[0] if words[0].endswith("ed") else base + ("d" if base.endswith("e") else "ed"))
    particle = [word for word in words[1:2] if word in {"up", "out", "in", "off", "down"}]
    return " ".join([past, *particle, "by"])


def _without_person(rest: str) -> str:
    """`they need a car seat` as `needs car seat`, `it is paid` as `paid`."""
    words = [word for word in rest.split() if word not in SMALL]
    while len(words) > 1 and words[0] in {
        "they",
        "it",
        "he",
        "she",
        "i",
        "we",
        "you",
        "person",
        "someone",
        "is",
        "are",
        "was",
        "were",
    }:
        words = words[1:]
    if words and words[0] in {"need", "want", "have", "bring", "contain", "like", "eat"}:
        words[0] = "has" if words[0] == "have" else words[0] + "s"
    return " ".join(words)


def names_only_fields(item: str) -> bool:
    """Whether every word of an item names a field of its own, as in `title artist album year`."""
    words = [word.lower() for word in words_of(item)]
    two = len(words) == 2 and words[0] in {"name", "title"} and words[1] in BESIDE_A_NAME
    return two or (len(words) >= 3 and all(is_field_word(word) for word in words))
