"""Lists of some of the items, such as what is overdue: asked for in words, answered by conditions on fields."""

import re
from dataclasses import dataclass

from contracts.app_spec import AppField, Condition, FieldType, Op, Resource, View
from understanding.english import plural
from understanding.sheet import Sheet
from understanding.text import sentence_case, slug

UNCLEAR = frozenset({"new", "read", "today", "planned", "sent", "missing", "past", "open", "future", "packed"})
STATES = (
    "overdue|late|expired|upcoming|coming up|future|due today|today|past|unpaid|not paid|paid|undone|"
    "not done|done|unfinished|not finished|finished|"
    "completed|not completed|incomplete|unread|not read|read|open|closed|active|inactive|not active|"
    "available|unavailable|not available|returned|"
    "not returned|unreturned|out of stock|sold out|low stock|low in stock|low on stock|running low|"
    "urgent|important|favou?rites?|high priority|"
    "high-priority|low priority|medium priority|in progress|pending|cancelled|canceled|confirmed|"
    "unconfirmed|not confirmed|approved|sold|unsold|not sold|watched|unwatched|"
    "not watched|bought|not bought|packed|not packed|delivered|not delivered|shipped|not shipped|"
    "archived|published|unpublished|answered|unanswered|"
    "attending|not attending|billable|vegetarian|vegan|new|planned|sent|missing"
)
CLEAR_STATES = "|".join(state for state in STATES.split("|") if state not in UNCLEAR)
SHOWN = (
    r"(?:(?:show|see|list|view|find|display|give|get|want|need|add|with|and|have|for|create|make|also|"
    r"a|an|another|one|separate|extra|special|own|quick|me|us|i|we|to|"
    r"would like|should|can|there|be|is|please|\x01)\s+){0,6}"
)
LISTS = r"(?:(?:page|view|list|screen|tab|overview|section|report|(?:and|another) one|\x01)\s+)"
OF = (
    r"(?:(?:that|which|to|of|with|for|showing|listing|lists?|shows?|see|displays?|has|contains?|me|all|"
    r"only|the|just|my|our|those|every|any)\s+){0,5}"
)
NAMED = re.compile(
    rf"(?<![\w-]){SHOWN}{LISTS}{OF}(?P<state>{STATES})(?:\s+(?:and|"
    rf"or)\s+(?P<second>{STATES}))?(?:\s+(?P<of>(?!and\b|or\b|with\b)[\w'-]+))?"
    rf"(?:\s+(?:\x01|page|view|list))?(?![\w-])"
)
ONES = re.compile(
    rf"(?<![\w-]){SHOWN}{LISTS}?(?:(?:show|see|list|find|know|view|display|check|shows|lists|of|with|"
    rf"that|which)\s+){{1,3}}(?:(?:me|us|all|only|just|the|my|our|of|those)\s+){{0,3}}(?:which\s+|what\s+|"
    rf"who\s+)?(?P<of>[\w'-]+)?\s*"
    rf"(?:(?:that|which|who)\s+)?(?:are|is|have|has|were|was)\s+(?:still\s+|already\s+|been\s+|"
    rf"currently\s+)?(?P<state>(?:not |n't )?(?:{STATES}|due today))(?:\s+(?:first|on top|at the top))?(?![\w-])"
)
SIMPLE = re.compile(
    rf"(?<![\w-]){SHOWN}(?:show|see|list|display)s?\s+(?:(?:me|us|all|only|the|just|my|"
    rf"our)\s+){{0,4}}(?P<state>{CLEAR_STATES})\s+(?P<of>[\w'-]+)(?:\s+on (?:its|their|an?) (?:own|"
    rf"separate|extra) \w+)?"
)
AFTER = re.compile(
    rf"(?<![\w-]){SHOWN}(?:show|see|list|display)s?\s+(?:(?:me|us|all|only|the|just|my|our)\s+){{0,4}}"
    rf"(?P<of>[\w'-]+)\s+(?P<state>overdue|unpaid|expired|due today|out of stock|in progress)(?![\w-])"
)
"""`show plants overdue`"""
ONLY = re.compile(
    rf"(?<![\w-]){SHOWN}(?:(?:show|see|list|display)s?\s+(?:me\s+|us\s+)?(?:only|just)|(?:only|just)\s+(?:show|see|list|"
    rf"display)s?(?:\s+me|\s+us)?)\s+(?:(?:the|my|our|all)\s+){{0,2}}(?P<state>{STATES})(?:'s\b|\s+(?P<of>[\w'-]+))"
    rf"(?:\s+on (?:its|their|an?) (?:own|separate|extra|new) \w+)?"
)
ASKED = re.compile(
    rf"(?:(?<=[.!?;,] )|^)(?:and\s+)?what(?:'s| is| are)\s+(?:still\s+)?(?P<state>{CLEAR_STATES})\s*\?", re.MULTILINE
)
OPPOSITES = {
    "unpaid": "paid",
    "undone": "done",
    "unfinished": "finished",
    "incomplete": "completed",
    "unread": "read",
    "inactive": "active",
    "unavailable": "available",
    "unreturned": "returned",
    "unconfirmed": "confirmed",
    "unsold": "sold",
    "unwatched": "watched",
    "unpublished": "published",
    "unanswered": "answered",
    "open": "done",
    "missing": "present",
}
UN = {
    "paid": "unpaid",
    "finished": "unfinished",
    "read": "unread",
    "available": "unavailable",
    "confirmed": "unconfirmed",
    "sold": "unsold",
    "watched": "unwatched",
    "published": "unpublished",
    "answered": "unanswered",
    "active": "inactive",
}
OVER = (
    "done",
    "finished",
    "completed",
    "complete",
    "paid",
    "returned",
    "closed",
    "delivered",
    "resolved",
    "sent",
    "fixed",
    "cancelled",
)
WHEN = {
    "overdue": Op.BEFORE_TODAY,
    "late": Op.BEFORE_TODAY,
    "expired": Op.BEFORE_TODAY,
    "past": Op.BEFORE_TODAY,
    "upcoming": Op.AFTER_TODAY,
    "coming up": Op.AFTER_TODAY,
    "future": Op.AFTER_TODAY,
    "today": Op.TODAY,
    "due today": Op.TODAY,
}
DUE_WORDS = ("due", "deadline", "until", "expir", "return", "renewal", "end", "next", "before", "date")
PAST_WORDS = frozenset(
    "last since birthday birth born joined join bought purchase purchased borrowed lent created added started start "
    "watered seen read watched received published opened made written signed hired founded".split()
)
"""Days that are over tell nothing about what is overdue."""
STOCK_WORDS = ("quantity", "stock", "amount", "count", "qty", "units")
FEW = 5
NOT_A_THING = frozenset(
    {
        "items",
        "ones",
        "things",
        "entries",
        "item",
        "stuff",
        "what",
        "all",
        "only",
        "page",
        "first",
        "too",
        "please",
        "those",
    }
)


