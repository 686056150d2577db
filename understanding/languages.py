"""Tells English from other languages and from code, so that nothing is misread as something else."""

import functools
import re
import unicodedata
from collections import Counter

from understanding.text import words_of

FUNCTION_WORDS: dict[str, str] = {
    "English": "the a an for with and to of my our me i we you it is are that which where please build make "
    "create need want can could should "
    "some all each every have has who when list app page in on as be this add remove website",
    "German": "der die das und ein eine einen einem einer eines für mit ich wir möchte brauche brauchen bitte "
    "erstelle erstellen baue bauen mach mache "
    "machen meine meinen mein unser unsere unseren von zum zur nicht ist sind soll sollen können kann "
    "eure einfache kleine kleinen seite auf den dem "
    "wo man alle jede jeder auch oder wie nach bei um programmiere schreibe liste aus",
    "Spanish": "el la los las un una unos unas y para con de del que quiero necesito crea crear haz hazme hacer "
    "construye mi mis nuestro nuestra por favor en "
    "es son puede pueden donde cada página sitio aplicación una lista tienda como",
    "French": "le la les un une des et pour avec de du que je nous voudrais veux besoin crée créer créez fais "
    "faire faites construis mon ma mes notre nos "
    "s'il vous plaît dans est sont peut où chaque site application une liste au aux qui sur",
    "Italian": "il lo la gli le un una uno e per con di del della che voglio vorrei crea creare fammi costruisci "
    "mio mia nostro nostra i miei dove ogni "
    "applicazione sito lista pagina sono può delle dei bisogno ho nel",
    "Portuguese": "o os as um uma uns e para com de do da que quero preciso crie criar faça meu minha nosso nossa "
    "onde cada aplicativo site lista página são "
    "pode por favor dos das em uma gostaria",
    "Dutch": "de het een en voor met ik wij we wil graag maak maken bouw bouwen mijn onze ons van waar elke "
    "alle lijst pagina zijn kan kunnen niet naar "
    "alsjeblieft nodig heb hebben die dat op website",
    "Polish": (
        "i w z na do dla stwórz zrób chcę potrzebuję moja mój nasz nasza aplikację aplikacja stronę strona "
        "lista które jest są proszę gdzie każdy oraz"
    ),
    "Swedish": (
        "och en ett för med jag vi vill behöver skapa bygg gör min mitt vår våra där alla sida lista är "
        "kan inte snälla som till att"
    ),
    "Turkish": "bir ve için ile bana benim bizim yap oluştur istiyorum uygulama uygulaması sayfa liste lütfen olan her",
}
CODE = (
    (
        "SQL",
        re.compile(
            (
                r"^\s*(?:select\s.{1,200}?\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|"
                r"drop\s+(?:table|database)\s|create\s+table\s|alter\s+table\s)"
            ),
            re.I | re.S,
        ),
    ),
    (
        "HTML",
        re.compile(
            (
                r"^\s*<(?:!doctype|html|div|script|body|head|p|a|img|svg|form|h[1-6]|span|table|iframe|\?xml|"
                r"\?php)\b[^>]*>?"
            ),
            re.I,
        ),
    ),
    (
        "code",
        re.compile(
            (
                r"^\s*(?:def\s+\w+\s*\(|class\s+\w+\s*[(:{]|import\s+[\w.]+\s*(?:$|\n|;|as\s)|"
                r"from\s+[\w.]+\s+import\s|function\s*\w*\s*\(|const\s+\w+\s*=|let\s+\w+\s*=|var\s+\w+\s*=|"
                r"#include\b|public\s+(?:static|class)\b|package\s+\w+;|print\s*\(|console\.log|if\s*\(.*\)\s*\{|"
                r"for\s*\(.*;|while\s*\(|\w+\s*=\s*(?:lambda\b|function\b|\(\)\s*=>))"
            ),
            re.I,
        ),
    ),
    (
        "a shell command",
        re.compile(
            (
                r"^\s*(?:#!|\$\s+\w|sudo\s|rm\s+-|cd\s+[~/.]|ls\s+-|curl\s+(?:-|http)|wget\s|git\s+(?:clone|push|"
                r"pull|commit|add|checkout)\b|npm\s+(?:install|i|run)\b|pip3?\s+install\b|apt(?:-get)?\s+install|"
                r"docker\s+(?:run|build)\b|chmod\s|cat\s+/|python3?\s+\S+\.py)"
            ),
            re.I,
        ),
    ),
    ("JSON", re.compile(r'^\s*[{\[]\s*(?:["{\[}\]]|$)')),
)
SCRIPTS = {
    "CJK": "Chinese or Japanese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "CYRILLIC": "a language in Cyrillic letters",
    "ARABIC": "Arabic",
    "HEBREW": "Hebrew",
    "GREEK": "Greek",
    "DEVANAGARI": "Hindi",
    "THAI": "Thai",
}
KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop")
READ_AT_MOST = 4000


def foreign_language(text: str) -> str | None:
    """The language that a text is in, if it is not English."""
    return _by_letters(text[:READ_AT_MOST]) or _by_words([word.lower() for word in words_of(text[:READ_AT_MOST])])


def _by_letters(text: str) -> str | None:
    letters = [c for c in text if c.isalpha()]
    other = Counter(unicodedata.name(c, "?").split()[0] for c in letters if ord(c) > 0x250)
    if not other or sum(other.values()) * 3 < len(letters):
        return None
    return SCRIPTS.get(other.most_common(1)[0][0], "another language")


def _by_words(words: list[str]) -> str | None:
    counts = {name: sum(word in known for word in words) for name, known in _known().items()}
    english = counts.pop("English")
    best = max(counts, key=lambda name: counts[name])
    own = {word for word in words if word in _known()[best] - _known()["English"]}
    return best if counts[best] > english and (len(own) >= 2 or (own and len(words) <= 4 and english == 0)) else None


@functools.cache
def _known() -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in FUNCTION_WORDS.items()}


STATEMENT = re.compile(r";\s*(?:drop\s+table|delete\s+from|insert\s+into|update\s+\w+\s+set)\b", re.IGNORECASE)
"""A statement behind a semicolon in the middle of words."""


def code_language(text: str) -> str | None:
    """What sort of code a text is, if it is not made of words."""
    found = next((name for name, pattern in CODE if pattern.match(text[:READ_AT_MOST])), None)
    found = found or ("SQL" if STATEMENT.search(text[:READ_AT_MOST]) else None)
    signs = sum(c in "{}()[];=<>|&$#\\*+%^~@_" for c in text[:READ_AT_MOST])
    return found or ("code" if signs > 12 and signs * 5 > len(text[:READ_AT_MOST]) else None)


def is_gibberish(text: str) -> bool:
    """Whether no word could be one: keys beside each other, or no vowel anywhere."""
    words = [word.lower() for word in words_of(text) if any(c.isalpha() for c in word)]
    return not any(_could_be_a_word(word) for word in words)


def _could_be_a_word(word: str) -> bool:
    if len(word) < 2 or any(len(word) > 2 and (word in row or word[::-1] in row) for row in KEYBOARD):
        return False
    return bool(re.search(r"[aeiouyàáâäéèêëíîïóôöúûü]", word)) and not re.search(
        r"[bcdfghjklmnpqrstvwxz]{6}|(.)\1{3}", word
    )
