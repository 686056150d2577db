"""Single steps for a project that exists: test it, put it online, undo."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from contracts.app_spec import AppSpec
from understanding.english import singular
from understanding.nouns import find_noun
from understanding.places_online import Online, take_online
from understanding.sheet import Sheet
from understanding.text import words_of
from understanding.things import thing_for

POLITE = (
    r"(?:(?:please|now|ok|okay|can you|could you|would you|just|and|then|again|also|go ahead and|let's|"
    r"i want you to|i want to|try to|pls|hi|hey|hello)[,!]?\s+)*"
)
UNDO = re.compile(
    rf"{POLITE}(?:undo|revert|roll ?back|take (?:it|that|this|the last change) back|(?:remove|cancel|"
    rf"drop|delete) (?:the|my) last (?:change|step|edit)|"
    rf"go back(?: one step)?|put it back(?: as it was| how it was)?|"
    r"(?:i )?(?:don't|do not) (?:like|want) (?:it|that|this|the change)(?:,? (?:undo it|take it back|"
    r"go back))?|reverse)"
    r"(?:\s+(?:that|it|this|the last (?:change|step|thing|one|edit)|everything|my last change|"
    r"what you (?:just )?did|last change|please|again|now|the change|the changes|one step|"
    r"for me))*[.! ]*"
)
TEST = re.compile(rf"{POLITE}(?:test|re-?test|check|try|verify|prove|run)\b(?P<rest>[^.\n]{{0,80}})[.! ]*")
NAMED = re.compile(
    rf"{POLITE}(?:deploy|put|publish|launch|host|upload|release|ship|bring|get)\s+(?:the\s+|my\s+|our\s+)?"
    r"(?P<name>(?!it\b|this\b|that\b|them\b|everything\b|app\b|a\b|an\b)[\w.-]+)\s+"
    r"(?:online|live|on the (?:web|internet)|(?:to|on|with) (?:vercel|render|netlify|github)(?: pages)?)[.! ]*"
)
TEST_WORDS = frozenset(
    "it that this everything again the app project api site tool tests test of for on all its please "
    "whether if works work is "
    "ok working out unit suite my a run still does and see checks now".split()
)


@dataclass(frozen=True, slots=True)
class Errand:
    intent: Literal["test_app", "deploy_app", "rollback"]
    online: Online = field(default_factory=Online)
    unknown: str = ""
    """What was named and is no project."""


def read_errand(text: str, names: Collection[str]) -> Errand | None:
    """None if the text asks for more than one such step. `names` are words by which projects are called."""
    low = " ".join(text.lower().split())
    for name in sorted(names, key=len, reverse=True):
        low = re.sub(rf"(?<![\w-]){re.escape(name.lower())}(?![\w-])", "it", low)
    if UNDO.fullmatch(low):
        return Errand("rollback")
    tested = TEST.fullmatch(low)
    if (
        tested
        and set(words_of(tested["rest"])) <= TEST_WORDS
        and (tested["rest"].strip() or low.strip(" .!") in {"test", "run tests"})
    ):
        runs = low.split()[0] if low.split() else ""
        if "run" not in low or "test" in low or runs == "test":
            return Errand("test_app")
    named = NAMED.fullmatch(low)
    if named and find_noun(named["name"]) is not None and thing_for(singular(named["name"])) is None:
        return Errand("deploy_app", unknown=named["name"])
    sheet = Sheet(low)
    online = take_online(sheet)
    left = set(words_of(sheet.low)) - {
        "it",
        "please",
        "the",
        "app",
        "project",
        "api",
        "site",
        "website",
        "now",
        "ok",
        "can",
        "you",
        "could",
        "this",
        "that",
        "and",
        "then",
        "thanks",
        "for",
        "me",
        "i",
        "want",
        "to",
        "my",
        "so",
        "online",
    }
    if not online.said or online.deploy == "no":
        return None
    return None if left else Errand("deploy_app", online)


def called(projects: Mapping[str, AppSpec | None]) -> dict[str, str]:
    """Every name by which a project may be meant, with the project. Later projects win."""
    names: dict[str, str] = {}
    for project, spec in projects.items():
        names |= {project.lower(): project, project.lower().replace("-", " "): project}
        if spec is not None:
            names[spec.title.lower()] = project
    return {name: project for name, project in names.items() if len(name) > 2}


def mentioned(text: str, projects: Mapping[str, AppSpec | None]) -> str | None:
    """The project that a text names, the longest name first."""
    low = text.lower()
    for name, project in sorted(called(projects).items(), key=lambda pair: -len(pair[0])):
        if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", low):
            return project
    return None
