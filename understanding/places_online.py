"""Whether and where an app is put online, from what was said."""

import re
from dataclasses import dataclass
from typing import Literal

from understanding.sheet import Sheet

HOSTS = {
    "vercel": "vercel",
    "render": "render",
    "render.com": "render",
    "netlify": "netlify",
}
OTHER_HOSTS = (
    "heroku",
    "aws",
    "amazon web services",
    "azure",
    "google cloud",
    "gcp",
    "digitalocean",
    "digital ocean",
    "fly.io",
    "railway",
    "cloudflare",
    "hostinger",
    "godaddy",
    "wix",
    "squarespace",
    "wordpress",
    "firebase",
    "pythonanywhere",
    "hetzner",
    "github pages",
    "github",
    "gh pages",
    "docker",
    "kubernetes",
)
NAMES = "|".join(sorted((re.escape(name) for name in (*HOSTS, *OTHER_HOSTS)), key=len, reverse=True))
VERB = (
    r"(?:deploy(?:ed|ment|ing)?|publish(?:ed|ing)?|host(?:ed|ing)?|put|upload|launch|release|ship|run|"
    r"bring|make|get|push|running|available|live|go)"
)
IT = r"(?:\s+(?:it|them|this|that|the (?:app|site|website|api|page|result|thing)|everything))?"
LEAD = (
    r"(?:\b(?:and|then|,|please|also|afterwards|finally|i want(?: you)? to|it should be|should be|must be|"
    r"can you|could you|to be|it|be)\s+){0,5}"
)
NOT = re.compile(
    rf"{LEAD}\b(?:don't|do not|dont|no need to|without|never|not|no)\s+(?:want to\s+|need to\s+|yet\s+|"
    rf"be\s+)?(?:deploy(?:ed|ment|ing)?|publish(?:ed|ing)?|put{IT} online|go(?:ing)? online|host(?:ed|"
    rf"ing)?|online)(?![\w-]){IT}(?:\s+(?:yet|"
    rf"online|anywhere|for now|now))*"
)
LOCAL = re.compile(
    rf"{LEAD}\b(?:{VERB}{IT}\s+)?(?:locally|only (?:on|for) (?:my|this) (?:own )?(?:computer|machine|"
    rf"laptop|pc)|on (?:my|this) (?:own )?(?:computer|machine|laptop|pc)(?: only)?|on localhost|"
    rf"offline)\b"
)
NAMED = re.compile(
    rf"{LEAD}\b(?:{VERB}{IT}\s+)?(?:online\s+)?(?:on|to|with|at|via|using|"
    rf"onto)\s+(?P<host>{NAMES})\b(?:\s+(?:please|for me|too))?"
)
ONLINE = re.compile(
    rf"{LEAD}\b(?:deploy(?:ed|ment|ing)?{IT}(?:\s+(?:online|somewhere|to the (?:web|internet|cloud)|"
    rf"for me|please|too|right away|automatically))*|"
    rf"{VERB}{IT}\s+(?:online|live|on the (?:web|internet|net)|to the (?:web|internet|cloud)|"
    rf"in the cloud|public(?:ly)?|somewhere online|up and running online|"
    rf"accessible from anywhere)(?:\s+(?:please|too|for me|so \w+))*|"
    rf"publish{IT}(?:\s+(?:please|for me|too))?|with (?:a )?public (?:url|link|address)|"
    rf"(?:so )?(?:that )?(?:everyone|anyone|people|others|friends) can (?:reach|open|access|visit|"
    rf"use) it online)(?![\w-])"
)


@dataclass(frozen=True, slots=True)
class Online:
    deploy: Literal["auto", "local", "no"] = "local"
    target: str | None = None
    cannot: str = ""
    said: bool = False


def take_online(sheet: Sheet) -> Online:
    """Crosses it out; the first host that is named counts."""
    if sheet.take(NOT):
        sheet.take_all(NAMED)
        return Online("no", said=True)
    named = sheet.take(NAMED)
    if named:
        sheet.take_all(ONLINE)
        host = named["host"]
        if host in HOSTS:
            return Online("auto", HOSTS[host], said=True)
        return Online(
            "auto", cannot=f"Putting it on {host.title()}: it goes to a host that is connected here instead", said=True
        )
    if sheet.take(LOCAL):
        return Online("local", said=True)
    if sheet.take_all(ONLINE):
        return Online("auto", said=True)
    return Online()
