"""What is asked for in passing and no rule reads, such as `show the average grade per student`: told, not guessed."""

import re

from understanding.sheet import Sheet

BEGINS = r"(?:(?<=[.!?;\n])|(?<=,)|(?<= and)|(?<= then)|(?<= also))\s+(?:(?:and|also|then|please)\s+){0,3}"
"""After something else: the first words of a text say what the app is about."""
SHOWS = r"(?:show|display|list|print|give|tell)s?(?:\s+(?:me|us|them))?"
FIGURES = (
    r"(?:the\s+|my\s+|our\s+|an?\s+)?(?:average|mean|median|total|sum|number of|most|least|highest|lowest|top|best|"
    r"worst|percentage|ranking|difference|balance|overall)\b"
)
REQUEST = re.compile(
    rf"{BEGINS}(?P<words>(?:{SHOWS}\s+(?:{FIGURES}|"
    rf"(?:everyone|everybody|anyone|all (?:those|people)|those|people)\s+who\b|"
    rf"(?:who|what|which|whether|how)\b)|"
    rf"(?:calculate|compute|highlight|warn|compare|sum up|add up|count how)s?\s)[^.;,\n]*)"
)
SENTENCE = re.compile(
    rf"(?<=[.!?;\n])\s+(?P<words>(?:also\s+|please\s+|and\s+)*{SHOWS}\s+(?!in\b)[^.;\n:(]{{3,120}})(?=[.;\n]|$)"
)
"""A whole sentence that asks to be shown something, where an earlier one has said what is kept."""


def take_requests(sheet: Sheet) -> list[str]:
    """Crosses them out, so that they are not taken for something to keep."""
    taken = [match for pattern in (REQUEST, SENTENCE) for match in sheet.take_all(pattern, leave=",")]
    return [" ".join(match["words"].split()) for match in taken]
