"""Sites: pages of text and nothing to keep."""

import re

from contracts.app_spec import AppSpec, Kind, Page
from understanding.drafts import Draft
from understanding.pages import is_bare, write_pages
from understanding.text import line, listed, sentence_case
from understanding.wishes import Wishes

WHOSE = re.compile(
    r"\b(?:for|about|of)\s+(?P<whose>my|our|the|a|an)\s+(?P<what>[\w' "
    r"-]{2,60}?)(?=\s*(?:[,.;:\n\x01!?]|with\b|called\b|that\b|where\b|which\b|and\b|in\b|by\b|\Z|"
    r"for\b|on\b|to\b|who\b))"
)
CONTINUED = {"a": "our", "an": "our"}


def about_of(text: str, draft: Draft) -> str:
    """Whose site it is, as it would be written on it: `our bakery`."""
    found = WHOSE.search(text)
    if found:
        return f"{CONTINUED.get(found['whose'], found['whose'])} {line(found['what'])}"
    noun = next(iter([*draft.places, *draft.weak]), None)
    return f"our {noun.words}" if noun is not None and noun in draft.places else ""


def build_site(project: str, wishes: Wishes, text: str) -> tuple[AppSpec, list[str]]:
    about = about_of(text.lower(), wishes.draft)
    title = wishes.name or _title(wishes, about)
    pages = write_pages(wishes.pages, title, about, wishes.said)
    spec = AppSpec(
        kind=Kind.SITE,
        name=project,
        title=title,
        summary=line(f"The site of {about}" if about else title, longest=118) + ".",
        dark_mode="dark_mode" in wishes.features.on,
        pages=pages,
    )
    return spec, page_remarks(pages)


def page_remarks(pages: tuple[Page, ...]) -> list[str]:
    bare = [page.title for page in pages if is_bare(page)]
    told = (
        [f"Nothing was made up: {listed(bare)} say that more will follow, until you tell what belongs there"]
        if bare
        else []
    )
    return told


def _title(wishes: Wishes, about: str) -> str:
    if about:
        return sentence_case(line(about.split(" ", 1)[1], longest=60))
    if wishes.said.text:
        words = wishes.said.text.strip(".").split()
        return line(" ".join(words[:6]), longest=60)
    titled = sentence_case(wishes.draft.titled)
    slugs = {slug for slug, _ in wishes.pages}
    return titled or ("Portfolio" if "work" in slugs else "Welcome")
