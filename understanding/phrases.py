"""Ways of writing that mean the same, brought into one form before anything is read."""

import re

STATES = r"(?:doing|done|in progress|finished|closed|completed?|backlog|review|testing|won|lost|sent|shipped|paid)"
SAME = (
    (r"to[- ]?dos?(?=\s+(?:list|app|item|items|entry|entries|tracker|manager|api|tool|application|tasks?)\b)", "todo"),
    (r"to-do", "todo"),
    (r"to-dos", "todos"),
    (r"e-?mails?(?= address)", "email"),
    (r"e-mail", "email"),
    (r"web[- ]site", "website"),
    (r"web[- ]page", "webpage"),
    (r"home[- ]page", "homepage"),
    (r"front[- ]end", "frontend"),
    (r"back[- ]end", "backend"),
    (r"sign[- ]?ups?", "signup"),
    (r"pick[- ]up", "pickup"),
    (r"check[- ]in(?= (?:date|time|day)\b)", "checkin"),
    (r"check[- ]out(?= (?:date|time|day)\b)", "checkout"),
    (
        r"keep(?:ing|s)? (?:a )?(?:track|record|note|count|log|an eye|an overview|a list|lists|records) (?:of|on)",
        "track",
    ),
    (r"(?:make|making|makes|write|writing|have|having) a (?:list|record|note) of", "track"),
    (r"(?:writ(?:e|ing|es)|not(?:e|ing|es)|jot(?:ting)?|put(?:ting)?|tak(?:e|ing)) down", "record"),
    (r"los(?:e|ing) track of", "losing"),
    (r"look(?:ing)? after|take care of|taking care of|deal(?:ing)? with", "manage"),
    (r"hand(?:s|ing)? in(?= )", "submit"),
    (r"rent(?:ing|s)? out", "rent"),
    (r"lend(?:ing|s)? out", "lend"),
    (r"fill(?:ing|s)? in|fill(?:ing|s)? out", "enter"),
    (r"look(?:ing)? up", "find"),
    (
        r"(?:tick|check|cross)(?:ing)? (?:(?:things|items|tasks|them|stuff) off|off(?: (?:things|items|"
        r"tasks|them|stuff))?)",
        "manage todos",
    ),
    (r"(?:any ?more|any longer)", ""),
    (r"smth|sth|sumthing|somethin", "something"),
    (r"pl[sz]|plss|plzz", "please"),
    (r"(?<=can )u|(?<=could )u|(?<=would )u", "you"),
    (r"4(?= (?:my|our|me|us|the|an?|this)\b)", "for"),
    (r"2(?= (?:track|keep|manage|save|list|store|see|show|write|log|find)\b)", "to"),
    (r"w(?= [a-z])", "with"),
    (r"em(?=\s*(?:$|[.!?,;]))", "them"),
    (r"nrs?", "number"),
    (r"every \d+ (?:sec(?:ond)?s?|min(?:ute)?s?|hours?|h|days?)", ""),
    (r"y\s*/\s*n", "yes/no"),
    (r"command-?line", "command line"),
    (r"full-?stack", "full stack"),
    (r"insta", "instagram"),
    (r"do(?= (?:me|us) an?\b)|(?:put|throw|knock|cobble) together|whip up|knock up", "make"),
    (r"an?(?P<how> (?:little|small|simple|tiny|quick))? thing(?= (?:where|that|to|for|which)\b)", r"an\g<how> app"),
    (r"(?<=command line )thing|(?<=full stack )thing|(?<=react )thing", "app"),
    (
        r"(?:what|how much|who) (?:i|we) owe(?: money)?(?: (?:to )?whom?\b| what\b)?|"
        r"who(?:m)? owes (?:me|us|whom?)(?: what| money| how much)?",
        "debts",
    ),
    (r"wanna", "want to"),
    (r"gonna", "going to"),
    (r"(?P<verb>has|have|is|are|was|were)n't", r"\g<verb> not"),
    (r"(?P<what>what|who)'s", r"\g<what> is"),
    (
        r"(?:(?:\d+|two|three|four|five|six|several|these|the following) )?"
        r"(?:resources|entities|tables|models|endpoints|data types)(?= *:)\s*:",
        "",
    ),
    (r"dont", "don't"),
    (r"cant", "can't"),
    (r"&amp;", "and"),
    (r"w/", "with"),
    (r"yes\s*[-/|]\s*no", "yes/no"),
    (
        r"(?<!was )(?<!is )(?<!are )(?<!were )(?<!been )(?<!has )(?<!have )(?<!whether )(?<!if )"
        r"(?P<what>\w[\w-]*) or not(?=\s*(?:$|[,.;)]|and\b))",
        r"\g<what> (yes/no)",
    ),
    (
        r"(?P<board>(?:kanban |scrum |task |trello[- ](?:like |style )?)?board)"
        r"(?P<whose> for (?:my|our|the) [\w' -]{2,40}?)?"
        r" with (?:(?:the|these|two|three|four|five|\d) )*(?:columns|lists|lanes|stages)(?: called| named)?:? "
        rf"(?=[^.;:()\n]*\b{STATES}\b)(?P<values>[^.;:()\n]{{3,120}}?)"
        r"(?:,? and (?P<last>(?!an? |each |every )\w[\w ]{1,20}?))?"
        r"(?=\s*(?:$|[.;\n]|,? and (?:an?|each|every|tasks|cards)\b|, (?:an?|each|every|where|tasks|cards)\b))",
        r"\g<board>\g<whose> of tasks with title, notes and status (\g<values>, \g<last>)",
    ),
    (
        r"with (?:\d+|two|three|four|five|six|some|several|a few|many) (?:fields|columns|attributes)(?=\s*(?:$|[.!?]))",
        "",
    ),
    (
        r"who (?:\w+ )?\w+ which (?P<thing>[\w-]+)(?: (?:and )?when)?(?=\s*(?:$|[.!]))",
        r"\g<thing> list with title, person and date",
    ),
)
"""Columns of a board are where a task stands; who did which of something is a list of who and when."""
TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
"""Marks of a web page around words say nothing about what is wanted."""
PLUS = re.compile(r"(?<=[^\W\d_])\s*\+\s*(?=[^\W\d_])")
"""`artist + title` are two."""
CLOSE_BRACKET = re.compile(r"(?<=[^\W\d_])\((?!s\)|es\))(?=[^\W_])")


def unify(text: str) -> str:
    """Case stays where the words do."""
    text = CLOSE_BRACKET.sub(" (", PLUS.sub(", ", TAG.sub(" ", text)))
    for pattern, same in SAME:
        text = re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", same, text, flags=re.IGNORECASE)
    return text
