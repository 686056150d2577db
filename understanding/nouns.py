"""Finds the thing that a few words are about: `all our wedding guests` are guests."""

import re
from dataclasses import dataclass

from understanding.english import is_plural, singular
from understanding.text import KIND, words_of
from understanding.things import Thing, places, thing_for, things

MOST_WORDS = 3
READ_AT_MOST = 600
DROPPED = frozenset(
    "too again well shared common joint public internal secret official little hi hey hello thanks "
    "thank thx cheers much dear regards ok okay am im sorry hope kindly "
    "a an the my our your his her their its this these those some any all each every simple small little nice "
    "basic cool new good great beautiful pretty modern tiny easy quick personal private own whole different "
    "various favourite favorite old current local digital online virtual complete full proper real several many "
    "multiple few couple lots one two three four five six seven eight nine ten twelve twenty single lovely super "
    "fancy clean minimal quickly please just only maybe really very kind sort other more most lot both also so it "
    "them me us him i we you they he she basically actually everything something anything someone somebody things "
    "thing stuff upcoming existing entire daily weekly monthly annual yearly certain specific big huge large "
    "short long working responsive here there now today out up down off back standard typical usual decent handy "
    "mini quick'n'dirty smart what how why together instead anyway asap much asking".split()
)
CUTS = frozenset(
    "after before while that which who whom whose where when while because so to for of in on at by "
    "from with without about as if "
    "but than into per via using like is are was were be been being has have had should must can could will would "
    "do does did during until till not then or and i'm i'd i've we're we'd it's there's don't".split()
)
CONTAINERS = frozenset(
    "chart list lists tracker trackers manager managers app apps application applications page pages system systems "
    "database db collection collections catalogue catalog register directory planner organiser organizer "
    "management tool tools site website overview board form forms box keeper tracking schedule calendar archive "
    "library wall hub portal platform dashboard sheet service administration section area module feature screen "
    "webpage book plan program programme software helper assistant monitor roster rota finder display maker "
    "machine thing records data details info information server backend interface solution viewer editor "
    "spreadsheet file files center centre desk corner".split()
)
"""Words for something that holds things: a `guest list` holds guests."""
ANYBODY = frozenset(
    "people everyone everybody anyone anybody persons folks us nobody others somebody someone i we you "
    "they he she it".split()
)
PEOPLE = ANYBODY | frozenset(
    "users user visitors customers clients members guests neighbours neighbors parents students employees volunteers "
    "kids friends players teachers pupils colleagues residents tenants patients".split()
)
"""Who does something, where a verb follows."""
VERBS = frozenset(
    "let leave post write add enter submit share list see view browse find store save keep manage track record "
    "collect organise organize plan log create edit update handle monitor follow remember note document catalogue "
    "gather publish show display offer sell lend borrow rent buy read count schedule maintain administer control "
    "hold have use get put insert input upload announce report suggest propose sort arrange order request rate "
    "check look review managing tracking storing keeping recording collecting organising organizing planning "
    "logging creating handling monitoring remembering documenting cataloguing cataloging gathering publishing "
    "showing displaying selling listing saving adding maintaining administering posting sharing scheduling "
    "counting following writing viewing lending borrowing renting buying reading entering controlling running "
    "manages tracks stores keeps records collects lists shows displays saves organises organizes holds contains "
    "handles lets logs watered bought sold need needed wants want memorise memorize inventory register "
    "registering build make develop generate design give like love making building help helps print prints tell "
    "tells know learn exchange swap trade exchanging swapping".split()
)
DOES = {
    "book": "booking",
    "reserve": "reservation",
    "vote": "vote",
    "rsvp": "rsvp",
    "donate": "donation",
    "apply": "application",
    "order": "order",
    "subscribe": "subscriber",
    "comment": "comment",
    "register": "registration",
    "enrol": "enrolment",
    "enroll": "enrolment",
    "sign": "entry",
}
"""What comes of it when people do something: who books makes a booking."""
OF_ACTION = re.compile(rf"\b(?:can|to|could|may|should|want to|let)\s+(?P<verb>{'|'.join(DOES)})\b(?!\s*$)")


