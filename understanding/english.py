"""One and many: singular and plural of English nouns, the irregular ones too."""

import functools

IRREGULAR = """
person people | child children | man men | woman women | foot feet | tooth teeth | goose geese | mouse mice | ox oxen
knife knives | wife wives | life lives | shelf shelves | leaf leaves | wolf wolves | half halves | loaf loaves
thief thieves | calf calves | scarf scarves | bus buses | gas gases | lens lenses | status statuses | bonus bonuses
virus viruses | campus campuses | chorus choruses | census censuses | canvas canvases | atlas atlases | iris irises
analysis analyses | diagnosis diagnoses | thesis theses | crisis crises | hypothesis hypotheses | basis bases
axis axes | criterion criteria | phenomenon phenomena | medium media | datum data | curriculum curricula
matrix matrices | index indices | cactus cacti | fungus fungi | alumnus alumni | nucleus nuclei | radius radii
shoe shoes | toe toes | canoe canoes | hero heroes | potato potatoes | tomato tomatoes | echo echoes | quiz quizzes
movie movies | cookie cookies | pie pies | tie ties | zombie zombies | selfie selfies | hoodie hoodies
brownie brownies | smoothie smoothies | calorie calories | rookie rookies | genie genies | veggie veggies | die dice
cache caches | headache headaches | axe axes | employee employees | series series | species species | menu menus
horse horses | house houses | nurse nurses | purse purses | course courses | case cases | purchase purchases
expense expenses | exercise exercises | license licenses | licence licences | database databases | phrase phrases
response responses | warehouse warehouses | release releases | lease leases | vase vases | rose roses | nose noses
cause causes | dose doses | spouse spouses | cheese cheeses | increase increases | base bases | verse verses
disease diseases | showcase showcases | cruise cruises | promise promises | prize prizes | size sizes | maze mazes
glass glasses | pass passes | class classes | dress dresses | address addresses | business businesses
process processes | boss bosses | mass masses | witness witnesses | princess princesses | actress actresses
waitress waitresses | hostess hostesses | mattress mattresses | illness illnesses | loss losses | cross crosses
mother-in-law mothers-in-law | passer-by passers-by
"""
UNCOUNTABLE = frozenset(
    "homework equipment furniture laundry staff sheep fish deer news feedback information advice luggage baggage "
    "jewellery jewelry software hardware music money merchandise clothing garbage rubbish traffic cutlery "
    "crockery stuff knowledge research evidence housework inventory stock wine beer tea coffee milk bread rice "
    "produce aircraft series species offspring shrimp salmon livestock timber mail post-it wildlife media data food "
    "attendance maintenance fitness yoga chess tennis football soccer karate swimming art poetry wood wool yarn".split()
)
NOT_PLURAL = frozenset(
    "this is was has as us plus minus its his yes gas bus lens canvas atlas iris chess tennis news always perhaps "
    "christmas mathematics maths physics athletics gymnastics politics economics ethics electronics analytics "
    "basics logistics alias bias chaos cosmos rhinoceros sos gps sms vs hours' across less unless status diabetes "
    "ios https does goes various previous famous "
    "ms mrs pancreas pyjamas pajamas headquarters whereas besides towards upstairs downstairs overseas "
    "afterwards sometimes nowadays its address access process success express business fitness guess".split()
)


@functools.cache
def _pairs() -> dict[str, str]:
    rows = [pair.split() for row in IRREGULAR.strip().splitlines() for pair in row.split("|")]
    return {one: many for one, many in rows}


@functools.cache
def _back() -> dict[str, str]:
    return {many: one for one, many in _pairs().items()}


def plural(noun: str) -> str:
    """Of the last word of a noun; an uncountable stays as it is."""
    before, _, last = noun.rpartition(" ")
    return f"{before} {_plural_word(last)}".strip()


def _plural_word(word: str) -> str:
    if word in _pairs():
        return _pairs()[word]
    if word in UNCOUNTABLE or not word:
        return word
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + ("es" if not word.endswith("tech") else "s")
    if word.endswith("y") and word[-2:-1] not in set("aeiou") and len(word) > 1:
        return word[:-1] + "ies"
    for ending in ("man", "woman", "child", "person", "shelf", "knife", "wife", "loaf", "foot"):
        if word.endswith(ending) and word not in {"human", "german", "roman", "talisman"}:
            return word.removesuffix(ending) + _pairs()[ending]
    return word + "s"


def singular(noun: str) -> str:
    before, _, last = noun.rpartition(" ")
    return f"{before} {_singular_word(last)}".strip()


def _singular_word(word: str) -> str:
    if word in _back():
        return _back()[word]
    if word in UNCOUNTABLE or word in NOT_PLURAL or word in _pairs() or not word.endswith(("s", "men", "children")):
        return word
    for ending in ("men", "children", "shelves", "knives"):
        if word.endswith(ending) and word not in {"specimen", "regimen", "omen", "abdomen", "acumen"}:
            return word.removesuffix(ending) + _back()[ending]
    return _without_s(word)


def _without_s(word: str) -> str:
    if word.endswith(("ss", "us", "is")) or (len(word) < 4 and not word.endswith(("ys", "ds", "ts"))):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def is_plural(noun: str) -> bool:
    last = noun.rpartition(" ")[2]
    return last in {"people", "series", "species"} or _singular_word(last) != last


def with_article(noun: str) -> str:
    """`a book`, `an order`."""
    vowel = noun[:1].lower() in set("aeiou") and not noun.lower().startswith(("uni", "use", "eu", "one"))
    return f"{'an' if vowel or noun.lower().startswith(('hour', 'honour', 'honor')) else 'a'} {noun}"
