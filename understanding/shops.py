"""Selling online, which can be built but for the paying: what is sold, and what was ordered."""

import re
from dataclasses import dataclass, field

from understanding.english import singular
from understanding.limits import PAYMENTS, Limit, Refusal
from understanding.nouns import find_noun
from understanding.sheet import Sheet
from understanding.text import sentence_case

PEOPLE = r"(?:people|customers?|clients?|visitors?|users?|they|everyone|everybody|anyone|friends|neighbours)"
GOODS = r"(?:(?:my|our|the|some|your|their|own) )*(?P<{}>[a-z][\w' -]{{1,40}}?)"
END = r"(?=\s*(?:[.,;:!?\n(&+]|$)|\s+(?:with|and|where|that|which|who|so|including|plus|has|have|please|thanks|on)\b)"
SHOP = re.compile(
    r"(?<![\w-])(?:(?:online|internet|web|e-?commerce|virtual)[ -]?(?:shop|store|boutique)|web-?(?:shop|store)|e-?shop|"
    r"e-?commerce)(?: (?:app|application|website|site|page|platform|system))?"
    rf"(?: (?:for(?: selling)?|selling|that sells|to sell|where (?:i|we) (?:can )?sell|"
    rf"where {PEOPLE} (?:can|could) (?:buy|order)|of) {GOODS.format('goods')}{END})?(?![\w-])"
)
SELLING = re.compile(
    rf"(?<![\w-])(?:sell|selling) {GOODS.format('sold')} (?:online|on the (?:internet|web)|over the internet)(?![\w-])|"
    rf"(?<![\w-])(?:shop|store|place) where {PEOPLE} (?:can|could) (?:buy|order) {GOODS.format('bought')}{END}"
)
THERE_ALREADY = re.compile(r"\b(?:my|our|(?:i|we)(?:'ve)? (?:have|run|own|got)(?: got)?(?: an?)?(?: \w+)?)\s*$")
ORDERING = re.compile(
    rf"(?:(?:where|and|so that|so|,) *)*(?<![\w-]){PEOPLE} (?:(?:should|must|will|shall) be able to|are able to|can|"
    r"could|may|should) (?:also )?(?:browse|choose|order|buy|purchase|shop)(?:(?:,| and| or) (?:order|buy|purchase))*"
    r"(?: (?:them|it|things|stuff|online|products?|from (?:it|me|us)))*(?![\w-])"
)
PAYING = re.compile(
    r"(?:(?<![\w-])(?:with|and|including|incl\.?|plus|also|an?) +|[,+&] *)*(?<![\w-])(?P<what>"
    r"(?:(?:online|card|credit card|debit card|secure|safe|easy|simple|working|paypal|stripe|klarna|apple pay|"
    r"google pay|and|or) )*"
    r"(?:payments?(?: (?:options?|methods?|functions?|features?|pages?|processing))?|check-?outs?(?: page)?|"
    r"(?:shopping )?(?:carts?|baskets?)))(?![\w-])(?! ?[(:=]| (?:dates?|times?|status|amount|with|lists?|history)\b)"
)
NOTED = re.compile(
    r"\b(?:track|tracks|tracking|record|note|log|list|lists|overview|manage|see|all|of)(?: (?:the|all|my|our))*$"
)
IN_A_SHOP = re.compile(r"\b(?:shop|store)\b.*\b(?:check-?out|cart|basket)\b", re.DOTALL)
OWN_WORDS = re.compile(r"\b(?:products?|items|goods|articles)\b")
ORDERS = re.compile(r"\b(?:orders|order (?:form|list|management|page)s?)\b")
CART = Limit("A shopping cart", "write one", "orders in which people say what they want, and how many")
ORDER_FIELDS = (
    ". Orders have customer name (required), email, quantity (default 1), status (new, paid, sent, done) and notes. "
    "Each order belongs to a product."
)
KEEPS = "For selling it keeps products and orders; an order is for one product, and says how many of it"


@dataclass(slots=True)
class Shop:
    """What was said of selling; nothing if it was not."""

    title: str = ""
    assumptions: list[str] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)


def take_shop(sheet: Sheet) -> Shop:
    """Puts plain words in the place of a shop, and takes out what would be needed to be paid."""
    shop = Shop()
    if sheet.sees(SHOP) is None and sheet.sees(SELLING) is None:
        shop.refusals = _take_paying(sheet) if sheet.sees(IN_A_SHOP) else []
        return shop
    shop.refusals = _take_paying(sheet)
    found = sheet.sees(SHOP) or sheet.sees(SELLING)
    if found is None:
        return shop
    if THERE_ALREADY.search(sheet.low[: found.start()]):
        sheet.cross_out(found.start(), found.end(), leave="shop")
        return shop
    goods = next((words for words in found.groupdict().values() if words), "").strip()
    rest = sheet.low[: found.start()] + sheet.low[found.end() :]
    named = OWN_WORDS.search(rest) is not None
    beside = _things_beside(sheet.low[found.end() :])
    keep = "keep products and" if beside else "keep products"
    sheet.cross_out(found.start(), found.end() + beside, leave="a shop" if named else keep)
    sheet.take_all(ORDERING)
    shop.title = f"{sentence_case(singular(goods))} shop" if goods and len(goods.split()) <= 3 else ""
    if not named and not ORDERS.search(rest):
        sheet.add(ORDER_FIELDS)
        shop.assumptions.append(KEEPS)
    return shop


def _things_beside(after: str) -> int:
    """How far `with` reaches before other things: `with customers` keeps them too, `with a price` is of a product."""
    found = re.match(r"\s+with\s+(?P<first>[\w' -]+?)(?=,|\.|$|\s+and\b)", after)
    noun = find_noun(found["first"]) if found else None
    return found.start("first") if found and noun is not None and noun.thing is not None and noun.plural else 0


def _take_paying(sheet: Sheet) -> list[Refusal]:
    taken = []
    for match in reversed(list(PAYING.finditer(sheet.low))):
        if NOTED.search(sheet.low[: match.start("what")].rstrip()):
            continue
        limit = CART if re.search(r"cart|basket", match["what"]) else PAYMENTS
        taken.append(Refusal(limit, match["what"], False))
        sheet.cross_out(match.start(), match.end())
    return taken[::-1]
