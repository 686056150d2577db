"""Says no at the door to what is no request in English, in words that help."""

import re

from contracts.plans import CannotYet, NotUnderstood
from understanding.languages import code_language, foreign_language, is_gibberish
from understanding.limits import Refusal
from understanding.text import LONGEST, clean

EXAMPLES = (
    "Write one or two sentences such as “Build a web app for my books with title, author and year” or "
    "“Make a website for my bakery with opening hours and contact”"
)
GREETING = re.compile(
    r"(?:good (?:morning|evening|afternoon|day|night)|how are you.*|hello|hi|hey|thanks|thank you.*|ok|"
    r"okay|yes|no|bye|lol|help(?: me)?|what can you do.*|who are you.*|"
    r"what (?:is|are) you.*|hello there|hi there|cool|nice|great|why|what|please|hello world)[.!? ]*",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"^(?:how|what|why|when|who|where|is|are|does|do|did|was|whats|how's|what's|who's|which|am)\b", re.IGNORECASE
)
BUILDS = re.compile(
    (
        r"\b(?:build|make|create|app|api|website|site|page|tool|list|tracker|program|script|want|need|"
        r"would like|i'd like|develop|track|manage|keep)\b"
    ),
    re.IGNORECASE,
)


WHO_DID_WHICH = re.compile(r"^who (?:\w+ )?\w+ which [\w-]+(?! ?\?)\b", re.IGNORECASE)
"""A list that is wished for, though it sounds like a question."""


def admit(text: str) -> str:
    """The text, clean; raises NotUnderstood if it is no request in English."""
    if len(text) > LONGEST:
        raise NotUnderstood(
            f"That is {len(text):,} characters long, and at most {LONGEST:,} are read",
            hint="Say in a few sentences what the app shall do. " + EXAMPLES,
        )
    told = clean(text)
    if not any(c.isalnum() for c in told):
        raise NotUnderstood("There are no words in that" if told else "Nothing was written", hint=EXAMPLES)
    code = code_language(told)
    if code:
        raise NotUnderstood(
            f"That looks like {code}, not like a sentence", hint="Say in words what it shall do. " + EXAMPLES
        )
    language = foreign_language(told)
    if language:
        raise NotUnderstood(
            f"That seems to be {language}, and without a model only English is understood",
            hint=f"Write it in English, or connect a model, which reads other languages too. {EXAMPLES}",
        )
    if is_gibberish(told):
        raise NotUnderstood(f"No word that could be read was found in “{told[:60]}”", hint=EXAMPLES)
    asks = QUESTION.match(told) and not BUILDS.search(told) and not WHO_DID_WHICH.match(told)
    if GREETING.fullmatch(told) or asks:
        raise NotUnderstood(f"“{told[:60]}” does not say what to build or change", hint=EXAMPLES)
    return told


def refuse(refusals: list[Refusal]) -> CannotYet:
    """For a request that is through and through about something that rules cannot build."""
    first = refusals[0]
    others = list(dict.fromkeys(refusal.limit.what for refusal in refusals[1:] if refusal.limit != first.limit))
    also = f" The same holds for: {'; '.join(others)}." if others else ""
    return CannotYet(
        (
            f"“{first.words}” cannot be built without a model: "
            f"{first.limit.what[0].lower()}{first.limit.what[1:]} is beyond what rules can do"
        ),
        hint=f"What can be built today: {first.limit.instead}. A model could {first.limit.model}.{also}",
        details={"asked": first.words, "instead": first.limit.instead, "model_adds": first.limit.model},
    )
