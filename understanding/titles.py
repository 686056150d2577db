"""What an app is called when its owner did not say: `Books API`, `Expense tracker`, `Customers and orders`."""

from contracts.app_spec import Kind, Resource
from understanding.drafts import Draft
from understanding.names import same_thing
from understanding.nouns import CONTAINERS, find_noun
from understanding.text import line, listed, sentence_case

ENDINGS = {Kind.API: "API", Kind.CLI_TOOL: "tool"}
MOST_WORDS = 5
GENERIC = frozenset({"item", "entry", "record", "listing"})


def title_for(kind: Kind, draft: Draft, resources: tuple[Resource, ...]) -> str:
    ending = ENDINGS.get(kind, "")
    base = _in_passing(draft, bool(ending)) or _by_things(draft, resources)
    words = base.split()
    if ending and words and words[-1].lower() in CONTAINERS - {"book", "books"}:
        words = words[:-1] if len(words) > 1 else words
    shown = " ".join(words)
    return line(sentence_case(f"{shown} {ending}"), longest=60) or "App"


def _in_passing(draft: Draft, singular_too: bool) -> str:
    """The words that stand for the app in the request, if they are about what it keeps."""
    words = draft.titled.split()
    noun = find_noun(draft.titled) if 0 < len(words) <= MOST_WORDS else None
    if noun is None or not (words[-1] in CONTAINERS or singular_too or noun.words not in {draft.titled, ""}):
        return ""
    about = any(same_thing(noun.words, name) for name in draft.things) or noun.place is not None
    return draft.titled if about and not (noun.plural and singular_too) else ""


def _by_things(draft: Draft, resources: tuple[Resource, ...]) -> str:
    names = [resource.plural_label for resource in resources]
    if len(resources) == 1 and resources[0].name in GENERIC and draft.titled:
        return draft.titled
    if len(names) > 2 and draft.places:
        return draft.places[0].words
    return listed([name if number == 0 else name.lower() for number, name in enumerate(names[:2])])


def summary_for(resources: tuple[Resource, ...]) -> str:
    """One sentence for those who use it."""
    told = []
    for resource in resources:
        fields = [field.label.lower() for field in resource.fields[:4]]
        told.append(
            f"{resource.plural_label.lower()} with {listed(fields)}"
            if len(resources) == 1
            else resource.plural_label.lower()
        )
    return line(f"Keeps {listed(told)}", longest=118) + "."
