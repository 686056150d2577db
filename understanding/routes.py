"""Whether a text asks for a new app, a change of one that exists, or a front end for it."""

import re
from collections.abc import Mapping
from enum import StrEnum

from contracts.app_spec import API_KINDS, AppSpec
from understanding.errands import mentioned
from understanding.names import same_thing
from understanding.text import snake
from understanding.wishes import read_wishes

POLITE = (
    r"(?:(?:please|now|ok|okay|can you|could you|would you|just|and|then|also|i want you to|"
    r"i would like you to|pls|hi|hey|hello|well|so|great|nice|thanks|cool|next)[,.!]*\s+)*"
)
NEW = re.compile(
    r"\b(?:build|create|make|develop|write|generate|design|set up|program|code|start)\b(?:\s+(?:me|"
    r"us))?(?:\s+(?:an?|another|some|new|the|one more))*(?:\s+[\w'-]+){0,5}?\s+"
    r"(?:apps?|apis?|web ?sites?|sites?|web ?apps?|applications?|tools?|scripts?|programs?|cli|"
    r"trackers?|managers?|landing pages?|homepage|services?|systems?|blog|web ?shop|pipelines?|"
    r"databases?|guestbook|planner|portal|dashboard|portfolio)\b|\b(?:new|another|separate|second|"
    r"different) (?:app|project|api|site|website|tool)\b|"
    r"\bi (?:need|want|would like|'d like)\s+(?:an?|another)\s+(?:[\w'-]+\s+){0,3}?(?:app|api|website|"
    r"site|web ?app|tool|tracker)\b"
)
ABOUT_IT = re.compile(
    r"\b(?:for|to|on|into|in|of|with) (?:it|this|that|them|the (?:app|api|project|site|website|backend|"
    r"tool|page|list|existing|current))\b|\bgive it\b|\bit should\b|\bits\b|\bthe (?:app|project|api)\b"
)
CHANGE = re.compile(
    rf"^{POLITE}(?:add|remove|delete|drop|rename|change|take (?:out|away|off)|get rid of|turn (?:on|"
    rf"off)|enable|disable|include|extend|update|modify|replace|"
    r"make (?:the|it|all|every|each|sure|that|them|sorting|search|[a-z_]+ (?:required|optional|unique|"
    r"mandatory))|give (?:it|the|each|every|all|them)|let (?:it|people|users|me|us|everyone|visitors)|"
    r"put (?:an?|the|in) |hide|call it|name it|set |allow|move|switch|it (?:should|needs|must|has to|"
    r"also)|there should|also |i (?:also|don't|do not|no longer) |we (?:also|don't|no longer) |"
    r"no more |"
    r"only show |show only |"
    r"i (?:want|need|would like) (?:people|users|everyone|members|them|to be able|it|to (?:search|sort|"
    r"filter|export|download|log)|the )|mark |allow |require )",
)
DECLARED = re.compile(
    rf"^{POLITE}(?:"
    r"(?:the |each |every |all |a |an )?[\w'-]+(?: [\w'-]+)? (?:should|must|needs? to|has to|have to|"
    r"can|may) (?:also |now |always |only )?(?:have|be|belong|default|show|come|get|include)\b|"
    r"(?:the |each |every |all |a |an )?[\w'-]+(?: [\w'-]+)? (?:(?:should|must|need|does|do)(?:n't| not) "
    r"(?:be|have|need|show)|(?:is|are)(?:n't| not| no longer) (?:required|mandatory|optional|unique|needed))\b)"
)
"""What something shall be or have: a change where there is an app, a beginning where there is none."""
FRONT_WORDS = re.compile(
    r"\b(?:front ?end|ui|user interface|web ?page|web interface|website|gui|web ?app|nice page|a page|"
    r"pages|screen|something to click)\b"
)
FRONT_VERBS = re.compile(r"\b(?:give|add|make|create|build|need|needs|want|put|get|with|design|have|has)\b")


class Route(StrEnum):
    CREATE = "create"
    CHANGE = "change"
    FRONT_END = "front_end"


def route(text: str, project: str | None, projects: Mapping[str, AppSpec | None]) -> Route:
    """`project` is one that exists, if the person chose one."""
    low = text.lower()
    target = (
        projects.get(project or mentioned(text, projects) or next(reversed(list(projects)), "")) if projects else None
    )
    if target is not None and _wants_front_end(low, target, bool(project or mentioned(text, projects))):
        return Route.FRONT_END
    if NEW.search(low) and not (ABOUT_IT.search(low) and CHANGE.match(low)):
        return Route.CREATE
    if CHANGE.match(low) or (projects and DECLARED.match(low)):
        return Route.CHANGE
    if target is not None and _speaks_of(text, target, chosen=project is not None):
        return Route.CHANGE
    return Route.CREATE


def _wants_front_end(low: str, spec: AppSpec, named: bool) -> bool:
    if (
        spec.kind not in API_KINDS
        or not FRONT_WORDS.search(low)
        or re.search(r"\b(?:overdue|that lists|which lists|about page|contact page)\b", low)
    ):
        return False
    refers = bool(ABOUT_IT.search(low)) or named
    return refers and bool(FRONT_VERBS.search(low)) and not re.search(r"\bnew (?:app|project|api)\b", low)


def _speaks_of(text: str, spec: AppSpec, *, chosen: bool) -> bool:
    """Whether the text is about what the app has already, or only about what any app could have.

    Whoever has chosen the app means it, unless the words name another kind of thing.
    """
    wishes = read_wishes(text)
    if wishes.kinds or wishes.hello or wishes.pipeline:
        return False
    if chosen:
        return True
    labels = [name for resource in spec.resources for name in (resource.label, resource.name.replace("_", " "))]
    known = [name for name in wishes.draft.things if any(same_thing(name, label) for label in labels)]
    if wishes.draft.things:
        fields = {field.name for resource in spec.resources for field in resource.fields}
        return len(known) == len(wishes.draft.things) or all(snake(name) in fields for name in wishes.draft.things)
    return bool(wishes.features.on or wishes.features.off or wishes.views)
