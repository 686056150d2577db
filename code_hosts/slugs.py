"""Names of repositories as people write them: `someone/notes`."""

import re
from urllib.parse import urlsplit

GITHUB = "https://github.com"
LARGEST_FILE = 100 * 2**20
"""Bytes that GitHub takes in one file."""
SLUG = re.compile(r"(?:(?P<owner>[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))/)?(?P<name>(?!\.{1,2}$)[\w.-]{1,100})", re.ASCII)


def slug_at(web_url: str, address: str) -> str:
    """The owner and name in the address of a repository below `web_url`; empty if it is elsewhere."""
    path = urlsplit(address).path.strip("/").removesuffix(".git")
    return path if origin(web_url) == origin(address) and is_slug(path) else ""


def origin(url: str) -> tuple[str, str]:
    """Scheme, host and port: two addresses with the same are the same server."""
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def is_slug(text: str) -> bool:
    """Whether a text is an owner and a name."""
    return "/" in text and SLUG.fullmatch(text) is not None