@dataclass(frozen=True, slots=True)
class ViewWish:
    state: str
    of: str = ""
    """What the view is of, in the person's words; empty if they did not say."""


def take_views(sheet: Sheet) -> list[ViewWish]:
    """Crosses them out."""
    wishes: list[ViewWish] = []
    for pattern in (NAMED, ONES, SIMPLE, AFTER, ONLY, ASKED):
        for match in sheet.take_all(pattern):
            said = match.groupdict()
            of = said.get("of") or ""
            of = "" if of in NOT_A_THING else of
            wishes += [ViewWish(_state(match["state"]), of)]
            wishes += [ViewWish(_state(said["second"]), of)] if said.get("second") else []
    return list(dict.fromkeys(wishes))


def _state(words: str) -> str:
    """`not paid` and `unpaid` are one."""
    plain = re.sub(r"^n't ", "not ", " ".join(words.split())).replace("high-priority", "high priority")
    bare = plain.removeprefix("not ")
    return UN.get(bare, plain) if plain.startswith("not ") else plain


def make_view(wish: ViewWish, resource: Resource) -> View | None:
    """None if no field of the resource can tell."""
    conditions = _conditions(wish.state, resource)
    if not conditions:
        return None
    name = slug(wish.state) or "view"
    return View(slug=name, title=sentence_case(f"{wish.state} {resource.plural_label.lower()}"), conditions=conditions)


