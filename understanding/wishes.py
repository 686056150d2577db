"""Everything that one text asks for, read in an order in which nothing is mistaken for something else."""

import re
from dataclasses import dataclass, field

from understanding.calling import take_name
from understanding.drafts import Draft, write_as_typed
from understanding.features import Features, take_features
from understanding.kinds import hello_in, take_kinds
from understanding.limits import Refusal, take_limits
from understanding.pages import Said, take_pages, take_said
from understanding.pairs import Pair, enter_pair, take_pair
from understanding.pipelines import Wanted, read_pipeline, wants_pipeline
from understanding.places_online import Online, take_online
from understanding.reader import read_things
from understanding.requests import take_requests
from understanding.sheet import Sheet
from understanding.shops import Shop, take_shop
from understanding.tech import Tech, take_tech
from understanding.views import ViewWish, take_views


@dataclass(slots=True)
class Wishes:
    name: str
    online: Online
    hello: bool
    refusals: list[Refusal]
    features: Features
    tech: Tech
    kinds: set[str]
    views: list[ViewWish] = field(default_factory=list)
    pages: list[tuple[str, str]] = field(default_factory=list)
    said: Said = field(default_factory=Said)
    draft: Draft = field(default_factory=Draft)
    pipeline: Wanted | None = None
    shop: Shop = field(default_factory=Shop)
    pair: Pair | None = None


def read_wishes(text: str) -> Wishes:
    """From text that is clean, unified and mended."""
    sheet = Sheet(text)
    name = take_name(sheet)
    shop = take_shop(sheet)
    pair = take_pair(sheet)
    online = take_online(sheet)
    if wants_pipeline(sheet):
        return _of_figures(sheet, name, online)
    views = take_views(sheet)
    refusals = [*take_limits(sheet), *shop.refusals]
    features = take_features(sheet)
    tech = take_tech(sheet)
    hello = hello_in(sheet)
    is_site = "site" in take_kinds(Sheet(sheet.text))
    said = take_said(sheet) if is_site else Said()
    pages = take_pages(sheet, is_site=is_site)
    kinds = take_kinds(sheet) | ({"react"} if tech.react else set()) | ({"site"} if is_site else set())
    unread = take_requests(sheet)
    draft = read_things(" ".join(re.split(r"[ ]+", sheet.low)))
    draft.unread = [*unread, *draft.unread]
    write_as_typed(draft, text)
    if pair is not None:
        enter_pair(draft, pair)
    found = Wishes(name, online, hello, refusals, features, tech, kinds, views, pages, said, draft)
    found.shop, found.pair = shop, pair
    return found


def _of_figures(sheet: Sheet, name: str, online: Online) -> Wishes:
    """Figures from files: what else is in the text says what to make of them."""
    wanted = read_pipeline(sheet)
    return Wishes(name, online, False, [], Features(), Tech(), {"pipeline"}, pipeline=wanted)
