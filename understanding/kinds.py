"""Which kind of app is meant: an API, pages, a command-line tool, a site, a table of figures."""

import re

from contracts.app_spec import Kind
from understanding.sheet import Sheet

HELLO = re.compile(r"\bhello[, -]*world!?")
ADJECTIVES = (
    r"(?:(?:simple|small|little|nice|basic|quick|tiny|personal|static|plain|modern|one|single|new|good|"
    r"easy|beautiful|company|business|informational|interactive|responsive|public)[- ]+){0,4}"
)
WORDS: dict[str, str] = {
    "full_stack": r"full[- ]?stack(?:\s+(?:web\s*)?(?:app|apps|application|project|solution|website))?",
    "cli": (
        r"(?:command[- ]line|cli|terminal|console)(?:[- ](?:based|interface))?(?:\s+(?:tool|app|"
        r"application|program|script|utility|interface|command|client))?"
    ),
    "frontend": (
        r"(?:web\s+|user\s+|graphical\s+)?(?:frontends?|user interface|web interface|\bui\b|"
        r"gui)(?:\s+(?:app|page|too|as well))?"
    ),
    "api": (
        r"(?:(?:restful|rest|json|http|web|crud|backend)[- ]+){0,3}(?:apis?|rest service|web ?services?|"
        r"micro-?services?|backend(?:\s+(?:server|service|app))?|endpoints?|"
        r"json service|rest server|crud|servers?(?=\s+(?:in|for|that|to|which|with|"
        r"using)\b))(?:\s+(?:server|service|backend|endpoints?|app|application))?"
    ),
    "site": (
        r"(?:landing[- ]?pages?|web ?sites?|home ?pages?|portfolio(?:\s+(?:site|website|page))?|"
        r"static (?:site|page|website)|one[- ]?pager|info(?:rmation)? page|sites?|"
        r"(?:online )?presence|business card page|web presence|"
        r"(?:web )?pages?(?=\s+with\s+(?:(?:our|my|the)\s+)?(?:opening|business) (?:hours|times))|"
        r"(?:web ?)?page(?=\s+(?:that|which|where it)\s+(?:(?:just|only|simply)\s+)?(?:says?|reads?|tells?)\b))"
    ),
    "web": (
        r"(?:web[- ]?(?:app|application|page|tool|form|portal|based app|based tool|based)s?|apps?|"
        r"(?<!job )(?<!loan )(?<!visa )(?<!grant )(?<!membership )application|software|page|programs?|"
        r"tools?(?=\s+(?:to|for|that|which|where|with)\b|\s*$))"
    ),
    "script": r"(?:(?:python |js |node )?scripts?|(?:python|js|node) programs?)",
}


def hello_in(sheet: Sheet) -> bool:
    return bool(sheet.take_all(HELLO))


def take_kinds(sheet: Sheet) -> set[str]:
    """Crosses out every word for the app itself, and leaves a mark where it stood."""
    found: set[str] = set()
    static = re.search(r"\bstatic\b", sheet.low)
    for name, words in WORDS.items():
        pattern = re.compile(
            rf"(?<![\w-]){ADJECTIVES}(?:{words})(?![\w-])(?!\s+(?:of|number|count|numbers|read)\b)"
            if name == "web"
            else rf"(?<![\w-]){ADJECTIVES}(?:{words})(?![\w-])"
        )
        if sheet.take_kind(pattern):
            found.add(name)
    return found | ({"site", "static"} if static else set())


def choose(hints: set[str], *, keeps: bool, hello: bool) -> Kind | None:
    """None if nothing says what it could be."""
    if hello and not keeps:
        paged = hints & {"web", "site", "frontend", "full_stack"} and "api" not in hints
        return Kind.WEB_APP if paged else Kind.HELLO_API
    asked = (
        (bool(hints & {"cli"}) or ("script" in hints and not hints & {"web", "site", "api"}), Kind.CLI_TOOL),
        (bool(hints & {"full_stack", "react"}) or hints >= {"api", "frontend"}, Kind.FULL_STACK),
        ("api" in hints, Kind.API),
        (keeps, Kind.WEB_APP),
        ("site" in hints, Kind.SITE),
    )
    return next((kind for holds, kind in asked if holds), None)
