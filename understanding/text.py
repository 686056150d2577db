"""Reads raw text into clean text, sentences, words and names."""

import re
import unicodedata

LONGEST = 6_000
"""More than anybody writes to say what an app shall do."""
KIND = "\x01"
"""Stands in the text for a word such as `app` or `API` that was read already. People cannot type it: see `clean`."""
QUOTES = str.maketrans({**dict.fromkeys("’‘‛´`ʼ", "'"), **dict.fromkeys("“”„‟«»", '"'), "–": "-", "—": "-", "…": "."})
WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
BULLET = re.compile(r"\n[ ]*(?:[-*•·+▪◦‣]+|\(?\d{1,2}[.)])[ ]+")
SPACES = re.compile(r"[ \t]+")
SENTENCE_END = re.compile(r"(?:[.!?]+(?=\s|$)|\n\n+|;)")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
MOST_WORDS_OF_A_NAME = 6


def clean(text: str) -> str:
    """One kind of quote, no invisible characters, bullets as lines that begin with `- `."""
    text = unicodedata.normalize("NFC", text).translate(QUOTES).replace("\r\n", "\n").replace("\r", "\n")
    shown = "".join(" " if c != "\n" and unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Zs"} else c for c in text)
    lines = [line.strip() for line in SPACES.sub(" ", BULLET.sub("\n- ", "\n" + shown)).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def lower(text: str) -> str:
    """Lower case of the same length, so that places in one are places in the other."""
    return text.lower() if text.isascii() else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def words_of(text: str) -> list[str]:
    return WORD.findall(text)


def sentences(text: str) -> list[str]:
    """Lines of a list stay with the line that they explain."""
    joined = re.sub(r"\n+(?=- )", "\n", text)
    joined = re.sub(r"(?<!\n)\n(?!- |\n)", " ", re.sub(r"((?:^|\n)- [^\n]*)\n(?!- )", r"\1\n\n", joined))
    return [part.strip() for part in SENTENCE_END.split(joined) if part.strip(" -\n")]


def plain(text: str) -> str:
    """The letters and digits of a name as every system can write them: `Café` is `Cafe`."""
    folded = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o").replace("æ", "ae"))
    return "".join(c if c.isascii() else " " for c in folded if not unicodedata.combining(c)).replace("'", "")


def snake(text: str, *, longest: int = 40) -> str:
    """`Due date` as `due_date`; empty if nothing is left."""
    parts = re.findall(r"[a-z0-9]+", plain(CAMEL.sub(" ", text) if not text.isupper() else text).lower())
    while parts and not parts[0][0].isalpha():
        parts = parts[1:]
    name = ""
    for part in parts[: MOST_WORDS_OF_A_NAME * 2]:
        longer = f"{name}_{part}" if name else part[:longest]
        if len(longer) > longest:
            break
        name = longer
    return name


def slug(text: str, *, longest: int = 40) -> str:
    return snake(text, longest=longest).replace("_", "-")


def line(text: str, *, longest: int = 120) -> str:
    """What a person wrote, fit for a title or label; empty if nothing is left."""
    shown = "".join(" " if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} else c for c in text)
    short = SPACES.sub(" ", shown).strip(" ,;:-\"'")
    return short if len(short) <= longest else short[:longest].rsplit(" ", 1)[0].strip() or short[:longest]


def sentence_case(text: str) -> str:
    """`due date` as `Due date`; words in capitals stay."""
    shown = line(text.replace("_", " "))
    return shown[:1].upper() + shown[1:]


def listed(items: list[str] | tuple[str, ...]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
