"""Questions to people who said little, and what their answers mean."""

from collections.abc import Mapping, Set

from contracts.plans import Question
from understanding.english import plural
from understanding.nouns import Noun
from understanding.things import PLACES

KIND_OPTIONS = ("web app", "site", "API", "command-line tool")
MEANS = {"web app": "web", "site": "site", "api": "api", "command-line tool": "cli", "full-stack app": "full_stack"}


def _which_kind(kinds: Set[str], options: tuple[str, ...]) -> Question:
    """What was said already is the default, so that an answer to something else does not change it."""
    said = next((option for option in KIND_OPTIONS if MEANS[option.lower()] in kinds), options[0])
    return Question("kind", "What shall it be?", said, tuple(dict.fromkeys((said, *options))))


def what_about(kinds: Set[str]) -> tuple[Question, ...]:
    """When nothing says what the app is for: there is no sensible default."""
    return (
        Question("about", "What shall it be about? For example: books, customers and their orders, my bakery", "", ()),
        _which_kind(kinds, KIND_OPTIONS),
        Question("login", "Shall people sign in first?", "no", ("no", "yes")),
    )


def about_place(place: Noun, kinds: Set[str]) -> tuple[Question, ...]:
    """When only a place or a group was named: what it most likely keeps is the default."""
    guess = plural(place.place or "entry")
    others = [plural(thing) for thing in PLACES if thing != place.place]
    near = [
        word
        for word in ("customers", "orders", "products", "bookings", "members", "events")
        if word in others and word != guess
    ]
    return (
        Question("about", f"What shall be kept for the {place.words}?", guess, (guess, *near[:3])),
        _which_kind(kinds, KIND_OPTIONS[:2]),
        Question("login", "Shall people sign in first?", "no", ("no", "yes")),
    )


def with_answers(goal: str, answers: Mapping[str, str]) -> str:
    """The goal with what was answered, as if it had been said at once."""
    about, fields, kind, login = (answers.get(key, "").strip() for key in ("about", "fields", "kind", "login"))
    text = goal.rstrip(" .!")
    if about:
        site = MEANS.get(kind.lower()) == "site"
        text += f". A site about {about}" if site else f". Keep {about}"
    if fields:
        text += f". Fields: {fields}"
    if login.lower() in {"yes", "y", "true"}:
        text += ". People log in first"
    return text


def kind_answered(answers: Mapping[str, str]) -> str | None:
    return MEANS.get(answers.get("kind", "").strip().lower())
