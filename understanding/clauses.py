"""Takes a sentence apart: what has what, what belongs to what, what is to be kept."""

import re
from dataclasses import dataclass

from understanding.english import is_plural
from understanding.items import split_items
from understanding.nouns import ANYBODY, CONTAINERS, VERBS, find_noun
from understanding.text import KIND, words_of
from understanding.value_types import is_field_word

HAS = (
    r"(?:has|have|had|needs?|contains?|includes?|consists? of|comes? with|stores?|gets?|got|keeps?|tracks?|"
    r"knows?|holds?)"
)
HELPING = (
    r"(?:(?:should|must|can|could|will|would|may|might|also|always|then|each|all|just|need to|needs to|"
    r"has to|have to|only|probably)\s+){0,3}"
)
SUBJECT = (
    r"(?:(?:each|every|all|a|an|the|any|one|these|those|this|our|my|of the|of these)\s+){0,2}(?:(?!and\b|"
    r"or\b|but\b|with\b)[\w'-]+\s+){1,4}?"
)
NOT_SUBJECT = (
    r"(?!(?:who|which|that|what|i|we|you|people|users(?! have (?!to\b))|everyone|everybody|nobody|anyone|please|"
    r"it|they|to|if|whether|when|i'd|i'm)\s)"
)
SPLIT = re.compile(
    r"(?<=\))\s*(?:,\s*(?:and\s+)?|and\s+|plus\s+)(?=[\w' -]{2,30}\()|"
    rf"(?:,\s*(?:and|but|where|while|so)?\s*|;\s*|:\s+|\s+(?:and|but|where|while)\s+|"
    rf"\s+-\s+)(?={NOT_SUBJECT}{SUBJECT}{HELPING}(?:{HAS}|belongs? to)\s)|"
    r"\s+(?:and|which|that)\s+(?=(?:also\s+)?(?:belongs? to\s|(?:has|have)\s+(?:an?|the|many|one|several)\s))"
)
BELONGS = re.compile(
    rf"^(?:where\s+|and\s+|so\s+)*(?P<child>{SUBJECT}){HELPING}(?:is |are |be )?"
    r"(?:belongs? to|assigned to|part of|linked to|connected to|attached to|associated with|written by|"
    r"made by|tied to)\s+(?P<parents>.+)$"
)
SUBJECT_HAS = re.compile(
    rf"^(?:where\s+|and\s+|so\s+|but\s+|then\s+)*(?P<subject>{SUBJECT}){HELPING}{HAS}\s+(?P<list>.+)$", re.DOTALL
)
FOR_EACH = re.compile(
    r"^(?:and\s+)?(?:for|per|of|about)\s+(?:each|every|all|any|the|a|an)\s+(?:of\s+(?:the|"
    r"them)\s+)?(?P<subject>(?:[\w'-]+\s+){0,3}?[\w'-]+)\s*,?\s+"
    r"(?:(?:i|we|you|it|people|users|they|the app|the system|there)\s+)(?:[\w']+\s+){0,4}?"
    r"(?:store|save|know|record|keep|see|note|enter|track|have|need|is|are|show|list|want|remember|"
    r"like|find|should)\s+(?P<list>.+)$",
    re.DOTALL,
)
KNOW_OF_EACH = re.compile(
    r"\b(?:know|store|save|record|keep|see|enter|track|note|remember|list|want|need|have|"
    r"with)\s+(?P<list>[^:]{1,300}?)\s+(?:for|of|about|on)\s+(?:each|every|all)\s+"
    r"(?P<subject>(?:[\w'-]+\s+){0,2}?[\w'-]+)\s*$",
    re.DOTALL,
)
FIELDS = re.compile(
    r"^(?:.{0,60}?\b)??(?:fields?|columns?|properties|attributes|details|information|info|following|"
    r"things)\b(?:\s+(?:to (?:store|keep|save|know|enter)|i need|we need|"
    r"needed|for each|should be|would be|are|is|like|such as|include|including|would include|"
    r"should include)\b)*\s*[:=-]?\s*(?P<list>.+)$",
    re.DOTALL,
)
NEEDS = re.compile(r"\s*(?:\w+\s+){0,2}needs?\b")
STARTS_WITH_VERB = re.compile(r"(?:also\s+)?(?:belongs? to|has|have)\s")
FIELD_WORD = re.compile(r"\b(?:fields?|columns?|properties|attributes|details|information|info|following|things)\b")
TAIL = re.compile(
    r"\s+(?:with|having|including|containing|consisting of|which (?:has|have)|that (?:has|have)|"
    r"who have|each with|by its|featuring|showing)\s+|\s*:\s*|\s*\n- |\s*\((?!s\))|\s+-\s+"
)
END_OF_TAIL = re.compile(
    r"(?:,|\s)\s*(?:so (?:that|i|we)\b|because\b|in order to\b|to be able\b|that i can\b|that we can\b|"
    r"for my\b|for our\b|so people\b|thanks\b|thank you\b|"
    r"and (?:i|we) (?:want|need|would|should|can)\b|i (?:want|need|would)\b|and (?:it|the app|people|"
    r"users|everyone|anyone|they|customers|visitors) (?:should|must|can|could|will)\b|"
    r"and (?:also )?(?:show|see|list|display|let|make|send|put)\b(?! )|in a database\b|and store\b|and save\b)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a sentence, by what it says."""

    subject: str = ""
    items: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    head: str = ""
    """What is to be kept, where the clause says so."""


def split_clauses(sentence: str) -> list[str]:
    """At every place where something else begins to have something."""
    parts, start = [], 0
    for found in SPLIT.finditer(sentence):
        if not (sentence[: found.start()].endswith(")") and _names_a_field(sentence[found.end() :].partition("(")[0])):
            parts.append(sentence[start : found.start()])
            start = found.end()
    return [part.strip(" ,;") for part in (*parts, sentence[start:]) if part.strip(" ,;")]


def _names_a_field(words: str) -> bool:
    """`status (open, done)` after another bracket is one more field, `classes (name, room)` is another thing."""
    return _ends_in_field(words) and not is_plural(words.rsplit(maxsplit=1)[-1])


def read_clause(text: str) -> Clause:
    text = f"it {text}" if STARTS_WITH_VERB.match(text) else text
    belongs = BELONGS.match(text)
    if belongs:
        return Clause(subject=belongs["child"], parents=tuple(split_items(belongs["parents"])))
    for pattern in (FOR_EACH, SUBJECT_HAS, KNOW_OF_EACH):
        found = pattern.match(text) if pattern is not KNOW_OF_EACH else pattern.search(text)
        if found and _is_place(found["subject"]) and NEEDS.match(text[found.end("subject") :]):
            return _head_and_tail(found["list"])
        if found and _is_subject(found["subject"]):
            return Clause(subject=found["subject"].strip(), items=tuple(split_items(cut_tail(found["list"]))))
    found = FIELDS.match(text)
    if found and (_names_fields(split_items(found["list"]), 1) or ":" in text[: found.start("list")]):
        before = text[: found.start("list")]
        return Clause(head=_before_tail(before), items=tuple(split_items(cut_tail(found["list"]))))
    return _head_and_tail(text)


def _is_place(words: str) -> bool:
    noun = find_noun(words)
    return noun is not None and noun.place is not None


def _before_tail(text: str) -> str:
    """What stands before `with the fields`; nothing if the clause begins with it."""
    found = TAIL.search(text)
    head = text[: found.start()] if found else ""
    return "" if FIELD_WORD.search(head) else head


def cut_tail(text: str) -> str:
    """An enumeration without the reasons and wishes that follow it."""
    found = END_OF_TAIL.search(text)
    return text[: found.start()] if found else text


def _is_subject(words: str) -> bool:
    """Whether something, rather than a person or the app itself, has what follows."""
    plain = [word.lower() for word in words_of(words)]
    if KIND in words or not plain or plain[-1] in ANYBODY or "to" in plain:
        return bool(plain) and plain in (["it"], ["they"])
    return not any(word in VERBS and word not in {"order", "review", "report", "request"} for word in plain[:1])


def _head_and_tail(text: str) -> Clause:
    found = TAIL.search(text)
    while found and not text[: found.start()].replace(KIND, "x").strip():
        found = TAIL.search(text, found.end())
    if found and ":" in found.group() and _does_something(text[found.end() :]):
        return _head_and_tail(text[found.end() :])
    if found and "(" in found.group() and "," in text[: found.start()] and _names_fields(split_items(text), 2):
        return Clause(items=tuple(split_items(text)))
    if found:
        rest = text[found.end() - 1 if text[found.end() - 1 : found.end()] == "(" else found.end() :]
        tail, further = _inside(rest) if rest.startswith("(") else (rest, "")
        return Clause(head=f"{text[: found.start()]} {further}".strip(), items=tuple(split_items(cut_tail(tail))))
    pieces = split_items(text)
    if len(pieces) > 1:
        start = next((n for n in range(1, len(pieces)) if _names_fields(pieces[n:], 1)), 0)
        if _names_fields(pieces, 2):
            return Clause(items=tuple(pieces))
        if start:
            return Clause(head=", ".join(pieces[:start]), items=tuple(pieces[start:]))
    return Clause(head=text)


def _does_something(text: str) -> bool:
    """`my garage: keep cars with plate and owner` says what to do there, rather than what is known of it."""
    words = [word.lower() for word in words_of(text)[:3]]
    does = bool(words) and words[0] in VERBS and not is_field_word(words[0])
    return does and len(words) > 1 and find_noun(text) is not None and bool(TAIL.search(text))


def _inside(text: str) -> tuple[str, str]:
    """What is in the bracket, and what follows it if that says to what it belongs."""
    depth = 0
    for place, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            after = text[place + 1 :].strip()
            return text[1:place], after if after.startswith(("for each", "for every", "of each", "per ")) else ""
    return text[1:], ""


def _names_fields(items: list[str], least: int) -> bool:
    """Whether most of the items end in a word that names a field."""
    known = [item for item in items if _ends_in_field(item)]
    return len(known) >= max(least, (len(items) + 1) // 2)


def _ends_in_field(item: str) -> bool:
    words = [word.lower() for word in words_of(item.partition("(")[0])]
    on_a_day = len(words) == 2 and words[-1] == "on"
    asked = 1 < len(words) <= 6 and words[0] in {"who", "when", "whether", "how"}
    named = bool(words) and is_field_word(words[-1]) and words[-1] not in CONTAINERS
    return on_a_day or asked or (named and len(words) <= 5)
