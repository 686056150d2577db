"""Pages of text: which ones are asked for, and what is written on them. Nothing is made up: only what was said."""

import functools
import re
from dataclasses import dataclass, field

from contracts.app_spec import Page, Section
from understanding.items import split_items
from understanding.names import name_page
from understanding.sheet import Sheet
from understanding.text import KIND, line, listed, sentence_case, sentences

KNOWN: dict[str, str] = {
    "index": r"home(?:page)?|start(?: page)?|welcome|front",
    "about": r"about(?: (?:us|me|myself|the \w+))?|who (?:we are|i am)|our story|history",
    "menu": r"(?:our |the |a )?menu|food and drinks?|dishes",
    "opening-hours": r"opening (?:hours|times)|hours|business hours|when we are open",
    "services": r"(?:our |my |the )?services|what (?:we|i) (?:do|offer)|treatments",
    "prices": r"(?:our |my |the )?prices|price list|pricing|rates",
    "team": r"(?:our |the |my )?team|staff|people",
    "gallery": r"(?:photo |picture |image )?gallery|photos|pictures",
    "work": r"(?:my |our )?(?:work|works|projects|portfolio)",
    "news": r"(?:our |the )?news|latest news",
    "faq": r"faqs?|questions and answers|frequently asked questions",
    "testimonials": r"testimonials|what (?:people|customers|clients) say|references",
    "directions": r"directions|how to (?:find|get to|reach) us|getting here",
    "imprint": r"imprint|impressum|legal notice",
    "privacy": r"privacy(?: policy)?",
    "events": r"(?:our |the |upcoming )?events(?= page| section)|dates(?= page)",
    "products": r"(?:our |the |my )?products(?= page| section)",
    "courses": r"(?:our |the |my )?(?:courses|classes)(?= page| section)",
    "contact": r"contact(?: (?:us|me|details|info|information|data))?(?! form| list| request)|get in touch",
}
PLAIN_KNOWN = {slug: re.sub(r"\(\?[=!][^)]*\)", "", words) for slug, words in KNOWN.items()}
"""The same for items that stand alone."""
TAIL = re.compile(r":|\b(?:with|including|has|have|containing)\b")
TITLES = {"index": "Home", "opening-hours": "Opening hours", "faq": "Questions and answers", "work": "Work"}
AFTER = rf"(?:\s+(?:pages?|sections?|{KIND}))?"
OTHER = re.compile(
    r"(?:(?<=\s)|^)(?:an?|one|another|and|the)\s+(?P<title>(?!simple|static|single|landing|small|web|"
    r"page|nice|new|little|tiny|quick|short|plain|basic|list|home|start|that|where|for)[\w'-]+"
    r"(?:\s+(?!that|where|which|for|with)[\w'-]+)?)\s+(?:page|section)(?=\s*(?:,|\.|and\b|$|\n))"
)
SAYS = re.compile(
    r"\b(?:(?:that|which)\s+)?(?:just\s+|only\s+|simply\s+)?(?:says?|saying|tells?\s+(?:people|"
    r"everyone|visitors)|with the (?:text|words|message))\s*:?\s+(?:that\s+)?(?P<text>[^\n]{3,400})"
)
STATEMENT = re.compile(r"^(?:hi[,!.]? |hello[,!.]? |so |basically )*(?:we|i|our|my)(?:'m|'re|\s)", re.IGNORECASE)
WISH = re.compile(
    (
        r"\b(?:wants?|needs?|would like|i'd like|i'd love|we'd like|please|could|can you|should|website|"
        r"web ?page|site|app|page|build|make|create|looking for)\b"
    ),
    re.IGNORECASE,
)
EMAIL = re.compile(r"[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,30}){1,4}")
PHONE = re.compile(r"(?:\+|\b0)\d[\d /()-]{5,20}\d\b|\b\d{3}[- ]\d{3,4}[- ]?\d{0,4}\b")
OPEN = re.compile(
    r"\bopen\b.{0,80}?(?:\d|\bdaily|\bevery day|\bweekend|\b(?:mon|tue|wed|thu|fri|sat|sun))", re.IGNORECASE
)
PLACE = re.compile(
    (
        r"(?:\baddress(?: is|:)|\b(?:at|in) (?=\d{1,4} \w+ (?:street|st|road|rd|avenue|ave|lane|"
        r"square)))\s*(?P<place>[^.\n;]{4,100})"
    ),
    re.IGNORECASE,
)
SENTENCE = re.compile(r"(?:[^.\n!;]|\.(?=\S))+")
LATER = "More about this will follow here."


