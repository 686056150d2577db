"""Languages, frameworks and databases that people name, and what is used instead of those that rules cannot write."""

import re
from dataclasses import dataclass, field

from contracts.app_spec import Language
from understanding.sheet import Sheet

LEAD = (
    r"(?:\b(?:in|with|using|use|on|by|written in|based on|built with|made with|powered by|and|a|an|the|"
    r"some|plain|store|stored|save|saved|save it|keep|kept|data|everything|it|them|is|should be|should|be|"
    r"backed by|via|into|to)\s+){0,6}"
)
NODE = re.compile(
    rf"{LEAD}\b(?:node(?:\.?js)?|express(?:\.?js)?|javascript|typescript)\b(?:\s+(?:and|"
    rf"with)\s+(?:express|node)(?:\.?js)?)?"
)
PYTHON = re.compile(rf"(?:{LEAD}\b(?:python ?3?|flask|typer)\b(?:\s+(?:and|with|or)\s+flask)?)")
REACT = re.compile(rf"{LEAD}\breact(?:\.?js)?\b")
JSON_STORE = re.compile(
    rf"{LEAD}\b(?:in|as|to|into|with|using|a)\s+(?:a\s+|one\s+)?(?:local\s+)?json(?:[- ]file)?(?:s|"
    rf"\s+file|\s+files|\s+format|\s+storage)?\b(?!\s+api)|{LEAD}\bjson[- ](?:file|storage|store)\b"
)
SQLITE = re.compile(
    rf"{LEAD}\b(?:sqlite3?|sql database|sql)\b(?:\s+(?:database|db|file|storage))?|{LEAD}\b(?:in|with|"
    rf"using|has)\s+(?:a|some|its own)\s+(?:small\s+|local\s+|simple\s+)?(?:database|db)\b"
)
OTHERS: dict[str, tuple[str, str]] = {
    "database": (
        ("mysql|mariadb|postgres(?:ql)?|mongo(?:db)?|oracle|sql server|redis|firebase|supabase|airtable|dynamodb"),
        "it keeps its data in an SQLite file",
    ),
    "framework": (
        (
            "django|fastapi|ruby on rails|rails|ruby|php|laravel|symfony|wordpress|java|spring(?: boot)?|"
            "kotlin|swift|golang|rust|c\\+\\+|c#|\\.net|asp\\.net|perl|scala|elixir|haskell|cobol"
        ),
        "it is written in Python with Flask",
    ),
    "front end": (
        "vue(?:\\.?js)?|angular|svelte|next\\.?js|nuxt|bootstrap|tailwind(?: css)?|jquery|htmx",
        "its pages are plain HTML",
    ),
}
NAMES = {
    "mysql": "MySQL",
    "postgresql": "PostgreSQL",
    "postgres": "PostgreSQL",
    "mongodb": "MongoDB",
    "php": "PHP",
    "mariadb": "MariaDB",
    "fastapi": "FastAPI",
    "c#": "C#",
    "c++": "C++",
    ".net": ".NET",
    "jquery": "jQuery",
    "nextjs": "Next.js",
    "next.js": "Next.js",
}


@dataclass(slots=True)
class Tech:
    language: Language | None = None
    react: bool = False
    storage: str | None = None
    flask: bool = False
    cannot: list[str] = field(default_factory=list)


def take_tech(sheet: Sheet) -> Tech:
    """Crosses them out."""
    found = Tech()
    for wish, (names, instead) in OTHERS.items():
        pattern = re.compile(
            rf"{LEAD}(?<![\w-])(?P<name>{names})(?![\w-])(?:\s+(?:database|db|server|framework|backend|cluster))?"
        )
        for match in sheet.take_all(pattern):
            shown = NAMES.get(match["name"], match["name"].capitalize())
            words = f"{shown} as its {wish}: {instead}. A model could use {shown}"
            found.cannot += [words] if words not in found.cannot else []
    found.react = bool(sheet.take_all(REACT))
    if sheet.sees(re.compile(r"\b(?:flask|python|typer)\b")):
        found.language, found.flask = Language.PYTHON, "flask" in sheet.low
    if sheet.take_all(NODE) and found.language is None and not found.react:
        found.language = Language.NODE
    sheet.take_all(PYTHON)
    if sheet.take_all(JSON_STORE):
        found.storage = "json"
    if sheet.take_all(SQLITE):
        found.storage = "sqlite"
    return found
