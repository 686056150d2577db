"""Names that are safe everywhere for whatever a person calls a thing, and labels that keep the person's words."""

from collections.abc import Collection
from dataclasses import dataclass

from contracts.app_spec import OWN_COLUMNS, TAKEN_PATHS, WORDS_OF_QUERIES, is_free_name
from contracts.paths import fold
from understanding.english import plural, singular
from understanding.text import sentence_case, slug, snake

BETTER = {
    "class": "school_class",
    "user": "user_account",
    "users": "user_account",
    "data": "data_entry",
    "match": "sports_match",
    "case": "case_file",
}
WORDS_OF_SQL = frozenset(
    "abort add all alter and as asc begin between by case cast check column commit constraint create cross current "
    "default delete desc distinct drop else end escape except exists for foreign from full group having if in index "
    "inner insert into is isnull join key left like limit match natural no not null of offset on or order outer plan "
    "primary references release replace right row rows select set table temp then to trigger union unique update using "
    "vacuum values view virtual when where with without do over window filter range rowid".split()
)
WORDS_OF_TOOLS = frozenset({"json", "search", "view", "help", "file", "version", "self", "cls", "errors", "items"})
"""Options that a command-line tool has of its own, and what generated code calls its own things."""
NOT_A_SLUG = frozenset({"con", "prn", "aux", "nul"})
PAGE_TAKEN = TAKEN_PATHS | {"health", "static"}


@dataclass(frozen=True, slots=True)
class Named:
    """A thing as it is called in code and on the page."""

    name: str
    plural: str
    label: str
    plural_label: str


def name_thing(noun: str) -> Named:
    """For a noun in the singular, in words. It may be anything that a person wrote."""
    many = plural(noun.lower())
    name = snake(noun, longest=32) or "item"
    if not _free_for_things(name):
        name = BETTER.get(name, f"{name}_item")
    several = snake(plural(name.replace("_", " ")), longest=38)
    if name == several or not _free_for_things(several):
        several = f"{name}_entries"
    label = sentence_case(noun) or "Item"
    return Named(name, several, label, sentence_case(many) or "Items")


def _free_for_things(name: str) -> bool:
    return (is_free_name(name) and name not in TAKEN_PATHS | WORDS_OF_TOOLS | {"item_id"}) or name == "item"


def name_field(words: str, thing: str, taken: Collection[str]) -> str:
    """A name for a field of the thing that no system misunderstands, and that is not taken yet."""
    plain = snake(words) or "detail"
    name = plain if _free_for_fields(plain) else snake(f"{thing}_{plain}")
    if not _free_for_fields(name):
        name = snake(f"{plain[:30]}_value")
    number = 2
    base = name
    while name in taken:
        name = f"{base[:36]}_{number}"
        number += 1
    return name


def _free_for_fields(name: str) -> bool:
    taken = OWN_COLUMNS | WORDS_OF_QUERIES | WORDS_OF_SQL | WORDS_OF_TOOLS
    return is_free_name(name) and name not in taken


def name_page(title: str, taken: Collection[str]) -> str:
    base = slug(title, longest=36) or "page"
    name = f"{base}-page" if base.replace("-", "_") in PAGE_TAKEN else base
    number = 2
    while name in taken:
        name = f"{base}-{number}"
        number += 1
    return name


def name_project(title: str, taken: Collection[str]) -> str:
    """A short name for the project, free among those that exist, whatever case a file system minds."""
    base = slug(title, longest=36) or "app"
    base = f"{base}-app" if base in NOT_A_SLUG or (base[:3] in {"com", "lpt"} and base[3:].isdigit()) else base
    known = {fold(name) for name in taken}
    name, number = base, 2
    while name in known:
        name = f"{base}-{number}"
        number += 1
    return name


def same_thing(one: str, other: str) -> bool:
    """Whether two nouns mean one thing: `rehearsal room booking` and `bookings` do."""
    first, second = singular(one.lower()), singular(other.lower())
    return first == second or first.endswith(f" {second}") or second.endswith(f" {first}")