@dataclass(slots=True)
class Said:
    """What a person said that belongs on their pages, word for word."""

    text: str = ""
    statements: list[str] = field(default_factory=list)
    contact: list[str] = field(default_factory=list)
    hours: str = ""


def take_said(sheet: Sheet) -> Said:
    """Facts and sentences of the person; those that say nothing else are crossed out."""
    said = Said()
    found = SAYS.search(sheet.low)
    if found:
        said.text = _as_sentence(sheet.text[found.start("text") : found.end("text")])
        sheet.cross_out(found.start(), found.end())
    for part in reversed(list(SENTENCE.finditer(sheet.text))):
        words = part.group().replace(KIND, " ").strip()
        if len(words) > 400 or WISH.search(words):
            continue
        is_fact = _read_facts(said, words)
        if STATEMENT.match(words):
            said.statements.insert(0, _as_sentence(words))
        if is_fact:
            sheet.cross_out(part.start(), part.end())
    said.statements = said.statements[:5]
    return said


def _read_facts(said: Said, words: str) -> bool:
    """How to reach somebody, and when: word for word."""
    place = PLACE.search(words)
    facts = [f"Address: {place['place'].strip()}"] if place else []
    facts += [f"Phone: {phone}" for phone in PHONE.findall(words)[:2]] + [
        f"Email: {mail}" for mail in EMAIL.findall(words)[:2]
    ]
    said.contact = [*facts, *said.contact][:5]
    if OPEN.search(words):
        said.hours = _as_sentence(words)
    return bool(facts) or bool(OPEN.search(words))


def _as_sentence(words: str) -> str:
    text = sentence_case(line(words, longest=400).strip("\"' .!"))
    return f"{text}." if text else ""


def take_pages(sheet: Sheet, *, is_site: bool) -> list[tuple[str, str]]:
    """Slug and title of each page that is named, in the order of the text, crossed out. Words such as `menu` are only
    pages on a site; elsewhere they have to be called a page."""
    found = _others_beside_known(sheet) if is_site else []
    for slug in KNOWN if is_site or re.search(r"\b(?:page|section)\b", sheet.low) else ():
        pattern = _pattern(slug, is_site)
        match = sheet.sees(pattern) if _enumerates(sheet, pattern) else None
        if match:
            sheet.blank(match.start(), match.end())
            found.append((match.start(), slug, TITLES.get(slug, sentence_case(slug))))
    for match in list(OTHER.finditer(sheet.low)) if is_site else ():
        sheet.blank(match.start(), match.end())
        title = sentence_case(match["title"])
        found.append((match.start(), name_page(title, [slug for _, slug, _ in found]), title))
    return [(slug, title) for _, slug, title in sorted(found)]


@functools.cache
def _pattern(slug: str, is_site: bool) -> re.Pattern[str]:
    """A page in an enumeration; elsewhere than on a site it has to be called one."""
    needs = "" if is_site else r"(?=\s+(?:page|section))"
    return re.compile(
        rf"(?:(?<=[,:;\n(-])|(?<=\s)|^)\s{{0,3}}(?:(?:and|an?|the|with|plus|"
        rf"&)\s+){{0,3}}(?:{KNOWN[slug]}){needs}{AFTER}"
        r"(?=\s*(?:[,.;:\n)&!(]|and\b|plus\b|$|so\b|for\b|as well))"
    )