def missing_field(wish: ViewWish) -> str | None:
    """The field that would have to be there for the view, in words."""
    if wish.state in WHEN:
        return "due date" if wish.state in {"overdue", "late", "due today"} else "date"
    if "stock" in wish.state or wish.state in {"sold out", "running low"}:
        return "quantity"
    if "priority" in wish.state:
        return "priority"
    if wish.state in {"open", "closed"}:
        return "done"
    word = OPPOSITES.get(wish.state, wish.state.removeprefix("not "))
    return word if wish.state not in {"new", "pending", "planned", "in progress", "missing"} else None


def _conditions(state: str, resource: Resource) -> tuple[Condition, ...]:
    if state in WHEN:
        date = _date_field(resource, state)
        late = state in {"overdue", "late"}
        return (Condition(field=date.name, op=WHEN[state]), *(_unfinished(resource) if late else ())) if date else ()
    if "stock" in state or state in {"sold out", "running low"}:
        return _stock(state, resource)
    return _by_value(state, resource)


def _date_field(resource: Resource, state: str) -> AppField | None:
    dates = [field for field in resource.fields if field.type is FieldType.DATE]
    due = state in {"overdue", "late", "expired", "due today"}
    words = DUE_WORDS if due else ("date", "start", "day")
    dates = [field for field in dates if not (due and PAST_WORDS.intersection(field.name.split("_")))]
    named = [field for word in words for field in dates if word in field.name]
    return next(iter([*named, *dates]), None)


def _unfinished(resource: Resource) -> tuple[Condition, ...]:
    """What is done is not overdue."""
    for field in resource.fields:
        if field.type is FieldType.YES_NO and field.name in OVER:
            return (Condition(field=field.name, op=Op.IS, value=False),)
        ends = [choice for choice in field.choices if choice.lower() in OVER]
        if ends:
            return tuple(Condition(field=field.name, op=Op.IS_NOT, value=choice) for choice in ends[:3])
    return ()


def _stock(state: str, resource: Resource) -> tuple[Condition, ...]:
    field = next(
        (f for f in resource.fields if f.type is FieldType.INTEGER and any(w in f.name for w in STOCK_WORDS)), None
    )
    if field is None:
        return ()
    low = "low" in state
    return (Condition(field=field.name, op=Op.BELOW if low else Op.IS, value=FEW if low else 0),)


def _by_value(state: str, resource: Resource) -> tuple[Condition, ...]:
    negated = state.startswith("not ") or state in OPPOSITES
    word = (
        OPPOSITES.get(state, state.removeprefix("not "))
        .removesuffix(" priority")
        .rstrip("s" if state.startswith("fav") else "")
    )
    for field in resource.fields:
        choice = next((value for value in field.choices if value.lower() in {word, state}), None)
        if choice is not None:
            exact = choice.lower() == state or not negated
            return (Condition(field=field.name, op=Op.IS if exact else Op.IS_NOT, value=choice),)
    for field in resource.fields:
        if field.type is FieldType.YES_NO and _same_state(word, field.name):
            return (Condition(field=field.name, op=Op.IS, value=not negated),)
    return ()


def _same_state(word: str, name: str) -> bool:
    finished = {"done", "finished", "completed", "complete", "closed"}
    parts = set(name.split("_"))
    return (
        word in parts or (word in finished and bool(parts & finished)) or word.replace("favorite", "favourite") in parts
    )


def thing_of(wish: ViewWish, resources: tuple[Resource, ...]) -> Resource | None:
    """The resource that the view is of: the one that is named, else the first that can answer, else the first."""
    for resource in resources:
        names = {resource.name, resource.plural, resource.label.lower(), resource.plural_label.lower()}
        if wish.of and {wish.of.lower(), plural(wish.of.lower())} & names:
            return resource
    able = [resource for resource in resources if make_view(wish, resource)]
    return next(iter([*able, *resources]), None)