@dataclass(frozen=True, slots=True)
class Noun:
    """A thing in the words of the person, in the singular."""

    words: str
    plural: bool = False
    thing: Thing | None = None
    place: str | None = None
    """What is most likely kept, if the words are a place or a group; empty if nobody could guess."""
    titled: str = ""
    """As it would be in a title: `expense tracker`."""

    @property
    def name(self) -> str:
        return self.words


def find_noun(text: str) -> Noun | None:
    """None if no word is left that could name a thing."""
    words = _content(text)
    if not words:
        return None
    titled = " ".join(words)
    if all(word in CONTAINERS and word not in things() and word not in places() for word in words):
        return None
    known = _known(words) or _known(_without_containers(words)) or _known_by_alias(words)
    if known and not (_place(words) is not None and known.name == titled and not is_plural(words[-1])):
        return Noun(known.name, is_plural(words[-1]), known, titled=titled)
    words = _after_place(_without_containers(words) if _place(words) is None or len(words) > 1 else words)
    place = _place(words)
    if place is not None:
        return Noun(singular(" ".join(words)), False, None, place, titled)
    words = words[-MOST_WORDS:]
    known = _known(words)
    name = known.name if known else singular(" ".join(words))
    return Noun(name, is_plural(words[-1]), known or thing_for(" ".join(words)), titled=titled)


def _content(text: str) -> list[str]:
    """From the first word that means something to the first that begins something else."""
    kept: list[str] = []
    named = False
    for word in words_of(text[:READ_AT_MOST].replace(KIND, " ").replace("_", " ").lower()):
        if word in CUTS and kept:
            break
        if word in DROPPED or word in CUTS or not any(c.isalpha() for c in word):
            if kept and word in {"i", "we", "they", "you"}:
                break
            kept = [] if word in {"their", "my", "our"} else kept  # `watered my plants` is about the plants
            named = word in {"my", "our", "their"} if not kept else named
            continue
        kept.append(word.removesuffix("'s").removesuffix("'"))
    if " ".join(kept) in things():
        return kept
    if named and len(kept) == 2 and kept[0] in things() and kept[1] in CONTAINERS:
        return kept  # `my record collection` is about records
    while kept and kept[0] in VERBS and (len(kept) > 1 or kept[0] not in things()) and not (named and len(kept) == 1):
        kept = kept[1:]
    return [word for word in kept if word]


def _known(words: list[str]) -> Thing | None:
    return things().get(" ".join(words)) if words else None


def _known_by_alias(words: list[str]) -> Thing | None:
    """A `movie watchlist` holds movies."""
    for size in (2, 1):
        thing = _known(words[-size:])
        if len(words) > size and thing is not None and thing.name != singular(" ".join(words[-size:])):
            return _known(words[:-size]) or thing
    return None


def _without_containers(words: list[str]) -> list[str]:
    kept = words
    while len(kept) > 1 and kept[-1] in CONTAINERS:
        kept = kept[:-1]
    return kept


def _after_place(words: list[str]) -> list[str]:
    """`chess club member` is about a member."""
    last = max((number for number, word in enumerate(words[:-1]) if word in places()), default=-1)
    rest = words[last + 1 :]
    return rest if last >= 0 and not (len(rest) == 1 and rest[0] in CONTAINERS) else words


def _place(words: list[str]) -> str | None:
    for start in range(len(words)):
        found = places().get(singular(" ".join(words[start:])))
        if found is not None:
            return found
    return None


def is_only_container(text: str) -> bool:
    """Whether the words only say that something is kept, not what."""
    words = _content(text)
    return not words or all(word in CONTAINERS for word in words)