def _others_beside_known(sheet: Sheet) -> list[tuple[int, str, str]]:
    """In an enumeration of mostly usual pages the others are pages, too: `home, concerts, about us, contact`."""
    found: list[tuple[int, str, str]] = []
    for sentence in sentences(sheet.low):
        tail = TAIL.split(sentence, maxsplit=1)
        items = (
            [re.sub(r"^(?:an?|the|our|my|and)\s+|\s+(?:pages?|section)$", "", item) for item in split_items(tail[1])]
            if len(tail) > 1
            else []
        )
        known = [item for item in items if any(re.fullmatch(words, item) for words in PLAIN_KNOWN.values())]
        others = [item for item in items if item not in known and re.fullmatch(r"[\w'-]+(?: [\w'-]+){0,2}", item)]
        if not known or len(known) < len(others):
            continue
        for item in others:
            start = sheet.low.find(item)
            if start >= 0 and not re.search(r"\b(?:form|login|mode|list|booking|guestbook)\b", item):
                title = sentence_case(sheet.text[start : start + len(item)])
                sheet.blank(start, start + len(item))
                found.append((start, name_page(title, [slug for _, slug, _ in found]), title))
    return found


def page_named(words: str) -> tuple[str, str]:
    """Slug and title of a page that is called so."""
    plain = re.sub(r"^(?:an?|the|our|my)\s+", "", words.strip())
    for slug, pattern in PLAIN_KNOWN.items():
        if slug != "index" and (
            re.fullmatch(pattern, words.strip()) or re.fullmatch(pattern, plain) or words.strip() == "us"
        ):
            return ("about", "About") if words.strip() == "us" else (slug, TITLES.get(slug, sentence_case(slug)))
    return name_page(plain, ()), sentence_case(plain)


def _enumerates(sheet: Sheet, pattern: re.Pattern[str]) -> bool:
    """Whether the words stand in an enumeration, rather than in a sentence: `my work is hard` names no page."""
    match = pattern.search(sheet.low)
    if not match:
        return False
    before = sheet.low[: match.start()].rstrip()
    return (
        bool(
            re.search(
                (
                    r"(?:,|:|\bwith|\band|\bhas|\bhave|\binclud\w+|\n-|-|\bpages?|\bcontaining|\bplus|&|"
                    r"\bfor|\bneed|\badd|^)$"
                ),
                before,
            )
        )
        or "page" in match.group()
        or KIND in match.group()
        or bool(re.match(r"\s*(?:and|with|plus)\b", match.group()))
    )


def write_pages(wanted: list[tuple[str, str]], title: str, about: str, said: Said) -> tuple[Page, ...]:
    """The home page comes first; it leads to the others."""
    others = [(slug, name) for slug, name in wanted if slug != "index"][:11]
    home = Page(slug="index", title=title, sections=_home(title, about, said, [name for _, name in others]))
    return (
        home,
        *(Page(slug=slug, title=line(name), sections=_sections(slug, name, title, said)) for slug, name in others),
    )


def _home(title: str, about: str, said: Said, others: list[str]) -> tuple[Section, ...]:
    told = [said.text] if said.text else said.statements
    opening = " ".join(told) if told else f"This is the page of {about}." if about else f"This is {title}."
    where = f"Here you find: {listed([name.lower() for name in others])}." if others else ""
    facts = tuple(said.contact) if not others else ()
    hours = (Section(heading="Opening hours", text=said.hours),) if said.hours and "Opening hours" not in others else ()
    contact = (Section(heading="Contact", points=facts),) if facts else ()
    return (
        Section(
            heading="Welcome" if title.lower() in about else f"Welcome to {title}"[:120],
            text=f"{opening} {where}".strip(),
        ),
        *hours,
        *contact,
    )


def _sections(slug: str, name: str, title: str, said: Said) -> tuple[Section, ...]:
    heading = line(name)
    if slug == "contact":
        return (Section(heading=heading, text="" if said.contact else LATER, points=tuple(said.contact)),)
    if slug == "opening-hours":
        return (Section(heading=heading, text=said.hours or LATER),)
    if slug == "about" and said.statements:
        return (Section(heading=heading, text=" ".join(said.statements)),)
    return (Section(heading=heading, text=LATER),)


def is_bare(page: Page) -> bool:
    """Whether the person still has to write what belongs there."""
    return any(section.text == LATER for section in page.sections)
